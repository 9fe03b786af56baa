// npm run bench [-- --decode] [--engine NAME[,NAME...]] [--readme] [--times]: encode(value), or decode(bytes), against
// other CBOR codecs and against JSON, in JavaScript engines. Prints markdown; with --readme also puts it into RESULTS.md, with --times also
// prints the time of every contender.
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setUp } from '../../.ci/setup.js';
import { browserNeeds, nodePrograms, runInBrowser, runInNode, versionOf } from './engines.js';
import { putIntoResults } from './results.js';

const needs = { node: [], ...browserNeeds, workerd: [] };

/** The first Node whose V8 has the faster JSON.stringify. */
const NEWEST_NODE = 25;

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'all' },
    readme: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
    decode: { type: 'boolean', default: false },
  },
});

const task = values.decode ? 'decode' : 'encode';

/** What to say of an engine's results, by what is aimed at there. */
async function reporter() {
  if (values.decode) {
    const { AIMS, decodeReport } = await import('./decode-report.js');
    return (engine, results, { isV8 }) => decodeReport(engine, results, isV8 ? AIMS.v8 : AIMS.slowerWasm, values.times);
  }
  const { AIMS, encodeReport } = await import('./encode-report.js');
  return (engine, results, { isV8, isNewest }) => {
    const aims = { codecs: isV8 ? AIMS.codecs : AIMS.slowerWasm, json: isNewest ? AIMS.newestJson : AIMS.json };
    return encodeReport(engine, results, aims, values.times);
  };
}

/** Measures in one engine; what there is to say is printed as soon as it is known. */
async function* bench(name) {
  // The peers are packages that setUp may have to install first.
  const { makeSite, site } = await import('./encode-site.js');
  const report = await reporter();
  await makeSite(task);
  if (name === 'node') {
    for (const program of nodePrograms()) {
      const version = versionOf(program);
      const isNewest = parseInt(version) >= NEWEST_NODE;
      yield report(`Node ${version}`, runInNode(program, join(site, 'node.js')), { isV8: true, isNewest });
    }
  } else if (name === 'workerd') {
    const { measureInWorkerd } = await import('./encode-workerd.js');
    yield report('workerd', await measureInWorkerd(), { isV8: true, isNewest: true });
  } else {
    const { engine, results } = await runInBrowser(name, join(site, 'page'));
    const isV8 = name === 'chromium';
    yield report(engine, results, { isV8, isNewest: isV8 });
  }
}

const ABOUT = {
  encode: ' Every output was decoded by another library first, and compared with the value.',
  decode: ' All decode the same bytes, and every value was compared first. wcbor is `decode(bytes)`, which is strict, unless'
    + ' another name is given; the other codecs check neither text nor duplicate keys, or only some of it. In Node cbor-x has'
    + ' the help of its native add-on, and cbor-x plain has not.',
};

async function main() {
  const names = values.engine === 'all' ? Object.keys(needs) : values.engine.split(',');
  const unknown = names.filter((name) => !Object.hasOwn(needs, name));
  if (unknown.length > 0) {
    console.error(`No engine ${unknown.join(', ')}; there are ${Object.keys(needs).join(', ')}, all.`);
    return 2;
  }
  setUp('start', names.flatMap((name) => needs[name]));
  const about = `Measured on ${cpus()[0].model.trim()}, ${cpus().length} cores that may have had other work: compare ratios`
    + ' within a table rather than figures between tables. A cell is the best / the median of many short slices that take'
    + ` turns; a ratio is their time / ours, and above 1 wcbor is faster.${ABOUT[task]}`;
  console.log(about);
  if (values.readme) putIntoResults(`bench:${task}`, about);
  let failed = false;
  for (const name of names) {
    try {
      const parts = [];
      for await (const part of bench(name)) {
        parts.push(part);
        console.log(`\n${part}`);
      }
      if (values.readme) putIntoResults(`bench:${task}:${name}`, parts.join('\n\n'));
    } catch (error) {
      // One engine that is not to be had does not keep the others from being measured.
      console.error(`\n${name}: ${error instanceof Error ? error.message : error}`);
      failed = true;
    }
  }
  return failed ? 1 : 0;
}

process.exitCode = await main();
