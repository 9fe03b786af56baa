// The service without Workers: `node demo/worker/serve.js`, `bun demo/worker/serve.js` or
// `deno run --allow-net --allow-env demo/worker/serve.js`, at HOST and PORT. The settings are environment variables, as in
// wrangler.toml.
import worker from './worker.js';

const { Deno, Bun } = globalThis;

/** For Node, whose own server has no fetch handlers. */
async function serveNode({ hostname, port, fetch, onListen }) {
  const { createServer } = await import('node:http');
  const { Readable } = await import('node:stream');
  const { pipeline } = await import('node:stream/promises');

  function requestOf(incoming) {
    const { method, url } = incoming;
    const headers = new Headers();
    for (let i = 0; i < incoming.rawHeaders.length; i += 2) headers.append(incoming.rawHeaders[i], incoming.rawHeaders[i + 1]);
    const body = method === 'GET' || method === 'HEAD' ? undefined : Readable.toWeb(incoming);
    return new Request(new URL(url, `http://${hostname}`), { method, headers, body, duplex: 'half' });
  }

  const server = createServer(async (incoming, outgoing) => {
    try {
      const response = await fetch(requestOf(incoming));
      // Of a body that was not read to its end the rest is not waited for.
      if (!incoming.complete) outgoing.setHeader('connection', 'close');
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing);
      else outgoing.end();
    } catch {
      outgoing.destroy(); // the client has gone, or the answer broke off
    }
  });
  server.listen(port, hostname, () => onListen({ hostname, port: server.address().port }));
}

const env = Deno ? Deno.env.toObject() : process.env;
const hostname = env.HOST ?? '127.0.0.1';
const port = Number(env.PORT ?? 8787);
const fetch = (request) => worker.fetch(request, env);
const onListen = (at) => console.log(JSON.stringify({ level: 'info', message: 'listening', url: `http://${at.hostname}:${at.port}/` }));

if (Deno) Deno.serve({ hostname, port, onListen }, fetch);
else if (Bun) onListen(Bun.serve({ hostname, port, fetch }));
else await serveNode({ hostname, port, fetch, onListen });
