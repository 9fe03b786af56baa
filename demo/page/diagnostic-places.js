// Where each item stands in diagnostic notation. The text has been parsed already, so that this need not look for faults: it
// goes from item to item, in the order in which they are encoded.

const GAP = /(?:[\s,:]|\/\/[^\n]*|\/[^/]*\/|#[^\n]*)+/y;
const STRING = /(?:[A-Za-z0-9]*'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*")(?:_[0-9i]*)?/y;
const SIMPLE = /simple\([^)]*\)/y;
const WORD = /[-+.\w]+/y;
const INDICATOR = /_[0-9i]*/y;
const PLUS = /\+(?![0-9.I])/y;

/**
 * @param {string} source
 * @returns {[number, number][] | undefined} begin and end of each item, one that holds others before these; undefined for what
 *   was not understood
 */
export function rangesOfDiagnostic(source) {
  const ranges = [];
  const open = [];
  let at = 0;
  /** How many `<<` are open: what is in them is a part of a byte string. */
  let embedded = 0;
  /** The string that ended last, while nothing but a gap came behind it: one beside it is a part of it. */
  let lastString;
  const skip = (pattern) => {
    pattern.lastIndex = at;
    if (!pattern.test(source)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const begin = () => {
    const range = [at, at];
    if (embedded === 0) ranges.push(range);
    return range;
  };
  while (at < source.length) {
    const gap = at;
    if (skip(GAP)) {
      if (/[,:]/.test(source.slice(gap, at).replace(/\/\/[^\n]*|\/[^/]*\/|#[^\n]*/g, ''))) lastString = undefined;
      continue;
    }
    if (lastString !== undefined && skip(PLUS)) continue;
    const unit = source[at];
    if (unit === '[' || unit === '{' || unit === '(') {
      open.push(begin());
      at++;
      skip(INDICATOR);
      lastString = undefined;
    } else if (unit === ']' || unit === '}' || unit === ')') {
      const range = open.pop();
      if (range === undefined) return undefined;
      range[1] = ++at;
      lastString = undefined;
    } else if (source.startsWith('<<', at)) {
      open.push(lastString ?? begin());
      embedded++;
      at += 2;
      lastString = undefined;
    } else if (source.startsWith('>>', at)) {
      const range = open.pop();
      if (range === undefined) return undefined;
      embedded--;
      at += 2;
      skip(INDICATOR);
      range[1] = at;
      lastString = range;
    } else {
      const range = lastString !== undefined && isAt(STRING, source, at) && !source.startsWith('float', at) ? lastString : begin();
      lastString = undefined;
      if (skip(STRING)) {
        if (!source.startsWith('float', range[0])) lastString = range;
      } else if (!skip(SIMPLE)) {
        if (!skip(WORD)) return undefined;
        if (source[at] === '(') {
          open.push(range);
          at++;
        }
      }
      range[1] = at;
    }
  }
  return open.length === 0 ? ranges : undefined;
}

function isAt(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.test(source);
}
