// The C writers: builds bench_writer, lets it measure, counts instructions under callgrind.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { geometricMean } from './report.js';
import { barList, both, markdownTable, ratio, timing } from './table.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = join(root, 'build/bench');
const program = join(build, 'bench_writer');

const DOCUMENTS = ['Text', 'Pairs', 'Map1Indef', 'Map1Def', 'Doc', 'DocStrict'];
const WRITERS = ['minimal', 'ours', 'baseline'];

const ROUNDS = 3000;
const COUNTED_RUNS = 100;

export const needs = [
  { package: 'gcc', command: 'cc' },
  { package: 'libc6-dev', file: '/usr/include/stdlib.h' },
  { package: 'valgrind', command: 'valgrind' },
];

function run(command, args, options = {}) {
  const settings = { encoding: 'utf8', maxBuffer: 2 ** 26, ...options };
  const { status, error, stdout, stderr } = spawnSync(command, args, settings);
  if (error) throw error;
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

function buildProgram() {
  const source = join(root, 'tests/bench');
  run('cmake', ['-S', source, '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=RelWithDebInfo']);
  run('cmake', ['--build', build, '--target', 'bench_writer']);
}

/** Nanoseconds for one document, by document and writer. */
function time() {
  const times = {};
  for (const line of run(program, ['--time', String(ROUNDS)]).trim().split('\n')) {
    const [document, writer, ...samples] = line.split(' ');
    (times[document] ??= {})[writer] = timing(samples.map(Number));
  }
  return times;
}

/** Instructions of one document, by document and writer. */
function countInstructions() {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    // One function writes one document with one writer; costs are dumped whenever one of them returns.
    const functions = DOCUMENTS.flatMap((document) => WRITERS.map((writer) => `run_${writer}_${document}`));
    const options = ['--tool=callgrind', '--toggle-collect=run_*', '--callgrind-out-file=out'];
    const dumps = functions.map((name) => `--dump-after=${name}`);
    run('valgrind', [...options, ...dumps, program, '--count', String(COUNTED_RUNS)], { cwd: scratch });
    const counts = {};
    const partOf = (file) => Number(file.split('.')[1] ?? Infinity);
    for (const file of readdirSync(scratch).sort((a, b) => partOf(a) - partOf(b))) {
      const text = readFileSync(join(scratch, file), 'utf8');
      const [, writer, document] = /^desc: Trigger: --dump-after=run_([a-z]+)_(\w+)/m.exec(text) ?? [];
      // The last dump of a function is that of its warm run.
      if (document) (counts[document] ??= {})[writer] = Number(/^totals: (\d+)/m.exec(text)[1]) / COUNTED_RUNS;
    }
    return counts;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function report(times, counts) {
  const head = ['document', 'minimal, ns', 'wcbor, ns', 'baseline, ns', 'wcbor : minimal', 'baseline : wcbor',
    'instructions: minimal', 'wcbor', 'baseline'];
  const rows = DOCUMENTS.map((document) => {
    const { minimal, ours, baseline } = times[document];
    const instructions = WRITERS.map((writer) => counts[document][writer].toFixed(0));
    const ratios = [ratio(ours, minimal), ratio(baseline, ours)];
    return [document, both(minimal), both(ours), both(baseline), ...ratios, ...instructions];
  });
  const within = (a, b) => ratio(times[a].ours, times[b].ours);
  const best = (document, writer = 'ours') => times[document][writer].best;
  const atMost = (most, [what, other], value) => ({ aim: `${what} takes at most ${most} times ${other}`, value, most });
  const bars = [
    atMost(1.05, ['Doc', 'the minimal writer'], best('Doc') / best('Doc', 'minimal')),
    atMost(1.15, ['Map1Indef', 'Map1Def'], best('Map1Indef') / best('Map1Def')),
    atMost(1.25, ['DocStrict', 'Doc'], best('DocStrict') / best('Doc')),
    ...DOCUMENTS.map((document) => {
      const least = /Map1|Doc/.test(document) ? 1.5 : 1;
      const aim = `${document} is ${least > 1 ? 'at least 1.5 times as fast as' : 'faster than'} the baseline`;
      return { aim, value: best(document, 'baseline') / best(document), least };
    }),
    {
      aim: `the baseline : wcbor, geometric mean of ${DOCUMENTS.length} documents, at least 1.5`,
      value: geometricMean(DOCUMENTS.map((document) => best(document, 'baseline') / best(document))),
      least: 1.5,
    },
  ];
  return [
    `Native, one document. The minimal writer only writes heads`
      + ' and bytes, and is told the size of every map; it calls memcpy for strings, where wcbor moves short ones'
      + ' itself, so that not all of the difference is what checks cost;'
      + ' the baseline keeps whole frames with optional fields and a key set for each map. wcbor alone:'
      + ` Map1Indef : Map1Def ${within('Map1Indef', 'Map1Def')}, DocStrict : Doc ${within('DocStrict', 'Doc')}.`,
    markdownTable(head, rows),
    barList(bars),
  ].join('\n\n');
}

/** Measures and returns the report. */
export function benchNative() {
  buildProgram();
  const times = time();
  return report(times, countInstructions());
}
