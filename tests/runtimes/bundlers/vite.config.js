// Without the polyfill of its own that Vite adds, which is for pages alone.
export default { base: './', logLevel: 'warn', build: { modulePreload: { polyfill: false } } };
