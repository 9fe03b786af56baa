// Measures in the page and sends the results to the server that it came from.
import { measure } from './cases.js';

async function report() {
  if (!crossOriginIsolated) throw new Error('the page is not isolated, so that its clock is too coarse');
  const { docs } = await (await fetch('./bench-docs.json')).json();
  return { results: await measure(docs) };
}

const body = await report().catch((error) => ({ error: String(error) }));
await fetch('./report', { method: 'POST', body: JSON.stringify({ ...body, userAgent: navigator.userAgent }) });
document.title = 'done';
