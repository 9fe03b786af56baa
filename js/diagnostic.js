// Diagnostic notation (RFC 8949, section 8; RFC 8610, appendix G), and items encoded again.
import { DIAGNOSTIC_CONVERT, DIAGNOSTIC_EMBEDDED, DIAGNOSTIC_SEQUENCE, MODES, RESULT_OFFSET, STATUS_NAMES } from './abi.js';
import { bytesOf } from './bytes.js';
import { checkDiagnosticOptions } from './diagnostic-options.js';
import { CborError, typeError } from './errors.js';
import { crossed, u8, wasm } from './instance.js';
import { result, takeBytes, takeText, withBytes } from './module-bytes.js';
import { isNormalized, normalized } from './nfc.js';

/** @typedef {import('./encode-options.js').Mode} Mode */

/**
 * @typedef {object} DiagnoseOptions
 * @property {number} [indent] columns for each level of a text with one item to a line, up to 16; 0, the default, puts all in
 *   one line
 * @property {'auto' | 'always' | 'never'} [indicators] encoding indicators (1_0, 1.5_3, [_1 2]): where an item is not encoded in
 *   the preferred way (RFC 8949, section 4.1), which is the default; everywhere; nowhere
 * @property {boolean} [sequence] any number of items, none too (RFC 8742), instead of one
 * @property {boolean} [embedded] what tags 24 and 63 stand on is shown as `<<items>>`, if it is well-formed
 * @property {number} [maxDepth] how deep containers may nest; 1000 by default
 * @property {boolean} [strict] a fault is thrown instead of shown
 */

const INDICATORS = { auto: 0, always: 1, never: 2 };

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** @param {{ sequence: boolean, embedded?: boolean }} options */
function flagsOf({ sequence, embedded }) {
  return (sequence ? DIAGNOSTIC_SEQUENCE : 0) | (embedded ? DIAGNOSTIC_EMBEDDED : 0);
}

/**
 * `diagnose` of bytes that begin at `offset` in a longer input.
 * @param {Uint8Array} bytes as from `bytesOf`
 * @param {import('./diagnostic-options.js').Checked} options
 * @param {number} offset
 * @returns {{ text: string, fault: CborError | undefined }}
 */
export function diagnoseFrom(bytes, options, offset) {
  const { indent, indicators, maxDepth } = options;
  return withBytes(bytes, (address, nbytes) => {
    const status = wasm.wcbor_to_diagnostic(address, nbytes, flagsOf(options), maxDepth, INDICATORS[indicators], indent, offset);
    crossed();
    const name = STATUS_NAMES[status];
    if (name === 'OUT_OF_MEMORY') throw new CborError(name);
    const fault = status === 0 ? undefined : new CborError(name, { offset: result(RESULT_OFFSET) });
    return { text: takeText(), fault };
  });
}

/**
 * Diagnostic notation of encoded items. Bytes that are not well-formed give the text up to the fault, which then stands in a
 * comment: `[1, / ERR_CBOR_UNEXPECTED_END at 2 /`. A length that the bytes cannot hold is marked behind its item, and so is
 * text that is not UTF-8, with U+FFFD in it; what follows is shown all the same.
 *
 * @param {Uint8Array | ArrayBuffer | DataView} bytes
 * @param {DiagnoseOptions} [options]
 * @returns {string} what `parseDiagnostic` makes the same bytes of, unless there is a fault
 * @throws {CborError} with `strict`: the first fault, and its `offset`
 */
export function diagnose(bytes, options) {
  const checked = checkDiagnosticOptions(options, ['indent', 'indicators', 'sequence', 'embedded', 'maxDepth', 'strict']);
  const { text, fault } = diagnoseFrom(bytesOf(bytes), checked, 0);
  if (checked.strict && fault !== undefined) throw fault;
  return text;
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} offset in UTF-16 units
 */
function textError(name, text, offset) {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const error = new CborError(name, { offset, detail: `line ${line}, column ${column}` });
  return Object.assign(error, { line, column });
}

