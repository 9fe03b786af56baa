// Assertions for code that runs in every runtime, where there may be no node:assert.

function isSame(actual, expected) {
  if (Object.is(actual, expected)) return true;
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) return false;
  if (Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) return false;
  if (actual instanceof Date) return Object.is(actual.getTime(), expected.getTime());
  if (actual instanceof Map) return isSame([...actual], [...expected]);
  const keys = Object.keys(actual);
  return keys.length === Object.keys(expected).length
    && keys.every((key) => Object.hasOwn(expected, key) && isSame(actual[key], expected[key]));
}

function shown(value) {
  if (typeof value === 'bigint') return `${value}n`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} ${value}`;
  if (value instanceof Map) return `Map ${shown([...value])}`;
  try {
    return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Throws unless both are the same primitive, or objects of the same class with the same contents. */
export function equal(actual, expected, what = '') {
  if (isSame(actual, expected)) return;
  throw new Error(`${what}${what && ': '}${shown(actual).slice(0, 300)} is not ${shown(expected).slice(0, 300)}`);
}

/** What `action` throws or rejects with. */
export async function errorOf(action) {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
