// Diagnostic notation both ways, over the table in tests/vectors/diagnostic-vectors.json, and items encoded again.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { CborError, annotate, canonicalize, diagnose, encode, parseDiagnostic } from 'wcbor';
import { bytesOf, hexOf } from './calls.js';

const vectors = JSON.parse(readFileSync(new URL('../vectors/diagnostic-vectors.json', import.meta.url), 'utf8'));

const parsed = (text, options) => hexOf(parseDiagnostic(text, options));

for (const [name, what] of [['appendixA', 'RFC 8949, appendix A'], ['bytes', 'every form of every item']]) {
  test(`${what}: to text and back`, () => {
    for (const [hex, text] of vectors[name]) {
      assert.equal(diagnose(bytesOf(hex)), text, hex);
      assert.equal(parsed(text), hex, text);
    }
  });
}

for (const [name, what] of [['appendixG', 'RFC 8610, appendix G'], ['texts', 'other ways to write items']]) {
  test(`${what}: from text`, () => {
    for (const [text, hex] of vectors[name]) assert.equal(parsed(text), hex, text);
  });
}

test('text that is not diagnostic notation is refused where it is wrong', () => {
  for (const [text, offset] of vectors.refused) {
    assert.throws(() => parseDiagnostic(text), { name: 'CborError', code: 'ERR_CBOR_INVALID_DIAGNOSTIC', offset }, text);
  }
});

test('every beginning of a text is refused, or an item of its own', () => {
  for (const [text] of [...vectors.appendixG, ...vectors.texts]) {
    for (let end = 0; end < text.length; end++) {
      try {
        parseDiagnostic(text.slice(0, end));
      } catch (error) {
        assert.equal(error.code, 'ERR_CBOR_INVALID_DIAGNOSTIC');
        assert.ok(error.offset <= end);
      }
    }
  }
});

test('bytes that are broken are shown up to the fault, and the fault', () => {
  for (const [hex, text, code, offset] of vectors.faults) {
    assert.equal(diagnose(bytesOf(hex)), text, hex);
    assert.throws(() => diagnose(bytesOf(hex), { strict: true }), { name: 'CborError', code: `ERR_CBOR_${code}`, offset }, hex);
  }
});

test('every beginning of an item has a text, and a fault that is not behind its end', () => {
  for (const [hex, text] of [...vectors.appendixA, ...vectors.bytes]) {
    const bytes = bytesOf(hex);
    assert.equal(diagnose(bytes, { strict: true }), text);
    for (let end = 0; end < bytes.length; end++) {
      assert.match(diagnose(bytes.subarray(0, end)), / \/\)*[\]})]*$/);
      assert.throws(() => diagnose(bytes.subarray(0, end), { strict: true }), ({ code, offset }) => /^ERR_CBOR_(UNEXPECTED_END|LENGTH_EXCEEDS_BUFFER)$/.test(code) && offset <= end);
    }
  }
});

// ------------------------------------------------------------------------------------------------------- options

test('lines: one item on each, indented', () => {
  const bytes = bytesOf('a3616182010261629fa0ff6163d8184101');
  assert.equal(diagnose(bytes, { indent: 2 }), '{\n  "a": [\n    1,\n    2\n  ],\n  "b": [_\n    {}\n  ],\n  "c": 24(h\'01\')\n}');
  assert.equal(diagnose(bytesOf('9f9800ff'), { indent: 1 }), '[_\n [_0 ]\n]');
  assert.equal(diagnose(bytesOf('5f4101ff'), { indent: 3 }), "(_\n   h'01'\n)");
  assert.equal(diagnose(bytesOf('d8188103'), { indent: 2 }), '24([\n  3\n])');
  assert.equal(diagnose(bytesOf('0102'), { indent: 2, sequence: true }), '1,\n2');
  assert.equal(diagnose(bytesOf('8201'), { indent: 2 }), '[\n  / ERR_CBOR_LENGTH_EXCEEDS_BUFFER at 0 /\n  1,\n  / ERR_CBOR_UNEXPECTED_END at 2 /'.replace('[\n  /', '[/'));
  for (const [hex] of [...vectors.appendixA, ...vectors.bytes]) {
    assert.equal(parsed(diagnose(bytesOf(hex), { indent: 4, embedded: true })), hex);
  }
});

test('no line is indented by more than 80 columns', () => {
  const text = diagnose(bytesOf(`${'81'.repeat(600)}80`), { indent: 2 });
  assert.equal(Math.max(...text.split('\n').map((line) => line.length)), 82);
});

