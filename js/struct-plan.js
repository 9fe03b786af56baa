// The plan of a struct: what the module needs to know of it to read its values (wasm/plan.h).
import {
  ACCEPTS_ANY, ACCEPTS_BOOL, ACCEPTS_FLOAT, ACCEPTS_MORE, ACCEPTS_NULL, ACCEPTS_NULLABLE, FIELD_WORDS, NODE_ITEMS, PLAN_ANY, PLAN_ARRAY,
  PLAN_BIGINT, PLAN_BOOL, PLAN_CID, PLAN_DATE, PLAN_DEFERRED, PLAN_FIELDS_MAX, PLAN_FLOAT, PLAN_FOLD, PLAN_HEADER_WORDS, PLAN_INT, PLAN_KEEP,
  PLAN_KEY_NBYTES_MAX, PLAN_LOOSE, PLAN_MAP, PLAN_NODE_WORDS, PLAN_OPTIONAL, PLAN_REFUSE, PLAN_STRING, PLAN_STRUCT, PLAN_TEXT, PLAN_TUPLE, PLAN_UINT,
  RECORD_FIELDS,
} from './abi.js';
import { folded, foldsOf, inUpperCase } from './case-folding.js';
import { CborError, rangeError } from './errors.js';
import { crossed, instantiate, refresh, u32, u8, wasm } from './instance.js';
import { isInherited, lookAtPrototype } from './objects.js';
import { encodeKey } from './shapes.js';
import { NO_LIMIT, Type } from './struct-fields.js';

/** @typedef {import('./struct.js').Struct<any>} Struct */

/** @type {Record<string, number>} */
const KINDS = {
  int: PLAN_INT, uint: PLAN_UINT, float: PLAN_FLOAT, bool: PLAN_BOOL, text: PLAN_TEXT, bytes: PLAN_STRING, bigint: PLAN_BIGINT,
  date: PLAN_DATE, cid: PLAN_CID, any: PLAN_ANY, deferred: PLAN_DEFERRED, array: PLAN_ARRAY, map: PLAN_MAP, struct: PLAN_STRUCT,
};

/** Bits of the major types that may be of a kind, and of others. @type {Record<string, number>} */
const ACCEPTS = {
  int: 0b11, uint: 1, float: 0b11 | ACCEPTS_FLOAT, bool: ACCEPTS_BOOL, text: 1 << 3, bytes: 1 << 2, bigint: 0b1000011, date: 1 << 6, cid: 1 << 6,
  any: ACCEPTS_ANY, deferred: ACCEPTS_ANY, array: 1 << 4, map: 1 << 5, struct: 1 << 5,
};

/** Kinds of which the module has to look at more than an initial byte. */
const CLOSER_LOOK = new Set(['bigint', 'date', 'cid', 'deferred']);

/** The initial bytes of numbers of a kind are below these. @type {Record<string, number>} */
const RUNS = { int: 0x3c, uint: 0x1c, float: 0x100, any: 0x100 };

/**
 * What a node says of the items that may be of its type.
 * @param {Type} type
 */
function acceptsOf(type) {
  let accepts = ACCEPTS[type.kind];
  if (type.struct?.options.representation === 'tuple') accepts = 1 << 4;
  if (type.nullable) accepts |= ACCEPTS_NULL | ACCEPTS_NULLABLE;
  const isLimited = type.minLength > 0 || type.maxLength < NO_LIMIT;
  if (isLimited || CLOSER_LOOK.has(type.kind) || (type.kind === 'map' && type.keys !== 'text')) accepts |= ACCEPTS_MORE;
  return accepts;
}

/** Bytes behind a plan that the module may read. */
const SLACK = 32;

