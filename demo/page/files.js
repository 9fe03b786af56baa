// Dropped files: what kind of document each is, by the end of its name, or else by what is in it.

import { readHex } from './sources.js';
import { parseDiagnostic } from './wcbor.js';

/** The format of a text, by the end of the file's name. */
export const FORMATS = { json: 'json', js: 'literal', mjs: 'literal', edn: 'diagnostic', diag: 'diagnostic', hex: 'hex' };

/** Files that hold CBOR itself. */
const BINARY = ['cbor', 'cborseq', 'cbs', 'cose', 'cwt', 'dag-cbor', 'dagcbor', 'car', 'bin', 'dat'];

const LARGEST = 8_000_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const isOfControls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** A file that cannot be taken; the message says why. */
export class FileError extends Error {}

/**
 * @param {File} file
 * @returns {Promise<{ format: string, text?: string, bytes?: Uint8Array }>} a text and its format, or bytes, for which the
 *   format is hex
 * @throws {FileError}
 */
export async function readFile(file) {
  if (file.size > LARGEST) throw new FileError(`${file.name} is larger than ${LARGEST.toLocaleString('en')} bytes.`);
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new FileError(`${file.name} cannot be read. A folder, perhaps?`);
  }
  const extension = /\.([^.]+)$/.exec(file.name)?.[1].toLowerCase();
  if (BINARY.includes(extension)) return { format: 'hex', bytes };
  const text = textOf(bytes);
  const format = Object.hasOwn(FORMATS, extension ?? '') ? FORMATS[extension] : undefined;
  if (text === undefined) {
    if (format !== undefined) throw new FileError(`${file.name} is not UTF-8 text.`);
    return { format: 'hex', bytes };
  }
  if (format !== undefined) return { format, text };
  return isOfControls.test(text) ? { format: 'hex', bytes } : { format: formatOf(text), text };
}

/** Undefined for what is no UTF-8. */
function textOf(bytes) {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** JSON where it is nothing else, for its errors say where they are. */
function formatOf(text) {
  const readers = { json: JSON.parse, hex: readHex, diagnostic: parseDiagnostic };
  const format = Object.keys(readers).find((name) => {
    try {
      readers[name](text);
      return true;
    } catch {
      return false;
    }
  });
  return format ?? 'json';
}