test('encoding indicators: everywhere, or nowhere', () => {
  const bytes = bytesOf('8500f93c0018406161d818fb3ff0000000000000');
  assert.equal(diagnose(bytes), '[0, 1.0, 64, "a", 24(1.0_3)]');
  assert.equal(diagnose(bytes, { indicators: 'auto' }), diagnose(bytes));
  assert.equal(diagnose(bytes, { indicators: 'always' }), '[_i 0_i, 1.0_1, 64_0, "a"_i, 24_0(1.0_3)]');
  assert.equal(diagnose(bytes, { indicators: 'never' }), '[0, 1.0, 64, "a", 24(1.0)]');
  assert.equal(diagnose(bytesOf('f97e01'), { indicators: 'never' }), 'NaN');
  assert.equal(diagnose(bytesOf('c249010000000000000000'), { indicators: 'always' }), "2_i(h'010000000000000000'_i)");
  for (const [hex] of [...vectors.appendixA, ...vectors.bytes]) {
    assert.equal(parsed(diagnose(bytesOf(hex), { indicators: 'always' })), hex);
  }
});

test('sequences', () => {
  assert.equal(diagnose(bytesOf('0102820304'), { sequence: true }), '1, 2, [3, 4]');
  assert.equal(diagnose(bytesOf(''), { sequence: true }), '');
  assert.equal(diagnose(bytesOf('01c1'), { sequence: true }), '1, 1(/ ERR_CBOR_TAG_WITHOUT_VALUE at 2 /');
  assert.equal(parsed('1, 2, [3, 4]', { sequence: true }), '0102820304');
  assert.equal(parsed('1 2,', { sequence: true }), '0102');
  assert.equal(parsed(' # nothing', { sequence: true }), '');
  assert.throws(() => parseDiagnostic('1, 2'), { code: 'ERR_CBOR_INVALID_DIAGNOSTIC', offset: 1 });
});

test('embedded items are shown where a tag says that there are some, and they are well-formed', () => {
  const shown = (hex) => diagnose(bytesOf(hex), { embedded: true });
  const rows = [
    ['d81843820102', '24(<<[1, 2]>>)'], ['d83f420102', '63(<<1, 2>>)'], ['d83f40', '63(<<>>)'], ['d818420102', "24(h'0102')"],
    ['d81840', "24(h'')"], ['d8184182', "24(h'82')"], ['d8185803820102', "24(h'820102'_0)"], ['43820102', "h'820102'"],
    ['d81844d8184100', '24(<<24(<<0>>)>>)'], ['d81844d8184118', "24(<<24(h'18')>>)"], ['82d818410102', '[24(<<1>>), 2]'],
    ['c1d8184100', '1(24(<<0>>))'], ['d8185f4100ff', "24((_ h'00'))"],
    ['d83f5f4100ff', "63((_ h'00'))"], ['d83f5fff', "63(''_)"],
  ];
  for (const [hex, text] of rows) {
    assert.equal(shown(hex), text);
    assert.equal(parsed(text), hex);
  }
  assert.equal(diagnose(bytesOf('d81843820102')), "24(h'820102')");
});

test('annotate goes into no chunked string, and its items end where the bytes do', () => {
  for (const hex of ['d83f5f4100ff', 'd8185f4100ff', 'd83f5fff', '82da0000003f5f4167ff01']) {
    const bytes = bytesOf(hex);
    const { items, fault } = annotate(bytes, { embedded: true });
    assert.equal(fault, undefined);
    assert.equal(items[0].length, bytes.length);
    assert.deepEqual(items, annotate(bytes).items);
  }
});

test('depth is limited, also of embedded items', () => {
  const nested = (depth) => bytesOf(`${'81'.repeat(depth)}00`);
  assert.match(diagnose(nested(1001)), /\/ ERR_CBOR_DEPTH_EXCEEDED at 1000 \/$/);
  assert.equal(diagnose(nested(1000)).length, 2001);
  assert.equal(diagnose(nested(3), { maxDepth: 2 }), '[[/ ERR_CBOR_DEPTH_EXCEEDED at 2 /');
  assert.equal(diagnose(bytesOf('d81843820102'), { embedded: true, maxDepth: 1 }), "24(h'820102')");
  assert.throws(() => parseDiagnostic('['.repeat(1001)), { code: 'ERR_CBOR_DEPTH_EXCEEDED', offset: 1001 });
  assert.equal(parseDiagnostic(`${'['.repeat(1000)}${']'.repeat(1000)}`).length, 1000);
  assert.equal(parseDiagnostic(`${'1('.repeat(5000)}0${')'.repeat(5000)}`).length, 5001);
  assert.throws(() => parseDiagnostic('[[0]]', { maxDepth: 1 }), { code: 'ERR_CBOR_DEPTH_EXCEEDED', offset: 2 });
});