/** Builds one plan: lays out records, nodes, folds, tables and bytes, in that order. */
export class PlanBuilder {
  constructor() {
    /** @type {Map<Struct, number>} */
    this.numbers = new Map();
    /** @type {Struct[]} */
    this.structs = [];
    /** Fields' types and those inside, each as one row of a node. @type {{ type: Type, items: Type | undefined }[]} */
    this.nodes = [];
    /** @type {Map<Type, number>} */
    this.nodeNumbers = new Map();
    /** @type {number[]} */
    this.bytes = [];
  }

  /** @param {Type} type */
  node(type) {
    const resolved = type.resolve();
    let number = this.nodeNumbers.get(resolved);
    if (number === undefined) {
      number = this.nodes.length;
      this.nodeNumbers.set(resolved, number);
      this.nodes.push({ type: resolved, items: resolved.items });
      if (resolved.struct !== undefined) this.struct(resolved.struct);
      if (resolved.items !== undefined) this.node(resolved.items);
      if (resolved.kind === 'map') this.node(KEY_TYPES[resolved.keys]);
    }
    return number;
  }

  /** @param {Struct} struct */
  struct(struct) {
    if (this.numbers.has(struct)) return;
    if (struct.fields.length > PLAN_FIELDS_MAX) throw rangeError('OPTION_OUT_OF_RANGE', `more than ${PLAN_FIELDS_MAX} fields`);
    this.numbers.set(struct, this.structs.length);
    this.structs.push(struct);
    for (const { type } of struct.fields) this.node(type);
  }

  /** @param {Uint8Array} bytes */
  put(bytes) {
    const at = this.bytes.length;
    for (const byte of bytes) this.bytes.push(byte);
    return at;
  }

  /**
   * @param {Type} root
   * @returns {{ words: Uint32Array, bytes: Uint8Array }}
   */
  build(root) {
    // The document is the one item of an array, so to say.
    const whole = new Type('array');
    whole.items = root;
    this.node(whole);
    const names = this.structs.filter(({ options }) => options.caseInsensitive).flatMap(({ fields }) => fields.map(({ key }) => key));
    const folds = foldsOf(names.filter((key) => typeof key === 'string'));
    /** Where each record begins, and its table. */
    const records = /** @type {number[]} */ ([]);
    let at = PLAN_HEADER_WORDS;
    for (const { fields } of this.structs) {
      records.push(at);
      at += RECORD_FIELDS + fields.length * FIELD_WORDS;
    }
    const nodesAt = at;
    at += this.nodes.length * PLAN_NODE_WORDS;
    const foldsAt = at;
    const foldsSize = powerBeyond(2 * folds.size);
    at += 2 * foldsSize;
    const tables = this.structs.map(({ fields }) => {
      const size = powerBeyond(2 * fields.length);
      const table = { at, size };
      at += size;
      return table;
    });
    const words = new Uint32Array(at);
    words.set([at, nodesAt, foldsAt, foldsSize - 1, nodesAt]);
    const nodeAt = (/** @type {Type} */ type) => nodesAt + this.node(type) * PLAN_NODE_WORDS;
    this.structs.forEach((_, i) => words.set(this.record(i, tables[i], folds, nodeAt), records[i]));
    this.nodes.forEach(({ type, items }, i) => {
      const keys = type.kind === 'map' ? nodeAt(KEY_TYPES[type.keys]) : 0;
      const row = [KINDS[type.kind], acceptsOf(type), type.minLength, type.maxLength, 0, keys, RUNS[type.kind] ?? 0];
      if (type.struct !== undefined) row[NODE_ITEMS] = records[/** @type {number} */ (this.numbers.get(type.struct))];
      else if (items !== undefined) row[NODE_ITEMS] = nodeAt(items);
      words.set(row, nodesAt + i * PLAN_NODE_WORDS);
    });
    for (const pair of folds) {
      let slot = pair[0] & (foldsSize - 1);
      while (words[foldsAt + 2 * slot] !== 0) slot = (slot + 1) & (foldsSize - 1);
      words.set(pair, foldsAt + 2 * slot);
    }
    return { words, bytes: Uint8Array.from(this.bytes) };
  }

