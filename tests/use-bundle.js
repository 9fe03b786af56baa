// node --import=./tests/use-bundle.js: the package is the one file that ships for Node.
import { register } from 'node:module';

const from = new URL('../dist/index.node.js', import.meta.url).href;
const to = new URL('../build/bundle/index.node.js', import.meta.url).href;
register('./substitute-hooks.js', import.meta.url, { data: { from, to } });
