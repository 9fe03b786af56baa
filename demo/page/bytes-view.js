// The bytes as rows of hex and as a list of items, one to a line. Pointing at an item, in either, lights it up in both, and
// tells whoever wants to know.

import { SHOWN_BYTES, SHOWN_ITEMS } from './reading.js';
import { HEX, hexOf } from './sources.js';

const NUMBERS = ['unsigned', 'negative', 'float'];
/** So many bytes of a string stand in its line. */
const STRING_BYTES = 8;
/** Deeper items are not indented further (style.css). */
const DEPTH_MAX = 12;
const character = (byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '\u00b7');

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replace(/[&<>"]/g, (unit) => ENTITIES[unit]);

/** What a byte of an item is: of its head, or of a string's content. */
function kindOf({ type, offset, headLength }, at) {
  if (NUMBERS.includes(type)) return 'number';
  if (type === 'simple') return 'simple';
  return at < offset + headLength ? 'head' : 'text';
}

/** So many elements are replaced one by one at most. */
const REPLACED_MAX = 100;

/**
 * Puts an element for each piece of HTML into `parent`. Those that are the same stay, for at a keystroke most are.
 * @param {HTMLElement} parent
 * @param {string[]} pieces
 * @param {string[]} before what is there
 */
function draw(parent, pieces, before) {
  const others = [...pieces.keys()].filter((i) => pieces[i] !== before[i]);
  if (pieces.length !== before.length || others.length > REPLACED_MAX) parent.innerHTML = pieces.join('');
  else for (const i of others) parent.children[i].outerHTML = pieces[i];
  return pieces;
}

/**
 * Brings the two views to life.
 * @param {{ hex: HTMLElement, items: HTMLElement, more: HTMLElement, onPoint: (item: object | undefined) => void }} parts
 */
export function setUpBytes({ hex: hexView, items: list, more, onPoint }) {
  let bytes = new Uint8Array(0);
  let items = [];
  let owners = new Int32Array(0);
  let cells = [];
  let characters = [];
  let lines = [];
  let rowsDrawn = [];
  let linesDrawn = [];
  let lit = -1;
  let brokenAt = -1;

  // Thousands of elements at every keystroke: engines make them of one text several times as fast as one by one.

  function drawRows(perRow) {
    const shown = Math.min(bytes.length, SHOWN_BYTES);
    const digits = Math.max(4, (shown - 1).toString(16).length);
    const rows = [];
    for (let start = 0; start < shown; start += perRow) {
      const end = Math.min(start + perRow, shown);
      let left = '';
      let right = '';
      for (let at = start; at < end; at++) {
        const item = items[owners[at]];
        const kind = item === undefined ? 'beyond' : kindOf(item, at);
        const gap = at === start ? '' : (at - start) % 8 === 0 ? '  ' : ' ';
        left += `${gap}<span class="${kind}${at === brokenAt ? ' broken' : ''}" data-at="${at}">${HEX[bytes[at]]}</span>`;
        right += `<span class="${kind}">${escaped(character(bytes[at]))}</span>`;
      }
      const offset = start.toString(16).padStart(digits, '0');
      rows.push(`<span class="row"><span class="offset">${offset}</span><span class="bytes">${left}</span><span class="characters">${right}</span></span>`);
    }
    rowsDrawn = draw(hexView, rows, rowsDrawn);
    cells = [...hexView.querySelectorAll('.bytes > span')];
    characters = [...hexView.querySelectorAll('.characters > span')];
  }

  function drawItems(end) {
    const fault = end === undefined ? [] : [`<div class="item broken">${end.code} at byte ${end.offset}</div>`];
    linesDrawn = draw(list, [...items.slice(0, SHOWN_ITEMS).map(lineOf), ...fault], linesDrawn);
    lines = [...list.children];
    list.removeAttribute('aria-activedescendant');
  }

  /** The line of an item: its head in hex, what follows of a string, and what it means. */
  function lineOf(item, index) {
    const { offset, headLength, length, type, value, depth } = item;
    const isString = value instanceof Uint8Array || typeof value === 'string';
    const stop = Math.min(offset + headLength + (type === 'text' || type === 'bytes' ? STRING_BYTES : 0), offset + Math.max(length, headLength));
    const rest = isString ? hexOf(bytes.subarray(offset + headLength, stop)) : '';
    const head = `<span class="${kindOf(item, offset)}">${hexOf(bytes.subarray(offset, offset + headLength))}</span>`;
    const code = `<span class="code">${head}${rest && ` ${rest}${stop < offset + length ? '\u2026' : ''}`}</span>`;
    const classes = `item depth-${Math.min(depth, DEPTH_MAX)}${offset === brokenAt ? ' broken' : ''}`;
    return `<div class="${classes}" role="option" id="item-${index}" data-i="${index}" aria-selected="false">${code}`
      + `<span class="meaning">${escaped(meaningOf(item))}</span></div>`;
  }

  /** Lights up an item, -1 for none. */
  function point(index, { scroll = false, tell = true } = {}) {
    if (index === lit) return;
    if (lit >= 0) mark(lit, false);
    lit = index;
    const item = items[index];
    if (item !== undefined) {
      mark(index, true);
      if (scroll) {
        lines[index]?.scrollIntoView({ block: 'nearest' });
        cells[item.offset]?.scrollIntoView({ block: 'nearest' });
      }
    }
    if (tell) onPoint(item);
  }

  function mark(index, on) {
    const { offset, length, headLength } = items[index];
    const end = Math.min(offset + Math.max(length, headLength), cells.length);
    for (let at = offset; at < end; at++) {
      cells[at].classList.toggle('lit', on);
      characters[at].classList.toggle('lit', on);
    }
    lines[index]?.classList.toggle('lit', on);
    lines[index]?.setAttribute('aria-selected', String(on));
    if (on && lines[index]) list.setAttribute('aria-activedescendant', `item-${index}`);
  }

  hexView.addEventListener('mousemove', ({ target }) => {
    if (target.dataset?.at !== undefined) point(owners[Number(target.dataset.at)]);
  });
  hexView.addEventListener('click', ({ target }) => {
    if (target.dataset?.at === undefined) return;
    point(-1, { tell: false });
    point(owners[Number(target.dataset.at)], { scroll: true });
  });
  hexView.addEventListener('mouseleave', () => point(-1));
  list.addEventListener('mousemove', ({ target }) => {
    const line = target.closest('.item');
    if (line?.dataset.i !== undefined) point(Number(line.dataset.i));
  });
  list.addEventListener('mouseleave', () => point(-1));
  list.addEventListener('blur', () => point(-1));
  list.addEventListener('keydown', (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -items.length, End: items.length };
    if (!(event.key in steps) || items.length === 0) return;
    event.preventDefault();
    const last = Math.min(items.length, SHOWN_ITEMS) - 1;
    point(Math.max(0, Math.min(last, (lit < 0 ? (steps[event.key] > 0 ? -1 : 0) : lit) + steps[event.key])), { scroll: true });
  });

  return {
    /** Shows a document. @param {import('./reading.js').Reading} reading */
    show({ bytes: itsBytes, items: itsItems, nitems, owners: itsOwners, broken, end }, { perRow }) {
      point(-1, { tell: false });
      bytes = itsBytes;
      items = itsItems;
      owners = itsOwners;
      brokenAt = broken?.offset ?? -1;
      drawRows(perRow);
      drawItems(end);
      const restBytes = bytes.length - SHOWN_BYTES;
      const restItems = nitems - SHOWN_ITEMS;
      more.hidden = restBytes <= 0 && restItems <= 0;
      more.textContent = restBytes > 0 ? `and ${restBytes.toLocaleString('en')} bytes more` : `and ${restItems.toLocaleString('en')} items more`;
    },
    clear(note) {
      bytes = new Uint8Array(0);
      items = [];
      lit = -1;
      rowsDrawn = draw(hexView, [], rowsDrawn);
      linesDrawn = draw(list, [], linesDrawn);
      more.hidden = false;
      more.textContent = note;
    },
    /** Lights up the innermost item that `isIt`, without telling of it. */
    find(isIt) {
      const index = items.findLastIndex(isIt);
      lit = lit === index ? -1 : lit;
      point(index, { scroll: true, tell: false });
    },
  };
}

/** An item in words, its value too. */
function meaningOf({ type, meaning, value, place }) {
  const before = place === 'key' ? 'key ' : '';
  if (type === 'text' && value !== null) return `${before}${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}\u2026` : value)}`;
  if (type === 'unsigned' || type === 'negative') return `${before}${value}`;
  return before + meaning;
}
