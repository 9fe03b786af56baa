// What a server does at its start, so that its first requests need not wait for it: the module is compiled, and engines
// have compiled the functions that most documents need, and seen what these are called with.
import { encode } from './encoder.js';
import { stats } from './instance.js';

/** After fewer, some of it is left for the first documents; more bring nothing. */
const TURNS = 10;

/** Once, at the import. It leaves nothing behind but what the first documents would. */
export function warmUp() {
  try {
    for (let i = 0; i < TURNS; i++) {
      encode({
        name: `document ${i}`,
        unit: 'é',
        level: i / 4,
        values: [i, -1, 2 ** 40, 0.5, null],
        parts: [{ id: i, tags: ['a', true] }, { id: -i, tags: [] }],
        bytes: new Uint8Array(3),
      });
    }
  } catch {
    // Where WebAssembly is forbidden, the first use is the place to say so.
  }
  stats.reset();
}
