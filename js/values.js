// Values that say what plain JavaScript values cannot.
import { bytesOf } from './bytes.js';
import { MAX_UINT64 } from './bigints.js';
import { rangeError, typeError } from './errors.js';

/**
 * @param {number | bigint} tag
 * @returns {number | bigint} `tag`, if it is one
 */
export function checkTag(tag) {
  if (typeof tag !== 'number' && typeof tag !== 'bigint') throw typeError('ARGUMENT_TYPE', 'a tag is a number or a bigint');
  if (typeof tag === 'number' ? !Number.isSafeInteger(tag) || tag < 0 : tag < 0n || tag > MAX_UINT64) {
    throw rangeError('VALUE_OUT_OF_RANGE', `tag ${tag}`);
  }
  return tag;
}

/**
 * @param {number} value
 * @returns {number} `value`, if it is a simple value
 */
export function checkSimple(value) {
  if (typeof value !== 'number') throw typeError('ARGUMENT_TYPE', 'a simple value is a number');
  if (!Number.isInteger(value) || value < 0 || value > 255 || (value >= 24 && value < 32)) {
    throw rangeError('SIMPLE_NOT_ALLOWED', String(value));
  }
  return value;
}

/** A tagged item (RFC 8949, section 3.4). */
export class Tagged {
  /**
   * @param {number | bigint} tag 0 to 2^64 - 1
   * @param {unknown} value what the tag stands on
   */
  constructor(tag, value) {
    this.tag = checkTag(tag);
    this.value = value;
  }
}

/** A simple value (RFC 8949, section 3.3) that is none of false, true, null and undefined. */
export class Simple {
  /** @param {number} value 0 to 255; 24 to 31 do not exist */
  constructor(value) {
    this.value = checkSimple(value);
  }
}

/** An item that is encoded already. It is validated in the mode of whoever writes it, and then copied as it is. */
export class EncodedCbor {
  /** @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes kept, not copied */
  constructor(bytes) {
    this.bytes = bytesOf(bytes);
  }
}
