// From the tape to values (wasm/tape.h): one function for each thing that an entry may begin, whose state is in variables
// of this module: where the next entry is, the next double, the next text. What most documents are made of is here, where
// engines make one piece of machine code of it; tape-scalars.js, tape-strings.js, tape-maps.js and tape-structs.js have the
// rest, and change the state only by calls.
//
// User code (tag decoders) runs in between and may decode something itself: `around` puts the state aside meanwhile, and
// each level of that has a tape of its own.
import {
  CAST_BIGINT, CAST_ENCODED, CAST_PLACE, NAME_KEYS_MAX, NAME_KEY_NBYTES, NAME_NODES_MAX, STRUCT_LOOSE, STRUCT_WHOLE,
  TAPE_ANY_MAP, TAPE_ARRAY, TAPE_ASCII_NBYTES, TAPE_BYTES, TAPE_BYTES_NBYTES, TAPE_CAST, TAPE_CHUNKS, TAPE_DOUBLE,
  TAPE_DOUBLES, TAPE_END, TAPE_EPOCH, TAPE_FAULT, TAPE_INT, TAPE_INT32, TAPE_INTS, TAPE_ITEMS, TAPE_KEY,
  TAPE_KNOWN_STRING, TAPE_LIMIT, TAPE_LONG_BYTES, TAPE_LONG_STRING, TAPE_LONG_TAG, TAPE_MAP, TAPE_MORE, TAPE_NEGATIVE,
  TAPE_NEW_STRING, TAPE_NSLOTS, TAPE_OBJECT, TAPE_OPEN_ARRAY, TAPE_OPEN_MAP, TAPE_SHAPE, TAPE_SIMPLE, TAPE_SLOT_BITS,
  TAPE_STRING, TAPE_STRUCT, TAPE_TAG, TAPE_TEXT_MAX, TAPE_UNFINISHED, TAPE_UNSIGNED, TAPE_WIDE_NUNITS,
  TAPE_WIDE_STRING,
} from './abi.js';
import { crossed, f64, i32, refresh, u32, u8, wasm } from './instance.js';
import { beyondLimit, forgetRefused } from './refusals.js';
import { isInherited, lookAtPrototype, roomy, setProperty } from './objects.js';
import { Maker, keysOf, lengthOf } from './tape-makers.js';
import { readAnyMap, readMap } from './tape-maps.js';
import { TapeFailure, keyBytes, keys } from './tape-memory.js';
import { longInteger, readSimple } from './tape-scalars.js';
import { admitBytes, copyOf, readChunks, readLongBytes, readLongString } from './tape-strings.js';
import { readLoose } from './tape-structs.js';
import { decodeAscii, decodeText, decodeWide, short } from './module-text.js';
import { EncodedCbor } from './values.js';

/** @typedef {import('./decode-options.js').CheckedOptions} CheckedOptions */
/** @typedef {import('./tape-memory.js').Tape} Tape */

export const OP = 0x1f;
export const SHIFT = 5;

/** From so many bytes of text in a run on they are decoded together. */
const TEXT_MIN = 48;

/** What an item is taken to need, with its part of the container that it is in. */
const ITEM_NBYTES = 64;

// What is known here of the tables that all tapes share.
let epoch = -1;
/** Keys by number. @type {string[]} */
let names = [];
/** Text by slot. @type {string[]} */
let slotTexts = [];
/** Makers of objects by the number of their list of keys; the same that generate code; and those that the options ask for. */
/** @type {(Maker | null | undefined)[]} */
let plainMakers = [];
/** @type {(Maker | null | undefined)[]} */
let generatingMakers = [];
let makers = plainMakers;
/** Objects that they have made. */
let nmade = 0;

/**
 * An array for whatever comes in any order, which engines would take for a sparse one.
 * @param {number} length
 * @returns {any[]}
 */
function table(length) {
  return new Array(length).fill(undefined);
}

// The tape that is being read.
/** @type {Tape} */
let tape;
/** @type {CheckedOptions} */
export let options = /** @type {any} */ (undefined);
/** What tags become. @type {import('./decode-tags.js').Untag} */
let untag;
/** The caller's input, and where in it the item begins. @type {Uint8Array} */
export let source;
export let sourceStart = 0;
/** Where the module's copy of the item begins. */
export let input = 0;
let at = 0;
let doubleAt = 0;
/** Whether all ASCII text of the run is in `text`; else `asciiAt` is an address. */
let isDecoded = false;
let text = '';
let asciiAt = 0;
let wide = '';
let wideAt = 0;
/** The byte strings of the run, once one of them has been asked for. @type {ArrayBuffer | undefined} */
let slab;
let slabAt = 0;
/** Whether all maps become a Map. */
export let onlyMaps = false;
/** @type {Map<number, string> | undefined} */
export let keyMap;
/** Whether a map of text keys is read as a Map at first. */
export let keepsMaps = false;
export let isLax = false;
/**
 * A length is only a claim until the items have been seen. All arrays of an honest document together have no more items than
 * it has bytes; so many places are made ahead.
 */
