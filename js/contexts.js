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

/** How many options that were checked lately are remembered. */
const RECENT_MAX = 4;

/** A function or another object of which nothing but its identity is kept. */
class Identity {
  /** @param {object} value */
  constructor(value) {
    this.number = numberOf(value);
  }
}

/** The properties of a plain object. */
class Properties {
  /** @param {object} object */
  constructor(object) {
    this.names = Object.keys(object);
    this.values = Object.values(object).map(memoryOf);
  }

  /** @param {object} object a plain one, too */
  isOf(object) {
    const { names, values } = this;
    let i = 0;
    for (const name in object) {
      const value = /** @type {Record<string, unknown>} */ (object)[name];
      if (name !== names[i] || (value !== values[i] && !isSame(value, values[i]))) return false;
      i++;
    }
    return i === names.length;
  }
}

/** @param {object} value */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * What tells later whether a value is still the same, without keeping anybody's object alive.
 * @param {unknown} value
 * @returns {unknown}
 */
function memoryOf(value) {
  if (typeof value === 'function') return new Identity(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(memoryOf);
  // A Map is not worth it: nothing is the same as an Identity of nobody's.
  return isPlain(value) ? new Properties(value) : new Identity({});
}

/**
 * @param {unknown} value
 * @param {unknown} memory
 * @returns {boolean}
 */
function isSame(value, memory) {
  if (typeof value === 'function') return memory instanceof Identity && numbers.get(value) === memory.number;
  if (typeof value !== 'object' || value === null) return Object.is(value, memory);
  if (!Array.isArray(value)) return memory instanceof Properties && isPlain(value) && memory.isOf(value);
  if (!Array.isArray(memory) || memory.length !== value.length) return false;
  for (let i = 0; i < value.length; i++) if (!isSame(value[i], memory[i])) return false;
  return true;
}

/**
 * The options that were checked lately: whoever passes the same ones again and again, in new objects, has them checked once.
 * @template {object} T
 */
export class Recent {
  constructor() {
    /** @type {{ options: Properties, checked: WeakRef<T> }[]} */
    this.entries = [];
    this.turn = 0;
  }

  /**
   * What came of equal options lately, if it is still in use.
   * @param {object} options
   */
  find(options) {
    const { entries } = this;
    if (!isPlain(options)) return undefined;
    for (let i = 0; i < entries.length; i++) if (entries[i].options.isOf(options)) return entries[i].checked.deref();
    return undefined;
  }

  /**
   * @param {object} options
   * @param {T} checked
   * @returns {T} `checked`
   */
  keep(options, checked) {
    if (typeof WeakRef !== 'function' || !isPlain(options)) return checked;
    this.entries[this.turn] = { options: new Properties(options), checked: new WeakRef(checked) };
    this.turn = (this.turn + 1) % RECENT_MAX;
    return checked;
  }
}
