// The first documents of a process, by one contender: node cold.js CONTENDER DOCUMENT. Prints milliseconds: from before
// the import until it was imported, and until the first result; and what the first 1, 10 and 100 documents took.
import { attributeDocument } from './documents.js';

const [, , name, kind] = process.argv;

// Each imports what a user of it would, and nothing else.
const imports = {
  wcbor: async () => (await import('wcbor')).encode,
  'wcbor by JSON': async () => {
    const { jsonToCbor } = await import('wcbor');
    return (value) => jsonToCbor(JSON.stringify(value));
  },
  'cbor-x': async () => {
    const { Encoder } = await import('cbor-x');
    const encoder = new Encoder({ useRecords: false, mapsAsObjects: true, tagUint8Array: false });
    return (value) => encoder.encode(value);
  },
  'json-pack fast': async () => {
    const { CborEncoderFast } = await import('@jsonjoy.com/json-pack/lib/cbor/CborEncoderFast.js');
    const encoder = new CborEncoderFast();
    return (value) => encoder.encode(value);
  },
  'json-pack': async () => {
    const { CborEncoder } = await import('@jsonjoy.com/json-pack/lib/cbor/CborEncoder.js');
    const encoder = new CborEncoder();
    return (value) => encoder.encode(value);
  },
  cborg: async () => (await import('cborg')).encode,
  cbor2: async () => (await import('cbor2')).encode,
  JSON: async () => {
    const encoder = new TextEncoder();
    return (value) => encoder.encode(JSON.stringify(value));
  },
};

const kinds = {
  'short message': (index) => ({
    id: `msg-${index}`,
    type: 'reading.accepted',
    from: { device: `pump-${index % 16}`, site: 'north-basin' },
    level: index / 8,
    pressure: [1013, 1009 + index, 998],
    retry: false,
    next: null,
  }),
  'attribute document': attributeDocument,
};

// Parsed, as a service has them.
const documents = Array.from({ length: 100 }, (_, index) => JSON.parse(JSON.stringify(kinds[kind](index + 1))));

const begin = performance.now();
const encode = await imports[name]();
const imported = performance.now();
const taken = {};
for (let i = 0; i < documents.length; i++) {
  if (encode(documents[i]).length === 0) throw new Error('nothing');
  if (i === 0 || i === 9 || i === 99) taken[i + 1] = performance.now() - imported;
}
console.log(JSON.stringify({ import: imported - begin, result: imported - begin + taken[1], ...taken }));
