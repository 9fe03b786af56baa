// The rows of mode-vectors.json, one for each mode that a row names. A row has `value` or `calls`, and `hex` or `error`.
//
// `calls` are those of writer-vectors.json, of which the last one fails where there is an error. A `value` stands for the
// calls that write it, of which number `at` fails. It is JSON, with objects of one member for what JSON has no form for: {"int": decimal} a bigint, {"float": bits} a number, {"bytes": hex},
// {"map": pairs}, {"object": pairs} with text keys, {"text16": UTF-16 units in hex}, {"undefined": true}.
import { bytesOf } from '../hex.js';

/** The mode's number in C, and its abbreviation in the rows' ids. */
export const MODES = {
  canonical: [2, 'can'], ctap2: [3, 'ctap'], deterministic: [4, 'det'], 'dag-cbor': [5, 'dag'], dcbor: [6, 'dcb'],
};

function floatOf(bits) {
  return new DataView(bytesOf(bits).buffer).getFloat64(0);
}

function bitsOf(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}

const textOf = (units) => String.fromCharCode(...units.match(/.{4}/g).map((unit) => parseInt(unit, 16)));

const AS_VALUE = {
  int: BigInt,
  float: floatOf,
  bytes: bytesOf,
  map: (pairs) => new Map(pairs.map(([key, value]) => [valueOf(key), valueOf(value)])),
  object: (pairs) => Object.fromEntries(pairs.map(([key, value]) => [key, valueOf(value)])),
  text16: textOf,
  undefined: () => undefined,
};

/** The JavaScript value that a row's `value` says. */
export function valueOf(value) {
  if (Array.isArray(value)) return value.map(valueOf);
  if (value === null || typeof value !== 'object') return value;
  const [[kind, content]] = Object.entries(value);
  return AS_VALUE[kind](content);
}

function mapCalls(pairs) {
  return [['startMap', pairs.length], ...pairs.flat().flatMap(callsOf), ['endMap']];
}

function intCall(decimal) {
  const value = BigInt(decimal);
  if (value >= 2n ** 64n || value < -(2n ** 64n)) return ['bigInt', decimal];
  return value >= 0n ? ['uint', decimal] : ['nint', String(-1n - value)];
}

const AS_CALLS = {
  int: (decimal) => [intCall(decimal)],
  float: (bits) => [['double', bits]],
  bytes: (hex) => [['bytes', hex]],
  map: mapCalls,
  object: mapCalls,
  text16: (units) => [['text16', units]],
  undefined: () => [['undefined']],
};

/** The calls that write a row's `value`. */
export function callsOf(value) {
  if (value === null) return [['null']];
  if (Array.isArray(value)) return [['startArray', value.length], ...value.flatMap(callsOf), ['endArray']];
  switch (typeof value) {
    case 'boolean': return [['bool', value]];
    case 'string': return [['text', value]];
    case 'number': return [Number.isSafeInteger(value) ? ['int', value] : ['double', bitsOf(value)]];
    default: {
      const [[kind, content]] = Object.entries(value);
      return AS_CALLS[kind](content);
    }
  }
}

/** A row's calls, up to the one that fails. */
function callsOfRow({ calls, value, at, error }) {
  if (calls !== undefined) return calls;
  return error === undefined ? callsOf(value) : callsOf(value).slice(0, at + 1);
}

/** All rows of the table as parsed, in its order, each with one `mode`, an id of its own, and `calls`. */
export function modeRows(table) {
  return table.flatMap(({ modes, id, ...row }) => modes.map((mode) => ({
    ...row, id: `${id}/${MODES[mode][1]}`, mode, convert: row.convert ?? false, calls: callsOfRow(row),
  })));
}
