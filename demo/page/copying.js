// Buttons that copy something, and say for a while whether it went well.

const SAID_MS = 1500;

/** The inscription of each button, and what puts it back. */
const resting = new WeakMap();

/**
 * @param {HTMLButtonElement} button
 * @param {string} content
 * @param {string} words that the button says when it has been copied
 * @returns {Promise<void>} at its end the button says how it went
 */
export async function copy(button, content, words) {
  let said = words;
  try {
    await navigator.clipboard.writeText(content);
  } catch {
    said = 'Not allowed';
  }
  sayFor(button, said);
}

/** Has a button say something for a while. */
export function sayFor(button, words) {
  const before = resting.get(button);
  clearTimeout(before?.timer);
  const inscription = before?.inscription ?? button.textContent;
  const timer = setTimeout(() => {
    button.textContent = inscription;
    resting.delete(button);
  }, SAID_MS);
  button.textContent = words;
  resting.set(button, { inscription, timer });
}
