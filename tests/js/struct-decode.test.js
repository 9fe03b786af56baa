// struct(): what it reads, however the document is written, and how it fails.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CborError, decode, encode, EncodedCbor, struct, Tagged } from '../../js/index.js';

const bytes = (text) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const hex = (array) => Buffer.from(array).toString('hex');

/** What one field of a type reads. */
const read = (type, item, options) => struct({ a: type }, options).decode(bytes(`a16161${item}`)).a;
const failure = (type, item, code, options) =>
  assert.throws(() => read(type, item, options), { name: 'CborError', code: `ERR_CBOR_${code}`, offset: 3, path: '$.a' });

test('a pair that no field has does not take the place of a field', () => {
  const User = struct({ userId: 'uint', isAdmin: { type: 'bool', optional: true } }, { naming: 'snake', unknown: 'keep', mode: 'lax' });
  const twice = (property) => ({ name: 'CborError', code: 'ERR_CBOR_DUPLICATE_KEY', offset: 0, path: `$.${property}` });
  assert.throws(() => User.decode(encode({ user_id: 7, userId: 'root' })), twice('userId'));
  assert.throws(() => User.decode(encode({ user_id: 7, isAdmin: [1] })), twice('isAdmin'));
  assert.deepEqual(User.decode(encode({ user_id: 7, admin: [1] })), { userId: 7, admin: [1] });
  const Numbered = struct({ id: { type: 'uint', name: 1 } }, { unknown: 'keep' });
  assert.throws(() => Numbered.decode(encode(new Map([[1, 7], ['id', 'x']]))), twice('id'));
  assert.throws(() => struct({ in: User }).decode(encode({ in: { user_id: 7, userId: 1 } })), { ...twice('in.userId'), offset: 4 });
});

