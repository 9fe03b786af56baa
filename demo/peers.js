// What the page compares with, and what it reads JavaScript with: bundled for it as /vendor.js (demo/build-page.js).
export { parseExpressionAt } from 'acorn';
import { Encoder } from 'cbor-x/index-no-eval';
import * as cborg from 'cborg';

const cborX = new Encoder({ useRecords: false, mapsAsObjects: true, tagUint8Array: false });

export const codecs = {
  'cbor-x': { encode: (value) => cborX.encode(value), decode: (bytes) => cborX.decode(bytes) },
  cborg: { encode: (value) => cborg.encode(value), decode: (bytes) => cborg.decode(bytes) },
};
