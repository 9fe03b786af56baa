// Turns writer-vectors.json, or mode-vectors.json, into lines that C reads without a JSON parser:
//
//     row <id> <mode> <convert> <multiple roots> <max depth>
//     call <index> <op> <number, hex> <flag> <bytes, hex | - when empty | null>
//     fail <index> <status name>                                         the calls that fail, in order
//     state <nbytes> <depth> <complete>                                  after the failure, when the row stops there
//     hex <bytes | ->      or      digest <nbytes> <sha256>              the document, when the row has one
//     end
//
// The abbreviations (repeat, count, pairs) are written out. A failure inside one counts as a failure of the
// abbreviation, so each line keeps the index of the call as it stands in the table.
//
//     node compile.js writer-vectors.json writer-vectors.txt

import { readFileSync, writeFileSync } from 'node:fs';
import { modeRows, MODES as MODES_OF_ROWS } from './mode-rows.js';

const MODES = { Lax: 0, Strict: 1, Canonical: 2, Ctap2Canonical: 3 };
for (const [mode, [number]] of Object.entries(MODES_OF_ROWS)) MODES[mode] = number;
const NO_ARGUMENT = new Set(['null', 'undefined', 'endArray', 'endMap', 'startBytes', 'endBytes', 'startText',
    'endText', 'reset', 'encode']);

/** A number as the hexadecimal digits of its 64-bit two's complement. */
const hex64 = (value) => BigInt.asUintN(64, BigInt(value)).toString(16);

const hexOfText = (text) => Buffer.from(text, 'utf8').toString('hex');

/** {negative, hex} of an integer as wcbor_write_bignum takes it: n of the value n or -1 - n, big-endian. */
function magnitudeOf(value) {
    const negative = value < 0n;
    let hex = (negative ? -1n - value : value).toString(16);
    if (hex.length % 2) hex = '0' + hex;
    return { flag: negative ? 1 : 0, hex };
}

/**
 * UTF-16 units in hex. The C writer takes UTF-8, which has no form for an unpaired surrogate. Encoding one the way
 * UTF-8 would (ed a0 80) makes three ill-formed bytes, and by the WHATWG rule three U+FFFD where UTF-16 gives one.
 * So in lax the row's text is what a TextEncoder makes of it, which is how it arrives from JavaScript; elsewhere it
 * is the ill-formed bytes, which fail either way, under an op of its own, since the command stream has one.
 */
function text16(units, mode) {
    let text = '';
    for (let i = 0; i < units.length; i += 4) text += String.fromCharCode(parseInt(units.slice(i, i + 4), 16));
    const wellFormed = !/\p{Surrogate}/u.test(text);
    if (wellFormed || mode === 'Lax') return { op: 'text', bytes: hexOfText(text) };
    return { op: 'textInvalid', bytes: 'eda080' };
}

/** One call of the table as {op, number, flag, bytes}. */
function plainCall([op, value], mode) {
    switch (op) {
        case 'int': case 'int32': return { op: 'int', number: hex64(value) };
        case 'uint': case 'uint32': return { op: 'uint', number: hex64(value) };
        case 'nint': case 'simple': case 'tag': case 'unixTime': case 'encodeTo': return { op, number: hex64(value) };
        case 'bool': return { op, number: value ? '1' : '0' };
        case 'bytes': case 'encoded': return { op, bytes: value };
        // In dcbor text is in NFC when it arrives from JavaScript.
        case 'text': return { op, bytes: value && hexOfText(mode === 'dcbor' ? value.normalize('NFC') : value) };
        case 'text16': return text16(value, mode);
        case 'half': case 'single': case 'double': case 'unixTimeDouble': return { op, number: value };
        case 'startArray': case 'startMap': {
            if (value === null) return { op: op.replace('start', 'startIndefinite') };
            return { op, number: hex64(value) };
        }
        case 'dateTime': return { op, bytes: hexOfText(value) };
        case 'bigInt': {
            const { flag, hex } = magnitudeOf(BigInt(value));
            return { op, flag, bytes: hex };
        }
        case 'decimal': {
            const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
            const { flag, hex } = magnitudeOf(BigInt(sign + whole + fraction));
            return { op, number: hex64(-fraction.length), flag, bytes: hex };
        }
        default:
            if (!NO_ARGUMENT.has(op)) throw new Error(`unknown call ${op}`);
            return { op };
    }
}

/** The calls that a call of the table stands for. */
function expand(call, mode) {
    const [op, n, inner] = call;
    if (op === 'repeat') return Array.from({ length: n }, () => inner.flatMap((one) => expand(one, mode))).flat();
    if (op === 'count') {
        return Array.from({ length: n }, (_, i) => plainCall([inner, inner === 'text' ? `k${i}` : i], mode));
    }
    if (op === 'pairs') {
        const pair = (_, i) => [plainCall(['text', `k${i}`], mode), plainCall(['int', i], mode)];
        return Array.from({ length: n }, pair).flat();
    }
    return [plainCall(call, mode)];
}

function* linesOf(row) {
    const { result } = row;
    yield `row ${row.id} ${MODES[row.mode]} ${Number(row.convert)} ${Number(row.multipleRoots ?? false)} ${row.maxDepth ?? -1}`;
    for (const [index, call] of row.calls.entries()) {
        for (const { op, number = '0', flag = 0, bytes = '' } of expand(call, row.mode)) {
            yield `call ${index} ${op} ${number} ${flag} ${bytes === '' ? '-' : bytes}`;
        }
    }
    if ('errorAt' in result) {
        yield `fail ${result.errorAt} ${result.error}`;
        yield `state ${result.bytesWritten} ${result.depth} ${Number(result.complete)}`;
    }
    for (const { at, error } of result.errors ?? []) yield `fail ${at} ${error}`;
    if ('sha256' in result) yield `digest ${result.length} ${result.sha256}`;
    else if (typeof result.hex === 'string') yield `hex ${result.hex === '' ? '-' : result.hex}`;
    yield 'end';
}

const [input, output] = process.argv.slice(2);
/** What a row of mode-vectors.json comes to: its last call fails, or there is a document. */
const resultOf = ({ error, hex, calls }) => (error ? { errors: [{ at: calls.length - 1, error }] } : { hex });

const table = JSON.parse(readFileSync(input, 'utf8'));
const rows = 'modes' in table[0] ? modeRows(table).map((row) => ({ ...row, result: resultOf(row) })) : table;
const lines = [`rows ${rows.length}`];
for (const row of rows) for (const line of linesOf(row)) lines.push(line);
writeFileSync(output, lines.join('\n') + '\n');
