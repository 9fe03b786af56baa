// Plain objects that are made key by key.

// Objects that are made key by key have room for their properties when they are made by constructors that have made
// objects of that many before; and apart from `{}`, they do not mind what other objects there are in the program.
/** @type {any} */
const Object4 = function () {};
/** @type {any} */
const Object8 = function () {};
/** @type {any} */
const Object16 = function () {};
/** @type {any} */
const Object24 = function () {};
for (const [constructor, count] of [[Object4, 4], [Object8, 8], [Object16, 16], [Object24, 24]]) {
  constructor.prototype = Object.prototype;
  for (let made = 0; made < 8; made++) {
    const object = new constructor();
    for (let i = 0; i < count; i++) object[`property ${i}`] = null;
  }
}

/**
 * An object that is about to get so many properties.
 * @param {number} length
 * @returns {Record<string, unknown>}
 */
export function roomy(length) {
  if (length <= 8) return length <= 4 ? new Object4() : new Object8();
  if (length <= 24) return length <= 16 ? new Object16() : new Object24();
  return {};
}

/**
 * Gives an object a property of its own, whatever its name.
 * @param {Record<string, unknown>} object
 * @param {string} name
 * @param {unknown} value
 */
export function setProperty(object, name, value) {
  if (name.length === 9 && name === '__proto__') Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  else object[name] = value;
}

/**
 * Whether objects may have this key before others that they were given earlier.
 * @param {string} name
 */
export function isIndex(name) {
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return name !== '';
}
