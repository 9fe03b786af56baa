// Answers with what the package does where it runs; see older.test.js.
import { CborWriter, encode } from 'wcbor';

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function written() {
  const writer = new CborWriter({ mode: 'lax' });
  writer.writeStartArray(null);
  writer.writeInt32(1);
  writer.writeEndArray();
  return { writer, hex: hexOf(writer.encode()) };
}

function thrownBy(action) {
  try {
    action();
  } catch (error) {
    return error;
  }
}

export default {
  fetch() {
    const { writer, hex } = written();
    writer.dispose();
    const refused = thrownBy(() => encode({ f() {} }));
    return Response.json({
      registry: typeof FinalizationRegistry,
      encoded: hexOf(encode({ a: 1, b: [true, 'héll'] })),
      written: hex,
      disposed: thrownBy(() => writer.flush()).code,
      refused: `${refused.code} at ${refused.path}`,
    });
  },
};
