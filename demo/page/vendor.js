// Where the page finds what it has from other libraries, bundled by demo/build-page.js.
export * from '/vendor/vendor.js';
