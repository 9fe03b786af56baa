// Turns validate-vectors.json into lines for C: mode, 1 for a sequence, bytes in hex (`-` for none), status, where the item
// ends or the fault is, how many bytes are missing.
//
//     node compile-validate.js validate-vectors.json validate-vectors.txt
import { readFileSync, writeFileSync } from 'node:fs';

const MODES = ['lax', 'strict', 'canonical', 'ctap2', 'deterministic', 'dag-cbor', 'dcbor'];

const [input, output] = process.argv.slice(2);
const lines = JSON.parse(readFileSync(input, 'utf8')).map(({ mode, sequence = false, hex, status, offset, missing = 0 }) =>
    `${MODES.indexOf(mode)} ${Number(sequence)} ${hex || '-'} ${status} ${offset} ${missing}\n`);
writeFileSync(output, lines.join(''));
