// The service worker: all of the page is there without a network once it was opened. The network's answer is taken where there
// is one.

const CACHE = 'wcbor-page';

self.addEventListener('install', (event) => {
  event.waitUntil(keepAll());
  self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(answer(event.request));
});

/** Keeps every file of the page, samples and the measuring worker too. */
async function keepAll() {
  const [cache, list] = await Promise.all([caches.open(CACHE), fetch('/vendor/files.json')]);
  await cache.addAll(await list.json());
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept !== undefined) return kept;
    throw error;
  }
}
