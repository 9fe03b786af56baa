// Items of a document as `annotate` has them, and the places that they have in a value.

/**
 * The path of an item as one string, of keys and indices.
 * @param {unknown[]} path
 */
export const pathKey = (path) => JSON.stringify(path, (_, step) => (typeof step === 'bigint' ? `${step}n` : step));

/** Likewise of the key that leads to the item. */
export const keyKey = (path) => `key of ${pathKey(path)}`;

/** Likewise of what stands under so many tags at a path. */
export const taggedKey = (key, ntags) => (ntags === 0 ? key : `${ntags} under ${key}`);

/**
 * Tells each item its `path`, and `ntags`, how many tags are around it there.
 * @param {object[]} items as `annotate` has them
 * @param {number} nbytes of the document
 * @param {number} shown of it
 * @returns {Int32Array} the index of the item that each of the first `shown` bytes belongs to most closely, or -1
 */
export function placeItems(items, nbytes, shown) {
  const owners = new Int32Array(Math.min(nbytes, shown)).fill(-1);
  const open = [];
  for (const [index, item] of items.entries()) {
    const { offset, headLength, length, type, place, value } = item;
    while (open.length > 0 && open.at(-1).end <= offset) open.pop();
    const around = open.at(-1);
    item.path = around?.path ?? [];
    item.ntags = around?.isTag ? around.ntags + 1 : 0;
    if (place === 'key') {
      around.key = value;
      item.path = [...around.path, value];
    } else if (place === 'value') {
      item.path = [...around.path, around.key];
    } else if (place === 'item' && around !== undefined) {
      item.path = [...around.path, around.count++];
    }
    const isString = type === 'text' || type === 'bytes';
    const isHolder = type === 'array' || type === 'map' || type === 'tag' || place === 'chunk' || (value === null && isString);
    const end = length === 0 ? nbytes : offset + length;
    if (isHolder) open.push({ end, path: item.path, key: undefined, count: 0, isTag: type === 'tag', ntags: item.ntags });
    const stop = Math.min(isHolder ? offset + headLength : end, owners.length);
    for (let at = offset; at < stop; at++) owners[at] = index;
  }
  return owners;
}

/** What an item is called in a map of places. */
export const keyOfItem = ({ place, path, ntags }) => taggedKey(place === 'key' ? keyKey(path) : pathKey(path), ntags);
