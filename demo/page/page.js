// The page: what stands in the text area is read, encoded and shown at every keystroke.

import { setUpBytes } from './bytes-view.js';
import { showCalls } from './calls.js';
import { copy, sayFor } from './copying.js';
import { FileError, FORMATS, readFile } from './files.js';
import { Reader } from './reader.js';
import { callsOf } from './reading.js';
import { packState, unpackState } from './sharing.js';
import { hexOf } from './sources.js';
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
const RECORD_AFTER_MS = 250;
const MARKED_MAX = 200_000; // longer texts are not laid out a second time, with a mark in them
const READING_AFTER_MS = 250; // what takes longer than this says that it is under way

const $ = (id) => document.getElementById(id);
const narrow = matchMedia('(max-width: 560px)');
const count = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

const timings = setUpTimings();
const view = setUpBytes({ hex: $('hex'), items: $('items'), more: $('more'), onPoint: markSource });
const reader = new Reader(show);
/** What is shown: a Reading, or that one is under way. */
let shown = { kind: 'empty' };
/** Compressed sizes and the address of the document, when they are known. */
let weights;
let faultIndex = -1;
let speaking = 0;
let recording = 0;
let saying = 0;

const settings = () => ({ format: $('format').value, mode: $('mode').value, convert: $('convert').checked });

/** Reads what stands in the text area, and shows what comes of it. */
function update() {
  setKind('reading');
  for (const id of ['notice', 'copy-notice']) $(id).hidden = true;
  timings.setDocument(null);
  const { isAtOnce, weights: itsWeights } = reader.read($('input').value, settings());
  weights = itsWeights;
  clearTimeout(saying);
  if (!isAtOnce) saying = setTimeout(sayReading, READING_AFTER_MS);
  weights.then(({ gzippedJson, gzippedCbor, hash, calls }) => {
    if (weights !== itsWeights) return; // of a text that is no longer there
    if (calls !== undefined) showCalls($, calls);
    if (shown.kind === 'done') showSizes({ json: shown.jsonLength, cbor: shown.bytes.length, 'json-gzip': gzippedJson, 'cbor-gzip': gzippedCbor });
    remember(hash);
  });
}

function setKind(kind) {
  shown = { kind };
  document.body.dataset.state = kind;
  for (const id of ['copy', 'tidy']) $(id).disabled = kind !== 'done';
  markSource(undefined);
}

function sayReading() {
  $('change').classList.remove('broken');
  $('change').textContent = 'Reading\u2026';
}

/** @param {import('./reading.js').Reading} reading @param {ReturnType<import('./reading.js').read>} [held] of a short document */
function show(reading, held) {
  clearTimeout(saying);
  setKind(reading.kind);
  shown = reading;
  const isFaulty = reading.kind === 'fault';
  $('fault').hidden = !isFaulty;
  $('input').setAttribute('aria-invalid', String(isFaulty));
  if (isFaulty) showFault(reading.fault);
  else if (reading.kind === 'done') showBytes();
  else showNothing();
  if (reading.isMeasured) timings.setDocument({ bytes: reading.bytes, mode: $('mode').value });
  clearTimeout(recording);
  if (held !== undefined) recording = setTimeout(() => showCalls($, callsOf(held, settings())), RECORD_AFTER_MS);
}

let remembering = 0;

