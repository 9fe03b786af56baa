// Options that are equal share one checked form, and with it whatever was compiled for them.
//
// It is found by a key that says all of it: primitive values as they are, functions and other objects by their identity,
// lists by their elements. It is held weakly, and its entry goes when it has been collected: the table holds nothing
// alive, however much memory a converter has, and there is no number of options from which on none are shared.

/** Numbers of objects by identity. @type {WeakMap<object, number>} */
const numbers = new WeakMap();
let count = 0;

/** @param {object} value */
function numberOf(value) {
  let number = numbers.get(value);
  if (number === undefined) numbers.set(value, (number = count++));
  return number;
}

/**
 * What says all of a value.
 * @param {unknown} value
 * @returns {string}
 */
function keyOf(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `#${numberOf(value)}`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  if (value instanceof Map) return `{${[...value].map(([key, item]) => `${typeof key}${keyOf(key)}:${keyOf(item)}`).join()}}`;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `#${numberOf(value)}`;
  return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item)}`).join()}}`;
}

/**
 * A table of contexts.
 * @template {object} T
 */
export class Contexts {
  constructor() {
    /** @type {Map<string, WeakRef<T>>} */
    this.table = new Map();
    // Without these the runtime cannot tell that something is unused, and nothing is shared.
    const isWeak = typeof WeakRef === 'function' && typeof FinalizationRegistry === 'function';
    /** @type {FinalizationRegistry<string> | undefined} */
    this.registry = isWeak ? new FinalizationRegistry((key) => this.tidy(key)) : undefined;
  }

  /**
   * The context that was made for an equal description, if it is still in use, else what `make` returns.
   * @param {unknown} description plain objects, arrays and Maps of primitive values and of objects with an identity
   * @param {() => T} make
   * @returns {T}
   */
  get(description, make) {
    if (this.registry === undefined) return make();
    const key = keyOf(description);
    const known = this.table.get(key)?.deref();
    if (known !== undefined) return known;
    const context = make();
    this.table.set(key, new WeakRef(context));
    this.registry.register(context, key);
    return context;
  }

  /**
   * Takes out an entry whose context is gone; another one may have come in its place.
   * @param {string} key
   */
  tidy(key) {
    if (this.table.get(key)?.deref() === undefined) this.table.delete(key);
  }
}

/**
 * The options that were checked last: whoever passes the same ones again and again, in new objects, has them checked once.
 * @template {object} T
 */
export class Recent {
  constructor() {
    /** @type {string[]} */
    this.names = [];
    /** @type {unknown[]} */
    this.values = [];
    /** @type {T | undefined} */
    this.checked = undefined;
  }

  /**
   * What came of equal options the last time, if all of theirs are primitive values; others may have been changed.
   * @param {object} options
   */
  find(options) {
    if (this.checked === undefined) return undefined;
    const names = Object.keys(options);
    if (names.length !== this.names.length) return undefined;
    for (let i = 0; i < names.length; i++) {
      if (names[i] !== this.names[i] || !Object.is(/** @type {Record<string, unknown>} */ (options)[names[i]], this.values[i])) return undefined;
    }
    return this.checked;
  }

  /**
   * @param {object} options
   * @param {T} checked
   * @returns {T} `checked`
   */
  keep(options, checked) {
    const values = Object.values(options);
    const isPrimitive = values.every((value) => value === null || (typeof value !== 'object' && typeof value !== 'function'));
    this.checked = isPrimitive ? checked : undefined;
    this.names = Object.keys(options);
    this.values = isPrimitive ? values : [];
    return checked;
  }
}
