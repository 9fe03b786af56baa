// npm run bench:writer [-- --engine NAME[,NAME...]] [--readme]: the six benchmark documents through the C writers and,
// in JavaScript engines, through CborWriter. Prints markdown; with --readme also puts it into RESULTS.md, where the tables
// of engines that were not asked for stay.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { setUp } from '../../.ci/setup.js';
import { benchBrowser, benchNode, browserNeeds } from './engines.js';
import { benchNative, needs as nativeNeeds } from './native.js';
import { putIntoResults } from './results.js';

const engines = {
  native: { needs: nativeNeeds, bench: benchNative },
  node: { needs: [], bench: benchNode },
  chromium: { needs: browserNeeds.chromium, bench: () => benchBrowser('chromium') },
  firefox: { needs: browserNeeds.firefox, bench: () => benchBrowser('firefox') },
  webkit: { needs: browserNeeds.webkit, bench: () => benchBrowser('webkit') },
};

async function main() {
  const { values } = parseArgs({
    options: { engine: { type: 'string', default: 'all' }, readme: { type: 'boolean', default: false } },
  });
  const names = values.engine === 'all' ? Object.keys(engines) : values.engine.split(',');
  const unknown = names.filter((name) => !Object.hasOwn(engines, name));
  if (unknown.length > 0) {
    console.error(`No engine ${unknown.join(', ')}; there are ${Object.keys(engines).join(', ')}, all.`);
    return 2;
  }
  setUp('start', names.flatMap((name) => engines[name].needs));
  const intro = `Measured on ${cpus()[0].model.trim()}, ${cpus().length} cores that may have had other work: compare`
    + ' ratios within a table rather than figures between tables. A cell is the best / the median of many short slices'
    + ' that take turns; the best tells most.';
  console.log(intro);
  if (values.readme) putIntoResults('bench:writer', intro);
  let failed = false;
  for (const name of names) {
    try {
      const part = await engines[name].bench();
      console.log(`\n${part}`);
      if (values.readme) putIntoResults(`bench:writer:${name}`, part);
    } catch (error) {
      // One engine that is not to be had does not keep the others from being measured.
      console.error(`\n${name}: ${error instanceof Error ? error.message : error}`);
      failed = true;
    }
  }
  return failed ? 1 : 0;
}

process.exitCode = await main();
