// Runs the suite in Node, Deno or Bun and prints what came of it as JSON.
import { conform } from './suite.js';

console.log(JSON.stringify(await conform()));
