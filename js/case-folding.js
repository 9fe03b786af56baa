// Unicode simple case folding, as far as some names need it: for each of their characters, all that fold to the same.
//
// The engine's regular expressions know the folding (the flags i and u together); no table of it is kept here.

/** All characters that have cases, as one string. Made at the first use. */
let cased = '';

/** The characters beyond ASCII that fold to ASCII letters: LATIN SMALL LETTER LONG S and KELVIN SIGN. @type {Record<string, number>} */
const ASCII_VARIANTS = { k: 0x212a, s: 0x17f };

function casedCharacters() {
  if (cased === '') {
    const parts = [];
    const changes = /\p{Changes_When_Casefolded}|\p{Changes_When_Casemapped}/u;
    for (let code = 0x80; code < 0x1f000; code++) {
      if (code === 0xd800) code = 0xe000;
      const character = String.fromCodePoint(code);
      if (changes.test(character)) parts.push(character);
    }
    cased = parts.join('');
  }
  return cased;
}

/**
 * The characters that names have, and all that fold to the same ones, beyond ASCII letters.
 * @param {string[]} names
 * @returns {Map<number, number>} code points, and the one of each group that stands for it: an ASCII letter in lower
 *   case, or the first that the names have
 */
export function foldsOf(names) {
  /** @type {Map<number, number>} */
  const folds = new Map();
  for (const character of new Set(names.join(''))) {
    const code = /** @type {number} */ (character.codePointAt(0));
    const variant = ASCII_VARIANTS[character.toLowerCase()];
    if (variant !== undefined) folds.set(variant, /** @type {number} */ (character.toLowerCase().codePointAt(0)));
    if (code < 0x80 || folds.has(code)) continue;
    const pattern = new RegExp(`\\u{${code.toString(16)}}`, 'giu');
    for (const other of casedCharacters().match(pattern) ?? []) folds.set(/** @type {number} */ (other.codePointAt(0)), code);
    // Those that fold to ASCII are above.
    for (const letter of 'ks') {
      if (letter.match(pattern) !== null) folds.set(code, /** @type {number} */ (letter.codePointAt(0)));
    }
  }
  return folds;
}

/**
 * A name as it is compared.
 * @param {string} name
 * @param {Map<number, number>} folds
 */
export function folded(name, folds) {
  let text = '';
  for (const character of name) {
    const code = /** @type {number} */ (character.codePointAt(0));
    if (code >= 0x41 && code <= 0x5a) text += character.toLowerCase();
    else text += String.fromCodePoint(folds.get(code) ?? code);
  }
  return text;
}

/**
 * A folded name in upper case, as far as that takes as many bytes.
 * @param {string} name
 * @param {Map<number, number>} folds
 */
export function inUpperCase(name, folds) {
  const nbytes = (/** @type {number} */ code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
  let text = '';
  for (const character of name) {
    const upper = character.toUpperCase();
    const code = /** @type {number} */ (character.codePointAt(0)), upperCode = /** @type {number} */ (upper.codePointAt(0));
    const isIt = upper.length === String.fromCodePoint(upperCode).length && nbytes(code) === nbytes(upperCode)
      && (code < 0x80 || folds.get(upperCode) === code);
    text += isIt ? upper : character;
  }
  return text;
}
