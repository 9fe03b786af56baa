// The tables of writer calls: every row gathered and one call at a time.
import { CborWriter } from 'wcbor';
import { hexOf } from '../../hex.js';
import { floatOf, MODES, run } from '../../js/calls.js';
import { modeRows } from '../../vectors/mode-rows.js';
import modeTable from '../../vectors/mode-vectors.json';
import writerTable from '../../vectors/writer-vectors.json';
import { equal } from '../assert.js';

/** What the calls come to: the bytes, or the code of the first error. */
function outcome({ mode, convert, multipleRoots, maxDepth = 1000, calls }, batch) {
  const options = { mode, convertIndefiniteLengths: convert, allowMultipleRoots: multipleRoots ?? false, maxDepth, batch };
  const writer = new CborWriter(options);
  try {
    for (const call of calls) run(writer, call);
    return hexOf(writer.encode());
  } catch (error) {
    if (!error.code?.startsWith('ERR_CBOR_')) throw error;
    return error.code.slice('ERR_CBOR_'.length);
  } finally {
    writer.dispose();
  }
}

/** Whether this engine's numbers keep the bits of the NaNs that a row writes, which the language leaves to it. */
function keepsNumbers({ calls }) {
  return calls.every(([name, bits]) => {
    if (name !== 'single' && name !== 'double') return true;
    const view = new DataView(new ArrayBuffer(8));
    const number = floatOf(bits);
    if (!Number.isNaN(number)) return true;
    if (name === 'single') view.setFloat32(0, number);
    else view.setFloat64(0, number);
    return hexOf(new Uint8Array(view.buffer, 0, bits.length / 2)) === bits;
  });
}

function check(row, { hex, head, tail, error, errors }) {
  // A row that goes on after errors means each of its calls; gathered, a failure drops the calls behind it.
  for (const batch of errors === undefined ? [true, false] : [false]) {
    const is = outcome(row, batch);
    if (hex === undefined && head !== undefined) equal(is.startsWith(head) && is.endsWith(tail), true, 'ends of a long document');
    else equal(is, error ?? errors?.[0].error ?? hex, batch ? 'gathered' : 'one by one');
  }
}

export const writerCases = [
  ...writerTable.filter(keepsNumbers).map((row) => [row.id, () => check({ ...row, mode: MODES[row.mode] }, row.result)]),
  ...modeRows(modeTable).map((row) => [row.id, () => check(row, row)]),
];
