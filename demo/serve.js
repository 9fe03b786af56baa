// A static file server for the demo page, in Node alone.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// What is served, by the first part of the path; all else comes from demo/page.
const FOLDERS = { js: 'js', dist: 'dist', samples: 'demo/samples', vendor: 'build/page' };
const PAGE = 'demo/page';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.edn': 'text/plain; charset=utf-8',
  '.hex': 'text/plain; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

// The strictest policy under which WebAssembly may still be compiled: it shows that the package needs no more.
const HEADERS = {
  'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
};

/** The file that a request path stands for, or undefined when it stands for none that may be served. */
function resolvePath(root, requestPath) {
  let path;
  try {
    path = normalize(decodeURIComponent(requestPath));
  } catch {
    return undefined;
  }
  const parts = path.split(sep).filter(Boolean);
  // Dotfiles are nobody's business, and after normalize() a ".." can only lead out.
  if (path.includes('\0') || parts.some((part) => part.startsWith('.'))) return undefined;
  if (path.endsWith(sep)) parts.push('index.html');
  const folder = Object.hasOwn(FOLDERS, parts[0]) ? FOLDERS[parts.shift()] : PAGE;
  return join(root, folder, ...parts);
}

async function answer(root, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...HEADERS, allow: 'GET, HEAD' }).end();
    return;
  }
  const file = resolvePath(root, request.url.split(/[?#]/, 1)[0]);
  const found = file && (await stat(file).catch(() => undefined));
  if (!found?.isFile()) {
    response.writeHead(404, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end('Not found\n');
    return;
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': found.size });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).on('error', () => response.destroy()).pipe(response);
}

function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Serves the page, the package (/js/, /dist/), the samples (/samples/) and what is bundled of others (/vendor/).
 * @param {object} [options]
 * @param {number} [options.port] 0 for any that is free; another that is taken gives way to the next free one
 * @param {string} [options.host]
 * @param {string} [options.root] the project
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve({ port = 0, host = '127.0.0.1', root = fileURLToPath(new URL('..', import.meta.url)) } = {}) {
  const server = createServer((request, response) => {
    answer(root, request, response).catch(() => response.destroy());
  });
  for (let candidate = port; ; candidate++) {
    try {
      await listen(server, candidate, host);
      break;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || port === 0 || candidate >= port + 100) throw error;
    }
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
