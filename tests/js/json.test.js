// jsonToCbor and cborToJson against JSON.parse, JSON.stringify and encode, and what they refuse.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { CborError, cborToJson, encode, jsonToCbor } from 'wcbor';
import { wasm } from '../../js/instance.js';
import { bytesOf, hexOf } from './calls.js';

const MODES = ['lax', 'strict', 'canonical', 'ctap2', 'deterministic', 'dag-cbor', 'dcbor'];
const RUNS = { numRuns: 400, seed: Number(process.env.FAST_CHECK_SEED ?? 8259) };
const utf8 = (text) => new TextEncoder().encode(text);
const hex = (json, options) => hexOf(jsonToCbor(json, options));
const json = (digits, options) => cborToJson(bytesOf(digits), options);

/** What an error says, without its message. */
function refusal(run) {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof CborError, String(error));
    const { code, offset, line, column, incomplete } = error;
    return { code: code.replace('ERR_CBOR_', ''), offset, line, column, incomplete };
  }
  return assert.fail('nothing is thrown');
}

const samples = new URL('../../demo/samples/', import.meta.url);
const documents = readdirSync(samples).filter((name) => name.endsWith('.json')).map((name) => readFileSync(new URL(name, samples), 'utf8'));

// Names that look like indices change places in an object of JavaScript; JSON.parse drops a name that comes again.
const name = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 60 })).filter((text) => !/^\d+$/.test(text) && text !== '__proto__');
const leaf = fc.oneof(
  fc.string(), fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ unit: 'grapheme', maxLength: 400 }), fc.boolean(), fc.constant(null),
  fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, 2 ** 53, -(2 ** 53), 1.5, 1e22, 123456789012345680000, Number.MAX_VALUE));
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(name, tie('value'), { maxKeys: 40, noNullPrototype: true })),
}));

test('the bytes of encode(JSON.parse(json)), in every mode, from a string and from bytes', () => {
  fc.assert(fc.property(anything, fc.constantFrom(...MODES), fc.constantFrom(0, 1, 4), (value, mode, indent) => {
    // dcbor: encode makes NFC of text, jsonToCbor refuses other text.
    const text = mode === 'dcbor' ? JSON.stringify(value, null, indent).normalize('NFC') : JSON.stringify(value, null, indent);
    let expected;
    try {
      expected = hexOf(encode(JSON.parse(text), { mode }));
    } catch (error) {
      // What the mode refuses it refuses of both.
      assert.equal(refusal(() => jsonToCbor(text, { mode, integers: 'double' })).code, error.code.replace('ERR_CBOR_', ''));
      return;
    }
    assert.equal(hex(text, { mode, integers: 'double' }), expected);
    assert.equal(hex(utf8(text), { mode, integers: 'double' }), expected);
  }), RUNS);
});

test('the text of JSON.stringify, of what encode writes', () => {
  fc.assert(fc.property(anything, fc.integer({ min: 0, max: 10 }), (value, indent) => {
    const clean = JSON.parse(JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/g, '?'));
    const bytes = encode(clean);
    assert.equal(cborToJson(bytes, { indent }), JSON.stringify(clean, null, indent));
    assert.deepEqual(cborToJson(bytes, { output: 'bytes', indent }), utf8(JSON.stringify(clean, null, indent)));
  }), RUNS);
});

test('documents of the demo, both ways', () => {
  for (const text of documents) {
    const value = JSON.parse(text);
    for (const mode of MODES) assert.equal(hex(text, { mode }), hexOf(encode(value, { mode })));
    assert.equal(cborToJson(jsonToCbor(text)), JSON.stringify(value));
  }
});

test('any text is taken or refused as JSON.parse does', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '\\', '\\u00', '\\n', '0', '1', '-', '.5', 'e', 'E+', '01', 'true', 'null', 'fals', ' ', '\n', '\t', '\u00a0', '\ufeff', 'é', '/', "'", '\u0000', '\u001f');
  fc.assert(fc.property(fc.oneof(fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')), fc.string()), (text) => {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      const { code, offset, incomplete } = refusal(() => jsonToCbor(text));
      assert.equal(code, 'INVALID_JSON');
      assert.equal(incomplete, offset === utf8(text).length);
      return;
    }
    const pairs = (text.match(/:/g) ?? []).length;
    if (pairs < 2) assert.equal(hex(text, { integers: 'double' }), hexOf(encode(value)));
    else jsonToCbor(text);
  }), { ...RUNS, numRuns: 4000 });
});

