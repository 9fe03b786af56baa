// The plan of a struct: what the module needs to know of it to read its values (wasm/plan.h).
import {
  FIELD_WORDS, NODE_ITEMS, PLAN_ANY, PLAN_ARRAY, PLAN_BIGINT, PLAN_BOOL, PLAN_CID, PLAN_DATE, PLAN_DEFAULT, PLAN_DEFERRED,
  PLAN_FIELDS_MAX, PLAN_FLOAT, PLAN_FOLD, PLAN_HEADER_WORDS, PLAN_INT, PLAN_KEEP, PLAN_KEY_NBYTES_MAX, PLAN_MAP, PLAN_NODE_WORDS,
  PLAN_NULLABLE, PLAN_OPTIONAL, PLAN_REFUSE, PLAN_STRING, PLAN_STRUCT, PLAN_TEXT, PLAN_TUPLE, PLAN_UINT, RECORD_FIELDS, RESULT_BYTES, RESULT_NBYTES, STATUS_NAMES,
} from './abi.js';
import { folded, foldsOf } from './case-folding.js';
import { takeResult, write } from './encoder.js';
import { CborError, rangeError } from './errors.js';
import { crossed, instantiate, refresh, u32, u8, wasm } from './instance.js';
import { result, withBytes } from './module-bytes.js';
import { encodeKey } from './shapes.js';
import { putterOf } from './struct-encode.js';
import { Type } from './struct-fields.js';

/** @typedef {import('./struct.js').Struct<any>} Struct */
/** @typedef {import('./struct-fields.js').Field} Field */

/** @type {Record<string, number>} */
const KINDS = {
  int: PLAN_INT, uint: PLAN_UINT, float: PLAN_FLOAT, bool: PLAN_BOOL, text: PLAN_TEXT, bytes: PLAN_STRING, bigint: PLAN_BIGINT,
  date: PLAN_DATE, cid: PLAN_CID, any: PLAN_ANY, deferred: PLAN_DEFERRED, array: PLAN_ARRAY, map: PLAN_MAP, struct: PLAN_STRUCT,
};

/**
 * Tags that the module puts before what only JavaScript can make of a value. Nobody's document has them: they are drawn anew for
 * each process, from where no tags are registered.
 */
export const PRIVATE_TAGS = ['bigint', 'deferred', 'map'].map((_, i) => 2n ** 63n + BigInt(Math.floor(Math.random() * 2 ** 52)) * 8n + BigInt(i));

/** Bytes behind a plan that the module may read. */
const SLACK = 32;

