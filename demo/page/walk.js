// Writes a plain value through a CborWriter, one call per item, as code does that knows its document's structure.

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

function writeNumber(writer, value) {
  // -0 is no integer: only a double keeps its sign.
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) writer.writeDouble(value);
  else if (value >= INT32_MIN && value <= INT32_MAX) writer.writeInt32(value);
  else writer.writeInt64(value);
}

function writeObject(writer, object) {
  if (object instanceof Uint8Array) {
    writer.writeByteString(object);
  } else if (Array.isArray(object)) {
    writer.writeStartArray(object.length);
    for (let i = 0; i < object.length; i++) writeValue(writer, object[i]);
    writer.writeEndArray();
  } else {
    const keys = Object.keys(object);
    writer.writeStartMap(keys.length);
    for (const key of keys) {
      writer.writeTextString(key);
      writeValue(writer, object[key]);
    }
    writer.writeEndMap();
  }
}

/**
 * Writes `value` (null, undefined, booleans, numbers, bigints, strings, Uint8Arrays, arrays and plain objects of these)
 * as the next item of `writer`.
 */
export function writeValue(writer, value) {
  switch (typeof value) {
    case 'string':
      return writer.writeTextString(value);
    case 'number':
      return writeNumber(writer, value);
    case 'boolean':
      return writer.writeBoolean(value);
    case 'bigint':
      return writer.writeBigInteger(value);
    case 'undefined':
      return writer.writeUndefined();
    case 'object':
      return value === null ? writer.writeNull() : writeObject(writer, value);
    default:
      throw new TypeError(`CBOR has no form for a ${typeof value}`);
  }
}
