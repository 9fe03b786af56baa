// The service's settings, by environment variables (in Workers, [vars] of wrangler.toml). A slip in one must not lift a
// limit: what is no whole number leaves the default in force.

const LIMITS = {
  MAX_BODY_BYTES: 1024 * 1024, // of a body that is held as a whole
  MAX_ITEM_BYTES: 1024 * 1024, // of one item of a sequence, which is streamed
  MAX_STREAM_BYTES: 256 * 1024 * 1024, // of a sequence
  MAX_DEPTH: 1000, // of arrays and maps
};

/** What is logged besides faults of the service: every request, or nothing. */
const LOGS = ['requests', 'none'];

function limitOf(env, name) {
  const limit = env[name];
  return /^[0-9]+$/.test(limit) && Number(limit) < 2 ** 31 ? Number(limit) : LIMITS[name];
}

/**
 * @param {Record<string, string>} env
 */
export function settingsOf(env) {
  return {
    maxBodyBytes: limitOf(env, 'MAX_BODY_BYTES'),
    maxItemBytes: limitOf(env, 'MAX_ITEM_BYTES'),
    maxStreamBytes: limitOf(env, 'MAX_STREAM_BYTES'),
    maxDepth: limitOf(env, 'MAX_DEPTH'),
    log: LOGS.includes(env.LOG) ? env.LOG : LOGS[0],
    /** Pages of these origins may ask; `*` is any. */
    origins: (env.ALLOWED_ORIGINS ?? '*').split(',').map((origin) => origin.trim()),
  };
}
