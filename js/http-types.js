// Media types as HTTP has them (RFC 9110, sections 8.3 and 12.5.1), and which of them are CBOR and JSON.

/** @typedef {'cbor' | 'cbor-seq' | 'json'} Kind */

const TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]+";
const TYPE = new RegExp(`^(?:${TOKEN})/(?:${TOKEN})$`);
/** qvalue of RFC 9110, section 12.4.2. */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The type that each kind has by itself. @type {Record<Kind, string>} */
export const TYPES = { cbor: 'application/cbor', 'cbor-seq': 'application/cbor-seq', json: 'application/json' };

/** Those of errors, which are no form of a value (RFC 9457, RFC 9290). */
export const PROBLEM_JSON = 'application/problem+json';
export const PROBLEM_CBOR = 'application/concise-problem-details+cbor';

/**
 * What a type is a form of, by itself or by its structured syntax suffix (RFC 6838, section 4.2.8; RFC 8742, section 6.3).
 * @param {string} type in lower case, without parameters
 * @returns {Kind | undefined}
 */
export function kindOf(type) {
  const suffix = /^(?:application\/|[^/]*\/[^/]+\+)(cbor|cbor-seq|json)$/.exec(type);
  return suffix === null ? undefined : /** @type {Kind} */ (suffix[1]);
}

/**
 * The type that a Content-Type header names.
 * @param {string | null} header
 * @returns {string} in lower case and without parameters; empty when there is none, or it is malformed
 */
export function typeOf(header) {
  const type = (header ?? '').split(';', 1)[0].trim().toLowerCase();
  return TYPE.test(type) ? type : '';
}

/**
 * Cuts at a separator, but not inside of quoted strings.
 * @param {string} text
 * @param {',' | ';'} separator
 */
function cut(text, separator) {
  const parts = [];
  let begin = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (isQuoted && c === '\\') i++;
    else if (c === '"') isQuoted = !isQuoted;
    else if (c === separator && !isQuoted) {
      parts.push(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  parts.push(text.slice(begin).trim());
  return parts;
}

/**
 * What a client takes, by its Accept header. Ranges that are malformed are passed over, and so are their parameters but for
 * `q`: what is offered has none. A header in which no range is left is as none at all.
 */
export class Accept {
  /** @type {Map<string, number>} */
  #weights = new Map();

  /** @param {string | null} header */
  constructor(header) {
    for (const range of cut((header ?? '').toLowerCase(), ',')) {
      const [type, ...parameters] = cut(range, ';');
      if (!TYPE.test(type) || (type.startsWith('*/') && type !== '*/*')) continue;
      const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1';
      if (WEIGHT.test(weight)) this.#weights.set(type, Number(weight));
    }
    if (this.#weights.size === 0) this.#weights.set('*/*', 1);
  }

  /** The types that are named in full, in their order. */
  get types() {
    return [...this.#weights.keys()].filter((type) => !type.endsWith('/*'));
  }

  /**
   * How much the client wants a type: by the range that says most about it.
   * @param {string} type
   * @returns {{ weight: number, isNamed: boolean }} 0 when it is not taken; whether the range names it in full
   */
  of(type) {
    const named = this.#weights.get(type);
    if (named !== undefined) return { weight: named, isNamed: true };
    const weight = this.#weights.get(type.replace(/\/.*/, '/*')) ?? this.#weights.get('*/*') ?? 0;
    return { weight, isNamed: false };
  }

  /**
   * The type that the client wants most. Of several, one that it names goes before one that a wildcard takes in, and then
   * the order of `offers` decides.
   * @param {readonly string[]} offers
   * @returns {string | undefined} undefined when it takes none
   */
  best(offers) {
    let best;
    let score = 0;
    for (const offer of offers) {
      const { weight, isNamed } = this.of(offer);
      const own = weight === 0 ? 0 : weight * 2 + (isNamed ? 0.001 : 0);
      if (own > score) [best, score] = [offer, own];
    }
    return best;
  }
}

/**
 * Kinds in words.
 * @param {readonly Kind[]} kinds
 */
export function listed(kinds) {
  const types = kinds.map((kind) => TYPES[kind]);
  return types.length === 1 ? types[0] : `${types.slice(0, -1).join(', ')} and ${types.at(-1)}`;
}
