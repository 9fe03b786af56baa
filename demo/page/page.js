// The page: what stands in the text area is read, encoded and shown at every keystroke.

import { hexOf, setUpBytes } from './bytes-view.js';
import { showCalls } from './calls.js';
import { keyKey, pathKey } from './literal.js';
import { gzippedLength, packState, unpackState } from './sharing.js';
import { readSource, rewrite } from './sources.js';
import { setUpTimings } from './timings.js';
import { validate } from './wcbor.js';

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
const RECORD_AFTER_MS = 250;
const LARGEST_FILE = 8_000_000;

const $ = (id) => document.getElementById(id);
const narrow = matchMedia('(max-width: 560px)');
const text = new TextEncoder();
const count = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

const timings = setUpTimings();
const view = setUpBytes({ hex: $('hex'), items: $('items'), more: $('more'), onPoint: markSource });
let outcome = { kind: 'empty' };
let faultIndex = -1;
let speaking = 0;
let recording = 0;
let turn = 0;

const settings = () => ({ format: $('format').value, mode: $('mode').value, convert: $('convert').checked });

function update() {
  turn++;
  outcome = readSource($('input').value, settings());
  const { kind } = outcome;
  const faulty = kind === 'fault';
  $('fault').hidden = !faulty;
  $('input').setAttribute('aria-invalid', String(faulty));
  document.body.dataset.state = kind;
  for (const id of ['copy', 'tidy']) $(id).disabled = kind !== 'done';
  markSource(undefined);
  if (faulty) showFault(outcome.fault);
  else if (kind === 'done') showBytes();
  else showNothing();
  const measured = kind === 'done' && outcome.hasValue && outcome.broken === undefined;
  timings.setDocument(measured ? { bytes: outcome.bytes, mode: $('mode').value } : null);
  clearTimeout(recording);
  recording = setTimeout(() => {
    showCalls($, measured ? { value: outcome.value, mode: $('mode').value, nbytes: outcome.bytes.length } : null);
    remember();
  }, RECORD_AFTER_MS);
}

/** Keeps the state in the address. */
async function remember() {
  const mine = turn;
  const hash = await packState({ ...settings(), source: $('input').value });
  if (mine === turn) history.replaceState(null, '', hash === '' ? location.pathname : `#${hash}`);
}

function showFault({ code, place, message, index, path }) {
  faultIndex = index ?? -1;
  const excerpt = faultIndex >= 0 ? excerptAt($('input').value, faultIndex) : shorten(path ?? '');
  $('fault-code').textContent = code;
  $('fault-place').textContent = place;
  $('fault-message').textContent = message;
  $('fault-excerpt').textContent = excerpt;
  $('fault-excerpt').hidden = excerpt === '';
  $('fault-go').hidden = faultIndex < 0;
  $('change').textContent = '';
  $('more').hidden = false;
  $('more').textContent = 'These are the bytes of the last text without an error.';
  speak(`${code} error${place && `, ${place}`}. ${message}`);
}

/** A long path keeps its two ends. */
const shorten = (path) => (path.length > 38 ? `${path.slice(0, 18)}\u2026${path.slice(-18)}` : path);

/** The line around `index`, cut to a readable width, over a line that points at the place. */
function excerptAt(source, index) {
  const start = source.lastIndexOf('\n', index - 1) + 1;
  const lineEnd = source.indexOf('\n', index);
  const from = Math.max(start, index - 24);
  const until = Math.min(lineEnd < 0 ? source.length : lineEnd, from + 44);
  const line = source.slice(from, until).replace(/[\t\r]/g, ' ');
  return `${line}\n${' '.repeat(index - from)}^`;
}

function showBytes() {
  const { bytes, broken, value, hasValue, writtenLength } = outcome;
  view.show(bytes, { perRow: narrow.matches ? 8 : 16, broken: broken?.offset });
  $('change').textContent = changeOf(bytes.length, writtenLength, broken);
  $('change').classList.toggle('broken', broken !== undefined);
  const json = hasValue ? jsonOf(value) : undefined;
  showSizes({ json: json?.length, cbor: bytes.length });
  showGzipped(json, bytes);
  const faulty = broken === undefined ? '' : ` ${broken.code} at byte ${broken.offset}.`;
  speak(`${count(bytes.length, 'byte')} of CBOR${json === undefined ? '' : ` from ${count(json.length, 'byte')} of JSON`}.${faulty}`);
}