/** Keeps the state in the address, once the typing rests: browsers take only so many changes of it. */
function remember(hash) {
  clearTimeout(remembering);
  remembering = setTimeout(() => history.replaceState(null, '', hash === '' ? location.pathname : `#${hash}`), RECORD_AFTER_MS);
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
  const { bytes, broken, change, jsonLength } = shown;
  view.show(shown, { perRow: narrow.matches ? 8 : 16 });
  $('change').textContent = change;
  $('change').classList.toggle('broken', broken !== undefined);
  showSizes({ json: jsonLength, cbor: bytes.length });
  const faulty = broken === undefined ? '' : ` ${broken.code} at byte ${broken.offset}.`;
  speak(`${count(bytes.length, 'byte')} of CBOR${jsonLength === undefined ? '' : ` from ${count(jsonLength, 'byte')} of JSON`}.${faulty}`);
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

/** Lights up the text of an item behind the text area. */
function markSource(item) {
  // What is shown may be of an earlier text.
  const source = item?.source === undefined || shown.kind !== 'done' ? '' : $('input').value;
  if (source === '' || source.length > MARKED_MAX) {
    if ($('backdrop').firstChild !== null) $('backdrop').replaceChildren();
    return;
  }
  const [start, end] = item.source;
  const mark = document.createElement('mark');
  mark.textContent = source.slice(start, end);
  $('backdrop').replaceChildren(source.slice(0, start), mark, `${source.slice(end)}\n`);
  followScroll();
}

function followScroll() {
  $('backdrop').scrollTop = $('input').scrollTop;
  $('backdrop').scrollLeft = $('input').scrollLeft;
}

/** The item of the place where the cursor is. */
function pointFromSource() {
  if (shown.kind !== 'done') return;
  const at = $('input').selectionStart;
  let best;
  let size = Infinity;
  for (const item of shown.items) {
    if (item.source === undefined || item.place === 'end') continue;
    const [start, end] = item.source;
    if (start <= at && at <= end && end - start <= size) [best, size] = [item, end - start];
  }
  if (best !== undefined) view.find((item) => item === best);
}

// ------------------------------------------------------------------------------------------------ samples and files

async function fillSamples() {
  if ($('sample').length > 1) return;
  const lists = await Promise.all(['others', 'index'].map(async (list) => (await fetch(`samples/${list}.json`)).json()));
  const samples = lists.flat();
  for (const name of samples) $('sample').add(new Option(name.replace(/\.\w+$/, '').replaceAll('-', ' '), name));
}

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

/** A file becomes the document. */
async function takeFile(file) {
  let read;
  try {
    read = await readFile(file);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return notify('notice', error.message);
  }
  $('sample').value = '';
  $('format').value = read.format;
  formatBefore = read.format;
  setInput(read.text ?? hexOf(read.bytes, ' '));
}

/** Says what could not be done, until the document changes. */
function notify(id, words) {
  $(id).hidden = false;
  $(id).textContent = words;
}

let formatBefore = 'json';

/** The document in another notation, where it has one in it. What has none stays as it is, for its owner to change. */
async function changeFormat() {
  const format = $('format').value;
  const isChange = shown.kind === 'done' && formatBefore !== format && (shown.hasValue || format === 'hex' || format === 'diagnostic');
  formatBefore = format;
  $('sample').value = '';
  if (isChange) await rewriteAs(format);
  else update();
}

async function tidy() {
  await rewriteAs($('format').value);
}

/** Puts the document in place as a notation has it, unless it has become another one meanwhile. */
async function rewriteAs(format) {
  const before = shown;
  const source = await reader.rewrite(format);
  if (shown === before) setInput(source ?? $('input').value);
}

/** Puts a whole text in place and shows its beginning. */
function setInput(source) {
  $('input').value = source;
  $('input').setSelectionRange(0, 0);
  for (const id of ['input', 'hexes', 'items']) $(id).scrollTo(0, 0);
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

async function share({ target }) {
  const hash = await packState({ ...settings(), source: $('input').value });
  if (hash === '') {
    notify('copy-notice', 'This document is too long for a link.');
    sayFor(target, 'Not copied');
    return;
  }
  await copy(target, `${location.origin}${location.pathname}#${hash}`, 'Link copied');
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
$('tidy').addEventListener('click', tidy);
$('fault-go').addEventListener('click', goToFault);
$('copy').addEventListener('click', ({ target }) => copy(target, hexOf(shown.bytes), 'Copied'));
$('share').addEventListener('click', share);
narrow.addEventListener('change', () => shown.kind === 'done' && showBytes());
const hasFile = ({ dataTransfer }) => dataTransfer.types.includes('Files');
for (const name of ['dragenter', 'dragover']) {
  document.addEventListener(name, (event) => {
    if (!hasFile(event)) return; // text is the text area's own business
    event.preventDefault();
    document.body.classList.add('dropping');
  });
}
document.addEventListener('dragleave', (event) => event.relatedTarget === null && document.body.classList.remove('dropping'));
document.addEventListener('drop', (event) => {
  document.body.classList.remove('dropping');
  if (!hasFile(event)) return;
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file !== undefined) takeFile(file);
});

async function start() {
  const state = await unpackState(location.hash.slice(1));
  if (state !== undefined) {
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
