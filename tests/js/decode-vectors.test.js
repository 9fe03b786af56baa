// decode against the tables: RFC 8949, appendices A and F, every beginning of every item, and what .NET's reader makes of
// its own test data.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Simple, Tagged, decode, decodeFirst } from 'wcbor';
import { MODES, bytesOf, floatOf } from './calls.js';

const read = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url)));
const { items, malformed } = read('rfc8949.json');

const integer = (value) => (value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : value);
const magnitude = (hex) => BigInt(`0x0${hex}`);

/** Tags that become something else, in the tables. */
const TAGS = {
  0: ([, text]) => new Date(text),
  1: (item) => new Date(valueOf(item) * 1000),
  2: ([, hex]) => integer(magnitude(hex)),
  3: ([, hex]) => integer(-1n - magnitude(hex)),
  32: ([, text]) => new URL(text),
};

function valueOf([type, first, second]) {
  switch (type) {
    case 'i': return integer(BigInt(first));
    case 'f': return floatOf(first);
    case 'b': return bytesOf(first);
    case 's': return first;
    case 'a': return first.map(valueOf);
    case 'm': {
      const entries = first.map(([key, value]) => [valueOf(key), valueOf(value)]);
      return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : new Map(entries);
    }
    case 't': return first in TAGS ? TAGS[first](second) : new Tagged(Number(first), valueOf(second));
    default: return first >= 20 && first <= 23 ? [false, true, null, undefined][first - 20] : new Simple(first);
  }
}

test('the examples of appendix A', () => {
  assert.equal(items.length, 81);
  for (const [hex, item] of items) {
    for (const options of [{}, { mode: 'lax' }, { codeGeneration: true }]) {
      for (let again = 0; again < 3; again++) assert.deepEqual(decode(bytesOf(hex), options), valueOf(item), hex);
    }
  }
});

test('what appendix F says is not well-formed', () => {
  assert.equal(malformed.length, 94);
  for (const [hex, isCut] of malformed) {
    for (const mode of ['strict', 'lax']) {
      if (mode === 'lax' && /^f8[01]/.test(hex)) continue; // lax takes simple values 0..31 in two bytes
      assert.throws(() => decode(bytesOf(hex), { mode }), ({ code, incomplete }) => {
        assert.match(code, /^ERR_CBOR_/);
        // What is longer than any memory is not to be waited for; nor what strict finds wrong before the end.
        if (!(mode === 'strict' && hex === 'bf01020102')) assert.equal(incomplete, isCut && !/^[579b](?:affffffff|b[7f]f(ff){7})/.test(hex), `${hex} ${code}`);
        return true;
      }, hex);
    }
  }
});

test('every beginning of an item is incomplete, and no byte behind it is looked at', () => {
  for (const [hex] of items) {
    const bytes = bytesOf(hex);
    const followed = new Uint8Array(bytes.length + 100).fill(0x01);
    followed.set(bytes);
    for (let length = 0; length < bytes.length; length++) {
      const isCut = ({ incomplete, missing }) => incomplete && missing > 0 && missing <= bytes.length - length;
      assert.throws(() => decode(bytes.subarray(0, length)), isCut, `${hex}, ${length}`);
      assert.throws(() => decode(followed.subarray(0, length)), isCut, `${hex}, ${length}`);
    }
    assert.equal(decodeFirst(followed).bytesRead, bytes.length);
  }
});

// --------------------------------------------------------------------------------------------------- .NET's reader

/** The value that a walk's tokens are, and how many there were. */
function fromTokens(tokens) {
  let at = 0;
  const all = (end, make) => {
    const list = [];
    while (tokens[at][0] !== end) list.push(make());
    at++;
    return list;
  };
  const next = () => {
    const [kind, value] = tokens[at++];
    switch (kind) {
      case 'uint': return integer(BigInt(value));
      case 'nint': return integer(-1n - BigInt(value));
      case 'bytes': return bytesOf(value);
      case 'text': case 'bool': return value;
      case 'null': return null;
      case 'simple': return valueOf(['x', value]);
      case 'half': case 'single': case 'double': return value === 'nan' ? NaN : floatOf(value);
      case 'startBytes': return Uint8Array.from(all('endBytes', next).flatMap((chunk) => [...chunk]));
      case 'startText': return all('endText', next).join('');
      case 'startArray': return all('endArray', next);
      case 'startMap': {
        const entries = all('endMap', () => [next(), next()]);
        return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : new Map(entries);
      }
      default: return new Tagged(integer(BigInt(value)), next());
    }
  };
  return next();
}

/** The walk does not look into what tags stand on. */
const tags = Object.fromEntries([0, 1, 2, 3, 32, 258].map((tag) => [tag, (value) => new Tagged(tag, value)]));

/** Keys that differ as they are encoded, and are one in a Map. */
const ONE_TO_JAVASCRIPT = ['a20100180100'];

const readerVectors = new URL('../vectors/reader-vectors.json', import.meta.url);

test("the documents of .NET's reader tests", { skip: !existsSync(readerVectors) && 'not there' }, () => {
  const rows = read('reader-vectors.json').filter(({ kind, multipleRoots, final }) => kind === 'walk' && !multipleRoots && final !== false);
  assert.ok(rows.length > 100);
  for (const { hex, mode, maxDepth = 64, expect } of rows) {
    const options = { mode: MODES[mode], maxDepth, tags, replaceInvalidText: mode === 'Lax' };
    const name = `${mode} ${hex}`;
    if (expect.error !== undefined) {
      assert.throws(() => decodeFirst(bytesOf(hex), options), { code: `ERR_CBOR_${expect.error}` }, name);
    } else if (mode === 'Strict' && ONE_TO_JAVASCRIPT.includes(hex)) {
      assert.throws(() => decodeFirst(bytesOf(hex), options), { code: 'ERR_CBOR_DUPLICATE_KEY' }, name);
    } else if (hex !== '') {
      const { value, bytesRead } = decodeFirst(bytesOf(hex), options);
      assert.deepEqual(value, fromTokens(expect.tokens), name);
      assert.equal(hex.length / 2 - bytesRead, expect.remaining, name);
    }
  }
});
