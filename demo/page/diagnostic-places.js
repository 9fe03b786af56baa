// Where each item stands in diagnostic notation. The text has been parsed already, so that this need not look for faults: it
// goes from item to item, in the order in which they are encoded.

const GAP = /(?:[\s,:]|\/\/[^\n]*|\/\*[^]*?\*\/|\/[^/]*\/|#[^\n]*)+/y;
const OPEN = /[[{(](?:_[0-3i]?)?|<</y;
const CLOSE = /[\]})]|>>/y;
const STRING = /(?:h|h32|b32|b64)?'(?:[^'\\]+|\\[^])*'|"(?:[^"\\]+|\\[^])*"/y;
const INDICATOR = /_[0-3i]?/y;
const PLUS = /\+/y;
const FLOAT = /float'(?:[^'\\]+|\\[^])*'/y;
const SIMPLE = /simple\(/y;
const WORD = /[-+.\w]+/y;

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
  const take = (pattern) => {
    pattern.lastIndex = at;
    if (!pattern.test(source)) return false;
    at = pattern.lastIndex;
    return true;
  };

  /** Takes a string, and those behind it that are a part of it: in a chunked string only a + makes them one. */
  function takeString() {
    if (!take(STRING)) return false;
    const isChunk = source[open.at(-1)?.[0]] === '(';
    while (!take(INDICATOR)) {
      const end = at;
      take(GAP);
      const isJoined = take(PLUS);
      if (isJoined) take(GAP);
      // A comma or a colon is no gap between two parts of a string.
      const isBeside = isJoined || !(isChunk || /[,:]/.test(withoutComments(source.slice(end, at))));
      if (isBeside && take(STRING)) continue;
      at = end;
      break;
    }
    return true;
  }

  while (at < source.length) {
    if (take(GAP)) continue;
    if (take(CLOSE)) {
      const range = open.pop();
      if (range === undefined) return undefined;
      if (source[at - 1] === '>') {
        embedded--;
        take(INDICATOR);
      }
      range[1] = at;
      continue;
    }
    const range = [at, at];
    if (embedded === 0) ranges.push(range);
    if (take(OPEN)) {
      open.push(range);
      if (source[range[0]] === '<') embedded++;
    } else if (take(SIMPLE)) {
      take(GAP);
      take(WORD);
      take(GAP);
      range[1] = ++at;
    } else if (takeString() || take(FLOAT)) {
      range[1] = at;
    } else if (!take(WORD)) {
      return undefined;
    } else if (source[at] === '(') {
      open.push(range);
      at++;
    } else {
      range[1] = at;
    }
  }
  return open.length === 0 ? ranges : undefined;
}

const withoutComments = (gap) => gap.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|\/[^/]*\/|#[^\n]*/g, '');