test('faults of text have a line and a column', () => {
  assert.throws(() => parseDiagnostic('[1,\n  "\u{1f4a9}\u00e9" x]'), { line: 2, column: 9, offset: 12, message: /line 2, column 9$/ });
  assert.throws(() => parseDiagnostic('["a", \ud800]'), { code: 'ERR_CBOR_INVALID_DIAGNOSTIC', line: 1, column: 7, offset: 6 });
  assert.throws(() => parseDiagnostic('"\udc00"'), { code: 'ERR_CBOR_INVALID_DIAGNOSTIC', offset: 1 });
});

test('wrong arguments', () => {
  for (const call of [diagnose, canonicalize]) {
    assert.throws(() => call(undefined), { name: 'TypeError', code: 'ERR_CBOR_NULL_ARGUMENT' });
    assert.throws(() => call('00'), { name: 'TypeError', code: 'ERR_CBOR_ARGUMENT_TYPE' });
  }
  assert.throws(() => parseDiagnostic(bytesOf('30')), { name: 'TypeError', code: 'ERR_CBOR_ARGUMENT_TYPE' });
  for (const [call, options, expected] of [
    [diagnose, { mode: 'lax' }, { name: 'TypeError', code: 'ERR_CBOR_UNKNOWN_OPTION' }],
    [diagnose, null, { name: 'TypeError', code: 'ERR_CBOR_ARGUMENT_TYPE' }],
    [diagnose, { indent: '2' }, { name: 'TypeError', code: 'ERR_CBOR_ARGUMENT_TYPE' }],
    [diagnose, { indent: 17 }, { name: 'RangeError', code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' }],
    [diagnose, { indicators: 'some' }, { name: 'RangeError', code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' }],
    [diagnose, { sequence: 1 }, { name: 'TypeError', code: 'ERR_CBOR_ARGUMENT_TYPE' }],
    [diagnose, { maxDepth: -1 }, { name: 'RangeError', code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' }],
    [canonicalize, { mode: 'odd' }, { name: 'RangeError', code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' }],
    [canonicalize, { indent: 1 }, { name: 'TypeError', code: 'ERR_CBOR_UNKNOWN_OPTION' }],
  ]) {
    assert.throws(() => call(bytesOf('00'), options), expected);
  }
  assert.equal(diagnose(bytesOf('00'), { indent: undefined }), '0');
});

test('any view of bytes', () => {
  const { buffer } = bytesOf('ff820102ff');
  assert.equal(diagnose(new Uint8Array(buffer, 1, 3)), '[1, 2]');
  assert.equal(diagnose(new DataView(buffer, 1, 3)), '[1, 2]');
  assert.equal(diagnose(bytesOf('820102').buffer), '[1, 2]');
});

// -------------------------------------------------------------------------------------------------- encoded again

test('canonicalize: into the form of each mode', () => {
  const again = (text, mode) => {
    try {
      return diagnose(canonicalize(parseDiagnostic(text), { mode }));
    } catch (error) {
      return error.code;
    }
  };
  const messy = '{_ "bb": 1_3, "a": [_ 1.5_3, 2.0_2], -1: (_ "x", "y"), 10: "e\\u0301"}';
  const rows = [
    [messy, 'lax', '{_ "bb": 1, "a": [_ 1.5, 2.0], -1: (_ "x", "y"), 10: "e\u0301"}'],
    [messy, 'canonical', '{10: "e\u0301", -1: "xy", "a": [1.5, 2.0], "bb": 1}'],
    [messy, 'ctap2', '{10: "e\u0301", -1: "xy", "a": [1.5_3, 2.0_2], "bb": 1}'],
    [messy, 'deterministic', '{10: "e\u0301", -1: "xy", "a": [1.5, 2.0], "bb": 1}'],
    [messy, 'dcbor', '{10: "\u00e9", -1: "xy", "a": [1.5, 2], "bb": 1}'],
    [messy, 'dag-cbor', 'ERR_CBOR_KEY_TYPE_NOT_ALLOWED'],
    ['{"bb": 1.5, "a": 2}', 'dag-cbor', '{"a": 2, "bb": 1.5_3}'],
    ['{"a": 1, "a": 2}', 'deterministic', 'ERR_CBOR_DUPLICATE_KEY'],
    ['{"\\u00e9": 1, "e\\u0301": 2}', 'dcbor', 'ERR_CBOR_DUPLICATE_KEY'],
    ['{"e\\u0301": 1, "z": 2}', 'dcbor', '{"z": 2, "\u00e9": 1}'],
    ["2(h'0001')", 'deterministic', '1'],
    ["3((_ h'00', h'ff'))", 'deterministic', '-256'],
    ["2((_ h'01', h'0000000000000000'))", 'deterministic', '18446744073709551616'],
    ["55799(3(h''))", 'deterministic', '55799(-1)'],
    ["2(1)", 'lax', '2(1)'],
    ['1(0)', 'ctap2', 'ERR_CBOR_TAGS_NOT_ALLOWED'],
    ['NaN_3', 'deterministic', 'NaN'],
    ['Infinity', 'dag-cbor', 'ERR_CBOR_FLOAT_NOT_ALLOWED'],
    ["42((_ h'00', h'015512200000000000000000000000000000000000000000000000000000000000000000'))", 'dag-cbor', "42(h'00015512200000000000000000000000000000000000000000000000000000000000000000')"],
    ["42(h'01')", 'dag-cbor', 'ERR_CBOR_INVALID_CID'],
    ['undefined', 'dcbor', 'ERR_CBOR_SIMPLE_NOT_ALLOWED'],
    ['simple(99)', 'deterministic', 'simple(99)'],
  ];
  for (const [text, mode, expected] of rows) assert.equal(again(text, mode), expected, `${mode}: ${text}`);
  assert.equal(hexOf(canonicalize(bytesOf('bf6162016161020000ff'))), 'a3000061610261' + '6201');
});

test('canonicalize: faults, sequences, results of their own', () => {
  assert.throws(() => canonicalize(bytesOf('820119')), { name: 'CborError', code: 'ERR_CBOR_UNEXPECTED_END', offset: 2 });
  assert.throws(() => canonicalize(bytesOf('0102')), { code: 'ERR_CBOR_TRAILING_BYTES', offset: 1 });
  assert.throws(() => canonicalize(bytesOf('820161ff')), { code: 'ERR_CBOR_INVALID_TEXT', offset: 2 });
  assert.throws(() => canonicalize(bytesOf('8301c16101f6'), { mode: 'ctap2' }), { code: 'ERR_CBOR_TAGS_NOT_ALLOWED', offset: 2 });
  assert.throws(() => canonicalize(bytesOf('818100'), { maxDepth: 1 }), { code: 'ERR_CBOR_DEPTH_EXCEEDED', offset: 1 });
  assert.equal(hexOf(canonicalize(bytesOf('180118029fff'), { sequence: true })), '010280');
  assert.equal(hexOf(canonicalize(bytesOf(''), { sequence: true })), '');
  assert.throws(() => canonicalize(bytesOf('01'), { sequence: true, mode: 'dag-cbor' }), { code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
  const first = canonicalize(bytesOf('1801'));
  canonicalize(bytesOf('1802'));
  assert.equal(hexOf(first), '01');
});

test('parseDiagnostic in a mode', () => {
  assert.equal(parsed('{_ "b": 1_2, "a": 1.5_3}', { mode: 'deterministic' }), 'a26161f93e00616201');
  assert.equal(parsed('{"b": 1_2}', { mode: 'lax' }), 'a1616201');
  assert.throws(() => parseDiagnostic('{1: 2, 1: 3}', { mode: 'strict' }), { code: 'ERR_CBOR_DUPLICATE_KEY', offset: 3 });
  assert.throws(() => parseDiagnostic('1', { mode: 'odd' }), { name: 'RangeError' });
});

// --------------------------------------------------------------------------------------------------- any bytes

test('any bytes have a text, and well-formed ones come back from it', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), fc.boolean(), fc.constantFrom(0, 2), (bytes, embedded, indent) => {
    const text = diagnose(bytes, { embedded, indent });
    let fault;
    try {
      diagnose(bytes, { embedded, indent, strict: true });
    } catch (error) {
      assert.ok(error instanceof CborError && error.offset <= bytes.length);
      fault = error;
    }
    if (fault === undefined) assert.equal(hexOf(parseDiagnostic(text)), hexOf(bytes));
  }), { numRuns: 3000 });
});

test('any value: what encode writes comes back from its text', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.double(), fc.integer(), fc.bigInt(), fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null),
      fc.uint8Array({ maxLength: 9 }), fc.array(tie('value'), { maxLength: 5 }), fc.dictionary(fc.string(), tie('value'), { maxKeys: 5 })),
  })).value;
  fc.assert(fc.property(value, fc.constantFrom('auto', 'always'), (any, indicators) => {
    const bytes = encode(any);
    assert.equal(hexOf(parseDiagnostic(diagnose(bytes, { indicators, indent: 1 }))), hexOf(bytes));
  }), { numRuns: 1000 });
});