let claims = 0;
export let isLimited = false;
/** Longer text is none of the tape's. */
let textMax = 0;
export let bytesMax = 0;
/** Bytes that values take, besides what items take at least. */
let memory = 0;
/** Tags that have been met in the document. */
export let ntags = 0;
/** By a plan, where the tagged item began that was met last. */
export let taggedAt = 0;
/** Structs by number. @type {import('./struct-decode.js').Layout[]} */
let layouts = [];
const NO_LAYOUTS = layouts;

/**
 * Takes what a run has left.
 * @param {number} status
 */
function take(status) {
  crossed();
  refresh();
  if (status !== 0 && status !== TAPE_UNFINISHED) throw new TapeFailure(status, u32[tape.field + (TAPE_FAULT >> 2)]);
  at = tape.entries;
  doubleAt = tape.doubles;
  slab = undefined;
  const { field } = tape;
  const nascii = u32[field + (TAPE_ASCII_NBYTES >> 2)];
  const nwide = u32[field + (TAPE_WIDE_NUNITS >> 2)];
  if (isLimited) limit(nascii + nwide);
  if (nascii < TEXT_MIN) {
    isDecoded = false;
    asciiAt = tape.ascii;
  } else {
    isDecoded = true;
    asciiAt = 0;
    text = decodeAscii(tape.ascii, tape.ascii + nascii);
  }
  if (nwide !== 0) {
    wideAt = 0;
    wide = decodeWide(tape.wide, tape.wide + 2 * nwide);
  }
}

/**
 * Checks the limits on the document as a whole.
 * @param {number} ntext bytes of text in the run
 */
function limit(ntext) {
  const { limits } = options;
  const nitems = u32[tape.field + (TAPE_ITEMS >> 2)];
  if (nitems > limits.items) throw beyondLimit('items', limits.items);
  use(2 * ntext);
}

/**
 * Counts memory besides what items take.
 * @param {number} nbytes
 */
export function use(nbytes) {
  memory += nbytes;
  const nitems = u32[tape.field + (TAPE_ITEMS >> 2)];
  if (memory + ITEM_NBYTES * nitems > options.limits.memory * Math.max(1024, source.length)) {
    throw beyondLimit('memory', options.limits.memory);
  }
}

/** Goes on behind the end of a run. */
function more() {
  take(wasm.wcbor_decode_run(tape.address));
}

/** The next entry, wherever it is. */
export function entry() {
  for (;;) {
    const v = i32[at++];
    if (v !== TAPE_MORE) return v;
    more();
  }
}

/** What stands behind an entry in the same run: its operand, or the entry of the value behind a key. */
export function operand() {
  return i32[at++];
}

// ----------------------------------------------------------------------------------------------------------- text

/** @param {number} n */
function readString(n) {
  if (isDecoded) return text.slice(asciiAt, (asciiAt += n));
  const string = short(asciiAt, n);
  asciiAt += n;
  return string;
}

/**
 * A text that the run has given a slot. It is no piece of `text`, which would live as long.
 * @param {number} v
 */
function newSlotText(v) {
  const n = v >>> (SHIFT + TAPE_SLOT_BITS);
  const string = short(isDecoded ? tape.ascii + asciiAt : asciiAt, n);
  asciiAt += n;
  return (slotTexts[(v >>> SHIFT) & (TAPE_NSLOTS - 1)] = string);
}

/**
 * The text of a key.
 * @param {number} number
 */
export function nameOf(number) {
  return names[number] ?? newName(number);
}

/**
 * The text of a key that is met for the first time here.
 * @param {number} number
 */
function newName(number) {
  const key = keys + number * NAME_KEY_NBYTES;
  const begin = keyBytes + 4 * (u8[key] | (u8[key + 1] << 8));
  const string = decodeText(begin + (u8[begin] < 0x78 ? 1 : 2), begin + u8[key + 2]);
  // What is here may be assigned to. As the name of a property, it is the very string that engines compare by its address.
  return isInherited(string) ? string : (names[number] = Object.keys({ [string]: 0 })[0]);
}

