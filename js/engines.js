// Which engine runs this, where it makes a difference to speed. Everything works in all of them either way.

/** JavaScriptCore: in no other engine have errors a line of their own. */
export const IS_JAVASCRIPTCORE = Object.hasOwn(new Error(), 'line');

/** SpiderMonkey: there their line has another name. */
export const IS_SPIDERMONKEY = Object.hasOwn(new Error(), 'lineNumber');

/** WebKit's TextEncoder takes longer than a loop, for text of any script; that of Bun, which has the same engine, does not. */
export const TRANSCODES_SLOWLY = IS_JAVASCRIPTCORE && !Object.hasOwn(globalThis, 'Bun');

/** Browsers, and Workers: there a call of TextEncoder takes a few tenths of a microsecond, whatever it is for. */
export const CALLS_DEARLY = !Object.hasOwn(globalThis, 'Buffer');
