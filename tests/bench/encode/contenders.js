// Who takes part in `npm run bench`, each with what it decodes to for the check. In Node the packages are as they are
// installed, for pages and Workers they are bundled.
import { CborEncoder } from '@jsonjoy.com/json-pack/lib/cbor/CborEncoder.js';
import { CborEncoderFast } from '@jsonjoy.com/json-pack/lib/cbor/CborEncoderFast.js';
import { CborEncoderStable } from '@jsonjoy.com/json-pack/lib/cbor/CborEncoderStable.js';
import { Encoder as CborX } from 'cbor-x';
import { cdeEncodeOptions, decode as cbor2Decode, encode as cbor2Encode } from 'cbor2';
import { decode as cborgDecode, encode as cborgEncode, rfc8949EncodeOptions } from 'cborg';
import { Encoder, encode } from 'wcbor';

const strict = new Encoder({ mode: 'strict' });
const canonical = new Encoder({ mode: 'canonical' });
const deterministic = new Encoder({ mode: 'deterministic' });

// Plain CBOR out of everything: no records, no tag for bytes or for a Map.
const cborX = new CborX({ useRecords: false, mapsAsObjects: true, tagUint8Array: false, useTag259ForMaps: false });
const fast = new CborEncoderFast();
const full = new CborEncoder();
const stable = new CborEncoderStable();
const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder();

// Another library's decoder than that of whoever encoded.
const byCborg = (bytes) => cborgDecode(bytes, { useMaps: true });
const byCbor2 = (bytes) => cbor2Decode(bytes, { preferMap: true });

export const OURS = 'wcbor';
export const JSON_TEXT = 'JSON';

/** @type {{ name: string, encode: (value: any) => Uint8Array, decode: (bytes: Uint8Array) => unknown }[]} */
export const contenders = [
  { name: OURS, encode: (value) => encode(value), decode: byCborg },
  { name: 'wcbor strict', encode: (value) => strict.encode(value), decode: byCborg },
  { name: 'wcbor canonical', encode: (value) => canonical.encode(value), decode: byCborg },
  { name: 'wcbor deterministic', encode: (value) => deterministic.encode(value), decode: byCborg },
  { name: 'cbor-x', encode: (value) => cborX.encode(value), decode: byCborg },
  { name: 'json-pack fast', encode: (value) => fast.encode(value), decode: byCborg },
  { name: 'json-pack', encode: (value) => full.encode(value), decode: byCborg },
  { name: 'json-pack stable', encode: (value) => stable.encode(value), decode: byCborg },
  { name: 'cborg', encode: (value) => cborgEncode(value), decode: byCbor2 },
  { name: 'cborg rfc8949', encode: (value) => cborgEncode(value, rfc8949EncodeOptions), decode: byCbor2 },
  { name: 'cbor2', encode: (value) => cbor2Encode(value), decode: byCborg },
  { name: 'cbor2 cde', encode: (value) => cbor2Encode(value, cdeEncodeOptions), decode: byCborg },
  {
    name: JSON_TEXT,
    encode: (value) => textEncoder.encode(JSON.stringify(value)),
    decode: (bytes) => JSON.parse(textDecoder.decode(bytes)),
  },
];

/**
 * Whether what was decoded is the value. A map may have come as a Map or an object.
 * @param {any} value
 * @param {any} decoded
 * @returns {boolean}
 */
export function isSame(value, decoded) {
  if (typeof value !== 'object' || value === null) return Object.is(value, decoded);
  if (typeof decoded !== 'object' || decoded === null) return false;
  if (value instanceof Uint8Array) {
    if (!(decoded instanceof Uint8Array) || value.length !== decoded.length) return false;
    return value.every((byte, i) => byte === decoded[i]);
  }
  if (Array.isArray(value)) {
    if (!Array.isArray(decoded) || value.length !== decoded.length) return false;
    return value.every((item, i) => isSame(item, decoded[i]));
  }
  if (Array.isArray(decoded) || decoded instanceof Uint8Array) return false;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const read = decoded instanceof Map ? decoded : new Map(Object.entries(decoded));
  return entries.length === read.size && entries.every(([key, item]) => read.has(key) && isSame(item, read.get(key)));
}

/** Where the lengths of results go, so that no engine finds that nobody needs them. */
export let sink = 0;

/**
 * What one contender does with one document: the length of its bytes, and a function that does it so many times. Throws
 * unless they are right.
 */
export function planOf({ encode, decode }, value) {
  const bytes = encode(value);
  if (!(bytes instanceof Uint8Array)) throw new Error('not bytes');
  if (!isSame(value, decode(bytes))) throw new Error('not the value');
  const run = (times) => {
    for (let i = 0; i < times; i++) sink += encode(value).length;
  };
  return { nbytes: bytes.length, run };
}
