// The hex view: rows of offset, bytes and characters, each byte coloured by what it does in the encoding.

/** So many bytes are shown; a longer document says how many more there are. */
export const SHOWN_BYTES = 4096;

const SIMPLE = 7;
const STRING_TYPES = [2, 3];

/** How many bytes the argument of a head takes, by its additional information. */
const argumentBytes = (info) => (info < 24 || info > 27 ? 0 : 1 << (info - 24));

/** The kind of the item a head opens: 'number', 'simple', or 'head' for strings, containers and tags. */
function kindOf(initial) {
  const major = initial >> 5;
  const info = initial & 31;
  if (major < 2) return 'number';
  if (major !== SIMPLE) return 'head';
  return info >= 25 && info <= 27 ? 'number' : 'simple';
}

/**
 * Cuts the first `limit` bytes of well-formed CBOR into runs of one kind.
 * No nesting is needed: a container's items simply follow its head.
 * @returns {{ kind: string, start: number, end: number }[]}
 */
export function runsOf(bytes, limit = SHOWN_BYTES) {
  const shown = Math.min(bytes.length, limit);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const runs = [];
  const add = (kind, start, end) => {
    const stop = Math.min(end, shown);
    if (start < stop) runs.push({ kind, start, end: stop });
    return end;
  };
  for (let at = 0; at < shown;) {
    const initial = bytes[at];
    const extra = argumentBytes(initial & 31);
    const headEnd = add(kindOf(initial), at, at + 1 + extra);
    if (!STRING_TYPES.includes(initial >> 5) || (initial & 31) === 31) at = headEnd;
    else at = add('text', headEnd, headEnd + stringLength(view, at, extra));
  }
  return runs;
}

function stringLength(view, at, extra) {
  if (extra === 0) return view.getUint8(at) & 31;
  if (extra === 1) return view.getUint8(at + 1);
  if (extra === 2) return view.getUint16(at + 1);
  if (extra === 4) return view.getUint32(at + 1);
  return Number(view.getBigUint64(at + 1));
}

const hex = (byte) => byte.toString(16).padStart(2, '0');
const character = (byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '\u00b7');

/** All bytes as one hex string, for copying. */
export const hexOf = (bytes) => Array.from(bytes, hex).join('');

function span(className, text) {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}

/**
 * Draws the bytes into `target`, `perRow` to a row, a wider gap after each eighth.
 * @param {HTMLElement} target
 * @param {Uint8Array} bytes
 * @param {number} perRow
 */
export function drawHex(target, bytes, perRow) {
  const runs = runsOf(bytes);
  const shown = Math.min(bytes.length, SHOWN_BYTES);
  const digits = Math.max(4, (shown - 1).toString(16).length);
  const rows = [];
  let run = 0;
  for (let start = 0; start < shown; start += perRow) {
    const end = Math.min(start + perRow, shown);
    const row = span('row', '');
    const cells = span('bytes', '');
    const characters = span('characters', '');
    for (let at = start; at < end;) {
      while (runs[run].end <= at) run++;
      const stop = Math.min(runs[run].end, end);
      let text = '';
      let plain = '';
      for (let i = at; i < stop; i++) {
        const gap = i === start ? '' : (i - start) % 8 === 0 ? '  ' : ' ';
        text += gap + hex(bytes[i]);
        plain += character(bytes[i]);
      }
      cells.append(span(runs[run].kind, text));
      characters.append(span(runs[run].kind, plain));
      at = stop;
    }
    row.append(span('offset', start.toString(16).padStart(digits, '0')), cells, characters, '\n');
    rows.push(row);
  }
  target.replaceChildren(...rows);
}
