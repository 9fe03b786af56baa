// The page: what stands in the text area is parsed, encoded and shown at every keystroke.

import { encode } from './wcbor.js';
import { findJsonError } from './json-error.js';
import { SHOWN_BYTES, drawHex, hexOf } from './hex.js';
import { setUpTimings } from './timings.js';

const FIRST_DOCUMENT = `{
  "sensor": "attic-3",
  "on": true,
  "place": { "city": "Z\u00fcrich", "floor": 4 },
  "readings": [21.5, 21.25, 20, -4, 19.1],
  "raised": 1767225600,
  "note": null
}
`;
const SPEAK_AFTER_MS = 700; // a screen reader hears the outcome once the typing rests

const $ = (id) => document.getElementById(id);
const narrow = matchMedia('(max-width: 560px)');
const text = new TextEncoder();
const count = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

const timings = setUpTimings();
let bytes = new Uint8Array(0);
let faultIndex = -1;
let speaking = 0;

const mode = () => document.querySelector('input[name="mode"]:checked').value;

/** What the text area holds: { kind: 'empty' | 'fault' | 'done', ... }. */
function read(source) {
  if (source.trim() === '') return { kind: 'empty' };
  let value;
  try {
    value = JSON.parse(source);
  } catch (error) {
    const place = findJsonError(source);
    if (!place) return { kind: 'fault', code: 'JSON', place: '', message: error.message, excerpt: '' };
    const { index, line, column, message } = place;
    return { kind: 'fault', code: 'JSON syntax', place: `line ${line}, column ${column}`, message, index, excerpt: excerptAt(source, index) };
  }
  try {
    return { kind: 'done', value, bytes: encode(value, { mode: mode() }) };
  } catch (error) {
    const place = error.offset === undefined ? '' : `at byte ${error.offset.toLocaleString('en')} of the CBOR`;
    const message = error.message.replace(` at ${error.path}`, '');
    return { kind: 'fault', code: error.code ?? error.name, place, message, excerpt: shorten(error.path ?? '') };
  }
}

/** A long path keeps its two ends. */
const shorten = (path) => (path.length > 38 ? `${path.slice(0, 18)}\u2026${path.slice(-18)}` : path);

function update() {
  const outcome = read($('input').value);
  const faulty = outcome.kind === 'fault';
  $('fault').hidden = !faulty;
  $('input').setAttribute('aria-invalid', String(faulty));
  document.body.dataset.state = outcome.kind;
  for (const id of ['copy', 'format']) $(id).disabled = outcome.kind !== 'done';
  if (faulty) showFault(outcome);
  else if (outcome.kind === 'done') showBytes(outcome);
  else showNothing();
  timings.setDocument(outcome.kind === 'done' ? { value: outcome.value, mode: mode() } : null);
}

function showFault({ code, place, message, index, excerpt }) {
  faultIndex = index ?? -1;
  $('fault-code').textContent = code;
  $('fault-place').textContent = place;
  $('fault-message').textContent = message;
  $('fault-excerpt').textContent = excerpt;
  $('fault-excerpt').hidden = excerpt === '';
  $('fault-go').hidden = faultIndex < 0;
  $('more').hidden = bytes.length === 0;
  $('more').textContent = 'These are the bytes of the last text without an error.';
  speak(`${code} error${place && `, ${place}`}. ${message}`);
}

/** The line around `index`, cut to a readable width, over a line that points at the place. */
function excerptAt(source, index) {
  const start = source.lastIndexOf('\n', index - 1) + 1;
  const lineEnd = source.indexOf('\n', index);
  const from = Math.max(start, index - 24);
  const until = Math.min(lineEnd < 0 ? source.length : lineEnd, from + 44);
  const line = source.slice(from, until).replace(/[\t\r]/g, ' ');
  return `${line}\n${' '.repeat(index - from)}^`;
}

function showBytes(outcome) {
  bytes = outcome.bytes;
  drawBytes();
  const json = text.encode(JSON.stringify(outcome.value)).length;
  const share = bytes.length / json;
  const largest = Math.max(json, bytes.length);
  $('json-size').textContent = count(json, 'byte');
  $('cbor-size').textContent = count(bytes.length, 'byte');
  $('json-bar').style.width = `${(100 * json) / largest}%`;
  $('cbor-bar').style.width = `${(100 * bytes.length) / largest}%`;
  $('ratio').textContent = `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
  speak(`${count(bytes.length, 'byte')} of CBOR from ${count(json, 'byte')} of JSON`);
}

function drawBytes() {
  drawHex($('hex'), bytes, narrow.matches ? 8 : 16);
  const rest = bytes.length - SHOWN_BYTES;
  $('more').hidden = rest <= 0;
  if (rest > 0) $('more').textContent = `and ${count(rest, 'byte')} more`;
}

function showNothing() {
  bytes = new Uint8Array(0);
  $('hex').replaceChildren();
  $('more').hidden = false;
  $('more').textContent = 'Type JSON to see its bytes.';
  for (const id of ['json-size', 'cbor-size', 'ratio']) $(id).textContent = '\u2013';
  for (const id of ['json-bar', 'cbor-bar']) $(id).style.width = '0';
  speak('No document');
}

function speak(words) {
  clearTimeout(speaking);
  speaking = setTimeout(() => ($('summary').textContent = words), SPEAK_AFTER_MS);
}

async function fillSamples() {
  const names = await (await fetch('samples/index.json')).json();
  for (const name of names) $('sample').add(new Option(name.replaceAll('-', ' '), name));
}

async function loadSample(name) {
  if (name === '') return;
  const response = await fetch(`samples/${encodeURIComponent(name)}.json`);
  if (!response.ok) return;
  const source = await response.text();
  if ($('sample').value !== name) return; // another one was picked meanwhile
  setInput(source.trimEnd().includes('\n') ? source : indent(source));
}

const indent = (source) => JSON.stringify(JSON.parse(source), null, 2);

/** Puts a whole text in place and shows its beginning. */
function setInput(source) {
  $('input').value = source;
  $('input').setSelectionRange(0, 0);
  $('input').scrollTo(0, 0);
  update();
}

function goToFault() {
  const input = $('input');
  input.focus();
  input.setSelectionRange(faultIndex, Math.min(faultIndex + 1, input.value.length));
  const line = input.value.slice(0, faultIndex).split('\n').length - 1;
  const lineHeight = parseFloat(getComputedStyle(input).lineHeight);
  input.scrollTop = Math.max(0, line * lineHeight - input.clientHeight / 2);
}

async function copyHex() {
  await navigator.clipboard.writeText(hexOf(bytes));
  $('copy').textContent = 'Copied';
  setTimeout(() => ($('copy').textContent = 'Copy hex'), 1500);
}

$('input').addEventListener('input', () => {
  $('sample').value = '';
  update();
});
$('sample').addEventListener('change', (event) => loadSample(event.target.value));
for (const radio of document.querySelectorAll('input[name="mode"]')) radio.addEventListener('change', update);
$('format').addEventListener('click', () => setInput(indent($('input').value)));
$('fault-go').addEventListener('click', goToFault);
$('copy').addEventListener('click', copyHex);
narrow.addEventListener('change', drawBytes);

if ($('input').value === '') $('input').value = FIRST_DOCUMENT;
update();
fillSamples();
