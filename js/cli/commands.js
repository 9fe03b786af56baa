// What each command does with its input. All of them work piece by piece where the input is a sequence.
import { annotateFrom } from '../annotate.js';
import { diagnoseFrom } from '../diagnostic.js';
import { checkDiagnosticOptions } from '../diagnostic-options.js';
import { CborError } from '../errors.js';
import * as wcbor from '../index.js';
import { bench } from './bench.js';
import { lines, readAll, textOf, wholeItems } from './streams.js';

/** @typedef {import('../commands.js').Mode} Mode */

/**
 * @typedef {object} Job
 * @property {Record<string, any>} options what the command line says
 * @property {AsyncIterable<Uint8Array>} input
 * @property {import('./streams.js').Output} output
 * @property {(other: Mode) => Mode} modeOr the mode that is asked for, or another
 * @property {number} maxDepth
 */

/**
 * @param {unknown} error an error whose offset counts from `base`
 * @param {number} base
 */
function moved(error, base) {
  if (error instanceof CborError && error.offset !== undefined) error.offset += base;
  return error;
}

/**
 * Runs `each` on every item of the input, or of all of a sequence that are whole; what is left is for it to refuse.
 * @param {Job} job
 * @param {(item: Uint8Array) => string | Uint8Array} each
 */
async function eachItem({ options, input, output, maxDepth }, each) {
  if (!options.sequence) {
    await output.write(each(await readAll(input)));
    return;
  }
  for await (const { bytes, ends, offset } of wholeItems(input, maxDepth)) {
    /** @type {(string | Uint8Array)[]} */
    const results = [];
    let from = 0;
    try {
      for (const end of ends.length > 0 ? ends : [bytes.length]) {
        results.push(each(bytes.subarray(from, end)));
        from = end;
      }
    } catch (error) {
      await output.write(joined(results));
      throw moved(error, offset + from);
    }
    await output.write(joined(results));
  }
}

/** @param {(string | Uint8Array)[]} results all of one kind */
function joined(results) {
  return typeof results[0] === 'string' ? results.join('') : Buffer.concat(/** @type {Uint8Array[]} */ (results));
}

/** @param {Job} job */
async function encode({ options, input, output, modeOr, maxDepth }) {
  const form = (/** @type {Uint8Array} */ bytes) => (options.hex ? `${Buffer.from(bytes).toString('hex')}\n` : bytes);
  if (options.diagnostic) {
    const text = textOf(await readAll(input));
    await output.write(form(fromDiagnostic(text, { mode: options.mode, sequence: options.sequence === true, maxDepth })));
    return;
  }
  const jsonOptions = { mode: modeOr('lax'), maxDepth };
  if (!options.sequence) {
    await output.write(form(wcbor.jsonToCbor(await readAll(input), jsonOptions)));
    return;
  }
  for await (const { line, offset, bytes } of lines(input)) {
    let item;
    try {
      item = wcbor.jsonToCbor(bytes, jsonOptions);
    } catch (error) {
      throw onLine(error, line, offset);
    }
    await output.write(form(item));
  }
}

/**
 * `parseDiagnostic`, with errors that say where in bytes.
 * @param {string} text
 * @param {NonNullable<Parameters<typeof wcbor.parseDiagnostic>[1]>} options
 */
function fromDiagnostic(text, options) {
  try {
    return wcbor.parseDiagnostic(text, options);
  } catch (error) {
    if (error instanceof CborError) {
      if ('line' in error) error.offset = Buffer.byteLength(text.slice(0, error.offset));
      else error.message += ' (of the CBOR that the text stands for)';
    }
    throw error;
  }
}

/**
 * @param {unknown} error of a JSON text that stands by itself
 * @param {number} line where it really stands
 * @param {number} offset
 */
function onLine(error, line, offset) {
  if (!(error instanceof CborError)) return error;
  error.message = error.message.replace(/line 1(?=, column \d+$)/, `line ${line}`);
  return moved(error, offset);
}

/** @param {Job} job */
async function decode(job) {
  /** @type {import('../json-options.js').CborToJsonOptions} */
  const options = { mode: job.modeOr('strict'), maxDepth: job.maxDepth, indent: job.options.pretty ? 2 : 0, keys: 'string', output: 'bytes' };
  const line = Buffer.from('\n');
  // As bytes: what is nested deep is indented to more than a string can hold.
  await eachItem(job, (item) => Buffer.concat([/** @type {Uint8Array} */ (wcbor.cborToJson(item, options)), line]));
}