test('numbers: the double of JSON.parse, integers exactly', () => {
  const digits = fc.stringMatching(/^(0|[1-9]\d{0,30})$/);
  const number = fc.tuple(fc.constantFrom('', '-'), digits, fc.option(fc.stringMatching(/^\d{1,30}$/)), fc.option(fc.integer({ min: -400, max: 400 })));
  fc.assert(fc.property(number, ([sign, whole, fraction, exponent]) => {
    const text = sign + whole + (fraction === null ? '' : `.${fraction}`) + (exponent === null ? '' : `e${exponent}`);
    assert.equal(hex(text, { integers: 'double' }), hexOf(encode(JSON.parse(text))), text);
    assert.equal(hex(`[${text},"                                        "]`, { integers: 'double' }), hexOf(encode(JSON.parse(`[${text},"                                        "]`))), text);
    if (fraction !== null || exponent !== null) return;
    const exact = BigInt(sign + whole);
    if (exact === 0n) return;
    assert.equal(hex(text), hexOf(encode(exact)));
    assert.equal(cborToJson(encode(exact), { bignums: 'number' }), String(exact));
  }), { ...RUNS, numRuns: 3000 });
});

test('doubles of any bits, as JavaScript writes them', () => {
  fc.assert(fc.property(fc.array(fc.double({ noNaN: true }), { minLength: 30, maxLength: 30 }), (values) => {
    assert.equal(cborToJson(encode(values)), JSON.stringify(values));
  }), RUNS);
});

test('integers beyond 2^53, and numbers that are integers', () => {
  assert.equal(hex('9007199254740993'), '1b0020000000000001');
  assert.equal(hex('9007199254740993', { integers: 'double' }), 'fa5a000000');
  assert.equal(hex('-18446744073709551617'), 'c349010000000000000000');
  assert.equal(hex('[1.0,1e2,-0,-0.0,0.0,1e21]'), '860118 64f98000f9800000fb444b1ae4d6e2ef50'.replaceAll(' ', ''));
  assert.equal(json('1b0020000000000001'), '9007199254740993');
  assert.equal(json('3bffffffffffffffff'), '-18446744073709551616');
  assert.equal(refusal(() => jsonToCbor('9'.repeat(4097))).code, 'LIMIT_EXCEEDED');
});

test('where a text is wrong: offset in bytes, line and column', () => {
  assert.deepEqual(refusal(() => jsonToCbor('{\n  "é😀": 1,\n  "b": tru }')), { code: 'INVALID_JSON', offset: 27, line: 3, column: 11, incomplete: false });
  assert.deepEqual(refusal(() => jsonToCbor('["é😀" 1]')), { code: 'INVALID_JSON', offset: 10, line: 1, column: 8, incomplete: false });
  assert.deepEqual(refusal(() => jsonToCbor('[1,\n')), { code: 'INVALID_JSON', offset: 4, line: 2, column: 1, incomplete: true });
  assert.deepEqual(refusal(() => jsonToCbor('')), { code: 'INVALID_JSON', offset: 0, line: 1, column: 1, incomplete: true });
  assert.deepEqual(refusal(() => jsonToCbor('\ufeff1')), { code: 'INVALID_JSON', offset: 0, line: 1, column: 1, incomplete: false });
  assert.deepEqual(refusal(() => jsonToCbor('{"a":1,"a":2}', { mode: 'strict' })), { code: 'DUPLICATE_KEY', offset: 7, line: 1, column: 8, incomplete: false });
  assert.deepEqual(refusal(() => jsonToCbor('[[1]]', { maxDepth: 1 })), { code: 'DEPTH_EXCEEDED', offset: 1, line: 1, column: 2, incomplete: false });
});