describe('types', () => {
  test('integers', () => {
    assert.equal(read('int', '17'), 23);
    assert.equal(read('int', '38ff'), -256);
    assert.equal(read('int', '1b0000000000000001'), 1);
    assert.equal(read('int', '1b001fffffffffffff'), Number.MAX_SAFE_INTEGER);
    assert.equal(read('int', '1b0020000000000000'), 2n ** 53n);
    assert.equal(read('int', '3b7fffffffffffffff'), -(2n ** 63n));
    assert.equal(read('uint', '1bffffffffffffffff'), 2n ** 64n - 1n);
    failure('int', '1b8000000000000000', 'OVERFLOW');
    failure('int', '3b8000000000000000', 'OVERFLOW');
    failure('uint', '20', 'OVERFLOW');
    for (const item of ['60', '40', 'f5', 'f6', 'f93c00', '80', 'a0', 'c101', 'c24101']) failure('int', item, 'TYPE_MISMATCH');
  });
  test('floats, from integers too', () => {
    assert.equal(read('float', 'f93e00'), 1.5);
    assert.equal(read('float', 'fb3ff199999999999a'), 1.1);
    assert.equal(read('float', '03'), 3);
    assert.equal(read('float', '1bffffffffffffffff'), 2 ** 64);
    assert.equal(read('float', '3bffffffffffffffff'), -(2 ** 64));
    failure('float', 'f5', 'TYPE_MISMATCH');
    failure('float', '6131', 'TYPE_MISMATCH');
  });
  test('bool, text, bytes', () => {
    assert.equal(read('bool', 'f5'), true);
    assert.equal(read('bool', 'f4'), false);
    failure('bool', 'f6', 'TYPE_MISMATCH');
    failure('bool', '01', 'TYPE_MISMATCH');
    assert.equal(read('text', '62c3a9'), 'é');
    assert.equal(read('text', '7f6161626263ff'), 'abc');
    assert.deepEqual(read('bytes', '5f41014102ff'), Uint8Array.of(1, 2));
    failure('text', '4161', 'TYPE_MISMATCH');
    failure('bytes', '6161', 'TYPE_MISMATCH');
  });
  test('bigint, date, cid, any, deferred', () => {
    assert.equal(read('bigint', '05'), 5n);
    assert.equal(read('bigint', '24'), -5n);
    assert.equal(read('bigint', 'c24105'), 5n);
    assert.equal(read('bigint', 'c349010000000000000000'), -1n - 2n ** 64n);
    failure('bigint', 'c160', 'TYPE_MISMATCH');
    failure('bigint', 'f93c00', 'TYPE_MISMATCH');
    assert.deepEqual(read('date', 'c11a514b67b0'), new Date(1363896240000));
    assert.deepEqual(read('date', `c0${hex(encode('2013-03-21T20:04:00Z'))}`), new Date('2013-03-21T20:04:00Z'));
    for (const item of ['c160', 'c001', 'c24101', '01']) failure('date', item, 'TYPE_MISMATCH');
    assert.throws(() => read('date', `c0${hex(encode('yesterday'))}`), { code: 'ERR_CBOR_INVALID_DATETIME', path: '$.a' });
    assert.deepEqual(read('cid', 'd82a450001550000'), bytes('01550000'));
    failure('cid', 'd82a4102', 'INVALID_CID');
    failure('cid', '4401550000', 'TYPE_MISMATCH');
    assert.deepEqual(read('any', 'a1616282f5d9010280'), { b: [true, new Set()] });
    const deferred = read('deferred', '9f0102bf6161f7ffff');
    assert(deferred instanceof EncodedCbor);
    assert.equal(hex(deferred.bytes), '9f0102bf6161f7ffff');
    assert.equal(hex(read('deferred', '5f41014102ff').bytes), '5f41014102ff');
  });
  test('arrays and maps', () => {
    assert.deepEqual(read(['uint'], '83010219012c'), [1, 2, 300]);
    assert.deepEqual(read(['uint'], '9f01ff'), [1]);
    assert.deepEqual(read([['text']], '82816161 80'), [['a'], []]);
    assert.throws(() => read(['uint'], '820120'), { code: 'ERR_CBOR_OVERFLOW', offset: 5, path: '$.a[1]' });
    failure(['uint'], 'a0', 'TYPE_MISMATCH');
    const map = { type: 'map', values: 'uint' };
    assert.deepEqual(read(map, 'bf617801617902ff'), { x: 1, y: 2 });
    const odd = read(map, `a1${hex(encode('__proto__'))}01`);
    assert.deepEqual(Object.entries(odd), [['__proto__', 1]]);
    assert.equal(Object.getPrototypeOf(odd), Object.prototype);
    assert.throws(() => read(map, 'a10101'), { code: 'ERR_CBOR_TYPE_MISMATCH', offset: 4 });
    assert.deepEqual(read({ type: 'map', keys: 'int', values: 'text' }, 'a2016161206162'), new Map([[1, 'a'], [-1, 'b']]));
    assert.deepEqual(read({ type: 'map', keys: 'int', values: 'text' }, 'a0'), new Map());
    assert.deepEqual([...read({ type: 'map', keys: 'bytes', values: 'bool' }, 'a14101f5')], [[Uint8Array.of(1), true]]);
  });
  test('lengths', () => {
    assert.equal(read({ type: 'text', maxLength: 2 }, '62c3a9'), 'é');
    failure({ type: 'text', maxLength: 1 }, '62c3a9', 'LIMIT_EXCEEDED');
    failure({ type: 'text', maxLength: 1 }, '7f61616161ff', 'LIMIT_EXCEEDED');
    failure({ type: 'bytes', length: 2 }, '4101', 'LIMIT_EXCEEDED');
    failure({ type: 'array', items: 'uint', maxLength: 1 }, '820102', 'LIMIT_EXCEEDED');
    failure({ type: 'array', items: 'uint', maxLength: 1 }, '9f0102ff', 'LIMIT_EXCEEDED');
    failure({ type: 'array', items: 'uint', length: 2 }, '9f01ff', 'LIMIT_EXCEEDED');
    failure({ type: 'map', values: 'uint', maxLength: 1 }, 'a2616101616202', 'LIMIT_EXCEEDED');
    failure({ type: 'bigint', maxLength: 8 }, 'c249010000000000000000', 'LIMIT_EXCEEDED');
    failure({ type: 'deferred', maxLength: 1 }, '8101', 'LIMIT_EXCEEDED');
    failure('text', '6261 61', 'LIMIT_EXCEEDED', { maxTextLength: 1 });
    failure(['uint'], '820101', 'LIMIT_EXCEEDED', { maxArrayLength: 1 });
    failure('bytes', '420101', 'LIMIT_EXCEEDED', { maxBytesLength: 1 });
    failure({ type: () => 'text', maxLength: 1 }, '626161', 'LIMIT_EXCEEDED');
  });
  test('zeros at the beginning of arrays whose items are no numbers', () => {
    const Point = struct({ x: 'int' });
    for (const items of ['text', 'bytes', 'bool', 'date', 'cid', ['int'], { type: 'map', values: 'int' }, Point]) {
      for (const document of ['8100', '86000000000000', '9f00ff', '9f00000000ff']) {
        assert.throws(() => struct({ a: [items] }).decode(bytes(`a16161${document}`)), { code: 'ERR_CBOR_TYPE_MISMATCH', path: '$.a[0]' });
      }
    }
    for (const count of [1, 2, 3, 4, 17, 300]) {
      const zeros = new Array(count).fill(0n);
      assert.deepEqual(read(['bigint'], hex(encode(zeros))), zeros);
      assert.deepEqual(read(['bigint'], `9f${'00'.repeat(count)}ff`), zeros);
      assert.deepEqual(read([['bigint']], hex(encode([zeros, [], zeros]))), [zeros, [], zeros]);
      const encoded = read(['deferred'], hex(encode(zeros)));
      assert.deepEqual(encoded.map(({ bytes }) => hex(bytes)), new Array(count).fill('00'));
    }
  });

  test('null, where it may be', () => {
    assert.equal(read({ type: 'uint', nullable: true }, 'f6'), null);
    assert.deepEqual(read([{ type: 'text', nullable: true }], '826161f6'), ['a', null]);
    failure('uint', 'f6', 'TYPE_MISMATCH');
  });
});

