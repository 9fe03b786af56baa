// Serves the page that measures, and takes its report.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

// Browsers give a fine clock only to pages that share their process with nobody.
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cache-control': 'no-store',
};

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * Serves `folder` to this machine alone.
 * @param {string} folder
 * @returns {Promise<{ url: string, report: Promise<object>, close: () => void }>} `report` is what the page posts
 */
export async function serve(folder) {
  let resolve;
  const report = new Promise((fulfil) => {
    resolve = fulfil;
  });
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, 'http://localhost');
      if (request.method === 'POST') {
        resolve(JSON.parse(await bodyOf(request)));
        response.writeHead(204, HEADERS).end();
        return;
      }
      const path = normalize(decodeURIComponent(pathname));
      const file = join(folder, path.endsWith(sep) ? `${path}index.html` : path);
      const contents = await readFile(file);
      response.writeHead(200, { ...HEADERS, 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(contents);
    } catch {
      response.writeHead(404, HEADERS).end();
    }
  });
  await new Promise((listening, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    report,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