test('unpaired surrogates and ill-formed UTF-8', () => {
  for (const text of ['"\ud800"', '"\\ud800"', '"\\udc00\\ud800"']) {
    assert.equal(hex(text), hexOf(encode(JSON.parse(text))));
    assert.equal(refusal(() => jsonToCbor(text, { mode: 'strict' })).code, 'INVALID_TEXT');
  }
  assert.equal(hex(Uint8Array.of(0x22, 0xff, 0x22)), '63efbfbd');
  assert.equal(refusal(() => jsonToCbor(Uint8Array.of(0x22, 0xff, 0x22), { mode: 'strict' })).offset, 1);
  for (const mode of ['lax', 'strict']) assert.equal(refusal(() => json('8161ff', { mode })).code, 'INVALID_UTF8');
});

test('dcbor asks for NFC', () => {
  assert.equal(refusal(() => jsonToCbor('"e\\u0301"', { mode: 'dcbor' })).code, 'NOT_NFC');
  assert.equal(refusal(() => json('6365cc81', { mode: 'dcbor' })).code, 'NOT_NFC');
  assert.equal(hex('"\\u00e9"', { mode: 'dcbor' }), '62c3a9');
});

test('what JSON cannot say', () => {
  assert.equal(json('84f97e00f97c00f7f8ff'), '[null,null,null,null]');
  assert.equal(json('834401fffe00d64401fffe00d74401fffe00'), '["Af_-AA","Af/+AA==","01FFFE00"]');
  assert.equal(json('4401fffe00', { bytes: 'hex' }), '"01FFFE00"');
  assert.equal(json('4401fffe00', { bytes: 'base64' }), '"Af/+AA=="');
  assert.equal(refusal(() => json('814101', { bytes: 'error' })).offset, 1);
  assert.equal(json('82c249ffffffffffffffffffc349010000000000000000'), '["____________","~AQAAAAAAAAAA"]');
  assert.equal(json('c349010000000000000000', { bignums: 'string' }), '"-18446744073709551617"');
  assert.equal(refusal(() => json('c349010000000000000000', { bignums: 'error' })).code, 'NOT_IN_JSON');
  assert.equal(refusal(() => json('a10102')).offset, 1);
  assert.equal(json('a301024101f5f5f6', { keys: 'string' }), '{"1":2,"AQ":true,"true":null}');
  assert.equal(refusal(() => json('a20102613103', { keys: 'string' })).code, 'DUPLICATE_KEY');
  assert.equal(json('a20102613103', { keys: 'string', mode: 'lax' }), '{"1":2,"1":3}');
});

test('what is no CBOR of the mode', () => {
  assert.deepEqual(refusal(() => json('0001')), { code: 'TRAILING_BYTES', offset: 1, line: undefined, column: undefined, incomplete: false });
  assert.equal(refusal(() => json('')).code, 'UNEXPECTED_END');
  assert.equal(refusal(() => json('a2616101616102')).code, 'DUPLICATE_KEY');
  assert.equal(json('a2616101616102', { mode: 'lax' }), '{"a":1,"a":2}');
  assert.equal(refusal(() => json('818181', { maxDepth: 2 })).code, 'DEPTH_EXCEEDED');
});

test('limits of bytes, of the input and of the result', () => {
  assert.equal(hex('[11]', { maxBytes: 4 }), '810b');
  assert.equal(refusal(() => jsonToCbor('[111]', { maxBytes: 4 })).code, 'LIMIT_EXCEEDED');
  assert.equal(refusal(() => jsonToCbor('1e11', { maxBytes: 4 })).code, 'LIMIT_EXCEEDED');
  assert.equal(json('81f4', { maxBytes: 7 }), '[false]');
  assert.equal(refusal(() => json('81f4', { maxBytes: 6 })).code, 'LIMIT_EXCEEDED');
  // A result that would be a thousand times the input is given up in time.
  const nested = new Uint8Array(999 + 5 + 200_000);
  nested.fill(0x81, 0, 999).set([0x9a, 0x00, 0x03, 0x0d, 0x40], 999);
  assert.equal(refusal(() => cborToJson(nested, { indent: 10, maxBytes: 1_000_000 })).code, 'LIMIT_EXCEEDED');
});