/** What the mode makes of the document, in words. */
function changeOf(length, writtenLength, broken) {
  const mode = $('mode').value;
  if (broken !== undefined) return `${broken.code} at byte ${broken.offset.toLocaleString('en')}: not ${mode} as it is written.`;
  if (length !== writtenLength) return `${count(writtenLength, 'byte')} as written, ${count(length, 'byte')} in ${mode}.`;
  return validate(outcome.bytes, { mode }).ok ? `As ${mode} has it.` : '';
}

function jsonOf(value) {
  try {
    const json = JSON.stringify(value);
    return json === undefined ? undefined : text.encode(json);
  } catch {
    return undefined;
  }
}

function showSizes(sizes) {
  const largest = Math.max(1, ...Object.values(sizes).filter((size) => size !== undefined));
  for (const [name, size] of Object.entries(sizes)) {
    $(`${name}-size`).textContent = size === undefined ? '\u2013' : count(size, 'byte');
    $(`${name}-bar`).style.width = size === undefined ? '0' : `${(100 * size) / largest}%`;
  }
  const share = sizes.cbor / sizes.json;
  $('ratio').textContent = sizes.json === undefined ? '\u2013' : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
}

async function showGzipped(json, bytes) {
  const mine = turn;
  const [gzippedJson, gzippedCbor] = await Promise.all([json === undefined ? undefined : gzippedLength(json), gzippedLength(bytes)]);
  if (mine !== turn) return;
  showSizes({ json: json?.length, cbor: bytes.length, 'json-gzip': gzippedJson, 'cbor-gzip': gzippedCbor });
}

function showNothing() {
  view.clear('Type a document to see its bytes.');
  $('change').textContent = '';
  for (const id of ['json', 'cbor', 'json-gzip', 'cbor-gzip']) {
    $(`${id}-size`).textContent = '\u2013';
    $(`${id}-bar`).style.width = '0';
  }
  $('ratio').textContent = '\u2013';
  speak('No document');
}

function speak(words) {
  clearTimeout(speaking);
  speaking = setTimeout(() => ($('summary').textContent = words), SPEAK_AFTER_MS);
}

// ------------------------------------------------------------------------------------------- the source of an item

/** Where an item stands in the text. */
function placeOf(item) {
  const { places } = outcome;
  if (item === undefined || places === undefined) return undefined;
  if (Array.isArray(places)) {
    const end = Math.min(item.offset + Math.max(item.length, item.headLength), places.length) - 1;
    return places[item.offset] && [places[item.offset][0], places[end][1]];
  }
  return places.get(placeKey(item));
}

const placeKey = ({ place, path }) => (place === 'key' ? keyKey(path) : pathKey(path));

/** Lights up the text of an item behind the text area. */
function markSource(item) {
  const source = $('input').value;
  const place = placeOf(item);
  if (place === undefined || source.length > 200_000) {
    $('backdrop').replaceChildren();
    return;
  }
  const mark = document.createElement('mark');
  mark.textContent = source.slice(place[0], place[1]);
  $('backdrop').replaceChildren(source.slice(0, place[0]), mark, `${source.slice(place[1])}\n`);
  followScroll();
}

function followScroll() {
  $('backdrop').scrollTop = $('input').scrollTop;
  $('backdrop').scrollLeft = $('input').scrollLeft;
}

/** The item of the place where the cursor is. */
function pointFromSource() {
  const { places } = outcome;
  if (outcome.kind !== 'done' || places === undefined) return;
  const at = $('input').selectionStart;
  if (Array.isArray(places)) {
    const byte = places.findIndex(([, end]) => at < end);
    if (byte >= 0) view.find(({ offset, headLength, length }) => offset <= byte && byte < offset + Math.max(length, headLength));
    return;
  }
  let best;
  for (const [key, [start, end]] of places) if (start <= at && at <= end && (best === undefined || end - start <= best.size)) best = { key, size: end - start };
  if (best !== undefined) view.find((item) => item.place !== 'end' && item.type !== 'break' && placeKey(item) === best.key);
}

// ------------------------------------------------------------------------------------------------ samples and files

async function fillSamples() {
  if ($('sample').length > 1) return;
  const lists = await Promise.all(['others', 'index'].map(async (list) => (await fetch(`samples/${list}.json`)).json()));
  const samples = lists.flat();
  for (const name of samples) $('sample').add(new Option(name.replace(/\.\w+$/, '').replaceAll('-', ' '), name));
}

