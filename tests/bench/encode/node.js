// Measures in this Node process and prints the results as JSON.
import { jsonDocuments } from './json-documents.js';
import { measure } from './measure.js';

console.log(JSON.stringify(await measure(jsonDocuments)));
