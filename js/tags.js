// Tags that stand for JavaScript types, in both directions.

/** Tags of RFC 8949, RFC 8746 and the IANA registry. */
export const TAG_DATE_TIME = 0;
export const TAG_UNIX_TIME = 1;
export const TAG_OBJECT = 27;
export const TAG_URI = 32;
export const TAG_REGEXP = 35;
export const TAG_SET = 258;
export const TAG_ECMASCRIPT_REGEXP = 21066;

export const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** RFC 8746, section 2.1: the tags of typed arrays, [big-endian, little-endian]. @type {Record<string, [number, number]>} */
export const TYPED_ARRAY_TAGS = {
  __proto__: /** @type {any} */ (null),
  Uint8ClampedArray: [68, 68],
  Uint16Array: [65, 69],
  Uint32Array: [66, 70],
  BigUint64Array: [67, 71],
  Int8Array: [72, 72],
  Int16Array: [73, 77],
  Int32Array: [74, 78],
  BigInt64Array: [75, 79],
  Float16Array: [80, 84],
  Float32Array: [81, 85],
  Float64Array: [82, 86],
};
