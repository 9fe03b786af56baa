// struct(): descriptions, and what they write.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decode as decodeElsewhere } from 'cborg';
import { encode, EncodedCbor, struct } from '../../js/index.js';
import { benchValues } from './cbor-gen-types.js';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytes = (text) => Uint8Array.from(Buffer.from(text, 'hex'));

/** What one field of a type writes, without the map around it. */
const written = (type, value) => hex(struct({ a: type }).encode({ a: value })).replace(/^a16161/, '');
const failure = (type, value, code, path = '$.a') =>
  assert.throws(() => struct({ a: type }).encode({ a: value }), { code: `ERR_CBOR_${code}`, path });

describe('types', () => {
  test('int and uint', () => {
    for (const [value, expected] of [[0, '00'], [-0, '00'], [23, '17'], [24, '1818'], [-1, '20'], [2 ** 40, '1b0000010000000000'], [Number.MAX_SAFE_INTEGER, '1b001fffffffffffff']]) {
      assert.equal(written('int', value), expected);
      if (value >= 0) assert.equal(written('uint', value), expected);
    }
    assert.equal(written('int', 5n), '05');
    assert.equal(written('int', -(2n ** 63n)), '3b7fffffffffffffff');
    assert.equal(written('int', 2n ** 63n - 1n), '1b7fffffffffffffff');
    assert.equal(written('uint', 2n ** 64n - 1n), '1bffffffffffffffff');
    for (const value of [1.5, NaN, Infinity, '1', null, undefined, true, {}]) failure('int', value, 'TYPE_MISMATCH');
    for (const value of [2 ** 53, 2n ** 63n, -(2n ** 63n) - 1n]) failure('int', value, 'VALUE_OUT_OF_RANGE');
    for (const value of [-1, -1n, 2n ** 64n]) failure('uint', value, 'VALUE_OUT_OF_RANGE');
  });

  test('float is a float, whatever its value', () => {
    for (const [value, expected] of [[1, 'f93c00'], [-0, 'f98000'], [1.1, 'fb3ff199999999999a'], [NaN, 'f97e00'], [2 ** 53, 'fa5a000000']]) {
      assert.equal(written('float', value), expected);
    }
    failure('float', 1n, 'TYPE_MISMATCH');
    failure('float', '1', 'TYPE_MISMATCH');
  });

  test('bool, text, bytes', () => {
    assert.equal(written('bool', true), 'f5');
    assert.equal(written('bool', false), 'f4');
    failure('bool', 1, 'TYPE_MISMATCH');
    assert.equal(written('text', 'é'), '62c3a9');
    assert.equal(written('text', ''), '60');
    failure('text', 1, 'TYPE_MISMATCH');
    failure('text', new String('a'), 'TYPE_MISMATCH');
    assert.equal(written('bytes', Uint8Array.of(1, 2)), '420102');
    assert.equal(written('bytes', Uint8Array.of(0, 1, 2).buffer), '43000102');
    assert.throws(() => struct({ a: 'bytes' }).encode({ a: [1] }), { name: 'TypeError', code: 'ERR_CBOR_ARGUMENT_TYPE' });
  });

  test('bigint, date, cid, any, deferred', () => {
    assert.equal(written('bigint', 1n), '01');
    assert.equal(written('bigint', 2n ** 64n), 'c249010000000000000000');
    assert.equal(written('bigint', 7), '07');
    failure('bigint', 1.5, 'TYPE_MISMATCH');
    assert.equal(written('date', new Date(1363896240000)), 'c11a514b67b0');
    assert.equal(written('date', new Date(1500)), 'c1f93e00');
    failure('date', new Date(NaN), 'NOT_FINITE');
    failure('date', 0, 'TYPE_MISMATCH');
    assert.equal(written('cid', bytes('01550000')), 'd82a450001550000');
    failure('cid', bytes('02'), 'INVALID_CID');
    assert.equal(written('any', { x: [1, null] }), 'a1617882 01f6'.replace(' ', ''));
    assert.equal(written('deferred', new EncodedCbor(bytes('8101'))), '8101');
    assert.equal(written('deferred', bytes('f6')), 'f6');
    failure('deferred', bytes('81'), 'INVALID_ENCODED_VALUE');
  });

  test('arrays and maps', () => {
    assert.equal(written(['uint'], [1, 2, 300]), '83010219012c');
    assert.equal(written(['uint'], []), '80');
    assert.equal(written(['int'], [1n, -1]), '820120');
    assert.equal(written(['text'], ['a', 'é']), '82616162c3a9');
    assert.equal(written([['bool']], [[true], []]), '8281f580');
    failure(['uint'], [1, -1], 'VALUE_OUT_OF_RANGE', '$.a[1]');
    failure(['uint'], [1, , 2], 'TYPE_MISMATCH', '$.a[1]');
    failure(['text'], 'a', 'TYPE_MISMATCH');
    const map = { type: 'map', values: 'uint' };
    assert.equal(written(map, { b: 1, a: 2 }), 'a2616201616102');
    assert.equal(written(map, new Map([['x', 1]])), 'a1617801');
    failure(map, { x: 'y' }, 'TYPE_MISMATCH', '$.a.x');
    assert.equal(written({ type: 'map', keys: 'int', values: 'text' }, new Map([[-1, 'a']])), 'a1206161');
    failure({ type: 'map', keys: 'int', values: 'text' }, {}, 'TYPE_MISMATCH');
    assert.equal(written({ type: 'map', keys: 'bytes', values: 'bool' }, new Map([[Uint8Array.of(1), true]])), 'a14101f5');
  });

  test('lengths', () => {
    assert.equal(written({ type: 'text', maxLength: 2 }, 'é'), '62c3a9');
    failure({ type: 'text', maxLength: 2 }, 'éa', 'LIMIT_EXCEEDED');
    failure({ type: 'text', length: 2 }, 'a', 'LIMIT_EXCEEDED');
    failure({ type: 'bytes', maxLength: 1 }, Uint8Array.of(1, 2), 'LIMIT_EXCEEDED');
    failure({ type: 'array', items: 'uint', length: 3 }, [1, 2], 'LIMIT_EXCEEDED');
    failure({ type: 'map', values: 'uint', maxLength: 1 }, { a: 1, b: 2 }, 'LIMIT_EXCEEDED');
    failure({ type: 'bigint', maxLength: 8 }, 2n ** 64n, 'LIMIT_EXCEEDED');
    failure({ type: 'deferred', maxLength: 1 }, bytes('8101'), 'LIMIT_EXCEEDED');
  });

  test('null, where it may be', () => {
    assert.equal(written({ type: 'uint', nullable: true }, null), 'f6');
    assert.equal(written([{ type: 'text', nullable: true }], ['a', null]), '826161f6');
    failure('uint', null, 'TYPE_MISMATCH');
    failure(['text'], ['a', null], 'TYPE_MISMATCH', '$.a[1]');
  });
});

