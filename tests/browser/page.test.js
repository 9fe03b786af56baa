// The demo page in real Chromium, as a visitor uses it: type, paste, pick, point, drop, measure; the bytes are read back from
// the page.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { buildPage } from '../../demo/build-page.js';
import { serve } from '../../demo/serve.js';
import { canonicalize, encode, parseDiagnostic } from '../../js/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SHOWN_BYTES = 4096;
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core')), 'utf8');

const hex = (bytes) => Buffer.from(bytes).toString('hex');

function chromiumPath() {
  const found = process.env.PATH.split(delimiter).map((folder) => join(folder, 'chromium')).find(existsSync);
  return found ?? chromium.executablePath();
}

describe('demo page', { timeout: 290_000 }, () => {
  let server;
  let browser;
  let context;
  let page;
  let faults;

  before(async () => {
    await buildPage();
    server = await serve({ port: 0 });
    browser = await chromium.launch({ executablePath: chromiumPath(), args: ARGUMENTS });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Opens the page anew; whatever a visitor's console would show as wrong is kept in `faults`. */
  async function open(options = { viewport: WIDE }) {
    await context?.close();
    context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
    });
    page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.stack));
    page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) faults.push(`elsewhere: ${request.url()}`);
    });
    await page.goto(server.url + (options.path ?? ''));
    await page.locator('body[data-state="done"]').waitFor();
  }

  beforeEach(async () => {
    faults = [];
    await open();
  });
  afterEach(() => assert.deepEqual(faults, []));

  const input = () => page.getByRole('textbox', { name: 'Document' });
  const button = (name) => page.getByRole('button', { name, exact: true });
  const format = (name) => page.getByRole('combobox', { name: 'Written as' }).selectOption(name);
  const mode = (name) => page.getByRole('combobox', { name: 'Mode' }).selectOption(name);

  /** The bytes as they stand in the hex view. */
  async function shownHex() {
    return (await page.locator('#hex .bytes').allTextContents()).join('').replace(/\s/g, '');
  }

  async function text(id) {
    return (await page.locator(`#${id}`).textContent()).trim();
  }

  /** The bytes, the lines and the source that are lit up. */
  async function lit() {
    const [bytes, lines, source] = await Promise.all(['#hex .bytes .lit', '#items .lit .meaning', '#backdrop mark'].map((of) => page.locator(of).allTextContents()));
    return { bytes: bytes.join(''), lines, source };
  }

  test('shows the bytes of what is typed, at every keystroke', async () => {
    await input().fill('');
    assert.equal(await text('more'), 'Type a document to see its bytes.');
    assert.ok(await button('Measure').isDisabled());

    await input().pressSequentially('1');
    assert.equal(await shownHex(), '01');
    await input().pressSequentially('2');
    assert.equal(await shownHex(), '0c');

    await input().fill('');
    await input().pressSequentially('{"a":1}');
    assert.equal(await shownHex(), 'a1616101');
    assert.equal(await text('json-size'), '7 bytes');
    assert.equal(await text('cbor-size'), '4 bytes');
    assert.equal(await text('ratio'), '57%');
    await page.locator('#cbor-gzip-size', { hasText: '24 bytes' }).waitFor();
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
      await input().fill(json);
      assert.equal(await shownHex(), expected, json);
    }
  });

  test('reads JavaScript, diagnostic notation and hex', async () => {
    for (const [name, source, expected] of [
      ['literal', '{a: 1n, b: new Map([[1, undefined]]), c: Uint8Array.of(1, 2), d: new Date(0), e: -0x10}', 'a5616101616 2a101f7616342010261 64c1006165 2f'.replaceAll(' ', '')],
      ['literal', '// a comment\n[new Tagged(42, "x"), Infinity, `t`]', '83d82a6178f97c006174'],
      ['diagnostic', '[_ 1, {"a": h\'0102\'}, 1(5)]', '9f01a1616142 0102c105ff'.replaceAll(' ', '')],
      ['hex', '0x82 01,\n# one\n18 20', '82011820'],
    ]) {
      await input().fill('');
      await format(name);
      await input().fill(source);
      assert.equal(await shownHex(), expected, source);
    }
  });

  test('nothing of JavaScript is run', async () => {
    await input().fill('');
    await format('literal');
    for (const source of ['alert(1)', 'fetch("/")', '(() => 1)()', '[...[1]]', '{get a() { return 1; }}', 'globalThis', 'new Function("1")', '`${1}`']) {
      await input().fill(source);
      assert.equal(await text('fault-code'), 'JavaScript', source);
    }
  });

  test('a document is written anew in the format that is picked', async () => {
    await input().fill('{"a": [1, 2.5]}');
    await format('diagnostic');
    assert.equal(hex(parseDiagnostic(await input().inputValue())), 'a161618201f94100');
    await format('hex');
    assert.equal(await input().inputValue(), 'a1 61 61 82 01 f9 41 00');
    await format('json');
    assert.deepEqual(JSON.parse(await input().inputValue()), { a: [1, 2.5] });
  });

  describe('modes', () => {
    test('convert the document, and say what changes', async () => {
      await input().fill('{"bb": 1, "a": 2}');
      await mode('deterministic');
      assert.equal(await shownHex(), 'a261610262626201');
      assert.equal(await text('change'), 'As deterministic has it.');
      await input().fill('');
      await format('hex');
      await input().fill('bf 6162 1801 6161 fb3ff0000000000000 ff');
      assert.equal(await shownHex(), hex(canonicalize(Buffer.from('bf6162180161 61fb3ff0000000000000ff'.replace(' ', ''), 'hex'))));
      assert.match(await text('change'), /^17 bytes as written, \d+ bytes in deterministic\.$/);
    });

    test('or say which rule is broken, and where', async () => {
      await input().fill('{"bb": 1, "a": 2}');
      await mode('deterministic');
      await page.getByRole('checkbox', { name: 'convert' }).uncheck();
      assert.equal(await shownHex(), 'a262626201616102');
      assert.equal(await text('change'), 'ERR_CBOR_KEYS_NOT_SORTED at byte 5: not deterministic as it is written.');
      assert.equal(await page.locator('#hex .broken').getAttribute('data-at'), '5');
      await mode('strict');
      assert.equal(await text('change'), 'As strict has it.');
      await format('hex');
      await input().fill('82 01');
      assert.equal(await text('change'), 'ERR_CBOR_LENGTH_EXCEEDS_BUFFER at byte 0: not strict as it is written.');
      assert.match(await page.locator('#items .broken').last().textContent(), /^ERR_CBOR_\w+ at byte \d$/);
    });
  });

  describe('pointing', () => {
    test('at a line lights up its bytes and its source', async () => {
      await input().fill('{"a": [10, "xyz"], "b": {"c": true}}');
      await page.locator('#items .item', { hasText: '"xyz"' }).hover();
      assert.deepEqual(await lit(), { bytes: '6378797a', lines: ['"xyz"'], source: ['"xyz"'] });
      await page.locator('#items .item', { hasText: 'array(2)' }).hover();
      assert.deepEqual(await lit(), { bytes: '820a6378797a', lines: ['array(2)'], source: ['[10, "xyz"]'] });
      await page.locator('h1').hover();
      assert.deepEqual(await lit(), { bytes: '', lines: [], source: [] });
    });

    test('at a byte lights up its item', async () => {
      await input().fill('{"a": [10, "xyz"], "b": {"c": true}}');
      await page.locator('#hex .bytes [data-at="6"]').hover();
      assert.deepEqual(await lit(), { bytes: '6378797a', lines: ['"xyz"'], source: ['"xyz"'] });
    });

    test('by the keyboard', async () => {
      await input().fill('[1, [2]]');
      await page.getByRole('listbox', { name: /Items/ }).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      assert.deepEqual(await lit(), { bytes: '01', lines: ['1'], source: ['1'] });
      await page.keyboard.press('End');
      assert.deepEqual(await lit(), { bytes: '02', lines: ['2'], source: ['2'] });
      assert.equal(await page.locator('#items').getAttribute('aria-activedescendant'), 'item-3');
    });

    test('where the cursor stands in the source', async () => {
      await format('hex');
      await input().fill('82 01 6161');
      await input().evaluate((area) => area.setSelectionRange(4, 4));
      await input().press('ArrowLeft');
      assert.equal((await lit()).bytes, '01');
    });
  });

  test('a dropped file becomes the document', async () => {
    const drop = (name, bytes) =>
      page.evaluate(([fileName, list]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(list)], fileName));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
      }, [name, [...bytes]]);
    await drop('x.cbor', [0x82, 0x01, 0xf6]);
    await page.locator('#hex', { hasText: '82 01 f6' }).waitFor();
    assert.equal(await input().inputValue(), '82 01 f6');
    await drop('x.json', Buffer.from('[7]'));
    await page.locator('#hex', { hasText: '81 07' }).waitFor();
    await drop('without-a-name', [0x83, 0x01, 0x02, 0x03]);
    await page.locator('#hex', { hasText: '83 01 02 03' }).waitFor();
  });

  test('a link shows the same document', async () => {
    await format('diagnostic');
    await input().fill('{"b": 1, "a": 1.0}');
    await mode('canonical');
    await page.getByRole('checkbox', { name: 'convert' }).uncheck();
    await button('Copy link').click();
    await button('Link copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#.+/);
    await open({ viewport: WIDE, path: new URL(link).hash });
    assert.equal(await input().inputValue(), '{"b": 1, "a": 1.0}');
    assert.match(await text('change'), /KEYS_NOT_SORTED/);
    await open({ viewport: WIDE, path: '#not-a-state' });
    assert.match(await input().inputValue(), /attic-3/);
  });

  test('bounds the view of a large document and says what is left out', async () => {
    const value = Array.from({ length: 3000 }, (_, i) => ({ i, name: `name ${i}` }));
    await input().fill(JSON.stringify(value));
    const expected = encode(value);
    assert.equal(await shownHex(), hex(expected.subarray(0, SHOWN_BYTES)));
    assert.equal(await text('more'), `and ${(expected.length - SHOWN_BYTES).toLocaleString('en')} bytes more`);
    await button('Copy hex').click();
    await button('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), hex(expected));
  });

  test('every sample loads', async () => {
    const read = (name) => readFileSync(join(root, 'demo/samples', name), 'utf8');
    const names = [...JSON.parse(read('others.json')), ...JSON.parse(read('index.json'))];
    const select = page.getByRole('combobox', { name: 'Sample' });
    await page.locator('#sample option').nth(names.length).waitFor({ state: 'attached' });
    for (const name of names) {
      await select.selectOption(name);
      const source = read(name.includes('.') ? name : `${name}.json`);
      await page.waitForFunction((first) => document.getElementById('input').value.trimStart().startsWith(first), source.trimStart().slice(0, 1));
      if (name.endsWith('.edn')) {
        const expected = parseDiagnostic(source);
        await page.locator('#cbor-size', { hasText: `${expected.length.toLocaleString('en')} bytes` }).waitFor();
        assert.equal(await shownHex(), hex(expected), name);
      } else if (!name.includes('.')) {
        const expected = encode(JSON.parse(source));
        await page.locator('#cbor-size', { hasText: `${expected.length.toLocaleString('en')} bytes` }).waitFor();
        assert.equal(await shownHex(), hex(expected.subarray(0, SHOWN_BYTES)), name);
      }
      assert.equal(await page.locator('body').getAttribute('data-state'), 'done', name);
    }
    await input().fill('1');
    assert.equal(await select.inputValue(), '', 'typing makes it your own');
  });

  test('hostile bytes are marked where they are wrong', async () => {
    await page.locator('#sample option').nth(3).waitFor({ state: 'attached' });
    await page.getByRole('combobox', { name: 'Sample' }).selectOption('hostile.hex');
    await page.locator('#change.broken').waitFor();
    assert.match(await text('change'), /^ERR_CBOR_LENGTH_EXCEEDS_BUFFER at byte 0/);
  });

  test('Format indents', async () => {
    await input().fill('{"a":[1,2]}');
    await button('Format').click();
    assert.equal(await input().inputValue(), '{\n  "a": [\n    1,\n    2\n  ]\n}');
    assert.equal(await shownHex(), 'a16161820102');
  });

  test('the command buffer: calls, commands, flushes and crossings', async () => {
    await input().fill(JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ i, s: `a text of more than 23 units ${i}` }))));
    await page.locator('#calls-batched', { hasText: /^1$/ }).waitFor();
    const figure = async (id) => Number((await text(`calls-${id}`)).replaceAll(',', ''));
    assert.equal(await figure('count'), 2 + 50 * 6);
    assert.equal(await figure('flushes'), 1);
    assert.ok((await figure('text')) > 50 * 29, 'the texts have joined one string');
    assert.ok((await figure('unbatched')) > 300);
    await page.getByText('The calls').click();
    assert.match(await text('calls-list'), /^writer\.writeStartArray\(50\)\nwriter\.writeStartMap\(2\)\nwriter\.writeTextString\("i"\)/);
  });

  test('works without a network once it was loaded', async () => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.locator('body[data-state="done"]').waitFor();
    await context.setOffline(true);
    await page.reload();
    await page.locator('body[data-state="done"]').waitFor();
    await input().fill('[1]');
    assert.equal(await shownHex(), '8101');
    await context.setOffline(false);
    // What the worker asks the network for first is no fault here.
    faults = faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|^failed: /.test(fault));
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
        await input().fill(json);
        assert.equal(await text('fault-code'), 'JSON syntax', json);
        assert.equal(await text('fault-place'), place, json);
        assert.match(await text('fault-message'), message, json);
        assert.equal(await input().getAttribute('aria-invalid'), 'true');
        assert.match(await text('more'), /last text without an error/);
        assert.ok(await button('Copy hex').isDisabled());
        assert.ok(await button('Measure').isDisabled());

        await input().fill('{"a":1}');
        assert.ok(await page.locator('#fault').isHidden());
        assert.equal(await input().getAttribute('aria-invalid'), 'false');
        assert.equal(await shownHex(), 'a1616101');
      }
    });

    test('the button goes to the place', async () => {
      await input().fill('{\n  "a": nil\n}');
      await button('Go to the error').click();
      assert.deepEqual(await input().evaluate((area) => [area.selectionStart, area === document.activeElement]), [9, true]);
    });

    test('what CBOR refuses shows code and path', async () => {
      await input().fill('['.repeat(1200) + ']'.repeat(1200));
      assert.equal(await text('fault-code'), 'ERR_CBOR_DEPTH_EXCEEDED');
      assert.match(await text('fault-excerpt'), /^\$\[0\]/);
      assert.ok(await button('Go to the error').isHidden());
    });

    test('in other notations show where', async () => {
      for (const [name, source, place] of [['literal', '[1,\n  foo]', 'line 2, column 3'], ['diagnostic', '[1,\n  @]', 'line 2, column 3'], ['hex', '82\n0', 'line 2, column 1'], ['hex', '82 0g', 'line 1, column 4']]) {
        await input().fill('');
        await format(name);
        await input().fill(source);
        assert.equal(await text('fault-place'), place, source);
        assert.equal(await page.locator('body').getAttribute('data-state'), 'fault');
      }
    });

    test('strict mode refuses an unpaired surrogate, with code and path', async () => {
      await input().fill('["a", "\\ud800"]');
      assert.equal(await shownHex(), '82616163efbfbd');
      await mode('strict');
      assert.equal(await text('fault-code'), 'ERR_CBOR_INVALID_TEXT');
      await button('Go to the error').click();
      assert.equal(await input().evaluate((area) => area.selectionStart), 6);
      await mode('lax');
      assert.ok(await page.locator('#fault').isHidden());
    });

    test('a screen reader hears the outcome', async () => {
      await input().fill('[1');
      await page.getByRole('status').filter({ hasText: 'JSON syntax error, line 1, column 3' }).waitFor();
      await input().fill('[1]');
      await page.getByRole('status').filter({ hasText: '2 bytes of CBOR from 3 bytes of JSON' }).waitFor();
    });
  });

  describe('Measure', () => {
    const DONE = { timeout: 90_000 };
    const number = (written) => Number(written.replaceAll(',', ''));

    /** The table's figures by way. */
    async function figures() {
      return page.locator('#ways tr').evaluateAll((rows) =>
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
      await input().fill(JSON.stringify(value));
      await button('Measure').click();
      await page.getByRole('progressbar').waitFor();
      await page.locator('#times[data-done]').waitFor(DONE);
      assert.ok(await page.getByRole('progressbar').isHidden());
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
      await button('Copy results').click();
      await button('Copied').waitFor();
      const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
      assert.equal(lines.length, 11);
      assert.match(lines[1], /^CborWriter, batched\t[\d.]+\t/);
    });

    test('stops at the button, and when the document changes', async () => {
      await button('Measure').click();
      await button('Stop').click();
      await button('Measure').waitFor();
      assert.equal(await page.locator('#times[data-done]').count(), 0);
      await button('Measure').click();
      await input().fill('[1]');
      await button('Measure').waitFor();
      assert.equal((await figures()).batched.median, '\u2013');
    });
  });

  describe('layout', () => {
    for (const colorScheme of ['light', 'dark']) {
      for (const viewport of [WIDE, NARROW]) {
        test(`${viewport.width} px, ${colorScheme}: nothing runs over, text has contrast, axe finds nothing`, async () => {
          await open({ viewport, colorScheme });
          const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.equal(await sideways(), 0);
          assert.deepEqual(await lowContrast(page), []);
          // Evaluated by the debugger, which the content-security policy does not bind.
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
          assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`), []);
          await input().fill(`[${'"a long text without end",'.repeat(400)}]`);
          assert.equal(await text('fault-code'), 'JSON syntax');
          assert.equal(await sideways(), 0);
          assert.deepEqual(await lowContrast(page, '.fault *'), []);
        });
      }
    }

    test('all controls are reached by keyboard, in the order of the page', async () => {
      await page.locator('h1').click();
      const seen = [];
      for (let i = 0; i < 11; i++) {
        await page.keyboard.press('Tab');
        seen.push(await page.evaluate(() => document.activeElement.id));
      }
      assert.deepEqual(seen, ['format', 'sample', 'tidy', 'input', 'mode', 'convert', 'copy', 'share', 'hexes', 'items', 'measure']);
    });
  });
});

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