test('long strings, of one byte, two and three for a unit', () => {
  for (const text of ['a', 'é', '€', '😀', 'a€', '\\n'].map((part) => JSON.stringify(part.repeat(20_000)))) {
    assert.equal(hex(text), hexOf(encode(JSON.parse(text))));
    assert.equal(cborToJson(jsonToCbor(text)), text);
  }
  const mixed = JSON.stringify(Array.from({ length: 300 }, (_, index) => 'aé€😀"\\\n\u0001'.repeat(index % 40)));
  assert.equal(hex(mixed), hexOf(encode(JSON.parse(mixed))));
  assert.equal(cborToJson(jsonToCbor(mixed)), mixed);
});

test('bytes of any kind, and results in memory of their own', () => {
  const text = utf8('[1]');
  const padded = new Uint8Array([0, ...text, 0]);
  assert.equal(hex(padded.subarray(1, 4)), '8101');
  assert.equal(hex(text.buffer), '8101');
  assert.equal(hex(new DataView(padded.buffer, 1, 3)), '8101');
  const first = jsonToCbor('[1]');
  jsonToCbor('[2]');
  assert.equal(hexOf(first), '8101');
  assert.equal(first.buffer.byteLength, 2);
  for (const wrong of [1, {}, null, undefined, [1]]) assert.throws(() => jsonToCbor(wrong), TypeError);
  assert.throws(() => cborToJson('00'), TypeError);
});

test('options are checked', () => {
  assert.throws(() => jsonToCbor('1', { indent: 1 }), TypeError);
  assert.throws(() => jsonToCbor('1', { mode: 'loose' }), RangeError);
  assert.throws(() => jsonToCbor('1', { maxDepth: -1 }), RangeError);
  assert.throws(() => jsonToCbor('1', { maxBytes: 0 }), RangeError);
  assert.throws(() => jsonToCbor('1', null), TypeError);
  assert.throws(() => cborToJson(Uint8Array.of(1), { bytes: 'base16' }), RangeError);
  assert.throws(() => cborToJson(Uint8Array.of(1), { indent: 11 }), RangeError);
  assert.throws(() => cborToJson(Uint8Array.of(1), { integers: 'exact' }), TypeError);
  assert.equal(cborToJson(Uint8Array.of(1), { indent: undefined, maxBytes: Infinity }), '1');
});

test('memory does not grow, whatever fails', () => {
  const run = () => {
    for (let i = 0; i < 500; i++) {
      jsonToCbor(documents[0]);
      cborToJson(jsonToCbor(documents[0], { mode: 'deterministic' }));
      refusal(() => jsonToCbor(documents[0].slice(0, -3)));
      refusal(() => cborToJson(bytesOf('8261ff')));
    }
  };
  run();
  const before = wasm.memory.buffer.byteLength;
  run();
  assert.equal(wasm.memory.buffer.byteLength, before);
});

const corpora = process.env.WCBOR_CORPORA;
const lines = (file) => readFileSync(join(corpora, file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

test('numbers of others', { skip: corpora === undefined && 'WCBOR_CORPORA is not set' }, () => {
  let integers = 0;
  for (const { int, hex: expected } of lines('numbers/integers.jsonl')) {
    if (int === undefined || /^-?0/.test(int)) continue;
    assert.equal(hex(int, { mode: 'deterministic' }), expected, int);
    assert.equal(json(expected, { bignums: 'number' }), int);
    integers++;
  }
  let floats = 0;
  for (const { bits64 } of lines('numbers/shortest_float.jsonl')) {
    const value = new DataView(bytesOf(bits64).buffer).getFloat64(0);
    if (!Number.isFinite(value)) continue;
    const text = JSON.stringify(value);
    assert.equal(cborToJson(encode(value)), text);
    if (value !== 0) assert.equal(hex(text, { integers: 'double' }), hexOf(encode(value)), text);
    floats++;
  }
  assert.ok(integers > 100 && floats > 100);
});
