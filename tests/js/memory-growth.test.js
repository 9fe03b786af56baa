// What large documents, and many writers, take of the module's memory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { CborWriter } from 'wcbor';
import { wasm } from '../../js/instance.js';

const MIB = 1024 * 1024;
const DOCUMENT_NBYTES = 64 * MIB;

/** The writer looks for more room than an item takes in the end; three bytes for each unit of a string. */
const SLACK_NBYTES = 256 * 1024;

/** Documents of 64 MiB by what they are made of: how many bytes each call writes, and the call. */
const KINDS = {
  'short text': [21, (writer) => writer.writeTextString('a'.repeat(20))],
  integers: [5, (writer) => writer.writeUint32(0x12345678)],
  'long byte strings': [100005, (writer) => writer.writeByteString(BYTES)],
  'long text': [100005, (writer) => writer.writeTextString(TEXT)],
};

const BYTES = new Uint8Array(100000).fill(7);
const TEXT = 'é'.repeat(50000);

/** Writes a document of the kind; says how long it is and how much memory the module has then. */
function write({ kind, isReserved }) {
  const [each, call] = KINDS[kind];
  const count = Math.ceil(DOCUMENT_NBYTES / each);
  const writer = new CborWriter({ initialCapacity: isReserved ? each * count + SLACK_NBYTES : 0 });
  writer.writeStartArray(count);
  for (let i = 0; i < count; i++) call(writer);
  writer.writeEndArray();
  const nbytes = writer.bytesWritten;
  writer.dispose();
  return { nbytes, total: wasm.memory.buffer.byteLength };
}

// Each document has a module of its own, in a worker.
if (!isMainThread) {
  parentPort.postMessage(workerData.map(write));
  process.exit();
}

async function writeApart(documents) {
  const worker = new Worker(new URL(import.meta.url), { workerData: documents });
  const [answer] = await once(worker, 'message');
  await worker.terminate();
  return answer;
}

for (const kind of Object.keys(KINDS)) {
  for (const isReserved of [false, true]) {
    test(`64 MiB of ${kind}, ${isReserved ? 'reserved' : 'growing'}, take less than three times that`, async (t) => {
      const [{ nbytes, total }, again] = await writeApart([{ kind, isReserved }, { kind, isReserved }]);
      t.diagnostic(`${(total / MIB).toFixed(1)} MiB, ${(again.total / MIB).toFixed(1)} MiB after another`);
      assert.ok(nbytes >= DOCUMENT_NBYTES);
      assert.ok(total < (isReserved ? 1.5 : 3) * DOCUMENT_NBYTES, `${total} bytes`);
      assert.ok(again.total < 3 * DOCUMENT_NBYTES, `${again.total} bytes after another`);
    });
  }
}

test('the document is whole wherever it grew', () => {
  const writer = new CborWriter({ mode: 'lax' });
  writer.writeStartArray(null);
  const count = 100000;
  for (let i = 0; i < count; i++) writer.writeUint32(0x10000 + i);
  writer.writeEndArray();
  const bytes = writer.encode();
  assert.equal(bytes.length, 2 + 5 * count);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) assert.equal(view.getUint32(2 + 5 * i), 0x10000 + i);
  writer.dispose();
});

test('many writers, and their memory back', () => {
  const round = () => {
    const writers = Array.from({ length: 50 }, () => new CborWriter({ mode: 'deterministic' }));
    for (let i = 0; i < 200; i++) {
      for (const [n, writer] of writers.entries()) {
        if (i === 0) writer.writeStartArray(199);
        else writer.writeTextString(`${n} of ${i} é`);
      }
    }
    for (const [n, writer] of writers.entries()) {
      writer.writeEndArray();
      assert.ok(Buffer.from(writer.encode()).includes(`${n} of 199 é`));
      writer.dispose();
    }
  };
  round();
  const before = wasm.memory.buffer.byteLength;
  for (let i = 0; i < 20; i++) round();
  assert.equal(wasm.memory.buffer.byteLength, before);
});
