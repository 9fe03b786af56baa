// Who takes part in `npm run bench -- --decode`. All decode the same bytes, those that wcbor's `encode` writes; JSON has its own.
import { CborDecoder } from '@jsonjoy.com/json-pack/lib/cbor/CborDecoder.js';
import { Decoder as CborX } from 'cbor-x';
import { Decoder as CborXPlain } from 'cbor-x/decode-no-eval';
import { decode as cbor2Decode } from 'cbor2';
import { decode as cborgDecode } from 'cborg';
import { Decoder, decode, encode } from 'wcbor';
import { isSame } from './contenders.js';

const lax = new Decoder({ mode: 'lax' });
const generated = new Decoder({ codeGeneration: true });
const cborX = new CborX({ useRecords: false, mapsAsObjects: true });
// In Node the one above has the help of a native add-on, this one has not.
const cborXPlain = new CborXPlain({ useRecords: false, mapsAsObjects: true });
const jsonPack = new CborDecoder();
const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder();

export const OURS = 'wcbor';

/** Whether code may be generated now; in workerd it may not while a request is answered. */
function canGenerate() {
  try {
    return new Function('return true')();
  } catch {
    return false;
  }
}

/** @type {{ name: string, decode: (bytes: Uint8Array) => unknown, encode?: (value: any) => Uint8Array, isPossible?: () => boolean }[]} */
export const contenders = [
  { name: OURS, decode: (bytes) => decode(bytes) },
  { name: 'wcbor lax', decode: (bytes) => lax.decode(bytes) },
  { name: 'wcbor codeGeneration', decode: (bytes) => generated.decode(bytes), isPossible: canGenerate },
  { name: 'cbor-x', decode: (bytes) => cborX.decode(bytes) },
  { name: 'cbor-x plain', decode: (bytes) => cborXPlain.decode(bytes) },
  { name: 'json-pack', decode: (bytes) => jsonPack.decode(bytes) },
  { name: 'cborg', decode: (bytes) => cborgDecode(bytes) },
  { name: 'cbor2', decode: (bytes) => cbor2Decode(bytes) },
  {
    name: 'JSON',
    decode: (bytes) => JSON.parse(textDecoder.decode(bytes)),
    encode: (value) => textEncoder.encode(JSON.stringify(value)),
  },
];

/** Values go here, so that no engine finds that nobody needs them. */
export let latest;

/**
 * What one contender does with one document: the bytes, and a function that does it so many times. Throws unless the
 * value is right.
 */
export function planOf(contender, value) {
  const bytes = (contender.encode ?? encode)(value);
  const { decode } = contender;
  if (!isSame(value, decode(bytes))) throw new Error('not the value');
  const run = (times) => {
    for (let i = 0; i < times; i++) latest = decode(bytes);
  };
  // Code generation is for shapes that come again, and not to be had everywhere.
  decode(bytes);
  return { nbytes: bytes.length, run };
}
