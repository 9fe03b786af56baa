// Items of a document as `annotate` has them, and where they stand in its text.

/** @typedef {[number, number]} Range begin and end in the text, in UTF-16 units */

/**
 * Where items stand in the text, by the keys and indices that lead to them. What they lead to has a number, and 0 is the
 * whole document: so a key counts once, however much is under it.
 */
export class Places {
  #inner = new Map();
  #ranges = new Map();

  /**
   * @param {number | undefined} path
   * @param {unknown} step a key or an index
   * @returns {number | undefined} what it leads to; undefined for a key that is no scalar, for others could look alike
   */
  inner(path, step) {
    const isBytes = step instanceof Uint8Array;
    if (path === undefined || (typeof step === 'object' && step !== null && !isBytes)) return undefined;
    const name = `${path} ${typeof step === 'string' ? '"' : isBytes ? "'" : ''}${String(step)}`;
    if (!this.#inner.has(name)) this.#inner.set(name, this.#inner.size + 1);
    return this.#inner.get(name);
  }

  /** @param {number | undefined} path @param {Range} range */
  note(path, range) {
    this.#ranges.set(nameOf({ path }), range);
  }

  /** Of the key that leads to the path. @param {number | undefined} path @param {Range} range */
  noteKey(path, range) {
    this.#ranges.set(nameOf({ path, place: 'key' }), range);
  }

  /** Of an item; where two have the same name, neither is found. @param {object} item @param {Range | undefined} range */
  noteItem(item, range) {
    const name = nameOf(item);
    this.#ranges.set(name, this.#ranges.has(name) ? undefined : range);
  }

  /** @param {object} item @returns {Range | undefined} for what is under tags, the tags' where it has no own */
  rangeOf(item) {
    return item.path === undefined ? undefined : this.#ranges.get(nameOf(item)) ?? this.#ranges.get(nameOf({ ...item, ntags: 0 }));
  }
}

const nameOf = ({ path, place, ntags = 0 }) => `${place === 'key' ? 'key ' : ''}${path}${ntags > 0 ? ` under ${ntags}` : ''}`;

/**
 * Tells each item its `path`, and `ntags`, how many tags are around it there.
 * @param {object[]} items as `annotate` has them, or the first of them
 * @param {number} nbytes of the document
 * @param {Places} places
 */
export function placeItems(items, nbytes, places) {
  const open = [];
  for (const item of items) {
    const { offset, type, place, value } = item;
    while (open.length > 0 && open.at(-1).end <= offset) open.pop();
    const around = open.at(-1);
    item.path = around === undefined ? 0 : around.path;
    item.ntags = around?.isTag ? around.ntags + 1 : 0;
    if (place === 'key') {
      around.inner = isHolder(item) ? undefined : places.inner(around.path, value);
      item.path = around.inner;
    } else if (place === 'value') {
      item.path = around.inner;
    } else if (place === 'chunk' || (place === 'item' && around !== undefined)) {
      item.path = places.inner(around.path, around.count++);
    }
    const { path, ntags } = item;
    if (isHolder(item)) open.push({ end: endOf(item, nbytes), path, ntags, inner: undefined, count: 0, isTag: type === 'tag' });
  }
}

/**
 * @param {object[]} items
 * @param {number} nbytes of the document
 * @param {number} shown of it
 * @returns {Int32Array} the index of the item that each of the first `shown` bytes belongs to most closely, or -1
 */
export function ownersOf(items, nbytes, shown) {
  const owners = new Int32Array(Math.min(nbytes, shown)).fill(-1);
  for (const [index, item] of items.entries()) {
    const end = isHolder(item) ? item.offset + item.headLength : endOf(item, nbytes);
    owners.fill(index, item.offset, end);
  }
  return owners;
}

/** Whether other items stand in it. A string of indefinite length has no value. */
const isHolder = ({ type, value }) =>
  type === 'array' || type === 'map' || type === 'tag' || ((type === 'text' || type === 'bytes') && value === null);

const endOf = ({ offset, length }, nbytes) => (length === 0 ? nbytes : offset + length);
