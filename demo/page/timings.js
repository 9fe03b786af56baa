// The timings panel: one row for each way to encode or decode, filled by a measurement in a worker (timer.js), which can be
// stopped and repeated.

import { copy } from './copying.js';
import * as wcbor from './wcbor.js';
import { waysToDecode, waysToEncode } from './ways.js';

const $ = (id) => document.getElementById(id);

/** The unit in which the fastest way still shows digits, so that a column reads in one unit. */
function unitFor(microseconds) {
  if (microseconds < 1) return { name: 'ns', scale: 1000 };
  if (microseconds < 1000) return { name: '\u00b5s', scale: 1 };
  return { name: 'ms', scale: 0.001 };
}

function element(name, className, text = '') {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Adds an empty row for a way; fill() writes a result into it, clear() takes it out. */
function addRow(body, { id, name, note }) {
  const row = body.insertRow();
  row.dataset.way = id;
  const head = element('th', 'way', name);
  head.scope = 'row';
  head.append(element('span', 'note', note));
  const track = element('span', 'track');
  const fill = element('span', 'fill');
  const whisker = element('span', 'whisker');
  track.append(fill, whisker);
  const chart = element('td', 'chart');
  chart.append(track);
  const cell = (label) => {
    const made = element('td', 'value', '\u2013');
    made.dataset.label = label;
    return made;
  };
  const cells = { median: cell('Median'), spread: cell('Quartiles'), crossings: cell('Crossings'), bytes: cell('Bytes') };
  row.append(head, chart, ...Object.values(cells));

  return {
    fill(result, { unit, longest, fastest, isFirst }) {
      const digits = fastest * unit.scale < 10 ? 2 : fastest * unit.scale < 100 ? 1 : 0;
      const show = (us) => (us * unit.scale).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
      const percent = (us) => `${(100 * us) / longest}%`;
      row.classList.toggle('fastest', isFirst);
      fill.style.width = percent(result.median);
      whisker.style.left = percent(result.low);
      whisker.style.width = percent(result.high - result.low);
      cells.median.dataset.label = `Median (${unit.name})`;
      cells.median.textContent = show(result.median);
      cells.spread.textContent = `${show(result.low)}\u2013${show(result.high)}`;
      cells.crossings.textContent = result.crossings.toLocaleString('en');
      cells.bytes.textContent = result.bytes.toLocaleString('en');
    },
    clear() {
      row.classList.remove('fastest');
      cells.median.dataset.label = 'Median';
      fill.style.width = whisker.style.width = '0';
      for (const each of Object.values(cells)) each.textContent = '\u2013';
    },
  };
}

const STEADY = 0.1;

/** Says by how much the medians moved since the run before, the way that moved most deciding. */
function comparison(results, before) {
  if (!before) return 'Measure again to see how well the figures repeat.';
  const earlier = new Map(before.map(({ id, median }) => [id, median]));
  const moved = Math.max(...results.map(({ id, median }) => Math.abs(median / (earlier.get(id) ?? median) - 1)));
  const percent = Math.max(1, Math.ceil(moved * 100));
  if (moved <= STEADY) return `Every median is within ${percent}% of the run before.`;
  return `The medians moved by up to ${percent}% since the run before: this machine is busy with other work.`;
}

/**
 * Brings the panel to life.
 * @returns {{ setDocument: (next: { bytes: Uint8Array, mode: string } | null) => void }} tells the panel what to measure;
 *   results of another document are taken away, a measurement under way stops.
 */
export function setUpTimings() {
  const rows = new Map();
  const names = { 'cbor-x': NOTHING, cborg: NOTHING };
  for (const way of [...waysToEncode(wcbor, null, 'lax', names), ...waysToDecode(wcbor, new Uint8Array(0), null, names)]) {
    rows.set(way.id, { name: way.name, ...addRow($('ways'), way) });
    way.dispose();
  }
  const intro = $('timings-note').textContent;
  let current = null;
  let before = null;
  let worker = null;
  let results = [];

  function show(next) {
    results = next;
    const fastest = Math.min(...results.map((result) => result.median));
    const longest = Math.max(...results.map((result) => result.high));
    const unit = unitFor(fastest);
    $('unit').textContent = ` (${unit.name})`;
    for (const { clear } of rows.values()) clear();
    const isFirst = (result) => results.every((other) => isReading(other.id) !== isReading(result.id) || other.median >= result.median);
    for (const result of results) rows.get(result.id).fill(result, { unit, longest, fastest, isFirst: isFirst(result) });
    $('times').dataset.done = 'yes';
    $('timings-note').textContent = `Time for one document. ${comparison(results, before)}`;
    $('copy-times').disabled = false;
    before = results;
  }

  function stop() {
    worker?.terminate();
    worker = null;
    $('measure').textContent = before ? 'Measure again' : 'Measure';
    $('progress').hidden = true;
  }

  function run() {
    worker = new Worker('timer.js', { type: 'module' });
    $('measure').textContent = 'Stop';
    $('progress').value = 0;
    $('progress').hidden = false;
    worker.addEventListener('message', ({ data }) => {
      if (data.share !== undefined) {
        $('progress').value = data.share;
        return;
      }
      if (data.results !== undefined) show(data.results);
      else $('timings-note').textContent = `Could not measure: ${data.message}`;
      stop();
    });
    worker.addEventListener('error', (event) => {
      $('timings-note').textContent = `Could not measure: ${event.message ?? 'the worker did not start'}`;
      stop();
    });
    worker.postMessage(current);
  }

  $('measure').addEventListener('click', () => (worker ? stop() : run()));
  $('copy-times').addEventListener('click', () => {
    const lines = results.map(({ id, median, low, high, crossings, bytes }) => [rows.get(id).name, median, low, high, crossings, bytes].join('\t'));
    copy($('copy-times'), ['way\tmedian, us\tlow\thigh\tcrossings\tbytes', ...lines].join('\n'), 'Copied');
  });

  return {
    setDocument(next) {
      before = null;
      stop();
      current = next;
      results = [];
      for (const row of rows.values()) row.clear();
      delete $('times').dataset.done;
      $('unit').textContent = '';
      $('measure').disabled = !next;
      $('copy-times').disabled = true;
      $('timings-note').textContent = intro;
    },
  };
}

/** Whether a way reads; writing and reading are not compared with one another. */
const isReading = (id) => /^(decode|parse)/.test(id);

/** Only names its ways. */
const NOTHING = { encode: () => new Uint8Array(0), decode: () => undefined };