describe('maps', () => {
  const Point = struct({ x: 'int', y: 'int' });
  test('in any order and form, with the properties in the order of the fields', () => {
    for (const document of ['a2 617801 617902', 'a2 617902 617801', 'bf 617902 617801 ff', 'b802 780178 01 6179 1802', 'a2 7f6178ff 01 617902', 'a3 617902 6178 01 617a 00']) {
      const value = Point.decode(bytes(document));
      assert.deepEqual(Object.entries(value), [['x', 1], ['y', 2]], document);
    }
  });

  test('unknown keys: skipped, whatever their values; an error; or kept', () => {
    const extra = `${hex(encode('more'))}${hex(encode([1, { a: new Map([[[], new Set([1])]]), b: new Tagged(99, 'x') }, new Uint8Array(100)]))}`;
    const odd = '9f01ff bf6161 5f4101ff 6162 7f6161ff ff';
    const document = bytes(`a4 617801 ${extra} ${odd} 617902`);
    assert.deepEqual(Point.decode(document), { x: 1, y: 2 });
    const Strict = struct({ x: 'int', y: 'int' }, { unknown: 'error' });
    assert.throws(() => Strict.decode(document), { code: 'ERR_CBOR_UNKNOWN_FIELD', offset: 4 });
    assert.deepEqual(Strict.decode(bytes('a2617801617902')), { x: 1, y: 2 });
    const Keeping = struct({ x: 'int', y: 'int' }, { unknown: 'keep' });
    const kept = Keeping.decode(bytes('a4 617a 8101 617902 6177 a16177f5 617801'));
    assert.deepEqual(Object.entries(kept), [['x', 1], ['y', 2], ['z', [1]], ['w', { w: true }]]);
    const Outer = struct({ a: Keeping, b: 'uint' }, { unknown: 'keep' });
    assert.deepEqual(Outer.decode(encode({ z: 1, a: { q: 5, y: 2, x: 1 }, r: 's', b: 3 })), { a: { x: 1, y: 2, q: 5 }, b: 3, z: 1, r: 's' });
  });

  test('missing fields, optional ones and defaults', () => {
    assert.throws(() => Point.decode(bytes('a1617801')), { code: 'ERR_CBOR_MISSING_FIELD', offset: 0, path: '$.y' });
    const Line = struct({ points: [Point] });
    assert.throws(() => Line.decode(encode({ points: [{ x: 1, y: 2 }, { y: 1 }] })), { code: 'ERR_CBOR_MISSING_FIELD', path: '$.points[1].x' });
    const S = struct({ a: { type: 'int', optional: true }, b: { type: ['text'], default: ['z'] }, c: { type: 'bigint', default: 7n }, d: { type: Point, nullable: true, default: null }, e: { type: Point, default: { x: 1, y: 2 } } });
    assert.deepEqual(S.decode(bytes('a0')), { b: ['z'], c: 7n, d: null, e: { x: 1, y: 2 } });
    assert.deepEqual(Object.keys(S.decode(encode({ d: { x: 0, y: 0 }, a: 5 }))), ['a', 'b', 'c', 'd', 'e']);
    const [one, two] = [S.decode(bytes('a0')), S.decode(bytes('a0'))];
    assert.notEqual(one.b, two.b);
    assert.deepEqual(S.decode(S.encode(one)), one);
  });

  test('a struct that is the default of a field of its own type', () => {
    const Tree = struct({ left: { type: () => Tree, nullable: true, default: null }, n: { type: 'int', default: 1 } });
    assert.deepEqual(Tree.decode(bytes('a1 646c656674 a0')), { left: { left: null, n: 1 }, n: 1 });
  });

  test('duplicate keys', () => {
    const document = bytes('a3 617801 617902 617803');
    assert.throws(() => Point.decode(document), { code: 'ERR_CBOR_DUPLICATE_KEY', offset: 7 });
    const Lax = struct({ x: 'int', y: 'int', z: { type: ['int'], default: [] } }, { mode: 'lax' });
    assert.deepEqual(Lax.decode(document), { x: 3, y: 2, z: [] });
    assert.deepEqual(Lax.decode(bytes('a4 617a 820102 617801 617902 617a 80')), { x: 1, y: 2, z: [] });
  });

  test('integer keys, whatever their heads', () => {
    const S = struct({ alg: { type: 'int', name: 1 }, kid: { type: 'bytes', name: -5, optional: true }, 1: { type: 'int', optional: true } });
    assert.deepEqual(S.decode(bytes('a2 01 26 24 4101')), { alg: -7, kid: Uint8Array.of(1) });
    assert.deepEqual(S.decode(bytes('a2 1801 26 613105')), { alg: -7, 1: 5 });
  });

  test('what has been cut off leaves nothing behind', () => {
    const Other = struct({ other: { type: 'int', optional: true } });
    for (const [keys, number] of [['abc', 1], ['cab', 2], ['bca', 3]]) {
      const value = Object.fromEntries([...keys].map((key) => [`${key}-property-${number}`, key.charCodeAt(0)]));
      const document = encode(value);
      const names = Object.keys(value).sort().reverse();
      const S = struct(Object.fromEntries(names.map((name) => [name, { type: 'int', optional: true }])));
      // Until the keys are known.
      for (let i = 0; i < 20; i++) assert.deepEqual(Other.decode(document), {});
      for (let length = 0; length < document.length; length++) {
        S.decode(document);
        assert.throws(() => S.decode(document.subarray(0, length)), { incomplete: true });
        assert.deepEqual(Object.entries(S.decode(document)), names.map((name) => [name, value[name]]), `${length} bytes`);
      }
    }
  });

  test('the rules of a mode', () => {
    const S = struct({ b: 'int', a: 'int' }, { mode: 'deterministic' });
    assert.deepEqual(S.decode(bytes('a2 616101 616202')), { b: 2, a: 1 });
    assert.throws(() => S.decode(bytes('a2 616201 616102')), { code: 'ERR_CBOR_KEYS_NOT_SORTED' });
    assert.throws(() => S.decode(bytes('a2 61611801 616202')), { code: 'ERR_CBOR_NON_MINIMAL_INTEGER' });
    assert.throws(() => struct({ a: 'int' }).decode(bytes('a2 616101 6162 61ff')), { code: 'ERR_CBOR_INVALID_UTF8' });
  });

  test('ill-formed text, wherever it is', () => {
    for (const mode of ['lax', 'strict']) {
      const S = struct({ a: ['text'] }, { mode });
      assert.throws(() => S.decode(bytes('a1 6161 82 6161 61ff')), { code: 'ERR_CBOR_INVALID_UTF8', offset: 6 });
      assert.throws(() => S.decode(bytes('a2 6162 61ff 6161 80')), { code: 'ERR_CBOR_INVALID_UTF8', offset: 3 });
    }
  });

  test('1,000 fields, and more than there may be', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `field ${i}`);
    const S = struct(Object.fromEntries(names.map((name) => [name, 'uint'])));
    const value = Object.fromEntries(names.map((name, i) => [name, i]));
    assert.deepEqual(S.decode(encode(value)), value);
    const backwards = Object.fromEntries(Object.entries(value).reverse());
    assert.deepEqual(Object.keys(S.decode(encode(backwards))), names);
    const many = Object.fromEntries(Array.from({ length: 1025 }, (_, i) => [`f${i}`, 'uint']));
    assert.throws(() => struct(many).decode(bytes('a0')), { code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
  });
});

