import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { FIREFOX } from '../../scripts/lib/engines.mjs';
import { type Engine } from './engine.js';

const PATIENCE_MS = 120_000;

/** Firefox as Debian has it, by WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), 'fanvas-firefox-'));
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    timeout: PATIENCE_MS,
    defaultViewport: null,
    env: { PATH: process.env['PATH'], HOME: home },
    extraPrefsFirefox: {
      'browser.download.folderList': 2,
      'browser.download.dir': home,
      'browser.download.alwaysOpenPanel': false,
      'ui.prefersReducedMotion': 1,
    },
  });
  return {
    downloads: home,
    open: async () => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultNavigationTimeout(PATIENCE_MS);
      return {
        goto: async (address) => void (await page.goto(address)),
        back: async () => void (await page.evaluate(() => history.back())),
        evaluate: async <T>(script: unknown, ...args: unknown[]) =>
          (await page.evaluate(`(${String(script)})(...${JSON.stringify(args)})`)) as T,
        clickAt: (x, y) => page.mouse.click(x, y),
        type: (text) => page.keyboard.type(text),
        pressEnter: () => page.keyboard.press('Enter'),
        resize: (width, height) => page.setViewport({ width, height }),
        screenshot: async () => Buffer.from(await page.screenshot()),
        close: () => context.close(),
      };
    },
    close: async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
