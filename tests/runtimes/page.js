// Runs the suite in a page and sends what came of it to the server that it came from.
import { conform } from './suite.js';

const body = await conform().then((results) => ({ results }), (error) => ({ error: String(error) }));
await fetch('./report', { method: 'POST', body: JSON.stringify({ ...body, userAgent: navigator.userAgent }) });