describe('maps', () => {
  const Point = struct({ x: 'int', y: 'int' });

  test('fields in their order, whatever that of the properties; other properties are not looked at', () => {
    for (let i = 0; i < 4; i++) {
      assert.equal(hex(Point.encode({ x: 1, y: 2 })), 'a2617801617902');
      assert.equal(hex(Point.encode({ y: 2, x: 1 })), 'a2617801617902');
      assert.equal(hex(Point.encode({ z: 0, x: 1, y: 2 })), 'a2617801617902');
      assert.equal(hex(Point.encode({ x: 1, get y() { return 2; }, w: 1 })), 'a2617801617902');
      assert.equal(hex(Point.encode(Object.create({ x: 1, y: 2 }))), 'a2617801617902');
    }
  });

  test('a field that is not there', () => {
    assert.throws(() => Point.encode({ x: 1 }), { code: 'ERR_CBOR_MISSING_FIELD', path: '$.y' });
    assert.throws(() => Point.encode({ x: 1, y: undefined }), { code: 'ERR_CBOR_TYPE_MISMATCH', path: '$.y' });
    assert.throws(() => Point.encode(undefined), { code: 'ERR_CBOR_TYPE_MISMATCH', path: '$' });
  });

  test('optional fields and defaults, in every combination', () => {
    const S = struct({ a: { type: 'int', optional: true }, b: { type: 'int', default: 7 }, c: { type: 'int', optional: true }, d: 'int' });
    for (let round = 0; round < 3; round++) {
      for (let mask = 0; mask < 8; mask++) {
        const value = { ...(mask & 1 && { a: 1 }), ...(mask & 2 && { b: 2 }), ...(mask & 4 && { c: 3 }), d: 4 };
        const expected = encode({ ...(mask & 1 && { a: 1 }), b: mask & 2 ? 2 : 7, ...(mask & 4 && { c: 3 }), d: 4 });
        assert.equal(hex(S.encode(value)), hex(expected));
      }
    }
  });

  test('40 optional fields, more than a mask has bits', () => {
    const names = Array.from({ length: 40 }, (_, i) => `field${i}`);
    const S = struct(Object.fromEntries(names.map((name) => [name, { type: 'uint', optional: true }])));
    const all = Object.fromEntries(names.map((name, i) => [name, i]));
    assert.deepEqual(decodeElsewhere(S.encode(all)), all);
    const { field3, field35, ...rest } = all;
    assert.deepEqual(decodeElsewhere(S.encode(rest)), rest);
    assert.deepEqual(decodeElsewhere(S.encode({ field35 })), { field35 });
  });

  test('names, naming policies and integer keys', () => {
    const fields = { userName: 'uint', HTTPStatus: 'uint', id: { type: 'uint', name: 'ID' } };
    const keys = (naming) => Object.keys(decodeElsewhere(struct(fields, { naming }).encode({ userName: 1, HTTPStatus: 2, id: 3 })));
    assert.deepEqual(keys('none'), ['userName', 'HTTPStatus', 'ID']);
    assert.deepEqual(keys('camel'), ['userName', 'httpStatus', 'ID']);
    assert.deepEqual(keys('snake'), ['user_name', 'http_status', 'ID']);
    assert.deepEqual(keys('kebab'), ['user-name', 'http-status', 'ID']);
    assert.deepEqual(keys('upper'), ['USERNAME', 'HTTPSTATUS', 'ID']);
    const Header = struct({ alg: { type: 'int', name: 1 }, kid: { type: 'bytes', name: 4, optional: true }, x: { type: 'int', name: -70000 } });
    assert.equal(hex(Header.encode({ alg: -7, x: 1 })), 'a201263a0001116f01');
    assert.equal(hex(Header.encode({ alg: -7, kid: Uint8Array.of(1), x: 1 })), 'a301260441013a0001116f01');
  });

  test('sorted keys', () => {
    const fields = { zz: 'uint', b: 'uint', a: 'uint', n: { type: 'uint', name: 10 }, m: { type: 'uint', name: -1 } };
    const value = { zz: 1, b: 2, a: 3, n: 4, m: 5 };
    assert.equal(hex(struct(fields, { sortKeys: true }).encode(value)), 'a50a042005616103616202627a7a01');
    for (const mode of ['canonical', 'ctap2', 'deterministic']) {
      const expected = encode(new Map([['zz', 1], ['b', 2], ['a', 3], [10, 4], [-1, 5]]), { mode });
      assert.equal(hex(struct(fields, { mode }).encode(value)), hex(expected), mode);
    }
    const texts = { zz: 'uint', b: 'uint', é: 'uint' };
    assert.equal(hex(struct(texts, { mode: 'dag-cbor' }).encode({ zz: 1, b: 2, é: 3 })), hex(encode({ zz: 1, b: 2, é: 3 }, { mode: 'dag-cbor' })));
    const Dictionary = struct({ a: { type: 'map', values: 'uint' } }, { sortKeys: true });
    assert.equal(hex(Dictionary.encode({ a: { bb: 1, c: 2 } })), 'a16161a261630262626201');
  });

  test('keys that no shape takes', () => {
    const long = 'k'.repeat(100);
    const S = struct({ [long]: 'uint', toCBOR: 'uint', __proto__: null, constructor: 'text' });
    const value = JSON.parse(`{"${long}":1,"toCBOR":2,"constructor":"x"}`);
    for (let i = 0; i < 3; i++) assert.equal(hex(S.encode(value)), `a37864${'6b'.repeat(100)}01${hex(encode('toCBOR'))}02${hex(encode('constructor'))}6178`);
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, i]));
    const Wide = struct(Object.fromEntries(Object.keys(wide).map((name) => [name, 'uint'])));
    for (let i = 0; i < 3; i++) assert.equal(hex(Wide.encode(wide)), hex(encode(wide)));
  });

  test('properties that no field has, kept', () => {
    const S = struct({ a: 'uint' }, { unknown: 'keep' });
    assert.equal(hex(S.encode({ b: 'x', a: 1, c: undefined })), 'a2616101616261 78'.replace(' ', ''));
    assert.throws(() => S.encode({ a: 1, b: { c: () => 1 } }), { code: 'ERR_CBOR_UNSUPPORTED_VALUE', path: '$.b.c' });
    for (const mode of ['lax', 'strict']) {
      const Renamed = struct({ userId: 'uint' }, { naming: 'snake', unknown: 'keep', mode });
      assert.throws(() => Renamed.encode({ userId: 1, user_id: 2 }), { code: 'ERR_CBOR_DUPLICATE_KEY', path: '$.user_id' });
      assert.equal(hex(Renamed.encode({ userId: 1 })), 'a167757365725f696401');
    }
  });

  test('each item of an array is read once', () => {
    for (const [type, item, encoded] of [['int', 1, '01'], ['uint', 1, '01'], ['text', 'a', '6161'], ['float', 1, 'f93c00']]) {
      const items = new Array(20).fill(item);
      let count = 0;
      Object.defineProperty(items, 3, { get: () => (count++ === 0 ? item : {}) });
      assert.equal(hex(struct({ a: [type] }).encode({ a: items })), `a1616194${encoded.repeat(20)}`, type);
      const broken = Object.defineProperty(new Array(20).fill(item), 5, { get() { throw new Error('no'); } });
      assert.throws(() => struct({ a: [type] }).encode({ a: broken }), { message: 'no' });
      const odd = Object.assign(new Array(20).fill(item), { 7: null });
      assert.throws(() => struct({ a: [type] }).encode({ a: odd }), { code: 'ERR_CBOR_TYPE_MISMATCH', path: '$.a[7]' });
    }
  });
});

