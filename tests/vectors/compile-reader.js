// Turns reader-vectors.json into lines that C reads without a JSON parser:
//
//     row <id> <mode> <multiple roots> <max depth> <partial> <bytes, hex | ->
//     walk                               the standard walk follows: lines of what is read, as `expect` has them
//     op <name> <argument> <argument>    or calls, each with what it comes to; arguments are `-` when there is none
//     is <result>
//     after <remaining> <depth>
//     end
//
// A result is `ok` with a value, if there is one, or the status' name with the initial byte's major type, where the table
// has that. Bytes and text are in hex (`-` when empty), a decimal fraction as mantissa and exponent without trailing zeros.
//
//     node compile-reader.js reader-vectors.json reader-vectors.txt
import { readFileSync, writeFileSync } from 'node:fs';

const MODES = { Lax: 0, Strict: 1, Canonical: 2, Ctap2Canonical: 3 };
const TEXTS = ['readText', 'tryReadText', 'readDateTime'];
const HEX = ['readBytes', 'tryReadBytes', 'readDefiniteBytes', 'readDefiniteText', 'readEncoded'];

const hexOf = (text) => Buffer.from(text, 'utf8').toString('hex') || '-';

/** The mantissa and the exponent of a decimal, in lowest terms. */
function decimalOf(text) {
    const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
    let mantissa = BigInt(sign + whole + fraction), exponent = -fraction.length;
    for (; mantissa !== 0n && mantissa % 10n === 0n; exponent++) mantissa /= 10n;
    return `${mantissa}e${mantissa === 0n ? 0 : exponent}`;
}

function valueOf(name, value) {
    if (value === null || typeof value === 'boolean') return String(value);
    if (TEXTS.includes(name)) return hexOf(value);
    if (HEX.includes(name)) return value || '-';
    if (name === 'readDecimal') return decimalOf(value);
    return String(value);
}

function resultOf(name, [kind, value, , context]) {
    if (kind === 'err') return context === undefined ? value : `${value} ${context}`;
    return value === undefined ? 'ok' : `ok ${valueOf(name, value)}`;
}

function tokenOf([name, value]) {
    if (value === undefined) return name;
    return `${name} ${name === 'text' ? hexOf(value) : name === 'bytes' ? value || '-' : value}`;
}

function* walkOf({ tokens, error, phase, state }) {
    yield 'walk';
    for (const token of tokens) yield `is ${tokenOf(token)}`;
    if (error !== undefined) yield `is ${phase} ${error}`;
    else yield `is ${state ?? 'Finished'}`;
}

function* linesOf(row) {
    const { expect } = row;
    yield `row ${row.id} ${MODES[row.mode]} ${Number(row.multipleRoots ?? false)} ${row.maxDepth ?? 64} ${Number(row.final === false)} ${row.hex || '-'}`;
    if (row.kind === 'walk') {
        yield* walkOf(expect);
    } else {
        for (const [index, [name, first = '-', second = '-']] of row.ops.entries()) {
            yield `op ${name} ${first === '' ? '-' : first} ${second}`;
            yield `is ${resultOf(name, expect.results[index])}`;
        }
    }
    yield `after ${expect.remaining} ${expect.depth}`;
    yield 'end';
}

const [input, output] = process.argv.slice(2);
const rows = JSON.parse(readFileSync(input, 'utf8'));
const lines = [`rows ${rows.length}`];
for (const row of rows) for (const line of linesOf(row)) lines.push(line);
writeFileSync(output, lines.join('\n') + '\n');
