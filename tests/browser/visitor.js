// A visitor of the demo page: types, picks, points, drops, and reads what the page shows. The same in every browser.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

export class Visitor {
  /** What a visitor's console would show as wrong, and requests to elsewhere. */
  faults = [];
  /** @type {import('puppeteer-core').Page | undefined} */
  page;

  /**
   * Opens the page as somebody who was never there.
   * @param {import('./browsers.js').Launched} browser
   * @param {string} url where the site is
   * @param {{ width: number, height: number }} viewport
   * @param {string} [path] what follows the url
   */
  async open(browser, url, viewport, path = '') {
    await this.close();
    this.page = await browser.newPage(url);
    await this.page.setViewport(viewport);
    await this.page.evaluateOnNewDocument(() => {
      addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
    });
    this.page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) this.faults.push(message.text());
    });
    this.page.on('pageerror', (error) => this.faults.push(String(error)));
    this.page.on('requestfailed', (request) => this.faults.push(`failed: ${request.url()}`));
    this.page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) this.faults.push(`elsewhere: ${request.url()}`);
    });
    await this.page.goto(url + path);
    await this.ready();
  }

  /** Sets everything back to how somebody finds it who comes anew, but for the document, which is empty. */
  async startOver() {
    await this.fill('');
    await this.pick('Written as', 'json');
    await this.pick('Mode', 'lax');
    if (!(await this.page.$eval('#convert', ({ checked }) => checked))) await this.tick('convert');
    await this.page.mouse.move(0, 0);
  }

  async close() {
    await this.page?.browserContext().close();
    this.page = undefined;
  }

  // --------------------------------------------------------------------------------------------------- what is seen

  /** What `look`, run in the page, gives once that is neither false nor null nor an error's. */
  async until(look, ...args) {
    for (;;) {
      const seen = await this.page.evaluate(look, ...args);
      if (seen) return seen;
      await sleep(POLL_MS);
    }
  }

  ready() {
    return this.until(() => document.body?.dataset.state === 'done');
  }

  /** Until the document has been read, whatever came of it. */
  settled() {
    return this.until(() => document.body.dataset.state !== 'reading');
  }

  state() {
    return this.page.evaluate(() => document.body.dataset.state);
  }

  /** The text of an element. */
  text(id) {
    return this.page.evaluate((of) => document.getElementById(of).textContent.trim(), id);
  }

  /** Waits until an element has this within its text. */
  untilText(id, part) {
    return this.until((of, wanted) => document.getElementById(of).textContent.includes(wanted), id, part);
  }

  attribute(selector, name) {
    return this.page.$eval(selector, (element, of) => element.getAttribute(of), name);
  }

  isVisible(selector) {
    return this.page.$eval(selector, (element) => element.checkVisibility());
  }

  count(selector) {
    return this.page.$$eval(selector, (elements) => elements.length);
  }

  /** The bytes as they stand in the hex view. */
  async hex() {
    return this.page.$$eval('#hex .bytes', (lines) => lines.map((line) => line.textContent).join('').replace(/\s/g, ''));
  }

  /** The bytes, the lines and the source that are lit up. */
  lit() {
    return this.page.evaluate(() => {
      const texts = (selector) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
      return { bytes: texts('#hex .bytes .lit').join(''), lines: texts('#items .lit .meaning'), source: texts('#backdrop mark') };
    });
  }

  /** The document as it is written. */
  source() {
    return this.page.$eval('#input', ({ value }) => value);
  }

  clipboard() {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  // --------------------------------------------------------------------------------------------------- what is done

  /** Puts a document in place of the one that is there, as pasting does. */
  fill(source) {
    return this.page.$eval('#input', (area, value) => {
      area.focus();
      area.value = value;
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }, source);
  }

  /** Types into the document, key by key. */
  async type(source) {
    await this.page.focus('#input');
    await this.page.keyboard.type(source);
  }

  /** Picks what a list offers as `value`. */
  async pick(label, value) {
    await this.page.select(await this.#labelled(label), value);
  }

  /** Ticks a box, or takes the tick away. */
  async tick(label) {
    await this.page.click(await this.#labelled(label));
  }

  /** The selector of the control that a visitor knows by this name. */
  async #labelled(name) {
    const id = await this.page.evaluate((wanted) => {
      const label = [...document.querySelectorAll('label')].find((one) => (one.querySelector('span') ?? one).textContent.trim() === wanted);
      return label?.control?.id;
    }, name);
    if (id === undefined) throw new Error(`nothing is labelled ${name}`);
    return `#${id}`;
  }

  /** The button with this inscription, as soon as it is there. */
  #button(name) {
    return this.until((wanted) => [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === wanted && one.checkVisibility())?.id, name);
  }

  async click(name) {
    await this.page.click(`#${await this.#button(name)}`);
  }

  async untilButton(name) {
    await this.#button(name);
  }

  async isDisabled(name) {
    return this.page.$eval(`#${await this.#button(name)}`, ({ disabled }) => disabled);
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  /** Moves the pointer onto the first such element, or the first whose text has `part`. */
  async pointAt(selector, part = '') {
    for (const element of await this.page.$$(selector)) {
      if (!(await element.evaluate(({ textContent }, wanted) => textContent.includes(wanted), part))) continue;
      return element.hover();
    }
    throw new Error(`no ${selector} has ${part}`);
  }

  /** Drops a file onto the page. */
  drop(name, bytes, selector = 'body') {
    return this.page.$eval(selector, (element, fileName, base64) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))], fileName));
      element.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
    }, name, Buffer.from(bytes).toString('base64'));
  }
}
