// Equal options share what was made of them, in any number, and nothing is kept alive by that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Contexts } from '../../js/contexts.js';
import { checkOptions as checkDecodeOptions } from '../../js/decode-options.js';
import { checkOptions as checkEncodeOptions } from '../../js/encode-options.js';
import { decode, Decoder, encode, Encoder, struct, Tagged } from '../../js/index.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** Collects until `isGone`, or gives up. Looking at a WeakRef keeps its target for as long as the job lasts. */
async function collect(isGone) {
  const nextJob = () => new Promise((resolve) => setTimeout(resolve, 2));
  for (let i = 0; i < 50 && !isGone(); i++) {
    await nextJob();
    gc();
    await nextJob();
  }
  return isGone();
}

/** What was used last may stay until something else is used. */
function useOthers() {
  assert.equal(decode(encode(1)), 1);
}

test('equal options of encoders and decoders', () => {
  class A {}
  const encoder = () => 1;
  const equal = [
    [checkEncodeOptions, () => ({ mode: 'strict', maxDepth: 7 })],
    [checkEncodeOptions, () => ({ encoders: [[A, encoder]], keyMap: { a: 1 } })],
    [checkDecodeOptions, () => ({ mode: 'canonical' })],
    [checkDecodeOptions, () => ({ tags: { 5: encoder }, limits: { items: 9 } })],
  ];
  for (const [check, make] of equal) assert.equal(check(make()), check(make()));
  assert.equal(checkEncodeOptions({}), checkEncodeOptions(undefined));
  assert.equal(checkEncodeOptions({ maxDepth: 7, mode: 'strict' }), checkEncodeOptions({ mode: 'strict', maxDepth: 7 }));
});

test('any one difference separates', () => {
  class A {}
  const encoder = () => 1;
  const encoding = [
    {}, { mode: 'strict' }, { mode: 'canonical' }, { maxDepth: 5 }, { maxDepth: 6 }, { ignoreUndefined: true }, { dates: 'text' }, { typedArrays: 'array' },
    { toJSON: true }, { floats: 'double' }, { unsupported: 'skip' }, { sharedReferences: true }, { keyMap: { a: 1 } }, { keyMap: { a: 2 } }, { keyMap: { b: 1 } }, { keyMap: {} },
    { encoders: [[A, encoder]] }, { encoders: [[A, () => 1]] }, { encoders: [[class {}, encoder]] }, { encoders: [[A, encoder], [A, encoder]] },
  ];
  const encodeForms = encoding.map(checkEncodeOptions);
  assert.equal(new Set(encodeForms).size, encoding.length);
  const decoding = [
    {}, { mode: 'lax' }, { mode: 'lax', replaceInvalidText: true }, { maxDepth: 5 }, { maps: 'map' }, { integers: 'number' }, { byteStrings: 'view' }, { codeGeneration: true },
    { tags: { 5: encoder } }, { tags: { 6: encoder } }, { tags: { 5: () => 1 } }, { keyMap: { a: 1 } }, { limits: { items: 9 } }, { limits: { textLength: 9 } },
  ];
  const decodeForms = decoding.map(checkDecodeOptions);
  assert.equal(new Set(decodeForms).size, decoding.length);
});

test('options that change between two uses', () => {
  class A {}
  const encoders = [[A, () => 1]];
  const keyMap = { a: 1 };
  const options = { encoders, keyMap };
  assert.deepEqual([...encode([new A(), { a: 0 }], options)], [0x82, 1, 0xa1, 1, 0]);
  encoders[0] = [A, () => 2];
  keyMap.a = 3;
  assert.deepEqual([...encode([new A(), { a: 0 }], options)], [0x82, 2, 0xa1, 3, 0]);
  const primitive = { mode: 'lax' };
  assert.equal(encode('\ud800', primitive).length, 4);
  primitive.mode = 'strict';
  assert.throws(() => encode('\ud800', primitive), { code: 'ERR_CBOR_INVALID_TEXT' });
});

test('wrong options are wrong each time', () => {
  for (let i = 0; i < 3; i++) {
    assert.throws(() => new Encoder({ mode: 'stirct' }), { code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
    assert.throws(() => new Decoder({ modes: 'strict' }), { code: 'ERR_CBOR_UNKNOWN_OPTION' });
    assert.throws(() => struct({ a: 'intt' }), { code: 'ERR_CBOR_ARGUMENT_TYPE' });
  }
});

test('structs of equal descriptions', () => {
  const describe = () => struct({ a: 'int', b: { type: 'text', maxLength: 4, optional: true }, c: ['bool'] }, { sortKeys: true });
  assert.equal(describe(), describe());
  assert.notEqual(describe(), struct({ a: 'int', b: { type: 'text', maxLength: 5, optional: true }, c: ['bool'] }, { sortKeys: true }));
  assert.notEqual(describe(), struct({ b: { type: 'text', maxLength: 4, optional: true }, a: 'int', c: ['bool'] }, { sortKeys: true }));
  assert.notEqual(struct({ a: { type: 'int', default: 1 } }), struct({ a: { type: 'int', default: 1n } }));
});

test('63, 64, 65, 1,000 and 20,000 options in use, and an equal copy of the last', () => {
  const contexts = new Contexts();
  const live = [];
  for (const count of [63, 64, 65, 1000, 20_000]) {
    while (live.length < count) live.push(contexts.get({ number: live.length }, () => ({})));
    assert.equal(contexts.get({ number: count - 1 }, () => assert.fail('made again')), live[count - 1]);
  }
  assert.equal(new Set(live).size, 20_000);
});

test('what nobody uses is collected, and its entry goes', async () => {
  const contexts = new Contexts();
  let live = Array.from({ length: 500 }, (_, number) => contexts.get({ number }, () => ({ number })));
  const kept = live[7];
  assert.equal(contexts.table.size, 500);
  live = [];
  assert(await collect(() => contexts.table.size === 1), `${contexts.table.size} entries are left`);
  assert.equal(contexts.get({ number: 7 }, () => assert.fail('made again')), kept);
  assert.notEqual(contexts.get({ number: 8 }, () => ({ number: 8 })), undefined);
});

test('a converter that holds much memory is not kept alive', async () => {
  const refs = [];
  (() => {
    const large = new Uint8Array(1 << 20);
    const converter = () => large.length;
    class A {}
    const decoder = (value) => [value, large.length];
    assert.deepEqual([...new Encoder({ encoders: [[A, converter]] }).encode(new A())], [0x1a, 0, 0x10, 0, 0]);
    assert.deepEqual(new Decoder({ tags: { 9: decoder } }).decode(encode(new Tagged(9, 1))), [1, 1 << 20]);
    refs.push(new WeakRef(large), new WeakRef(converter), new WeakRef(decoder));
  })();
  useOthers();
  assert(await collect(() => refs.every((ref) => ref.deref() === undefined)));
});

test('the plan of a struct that nobody uses is given back', async () => {
  let ref;
  (() => {
    const S = struct({ a: 'int', unique: { type: 'int', optional: true, name: 'never again' } });
    assert.deepEqual(S.decode(S.encode({ a: 1 })), { a: 1 });
    ref = new WeakRef(S);
  })();
  useOthers();
  assert(await collect(() => ref.deref() === undefined));
});
