// Puts a report between its markers in README.md.
import { readFileSync, writeFileSync } from 'node:fs';

const README = new URL('../../README.md', import.meta.url);

/**
 * @param {string} name what the markers call it
 * @param {string} text
 */
export function putIntoReadme(name, text) {
  const begins = `<!-- ${name} begins -->`;
  const ends = `<!-- ${name} ends -->`;
  const readme = readFileSync(README, 'utf8');
  const begin = readme.indexOf(begins);
  const end = readme.indexOf(ends);
  if (begin < 0 || end < begin) throw new Error(`README.md has no "${begins}" with a "${ends}" behind it`);
  writeFileSync(README, `${readme.slice(0, begin + begins.length)}\n\n${text}\n\n${readme.slice(end)}`);
}
