// The worker of demo/worker in workerd, with a server of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import { modulesOf, root } from './modules.js';

const COMPATIBILITY_DATE = /compatibility_date = "(.*)"/.exec(readFileSync(join(root, 'demo/worker/wrangler.toml'), 'utf8'))[1];

/**
 * Starts the worker with these settings.
 * @returns {Promise<{ url: string, log: string[], dispose: () => Promise<void> }>} `log`: the lines of its output
 */
export async function startWorker(bindings = {}) {
  const log = []; // workerd writes of connections that break, too, which is what some tests are for
  const miniflare = new Miniflare({
    modules: modulesOf('demo/worker/worker.js'),
    modulesRoot: root,
    compatibilityDate: COMPATIBILITY_DATE,
    bindings,
    handleRuntimeStdio(stdout, stderr) {
      for (const stream of [stdout, stderr]) stream.setEncoding('utf8').on('data', (part) => log.push(...part.split('\n')));
    },
  });
  try {
    return { url: String(await miniflare.ready).replace(/\/$/, ''), log, dispose: () => miniflare.dispose() };
  } catch (error) {
    await miniflare.dispose(); // or the process would not end
    throw new Error(`workerd did not start:\n${log.join('\n')}`, { cause: error });
  }
}

const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/**
 * fetch, but for a connection that the server has closed: it does so behind a refusal of a body that it has not read, and a
 * client that uses the connection again at that moment has to ask once more. `init.body` may be a function that makes one.
 */
export async function ask(url, init) {
  const send = () => fetch(url, typeof init?.body === 'function' ? { ...init, body: init.body() } : init);
  return send().catch((error) => {
    if (!CLOSED.includes(error.cause?.code)) throw error;
    return send();
  });
}