describe('tuples', () => {
  const T = struct({ a: 'uint', b: { type: 'text', optional: true }, c: { type: 'uint', optional: true } }, { representation: 'tuple' });
  test('with absent fields at the end', () => {
    assert.equal(hex(T.encode({ a: 1 })), '8101');
    assert.equal(hex(T.encode({ a: 1, b: 'x' })), '82016178');
    assert.equal(hex(T.encode({ a: 1, b: 'x', c: 2 })), '8301617802');
    assert.throws(() => T.encode({ a: 1, c: 2 }), { code: 'ERR_CBOR_MISSING_FIELD', path: '$.b' });
  });
  test('only fields at the end may be optional', () => {
    assert.throws(() => struct({ a: { type: 'uint', optional: true }, b: 'uint' }, { representation: 'tuple' }), { code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
  });
  test('options of keys are refused, but for the keys of maps in it', () => {
    for (const option of [{ naming: 'snake' }, { caseInsensitive: true }, { unknown: 'keep' }]) {
      assert.throws(() => struct({ a: 'uint' }, { representation: 'tuple', ...option }), { code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
    }
    const M = struct({ a: { type: 'map', values: 'uint' } }, { representation: 'tuple', sortKeys: true });
    assert.equal(hex(M.encode({ a: { b: 1, a: 2 } })), '81a2616102616201');
  });
});

describe('structs in structs', () => {
  const Node = struct({ value: 'int', children: [() => Node] });
  test('a function that returns functions for ever is refused', () => {
    const endless = () => endless;
    assert.throws(() => struct({ a: endless }).encode({ a: 1 }), { name: 'TypeError', code: 'ERR_CBOR_ARGUMENT_TYPE' });
    assert.throws(() => struct({ a: endless }).decode(Uint8Array.of(0xa1, 0x61, 0x61, 1)), { name: 'TypeError', code: 'ERR_CBOR_ARGUMENT_TYPE' });
  });
  test('recursion', () => {
    assert.equal(hex(Node.encode({ value: 1, children: [{ value: 2, children: [] }] })), hex(encode({ value: 1, children: [{ value: 2, children: [] }] })));
    let deep = { value: 0, children: [] };
    for (let i = 0; i < 600; i++) deep = { value: i, children: [deep] };
    assert.throws(() => Node.encode(deep), (error) => error.code === 'ERR_CBOR_DEPTH_EXCEEDED' && error.path.startsWith('$.children[0].children[0]'));
    const cyclic = { value: 1, children: [] };
    cyclic.children.push(cyclic);
    assert.throws(() => Node.encode(cyclic), { code: 'ERR_CBOR_DEPTH_EXCEEDED' });
    assert.equal(hex(Node.encode({ value: 3, children: [] })), hex(encode({ value: 3, children: [] })));
  });

  test('a getter that encodes with the same struct, and one that throws', () => {
    const inner = { value: 5, children: [] };
    const outer = { value: 1, get children() { return [JSON.parse(JSON.stringify(inner, (key, value) => (hex(Node.encode(inner)), value)))]; } };
    assert.equal(hex(Node.encode(outer)), hex(encode({ value: 1, children: [inner] })));
    const Optional = struct({ a: { type: 'text', optional: true }, b: 'text' });
    assert.throws(() => Optional.encode({ a: 'x', get b() { throw new RangeError('mine'); } }), { name: 'RangeError', message: 'mine' });
    assert.equal(hex(Optional.encode({ a: 'x', b: 'y' })), 'a2616161786162 6179'.replace(' ', ''));
  });
});

test('generated code writes and reads the same', () => {
  const fields = { a: 'uint', 'b"\\': 'text', c: [{ type: 'bool', nullable: true }], d: { type: 'int', optional: true }, ['__proto__']: 'int' };
  const value = JSON.parse('{"a":1,"b\\"\\\\":"x","c":[true,null],"__proto__":5}');
  const { d, ...required } = fields;
  for (const described of [fields, required]) {
    const [plain, generated] = [false, true].map((codeGeneration) => struct(described, { codeGeneration }));
    for (let i = 0; i < 3; i++) {
      assert.equal(hex(generated.encode(value)), hex(plain.encode(value)));
      assert.deepEqual(generated.decode(generated.encode(value)), value);
    }
    assert.throws(() => generated.encode({ ...value, a: 'x' }), { code: 'ERR_CBOR_TYPE_MISMATCH', path: '$.a' });
    assert.throws(() => generated.encode({ a: 1 }), { code: 'ERR_CBOR_MISSING_FIELD' });
  }
});

test('encodeInto, and is', () => {
  const S = struct({ a: 'uint' });
  const target = new Uint8Array(8);
  assert.equal(S.encodeInto({ a: 1 }, target), 4);
  assert.equal(hex(target), 'a161610100000000');
  assert.throws(() => S.encodeInto({ a: 1 }, new Uint8Array(3)), { name: 'RangeError', code: 'ERR_CBOR_DEST_TOO_SMALL' });
  assert.equal(S.is({ a: 1 }), true);
  for (const value of [{ a: -1 }, {}, null, 1, [], { a: '1' }]) assert.equal(S.is(value), false);
  assert.equal(struct({ a: 'bytes' }).is({ a: 1 }), false);
});

test('what is said beside a function holds for the type that it returns', () => {
  const S = struct({ a: { type: () => ({ type: () => 'text', nullable: true, maxLength: 9 }), maxLength: 2 }, b: { type: 'array', items: { type: () => 'bytes', length: 1 } } });
  assert.equal(hex(S.encode({ a: 'xy', b: [Uint8Array.of(5)] })), 'a26161627879616281 4105'.replaceAll(' ', ''));
  assert.equal(hex(S.encode({ a: null, b: [] })), 'a26161f6616280');
  assert.throws(() => S.encode({ a: 'xyz', b: [] }), { code: 'ERR_CBOR_LIMIT_EXCEEDED', path: '$.a' });
  for (const b of [new Uint8Array(0), new Uint8Array(2)]) assert.throws(() => S.encode({ a: 'x', b: [b] }), { code: 'ERR_CBOR_LIMIT_EXCEEDED', path: '$.b[0]' });
  const Wide = struct({ a: { type: () => 'text', maxLength: 3 } }, { maxTextLength: 1 });
  assert.equal(hex(Wide.encode({ a: 'xyz' })), 'a161616378797a');
});

test('descriptions and options are checked', () => {
  const bad = (fields, code = 'ARGUMENT_TYPE', options) => assert.throws(() => struct(fields, options), { code: `ERR_CBOR_${code}` });
  for (const fields of [null, 1, [], { a: 'integer' }, { a: null }, { a: ['int', 'int'] }, { a: {} }, { a: { type: 'map', values: 'int', keys: 'float' } }, { a: { type: 'int', name: true } }]) bad(fields);
  bad({ a: { type: 'int', nulable: true } }, 'UNKNOWN_OPTION');
  for (const extra of [{ items: 'int' }, { values: 'int' }, { keys: 'text' }, { __proto__: null, constructor: 1 }]) bad({ a: { type: 'text', ...extra } }, 'UNKNOWN_OPTION');
  for (const extra of [{ optional: true }, { default: 1 }, { name: 'b' }]) {
    bad({ a: [{ type: 'int', ...extra }] }, 'UNKNOWN_OPTION');
    bad({ a: { type: { type: 'int', ...extra } } }, 'UNKNOWN_OPTION');
  }
  for (const extra of [{ optional: 'yes' }, { optional: null }, { nullable: 1 }, { maxLength: 3 }, { length: 3 }]) bad({ a: { type: 'int', ...extra } });
  bad({ a: { type: 'text', length: 3, maxLength: 2 } }, 'OPTION_OUT_OF_RANGE');
  struct({ a: { type: 'int', optional: undefined, nullable: undefined, default: undefined, name: undefined, maxLength: undefined, length: undefined, items: undefined } });
  bad({ a: { type: 'text', maxLength: -1 } }, 'OPTION_OUT_OF_RANGE');
  bad({ a: 'int' }, 'UNKNOWN_OPTION', { sort: true });
  bad({ a: 'int' }, 'OPTION_OUT_OF_RANGE', { naming: 'pascal' });
  bad({ a: 'int' }, 'ARGUMENT_TYPE', { sortKeys: 1 });
  bad({ a: 'int' }, 'ARGUMENT_TYPE', null);
  bad({ a: 'int', b: { type: 'int', name: 'a' } }, 'OPTION_OUT_OF_RANGE');
  bad({ a: 'int', b: { type: 'int', name: 'A' } }, 'OPTION_OUT_OF_RANGE', { caseInsensitive: true });
  bad({ a: { type: 'int', name: 1 } }, 'OPTION_OUT_OF_RANGE', { mode: 'dag-cbor' });
});

describe('the benchmark values of cbor-gen, byte for byte', () => {
  for (const { name, seed, hex: expected, type, value } of benchValues()) {
    test(`${name} ${seed}`, () => assert.equal(hex(type.encode(value)), expected));
  }
});