describe('tuples', () => {
  const T = struct({ a: 'uint', b: { type: 'text', optional: true }, c: { type: 'uint', default: 9, optional: true } }, { representation: 'tuple' });
  test('of every length that they may have', () => {
    assert.deepEqual(T.decode(bytes('8101')), { a: 1, c: 9 });
    assert.deepEqual(T.decode(bytes('82016178')), { a: 1, b: 'x', c: 9 });
    assert.deepEqual(T.decode(bytes('9f01617802ff')), { a: 1, b: 'x', c: 2 });
    assert.throws(() => T.decode(bytes('80')), { code: 'ERR_CBOR_WRONG_COUNT', offset: 0, path: '$' });
    assert.throws(() => T.decode(bytes('840161780203')), { code: 'ERR_CBOR_WRONG_COUNT', offset: 0, path: '$' });
    assert.throws(() => T.decode(bytes('a0')), { code: 'ERR_CBOR_TYPE_MISMATCH', offset: 0, path: '$' });
  });
});

describe('names in any casing', () => {
  const S = struct({ userName: 'text', Id: 'uint', straße: 'uint', Ключ: 'uint', kiss: 'uint', σοφός: 'uint', 'long name of more than sixteen bytes': 'uint' }, { caseInsensitive: true });
  const value = { userName: 'a', Id: 1, straße: 2, Ключ: 3, kiss: 4, σοφός: 5, 'long name of more than sixteen bytes': 6 };
  const cased = (change) => encode(Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), item])));
  test('every casing, in every order', () => {
    for (const change of [(name) => name, (name) => name.toLowerCase(), (name) => (name.includes('ß') ? 'STRAßE' : name.toUpperCase())]) {
      assert.deepEqual(S.decode(cased(change)), value);
    }
    assert.deepEqual(S.decode(encode(Object.fromEntries(Object.entries(value).reverse()))), value);
  });
  test('simple case folding, and nothing beyond it', () => {
    // U+1E9E folds to ß by itself; ſ and the Kelvin sign fold to s and k; σ and ς are one.
    assert.deepEqual(S.decode(cased((name) => ({ straße: 'STRAẞE', kiss: '\u212AI\u017FS', σοφός: 'ΣΟΦΌΣ' })[name] ?? name)), value);
    for (const other of ['STRASSE', 'straSSe']) {
      assert.throws(() => S.decode(cased((name) => (name === 'straße' ? other : name))), { code: 'ERR_CBOR_MISSING_FIELD', path: '$["straße"]' });
    }
    // Dotless i, and é made of two characters, are others.
    assert.throws(() => S.decode(cased((name) => (name === 'kiss' ? 'kıss' : name))), { code: 'ERR_CBOR_MISSING_FIELD' });
  });
  test('ill-formed keys are no casings', () => {
    for (const mode of ['lax', 'strict']) {
      const S = struct({ 'пa': { type: 'int', optional: true } }, { caseInsensitive: true, mode });
      assert.deepEqual(S.decode(bytes('a1 63d09f41 01')), { 'пa': 1 });
      for (const key of ['63d01f41', '63d0df41', '64d09fc181', '63d03f61', '62d09f', '62d041', '64e0909f41']) {
        const document = bytes(`a2 ${key} 01 6162 02`);
        if (key === '62d09f') assert.deepEqual(S.decode(document), {});
        else assert.throws(() => S.decode(document), { code: 'ERR_CBOR_INVALID_UTF8', offset: 1 }, key);
      }
    }
  });

  test('two casings of one key in a document', () => {
    const document = encode(new Map([['a', 1], ['A', 2]]));
    assert.deepEqual(struct({ a: 'uint' }, { caseInsensitive: true }).decode(document), { a: 2 });
  });
  test('random casings of random names', () => {
    const name = fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom('a', 'b', 'Z', 'k', 'é', 'Я', 'ω', '0', '_', '\u0000', '𐐀') });
    fc.assert(fc.property(fc.uniqueArray(name, { selector: (text) => text.toLowerCase(), minLength: 1, maxLength: 12 }), fc.infiniteStream(fc.boolean()), (names, upper) => {
      const T = struct(Object.fromEntries(names.map((text) => [text, 'uint'])), { caseInsensitive: true });
      const change = (text) => [...text].map((c) => (upper.next().value ? c.toUpperCase() : c.toLowerCase())).join('');
      const document = encode(new Map(names.map((text, i) => [change(text), i])));
      assert.deepEqual(T.decode(document), Object.fromEntries(names.map((text, i) => [text, i])));
    }), { numRuns: 300 });
  });
  test('keys too long to be any, and near misses', () => {
    const T = struct({ a: 'uint' }, { caseInsensitive: true });
    for (const n of [2, 8, 9, 255, 256, 257, 300, 5000]) {
      assert.deepEqual(T.decode(encode({ ['A'.repeat(n)]: 1, A: 2, ['é'.repeat(n)]: 3, '@': 4, '[': 5 })), { a: 2 });
    }
  });
});

