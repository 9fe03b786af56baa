// node generate-c.js BENCH-DOCS OUTPUT: the benchmark documents as macro calls, one for each call of a writer, for
// drive.h to make functions of. Nothing is decided while they run: the calls stand in a row, as in a user's code.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const MODES = { Lax: 'WCBOR_MODE_LAX', Strict: 'WCBOR_MODE_STRICT' };

/** Documents whose result is part of what is measured: copied into memory that is there already. */
const COPIED_OUT = ['Doc', 'DocStrict'];

/** For each start call of an open-ended map the number of its pairs, which a writer that only writes has to be told. */
function pairCounts(calls) {
  const counts = new Map();
  const open = [{ items: 0 }];
  for (const call of calls) {
    const [name] = call;
    if (name.startsWith('end')) {
      const { start, items } = open.pop();
      if (start[0] === 'startMap') counts.set(start, items / 2);
      continue;
    }
    open.at(-1).items++;
    if (name.startsWith('start')) open.push({ start: call, items: 0 });
  }
  return counts;
}

function macroOf(call, counts) {
  const [name, argument] = call;
  switch (name) {
    case 'text':
      return `TEXT(${JSON.stringify(argument)}, ${Buffer.byteLength(argument)})`;
    case 'startArray':
      return `START_ARRAY(${argument})`;
    case 'startMap':
      return argument === null ? `START_INDEFINITE_MAP(${counts.get(call)})` : `START_MAP(${argument})`;
    case 'endArray':
      return 'END_ARRAY()';
    case 'endMap':
      return 'END_MAP()';
    default:
      throw new Error(`the benchmark has no ${name}`);
  }
}

const [, , input, output] = process.argv;
const lines = ['/* Made by generate-c.js: DOCUMENT(name, mode, expected hex), its calls, END_DOCUMENT(name). */'];
for (const { name, mode, hex, calls } of JSON.parse(readFileSync(input, 'utf8')).docs) {
  const counts = pairCounts(calls);
  lines.push(`DOCUMENT(${name}, ${MODES[mode]}, "${hex}")`);
  for (const call of calls) lines.push(macroOf(call, counts));
  if (COPIED_OUT.includes(name)) lines.push('COPY_OUT()');
  lines.push(`END_DOCUMENT(${name})`);
}
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `${lines.join('\n')}\n`);
