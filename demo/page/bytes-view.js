// The bytes as rows of hex and as a list of items, one to a line. Pointing at an item, in either, lights it up in both, and
// tells whoever wants to know.

import { SHOWN_BYTES, SHOWN_ITEMS } from './reading.js';
import { hexOf } from './sources.js';

const NUMBERS = ['unsigned', 'negative', 'float'];
const hex = (byte) => byte.toString(16).padStart(2, '0');
const character = (byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '\u00b7');

function element(name, className, text = '') {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** What a byte of an item is: of its head, or of a string's content. */
function kindOf({ type, offset, headLength }, at) {
  if (NUMBERS.includes(type)) return 'number';
  if (type === 'simple') return 'simple';
  return at < offset + headLength ? 'head' : 'text';
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
  let lit = -1;
  let brokenAt = -1;

  function drawRows(perRow) {
    const shown = Math.min(bytes.length, SHOWN_BYTES);
    const digits = Math.max(4, (shown - 1).toString(16).length);
    const rows = [];
    cells = [];
    characters = [];
    for (let start = 0; start < shown; start += perRow) {
      const end = Math.min(start + perRow, shown);
      const row = element('span', 'row');
      const left = element('span', 'bytes');
      const right = element('span', 'characters');
      for (let at = start; at < end; at++) {
        const item = items[owners[at]];
        const kind = item === undefined ? 'beyond' : kindOf(item, at);
        const gap = at === start ? '' : (at - start) % 8 === 0 ? '  ' : ' ';
        const cell = element('span', kind, hex(bytes[at]));
        cell.dataset.at = at;
        if (at === brokenAt) cell.classList.add('broken');
        left.append(gap, cell);
        const plain = element('span', kind, character(bytes[at]));
        right.append(plain);
        cells.push(cell);
        characters.push(plain);
      }
      row.append(element('span', 'offset', start.toString(16).padStart(digits, '0')), left, right);
      rows.push(row);
    }
    hexView.replaceChildren(...rows);
  }

  function drawItems(end) {
    lines = items.slice(0, SHOWN_ITEMS).map((item, i) => {
      const line = element('div', 'item');
      line.role = 'option';
      line.id = `item-${i}`;
      line.dataset.i = i;
      line.setAttribute('aria-selected', 'false');
      const stop = Math.min(item.offset + item.headLength + (item.type === 'text' || item.type === 'bytes' ? 8 : 0), item.offset + Math.max(item.length, item.headLength));
      const head = hexOf(bytes.subarray(item.offset, item.offset + item.headLength));
      const rest = item.value instanceof Uint8Array || typeof item.value === 'string' ? hexOf(bytes.subarray(item.offset + item.headLength, stop)) : '';
      const indent = Math.min(item.depth, 12);
      line.style.setProperty('--depth', indent);
      const code = element('span', 'code');
      code.append(element('span', kindOf(item, item.offset), head), rest && ` ${rest}${stop < item.offset + item.length ? '\u2026' : ''}`);
      line.append(code, element('span', 'meaning', meaningOf(item)));
      if (item.offset === brokenAt) line.classList.add('broken');
      return line;
    });
    if (end !== undefined) lines.push(element('div', 'item broken', `${end.code} at byte ${end.offset}`));
    list.replaceChildren(...lines);
    list.removeAttribute('aria-activedescendant');
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
    lit = -1;
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
      bytes = itsBytes;
      items = itsItems;
      owners = itsOwners;
      brokenAt = broken?.offset ?? -1;
      lit = -1;
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
      hexView.replaceChildren();
      list.replaceChildren();
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