describe('bytes that are no document', () => {
  const S = struct({ a: 'uint', b: ['text'], c: { type: 'map', values: 'any' } });
  const document = S.encode({ a: 1000, b: ['x', 'yy'], c: { d: [1, { e: null }] } });
  test('every prefix is incomplete', () => {
    for (let length = 0; length < document.length; length++) {
      assert.throws(() => S.decode(document.subarray(0, length)), (error) => error instanceof CborError && error.incomplete);
    }
    assert.throws(() => S.decode(Uint8Array.of(...document, 0)), { code: 'ERR_CBOR_TRAILING_BYTES', offset: document.length });
    assert.throws(() => S.decode('x'), { name: 'TypeError' });
  });
  test('changed bytes give a value or a CborError, and the struct goes on', () => {
    for (let at = 0; at < document.length; at++) {
      for (const byte of [0x00, 0x1f, 0x40, 0x5f, 0x7f, 0x80, 0x9f, 0xa1, 0xbf, 0xc1, 0xf6, 0xff]) {
        const changed = Uint8Array.from(document);
        changed[at] = byte;
        try {
          S.decode(changed);
        } catch (error) {
          if (!(error instanceof CborError)) throw error;
        }
      }
    }
    assert.equal(S.decode(document).a, 1000);
  });
  test('deep nesting', () => {
    const Node = struct({ next: { type: () => Node, nullable: true } });
    let deep = null;
    for (let i = 0; i < 999; i++) deep = { next: deep };
    assert.deepEqual(Node.decode(encode(deep)), deep);
    const deeper = bytes(`${'a1646e657874'.repeat(100_000)}f6`);
    assert.throws(() => Node.decode(deeper), { code: 'ERR_CBOR_DEPTH_EXCEEDED' });
    const skipped = bytes(`a2 6178 ${'9f'.repeat(900)}${'ff'.repeat(900)} 646e657874 f6`);
    assert.deepEqual(Node.decode(skipped), { next: null });
  });
});

