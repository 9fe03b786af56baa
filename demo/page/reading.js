// A document as the page shows it: what becomes of its text, its items and their places, and the words for it. All of that can
// be handed from a worker to the page.

import { recordCalls } from './calls.js';
import { ownersOf, placeItems } from './items.js';
import { gzippedLength, packState } from './sharing.js';
import { readSource } from './sources.js';
import { annotate, validate } from './wcbor.js';

/** So many bytes and lines are shown; a longer document says how many more there are. */
export const SHOWN_BYTES = 4096;
export const SHOWN_ITEMS = 1500;

/** JSON names each byte of a typed array: of more bytes it is not made. */
const JSON_MADE_MAX = 1_000_000;

const text = new TextEncoder();
const count = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

/**
 * @typedef {object} Reading
 * @property {'empty' | 'fault' | 'done'} kind
 * @property {object} [fault] code, place, message, index, path
 * @property {Uint8Array} [bytes]
 * @property {object[]} [items] those that are shown, each with `source`, where it stands in the text
 * @property {number} [nitems] how many there are
 * @property {Int32Array} [owners] the index of the item of each byte that is shown
 * @property {{ code: string, offset: number }} [end] where the bytes stop being CBOR
 * @property {{ code: string, offset: number }} [broken] the rule of the mode that the bytes break
 * @property {string} [change] what the mode makes of the document, in words
 * @property {boolean} [hasValue]
 * @property {boolean} [isMeasured] whether times and calls can be had of it
 * @property {number} [jsonLength] bytes of the value in JSON, where it has any
 */

/**
 * @param {string} source
 * @param {{ format: string, mode: string, convert: boolean }} settings
 * @param {number} [atOnce] as in readSource
 * @returns {{ reading: Reading, value?: unknown, json?: Uint8Array }}
 */
export function read(source, settings, atOnce) {
  const { kind, fault, bytes, writtenLength, value, hasValue, madeNbytes = 0, places, rangeAt, broken } = readSource(source, settings, atOnce);
  if (kind !== 'done') return { reading: { kind, fault } };
  const { items, fault: end } = annotate(bytes, { sequence: true });
  const shown = items.filter(({ offset }, index) => offset < SHOWN_BYTES || index < SHOWN_ITEMS);
  const owners = ownersOf(shown, bytes.length, SHOWN_BYTES);
  placeItems(shown, bytes.length, places);
  for (const item of shown) item.source = rangeAt === undefined ? places.rangeOf(item) : rangeAt(item);
  const json = hasValue && madeNbytes <= JSON_MADE_MAX ? jsonOf(value) : undefined;
  const change = changeOf({ bytes, writtenLength, broken, mode: settings.mode });
  const reading = {
    kind, bytes, items: shown, nitems: items.length, owners, end: placeOfFault(end), broken: placeOfFault(broken), change, hasValue,
    isMeasured: hasValue && broken === undefined, jsonLength: json?.length,
  };
  return { reading, value, json };
}

const placeOfFault = (fault) => fault && { code: fault.code, offset: fault.offset };

function changeOf({ bytes, writtenLength, broken, mode }) {
  if (broken !== undefined) return `${broken.code} at byte ${broken.offset.toLocaleString('en')}: not ${mode} as it is written.`;
  if (bytes.length !== writtenLength) return `${count(writtenLength, 'byte')} as written, ${count(bytes.length, 'byte')} in ${mode}.`;
  return validate(bytes, { mode }).ok ? `As ${mode} has it.` : '';
}

function jsonOf(value) {
  try {
    const json = JSON.stringify(value);
    return json === undefined ? undefined : text.encode(json);
  } catch {
    return undefined;
  }
}

/**
 * What takes a while: the compressed sizes, and the state for the address.
 * @param {ReturnType<typeof read>} done
 * @param {string} source
 * @param {object} settings
 */
export async function weigh({ reading: { bytes }, json }, source, settings) {
  const [gzippedJson, gzippedCbor, hash] = await Promise.all([
    json && gzippedLength(json),
    bytes && gzippedLength(bytes),
    packState({ ...settings, source }),
  ]);
  return { gzippedJson, gzippedCbor, hash };
}

/**
 * The calls that write the document.
 * @param {ReturnType<typeof read>} done
 * @param {{ mode: string }} settings
 */
export function callsOf({ reading: { isMeasured, bytes }, value }, { mode }) {
  return isMeasured ? recordCalls({ value, mode, nbytes: bytes.length }) : { note: 'No document.' };
}
