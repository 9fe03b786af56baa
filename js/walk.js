// The walk of a value: puts the commands that write it.
//
// What most values are made of (strings, numbers, arrays, plain objects) is put here, by functions that share their state
// in variables of the module: where the next command goes, how far it may, and the text gathered so far. `commands` is
// told of them (`save`) before anything else is asked of it, and asked (`load`) afterwards. What is not common is in
// detours.js, all other objects are in kinds.js.
//
// User code (getters, proxies, toCBOR) runs in between and may encode something itself: `walkAll` puts the state of a
// walk that is under way aside. The walk reads every property once.
import {
  COMMANDS_NBYTES, OP_ARRAY, OP_ARRAY_SHORT, OP_NUMBER_ARRAYS, OP_NUMBERS, OP_SHAPE, OP_TEXTS, OP_TEXT_RUN, OP_TEXT_RUN_SHORT, TEXT_NBYTES,
} from './abi.js';
import { bytesOf, steadyLengthOf } from './bytes.js';
import { INLINE_BYTES } from './commands.js';
import { Walk } from './detours.js';
import { DEFAULTS } from './encode-options.js';
import { CALLS_DEARLY, TRANSCODES_SLOWLY } from './engines.js';
import { f64, u8, view } from './instance.js';
import { writeBigint } from './kinds.js';
import { located, unlocated } from './paths.js';
import { isMap, isPolluted } from './plain.js';
import { AS_THEY_COME, BYTEWISE, LENGTH_FIRST, shapeOf } from './shapes.js';
import { unitAt, unitsOf } from './strings.js';
import { writeUtf8 } from './utf8.js';

/** @typedef {import('./commands.js').Commands} Commands */
/** @typedef {import('./commands.js').Mode} Mode */
/** @typedef {import('./encode-options.js').CheckedOptions} CheckedOptions */

/**
 * Text of at most so many UTF-16 units is written by a loop, if it is ASCII; at the beginning of a document longer text
 * too, so that a small one need not have any transcoded.
 */
const INLINE_UNITS = 8;
const INLINE_UNITS_AT_FIRST = 23;

/** How many bytes of commands are that beginning. */
const FIRST_NBYTES = 160;

/**
 * A loop writes other text of up to so many units, where TextEncoder is slow; and at the beginning of a document everywhere,
 * so that the only text of a small one need not be transcoded.
 */
const LOOP_UNITS = TRANSCODES_SLOWLY ? 1024 : 0;
const LOOP_UNITS_AT_FIRST = Math.max(LOOP_UNITS, CALLS_DEARLY ? 32 : 12);

/** Text that is gathered takes at most 3 bytes for each unit. */
const TEXT_UNITS = Math.floor(TEXT_NBYTES / 3);

/** Longer strings are the commands' business. */
const ROPE_UNITS = 4096;

/** What one command of those below needs at most. */
const COMMAND_MAX = 24;

/** Items are worth a run from this length of an array on. */
const RUN_MIN = 2;

/** The most numbers of an array in a run of arrays. */
const ROW_MAX = 16;

/** @type {Record<Mode, 0 | 1 | 2>} */
const ORDERS = {
  lax: AS_THEY_COME,
  strict: AS_THEY_COME,
  canonical: LENGTH_FIRST,
  ctap2: LENGTH_FIRST,
  deterministic: BYTEWISE,
  'dag-cbor': LENGTH_FIRST,
  dcbor: BYTEWISE,
};

// The walk that is under way.
/** @type {Walk} */
let walk;
/** @type {Commands} */
let commands;
let position = 0;
let limit = 0;
let text = '';
let units = 0;
/** Where the beginning of the document ends; it has ended once text is gathered. */
let firstEnd = 0;
/** Whether another walk waits for this one. */
let nested = false;
export let depth = 0;
let maxDepth = 0;
/** @type {0 | 1 | 2} */
let order = AS_THEY_COME;
/** Whether text may have to be changed before it is gathered. */
let checksText = false;
/** Whether objects may be anything but their properties. */
export let special = false;

