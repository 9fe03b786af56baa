// The one instance of the module, the one place that makes views of its memory, and the count of calls into it.

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {(nbytes: number) => number} wcbor_alloc
 * @property {(address: number) => void} wcbor_free
 * @property {() => number} wcbor_result
 * @property {() => number} wcbor_result_text
 * @property {(plan: number) => void} wcbor_plan_ready
 * @property {(bytes: number, nbytes: number) => number} wcbor_scan_links
 * @property {(payload: number, nbytes: number) => number} wcbor_is_link
 * @property {(bytes: number, nbytes: number, flags: number, maxDepth: number, indicators: number, indent: number, offset: number) => number} wcbor_to_diagnostic
 * @property {(text: number, nbytes: number, flags: number, maxDepth: number) => number} wcbor_from_diagnostic
 * @property {(bytes: number, nbytes: number, flags: number, maxDepth: number, mode: number) => number} wcbor_reencode
 * @property {(bytes: number, nbytes: number, flags: number, maxDepth: number) => void} wcbor_annotate_start
 * @property {() => number} wcbor_annotate_next
 * @property {(text: number, nbytes: number, mode: number, form: number, maxDepth: number, maxNbytes: number) => number} wcbor_json_read
 * @property {(bytes: number, nbytes: number, mode: number, form: number, maxDepth: number, maxNbytes: number) => number} wcbor_json_write
 * @property {(low: number, high: number) => void} wcbor_seed
 * @property {(mode: number, flags: number, maxDepth: number) => number} wcbor_session_new
 * @property {(session: number) => void} wcbor_session_free
 * @property {(session: number) => void} wcbor_session_show
 * @property {(nbytes: number) => number} wcbor_shape_add
 * @property {() => void} wcbor_shapes_reset
 * @property {(session: number, nbytes: number) => number} wcbor_session_reserve
 * @property {(session: number, initial: number, argument: number) => number} wcbor_call
 * @property {(session: number, nbytes: number) => number} wcbor_call_text
 * @property {(session: number, begin: number, end: number) => number} wcbor_run
 * @property {(session: number, begin: number, end: number) => number} wcbor_run_fresh
 * @property {() => number} wcbor_decode_new
 * @property {(tape: number) => void} wcbor_decode_free
 * @property {(tape: number, input: number, nbytes: number, flags: number, maxDepth: number, plan: number) => number} wcbor_decode_start
 * @property {(tape: number) => number} wcbor_decode_run
 * @property {() => void} wcbor_decode_forget
 * @property {(which: number) => number} wcbor_decode_tables
 * @property {(bytes: number, nbytes: number, mode: number, flags: number, maxDepth: number) => number} wcbor_check
 * @property {(mode: number, flags: number, maxDepth: number) => number} wcbor_cursor_new
 * @property {(cursor: number) => void} wcbor_cursor_free
 * @property {(cursor: number, bytes: number, nbytes: number, flags: number) => number} wcbor_cursor_data
 * @property {(cursor: number, op: number, checks: number) => number} wcbor_cursor_read
 */

/** @type {(() => WebAssembly.Module) | undefined} */
let source;

/**
 * The exports. Every call is counted where it is made.
 * @type {Exports}
 */
export let wasm;

/** Views of the whole memory. Any call that can make memory grow must be followed by `refresh()`. */
export let u8 = new Uint8Array(0);
export let u32 = new Uint32Array(0);
export let i32 = new Int32Array(0);
export let f64 = new Float64Array(0);
export let view = new DataView(u8.buffer);

/** Calls into the module since the last `stats.reset()`. */
export let crossings = 0;

/** Runs of command buffers since then, and the bytes of commands and of text that went with them. */
let flushes = 0;
let commandBytes = 0;
let textBytes = 0;

/**
 * Counts the run of a command buffer.
 * @param {number} commands bytes
 * @param {number} text bytes
 */
export function flushed(commands, text) {
  flushes++;
  commandBytes += commands;
  textBytes += text;
}

/** Counts calls into the module. */
export function crossed(calls = 1) {
  crossings += calls;
}

/**
 * Says how to get the module; it is asked for once, at the first use.
 * @param {() => WebAssembly.Module} get
 */
export function setSource(get) {
  source = get;
}

/** Makes the instance unless it is there. */
export function instantiate() {
  if (wasm !== undefined) return;
  if (source === undefined) throw new Error('wcbor: no module; import one of its entry points');
  wasm = /** @type {Exports} */ (/** @type {unknown} */ (new WebAssembly.Instance(source(), {}).exports));
  wasm._initialize();
  // Not for secrets: a page that sends hostile keys cannot know how the tables of keys are scattered.
  wasm.wcbor_seed(Math.random() * 2 ** 32, Math.random() * 2 ** 32);
  crossed(2);
  refresh();
}

/** Makes the views anew when memory has grown. */
export function refresh() {
  // A memory that grows detaches its old buffer, whose views are empty from then on.
  if (u8.length !== 0) return;
  const { buffer } = wasm.memory;
  u8 = new Uint8Array(buffer);
  u32 = new Uint32Array(buffer);
  i32 = new Int32Array(buffer);
  f64 = new Float64Array(buffer);
  view = new DataView(buffer);
}

/**
 * What the package has done since the last `stats.reset()`: `crossings` counts the calls into WebAssembly, `flushes` those
 * of them that ran a command buffer, with `commandBytes` and `textBytes` in it.
 * @returns {{ crossings: number, flushes: number, commandBytes: number, textBytes: number }}
 */
export function stats() {
  return { crossings, flushes, commandBytes, textBytes };
}

/** Counts from 0 again. */
stats.reset = function reset() {
  crossings = flushes = commandBytes = textBytes = 0;
};
