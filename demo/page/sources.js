// What stands in the text area: read by its format into bytes, and a value where it has one.

import { rangesOfDiagnostic } from './diagnostic-places.js';
import { placeItems, Places } from './items.js';
import { findJsonError } from './json-error.js';
import { placesOf, readLiteral, SourceError, TooLargeAtOnce } from './literal.js';
import { annotate, canonicalize, decode, diagnose, encode, parseDiagnostic, validate } from './wcbor.js';

/** Places are looked for in texts of at most so many units. */
const PLACES_MAX = 200_000;

/**
 * @typedef {object} Outcome
 * @property {'empty' | 'fault' | 'done'} kind
 * @property {Uint8Array} [bytes] in the mode, if it is to be converted, else as they are written
 * @property {number} [writtenLength] how many they were as written
 * @property {unknown} [value]
 * @property {boolean} [hasValue]
 * @property {number} [madeNbytes] of the typed arrays in a JavaScript value
 * @property {Places} [places] where items stand in the text
 * @property {(item: object) => import('./items.js').Range | undefined} [rangeAt] likewise by their bytes, if these are as
 *   they are written
 * @property {{ code: string, offset: number }} [broken] the mode's rule that the bytes break
 * @property {object} [fault] code, place, message, index, path
 */

/**
 * @param {string} source
 * @param {{ format: string, mode: string, convert: boolean }} options
 * @param {number} [atOnce] TooLargeAtOnce is thrown for a value of more bytes that its text does not have
 * @returns {Outcome}
 */
export function readSource(source, { format, mode, convert }, atOnce) {
  if (source.trim() === '') return { kind: 'empty' };
  let read;
  try {
    read = READERS[format](source, atOnce);
  } catch (error) {
    if (error instanceof TooLargeAtOnce) throw error;
    return { kind: 'fault', fault: sourceFault(error, source, format) };
  }
  try {
    return inMode(read, mode, convert);
  } catch (error) {
    const place = error.offset === undefined ? '' : `at byte ${error.offset.toLocaleString('en')} of the CBOR`;
    const message = error.message.replace(` at ${error.path}`, '');
    const index = error.path ? read.places.rangeOf({ path: pathIn(read.places, error.path) })?.[0] : undefined;
    return { kind: 'fault', fault: { code: error.code ?? error.name, place, message, path: error.path ?? '', index } };
  }
}

const READERS = {
  json(source) {
    const value = JSON.parse(source);
    return { value, hasValue: true, places: source.length <= PLACES_MAX ? placesOf(source) : new Places() };
  },
  literal(source, atOnce) {
    return { ...readLiteral(source, atOnce), hasValue: true };
  },
  diagnostic(source) {
    const written = parseDiagnostic(source);
    return { written, places: new Places(), rangeAt: source.length <= PLACES_MAX ? rangesAt(source, written) : undefined };
  },
  hex: readHex,
};

/** @param {Uint8Array} written what the text was parsed to, so that their items are in the same order */
function rangesAt(source, written) {
  const ranges = rangesOfDiagnostic(source);
  const heads = annotate(written).items.filter(({ type }) => type !== 'break');
  if (ranges?.length !== heads.length) return undefined;
  const byOffset = new Map(heads.map(({ offset }, i) => [offset, ranges[i]]));
  return ({ offset }) => byOffset.get(offset);
}

/** Notes the items by what leads to them, for they stand at other offsets when the document is converted. */
function noteItems(written, places, rangeAt) {
  const { items } = annotate(written);
  placeItems(items, written.length, places);
  for (const item of items) if (item.type !== 'break') places.noteItem(item, rangeAt(item));
}