/** @param {number} nbytes */
function readBytes(nbytes) {
  admitBytes(nbytes);
  if (slab === undefined) {
    slab = copyOf(tape.bytes, u32[tape.field + (TAPE_BYTES_NBYTES >> 2)]).buffer;
    slabAt = 0;
  }
  const bytes = new Uint8Array(slab, slabAt, nbytes);
  slabAt += nbytes;
  return bytes;
}

// --------------------------------------------------------------------------------------------------------- values

/**
 * The value that begins with an entry.
 * @param {number} v
 * @returns {any}
 */
export function readValue(v) {
  switch (v & OP) {
    case TAPE_INT: return v >> SHIFT;
    case TAPE_STRING: return readString(v >>> SHIFT);
    case TAPE_KNOWN_STRING: return slotTexts[v >>> SHIFT];
    case TAPE_NEW_STRING: return newSlotText(v);
    case TAPE_KEY: return names[v >>> SHIFT] ?? newName(v >>> SHIFT);
    case TAPE_SIMPLE: return readSimple(v >>> SHIFT);
    case TAPE_DOUBLE: return f64[doubleAt++];
    case TAPE_OBJECT: return readObject(v >>> SHIFT);
    case TAPE_ARRAY: return readArray(v >>> SHIFT);
    case TAPE_WIDE_STRING: return wide.slice(wideAt, (wideAt += v >>> SHIFT));
    case TAPE_LONG_STRING: return readLongString(v);
    case TAPE_BYTES: return readBytes(v >>> SHIFT);
    case TAPE_LONG_BYTES: return readLongBytes();
    case TAPE_INT32: return i32[at++];
    case TAPE_MAP: return readMap(v >>> SHIFT);
    case TAPE_ANY_MAP: return readAnyMap(v >>> SHIFT);
    case TAPE_OPEN_ARRAY: return readArray(Infinity);
    case TAPE_OPEN_MAP: return v >>> SHIFT === 1 ? readMap(Infinity) : readAnyMap(Infinity);
    case TAPE_CHUNKS: return readChunks(v >>> SHIFT === 3);
    case TAPE_TAG:
    case TAPE_LONG_TAG: return readTagged(v);
    case TAPE_UNSIGNED:
    case TAPE_NEGATIVE:
      at += 2;
      return longInteger((at - 2) << 2, (v & OP) === TAPE_NEGATIVE);
    case TAPE_SHAPE: return readShape(v >>> SHIFT);
    case TAPE_STRUCT: return readStruct(v >>> SHIFT);
    case TAPE_CAST: return readCast(v >>> SHIFT);
    case TAPE_MORE:
      more();
      return readValue(i32[at++]);
    default: throw new Error(`wcbor: entry ${v} of a tape`);
  }
}

/** @param {number} length or Infinity, up to TAPE_END */
function readArray(length) {
  if (length > claims) return fillArray([], length);
  claims -= length;
  // Points and the like.
  if (length === 2 && i32[at] === ((2 << SHIFT) | TAPE_DOUBLES)) {
    at++;
    doubleAt += 2;
    return [f64[doubleAt - 2], f64[doubleAt - 1]];
  }
  if (length === 3 && i32[at] === ((3 << SHIFT) | TAPE_DOUBLES)) {
    at++;
    doubleAt += 3;
    return [f64[doubleAt - 3], f64[doubleAt - 2], f64[doubleAt - 1]];
  }
  return fillArray(new Array(length), length);
}

/**
 * @param {unknown[]} array
 * @param {number} length
 */
export function fillArray(array, length) {
  for (let i = 0; i < length; ) {
    const v = i32[at++];
    switch (v & OP) {
      case TAPE_INT:
        array[i++] = v >> SHIFT;
        break;
      case TAPE_STRING:
        array[i++] = readString(v >>> SHIFT);
        break;
      case TAPE_KNOWN_STRING:
        array[i++] = slotTexts[v >>> SHIFT];
        break;
      case TAPE_SHAPE:
        array[i++] = readShape(v >>> SHIFT);
        break;
      case TAPE_STRUCT:
        array[i++] = readStruct(v >>> SHIFT);
        break;
      case TAPE_ARRAY:
        array[i++] = readArray(v >>> SHIFT);
        break;
      case TAPE_INTS:
        fillInts(array, i, v >>> SHIFT);
        i += v >>> SHIFT;
        break;
      case TAPE_DOUBLES:
        fillDoubles(array, i, v >>> SHIFT);
        i += v >>> SHIFT;
        break;
      case TAPE_MORE:
        more();
        break;
      case TAPE_END:
        return array;
      default:
        array[i++] = readValue(v);
    }
  }
  return array;
}

/**
 * @param {unknown[]} array
 * @param {number} i
 * @param {number} count
 */