test('hostile bytes and texts take a bounded time', () => {
  const start = performance.now();
  const many = new Uint8Array(2 ** 18);
  for (const byte of [0x00, 0x81, 0xc1, 0x9f, 0x5f, 0xff, 0x7b, 0xf9]) diagnose(many.fill(byte), { sequence: true, indent: 8, maxDepth: 2 ** 31 - 1 });
  for (const part of ['[', '1(', '"', '/', '0x', '9', '<<', "h'", '1e', '{', ', ', '(_ ', '\\u{', '0x0p99999 ', '0x1p999 ']) {
    try {
      parseDiagnostic(part.repeat(2 ** 18 / part.length), { sequence: true, maxDepth: 2 ** 31 - 1 });
    } catch (error) {
      assert.equal(error.code, 'ERR_CBOR_INVALID_DIAGNOSTIC', part);
    }
  }
  // One bignum of 255 bytes after the other, and strings of items that hold strings of items.
  diagnose(bytesOf(`c258ff${'ff'.repeat(255)}`.repeat(1000)), { sequence: true });
  let nested = bytesOf('00');
  for (let i = 0; i < 300; i++) nested = parseDiagnostic(`24(h'${hexOf(nested)}')`);
  assert.match(diagnose(nested, { embedded: true }), /^(24\(<<){300}0(>>\)){300}$/);
  assert.ok(performance.now() - start < 60000);
});

