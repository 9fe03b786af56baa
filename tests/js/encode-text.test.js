// Text: every length near a head's, in every script, alone and beside other strings, whole and with surrogates that have
// lost their other half. What must come of it is worked out by Buffer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CborWriter, encode } from 'wcbor';
import { TEXT_NBYTES } from '../../js/abi.js';

/** Characters of 1, 2, 3 and 4 bytes in UTF-8. */
const SCRIPTS = ['a', 'é', '漢', '😀'];

const HIGH = '\ud83d';
const LOW = '\ude00';

/** The head of a string or an array. */
function head(major, argument) {
  const initial = major << 5;
  if (argument < 24) return Buffer.of(initial | argument);
  if (argument < 0x100) return Buffer.of(initial | 24, argument);
  const bytes = Buffer.alloc(argument < 0x10000 ? 3 : 5);
  bytes[0] = initial | (bytes.length === 3 ? 25 : 26);
  bytes.writeUIntBE(argument, 1, bytes.length - 1);
  return bytes;
}

/** Text in CBOR, with U+FFFD in place of an unpaired surrogate. */
function cborOf(text) {
  const utf8 = Buffer.from(text.toWellFormed(), 'utf8');
  return Buffer.concat([head(3, utf8.length), utf8]);
}

const same = (bytes, expected, what) => {
  if (!expected.equals(bytes)) assert.fail(`${what}: ${Buffer.from(bytes).toString('hex').slice(0, 200)}`);
};

/** Texts, alone and together, in an array and as the keys of an object. */
function check(texts, mode, what) {
  for (const text of texts) same(encode(text, { mode }), cborOf(text), `${what}, alone`);
  const items = Buffer.concat(texts.map(cborOf));
  same(encode(texts, { mode }), Buffer.concat([head(4, texts.length), items]), `${what}, in an array`);
}

/** Text of so many bytes in UTF-8: one character again and again, filled up with x at the end. */
function textOf(character, nbytes) {
  const each = Buffer.byteLength(character);
  return character.repeat(nbytes / each) + 'x'.repeat(nbytes % each);
}

test('every length near that of a head, in every script', () => {
  for (const edge of [24, 256, 65536]) {
    for (let nbytes = edge - 5; nbytes <= edge + 5; nbytes++) {
      for (const character of SCRIPTS) {
        const text = textOf(character, nbytes);
        for (const mode of ['lax', 'strict']) check([text, `x${text}`, 'a'], mode, `${nbytes} bytes of ${character}`);
      }
    }
  }
});

test('every short length, in every script', () => {
  for (let length = 0; length <= 300; length++) {
    for (const character of SCRIPTS) {
      const text = character.repeat(length);
      const mode = length % 2 ? 'lax' : 'strict';
      check([text], mode, `${length} of ${character}`);
      if (length <= 70) check([text, text, '', 'tail'], mode, `${length} of ${character}`);
    }
  }
});

test('every place of one wider character in ASCII', () => {
  for (let length = 0; length <= 70; length++) {
    for (let at = 0; at <= length; at++) {
      for (const character of SCRIPTS.slice(1)) {
        const text = `${'a'.repeat(at)}${character}${'b'.repeat(length - at)}`;
        check([text], 'strict', `${length}, ${at} of ${character}`);
      }
    }
  }
});

test('mixtures of scripts', () => {
  let seed = 12345;
  const random = (n) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (seed >> 8) % n;
  };
  for (let round = 0; round < 3000; round++) {
    const texts = Array.from({ length: 1 + random(8) }, () => {
      let text = '';
      for (let i = random(random(4) === 0 ? 500 : 40); i > 0; i--) text += random(3) ? SCRIPTS[0] : SCRIPTS[random(4)];
      return text;
    });
    check(texts, round % 2 ? 'lax' : 'strict', `round ${round}`);
  }
});

test('the characters at the edges of what UTF-8 has', () => {
  const points = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x10ffff];
  for (const point of points) {
    for (const length of [1, 5, 22, 23, 24, 100]) {
      const character = String.fromCodePoint(point);
      check([character.repeat(length), `${'a'.repeat(length)}${character}`, `${character}z`], 'strict', point.toString(16));
    }
  }
});