function fillInts(array, i, count) {
  const numbers = i32;
  let from = at;
  at += count;
  for (const end = i + count; i < end; i++) array[i] = numbers[from++];
}

/**
 * @param {unknown[]} array
 * @param {number} i
 * @param {number} count
 */
function fillDoubles(array, i, count) {
  const numbers = f64;
  let from = doubleAt;
  doubleAt += count;
  for (const end = i + count; i < end; i++) array[i] = numbers[from++];
}

/**
 * A map whose keys are all text, no two alike except in lax.
 * @param {number} length
 * @returns {object}
 */
function readObject(length) {
  if (keepsMaps) return readMap(length);
  return fillObject((i32[at] & OP) === TAPE_KEY ? roomy(length) : {}, length);
}

/**
 * @param {Record<string, unknown>} object
 * @param {number} length
 */
export function fillObject(object, length) {
  for (; length > 0; length--) {
    const k = i32[at++];
    const name = (k & OP) === TAPE_KEY ? names[k >> SHIFT] : undefined;
    if (name !== undefined) {
      const v = i32[at++];
      switch (v & OP) {
        case TAPE_INT:
          object[name] = v >> SHIFT;
          break;
        case TAPE_KNOWN_STRING:
          object[name] = slotTexts[v >>> SHIFT];
          break;
        default:
          object[name] = readValue(v);
      }
    } else {
      // Where a run has ended, the key may be a known one after all.
      const text = readValue(k);
      setProperty(object, text, readValue(i32[at++]));
    }
  }
  return object;
}

/**
 * Calls code that may decode something itself.
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
export function around(call) {
  const state = {
    tape, options, untag, source, sourceStart, input, at, doubleAt, isDecoded, text, asciiAt, wide, wideAt, slab, slabAt,
    ntags, taggedAt, layouts, memory, claims,
  };
  try {
    return call();
  } finally {
    ({
      tape, options, untag, source, sourceStart, input, at, doubleAt, isDecoded, text, asciiAt, wide, wideAt, slab, slabAt,
      ntags, taggedAt, layouts, memory, claims,
    } = state);
    settle();
  }
}

/** What the options come to. */
function settle() {
  onlyMaps = options.maps === 'map';
  keyMap = options.keyMap;
  if (options.codeGeneration && generatingMakers.length === 0) generatingMakers = table(NAME_NODES_MAX);
  makers = options.codeGeneration ? generatingMakers : plainMakers;
  keepsMaps = onlyMaps || keyMap !== undefined;
  isLax = options.mode === 'lax';
  const { items, textLength, bytesLength, memory: times } = options.limits;
  isLimited = items !== Infinity || times !== Infinity;
  bytesMax = bytesLength;
  textMax = Math.min(textLength, TAPE_TEXT_MAX);
}

/**
 * @param {number} v
 * @returns {number | bigint}
 */
function readTag(v) {
  ntags++;
  if ((v & OP) === TAPE_TAG) return v >>> SHIFT;
  const low = u32[at++];
  const high = u32[at++];
  return high < 2 ** 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
}

/**
 * @param {number} v the entry of the outermost tag
 */
function readTagged(v) {
  const tags = [];
  do {
    tags.push(readTag(v));
    v = entry();
  } while ((v & OP) === TAPE_TAG || (v & OP) === TAPE_LONG_TAG);
  return untag(tags, v);
}

/**
 * An object of a list of keys.
 * @param {number} node
 */
function readShape(node) {
  const maker = makers[node];
  if (maker !== undefined && maker !== null) return made(maker);
  // A list that may never come again is read from the tape.
  if (maker === undefined) return readFirst(node);
  // The module leaves __proto__ out.
  return made((makers[node] = new Maker(keysOf(node), options.codeGeneration, nmade)));
}

/** @param {number} node of a list that comes for the first time */
function readFirst(node) {
  makers[node] = null;
  const length = lengthOf(node);
  return fillObject(roomy(length), length);
}

/**
 * An object whose values stand behind their keys on the tape.
 * @param {Maker} maker
 */
function made(maker) {
  if (maker.make !== undefined) return maker.make();
  nmade++;
  if (--maker.patience === 0) maker.settle(nmade);
  const object = roomy(maker.length);
  const { keys, more } = maker;
  maker.fill(object, keys, keys.length);
  for (let i = 0; i < more.length; i++) more[i].fill(object, more[i].keys, more[i].keys.length);
  return object;
}

/** The value behind a key of a shape. */
export function readShaped() {
  const v = i32[at + 1];
  at += 2;
  switch (v & OP) {
    case TAPE_INT: return v >> SHIFT;
    case TAPE_KNOWN_STRING: return slotTexts[v >>> SHIFT];
    case TAPE_STRING: return readString(v >>> SHIFT);
    default: return readValue(v);
  }
}