/** Pairs of digits, with white space, commas, 0x and comments (# and //) between them. */
export function readHex(source) {
  const bytes = [];
  const ranges = [];
  const pattern = /(?:#|\/\/)[^\n]*|[\s,:]+|0[xX](?=[0-9a-fA-F])|[0-9a-fA-F]{2}|[^]/g;
  for (const { 0: piece, index } of source.matchAll(pattern)) {
    if (/^[0-9a-fA-F]{2}$/.test(piece)) {
      bytes.push(parseInt(piece, 16));
      ranges.push([index, index + 2]);
    } else if (!/^(?:#|\/\/|[\s,:]|0[xX])/.test(piece)) {
      throw new SourceError(/[0-9a-fA-F]/.test(piece) ? 'This byte has only one digit' : `This is no hexadecimal digit: ${piece}`, index);
    }
  }
  const rangeAt = ({ offset, headLength, length }) => {
    const end = Math.min(offset + Math.max(length, headLength), ranges.length);
    return [ranges[offset][0], ranges[end - 1][1]];
  };
  return { written: Uint8Array.from(bytes), places: new Places(), rangeAt };
}

/**
 * The bytes in the mode, or the rule that they break.
 * @returns {Outcome}
 */
function inMode(read, mode, convert) {
  const { hasValue, value, places, rangeAt } = read;
  const written = read.written ?? encode(value);
  if (read.written !== undefined) {
    const check = validate(written, { mode: 'lax' });
    if (!check.ok || check.bytesRead !== written.length) {
      const broken = check.ok ? { code: 'ERR_CBOR_TRAILING_BYTES', offset: check.bytesRead } : check;
      return { kind: 'done', bytes: written, writtenLength: written.length, places, rangeAt, broken, hasValue: false };
    }
  }
  const own = hasValue ? { hasValue, value, madeNbytes: read.madeNbytes } : decoded(written);
  if (!convert) {
    const check = validate(written, { mode });
    return { kind: 'done', bytes: written, writtenLength: written.length, places, rangeAt, broken: check.ok ? undefined : check, ...own };
  }
  const bytes = hasValue ? encode(value, { mode }) : mode === 'lax' || mode === 'strict' ? checked(written, mode) : canonicalize(written, { mode });
  const isAsWritten = bytes.length === written.length && bytes.every((byte, i) => byte === written[i]);
  if (rangeAt !== undefined && !isAsWritten) noteItems(written, places, rangeAt);
  return { kind: 'done', bytes, writtenLength: written.length, places, rangeAt: isAsWritten ? rangeAt : undefined, ...own };
}

/** In lax and strict there is nothing to convert. */
function checked(bytes, mode) {
  const check = validate(bytes, { mode });
  if (check.ok) return bytes;
  throw Object.assign(new Error(`${mode} does not allow this`), { name: check.code, code: check.code, offset: check.offset });
}

function decoded(bytes) {
  try {
    return { hasValue: true, value: decode(bytes, { mode: 'lax', replaceInvalidText: true }) };
  } catch {
    return { hasValue: false, value: undefined };
  }
}

/** A fault of the text itself. */
function sourceFault(error, source, format) {
  if (format === 'json') {
    const place = findJsonError(source);
    if (place === null) return { code: 'JSON', place: '', message: error.message };
    return { code: 'JSON syntax', place: `line ${place.line}, column ${place.column}`, message: place.message, index: place.index };
  }
  const index = error.index ?? error.offset;
  if (index === undefined) return { code: error.code ?? error.name, place: '', message: error.message };
  const before = source.slice(0, index);
  const place = `line ${before.split('\n').length}, column ${index - before.lastIndexOf('\n')}`;
  const names = { literal: 'JavaScript', diagnostic: error.code ?? 'Diagnostic notation', hex: 'Hex' };
  return { code: names[format], place, message: error.message, index };
}

/** What `$.a[0]["b c"]` leads to. */
function pathIn(places, path) {
  const steps = [...path.matchAll(/\.([^.[]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g)];
  const keys = steps.map(([, name, index, quoted]) => name ?? (index === undefined ? JSON.parse(`"${quoted}"`) : Number(index)));
  return keys.reduce((at, key) => places.inner(at, key), 0);
}

/** Each byte in hex. */
export const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** @param {string} [separator] between two bytes */
export function hexOf(bytes, separator = '') {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += i === 0 ? HEX[bytes[i]] : separator + HEX[bytes[i]];
  return text;
}

/** The document written in another format, for the format switch; undefined if it cannot be. */
export function rewrite(bytes, value, format) {
  switch (format) {
    case 'hex': return hexOf(bytes, ' ');
    case 'diagnostic': return diagnose(bytes, { indent: 2 });
    default: return JSON.stringify(value, null, 2);
  }
}
