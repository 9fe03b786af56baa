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
 * Properties of Object.prototype, besides __proto__, that keep an assignment to a plain object from making one of its own: what
 * somebody has frozen, or replaced by an accessor. Most often there are none.
 * @type {Set<string> | undefined}
 */
let inherited;

/** Looks at Object.prototype, which takes too long to be done for each document. */
export function lookAtPrototype() {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(Object.prototype));
  const names = properties.filter(([name, { writable }]) => writable !== true && name !== '__proto__').map(([name]) => name);
  inherited = names.length === 0 ? undefined : new Set(names);
}

/**
 * Whether an assignment to this property of a plain object would not make one.
 * @param {string} name
 */
export function isInherited(name) {
  return (name.length === 9 && name === '__proto__') || (inherited !== undefined && inherited.has(name));
}

/**
 * Gives an object a property of its own, whatever its name.
 * @param {Record<string, unknown>} object
 * @param {string} name
 * @param {unknown} value
 */
export function setProperty(object, name, value) {
  if (isInherited(name)) Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
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