test('round trips of random values', () => {
  const Inner = struct({ flag: 'bool', ratio: 'float' }, { representation: 'tuple' });
  const Outer = struct({
    id: 'uint', name: 'text', data: 'bytes', tags: ['text'], inner: Inner, list: [Inner],
    big: 'bigint', note: { type: 'text', optional: true }, table: { type: 'map', values: 'int' }, maybe: { type: 'int', nullable: true },
  }, { naming: 'snake', sortKeys: true });
  const inner = fc.record({ flag: fc.boolean(), ratio: fc.double() }, { noNullPrototype: true });
  const value = fc.record({
    id: fc.nat(), name: fc.string(), data: fc.uint8Array(), tags: fc.array(fc.string()), inner, list: fc.array(inner), big: fc.bigInt(),
    note: fc.string(), table: fc.dictionary(fc.string(), fc.integer(), { noNullPrototype: true }), maybe: fc.option(fc.integer()),
  }, { requiredKeys: ['id', 'name', 'data', 'tags', 'inner', 'list', 'big', 'table', 'maybe'], noNullPrototype: true });
  fc.assert(fc.property(value, (expected) => {
    const encoded = Outer.encode(expected);
    assert.deepEqual(Outer.decode(encoded), expected);
    assert.equal(typeof decode(encoded).id, 'number');
  }));
});

test('decoding in between', () => {
  // A decoder of tags of the caller's that uses a struct while another document waits.
  const P = struct({ x: 'text' });
  const nested = encode([new Tagged(5000, 'one'), 'two', new Tagged(5000, 'three')]);
  const seen = decode(nested, { tags: { 5000: (text) => P.decode(P.encode({ x: text })) } });
  assert.deepEqual(seen, [{ x: 'one' }, 'two', { x: 'three' }]);
});
