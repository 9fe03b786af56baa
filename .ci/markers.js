// Text that is generated, in a file that is not: it stands between two markers.

/**
 * The text with another part between the markers of that name.
 * @param {string} text
 * @param {string} name what the markers call it
 * @param {string} part
 */
export function putBetween(text, name, part) {
  const begins = `<!-- ${name} begins -->`;
  const ends = `<!-- ${name} ends -->`;
  const begin = text.indexOf(begins);
  const end = text.indexOf(ends);
  if (begin < 0 || end < begin) throw new Error(`there is no "${begins}" with a "${ends}" behind it`);
  return `${text.slice(0, begin + begins.length)}\n\n${part}\n\n${text.slice(end)}`;
}
