#!/usr/bin/env node
// The command line: `wcbor COMMAND [OPTIONS] [FILE]`. See help.js for what it says of itself.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MODES } from '../abi.js';
import { CborError } from '../errors.js';
import { COMMANDS } from './commands.js';
import { COMMANDS as HELP, GENERAL } from './help.js';
import { FileError, Output, Progress, fromBase64, fromHex, readPieces } from './streams.js';

/** @type {Record<string, { type: 'boolean' | 'string', short?: string }>} */
const OPTIONS = {
  mode: { type: 'string', short: 'm' },
  sequence: { type: 'boolean', short: 's' },
  pretty: { type: 'boolean', short: 'p' },
  diagnostic: { type: 'boolean', short: 'd' },
  embedded: { type: 'boolean', short: 'e' },
  indicators: { type: 'string', short: 'i' },
  quiet: { type: 'boolean', short: 'q' },
  json: { type: 'boolean', short: 'j' },
  hex: { type: 'boolean' },
  base64: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  'max-depth': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};
const OF_ALL = ['output', 'max-depth', 'help'];

/** What is wrong with the command line. */
class UsageError extends Error {}

/** @param {string} name @param {string[]} args */
function parse(name, args) {
  const known = [...COMMANDS[name].options, ...OF_ALL];
  const options = Object.fromEntries(known.map((option) => [option, OPTIONS[option]]));
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: /** @type {Record<string, any>} */ (values), positionals };
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}

/** @param {string} value */
function wholeNumber(value) {
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--max-depth must be a whole number: ${value}`);
  return Number(value);
}

/** @param {Record<string, any>} values @param {string[]} positionals */
function check({ mode, indicators, hex, base64, sequence }, positionals) {
  if (mode !== undefined && !Object.hasOwn(MODES, mode)) throw new UsageError(`no mode ${mode}; there are ${Object.keys(MODES).join(', ')}`);
  if (indicators !== undefined && !['auto', 'always', 'never'].includes(indicators)) {
    throw new UsageError(`--indicators must be auto, always or never: ${indicators}`);
  }
  if (hex && base64) throw new UsageError('--hex or --base64, not both');
  if (mode === 'dag-cbor' && sequence) throw new UsageError('dag-cbor has no sequences');
  if (positionals.length > 1) throw new UsageError(`one FILE at a time: ${positionals.join(' ')}`);
}

/** @param {string} name @param {string[]} args */
async function run(name, args) {
  const { values, positionals } = parse(name, args);
  if (values.help) {
    console.log(HELP[name]);
    return;
  }
  check(values, positionals);
  const path = positionals[0] ?? '-';
  const maxDepth = values['max-depth'] === undefined ? 1000 : wholeNumber(values['max-depth']);
  const output = new Output(values.output);
  const progress = new Progress(process.stderr.isTTY === true && !(output.stream === process.stdout && process.stdout.isTTY));
  const pieces = readPieces(path, (nbytes) => progress.count(nbytes));
  const input = name !== 'encode' && values.hex ? fromHex(pieces) : values.base64 ? fromBase64(pieces) : pieces;
  const job = { options: values, input, output, path, maxDepth, modeOr: (/** @type {any} */ other) => values.mode ?? other };
  const { run: command, keepsParts } = COMMANDS[name];
  let isKept = false;
  try {
    await command(/** @type {any} */ (job));
    isKept = true;
  } catch (error) {
    isKept = keepsParts && error instanceof CborError;
    if (error instanceof CborError) error.message = `${path === '-' ? 'standard input' : path}: ${describe(error)}`;
    throw error;
  } finally {
    progress.clear();
    await output.end(isKept);
  }
}

/** @param {CborError} error */
function describe({ code, offset, message }) {
  return `${code}${offset === undefined ? '' : ` at byte ${offset}`}: ${message}`;
}

/** @param {string[]} args */
async function main([name, ...args]) {
  if (name === '--version' || name === '-v') {
    console.log(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version);
  } else if (name === '--help' || name === '-h' || (name === 'help' && args.length === 0)) {
    console.log(GENERAL);
  } else if (name === 'help') {
    await main([args[0], '--help']);
  } else if (name === undefined) {
    throw new UsageError('a command is missing');
  } else if (!Object.hasOwn(COMMANDS, name)) {
    throw new UsageError(`no command ${name}; there are ${Object.keys(COMMANDS).join(', ')}`);
  } else {
    await run(name, args);
  }
}

/** Exit codes. */
const INVALID = 1;
const USAGE = 2;
const IO = 3;

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`wcbor: ${error.message}\nwcbor --help says how it is used.`);
    process.exitCode = USAGE;
  } else if (error instanceof FileError) {
    console.error(`wcbor: ${error.message}`);
    process.exitCode = IO;
  } else if (error instanceof CborError) {
    console.error(`wcbor: ${error.message}`);
    process.exitCode = INVALID;
  } else {
    throw error;
  }
}
