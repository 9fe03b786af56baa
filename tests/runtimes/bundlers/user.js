// What a user of the package might write: it encodes, and tells what came of it, on a page or in Node.
import { encode } from 'wcbor';

const bytes = encode({ name: 'Grüße', list: [1, 2.5, 'x'.repeat(40)], on: true });
const results = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
if (typeof document === 'undefined') console.log(JSON.stringify(results));
else fetch('./report', { method: 'POST', body: JSON.stringify({ results, userAgent: navigator.userAgent }) });
