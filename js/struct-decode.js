// How a struct reads a document: the module makes the tape by the struct's plan (wasm/plan.h), and what is known only
// when a struct has ended is done here: absent fields have their defaults, or are missing.
import { checkOptions } from './decode-options.js';
import { decodeOne, Plan as Decoding } from './decoder.js';
import { takeResult, write } from './encoder.js';
import { CborError } from './errors.js';
import { pathOfNext } from './output-path.js';
import { step } from './paths.js';
import { putterOf } from './struct-encode.js';
import { refused } from './refusals.js';
import { Type } from './struct-fields.js';
import { Plan } from './struct-plan.js';
import { TapeFailure } from './tape-memory.js';
import { StructFailure } from './tape-structs.js';
import { Maker } from './tape-makers.js';
import { ntags, taggedAt } from './tape.js';

/** @typedef {import('./struct.js').Struct<any>} Struct */

/** What the reader of tapes knows of a struct. */
export class Layout {
  /** @param {Struct} struct */
  constructor(struct) {
    this.struct = struct;
    const { fields, options } = struct;
    // As the names of properties, they are the very strings that engines compare by their addresses.
    this.properties = fields.map(({ property }) => Object.keys({ [property]: 0 })[0]);
    this.isTuple = options.representation === 'tuple';
    /** Makes an object of which all fields are there. */
    this.maker = new Maker(this.properties, options.codeGeneration, 0);
    /** What reads the defaults that are not the same each time. @type {(StructReader | undefined)[]} */
    this.readers = [];
    /** @type {unknown[]} */
    this.defaults = [];
  }

  /** @param {number} i */
  hasDefault(i) {
    return this.struct.fields[i].hasDefault;
  }

  /** @param {number} i */
  isOptional(i) {
    return this.struct.fields[i].optional;
  }

  /**
   * The default of a field, as if it had been in the document.
   * @param {number} i
   */
  defaultOf(i) {
    const { type, default: value } = this.struct.fields[i];
    if (value === null) return null;
    if (!(i in this.defaults)) {
      const encoded = write(value, this.struct.encodeOptions, takeResult, putterOf(type));
      const reader = new StructReader(type, { mode: 'lax' });
      const decoded = reader.decode(encoded);
      const isSame = typeof decoded !== 'object' || decoded === null;
      this.readers[i] = isSame ? undefined : reader;
      this.defaults[i] = isSame ? decoded : encoded;
    }
    return this.readers[i] === undefined ? this.defaults[i] : this.readers[i]?.decode(this.defaults[i]);
  }
}

/** What reads the values of a type. */
export class StructReader {
  /**
   * @param {Type} type
   * @param {import('./decode-options.js').DecodeOptions} options
   */
  constructor(type, options) {
    this.type = type;
    this.decoding = new Decoding(checkOptions(options), this);
    /** Made at the first use: a type may hold itself. @type {Plan | undefined} */
    this.plan = undefined;
  }

  /**
   * @param {unknown} bytes
   * @returns {any}
   */
  decode(bytes) {
    this.plan ??= new Plan(this.type);
    return decodeOne(bytes, this.decoding);
  }

  /**
   * Whether an error is one of the type's.
   * @param {unknown} error
   */
  knows(error) {
    if (error instanceof TapeFailure) return error.status !== 'INVALID_ENCODED_VALUE' && error.status !== 'OUT_OF_MEMORY';
    return error instanceof StructFailure || (error instanceof CborError && error.offset === undefined && refused === undefined && ntags > 0);
  }

  /**
   * An error of the type's as the caller sees it.
   * @param {any} error
   * @param {Uint8Array} source
   */
  explained(error, source) {
    if (error instanceof TapeFailure) {
      return new CborError(error.status, { offset: error.offset, path: pathTo(source, error.offset) });
    }
    if (error instanceof StructFailure) {
      const { name, offset, property } = error;
      return new CborError(name, { offset, path: pathTo(source, offset) + (property === undefined ? '' : step(property)) });
    }
    error.offset = taggedAt;
    error.path = pathTo(source, taggedAt);
    return error;
  }
}

/**
 * What reads the values of a struct.
 * @param {Struct} struct
 */
export function readerOf(struct) {
  const { mode = 'strict', maxDepth } = struct.options;
  const type = new Type('struct');
  type.struct = struct;
  return new StructReader(type, { mode, maxDepth });
}

/**
 * The path of the item at an offset.
 * @param {Uint8Array} document
 * @param {number} nbytes
 */
function pathTo(document, nbytes) {
  return `$${pathOfNext(document, { nbytes, endsBeforeKey: true, isSequence: false }).path}`;
}
