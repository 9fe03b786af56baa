// The documents that `npm run bench` encodes: made here, the same in every engine, but for those that are JSON already.

/** Numbers that look random and are the same every time. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const list = (length, make) => Array.from({ length }, (_, index) => make(index));

const ASCII = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_./:';
// Latin with accents, Greek, Cyrillic, Arabic, kana, han and what takes two UTF-16 units.
const SCRIPTS = [
  ASCII, 'àéîõüßçñøå', 'αβγδεζηθικλμ', 'абвгдежзиклм', 'ابتثجحخد', 'あいうえおカキクケコ', '水火木金土日月山川田',
];
const PAIRS = ['\u{1f30a}', '\u{1f600}', '\u{1f9ea}', '\u{20bb7}'];

function asciiText(random, units) {
  let text = '';
  while (text.length < units) text += ASCII[Math.floor(random() * ASCII.length)];
  return text;
}

/** Words of one script each. */
function mixedText(random, units) {
  let text = '';
  while (text.length < units) {
    const script = SCRIPTS[Math.floor(random() * SCRIPTS.length)];
    for (let i = 0; i < 5 && text.length < units; i++) text += script[Math.floor(random() * script.length)];
    if (text.length + 2 <= units && random() < 0.1) text += PAIRS[Math.floor(random() * PAIRS.length)];
    else if (text.length < units) text += ' ';
  }
  return text;
}

/** As a key-value store keeps an item: every value in an object that names its type. 28 objects. */
export function attributeDocument(seed = 1) {
  const random = randomOf(seed);
  const line = (index) => ({
    M: {
      sku: { S: `SKU-${4000 + index}` },
      quantity: { N: String(1 + Math.floor(random() * 9)) },
      price: { N: (random() * 100).toFixed(2) },
      gift: { BOOL: random() < 0.5 },
    },
  });
  return {
    pk: { S: `ORDER#2026-03-02#${String(seed).padStart(6, '0')}` },
    sk: { S: 'SUMMARY' },
    version: { N: '7' },
    total: { N: (random() * 1000).toFixed(2) },
    currency: { S: 'EUR' },
    paid: { BOOL: true },
    note: { NULL: true },
    tags: { SS: ['gift', 'express', 'fragile'] },
    lines: { L: list(3, line) },
  };
}

function records(random) {
  return list(200, (index) => ({
    id: 100000 + index,
    name: asciiText(random, 12),
    email: `${asciiText(random, 8)}@example.org`,
    active: random() < 0.7,
    score: Math.round(random() * 10000) / 100,
    visits: Math.floor(random() * 5000),
    created: `2026-0${1 + (index % 9)}-1${index % 10}T08:15:30Z`,
    manager: index % 5 === 0 ? null : 100000 + Math.floor(random() * 200),
    roles: ['reader', index % 3 === 0 ? 'author' : 'editor'],
  }));
}

function bytes(random, length) {
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

/** Signed blocks: much of what they are is bytes. */
function binaryDocument(random) {
  return list(100, (index) => ({
    id: bytes(random, 16),
    previous: bytes(random, 32),
    signature: bytes(random, 64),
    height: index,
    payload: bytes(random, 100 + Math.floor(random() * 900)),
  }));
}

function maps(random) {
  return list(200, (index) => new Map([
    [1, `key-${index}`],
    [3, -7],
    [-1, Math.floor(random() * 2 ** 31)],
    ['label', asciiText(random, 8)],
    ['position', new Map([['x', random()], ['y', random()]])],
  ]));
}

function dictionary(random) {
  return Object.fromEntries(list(10_000, (index) => [`${asciiText(random, 4 + (index % 12))}#${index}`, index]));
}

/** Objects of which no two have a key in common. */
function newKeys(random) {
  return list(2000, (index) => ({
    [`id${index}`]: index,
    [`name of ${index}`]: asciiText(random, 6),
    [`on${index}`]: true,
    [`at${index}`]: random(),
  }));
}

/** 1,000 objects of so many shapes, in turn, in one array. */
function shapes(random, count) {
  return list(1000, (index) => ({
    kind: `kind${index % count}`,
    id: index,
    [`field${index % count}`]: asciiText(random, 6),
    [`count${index % count}`]: Math.floor(random() * 1000),
    open: index % 2 === 0,
    rate: random(),
  }));
}

/**
 * @param {{ name: string, json: string }[]} jsonDocuments further documents
 * @returns {{ name: string, value: unknown }[]}
 */
export function makeDocuments(jsonDocuments) {
  const random = randomOf(2026);
  const texts = (make, count, units) => list(count, () => make(random, units));
  const made = {
    'object of 3 keys': { id: 7431, name: 'pump-12', level: 3.25 },
    'attribute document, 28 maps': attributeDocument(),
    '200 records of 9 keys': records(random),
    '5,000 integers': list(5000, (index) => Math.floor((random() - 0.3) * 10 ** (1 + (index % 9)))),
    '5,000 doubles': list(5000, () => (random() - 0.5) * 360),
    '2,000 ASCII strings of 10': texts(asciiText, 2000, 10),
    '2,000 ASCII strings of 40': texts(asciiText, 2000, 40),
    '500 ASCII strings of 400': texts(asciiText, 500, 400),
    '2,000 mixed-script strings of 10': texts(mixedText, 2000, 10),
    '2,000 mixed-script strings of 40': texts(mixedText, 2000, 40),
    '500 mixed-script strings of 400': texts(mixedText, 500, 400),
    '100 objects of bytes': binaryDocument(random),
    '400 Maps': maps(random),
    'dictionary of 10,000 keys': dictionary(random),
    '2,000 objects, keys always new': newKeys(random),
    '1,000 objects of 1 shape': shapes(random, 1),
    '1,000 objects of 4 shapes': shapes(random, 4),
    '1,000 objects of 50 shapes': shapes(random, 50),
    '1,000 objects of 200 shapes': shapes(random, 200),
  };
  const documents = Object.entries(made).map(([name, value]) => ({ name, value }));
  return documents.concat(jsonDocuments.map(({ name, json }) => ({ name, value: JSON.parse(json) })));
}
