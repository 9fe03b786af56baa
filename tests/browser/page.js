// The demo page in a real browser, as a visitor uses it: type, paste, pick, point, drop, measure; the bytes are read back from
// the page. Every browser runs the same tests (chromium.test.js, firefox.test.js).

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { buildPage } from '../../demo/build-page.js';
import { serve } from '../../demo/serve.js';
import { canonicalize, encode, parseDiagnostic } from '../../js/index.js';
import { launch } from './browsers.js';
import { Visitor } from './visitor.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SHOWN_BYTES = 4096;
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const TIME_LIMIT_MS = 590_000;

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core')), 'utf8');

const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** @param {'chromium' | 'firefox-esr'} name */
export function testPage(name) {
  describe(`demo page in ${name}`, { timeout: TIME_LIMIT_MS }, () => testsOf(name));
}

function testsOf(name) {
  const visitor = new Visitor();
  let server;
  let browser;

  before(async () => {
    await buildPage();
    server = await serve({ port: 0 });
    browser = await launch(name, 'light');
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(() => {
    visitor.faults.length = 0;
  });
  afterEach(() => assert.deepEqual(visitor.faults, []));

  describe('somebody who stays', () => {
    before(() => visitor.open(browser, server.url, WIDE));
    beforeEach(() => visitor.startOver());
    testsOfStaying(visitor);
  });

  describe('somebody who comes anew', () => {
    test('a link shows the same document', async () => {
      await visitor.open(browser, server.url, WIDE);
      await visitor.pick('Written as', 'diagnostic');
      await visitor.fill('{"b": 1, "a": 1.0}');
      await visitor.pick('Mode', 'canonical');
      await visitor.tick('convert');
      await visitor.click('Copy link');
      await visitor.untilButton('Link copied');
      const link = await visitor.clipboard();
      assert.match(link, /#.+/);
      await visitor.open(browser, server.url, WIDE, new URL(link).hash);
      assert.equal(await visitor.source(), '{"b": 1, "a": 1.0}');
      assert.match(await visitor.text('change'), /KEYS_NOT_SORTED/);
      await visitor.open(browser, server.url, WIDE, '#not-a-state');
      assert.match(await visitor.source(), /attic-3/);
    });

    test('a link that is no state, or a bomb, shows the first document', async () => {
      const link = (text) => `#${deflateRawSync(text).toString('base64url')}`;
      for (const text of ['null', '5', '{"source": 5}', '[]', '{', `{"source": "${' '.repeat(30_000_000)}"}`]) {
        await visitor.open(browser, server.url, WIDE, link(text));
        assert.match(await visitor.source(), /attic-3/, text.slice(0, 20));
      }
      await visitor.open(browser, server.url, WIDE, link('{"source": "[1]", "format": "none", "mode": 7}'));
      assert.equal(await visitor.hex(), '8101');
    });

    test('works without a network once it was loaded', async () => {
      const passing = await serve({ port: 0 });
      await visitor.open(browser, passing.url, WIDE);
      await visitor.until(() => navigator.serviceWorker.ready.then(() => true));
      await passing.close();
      await visitor.page.reload();
      await visitor.ready();
      await visitor.fill('[1]');
      assert.equal(await visitor.hex(), '8101');
      await visitor.click('Measure');
      await visitor.until(() => document.querySelector('#times[data-done]') !== null);
      await visitor.until(() => document.querySelector('#sample option[value="hostile.hex"]') !== null);
      await visitor.pick('Sample', 'hostile.hex');
      await visitor.until(() => document.querySelector('#change.broken') !== null);
      // What the worker asks the network for first is no fault here.
      visitor.faults = visitor.faults.filter((fault) => !/ERR_CONNECTION_REFUSED|^failed: /.test(fault));
    });

    for (const colorScheme of ['light', 'dark']) {
      test(`${colorScheme}: nothing runs over, text has contrast, axe finds nothing`, async () => {
        const preferring = colorScheme === 'light' ? browser : await launch(name, colorScheme);
        try {
          for (const viewport of [WIDE, NARROW]) {
            await visitor.open(preferring, server.url, viewport);
            assert.ok(await visitor.page.evaluate((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme));
            await checkLayout(visitor);
          }
        } finally {
          await visitor.close();
          if (preferring !== browser) await preferring.close();
        }
      });
    }

    test('all controls are reached by keyboard, in the order of the page', async () => {
      await visitor.open(browser, server.url, WIDE);
      await visitor.page.click('h1');
      const seen = [];
      for (let i = 0; i < 11; i++) {
        await visitor.press('Tab');
        seen.push(await visitor.page.evaluate(() => document.activeElement.id));
      }
      assert.deepEqual(seen, ['format', 'sample', 'tidy', 'input', 'mode', 'convert', 'copy', 'share', 'hexes', 'items', 'measure']);
    });
  });
}

/** The tests of one page, which each begin with an empty document. */
function testsOfStaying(visitor) {
  test('shows the bytes of what is typed, at every keystroke', async () => {
    await visitor.fill('');
    assert.equal(await visitor.text('more'), 'Type a document to see its bytes.');
    assert.ok(await visitor.isDisabled('Measure'));

    await visitor.type('1');
    assert.equal(await visitor.hex(), '01');
    await visitor.type('2');
    assert.equal(await visitor.hex(), '0c');

    await visitor.fill('');
    await visitor.type('{"a":1}');
    assert.equal(await visitor.hex(), 'a1616101');
    assert.equal(await visitor.text('json-size'), '7 bytes');
    assert.equal(await visitor.text('cbor-size'), '4 bytes');
    assert.equal(await visitor.text('ratio'), '57%');
    await visitor.untilText('cbor-gzip-size', '24 bytes');
  });

  test('shows each kind of value as CBOR has it', async () => {
    for (const [json, expected] of [
      ['[]', '80'],
      ['{}', 'a0'],
      ['[true, false, null]', '83f5f4f6'],
      ['[0, 23, 24, 255, 256, 65535, 65536, -1, -25]', '890017181818ff19010019ffff1a00010000203818'],
      ['[1.5, 1.1, 100000.5, -0]', '84f93e00fb3ff199999999999afa47c35040f98000'],
      ['9007199254740991', '1b001fffffffffffff'],
      ['"\u00fc\u6c34\u{1f30a}"', '69c3bce6b0b4f09f8c8a'],
      ['{"b": [1, {"c": 2}], "a": "IETF"}', 'a261628201a161630261616449455446'],
    ]) {
      await visitor.fill(json);
      assert.equal(await visitor.hex(), expected, json);
    }
  });

  test('reads JavaScript, diagnostic notation and hex', async () => {
    for (const [name, source, expected] of [
      ['literal', '{a: 1n, b: new Map([[1, undefined]]), c: Uint8Array.of(1, 2), d: new Date(0), e: -0x10}', 'a5616101616 2a101f7616342010261 64c1006165 2f'.replaceAll(' ', '')],
      ['literal', '// a comment\n[new Tagged(42, "x"), Infinity, `t`]', '83d82a6178f97c006174'],
      ['diagnostic', '[_ 1, {"a": h\'0102\'}, 1(5)]', '9f01a1616142 0102c105ff'.replaceAll(' ', '')],
      ['hex', '0x82 01,\n# one\n18 20', '82011820'],
    ]) {
      await visitor.fill('');
      await visitor.pick('Written as', name);
      await visitor.fill(source);
      assert.equal(await visitor.hex(), expected, source);
    }
  });

  test('typed arrays and other things are made as JavaScript makes them', async () => {
    await visitor.pick('Written as', 'literal');
    for (const [source, expected] of [
      ['new Uint8Array(4)', '4400000000'],
      ['new Uint8Array()', '40'],
      ['new Uint8Array([1, 258])', '420102'],
      ['Uint8Array.from([1, 2])', '420102'],
      ['new Uint16Array(2)', 'd8454400000000'],
      ['new BigInt64Array([1n])', 'd84f480100000000000000'],
      ['new Map()', 'a0'],
      ['new Set("ab")', 'd90102826161 6162'.replace(' ', '')],
      ['new Date(1970, 0)', /^c1/],
      ['BigInt("9")', '09'],
    ]) {
      await visitor.fill(source);
      assert.equal(await visitor.state(), 'done', source);
      if (expected instanceof RegExp) assert.match(await visitor.hex(), expected, source);
      else assert.equal(await visitor.hex(), expected, source);
    }
    for (const [source, column, message] of [
      ['[1, new Uint8Array(1e12)]', 5, /at most 16,000,000 bytes/],
      ['[new Uint8Array(9e6), new Uint8Array(9e6)]', 23, /at most 16,000,000 bytes/],
      ['[1, Uint8Array.from({length: 4000000000})]', 5, /at most 16,000,000 bytes/],
      ['[1, Float64Array.from({length: 2000001})]', 5, /at most 16,000,000 bytes/],
      ['[1, new Uint8Array(-1)]', 5, /-1 is no length/],
      ['[1, new Uint8Array("ab")]', 5, /a list or a length/],
      ['[1, new BigInt64Array([1])]', 5, /./],
      ['[1, new Map(5)]', 5, /iterable/],
      ['[1, new Date()]', 5, /needs its time/],
      ['[1, new RegExp("(")]', 5, /./],
      ['[1, new URL("x")]', 5, /./],
      ['[1, new Tagged(-1, 2)]', 5, /./],
      ['[1, Map([[1, 2]])]', 5, /Only new Map/],
      ['[1, new BigInt(1)]', 5, /Only new Map/],
    ]) {
      await visitor.fill(source);
      await visitor.settled();
      assert.equal(await visitor.text('fault-place'), `line 1, column ${column}`, source.slice(0, 50));
      assert.match(await visitor.text('fault-message'), message, source.slice(0, 50));
    }
    await visitor.fill('[2, new Uint8Array(9000000)]');
    assert.equal(await visitor.state(), 'reading', 'not at once');
    await visitor.settled();
    assert.equal(await visitor.text('cbor-size'), '9,000,007 bytes');
    assert.equal(await visitor.text('json-size'), '\u2013');
    // How deep is too deep is the engine's affair.
    await visitor.fill(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    await visitor.until(() => /deep|depth|stack/i.test(document.getElementById('fault-message').textContent));
  });

  test('nothing of JavaScript is run', async () => {
    await visitor.fill('');
    await visitor.pick('Written as', 'literal');
    for (const source of ['alert(1)', 'fetch("/")', '(() => 1)()', '[...[1]]', '{get a() { return 1; }}', 'globalThis', 'new Function("1")', '`${1}`']) {
      await visitor.fill(source);
      assert.equal(await visitor.text('fault-code'), 'JavaScript', source);
    }
  });

  test('a document is written anew in the format that is picked', async () => {
    await visitor.fill('{"a": [1, 2.5]}');
    await visitor.pick('Written as', 'diagnostic');
    assert.equal(hex(parseDiagnostic(await visitor.source())), 'a161618201f94100');
    await visitor.pick('Written as', 'hex');
    assert.equal(await visitor.source(), 'a1 61 61 82 01 f9 41 00');
    await visitor.pick('Written as', 'json');
    assert.deepEqual(JSON.parse(await visitor.source()), { a: [1, 2.5] });
  });

  describe('modes', () => {
    test('convert the document, and say what changes', async () => {
      await visitor.fill('{"bb": 1, "a": 2}');
      await visitor.pick('Mode', 'deterministic');
      assert.equal(await visitor.hex(), 'a261610262626201');
      assert.equal(await visitor.text('change'), 'As deterministic has it.');
      await visitor.fill('');
      await visitor.pick('Written as', 'hex');
      await visitor.fill('bf 6162 1801 6161 fb3ff0000000000000 ff');
      assert.equal(await visitor.hex(), hex(canonicalize(Buffer.from('bf6162180161 61fb3ff0000000000000ff'.replace(' ', ''), 'hex'))));
      assert.match(await visitor.text('change'), /^17 bytes as written, \d+ bytes in deterministic\.$/);
    });

    test('or say which rule is broken, and where', async () => {
      await visitor.fill('{"bb": 1, "a": 2}');
      await visitor.pick('Mode', 'deterministic');
      await visitor.tick('convert');
      assert.equal(await visitor.hex(), 'a262626201616102');
      assert.equal(await visitor.text('change'), 'ERR_CBOR_KEYS_NOT_SORTED at byte 5: not deterministic as it is written.');
      assert.equal(await visitor.attribute('#hex .broken', 'data-at'), '5');
      await visitor.pick('Mode', 'strict');
      assert.equal(await visitor.text('change'), 'As strict has it.');
      await visitor.pick('Written as', 'hex');
      await visitor.fill('82 01');
      assert.equal(await visitor.text('change'), 'ERR_CBOR_LENGTH_EXCEEDS_BUFFER at byte 0: not strict as it is written.');
      assert.match(await visitor.page.$$eval('#items .broken', (lines) => lines.at(-1).textContent), /^ERR_CBOR_\w+ at byte \d$/);
    });
  });

  describe('pointing', () => {
    test('leaves nothing lit up when the document changes', async () => {
      await visitor.fill('[10, "xyz", 11]');
      await visitor.pointAt('#items .item', '"xyz"');
      await visitor.fill('[10, "xyz", 12]');
      assert.deepEqual(await visitor.lit(), { bytes: '', lines: [], source: [] });
      assert.equal(await visitor.hex(), '830a6378797a0c');
      await visitor.pointAt('h1');
      await visitor.pointAt('#items .item', '12');
      assert.deepEqual(await visitor.lit(), { bytes: '0c', lines: ['12'], source: ['12'] });
    });

    test('at a line lights up its bytes and its source', async () => {
      await visitor.fill('{"a": [10, "xyz"], "b": {"c": true}}');
      await visitor.pointAt('#items .item', '"xyz"');
      assert.deepEqual(await visitor.lit(), { bytes: '6378797a', lines: ['"xyz"'], source: ['"xyz"'] });
      await visitor.pointAt('#items .item', 'array(2)');
      assert.deepEqual(await visitor.lit(), { bytes: '820a6378797a', lines: ['array(2)'], source: ['[10, "xyz"]'] });
      await visitor.pointAt('#items .item', 'key "b"');
      assert.deepEqual(await visitor.lit(), { bytes: '6162', lines: ['key "b"'], source: ['"b"'] });
      await visitor.pointAt('h1');
      assert.deepEqual(await visitor.lit(), { bytes: '', lines: [], source: [] });
    });

    test('at a byte lights up its item', async () => {
      await visitor.fill('{"a": [10, "xyz"], "b": {"c": true}}');
      await visitor.pointAt('#hex .bytes [data-at="6"]');
      assert.deepEqual(await visitor.lit(), { bytes: '6378797a', lines: ['"xyz"'], source: ['"xyz"'] });
    });

    /** Points at the item that says `part`, by which `lit` is to light up in the source. */
    async function checkSource({ name, mode = 'lax', source, part, lit }) {
      await visitor.fill('');
      await visitor.pick('Written as', name);
      await visitor.pick('Mode', mode);
      await visitor.fill(source);
      await visitor.pointAt('h1');
      await visitor.pointAt('#items .meaning', part);
      assert.deepEqual((await visitor.lit()).source, [lit], `${source}: ${part}`);
    }

    test('at an item of diagnostic notation, or of JavaScript', async () => {
      const notation = '[1, / a comment, /\n {"b": (_ "x", "yz") }, h\'01\' \'2\', 1(77_1), <<3, "]">>]';
      const map = 'new Map([[2, [7n]], [18446744073709551615n, new Set(["c"])]])';
      for (const [name, source, part, lit] of [
        ['diagnostic', notation, '"yz"', '"yz"'],
        ['diagnostic', notation, 'key "b"', '"b"'],
        ['diagnostic', notation, 'map(1)', '{"b": (_ "x", "yz") }'],
        ['diagnostic', notation, 'bytes(2)', "h'01' '2'"],
        ['diagnostic', notation, 'tag(1)', '1(77_1)'],
        ['diagnostic', notation, '77', '77_1'],
        ['diagnostic', notation, 'bytes(3)', '<<3, "]">>'],
        ['diagnostic', '{simple(99): [-Infinity, float\'7e01\']}', 'NaN', "float'7e01'"],
        ['literal', map, '7', '7n'],
        ['literal', map, 'key 18446744073709551615', '18446744073709551615n'],
        ['literal', map, '"c"', '"c"'],
        ['literal', '{a: new Tagged(9, ["d", 5])}', '"d"', '"d"'],
        ['hex', '82 01 1b ffffffff ffffffff', '18446744073709551615', '1b ffffffff ffffffff'],
      ]) await checkSource({ name, source, part, lit });
    });

    test('each range of diagnostic notation says what its item says', async () => {
      const texts = [
        '[1, "a" "b", \'x\' h\'01\', <<1, [2]>> <<3>>, h\'01\' + \'2\', "a"+"b"]', '{/c/ "b": (_ "x" "y" + "w", "z"), # c, d\n 1: 2 // e\n}', '[/* a / ] * */ 1, /*/ 5 */ 2, / / 3]',
        '[simple(/)/ 5 # )\n), simple( 99 ), float\'7e00\', "a"]', '["a"_1 "b", "c" "d"_0]', '["a" /,/ "b", "c" , "d"]', '{"a":"b" "c"}', '[\'a\' h\'01 /x/\' b64\'AQ\']', '(_ h\'01\' h\'02\'+\'3\')',
        '[<<1>>_1, <<(_ "]" ")")>> 5, <<>>]', '[1(2) 3(4("]" "\\"")), 1_1([_1 1]), \'\\\'\']', '["\u00e9\u{1f30a}" "x", "\\"", +1, -0.0, 0x1p3, NaN_1, -Infinity, undefined]', '["a" <<1>>, ""_, {_ "b": [_ ]}]',
      ];
      for (const name of ['cose-signature', 'dag-cbor-block', 'senml-pack', 'webauthn-attestation']) texts.push(readFileSync(join(root, `demo/samples/${name}.edn`), 'utf8'));
      const faults = await visitor.page.evaluate(async (all) => {
        const { rangesOfDiagnostic } = await import('/diagnostic-places.js');
        const { annotate, parseDiagnostic } = await import('/wcbor.js');
        return all.flatMap((text) => {
          const bytes = parseDiagnostic(text);
          const ranges = rangesOfDiagnostic(text);
          const heads = annotate(bytes).items.filter(({ type }) => type !== 'break');
          if (ranges.length !== heads.length) return [`${text}: ${ranges.length} instead of ${heads.length}`];
          return heads.filter(({ offset, length }, i) => String(parseDiagnostic(text.slice(...ranges[i]))) !== String(bytes.subarray(offset, offset + length)))
            .map(({ meaning }) => `${text}: ${meaning}`);
        });
      }, texts);
      assert.deepEqual(faults, []);
    });

    test('at items whose keys look alike', async () => {
      for (const [name, mode, source, part, lit] of [
        ['diagnostic', 'lax', '{[1]: "a", [2]: "b"}', '"a"', '"a"'],
        ['diagnostic', 'lax', '{1: "a", 1: "b", "1": "c", 1.0: "d"}', '"a"', '"a"'],
        ['literal', 'lax', 'new Map([[null, "a"], [NaN, "b"], [undefined, "c"], ["null", "d"]])', '"a"', '"a"'],
        ['literal', 'canonical', 'new Map([[Uint8Array.of(2), "a"], [Uint8Array.of(1), "b"]])', '"a"', '"a"'],
        ['hex', 'deterministic', 'a2 626262 9f05ff 6161 01', 'array(1)', '9f05ff'],
        ['hex', 'deterministic', 'a2 626262 9f05ff 6161 01', 'key "a"', '6161'],
      ]) await checkSource({ name, mode, source, part, lit });
    });

    test('at what is left of an earlier text lights up nothing in this one', async () => {
      await visitor.fill('[10, 20]');
      await visitor.fill('[1, 1, 1, 1');
      await visitor.pointAt('#items .meaning', '20');
      assert.deepEqual(await visitor.lit(), { bytes: '14', lines: ['20'], source: [] });
    });

    test('under a key of great length', async () => {
      const key = 'k'.repeat(60_000);
      await visitor.fill(`{"${key}": [${'0, '.repeat(40_000)}"last"]}`);
      await visitor.ready();
      assert.match(await visitor.text('items'), /array\(40001\)/);
      await visitor.fill(`{"${'k'.repeat(7_000)}": [${'0,'.repeat(4_000)}"last"]}`);
      assert.equal(await visitor.state(), 'done');
    });

    test('at an item that the mode has moved', async () => {
      await visitor.pick('Written as', 'diagnostic');
      await visitor.pick('Mode', 'deterministic');
      await visitor.fill('{"bb": [_ 5], "a": "x"}');
      await visitor.pointAt('#items .meaning', 'array(1)');
      assert.deepEqual(await visitor.lit(), { bytes: '8105', lines: ['array(1)'], source: ['[_ 5]'] });
    });

    test('by the keyboard', async () => {
      await visitor.fill('[1, [2]]');
      await visitor.page.focus('#items');
      await visitor.press('ArrowDown');
      await visitor.press('ArrowDown');
      assert.deepEqual(await visitor.lit(), { bytes: '01', lines: ['1'], source: ['1'] });
      await visitor.press('End');
      assert.deepEqual(await visitor.lit(), { bytes: '02', lines: ['2'], source: ['2'] });
      assert.equal(await visitor.attribute('#items', 'aria-activedescendant'), 'item-3');
    });

    test('where the cursor stands in the source', async () => {
      await visitor.pick('Written as', 'hex');
      await visitor.fill('82 01 6161');
      await visitor.page.$eval('#input', (area) => area.setSelectionRange(4, 4));
      await visitor.page.focus('#input');
      await visitor.press('ArrowLeft');
      assert.equal((await visitor.lit()).bytes, '01');
      await visitor.fill('');
      await visitor.pick('Written as', 'diagnostic');
      await visitor.fill('[1, 1("x")]');
      await visitor.page.$eval('#input', (area) => area.setSelectionRange(8, 8));
      await visitor.press('ArrowLeft');
      assert.equal((await visitor.lit()).bytes, '6178');
    });
  });

  describe('a dropped file', () => {
    test('becomes the document, by its name or by what is in it', async () => {
      for (const [name, content, format, bytes] of [
        ['x.cbor', [0x82, 0x01, 0xf6], 'hex', '8201f6'],
        ['digit.cbor', [0x31], 'hex', '31'],
        ['x.json', '[7]', 'json', '8107'],
        ['X.JSON', '\ufeff[7]', 'json', '8107'],
        ['x.edn', '[_ 7]', 'diagnostic', '9f07ff'],
        ['x.hex', '81 07', 'hex', '8107'],
        ['x.js', '[7n]', 'literal', '8107'],
        ['bytes-without-a-name', [0x83, 0x01, 0x02, 0x03], 'hex', '83010203'],
        ['json.txt', '{"a": 7}', 'json', 'a1616107'],
        ['hex.txt', '0x81 07 # one', 'hex', '8107'],
        ['diagnostic.txt', '{1: h\'07\'}', 'diagnostic', 'a1014107'],
      ]) {
        await visitor.fill('');
        await visitor.drop(name, Buffer.from(content));
        await visitor.ready();
        assert.equal(await visitor.page.$eval('#format', ({ value }) => value), format, name);
        assert.equal(await visitor.hex(), bytes, name);
      }
    });

    test('that cannot be one is named, and nothing is lost', async () => {
      await visitor.fill('[5]');
      for (const [name, content, words] of [
        ['large.bin', Buffer.alloc(8_000_001), /^large\.bin is larger than 8,000,000 bytes\.$/],
        ['latin-1.json', [0x22, 0xe4, 0x22], /^latin-1\.json is not UTF-8 text\.$/],
      ]) {
        await visitor.drop(name, content);
        await visitor.until(() => document.getElementById('notice').checkVisibility());
        assert.match(await visitor.text('notice'), words);
        assert.equal(await visitor.source(), '[5]');
        await visitor.fill('[5]');
        assert.ok(!(await visitor.isVisible('#notice')));
      }
    });

    test('is taken in the text area too, where text is dropped as ever', async () => {
      await visitor.drop('x.json', Buffer.from('[8]'), '#input');
      await visitor.untilText('hex', '81 08');
      const isTaken = await visitor.page.$eval('#input', (area) => {
        const transfer = new DataTransfer();
        transfer.setData('text/plain', 'words');
        return !area.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
      });
      assert.ok(!isTaken);
    });
  });

  describe('copying', () => {
    test('twice says so, and then no more', async () => {
      await visitor.fill('[1]');
      await visitor.click('Copy hex');
      await visitor.click('Copied');
      await visitor.untilButton('Copy hex');
      assert.equal(await visitor.clipboard(), '8101');
    });

    test('that is refused says so', async () => {
      await visitor.fill('[1]');
      await visitor.page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
      });
      for (const name of ['Copy hex', 'Copy link']) {
        await visitor.click(name);
        await visitor.untilButton('Not allowed');
        await visitor.untilButton(name);
      }
      await visitor.page.evaluate(() => delete navigator.clipboard.writeText);
    });

    test('a link to a document that is too long for one is refused', async () => {
      await visitor.fill('[1]');
      await visitor.click('Copy hex');
      const long = JSON.stringify(randomBytes(60_000).toString('hex'));
      await visitor.fill(long);
      await visitor.ready();
      await visitor.click('Copy link');
      await visitor.untilButton('Not copied');
      assert.equal(await visitor.text('copy-notice'), 'This document is too long for a link.');
      assert.ok(await visitor.isVisible('#copy-notice[role=alert]'));
      assert.equal(await visitor.clipboard(), '8101');
      assert.equal(await visitor.source(), long);
      // Short as a link, and more than one is unpacked to.
      assert.equal(await visitor.page.evaluate(async () => (await import('/sharing.js')).packState({ source: ' '.repeat(10_000_000) })), '');
      const [hash, source] = await visitor.page.evaluate(async () => {
        const { packState, unpackState } = await import('/sharing.js');
        const packed = await packState({ source: '7'.repeat(9_000_000) });
        return [packed.length, (await unpackState(packed)).source.length];
      });
      assert.ok(hash < 20_000);
      assert.equal(source, 9_000_000);
    });
  });

  describe('a document of a megabyte', () => {
    const large = (word) => JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ i, name: `${word} ${i}`, on: i % 2 === 0 })));
    const sizeOf = (bytes) => `${bytes.length.toLocaleString('en')} bytes`;

    test('is read by a worker, while the page stays free', async () => {
      const source = large('first');
      // Looked at before anything else can happen in the page.
      const seen = await visitor.page.$eval('#input', (area, value) => {
        area.value = value;
        area.dispatchEvent(new InputEvent('input', { bubbles: true }));
        return [document.body.dataset.state, ...['copy', 'tidy', 'measure'].map((id) => document.getElementById(id).disabled)];
      }, source);
      assert.deepEqual(seen, ['reading', true, true, true]);
      await visitor.ready();
      const expected = encode(JSON.parse(source));
      assert.equal(await visitor.text('cbor-size'), sizeOf(expected));
      assert.equal(await visitor.hex(), hex(expected.subarray(0, SHOWN_BYTES)));
      await visitor.pick('Mode', 'canonical');
      await visitor.ready();
      assert.equal(await visitor.hex(), hex(encode(JSON.parse(source), { mode: 'canonical' }).subarray(0, SHOWN_BYTES)));
      assert.match(await visitor.text('calls-list'), /^(The document is too large|No document)/);
      await visitor.pick('Written as', 'diagnostic');
      await visitor.until(() => document.getElementById('input').value.startsWith('[\n  {\n'));
      await visitor.ready();
      await visitor.fill('[1]');
      assert.equal(await visitor.hex(), '8101');
    });

    test('that comes after another is the one that is shown', async () => {
      await visitor.fill(large('first'));
      await visitor.fill(large('second'));
      await visitor.fill(large('third'));
      await visitor.ready();
      assert.match(await visitor.text('items'), /"third 0"/);
      await visitor.fill(large('fourth'));
      await visitor.fill('[2]');
      assert.equal(await visitor.hex(), '8102');
      // The worker has answered by the time that it has read another one.
      await visitor.fill(large('fifth'));
      await visitor.ready();
      assert.match(await visitor.text('items'), /"fifth 0"/);
    });

    test('that the worker cannot read is no fault of the one that came after it', async () => {
      await visitor.page.evaluate(() => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message) {
          Worker.prototype.postMessage = postMessage;
          window.fails = () => this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));
          this.postMessage({ ...message, source: '[1]' });
        };
      });
      await visitor.fill(large('sixth'));
      await visitor.fill('[2]');
      await visitor.page.evaluate(() => window.fails());
      assert.equal(await visitor.state(), 'done');
      assert.equal(await visitor.hex(), '8102');
      await visitor.fill(large('seventh'));
      await visitor.settled();
      assert.match(await visitor.text('items'), /"seventh 0"/);
    });

    test('with a fault says where', async () => {
      await visitor.fill(`${large('x').slice(0, -1)},]`);
      await visitor.until(() => document.body.dataset.state === 'fault');
      assert.equal(await visitor.text('fault-code'), 'JSON syntax');
      assert.equal(await visitor.text('fault-place'), `line 1, column ${large('x').length + 1}`);
    });
  });

  test('bounds the view of a large document and says what is left out', async () => {
    const value = Array.from({ length: 3000 }, (_, i) => ({ i, name: `name ${i}` }));
    await visitor.fill(JSON.stringify(value));
    await visitor.ready();
    const expected = encode(value);
    assert.equal(await visitor.hex(), hex(expected.subarray(0, SHOWN_BYTES)));
    assert.equal(await visitor.text('more'), `and ${(expected.length - SHOWN_BYTES).toLocaleString('en')} bytes more`);
    await visitor.click('Copy hex');
    await visitor.untilButton('Copied');
    assert.equal(await visitor.clipboard(), hex(expected));
  });

  test('every sample loads', async () => {
    const read = (name) => readFileSync(join(root, 'demo/samples', name), 'utf8');
    const names = [...JSON.parse(read('others.json')), ...JSON.parse(read('index.json'))];
    await visitor.until((count) => document.querySelectorAll('#sample option').length > count, names.length);
    for (const name of names) {
      await visitor.pick('Sample', name);
      const source = read(name.includes('.') ? name : `${name}.json`);
      await visitor.until((first) => document.getElementById('input').value.trimStart().startsWith(first), source.trimStart().slice(0, 1));
      if (name.endsWith('.edn')) {
        const expected = parseDiagnostic(source);
        await visitor.untilText('cbor-size', `${expected.length.toLocaleString('en')} bytes`);
        assert.equal(await visitor.hex(), hex(expected), name);
      } else if (!name.includes('.')) {
        const expected = encode(JSON.parse(source));
        await visitor.untilText('cbor-size', `${expected.length.toLocaleString('en')} bytes`);
        assert.equal(await visitor.hex(), hex(expected.subarray(0, SHOWN_BYTES)), name);
      }
      assert.equal(await visitor.state(), 'done', name);
    }
    await visitor.fill('1');
    assert.equal(await visitor.page.$eval('#sample', ({ value }) => value), '', 'typing makes it your own');
  });

  test('hostile bytes are marked where they are wrong', async () => {
    await visitor.until(() => document.querySelector('#sample option[value="hostile.hex"]') !== null);
    await visitor.pick('Sample', 'hostile.hex');
    await visitor.until(() => document.querySelector('#change.broken') !== null);
    assert.match(await visitor.text('change'), /^ERR_CBOR_LENGTH_EXCEEDS_BUFFER at byte 0/);
  });

  test('Format indents', async () => {
    await visitor.fill('{"a":[1,2]}');
    await visitor.click('Format');
    assert.equal(await visitor.source(), '{\n  "a": [\n    1,\n    2\n  ]\n}');
    assert.equal(await visitor.hex(), 'a16161820102');
  });

  test('the command buffer: calls, commands, flushes and crossings', async () => {
    await visitor.fill(JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ i, s: `a text of more than 23 units ${i}` }))));
    await visitor.untilText('calls-count', '302');
    const figure = async (id) => Number((await visitor.text(`calls-${id}`)).replaceAll(',', ''));
    assert.equal(await figure('count'), 2 + 50 * 6);
    assert.equal(await figure('batched'), 1);
    assert.equal(await figure('flushes'), 1);
    assert.ok((await figure('text')) > 50 * 29, 'the texts have joined one string');
    assert.ok((await figure('unbatched')) > 300);
    // What is not read at once has calls as well.
    const source = JSON.stringify(Array.from({ length: 900 }, (_, i) => ({ i, s: `a text of ${i}` })));
    assert.ok(source.length > 20_000);
    await visitor.fill(source);
    await visitor.untilText('calls-count', '5,402');
    await visitor.fill(JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ i, s: `a text of more than 23 units ${i}` }))));
    await visitor.untilText('calls-count', '302');
    await visitor.page.click('summary');
    assert.match(await visitor.text('calls-list'), /^writer\.writeStartArray\(50\)\nwriter\.writeStartMap\(2\)\nwriter\.writeTextString\("i"\)/);
  });

  describe('errors', () => {
    test('in JSON syntax show where and what, and go when mended', async () => {
      for (const [json, place, message] of [
        ['{"a": 1,}', 'line 1, column 9', /comma/],
        ['{\n  "a": tru\n}', 'line 2, column 8', /Expected a value/],
        ['[1 2]', 'line 1, column 4', /Expected , or \]/],
        ['[1', 'line 1, column 3', /the end of the text/],
        ['["\\x"]', 'line 1, column 3', /escape/],
        ['"a\nb"', 'line 1, column 3', /line break/],
        ['["abc]', 'line 1, column 2', /closing quote/],
        ["{'a':1}", 'line 1, column 2', /double quotes/],
        ['01', 'line 1, column 2', /ended/],
      ]) {
        await visitor.fill(json);
        assert.equal(await visitor.text('fault-code'), 'JSON syntax', json);
        assert.equal(await visitor.text('fault-place'), place, json);
        assert.match(await visitor.text('fault-message'), message, json);
        assert.equal(await visitor.attribute('#input', 'aria-invalid'), 'true');
        assert.match(await visitor.text('more'), /last text without an error/);
        assert.ok(await visitor.isDisabled('Copy hex'));
        assert.ok(await visitor.isDisabled('Measure'));

        await visitor.fill('{"a":1}');
        assert.ok(!(await visitor.isVisible('#fault')));
        assert.equal(await visitor.attribute('#input', 'aria-invalid'), 'false');
        assert.equal(await visitor.hex(), 'a1616101');
      }
    });

    test('the button goes to the place', async () => {
      await visitor.fill('{\n  "a": nil\n}');
      await visitor.click('Go to the error');
      assert.deepEqual(await visitor.page.$eval('#input', (area) => [area.selectionStart, area === document.activeElement]), [9, true]);
    });

    test('what CBOR refuses shows the code, and the place or the path', async () => {
      await visitor.fill('['.repeat(1200) + ']'.repeat(1200));
      assert.equal(await visitor.text('fault-code'), 'ERR_CBOR_DEPTH_EXCEEDED');
      // So deep a text may be too deep for the one who looks for places in it; how deep is the engine's affair.
      const isPlaced = await visitor.isVisible('#fault-go');
      assert.match(await visitor.text('fault-excerpt'), isPlaced ? /^\[+\n +\^$/ : /^\$\[0\]/);
    });

    test('in other notations show where', async () => {
      for (const [name, source, place] of [['literal', '[1,\n  foo]', 'line 2, column 3'], ['diagnostic', '[1,\n  @]', 'line 2, column 3'], ['hex', '82\n0', 'line 2, column 1'], ['hex', '82 0g', 'line 1, column 4']]) {
        await visitor.fill('');
        await visitor.pick('Written as', name);
        await visitor.fill(source);
        assert.equal(await visitor.text('fault-place'), place, source);
        assert.equal(await visitor.state(), 'fault');
      }
    });

    test('strict mode refuses an unpaired surrogate, with code and path', async () => {
      await visitor.fill('["a", "\\ud800"]');
      assert.equal(await visitor.hex(), '82616163efbfbd');
      await visitor.pick('Mode', 'strict');
      assert.equal(await visitor.text('fault-code'), 'ERR_CBOR_INVALID_TEXT');
      await visitor.click('Go to the error');
      assert.equal(await visitor.page.$eval('#input', (area) => area.selectionStart), 6);
      await visitor.pick('Mode', 'lax');
      assert.ok(!(await visitor.isVisible('#fault')));
    });

    test('a screen reader hears the outcome', async () => {
      await visitor.fill('[1');
      await visitor.untilText('summary', 'JSON syntax error, line 1, column 3');
      await visitor.fill('[1]');
      await visitor.untilText('summary', '2 bytes of CBOR from 3 bytes of JSON');
    });
  });

  describe('Measure', () => {
    const number = (written) => Number(written.replaceAll(',', ''));

    /** The table's figures by way. */
    async function figures() {
      return visitor.page.$$eval('#ways tr', (rows) =>
        Object.fromEntries(
          rows.map((row) => {
            const [median, spread, crossings, bytes] = [...row.querySelectorAll('td.value')].map((cell) => cell.textContent);
            return [row.dataset.way, { median, spread, crossings, bytes, bar: row.querySelector('.fill').getBoundingClientRect().width }];
          }),
        ),
      );
    }

    test('fills the table from a worker, results can be copied', async () => {
      const items = 300;
      const value = Array.from({ length: items }, (_, i) => ({ i, s: `s${i}` }));
      await visitor.fill(JSON.stringify(value));
      await visitor.click('Measure');
      await visitor.until(() => document.getElementById('progress').checkVisibility());
      await visitor.until(() => document.querySelector('#times[data-done]') !== null);
      assert.ok(!(await visitor.isVisible('#progress')));
      const ways = await figures();
      assert.deepEqual(Object.keys(ways), ['batched', 'unbatched', 'encode', 'encode-cbor-x', 'encode-cborg', 'json', 'decode', 'decode-cbor-x', 'decode-cborg', 'parse']);
      for (const [way, { median, spread, bar }] of Object.entries(ways)) {
        assert.ok(number(median) > 0, `${way}: ${median}`);
        const [low, high] = spread.split('\u2013').map(number);
        assert.ok(low <= number(median) && number(median) <= high, `${way}: ${median} within ${spread}`);
        assert.ok(bar > 0, `${way} has a bar`);
      }
      assert.ok(number(ways.unbatched.crossings) > items * 5, `one by one: ${ways.unbatched.crossings}`);
      assert.ok(number(ways.batched.crossings) >= 1 && number(ways.batched.crossings) < 20, `batched: ${ways.batched.crossings}`);
      assert.equal(ways.json.crossings, '0');
      const expected = encode(value).length.toLocaleString('en');
      for (const way of ['batched', 'unbatched', 'encode', 'decode', 'encode-cborg']) assert.equal(ways[way].bytes, expected, way);
      assert.equal(ways.json.bytes, JSON.stringify(value).length.toLocaleString('en'));
      await visitor.click('Copy results');
      await visitor.untilButton('Copied');
      const first = await visitor.page.$$eval('#ways .fastest', (rows) => rows.map(({ dataset }) => dataset.way));
      assert.ok(first.some((way) => /^(decode|parse)/.test(way)) && first.some((way) => !/^(decode|parse)/.test(way)), `the fastest: ${first}`);
      const lines = (await visitor.clipboard()).split('\n');
      assert.equal(lines.length, 11);
      assert.match(lines[1], /^CborWriter, batched\t[\d.]+\t/);
    });

    test('stops at the button, and when the document changes', async () => {
      await visitor.fill('[1, 2, 3]');
      await visitor.click('Measure');
      await visitor.click('Stop');
      await visitor.untilButton('Measure');
      assert.equal(await visitor.count('#times[data-done]'), 0);
      await visitor.click('Measure');
      await visitor.fill('[1]');
      await visitor.untilButton('Measure');
      assert.equal((await figures()).batched.median, '\u2013');
    });
  });

}