/**
 * The bytes that diagnostic notation stands for: each item as its encoding indicators say, else in the preferred way. All of
 * RFC 8949, section 8, and RFC 8610, appendix G, is taken: comments (`/ /`, also `#` and `//` up to the end of the line),
 * trailing commas, numbers in base 2, 8, 10 and 16, floats in base 10 and 16, byte strings as h'', b32'', h32'', b64'' and '',
 * embedded items, and strings that are concatenated by standing side by side or with `+` between them.
 *
 * @param {string} text
 * @param {{ mode?: Mode, sequence?: boolean, maxDepth?: number }} [options] `sequence`: any number of items, separated by
 *   commas, instead of one; `mode`: the items are then encoded again in that mode's form, as `canonicalize` does it
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {CborError} ERR_CBOR_INVALID_DIAGNOSTIC and ERR_CBOR_DEPTH_EXCEEDED with `offset` (an index in the text), `line` and
 *   `column` (counted from 1); with `mode`, what `canonicalize` throws
 */
export function parseDiagnostic(text, options) {
  if (typeof text !== 'string') throw typeError('ARGUMENT_TYPE', 'text must be a string');
  const checked = checkDiagnosticOptions(options, ['mode', 'sequence', 'maxDepth']);
  const surrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text);
  if (surrogate !== null) throw textError('INVALID_DIAGNOSTIC', text, surrogate.index);
  const bytes = withBytes(encoder.encode(text), (address, nbytes) => {
    const status = wasm.wcbor_from_diagnostic(address, nbytes, flagsOf(checked), checked.maxDepth);
    crossed();
    if (status === 0) return takeBytes();
    const before = decoder.decode(u8.subarray(address, address + result(RESULT_OFFSET)));
    throw textError(STATUS_NAMES[status], text, before.length);
  });
  return checked.mode === undefined ? bytes : reencode(bytes, checked.mode, checked);
}

/**
 * @param {Uint8Array} bytes as from `bytesOf`
 * @param {Mode} mode
 * @param {{ sequence: boolean, maxDepth: number }} options
 * @returns {Uint8Array<ArrayBuffer>}
 */
function reencodeAsIs(bytes, mode, { sequence, maxDepth }) {
  const flags = (sequence ? DIAGNOSTIC_SEQUENCE : 0) | (mode === 'lax' || mode === 'strict' ? 0 : DIAGNOSTIC_CONVERT);
  return withBytes(bytes, (address, nbytes) => {
    const status = wasm.wcbor_reencode(address, nbytes, flags, maxDepth, MODES[mode]);
    crossed();
    if (status !== 0) throw new CborError(STATUS_NAMES[status], { offset: result(RESULT_OFFSET) });
    return takeBytes();
  });
}

/**
 * @param {Uint8Array} bytes as from `bytesOf`
 * @param {Mode} mode
 * @param {{ sequence: boolean, maxDepth: number }} options
 */
function reencode(bytes, mode, options) {
  const encoded = reencodeAsIs(bytes, mode, options);
  // Text in NFC is another key, and may sort elsewhere.
  return mode !== 'dcbor' || isNormalized(encoded) ? encoded : reencodeAsIs(normalized(encoded), mode, options);
}

/**
 * Encoded items in a mode's form: the shortest heads, preferred floats and bignums, definite lengths and sorted keys, as far
 * as the mode asks for each; in dcbor text in NFC and floats reduced to integers.
 *
 * @param {Uint8Array | ArrayBuffer | DataView} bytes well-formed items, in any form
 * @param {{ mode?: Mode, sequence?: boolean, maxDepth?: number }} [options] `mode`: deterministic by default; `sequence`: any
 *   number of items instead of one, not in dag-cbor
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {CborError} with the `offset` of the item that is not well-formed, or has no form in the mode: ERR_CBOR_DUPLICATE_KEY,
 *   ERR_CBOR_TAGS_NOT_ALLOWED, ERR_CBOR_FLOAT_NOT_ALLOWED, ...
 */
export function canonicalize(bytes, options) {
  const checked = checkDiagnosticOptions(options, ['mode', 'sequence', 'maxDepth']);
  return reencode(bytesOf(bytes), checked.mode ?? 'deterministic', checked);
}
