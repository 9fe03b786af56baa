// Measures in this Node process and prints the results as JSON.
import { readFileSync } from 'node:fs';
import { measure } from './cases.js';

const { docs } = JSON.parse(readFileSync(new URL('bench-docs.json', import.meta.url), 'utf8'));
console.log(JSON.stringify(await measure(docs)));
