// What is asked of strings where it counts.
//
// V8 has many kinds of strings: flat ones, pieces and sums of others, names, each with one or two bytes for a unit. A place in
// a program that has met more than four of them looks `string.length` and `string.charCodeAt` up anew each time, so that a
// loop over units takes three times as long from then on. A method that is not looked up at the string, and what is a string by
// its operator, have no such places. Other engines do not mind.

const { charCodeAt } = String.prototype;

/**
 * @param {string} string
 * @param {number} i
 * @returns {number} the UTF-16 unit at `i`, NaN beyond the end
 */
export function unitAt(string, i) {
  return charCodeAt.call(string, i);
}

/**
 * @param {string} string
 * @returns {number} UTF-16 units
 */
export function unitsOf(string) {
  return ('' + string).length;
}