test('an unpaired surrogate becomes U+FFFD at any length and place', () => {
  for (const half of [HIGH, LOW, '\ud800', '\udbff', '\udc00', '\udfff']) {
    for (let length = 0; length <= 70; length++) {
      const filled = 'a'.repeat(length);
      const texts = [filled + half, half + filled, filled + half + filled, filled + half + half, half + filled + half];
      check(texts, 'lax', `${length} around ${half.charCodeAt(0).toString(16)}`);
      for (const text of texts) {
        for (const mode of ['strict', 'canonical', 'ctap2', 'deterministic', 'dag-cbor', 'dcbor']) {
          assert.throws(() => encode([text], { mode }), { code: 'ERR_CBOR_INVALID_TEXT' });
        }
      }
    }
    for (const length of [255, 256, 5000, 16384, 16385, 49152, 65536]) {
      check([`${'a'.repeat(length)}${half}`, `${half}${'漢'.repeat(length)}`], 'lax', `${length} around a half`);
    }
  }
});

/** Pairs of neighbours, the first of which ends in half a pair and the second of which begins with the other half. */
function checkSeam(before, after) {
  const [left, right] = [before + HIGH, LOW + after];
  check([left, right], 'lax', `seam ${before.length}, ${after.length}`);
  const expected = Buffer.concat([head(5, 1), cborOf(left), cborOf(right)]);
  same(encode({ [left]: right }), expected, `key and value ${before.length}, ${after.length}`);
  same(encode(new Map([[left, right]])), expected, `Map ${before.length}, ${after.length}`);
  for (const batch of [true, false]) {
    const writer = new CborWriter({ mode: 'lax', batch });
    writer.writeStartMap(1);
    writer.writeTextString(left);
    writer.writeTextString(right);
    writer.writeEndMap();
    same(writer.encode(), expected, `writer ${before.length}, ${after.length}`);
    writer.dispose();
  }
}

test('halves of a pair in neighbouring strings do not meet', () => {
  for (const [first, second] of [['a', 'a'], ['é', 'a'], ['a', '漢'], ['😀', '😀']]) {
    for (let length = 0; length <= 70; length++) {
      checkSeam(first.repeat(length), second.repeat(length));
      checkSeam(first.repeat(length), '');
      checkSeam('', second.repeat(length));
    }
  }
});

test('nor where the text buffer is full', () => {
  const most = Math.floor(TEXT_NBYTES / 3);
  for (const edge of [most, most / 2, TEXT_NBYTES, most - 24]) {
    for (let length = Math.floor(edge) - 4; length <= edge + 4; length++) {
      checkSeam('a'.repeat(length), 'b');
      checkSeam('a', 'b'.repeat(length));
      checkSeam('漢'.repeat(length), '漢'.repeat(30));
    }
  }
});

test('strings that fill the text buffer and the command buffer, in turn', () => {
  for (const character of SCRIPTS) {
    for (const length of [1, 23, 24, 300, 5000, 20000]) {
      const count = Math.min(3000, Math.ceil(200000 / length));
      const texts = Array.from({ length: count }, (_, i) => `${character.repeat(length)}${i}`);
      const expected = Buffer.concat([head(4, count), ...texts.map(cborOf)]);
      same(encode(texts), expected, `${count} of ${length}`);
      same(encode(texts, { mode: 'strict' }), expected, `${count} of ${length}`);
    }
  }
  const growing = Array.from({ length: 2000 }, (_, i) => SCRIPTS[i % 4].repeat(1 + (i % 400)));
  same(encode(growing), Buffer.concat([head(4, 2000), ...growing.map(cborOf)]), 'growing');
});

test('ropes, slices and strings of one byte a unit are no different', () => {
  let rope = '';
  for (let i = 0; i < 100; i++) rope += `${i}é`;
  const slice = `${'x'.repeat(100)}漢${'y'.repeat(100)}`.slice(50, 150);
  const latin1 = Buffer.from(Uint8Array.from({ length: 256 }, (_, i) => i)).toString('latin1');
  check([rope, slice, latin1, slice.slice(0, 30)], 'strict', 'kinds of strings');
});

test('text in NFC in dcbor', () => {
  for (const length of [1, 10, 23, 24, 100, 9000, 20000]) {
    const decomposed = 'e\u0301'.repeat(length);
    same(encode([decomposed, 'a'], { mode: 'dcbor' }), Buffer.concat([head(4, 2), cborOf('é'.repeat(length)), cborOf('a')]), String(length));
    same(encode(decomposed, { mode: 'deterministic' }), cborOf(decomposed), String(length));
  }
});