/**
 * Like fillShaped, whatever the names.
 * @param {Record<string, unknown>} object
 * @param {string[]} keys
 * @param {number} length
 */
export function fillInherited(object, keys, length) {
  for (let i = 0; i < length; i++) setProperty(object, keys[i], readShaped());
}

/**
 * Gives an object properties whose values stand behind their keys: a filler (fillers.js) for any keys.
 * @param {Record<string, unknown>} object
 * @param {string[]} keys
 * @param {number} length
 */
export function fillShaped(object, keys, length) {
  for (let i = 0; i < length; i++) {
    const v = i32[at + 1];
    at += 2;
    switch (v & OP) {
      case TAPE_INT:
        object[keys[i]] = v >> SHIFT;
        break;
      case TAPE_KNOWN_STRING:
        object[keys[i]] = slotTexts[v >>> SHIFT];
        break;
      default:
        object[keys[i]] = readValue(v);
    }
  }
}

// -------------------------------------------------------------------------------------------------------- structs

/** @param {number} v number and state of a struct */
function readStruct(v) {
  const layout = layouts[v >>> 2];
  at++;
  if ((v & 3) === STRUCT_WHOLE) return made(layout.maker);
  return (v & 3) === STRUCT_LOOSE ? readLoose(layout, i32[at - 1]) : fillOrdered(layout);
}

/** @param {import('./struct-decode.js').Layout} layout */
function fillOrdered({ properties }) {
  const object = roomy(properties.length);
  for (let k = i32[at++]; k !== TAPE_END; k = i32[at++]) {
    const v = i32[at++];
    switch (v & OP) {
      case TAPE_INT:
        object[properties[k >>> SHIFT]] = v >> SHIFT;
        break;
      case TAPE_KNOWN_STRING:
        object[properties[k >>> SHIFT]] = slotTexts[v >>> SHIFT];
        break;
      default:
        object[properties[k >>> SHIFT]] = readValue(v);
    }
  }
  return object;
}

/**
 * A value of which the plan says more.
 * @param {number} cast
 */
function readCast(cast) {
  if (cast === CAST_ENCODED) {
    const begin = input + i32[at++];
    return new EncodedCbor(u8.slice(begin, begin + i32[at++]));
  }
  if (cast === CAST_PLACE) {
    taggedAt = i32[at++];
    return readValue(i32[at++]);
  }
  const value = readValue(i32[at++]);
  if (cast === CAST_BIGINT) return BigInt(value);
  // An empty map does not tell what kind of keys it has.
  return value instanceof Map ? value : new Map();
}

// ------------------------------------------------------------------------------------------------------ documents

/**
 * The value of one item.
 * @param {Tape} ofTape
 * @param {number} address of the module's copy of the item
 * @param {number} nbytes
 * @param {Uint8Array} bytes what was copied
 * @param {number} start where in it the item begins
 * @param {number} flags TAPE_... of abi.js
 * @param {CheckedOptions} withOptions
 * @param {import('./decode-tags.js').Untag} withUntag
 * @param {import('./struct-plan.js').Plan} [plan]
 * @throws {TapeFailure} when the module refuses it
 */
export function readTape(ofTape, address, nbytes, bytes, start, flags, withOptions, withUntag, plan) {
  tape = ofTape;
  input = address;
  source = bytes;
  sourceStart = start;
  untag = withUntag;
  if (options !== withOptions) {
    options = withOptions;
    settle();
  }
  ntags = 0;
  forgetRefused();
  layouts = plan === undefined ? NO_LAYOUTS : plan.layouts;
  memory = 0;
  claims = nbytes;
  u32[tape.field + (TAPE_LIMIT >> 2)] = textMax;
  take(wasm.wcbor_decode_start(tape.address, input, nbytes, flags, options.maxDepth, plan === undefined ? 0 : plan.address));
  const now = u32[tape.field + (TAPE_EPOCH >> 2)];
  if (now !== epoch) {
    epoch = now;
    lookAtPrototype();
    if (slotTexts.length === 0) slotTexts = table(TAPE_NSLOTS);
    names = table(NAME_KEYS_MAX);
    plainMakers = table(NAME_NODES_MAX);
    generatingMakers = [];
    settle();
  }
  return readValue(i32[at++]);
}

/** Forgets all texts by slot, here and in the module: a tape was not read to its end. */
export function forgetTexts() {
  slotTexts.fill(/** @type {any} */ (undefined));
  wasm.wcbor_decode_forget();
  crossed();
}