async function checkLayout(visitor) {
  const { page } = visitor;
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(await sideways(), 0);
  assert.deepEqual(await lowContrast(page), []);
  // Evaluated by the debugger, which the content-security policy does not bind.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`), []);
  await visitor.fill(`[${'"a long text without end",'.repeat(400)}]`);
  assert.equal(await visitor.text('fault-code'), 'JSON syntax');
  assert.equal(await sideways(), 0);
  assert.deepEqual(await lowContrast(page, '.fault *'), []);
  await visitor.fill(JSON.stringify(randomBytes(60_000).toString('hex')));
  await visitor.ready();
  await visitor.click('Copy link');
  await visitor.drop(`${'a-long-name-'.repeat(20)}.json`, [0xff]);
  await visitor.until(() => [...document.querySelectorAll('.notice')].every((notice) => notice.checkVisibility()));
  assert.equal(await sideways(), 0);
  assert.deepEqual(await lowContrast(page, '.notice'), []);
}

/** The texts on the page that stand out from their ground by less than 4.5 to 1 (disabled controls aside). */
function lowContrast(page, selector = 'body *') {
  return page.evaluate((within) => {
    const channels = (color) => color.match(/[\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => {
      const [lr, lg, lb] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * lr + 0.7152 * lg + 0.0722 * lb;
    };
    const groundOf = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const ground = channels(getComputedStyle(at).backgroundColor);
        if (ground.length === 3 || ground[3] > 0) return ground;
      }
      return [255, 255, 255];
    };
    const low = [];
    for (const element of document.querySelectorAll(within)) {
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if (!own || !element.checkVisibility() || element.closest(':disabled')) continue;
      const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(groundOf(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) low.push(`${element.textContent.trim()}: ${ratio.toFixed(2)}`);
    }
    return low;
  }, selector);
}