function save() {
  commands.position = position;
  commands.text = text;
}

function load() {
  position = commands.position;
  text = commands.text;
  units = text.length;
}

/** Runs what is there. */
function flush() {
  save();
  try {
    commands.flush();
  } finally {
    load();
  }
}

/**
 * Has the commands put something themselves.
 * @param {(commands: Commands) => void} put
 */
export function put(put) {
  save();
  try {
    put(commands);
  } finally {
    load();
  }
}

// -------------------------------------------------------------------------------------------------------- scalars
//
// What is not common is in functions of its own: engines take small functions into their callers, and large ones not.

/** @param {number} byte */
export function putByte(byte) {
  if (position > limit) flush();
  u8[position++] = byte;
}

/** @param {string} string */
export function putString(string) {
  const length = unitsOf(string);
  if ((length > INLINE_UNITS && (length > INLINE_UNITS_AT_FIRST || position > firstEnd)) || position > limit) return gather(string, length);
  let at = position + 1;
  for (let i = 0; i < length; i++) {
    const unit = unitAt(string, i);
    if (unit > 0x7f) return gather(string, length);
    u8[at++] = unit;
  }
  u8[position] = 0x60 | length;
  position = at;
}

/**
 * @param {string} string
 * @param {number} length
 */
function gather(string, length) {
  if (length <= (position > firstEnd ? LOOP_UNITS : LOOP_UNITS_AT_FIRST) && !checksText) return putUnits(string, length);
  firstEnd = 0;
  if (checksText || length > 0xff) return putLongString(string, length);
  // An unpaired high surrogate at the end must not meet a low one at the beginning of the next string.
  if ((unitAt(string, length - 1) & 0xfc00) === 0xd800) return put((commands) => commands.rope(string));
  if (position > limit || units + length > TEXT_UNITS) flush();
  text += string;
  units += length;
  u8[position] = OP_TEXT_RUN_SHORT;
  u8[position + 1] = length;
  position += 2;
}

/**
 * Text by a loop.
 * @param {string} string
 * @param {number} length
 */
function putUnits(string, length) {
  if (position + 3 * length > limit) flush();
  // The head that ASCII needs.
  const head = length < 24 ? 1 : 3;
  const end = writeUtf8(u8, position + head, string, length);
  // Unpaired surrogates are the mode's business.
  if (end < 0) return put((commands) => commands.rope(string));
  const nbytes = end - position - head;
  if (nbytes < 24) {
    u8[position] = 0x60 | nbytes;
    position += 1 + nbytes;
    return;
  }
  if (head === 1) u8.copyWithin(position + 3, position + 1, end);
  u8[position] = 0x79;
  view.setUint16(position + 1, nbytes);
  position += 3 + nbytes;
}

/**
 * @param {string} string
 * @param {number} length
 */
function putLongString(string, length) {
  const endsOpen = (unitAt(string, length - 1) & 0xfc00) === 0xd800;
  if (checksText || endsOpen || length > ROPE_UNITS) return put((commands) => commands.rope(string));
  if (position > limit || units + length > TEXT_UNITS) flush();
  text += string;
  units += length;
  u8[position] = OP_TEXT_RUN;
  view.setUint32(position + 1, length, true);
  position += 5;
}

/** @param {number} number */
export function putNumber(number) {
  if (position > limit) flush();
  if (number !== (number | 0) || number === 0) return putOtherNumber(number);
  if (number > 0) {
    if (number < 24) {
      u8[position++] = number;
      return;
    }
    u8[position] = 0x1a;
    view.setUint32(position + 1, number);
  } else {
    u8[position] = 0x3a;
    view.setUint32(position + 1, ~number);
  }
  position += 5;
}

/** @param {number} number */
function putOtherNumber(number) {
  if (number === 0 && Object.is(number, 0)) {
    u8[position++] = 0;
  } else if (Number.isSafeInteger(number) && number !== 0) {
    const argument = number < 0 ? -1 - number : number;
    u8[position] = number < 0 ? 0x3b : 0x1b;
    view.setUint32(position + 1, argument / 2 ** 32);
    view.setUint32(position + 5, argument >>> 0);
    position += 9;
  } else {
    putFloat(number);
  }
}

