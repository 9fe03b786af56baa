// The one place that says where the package is. A bundler would resolve the bare name 'wcbor'; a page without one
// needs a URL, and an import map would need an inline script, which the content-security policy forbids.
export * from '/js/index.js';
