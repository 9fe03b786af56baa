// The browsers that are installed, driven in one way: Chromium by its own protocol, Firefox by WebDriver BiDi.
import puppeteer from 'puppeteer-core';
import { commandPath } from '../../.ci/setup.js';

// What Debian calls them. Nothing that they would show or fetch of their own accord; the clipboard may be read.
const BROWSERS = {
  chromium: (colorScheme) => ({
    browser: 'chrome',
    permissions: ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--blink-settings=preferredColorScheme=${colorScheme === 'dark' ? 0 : 1}`,
    ],
  }),
  'firefox-esr': (colorScheme) => ({
    browser: 'firefox',
    extraPrefsFirefox: {
      'dom.events.testing.asyncClipboard': true,
      'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
    },
  }),
};

/**
 * @typedef {object} Launched
 * @property {(url: string) => Promise<import('puppeteer-core').Page>} newPage a page of a user who was nowhere before, and
 *   lets the site at `url` use the clipboard
 * @property {() => Promise<void>} close
 */

/**
 * Starts a browser without a window. It waits for as long as anything takes: the time limit is that of the tests.
 * @param {'chromium' | 'firefox-esr'} name
 * @param {'light' | 'dark'} colorScheme what its user prefers
 * @returns {Promise<Launched>}
 */
export async function launch(name, colorScheme) {
  const { permissions, ...options } = BROWSERS[name](colorScheme);
  const browser = await puppeteer.launch({ executablePath: commandPath(name), headless: true, timeout: 0, protocolTimeout: 0, ...options });
  return {
    async newPage(url) {
      const context = await browser.createBrowserContext();
      if (permissions !== undefined) await context.overridePermissions(new URL(url).origin, permissions);
      const page = await context.newPage();
      page.setDefaultTimeout(0);
      return page;
    },
    close: () => browser.close(),
  };
}