/**
 * A number as a float, whatever its value.
 * @param {number} number
 */
export function putFloat(number) {
  if (walk.wide) return put((commands) => commands.wideDouble(number));
  if (position > limit) flush();
  u8[position] = 0xfb;
  view.setFloat64(position + 1, number);
  position += 9;
}

/**
 * An integer of 64 bits.
 * @param {bigint} integer -2^64 to 2^64 - 1
 */
export function putInteger64(integer) {
  if (position > limit) flush();
  u8[position] = integer < 0n ? 0x3b : 0x1b;
  view.setBigUint64(position + 1, integer < 0n ? ~integer : integer);
  position += 9;
}

// -------------------------------------------------------------------------------------------------------- values

/** @param {unknown} value */
export function putValue(value) {
  if (typeof value === 'string') putString(value);
  else if (typeof value === 'number') putNumber(value);
  else if (typeof value === 'object' && value !== null) putReference(value);
  else putOther(value);
}

/** @param {object} value */
function putReference(value) {
  if (special) return walk.reference(value);
  if (Array.isArray(value)) {
    return /** @type {any} */ (value).toCBOR === undefined ? putArray(value) : walk.reference(value);
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return putObject(/** @type {Record<string, unknown>} */ (value));
  if (prototype === null) return putBare(/** @type {Record<string, unknown>} */ (value));
  if (prototype === Uint8Array.prototype && ArrayBuffer.isView(value)) return putView(/** @type {Uint8Array} */ (value));
  if (prototype === Map.prototype && /** @type {any} */ (value).toCBOR === undefined && isMap(value)) {
    return walk.map(/** @type {Map<unknown, unknown>} */ (value));
  }
  walk.reference(value);
}

/** @param {unknown} value no string, number or object */
function putOther(value) {
  if (typeof value === 'boolean') return putByte(value ? 0xf5 : 0xf4);
  if (value === null) return putByte(0xf6);
  if (value === undefined) return putByte(0xf7);
  if (typeof value === 'bigint') return put((commands) => writeBigint(commands, value));
  if (walk.options.unsupported === 'skip' && depth > 0) return putByte(0xf7);
  throw unlocated('UNSUPPORTED_VALUE', `a ${typeof value}`);
}

/** @param {Uint8Array} bytes whose prototype is Uint8Array's */
function putView(bytes) {
  const length = steadyLengthOf(bytes);
  if (length < 0) putBytes(bytes);
  else putSteadyBytes(bytes, length);
}

/**
 * Puts bytes, whose kind is known or not.
 * @param {unknown} bytes a Uint8Array whose prototype is that, or anything that `bytesOf` takes
 * @param {(length: number) => void} check is told of the length
 */
export function putCheckedBytes(bytes, check) {
  const isPlain = typeof bytes === 'object' && bytes !== null && Object.getPrototypeOf(bytes) === Uint8Array.prototype && ArrayBuffer.isView(bytes);
  const length = isPlain ? steadyLengthOf(/** @type {Uint8Array} */ (bytes)) : -1;
  const steady = length < 0 ? bytesOf(bytes) : /** @type {Uint8Array} */ (bytes);
  const nbytes = length < 0 ? steady.length : length;
  check(nbytes);
  putSteadyBytes(steady, nbytes);
}

/** @param {Uint8Array} bytes */
export function putBytes(bytes) {
  const steady = bytesOf(bytes);
  putSteadyBytes(steady, steady.length);
}

/**
 * @param {Uint8Array} bytes
 * @param {number} length as `steadyLengthOf` has it
 */
function putSteadyBytes(bytes, length) {
  if (length > INLINE_BYTES) return put((commands) => commands.bytes(bytesOf(bytes)));
  if (position + length > limit) flush();
  if (length < 24) {
    u8[position++] = 0x40 | length;
    for (let i = 0; i < length; i++) u8[position + i] = bytes[i];
  } else {
    u8[position] = 0x59;
    u8[position + 1] = length >> 8;
    u8[position + 2] = length;
    position += 3;
    u8.set(bytes, position);
  }
  position += length;
}

export function enter() {
  if (depth === maxDepth) throw unlocated('DEPTH_EXCEEDED', String(depth));
  depth++;
}

/** @param {unknown[]} array */
export function putArray(array) {
  enter();
  const { length } = array;
  putArrayHead(length);
  let i = 0;
  try {
    while (i < length) {
      let value = array[i];
      if (length - i >= RUN_MIN) {
        const put = putRun(array, i, length, value);
        if (put > 0) {
          i += put;
          if (i === length) break;
          value = behindRun;
        }
      }
      putValue(value);
      i++;
    }
  } catch (error) {
    if (failedInRun >= 0) {
      i = failedInRun;
      failedInRun = -1;
    }
    throw located(error, i);
  }
  depth--;
}

export function leave() {
  depth--;
}

/**
 * The head of an array, which ends by itself behind its last item.
 * @param {number} length
 */
export function putArrayHead(length) {
  if (position > limit) flush();
  if (length >= 0 && length <= 0xff && Number.isInteger(length)) {
    u8[position] = OP_ARRAY_SHORT;
    u8[position + 1] = length;
    position += 2;
    return;
  }
  // A proxy may say anything.
  if (!Number.isInteger(length) || length < 0 || length >= 2 ** 31) throw unlocated('LENGTH_OUT_OF_RANGE', 'of an array');
  u8[position] = OP_ARRAY;
  view.setUint32(position + 1, length, true);
  position += 5;
}

// ---------------------------------------------------------------------------------------------------------- runs
//
// Items of an array that are alike go by one command. What ends a run has been read, and must not be read again.

/** The item that ended the last run. @type {unknown} */
let behindRun;
/** Where an item could not be read in a run, or -1. */
let failedInRun = -1;

/**
 * Puts items of an array in one run, if they are fit for one.
 * @param {unknown[]} array
 * @param {number} i where to begin
 * @param {number} length of the array
 * @param {unknown} value `array[i]`
 * @returns {number} how many items have been put; if there are more, and it is not 0, `behindRun` is the next one
 */
function putRun(array, i, length, value) {
  if (typeof value === 'number') return walk.wide ? 0 : putNumbers(array, i, length, value) - i;
  if (typeof value === 'string') return TRANSCODES_SLOWLY || checksText || !isForRope(value) ? 0 : putTexts(array, i, length, value) - i;
  if (Array.isArray(value) && !special && !walk.wide && depth < maxDepth) {
    const width = rowWidthOf(value);
    if (width > 0) return putNumberArrays(array, i, length, value, width) - i;
  }
  return 0;
}

/**
 * The length of an array, or 0 where that tells that it is none for a run of arrays. The run asks once: code of the user's may
 * answer otherwise the next time.
 * @param {unknown[]} array
 */
function rowWidthOf(array) {
  if (/** @type {any} */ (array).toCBOR !== undefined) return 0;
  const { length } = array;
  // A proxy may say anything.
  return length <= ROW_MAX && (length | 0) === length ? length : 0;
}

/**
 * Whether a string is one for a run.
 * @param {string} string
 */
function isForRope(string) {
  const length = unitsOf(string);
  return length > INLINE_UNITS && length <= 0xff && (unitAt(string, length - 1) & 0xfc00) !== 0xd800;
}

/**
 * Puts strings from `array[i]`, which is `string`, up to the first item that is none for the rope.
 * @param {unknown[]} array
 * @param {number} i
 * @param {number} length
 * @param {string} string
 * @returns {number} where the run ended
 */
function putTexts(array, i, length, string) {
  if (position > limit - 64 || units + 0xff > TEXT_UNITS) flush();
  const command = position;
  let at = command + 5, gathered = text, count = units;
  try {
    for (;;) {
      const nunits = unitsOf(string);
      gathered += string;
      count += nunits;
      u8[at++] = nunits;
      if (++i === length) break;
      const value = array[i];
      if (typeof value !== 'string' || at > limit || count + 0xff > TEXT_UNITS || !isForRope(value)) {
        behindRun = value;
        break;
      }
      string = value;
    }
  } catch (error) {
    failedInRun = i;
    throw error;
  }
  u8[command] = OP_TEXTS;
  view.setUint32(command + 1, at - command - 5, true);
  position = at;
  text = gathered;
  units = count;
  return i;
}

/**
 * Puts numbers from `array[i]`, which is `number`, up to the first item that is none.
 * @param {unknown[]} array
 * @param {number} i
 * @param {number} length
 * @param {number} number
 * @returns {number} where the run ended
 */
function putNumbers(array, i, length, number) {
  // Room for a few at least: their alignment takes some.
  if (position > limit - 64) flush();
  const command = position;
  const first = (command + 12) >> 3;
  const end = Math.min(first + length - i, (commands.start + COMMANDS_NBYTES) >> 3);
  let at = first;
  /** @type {unknown} */
  let value = number;
  try {
    do {
      f64[at++] = /** @type {number} */ (value);
      if (++i === length) break;
      value = array[i];
    } while (typeof value === 'number' && at < end);
  } catch (error) {
    failedInRun = i;
    throw error;
  }
  behindRun = value;
  u8[command] = OP_NUMBERS;
  view.setUint32(command + 1, at - first, true);
  position = at << 3;
  return i;
}

/**
 * Puts arrays from `array[i]`, which is `row`, up to the first item that is not an array of as many numbers.
 * @param {unknown[]} array
 * @param {number} i
 * @param {number} length
 * @param {unknown[]} row
 * @param {number} width as rowWidthOf has it
 * @returns {number} where the run ended
 */
function putNumberArrays(array, i, length, row, width) {
  // Room for a few at least.
  if (position > limit - 16 * ROW_MAX) flush();
  const command = position;
  const first = (command + 13) >> 3;
  const end = ((commands.start + COMMANDS_NBYTES) >> 3) - width;
  let at = first, column = 0;
  /** @type {unknown} */
  let value;
  try {
    for (;;) {
      for (column = 0; column < width; column++) {
        value = row[column];
        if (typeof value !== 'number') break;
        f64[at + column] = value;
      }
      if (column < width) break;
      column = -1;
      at += width;
      if (++i === length) break;
      value = array[i];
      if (at > end || !Array.isArray(value) || rowWidthOf(value) !== width) break;
      row = value;
    }
  } catch (error) {
    failedInRun = i;
    throw column < 0 ? error : located(error, column);
  }
  endNumberArrays(command, first, at, width);
  behindRun = value;
  if (column < 0) return i;
  // A row that did not go on as it began.
  try {
    putRow(row, width, Array.from(f64.subarray(at, at + column)), value);
    column = -1;
    if (++i < length) behindRun = array[i];
  } catch (error) {
    failedInRun = i;
    throw error;
  }
  return i;
}

/**
 * @param {number} command where it begins
 * @param {number} first where its numbers begin, in `f64`
 * @param {number} at and where they end
 * @param {number} width
 */
function endNumberArrays(command, first, at, width) {
  if (at === first) return;
  u8[command] = OP_NUMBER_ARRAYS;
  view.setUint32(command + 1, (at - first) / width, true);
  u8[command + 5] = width;
  position = at << 3;
}

/**
 * Puts an array that began with numbers.
 * @param {unknown[]} row
 * @param {number} width its length
 * @param {number[]} numbers that it began with
 * @param {unknown} value behind them
 */
function putRow(row, width, numbers, value) {
  enter();
  putArrayHead(width);
  for (const number of numbers) putNumber(number);
  let i = numbers.length;
  try {
    putValue(value);
    while (++i < width) putValue(row[i]);
  } catch (error) {
    throw located(error, i);
  }
  depth--;
}

/** @param {number} length */
export function putMapHead(length) {
  if (position > limit) flush();
  if (length < 24) {
    u8[position++] = 0xa0 | length;
  } else {
    u8[position] = 0xba;
    view.setUint32(position + 1, length);
    position += 5;
  }
}

/**
 * The head of a map of a shape, which ends by itself; only its values are put.
 * @param {number} number of the shape
 */
export function putShape(number) {
  if (position > limit) flush();
  u8[position] = OP_SHAPE;
  u8[position + 1] = number;
  u8[position + 2] = number >> 8;
  position += 3;
}

/** @param {string | number} key */
export function putKey(key) {
  if (typeof key === 'string') putString(key);
  else putNumber(key);
}

/**
 * An object without a prototype. V8 has these in another form, and where it has met one, it reads the properties of all objects
 * more slowly from then on.
 * @param {Record<string, unknown>} object
 */
function putBare(object) {
  const { number, keys } = shapeOf(object, order);
  if (number < 0) return walk.object(object, keys);
  enter();
  putShape(number);
  let i = 0;
  try {
    for (; i < keys.length; i++) putValue(object[keys[i]]);
  } catch (error) {
    throw located(error, keys[i]);
  }
  depth--;
}

/** @param {Record<string, unknown>} object whose prototype is Object's */
function putObject(object) {
  const { number, keys } = shapeOf(object, order);
  if (number < 0) return walk.object(object, keys);
  enter();
  putShape(number);
  let i = 0;
  try {
    if (order === AS_THEY_COME) {
      // A getter may change which keys there are: then the shape's go on to be read.
      for (const key in object) {
        if (key !== keys[i]) break;
        putValue(object[key]);
        i++;
      }
    }
    for (; i < keys.length; i++) putValue(object[keys[i]]);
  } catch (error) {
    throw located(error, keys[i]);
  }
  depth--;
}

// ------------------------------------------------------------------------------------------------------- the walk

/**
 * The walk without options, made at its first use. Only one is under way at a time, but for nested ones, which have to be
 * other walks.
 * @type {Walk | undefined}
 */
let plainWalk;

/**
 * Puts the commands of a value behind those that are there; whoever asks for it runs them.
 * @param {unknown} value
 * @param {CheckedOptions} options
 * @param {Commands} target
 * @param {(value: any) => void} [put] what puts the value, by its type if that is known
 */
export function walkValue(value, options, target, put = putValue) {
  if (walk !== undefined) return walkNested(value, options, target, put);
  try {
    begin(options, target);
    put(value);
  } finally {
    // No calls: there may be no stack left for them.
    if (commands === target) {
      target.position = position;
      target.text = text;
    }
    walk = /** @type {any} */ (undefined);
  }
}

/**
 * @param {CheckedOptions} options
 * @param {Commands} target
 */
function begin(options, target) {
  walk = options === DEFAULTS && !nested ? (plainWalk ??= new Walk(DEFAULTS)) : new Walk(options);
  walk.wrappers = 0;
  commands = target;
  limit = target.start + COMMANDS_NBYTES - COMMAND_MAX;
  depth = 0;
  maxDepth = options.maxDepth;
  firstEnd = target.start + FIRST_NBYTES;
  order = ORDERS[options.mode];
  checksText = options.mode === 'dcbor';
  special = walk.special || isPolluted();
  load();
}

/**
 * While another walk is under way.
 * @param {unknown} value
 * @param {CheckedOptions} options
 * @param {Commands} target
 * @param {(value: any) => void} put
 */
function walkNested(value, options, target, put) {
  save();
  const outerNested = nested;
  nested = true;
  const outer = { walk, commands, limit, depth, maxDepth, order, checksText, special };
  walk = /** @type {any} */ (undefined);
  try {
    walkValue(value, options, target, put);
  } finally {
    ({ walk, commands, limit, depth, maxDepth, order, checksText, special } = outer);
    firstEnd = 0;
    nested = outerNested;
    // As load, but without a call: there may be no stack left for one.
    position = commands.position;
    text = commands.text;
    units = text.length;
  }
}