  /**
   * @param {number} number of a struct
   * @param {{ at: number, size: number }} table
   * @param {Map<number, number>} folds
   * @param {(type: Type) => number} nodeAt
   */
  record(number, table, folds, nodeAt) {
    const { fields, options } = this.structs[number];
    const flags = (options.representation === 'tuple' ? PLAN_TUPLE : 0) | (options.caseInsensitive ? PLAN_FOLD : 0)
      | (options.unknown === 'error' ? PLAN_REFUSE : options.unknown === 'keep' ? PLAN_KEEP : 0)
      // A property that has to be defined.
      | (fields.some(({ property }) => isInherited(property)) ? PLAN_LOOSE : 0);
    const row = [flags, number, fields.length, table.at, table.size - 1, 0];
    for (const field of fields) {
      const { key } = field;
      const folds2 = options.caseInsensitive && typeof key === 'string';
      const encoded = encodeKey(folds2 ? folded(key, folds) : key);
      if (encoded.length > PLAN_KEY_NBYTES_MAX) throw rangeError('OPTION_OUT_OF_RANGE', `a key of ${encoded.length} bytes`);
      row.push(nodeAt(field.type), field.optional && !field.hasDefault ? PLAN_OPTIONAL : 0, this.put(encoded), encoded.length);
      const upper = folds2 ? upperOf(encoded, encodeKey(inUpperCase(folded(key, folds), folds))) : { bytes: encoded, split: 0n };
      row.push(this.put(upper.bytes), Number(upper.split & 0xffff_ffffn), Number(upper.split >> 32n));
    }
    return row;
  }
}

/**
 * What a key is compared with besides itself.
 * @param {Uint8Array} lower
 * @param {Uint8Array} upper its characters in the other case, each in as many bytes
 * @returns {{ bytes: Uint8Array, split: bigint }} and where two bytes of one character are both others
 */
function upperOf(lower, upper) {
  let split = 0n;
  for (let i = 1; i < lower.length; i++) {
    if (lower[i] === upper[i] || lower[i - 1] === upper[i - 1] || (lower[i] & 0xc0) !== 0x80) continue;
    // More than the module looks at.
    if ((lower[i - 1] & 0xe0) !== 0xc0 || i > 63) return { bytes: lower, split: 0n };
    split |= 1n << BigInt(i - 1);
  }
  return { bytes: upper, split };
}

/**
 * The first power of 2 beyond a number.
 * @param {number} number
 */
function powerBeyond(number) {
  let power = 1;
  while (power <= number) power *= 2;
  return power;
}

/** @type {Record<string, Type>} */
const KEY_TYPES = {};
for (const kind of /** @type {const} */ (['text', 'int', 'uint', 'bytes'])) KEY_TYPES[kind] = new Type(kind);

/** Plans whose owners are gone give their memory back, where the runtime tells. */
const registry = typeof FinalizationRegistry !== 'function' ? undefined : new FinalizationRegistry((/** @type {number} */ address) => {
  wasm.wcbor_free(address);
});

/**
 * Lays out the plan of a type in the module's memory.
 * @param {Type} root
 */
function place(root) {
  instantiate();
  lookAtPrototype();
  const builder = new PlanBuilder();
  const { words, bytes } = builder.build(root);
  const address = wasm.wcbor_alloc(words.byteLength + bytes.length + SLACK);
  crossed();
  refresh();
  if (address === 0) throw new CborError('OUT_OF_MEMORY');
  u32.set(words, address >> 2);
  u8.set(bytes, address + words.byteLength);
  wasm.wcbor_plan_ready(address);
  crossed();
  return { address, structs: builder.structs };
}

/** A plan in the module's memory, and what its structs are to the reader of tapes. */
export class Plan {
  /** @param {Type} root */
  constructor(root) {
    const { address, structs } = place(root);
    this.address = address;
    /** By their numbers. */
    this.layouts = structs.map(({ layout }) => layout);
    registry?.register(this, address);
  }
}