/** @param {Job} job */
async function diagnose({ options, input, output, maxDepth }) {
  const isSequence = options.sequence === true;
  const checked = checkDiagnosticOptions({
    indent: options.pretty ? 2 : 0, indicators: options.indicators, embedded: options.embedded, sequence: isSequence, maxDepth,
  }, ['indent', 'indicators', 'embedded', 'sequence', 'maxDepth']);
  if (!isSequence) {
    const { text, fault } = diagnoseFrom(await readAll(input), checked, 0);
    await output.write(`${text}\n`);
    if (fault !== undefined) throw fault;
    return;
  }
  // A comma between items, so that two strings in a row are not one.
  let separator = '';
  let first;
  for await (const { bytes, ends, offset } of wholeItems(input, maxDepth)) {
    const texts = [];
    let from = 0;
    for (const end of ends.length > 0 ? ends : [bytes.length]) {
      const { text, fault } = diagnoseFrom(bytes.subarray(from, end), checked, offset + from);
      texts.push(separator, text);
      separator = ',\n';
      first ??= fault;
      from = end;
    }
    await output.write(texts.join(''));
  }
  if (separator !== '') await output.write('\n');
  if (first !== undefined) throw first;
}

/** @param {Job} job */
async function annotate({ options, input, output, maxDepth }) {
  const checked = checkDiagnosticOptions({ embedded: options.embedded, maxDepth }, ['embedded', 'maxDepth']);
  const pieces = options.sequence ? wholeItems(input, maxDepth) : [{ bytes: await readAll(input), ends: [], offset: 0 }];
  for await (const { bytes, ends, offset } of pieces) {
    // Each item has columns of its own, however many of them come at a time.
    const texts = [];
    let from = 0;
    let fault;
    for (const end of ends.length > 0 ? ends : [bytes.length]) {
      const annotation = annotateFrom(bytes.subarray(from, end), checked, offset + from);
      texts.push(String(annotation));
      fault ??= annotation.fault;
      from = end;
    }
    await output.write(texts.join(''));
    if (fault !== undefined) throw fault;
  }
}

/** @param {Job} job */
async function validate(job) {
  const mode = job.modeOr('strict');
  let count = 0;
  let nbytes = 0;
  await eachItem(job, (item) => {
    const verdict = wcbor.validate(item, { mode, maxDepth: job.maxDepth });
    if (!verdict.ok) throw new CborError(verdict.code.replace('ERR_CBOR_', ''), { offset: verdict.offset });
    if (verdict.bytesRead < item.length) throw new CborError('TRAILING_BYTES', { offset: verdict.bytesRead });
    count++;
    nbytes += item.length;
    return '';
  });
  if (!job.options.quiet) await job.output.write(`valid (${mode}): ${count} item${count === 1 ? '' : 's'}, ${nbytes} bytes\n`);
}

/** @param {Job} job */
async function canonicalize(job) {
  const options = { mode: job.modeOr('deterministic'), maxDepth: job.maxDepth };
  await eachItem(job, (item) => wcbor.canonicalize(item, options));
}

/**
 * The commands, the options of each besides those that all have, and whether what it says of broken input, up to the fault, is
 * a result of its own.
 * @type {Record<string, { run: (job: Job) => Promise<void>, options: string[], keepsParts: boolean }>}
 */
export const COMMANDS = {
  encode: { run: encode, options: ['mode', 'sequence', 'diagnostic', 'hex'], keepsParts: false },
  decode: { run: decode, options: ['mode', 'sequence', 'pretty', 'hex', 'base64'], keepsParts: false },
  diagnose: { run: diagnose, options: ['sequence', 'pretty', 'embedded', 'indicators', 'hex', 'base64'], keepsParts: true },
  annotate: { run: annotate, options: ['sequence', 'embedded', 'hex', 'base64'], keepsParts: true },
  validate: { run: validate, options: ['mode', 'sequence', 'quiet', 'hex', 'base64'], keepsParts: false },
  canonicalize: { run: canonicalize, options: ['mode', 'sequence', 'hex', 'base64'], keepsParts: false },
  bench: { run: bench, options: ['json', 'hex'], keepsParts: false },
};
