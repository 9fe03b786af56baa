// The demo page in real Chromium, as a visitor uses it: type, paste, pick, measure; the bytes are read back from the page.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../../demo/serve.js';
import { encode } from '../../js/index.js';

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

const hex = (bytes) => Buffer.from(bytes).toString('hex');

function chromiumPath() {
  const found = process.env.PATH.split(delimiter).map((folder) => join(folder, 'chromium')).find(existsSync);
  return found ?? chromium.executablePath();
}

describe('demo page', { timeout: 280_000 }, () => {
  let server;
  let browser;
  let context;
  let page;
  let faults;

  before(async () => {
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
    await page.goto(server.url);
    await page.locator('body[data-state="done"]').waitFor();
  }

  beforeEach(async () => {
    faults = [];
    await open();
  });
  afterEach(() => assert.deepEqual(faults, []));

  const input = () => page.getByRole('textbox', { name: 'JSON' });
  const button = (name) => page.getByRole('button', { name, exact: true });

  /** The bytes as they stand in the hex view. */
  async function shownHex() {
    return (await page.locator('#hex .bytes').allTextContents()).join('').replace(/\s/g, '');
  }

  async function text(id) {
    return (await page.locator(`#${id}`).textContent()).trim();
  }

  test('shows the bytes of what is typed, at every keystroke', async () => {
    await input().fill('');
    assert.equal(await text('more'), 'Type JSON to see its bytes.');
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

  test('writes offsets and characters beside the bytes', async () => {
    await input().fill(JSON.stringify('abcdefghijklmnopqrstuvw'));
    const rows = page.locator('#hex .row');
    assert.deepEqual(await rows.locator('.offset').allTextContents(), ['0000', '0010']);
    assert.deepEqual(await rows.locator('.characters').allTextContents(), ['wabcdefghijklmno', 'pqrstuvw']);
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
    const names = JSON.parse(readFileSync(join(root, 'demo/samples/index.json'), 'utf8'));
    const select = page.getByRole('combobox', { name: 'Sample' });
    await page.locator('#sample option').nth(names.length).waitFor({ state: 'attached' });
    for (const name of names) {
      const value = JSON.parse(readFileSync(join(root, 'demo/samples', `${name}.json`), 'utf8'));
      const expected = encode(value);
      await select.selectOption(name);
      const size = `${expected.length.toLocaleString('en')} bytes`;
      await page.locator('#cbor-size', { hasText: size }).waitFor();
      assert.equal(await shownHex(), hex(expected.subarray(0, SHOWN_BYTES)), name);
      assert.deepEqual(JSON.parse(await input().inputValue()), value);
    }
    await input().fill('1');
    assert.equal(await select.inputValue(), '', 'typing makes it your own');
  });

  test('Format indents', async () => {
    await input().fill('{"a":[1,2]}');
    await button('Format').click();
    assert.equal(await input().inputValue(), '{\n  "a": [\n    1,\n    2\n  ]\n}');
    assert.equal(await shownHex(), 'a16161820102');
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

    test('strict mode refuses an unpaired surrogate, with code and offset', async () => {
      await input().fill('["a", "\\ud800"]');
      assert.equal(await shownHex(), '82616163efbfbd');
      await page.getByRole('radio', { name: 'strict' }).press('Space');
      assert.equal(await text('fault-code'), 'ERR_CBOR_INVALID_TEXT');
      assert.match(await text('fault-place'), /^at byte \d+ of the CBOR$/);
      await page.getByRole('radio', { name: 'lax' }).press('Space');
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
    const DONE = { timeout: 60_000 };
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

    test('fills the table, while the page stays alive', async () => {
      const items = 500;
      const value = Array.from({ length: items }, (_, i) => ({ i, s: `s${i}` }));
      await input().fill(JSON.stringify(value));
      await page.evaluate(() => {
        window.frames_seen = 0;
        const tick = () => {
          window.frames_seen++;
          requestAnimationFrame(tick);
        };
        tick();
      });
      await button('Measure').click();
      await page.getByRole('progressbar').waitFor();
      const framesBefore = await page.evaluate(() => window.frames_seen);
      await page.locator('#times[data-done]').waitFor(DONE);
      assert.ok((await page.evaluate(() => window.frames_seen)) - framesBefore > 10, 'frames went on being drawn');
      assert.ok(await page.getByRole('progressbar').isHidden());

      const { batched, unbatched, encode: whole, json } = await figures();
      for (const [way, { median, spread, bar }] of Object.entries({ batched, unbatched, whole, json })) {
        assert.ok(number(median) > 0, `${way}: ${median}`);
        const [low, high] = spread.split('\u2013').map(number);
        assert.ok(low <= number(median) && number(median) <= high, `${way}: ${median} within ${spread}`);
        assert.ok(bar > 0, `${way} has a bar`);
      }
      assert.ok(number(unbatched.crossings) > items * 5, `one by one: ${unbatched.crossings}`);
      assert.ok(number(batched.crossings) >= 1 && number(batched.crossings) < 20, `batched: ${batched.crossings}`);
      assert.ok(number(whole.crossings) >= 1 && number(whole.crossings) < 20, `whole: ${whole.crossings}`);
      assert.equal(json.crossings, '0');

      const expected = encode(value).length.toLocaleString('en');
      assert.deepEqual([batched.bytes, unbatched.bytes, whole.bytes], [expected, expected, expected]);
      assert.equal(json.bytes, JSON.stringify(value).length.toLocaleString('en'));
    });

    test('repeats, and says how well', async () => {
      await button('Measure').click();
      await page.locator('#times[data-done]').waitFor(DONE);
      assert.match(await text('timings-note'), /Measure again/);
      const first = await figures();
      await button('Measure again').click();
      await page.locator('#timings-note', { hasText: 'the run before' }).waitFor(DONE);
      const second = await figures();
      for (const way of Object.keys(first)) assert.equal(second[way].crossings, first[way].crossings, way);
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
      await button('Measure').click();
      await page.locator('#times[data-done]').waitFor(DONE);
      assert.equal((await figures()).batched.bytes, '2');
    });
  });

  describe('layout', () => {
    for (const colorScheme of ['light', 'dark']) {
      for (const viewport of [WIDE, NARROW]) {
        test(`${viewport.width} px, ${colorScheme}: nothing runs over, text has contrast`, async () => {
          await open({ viewport, colorScheme });
          const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.equal(await sideways(), 0);
          assert.deepEqual(await lowContrast(page), []);

          await input().fill(`[${'"a long text without end",'.repeat(400)}]`);
          assert.equal(await text('fault-code'), 'JSON syntax');
          assert.equal(await sideways(), 0);
          assert.deepEqual(await lowContrast(page, '.fault *'), []);

          await input().fill(`[${'"a long text without end",'.repeat(400)}1]`);
          await button('Measure').click();
          await page.locator('#times[data-done]').waitFor({ timeout: 60_000 });
          assert.equal(await sideways(), 0);
          assert.deepEqual(await lowContrast(page), []);
        });
      }
    }

    test('all controls are reached by keyboard, in the order of the page', async () => {
      await page.locator('h1').click();
      const seen = [];
      for (let i = 0; i < 7; i++) {
        await page.keyboard.press('Tab');
        seen.push(await page.evaluate(() => document.activeElement.id || document.activeElement.name));
      }
      assert.deepEqual(seen, ['sample', 'format', 'input', 'mode', 'copy', 'hexes', 'measure']);
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
