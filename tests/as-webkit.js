// node --import=./tests/as-webkit.js: the package is loaded as it is in WebKit, whose TextEncoder is slow.
const { Error: own } = globalThis;

globalThis.Error = new Proxy(own, {
  construct(target, args, newTarget) {
    return Object.assign(Reflect.construct(target, args, newTarget), { line: 1 });
  },
});
try {
  await import('wcbor');
  const { TRANSCODES_SLOWLY } = await import('../js/engines.js');
  if (!TRANSCODES_SLOWLY) throw new TypeError('not as in WebKit');
} finally {
  globalThis.Error = own;
}