// ---------------------------------------------------------------------------------------------------- corpora

/** Rows of others that speak of more than the two RFCs; each kind with the reason why wcbor differs. */
const BEYOND = [
  ['application-oriented literals of later drafts', (text) => /\b(ip|IP|dt|DT|same|float)(['`]|<<)/.test(text)],
  ['raw strings of later drafts', (text) => text.includes('`')],
  ['elisions of later drafts', (text) => text.includes('...')],
  ["JSON's numbers begin with a digit", (text) => /^\./.test(text)],
];

const folder = process.env.WCBOR_CORPORA && join(process.env.WCBOR_CORPORA, 'edn');
if (folder) {
  const rows = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)));
  const outcome = (text) => {
    try {
      return parsed(text);
    } catch (error) {
      return error.code;
    }
  };

  test('texts of others', (t) => {
    const reasons = {}, unexplained = [];
    let agree = 0;
    for (const { id, op, edn, edn2, hex } of rows) {
      if (op === undefined) continue;
      const first = outcome(edn);
      const isError = first.startsWith('ERR_');
      const holds = op === 'x' ? first === hex : op === '=' ? !isError && first === outcome(edn2) : isError || (edn2 !== undefined && first !== outcome(edn2));
      const reason = BEYOND.find(([, applies]) => applies(edn) || applies(edn2 ?? ''))?.[0];
      if (holds) agree++;
      else if (reason === undefined) unexplained.push(`${id}: ${edn} gives ${first}`);
      else reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    t.diagnostic(`${agree} rows agree`);
    for (const [reason, count] of Object.entries(reasons)) t.diagnostic(`${count} rows differ: ${reason}`);
    assert.deepEqual(unexplained, []);
  });

  test('texts of others, from bytes', (t) => {
    // Other words for the same: exponents without a fraction, indicators of simple values, which have none, and NaNs.
    const same = (text) => text.replace(/simple\((\d+)_[i0]\)/, 'simple($1)').replace(/^(-?\d)\.0e/, '$1e').replace(/^float'.*'$/, 'NaN_3').replace(/^256_1\(1_i\)$/, '256_1(1)');
    let agree = 0;
    for (const { id, diagHildjj, hex } of rows) {
      if (diagHildjj === undefined || hex === undefined) continue;
      const texts = ['auto', 'always'].map((indicators) => same(diagnose(bytesOf(hex), { indicators })));
      assert.ok(texts.includes(same(diagHildjj)), `${id}: ${texts[0]}, not ${diagHildjj}`);
      agree++;
    }
    t.diagnostic(`${agree} rows agree`);
  });
}
