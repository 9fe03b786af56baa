// npm run picture: draws demo/picture.svg, which shows in the README what the page does: a document, its bytes and its items, with
// one item lit up in all three. Drawn from the package's own annotation, in the page's colours.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { annotate, encode } from '../js/index.js';

const SOURCE = `{
  "sensor": "attic-3",
  "on": true,
  "place": { "city": "Z\u00fcrich" },
  "readings": [21.5, 20, -4],
  "raised": 1767225600
}`;
const LIT = '[21.5, 20, -4]';

const WIDTH = 1000;
const LINE = 20;
const UNIT = 7.83; // one character of 13 px
const [LEFT, RIGHT] = [44, 420];
const TOP = 70;
const PER_ROW = 16;

const STYLE = `
  text { font: 13px ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--ink); white-space: pre; }
  .title { font: 650 15px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
  .quiet { fill: var(--quiet); } .head { fill: var(--head); } .number { fill: var(--number); } .simple { fill: var(--simple); }
  .paper { fill: var(--paper); } .card { fill: var(--card); stroke: var(--line); } .lit { fill: var(--mark); } .bar { fill: var(--bar); } .ours { fill: var(--head); }
  svg { --paper: #f3f5f4; --card: #fff; --ink: #14201e; --quiet: #53625f; --line: #d5dcda; --head: #0b5f63; --number: #8a4b00; --simple: #6c3a93; --mark: #cfe7e4; --bar: #a9b7b4; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #0e1413; --card: #161d1c; --ink: #e3eae8; --quiet: #9caba7; --line: #2a3533; --head: #70cdc5; --number: #e6b56a; --simple: #cbaaf0; --mark: #24504d; --bar: #4b5b58; }
  }
`;

const hex = (byte) => byte.toString(16).padStart(2, '0');
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const row = (line) => TOP + line * LINE;
const words = (x, y, text, kind = '') => `<text x="${x}" y="${y}" textLength="${(text.length * UNIT).toFixed(1)}" class="${kind}">${escaped(text)}</text>`;
const title = (x, text) => `<text x="${x}" y="42" class="title">${text}</text>`;
const box = (x, y, width, height, kind) => `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="${height}" rx="${kind === 'card' ? 8 : 3}" class="${kind}"/>`;
const lightUp = (x, y, units) => box(x - 2, y - 15, units * UNIT + 4, LINE, 'lit');

/** What a byte of an item is, in the page's words. */
function kindOf({ type, offset, headLength }, at) {
  if (['unsigned', 'negative', 'float'].includes(type)) return 'number';
  if (type === 'simple') return 'simple';
  return at < offset + headLength ? 'head' : '';
}

function drawSource() {
  return SOURCE.split('\n').flatMap((text, line) => {
    const at = text.indexOf(LIT);
    return [at < 0 ? '' : lightUp(LEFT + at * UNIT, row(line), LIT.length), words(LEFT, row(line), text)];
  });
}

function drawBytes(bytes, items, lit) {
  const left = RIGHT + 6 * UNIT;
  const xOf = (at) => left + (3 * (at % PER_ROW) + (at % PER_ROW >= PER_ROW / 2 ? 1 : 0)) * UNIT;
  const yOf = (at) => row(Math.floor(at / PER_ROW));
  const parts = [];
  for (let at = 0; at < bytes.length; at++) {
    const item = items.findLast(({ offset }) => offset <= at);
    if (at % PER_ROW === 0) parts.push(words(RIGHT, yOf(at), at.toString(16).padStart(4, '0'), 'quiet'));
    if (at >= lit.offset && at < lit.offset + lit.length) parts.push(lightUp(xOf(at), yOf(at), 2));
    parts.push(words(xOf(at), yOf(at), hex(bytes[at]), kindOf(item, at)));
  }
  return parts;
}

function drawItems(bytes, items, lit, from) {
  const isString = ({ type }) => type === 'text' || type === 'bytes';
  return items.flatMap((item, index) => {
    const { offset, headLength, length, depth, meaning, value } = item;
    const y = row(from + index);
    const x = RIGHT + 2 * depth * UNIT;
    const head = Array.from(bytes.subarray(offset, offset + headLength), hex).join('');
    const rest = isString(item) ? Array.from(bytes.subarray(offset + headLength, offset + length), hex).join('') : '';
    return [
      item === lit ? lightUp(RIGHT, y, 62) : '',
      words(x, y, head, kindOf(item, offset)),
      rest === '' ? '' : words(x + (head.length + 1) * UNIT, y, rest),
      words(RIGHT + 34 * UNIT, y, isString(item) ? JSON.stringify(value) : meaning, 'quiet'),
    ];
  });
}

function drawSizes(sizes, from) {
  const largest = Math.max(...Object.values(sizes));
  return Object.entries(sizes).flatMap(([name, size], index) => [
    words(LEFT, row(from + index), name),
    box(LEFT + 6 * UNIT, row(from + index) - 11, (150 * size) / largest, 12, name === 'CBOR' ? 'ours' : 'bar'),
    words(LEFT + 27 * UNIT, row(from + index), `${size} bytes`, 'quiet'),
  ]);
}

/** The picture as SVG. */
export function picture() {
  const value = JSON.parse(SOURCE);
  const bytes = encode(value);
  const { items } = annotate(bytes);
  const lit = items.find(({ type }) => type === 'array');
  const rows = Math.ceil(bytes.length / PER_ROW) + 1;
  const height = row(rows + items.length) + 12;
  const lines = SOURCE.split('\n').length;
  const parts = [
    box(0, 0, WIDTH, height, 'paper'),
    box(20, 16, RIGHT - 60, height - 32, 'card'),
    box(RIGHT - 24, 16, WIDTH - RIGHT + 4, height - 32, 'card'),
    title(LEFT, 'Document'),
    title(RIGHT, 'CBOR'),
    ...drawSource(),
    `<text x="${LEFT}" y="${row(lines + 1)}" class="title">Size</text>`,
    ...drawSizes({ JSON: new TextEncoder().encode(JSON.stringify(value)).length, CBOR: bytes.length }, lines + 2),
    ...drawBytes(bytes, items, lit),
    ...drawItems(bytes, items, lit, rows),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">\n<style>${STYLE}</style>\n${parts.filter(Boolean).join('\n')}\n</svg>\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('picture.svg', import.meta.url), picture());
