// The timings panel: one row for each way to encode, filled by a measurement that can be stopped and repeated.

import { measure } from './measure.js';
import * as wcbor from './wcbor.js';
import { countOf, waysToEncode } from './ways.js';

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
    fill(result, { unit, longest, fastest }) {
      const digits = fastest * unit.scale < 10 ? 2 : fastest * unit.scale < 100 ? 1 : 0;
      const show = (us) => (us * unit.scale).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
      const percent = (us) => `${(100 * us) / longest}%`;
      row.classList.toggle('fastest', result.median === fastest);
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
  const moved = Math.max(...results.map((result, i) => Math.abs(result.median / before[i].median - 1)));
  const percent = Math.max(1, Math.ceil(moved * 100));
  if (moved <= STEADY) return `Every median is within ${percent}% of the run before.`;
  return `The medians moved by up to ${percent}% since the run before: this machine is busy with other work.`;
}

/**
 * Brings the panel to life.
 * @returns {{ setDocument: (next: { value: unknown, mode: string } | null) => void }} tells the panel what to measure;
 *   results of another document are taken away, a measurement under way stops.
 */
export function setUpTimings() {
  const rows = new Map();
  for (const way of waysToEncode(wcbor, null, 'lax')) {
    rows.set(way.id, addRow($('ways'), way));
    way.dispose();
  }
  const intro = $('timings-note').textContent;
  let current = null;
  let before = null;
  let running = null;

  function show(results) {
    const fastest = Math.min(...results.map((result) => result.median));
    const longest = Math.max(...results.map((result) => result.high));
    const unit = unitFor(fastest);
    $('unit').textContent = ` (${unit.name})`;
    for (const result of results) rows.get(result.id).fill(result, { unit, longest, fastest });
    $('times').dataset.done = 'yes';
    $('timings-note').textContent = `Time for one document. ${comparison(results, before)}`;
    before = results;
  }

  async function run() {
    running = new AbortController();
    const { signal } = running;
    const ways = waysToEncode(wcbor, current.value, current.mode);
    $('measure').textContent = 'Stop';
    $('progress').value = 0;
    $('progress').hidden = false;
    try {
      const times = await measure(
        ways.map((way) => way.run),
        { signal, onProgress: (share) => ($('progress').value = share) },
      );
      // Counted when warm: what is learnt about a document's keys once is not part of every document.
      show(ways.map((way, i) => ({ id: way.id, ...times[i], ...countOf(wcbor, way) })));
    } catch (error) {
      if (!signal.aborted) $('timings-note').textContent = `Could not measure: ${error.message}`;
    } finally {
      for (const way of ways) way.dispose();
      running = null;
      $('measure').textContent = before ? 'Measure again' : 'Measure';
      $('progress').hidden = true;
    }
  }

  $('measure').addEventListener('click', () => (running ? running.abort() : run()));

  return {
    setDocument(next) {
      running?.abort();
      current = next;
      before = null;
      for (const row of rows.values()) row.clear();
      delete $('times').dataset.done;
      $('unit').textContent = '';
      $('measure').disabled = !next;
      if (!running) $('measure').textContent = 'Measure';
      $('timings-note').textContent = intro;
    },
  };
}
