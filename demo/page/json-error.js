// Where does a text stop being JSON? Engines word their SyntaxErrors differently and some give no position, so the
// page looks for itself, after JSON.parse has refused a text. One pass, no recursion: `stack` holds the open brackets.

const LITERALS = ['true', 'false', 'null'];
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The end of what the sticky expression matches at `at`, or -1. */
function endOf(expression, text, at) {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** Names the character at `at` the way a reader would. */
function nameAt(text, at) {
  if (at >= text.length) return 'the end of the text';
  const point = text.codePointAt(at);
  if (point === 10 || point === 13) return 'a line break';
  if (point < 32) return `the control character U+${point.toString(16).padStart(4, '0').toUpperCase()}`;
  return String.fromCodePoint(point);
}

/** Scans the string whose opening quote is at `at`: { end }, or { index, message } where it breaks. */
function scanString(text, at) {
  let next = at + 1;
  for (;;) {
    next = endOf(PLAIN, text, next);
    if (text[next] === '"') return { end: next + 1 };
    if (next >= text.length) return { index: at, message: 'This string has no closing quote' };
    if (text[next] !== '\\') return { index: next, message: `A string cannot hold ${nameAt(text, next)}; escape it` };
    const end = endOf(ESCAPE, text, next);
    if (end < 0) return { index: next, message: 'This is not an escape sequence JSON knows' };
    next = end;
  }
}

/** Scans one scalar or string at `at`, like scanString. */
function scanScalar(text, at) {
  if (text[at] === '"') return scanString(text, at);
  for (const word of LITERALS) if (text.startsWith(word, at)) return { end: at + word.length };
  const end = endOf(NUMBER, text, at);
  if (end >= 0) return { end };
  if (text[at] === "'") return { index: at, message: 'Strings take double quotes' };
  return { index: at, message: `Expected a value, found ${nameAt(text, at)}` };
}

/**
 * Finds the first place where `text` is not JSON.
 * @param {string} text
 * @returns {{ index: number, line: number, column: number, message: string } | null} index in UTF-16 units, line and
 *   column from 1; null when the text is JSON.
 */
export function findJsonError(text) {
  const fault = scan(text);
  if (!fault) return null;
  const before = text.slice(0, fault.index);
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  return {
    ...fault,
    line: before.split(/\r\n|\n|\r/).length,
    column: fault.index - lineStart + 1,
  };
}

function scan(text) {
  const stack = [];
  let at = 0;
  // What may come next: a value; a value or the closing bracket; a key; a key or the closing bracket; what follows a value.
  let expected = 'value';
  for (;;) {
    at = endOf(SPACE, text, at);
    const character = text[at];
    if (expected === 'after') {
      const close = stack.at(-1);
      if (close === undefined) {
        return at >= text.length ? null : { index: at, message: `The document has ended, but here is ${nameAt(text, at)}` };
      }
      if (character === ',') {
        at++;
        expected = close === '}' ? 'key' : 'value';
      } else if (character === close) {
        at++;
        stack.pop();
      } else {
        return { index: at, message: `Expected , or ${close} but found ${nameAt(text, at)}` };
      }
      continue;
    }
    if (expected.endsWith('or close') && character === stack.at(-1)) {
      at++;
      stack.pop();
      expected = 'after';
      continue;
    }
    if (expected.startsWith('key')) {
      if (character !== '"') {
        const trailing = expected === 'key' && character === '}';
        return { index: at, message: trailing ? 'A comma cannot stand before }' : `Expected a key in double quotes, found ${nameAt(text, at)}` };
      }
      const key = scanString(text, at);
      if (key.end === undefined) return key;
      at = endOf(SPACE, text, key.end);
      if (text[at] !== ':') return { index: at, message: `Expected : after the key, found ${nameAt(text, at)}` };
      at++;
      expected = 'value';
      continue;
    }
    if (character === '{' || character === '[') {
      stack.push(character === '{' ? '}' : ']');
      expected = character === '{' ? 'key or close' : 'value or close';
      at++;
      continue;
    }
    if (character === ']' && expected === 'value' && stack.at(-1) === ']') {
      return { index: at, message: 'A comma cannot stand before ]' };
    }
    const scalar = scanScalar(text, at);
    if (scalar.end === undefined) return scalar;
    at = scalar.end;
    expected = 'after';
  }
}