const FORMATS = { json: 'json', edn: 'diagnostic', hex: 'hex', js: 'literal' };

async function loadSample(name) {
  if (name === '') return;
  const file = name.includes('.') ? name : `${name}.json`;
  const response = await fetch(`samples/${encodeURIComponent(file)}`);
  if (!response.ok) return;
  const source = await response.text();
  if ($('sample').value !== name) return; // another one was picked meanwhile
  const format = FORMATS[file.split('.').pop()];
  $('format').value = format;
  formatBefore = format;
  setInput(format !== 'json' || source.trimEnd().includes('\n') ? source : JSON.stringify(JSON.parse(source), null, 2));
}

/** A file as a document: CBOR as hex, all else as text of the kind that its name, or its beginning, tells. */
async function takeFile(file) {
  if (file.size > LARGEST_FILE) return speak(`${file.name} has more than ${LARGEST_FILE.toLocaleString('en')} bytes`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = FORMATS[file.name.split('.').pop()?.toLowerCase()] ?? kindOf(bytes);
  $('sample').value = '';
  $('format').value = kind === 'cbor' ? 'hex' : kind;
  formatBefore = $('format').value;
  setInput(kind === 'cbor' ? rewrite(bytes, undefined, 'hex') : new TextDecoder().decode(bytes));
}

function kindOf(bytes) {
  const source = new TextDecoder().decode(bytes);
  try {
    JSON.parse(source);
    return 'json';
  } catch {
    return /^[\s0-9a-fA-F]+$/.test(source) ? 'hex' : 'cbor';
  }
}

let formatBefore = 'json';

/** The document in another notation, where it has one in it. */
function changeFormat() {
  const format = $('format').value;
  if (outcome.kind === 'done' && formatBefore !== format) {
    try {
      const source = rewrite(outcome.bytes, outcome.value, format);
      if (source !== undefined && (outcome.hasValue || format === 'hex' || format === 'diagnostic')) $('input').value = source;
    } catch {
      // What has no form in it stays as it is, for its owner to change.
    }
  }
  formatBefore = format;
  $('sample').value = '';
  update();
}

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

async function copy(button, content, words) {
  await navigator.clipboard.writeText(content);
  const before = button.textContent;
  button.textContent = words;
  setTimeout(() => (button.textContent = before), 1500);
}

$('input').addEventListener('input', () => {
  $('sample').value = '';
  update();
});
$('input').addEventListener('scroll', followScroll);
for (const name of ['keyup', 'click']) $('input').addEventListener(name, pointFromSource);
$('sample').addEventListener('change', (event) => loadSample(event.target.value));
$('format').addEventListener('change', changeFormat);
for (const id of ['mode', 'convert']) $(id).addEventListener('change', update);
$('tidy').addEventListener('click', () => setInput(rewrite(outcome.bytes, outcome.value, $('format').value) ?? $('input').value));
$('fault-go').addEventListener('click', goToFault);
$('copy').addEventListener('click', ({ target }) => copy(target, hexOf(outcome.bytes), 'Copied'));
$('share').addEventListener('click', async ({ target }) => {
  await remember();
  await copy(target, location.href, 'Link copied');
});
narrow.addEventListener('change', () => outcome.kind === 'done' && showBytes());
for (const name of ['dragenter', 'dragover']) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
}
document.addEventListener('dragleave', (event) => event.relatedTarget === null && document.body.classList.remove('dropping'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const [file] = event.dataTransfer.files;
  if (file !== undefined) takeFile(file);
});

async function start() {
  const state = await unpackState(location.hash.slice(1));
  if (state !== undefined && typeof state.source === 'string') {
    if (Object.values(FORMATS).includes(state.format)) $('format').value = formatBefore = state.format;
    $('mode').value = [...$('mode').options].some(({ value }) => value === state.mode) ? state.mode : 'lax';
    $('convert').checked = state.convert !== false;
    $('input').value = state.source;
  } else if ($('input').value === '') {
    $('input').value = FIRST_DOCUMENT;
  }
  update();
  await fillSamples();
}

addEventListener('hashchange', start);
start();
if ('serviceWorker' in navigator) navigator.serviceWorker.register('offline.js').catch(() => {});
