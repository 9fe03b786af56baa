// JSON text to CBOR and back, inside the module: no value is ever built.
import { JSON_IS_UTF8, MODES, RESULT_OFFSET, STATUS_NAMES } from './abi.js';
import { bytesOf } from './bytes.js';
import { CborError } from './errors.js';
import { crossed, u8, wasm } from './instance.js';
import { checkReadOptions, checkWriteOptions } from './json-options.js';
import { result, takeBytes, takeText, withBytes, withText } from './module-bytes.js';
import { isNormalized } from './nfc.js';

/** @typedef {import('./json-options.js').JsonToCborOptions} JsonToCborOptions */
/** @typedef {import('./json-options.js').CborToJsonOptions} CborToJsonOptions */
/** @typedef {import('./json-options.js').Checked} Checked */

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * What is wrong with a JSON text, and where: line and column count from 1, the column in UTF-16 units.
 * @param {string} name
 * @param {number} address of the text
 * @param {number} nbytes
 * @param {number} offset
 */
function jsonError(name, address, nbytes, offset) {
  const before = u8.subarray(address, address + offset);
  let line = 1;
  for (let at = before.indexOf(0x0a); at >= 0; at = before.indexOf(0x0a, at + 1)) line++;
  const column = decoder.decode(before.slice(before.lastIndexOf(0x0a) + 1)).length + 1;
  const incomplete = name === 'INVALID_JSON' && offset === nbytes;
  const detail = `${incomplete ? 'it ends too early, ' : ''}line ${line}, column ${column}`;
  return Object.assign(new CborError(name, { offset, detail }), { line, column, incomplete });
}

/**
 * Whether a string has no unpaired surrogates.
 * @param {string} text
 */
function isWellFormed(text) {
  const { isWellFormed: native } = /** @type {any} */ (String.prototype);
  if (native !== undefined) return native.call(text);
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Checked} options
 * @param {number} flags
 * @returns {(address: number, nbytes: number) => Uint8Array<ArrayBuffer>}
 */
function reading({ mode, maxDepth, maxNbytes, form }, flags) {
  return (address, nbytes) => {
    const status = wasm.wcbor_json_read(address, nbytes, MODES[mode], form | flags, maxDepth, maxNbytes);
    crossed();
    if (status !== 0) throw jsonError(STATUS_NAMES[status], address, nbytes, result(RESULT_OFFSET));
    const bytes = takeBytes();
    if (mode === 'dcbor' && !isNormalized(bytes)) throw new CborError('NOT_NFC');
    return bytes;
  };
}

/**
 * Makes CBOR of a JSON text (RFC 8259) without building its value: what `encode(JSON.parse(json))` gives, but that integers
 * beyond 2^53 stay exact (as bignums beyond 64 bits), that names keep the text's order in lax and strict even where they
 * look like integers, and that a name that comes again is written again in lax and refused elsewhere.
 *
 * A string, or UTF-8 without a byte order mark. Ill-formed UTF-8 and unpaired surrogates become U+FFFD in lax and are
 * refused elsewhere. In dcbor text that is not in Unicode NFC is refused (ERR_CBOR_NOT_NFC).
 *
 * @param {string | Uint8Array | ArrayBuffer | DataView} json
 * @param {JsonToCborOptions} [options]
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {CborError} with `offset` (in bytes of UTF-8), `line` and `column` (from 1, in UTF-16 units): ERR_CBOR_INVALID_JSON,
 *   with `incomplete` true when the text is only cut short; ERR_CBOR_DEPTH_EXCEEDED, ERR_CBOR_LIMIT_EXCEEDED (`maxBytes`, and
 *   integers of more than 4,096 digits), ERR_CBOR_DUPLICATE_KEY, ERR_CBOR_INVALID_TEXT, and what else the mode refuses
 */
export function jsonToCbor(json, options) {
  const checked = checkReadOptions(options);
  if (typeof json !== 'string') return withBytes(bytesOf(json), reading(checked, 0));
  if (checked.mode !== 'lax' && !isWellFormed(json)) throw new CborError('INVALID_TEXT');
  return withText(json, reading(checked, JSON_IS_UTF8));
}

/**
 * Makes a JSON text of CBOR without building its value: what `JSON.stringify(decode(bytes))` gives, but that integers
 * beyond 2^53 keep all their digits and that what JSON cannot say becomes what RFC 8949, section 6.1, advises. Byte strings
 * are base64url, or what tags 21 to 23 say (base64url, base64, base16 in upper case); bignums base64url; NaN, infinities,
 * undefined and other simple values null; of other tags only the content is written.
 *
 * @param {Uint8Array | ArrayBuffer | DataView} bytes exactly one item
 * @param {CborToJsonOptions} [options]
 * @returns {string | Uint8Array<ArrayBuffer>} with `output: 'bytes'` UTF-8
 * @throws {CborError} with `offset`: what `decode` of the same mode refuses; ERR_CBOR_NOT_IN_JSON as the options have it;
 *   ERR_CBOR_INVALID_UTF8 in any mode; ERR_CBOR_DUPLICATE_KEY where two keys become the same string, outside lax;
 *   ERR_CBOR_LIMIT_EXCEEDED (`maxBytes`, and bignums of more than 1,700 bytes as numbers or strings); without an offset
 *   ERR_CBOR_OUT_OF_MEMORY, of a text that is longer than the engine's strings can be, too
 */
export function cborToJson(bytes, options) {
  const { mode, maxDepth, maxNbytes, form, asBytes } = checkWriteOptions(options);
  const input = bytesOf(bytes);
  const output = withBytes(input, (address, nbytes) => {
    const status = wasm.wcbor_json_write(address, nbytes, MODES[mode], form, maxDepth, maxNbytes);
    crossed();
    if (status !== 0) throw new CborError(STATUS_NAMES[status], { offset: result(RESULT_OFFSET) });
    return asBytes ? takeBytes() : takeText();
  });
  if (mode === 'dcbor' && !isNormalized(input)) throw new CborError('NOT_NFC');
  return output;
}