/** Builds one plan: lays out records, nodes, folds, tables and bytes, in that order. */
class PlanBuilder {
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
    return [at, bytes.length];
  }

  /**
   * @param {Type} root
   * @returns {{ words: Uint32Array, bytes: Uint8Array }}
   */
  build(root) {
    this.node(root);
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
    words.set([at, nodesAt + this.node(root) * PLAN_NODE_WORDS, foldsAt, foldsSize - 1]);
    PRIVATE_TAGS.forEach((tag, i) => words.set([Number(tag & 0xffff_ffffn), Number(tag >> 32n)], 4 + 2 * i));
    const nodeAt = (/** @type {Type} */ type) => nodesAt + this.node(type) * PLAN_NODE_WORDS;
    this.structs.forEach((struct, i) => words.set(this.record(struct, tables[i], folds, nodeAt), records[i]));
    this.nodes.forEach(({ type, items }, i) => {
      const kind = KINDS[type.kind] | (type.nullable ? PLAN_NULLABLE : 0);
      const row = [kind, type.minLength, type.maxLength, 0, type.kind === 'map' ? nodeAt(KEY_TYPES[type.keys]) : 0];
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
   * @param {Struct} struct
   * @param {{ at: number, size: number }} table
   * @param {Map<number, number>} folds
   * @param {(type: Type) => number} nodeAt
   */
  record({ fields, options }, table, folds, nodeAt) {
    const flags = (options.representation === 'tuple' ? PLAN_TUPLE : 0) | (options.caseInsensitive ? PLAN_FOLD : 0)
      | (options.unknown === 'error' ? PLAN_REFUSE : options.unknown === 'keep' ? PLAN_KEEP : 0);
    const row = [flags, fields.length, table.at, table.size - 1];
    for (const field of fields) {
      const { key } = field;
      const read = options.caseInsensitive && typeof key === 'string' ? folded(key, folds) : key;
      const encoded = encodeKey(read);
      if (encoded.length > PLAN_KEY_NBYTES_MAX) throw rangeError('OPTION_OUT_OF_RANGE', `a key of ${encoded.length} bytes`);
      row.push(nodeAt(field.type), (field.optional ? PLAN_OPTIONAL : 0) | (field.encodedDefault !== undefined ? PLAN_DEFAULT : 0));
      row.push(...this.put(encoded), ...this.put(encodeKey(field.property)));
      row.push(...this.put(field.encodedDefault ?? NONE));
    }
    return row;
  }
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

const NONE = new Uint8Array(0);

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
  const { words, bytes } = new PlanBuilder().build(root);
  const address = wasm.wcbor_alloc(words.byteLength + bytes.length + SLACK);
  crossed();
  refresh();
  if (address === 0) throw new CborError('OUT_OF_MEMORY');
  u32.set(words, address >> 2);
  u8.set(bytes, address + words.byteLength);
  wasm.wcbor_plan_ready(address);
  crossed();
  return { address, bytes };
}

/** Fields whose defaults are being encoded: those may hold the same struct. @type {Set<Field>} */
const pending = new Set();

/**
 * The default of a field as a plan puts it: what its own type makes of it.
 * @param {Field} field
 * @param {Struct} struct
 */
function encodeDefault({ type, default: value }, struct) {
  if (value === null) return Uint8Array.of(0xf6);
  encodeDefaults(type);
  const encoded = write(value, struct.encodeOptions, takeResult, putterOf(type));
  const { address } = place(type);
  try {
    return withBytes(encoded, (input) => {
      const status = wasm.wcbor_plan_use(address, input);
      crossed();
      if (status !== 0) throw new CborError(STATUS_NAMES[status] ?? 'TYPE_MISMATCH');
      const from = result(RESULT_BYTES);
      return u8.slice(from, from + result(RESULT_NBYTES));
    });
  } finally {
    wasm.wcbor_free(address);
    crossed();
  }
}

/**
 * Encodes the defaults of all structs of a type.
 * @param {Type} root
 */
function encodeDefaults(root) {
  const builder = new PlanBuilder();
  builder.node(root);
  for (const struct of builder.structs) {
    for (const field of struct.fields) {
      if (!field.hasDefault || field.encodedDefault !== undefined || pending.has(field)) continue;
      pending.add(field);
      try {
        field.encodedDefault = encodeDefault(field, struct);
      } finally {
        pending.delete(field);
      }
    }
  }
}

/** A plan in the module's memory. */
export class Plan {
  /** @param {Struct} struct */
  constructor(struct) {
    const root = new Type('struct');
    root.struct = struct;
    encodeDefaults(root);
    const { address, bytes } = place(root);
    this.address = address;
    this.bytes = bytes;
    registry?.register(this, address);
  }

  /**
   * The name of a property.
   * @param {number} at its FIELD_PROPERTY
   */
  propertyAt(at) {
    const information = this.bytes[at] & 0x1f;
    const begin = at + (information < 24 ? 1 : 1 + 2 ** (information - 24));
    const nbytes = information < 24 ? information : information === 24 ? this.bytes[at + 1] : (this.bytes[at + 1] << 8) | this.bytes[at + 2];
    return new TextDecoder().decode(this.bytes.subarray(begin, begin + nbytes));
  }
}
