// npm run bench [-- --engine NAME[,NAME...]] [--readme] [--times]: encode(value) against other CBOR codecs and against
// JSON.stringify, in JavaScript engines. Prints markdown; with --readme also puts it into README.md, with --times also
// prints the time of every contender.
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setUp } from '../../.ci/setup.js';
import { browserNeeds, nodePrograms, runInBrowser, runInNode, versionOf } from './engines.js';
import { putIntoReadme } from './readme.js';

const needs = { node: [], ...browserNeeds, workerd: [] };

/** The first Node whose V8 has the faster JSON.stringify. */
const NEWEST_NODE = 25;

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'all' },
    readme: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
  },
});

/** Measures in one engine; what there is to say is printed as soon as it is known. */
async function* bench(name) {
  // The peers are packages that setUp may have to install first.
  const { makeSite, site } = await import('./encode-site.js');
  const { AIMS, encodeReport } = await import('./encode-report.js');
  const report = (engine, results, aims) => encodeReport(engine, results, aims, values.times);
  await makeSite();
  if (name === 'node') {
    for (const program of nodePrograms()) {
      const version = versionOf(program);
      const json = parseInt(version) >= NEWEST_NODE ? AIMS.newestJson : AIMS.json;
      yield report(`Node ${version}`, runInNode(program, join(site, 'node.js')), { codecs: AIMS.codecs, json });
    }
  } else if (name === 'workerd') {
    const { measureInWorkerd } = await import('./encode-workerd.js');
    yield report('workerd', await measureInWorkerd(), { codecs: AIMS.codecs, json: AIMS.newestJson });
  } else {
    const { engine, results } = await runInBrowser(name, join(site, 'page'));
    const ofV8 = { codecs: AIMS.codecs, json: AIMS.newestJson };
    yield report(engine, results, name === 'chromium' ? ofV8 : { codecs: AIMS.slowerWasm, json: AIMS.json });
  }
}

async function main() {
  const names = values.engine === 'all' ? Object.keys(needs) : values.engine.split(',');
  const unknown = names.filter((name) => !Object.hasOwn(needs, name));
  if (unknown.length > 0) {
    console.error(`No engine ${unknown.join(', ')}; there are ${Object.keys(needs).join(', ')}, all.`);
    return 2;
  }
  setUp('start', names.flatMap((name) => needs[name]));
  const parts = [
    `Measured on ${cpus()[0].model.trim()}, ${cpus().length} cores that may have had other work: compare ratios within`
      + ' a table rather than figures between tables. A cell is the best / the median of many short slices that take'
      + ' turns; a ratio is their time / ours, and above 1 wcbor is faster. Every output was decoded by another library'
      + ' first, and compared with the value. wcbor gives every result memory of its own; cbor-x and json-pack give'
      + ' pieces of a larger buffer.',
  ];
  let failed = false;
  console.log(parts[0]);
  for (const name of names) {
    try {
      for await (const part of bench(name)) {
        parts.push(part);
        console.log(`\n${part}`);
      }
    } catch (error) {
      // One engine that is not to be had does not keep the others from being measured.
      console.error(`\n${name}: ${error instanceof Error ? error.message : error}`);
      failed = true;
    }
  }
  if (values.readme && !failed) putIntoReadme('bench:encode', parts.join('\n\n'));
  return failed ? 1 : 0;
}

process.exitCode = await main();
