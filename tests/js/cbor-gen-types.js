// The types of cbor-gen's benchmarks and tests, as struct() has them, and their values in the benchmark file.
import { readFileSync } from 'node:fs';
import { struct } from '../../js/index.js';

export const LIMITS = { maxTextLength: 8192, maxBytesLength: 2 << 20, maxArrayLength: 8192 };

const tuple = (fields, options) => struct(fields, { representation: 'tuple', mode: 'lax', ...LIMITS, ...options });
const map = (fields, options) => struct(fields, { sortKeys: true, mode: 'lax', ...LIMITS, ...options });
const nullable = (type) => ({ type, nullable: true });
// Fields that are not there stay at Go's zero values.
const zero = (type, value) => ({ type, default: value });
const pointer = (type) => ({ type, nullable: true, default: null });

const oneFields = { Foo: 'text', Value: 'uint', Binary: 'bytes', Signed: 'int', NString: 'text' };
const makeTwo = (One) => {
  const Two = tuple({
    Stuff: nullable(() => Two),
    Others: ['uint'],
    SignedOthers: ['int'],
    Test: ['bytes'],
    Dog: 'text',
    Numbers: ['uint'],
    Pizza: nullable('uint'),
    PointyPizza: nullable('uint'),
    Arrrrrghay: { type: 'array', items: One, length: 3 },
  });
  return Two;
};
const makeTree = (Two, more) => {
  const Tree = map({
    Dog: zero('text', ''),
    Test: zero(['bytes'], []),
    Stuff: pointer(() => Tree),
    Others: zero(['uint'], []),
    Stufff: pointer(Two),
    ...more,
    NotPizza: pointer('uint'),
    SixtyThreeBitIntegerWithASignBit: zero('int', 0),
  });
  return Tree;
};

export const One = tuple({ ...oneFields, Strings: ['text'] });
const ZERO_ONE = { Foo: '', Value: 0, Binary: new Uint8Array(0), Signed: 0, NString: '', Strings: [] };
export const Two = makeTwo(One);
export const Tree = makeTree(Two, { BoolPtr: pointer('bool'), StringPtr: pointer('text') });
const TwoBefore = makeTwo(tuple(oneFields));

export const TYPES = {
  SimpleTypeOne: One,
  SimpleTypeTwo: Two,
  SimpleTypeTree: Tree,
  'SimpleTypeTwo@pr67': TwoBefore,
  'SimpleTypeTree@pr67': makeTree(TwoBefore, {}),
  SignedArray: tuple({ Signed: ['uint'] }),
  DeferredContainer: tuple({ Stuff: nullable(One), Deferred: 'deferred', Value: 'uint' }),
  FixedArrays: tuple({
    Bytes: { type: 'bytes', length: 20 },
    Uint8: { type: 'bytes', length: 20 },
    Uint64: { type: 'array', items: 'uint', length: 20 },
  }),
  ThingWithSomeTime: tuple({ When: 'int', Stuff: 'int', CatName: 'text' }),
  BigField: tuple({ LargeBytes: { type: 'bytes', maxLength: 10_000_000 } }),
  TupleIntArray: tuple({ Int1: 'int', Int2: 'int', Int3: 'int' }),
  TupleIntArrayOptionals: tuple({ Int1: nullable('int'), Int2: 'int', Int3: 'uint', Int4: nullable('uint') }),
  TupleWithOptionalFields: tuple({
    Int1: 'int',
    Int2: 'uint',
    Int3: { type: 'int', optional: true, default: 0 },
    Int4: { type: 'int', optional: true, default: 0 },
  }),
  BigIntContainer: tuple({ Int: { type: 'bigint', maxLength: 256 } }),
  NeedScratchForMap: map({ Thing: zero('bool', false) }),
  SimpleStructV1: map({
    OldStr: zero('text', ''),
    OldBytes: zero('bytes', new Uint8Array(0)),
    OldNum: zero('uint', 0),
    OldPtr: pointer('cid'),
    OldMap: { type: 'map', values: One, default: {} },
    OldArray: zero([One], []),
    OldStruct: zero(One, ZERO_ONE),
    OldCidArray: zero(['cid'], []),
    OldCidPtrArray: zero([nullable('cid')], []),
  }),
  RenamedFields: map({ Foo: { type: 'int', name: 'foo', default: 0 }, Bar: { type: 'text', name: 'beep', default: '' } }),
  TestConstField: map({ Cats: zero('text', ''), Thing: zero('int', 0) }),
  TestCanonicalFieldOrder: map({
    Foo: { type: 'int', name: 'foo', default: 0 },
    Bar: { type: 'text', name: 'beep', default: '' },
    Drond: zero('int', 0),
    Zp: { type: 'text', name: 'ap', default: '' },
  }),
  MapStringString: map({ Snorkleblump: { type: 'map', values: 'text', maxLength: 4096 } }),
  MapStringSliceString: map({ SnorkleMultiblump: { type: 'map', values: ['text'], maxLength: 4096 } }),
  StringPtrSlices: map({ Strings: [nullable('text')], StringPtrs: [nullable('text')] }),
  LimitedStruct: tuple({ Arr: ['uint'], Byts: 'bytes', Str: 'text' }, { maxArrayLength: 10, maxBytesLength: 9, maxTextLength: 8 }),
};

const BYTES_FIELDS = new Set(['Binary', 'Test']);

/** The benchmark values, whose integers do not fit a number and whose byte strings are base64. */
export function benchValues() {
  const source = readFileSync(new URL('../vectors/cbor-gen-bench.json', import.meta.url), 'utf8');
  const rows = JSON.parse(source.replace(/([[:,]\s*)(-?\d{16,})(?=\s*[,\]}])/g, '$1{"bigint":"$2"}'));
  const revive = (value, key) => {
    if (value === null || typeof value !== 'object') {
      return typeof value === 'string' && BYTES_FIELDS.has(key) ? Uint8Array.from(Buffer.from(value, 'base64')) : value;
    }
    if ('bigint' in value) return Number.isSafeInteger(Number(value.bigint)) ? Number(value.bigint) : BigInt(value.bigint);
    if (Array.isArray(value)) return value.map((item) => revive(item, key));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, revive(item, name)]));
  };
  return rows.map(({ name, seed, hex, value }) => ({
    name, seed, hex, type: TYPES[name], value: revive(value), bytes: Uint8Array.from(Buffer.from(hex, 'hex')),
  }));
}
