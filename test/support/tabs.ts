import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expectNoOutsideRequests } from './chromium.js';

const DESKTOP = { width: 1280, height: 900 };
const PHONE_HEIGHT = 844;
const PATIENCE_MS = 30_000;

type Saved = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * A browser context for the tests of a spec file, which all start with the same cookies and storage. A page of the
 * app's origin opens its tabs, and they share the renderer process of that page: a context for each test would start a
 * process and compile all scripts again, which takes four times as long.
 */
export class Tabs {
  private saved: Saved | undefined;

  private constructor(
    private readonly context: BrowserContext,
    private readonly opener: Page,
    private readonly origin: string,
  ) {}

  /** @param hasTouch whether the screen is one that fingers use */
  static async create(browser: Browser, origin: string, hasTouch = false): Promise<Tabs> {
    const context = await browser.newContext({
      hasTouch,
      viewport: DESKTOP,
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const opener = await context.newPage();
    await opener.goto(`${origin}/robots.txt`);
    return new Tabs(context, opener, origin);
  }

  owns(page: Page): boolean {
    return page.context() === this.context;
  }

  /** An empty tab, with a session history and a session storage of its own. */
  async open(width = DESKTOP.width): Promise<Page> {
    const [page] = await Promise.all([
      this.context.waitForEvent('page'),
      this.opener.evaluate(() => void window.open('about:blank')),
    ]);
    if (width !== DESKTOP.width) {
      await page.setViewportSize({ width, height: width === 390 ? PHONE_HEIGHT : DESKTOP.height });
    }
    return page;
  }

  async addCookies(cookies: Readonly<Record<string, string>>): Promise<void> {
    const list = Object.entries(cookies).map(([name, value]) => ({ name, value, url: this.origin }));
    await this.context.addCookies(list);
  }

  /** Saves cookies and storage as the state with which every test starts. */
  async keep(): Promise<void> {
    this.saved = await this.context.storageState();
  }

  /**
   * Closes the tabs and restores cookies and storage, for the next test.
   * @throws when a page requested another machine
   */
  async reset(): Promise<void> {
    for (const page of this.context.pages()) if (page !== this.opener) await page.close();
    await this.context.clearCookies();
    await this.context.addCookies(this.saved?.cookies ?? []);
    await this.opener.evaluate(
      (items) => {
        localStorage.clear();
        for (const { name, value } of items) localStorage.setItem(name, value);
      },
      this.saved?.origins.flatMap(({ localStorage: items }) => items) ?? [],
    );
    expectNoOutsideRequests(this.context);
  }

  /** @throws when a page requested another machine */
  async close(): Promise<void> {
    await this.context.close();
    expectNoOutsideRequests(this.context);
  }
}
