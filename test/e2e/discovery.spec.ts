import { describe, expect, it, jest } from '@jest/globals';
import { type Locator, type Page } from 'playwright-core';
import { type PublicCreator } from '../../src/contract/gallery.js';
import { accessibilityFaults } from '../support/axe.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';
import { focusOn } from '../support/focus.js';

jest.setTimeout(480_000);

const HEADLINE = 'Create Official Fan Art with AI';
const PHONE = { width: 390, height: 844 };
const STATIC_PAGES = [
  ['/faq', 'FAQ'],
  ['/community-guidelines', 'Community Guidelines'],
  ['/termsofuse', 'Terms of Use'],
  ['/privacypolicy', 'Privacy Policy'],
] as const;

describe('finding a creator, and the frame of every page', () => {
  let fan: FanBrowser;
  /** Eight visible creators, not sorted by the server, and a hidden one. */
  let creators: PublicCreator[];

  useFanBrowser(async (started) => {
    fan = started;
    const names = ['Ada', 'Bea', 'Cleo', 'Dora', 'Ella', 'Fay', 'Gina', 'Hana', 'Archie'];
    creators = names.map((name) => ({
      ...fan.creator,
      id: `creator-${name}`,
      name: `${name} Marlow`,
      username: name.toLowerCase(),
      is_visible: name !== 'Archie',
      works: [],
    }));
  });

  /** Opens a page as a visitor; the API returns these creators only. */
  const visit = (path: string, width = 1280): Promise<Page> =>
    fan.open(path, { visitor: true, width, answers: { get_public_creators: () => ({ body: creators }) } });

  const headline = (page: Page) => page.getByRole('heading', { level: 1, name: HEADLINE });
  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const carousel = (page: Page) => page.getByRole('group', { name: 'Featured creators' });
  const search = (page: Page) => page.getByRole('combobox', { name: 'Search creators' });
  const suggestions = (page: Page) => page.getByRole('option');
  const path = (page: Page): string => new URL(page.url()).pathname;
  const scrollTop = (page: Page): Promise<number> => page.evaluate(() => window.scrollY);

  /** Presses Tab until the target has the focus. */
  async function tabTo(page: Page, target: Locator, limit = 40): Promise<void> {
    await target.waitFor();
    for (let presses = 0; presses < limit; presses += 1) {
      await page.keyboard.press('Tab');
      if (await target.evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error(`Not reached with ${limit} presses of Tab: ${String(target)}`);
  }

  /** Expects no accessibility faults, and a page that is not wider than the window. */
  async function clean(page: Page, screen: string, scope?: { readonly light: boolean }): Promise<void> {
    expect({ screen, faults: await accessibilityFaults(page, scope) }).toEqual({ screen, faults: [] });
    await fits(page, screen);
  }

  async function fits(page: Page, screen: string): Promise<void> {
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect({ screen, wider }).toEqual({ screen, wider: false });
  }

  describe('the carousel', () => {
    /** The announced position, which changes a moment after the row. */
    const announced = (page: Page, text: RegExp) => page.locator('p[aria-live]').filter({ hasText: text }).waitFor();
    const next = (page: Page) => page.getByRole('button', { name: 'Next creator' });
    const previous = (page: Page) => page.getByRole('button', { name: 'Previous creator' });

    /** Waits until the row has stopped at this creator, in the copy that is not inert. */
    async function restsOn(page: Page, name: string): Promise<void> {
      await page.waitForFunction((wanted) => {
        const row = document.querySelector('[aria-roledescription=carousel]');
        const middle = row ? row.getBoundingClientRect().left + row.clientWidth / 2 : 0;
        return [...(row?.querySelectorAll<HTMLElement>('[data-card]:not([inert])') ?? [])].some((card) => {
          const box = card.getBoundingClientRect();
          return card.innerText.includes(wanted) && Math.abs(box.left + box.width / 2 - middle) < 2;
        });
      }, name);
    }

    it('[F2.29, F2.30, F2.31, F9.09] moves by mouse, arrows and keys without an end, and is a list on a phone', async () => {
      const page = await visit('/');
      await restsOn(page, 'Ada Marlow');
      // The list is rendered three times; the copies are inert.
      expect(await page.locator('[data-card]').count()).toBe(24);
      expect(await page.locator('[data-card][inert]').count()).toBe(16);
      expect(await page.getByRole('group', { name: '1 of 8' }).count()).toBe(1);
      expect(await carousel(page).getByRole('link').count()).toBe(8);

      // A drag moves the row and opens no creator.
      const box = await carousel(page).boundingBox();
      if (!box) throw new Error('The carousel is not there.');
      const y = box.y + 200;
      await page.mouse.move(box.x + 700, y);
      await page.mouse.down();
      await page.mouse.move(box.x + 400, y, { steps: 4 });
      await page.mouse.up();
      await restsOn(page, 'Bea Marlow');
      expect(path(page)).toBe('/');
      await previous(page).click();
      await restsOn(page, 'Ada Marlow');
      // Left of the first creator is a copy of the last one.
      await page.mouse.click(box.x + 60, y);
      await page.waitForURL('**/hana');
      await title(page, 'Creator not found').waitFor();
      await page.goBack();

      // With the keyboard only.
      await restsOn(page, 'Ada Marlow');
      await tabTo(page, next(page));
      await page.keyboard.press('Enter');
      await restsOn(page, 'Bea Marlow');
      await announced(page, /^Bea Marlow, 2 of 8$/);
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').innerText()).toContain('Ada Marlow');
      await page.keyboard.press('Tab');
      await restsOn(page, 'Bea Marlow');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/bea');
      // The server does not know this creator.
      await title(page, 'Creator not found').waitFor();
      await clean(page, 'unknown creator', { light: true });
      await page.getByRole('link', { name: 'Back to Discovery' }).click();
      await headline(page).waitFor();
      expect(path(page)).toBe('/');

      // The presses are faster than the animation and go beyond the three copies of the list.
      await restsOn(page, 'Ada Marlow');
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await next(page).click();
      await restsOn(page, 'Bea Marlow');
      await announced(page, /2 of 8$/);
      for (let presses = 0; presses < 20; presses += 1) await next(page).click();
      await restsOn(page, 'Fay Marlow');
      await previous(page).click();
      await restsOn(page, 'Ella Marlow');
      await announced(page, /5 of 8$/);

      // A plain list below 640 px.
      await page.setViewportSize({ width: 639, height: 900 });
      await carousel(page).waitFor({ state: 'detached' });
      const items = page.getByRole('listitem').filter({ hasText: 'Marlow' });
      await items.nth(7).waitFor();
      const boxes = await items.all();
      expect(boxes).toHaveLength(8);
      const lefts = new Set(await Promise.all(boxes.map(async (item) => (await item.boundingBox())?.x)));
      expect(lefts.size).toBe(1);
      await page.setViewportSize({ width: 640, height: 900 });
      await carousel(page).waitFor();
      // Large text of the browser.
      const cutOffers = await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
        const offers = [...document.querySelectorAll('[data-offer] > div')];
        return offers.map(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
      });
      expect(cutOffers).toEqual([false]);
    });
  });

  it('[F2.17, F2.25, F2.26, F2.27] finds a creator and a public picture in the search by keyboard, also on a phone', async () => {
    const [work] = await fan.gallery();
    const word = /[a-z]{5,}/i.exec(work?.prompt ?? '')?.[0] ?? '';
    const page = await visit('/');
    await page.getByRole('link', { name: /Ada Marlow/ }).waitFor();
    await clean(page, 'home', { light: true });

    // The code of the search is lost with the network, and loaded again when the person types on.
    await page.route('**/assets/search-panel-*.js', (route) => route.abort());
    await tabTo(page, search(page));
    await page.keyboard.type('marl');
    const lost = page.getByRole('search').getByRole('alert');
    await lost.getByText('The search could not be loaded.').waitFor();
    await clean(page, 'search not loaded');
    await page.unroute('**/assets/search-panel-*.js');
    await page.keyboard.type('ow');
    await suggestions(page).nth(4).waitFor();
    expect([await lost.count(), await suggestions(page).count()]).toEqual([0, 5]);
    expect(await suggestions(page).first().innerText()).toMatch(/Ada Marlow\s+@ada/);
    expect(await suggestions(page).first().locator('img').count()).toBe(1);

    await page.keyboard.press('ArrowDown');
    const active = page.getByRole('option', { selected: true });
    expect(await search(page).getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
    await clean(page, 'search open', { light: true });
    await page.keyboard.press('Escape');
    expect([await suggestions(page).count(), await search(page).inputValue()]).toEqual([0, 'marlow']);
    await page.keyboard.press('ArrowDown');
    await suggestions(page).first().waitFor();
    await search(page).fill('nobody');
    await page.getByText('No creator by that name or style.').waitFor();
    await clean(page, 'nobody found');

    await search(page).fill(word);
    const last = page.getByRole('group', { name: 'Pictures' }).getByRole('option').last();
    await last.filter({ hasText: new RegExp(word, 'i') }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/generate\//);
    await page.getByRole('button', { name: 'View the image full screen' }).waitFor();

    // On a phone, a button opens the search and has the focus again when it closes.
    await page.setViewportSize(PHONE);
    await page.getByRole('link', { name: 'Fanvas, home' }).click();
    await headline(page).waitFor();
    const button = page.getByRole('banner').getByRole('button', { name: 'Search creators' });
    await button.waitFor();
    expect(await search(page).count()).toBe(0);
    await button.click();
    await focusOn(search(page));
    await page.keyboard.type('marlow');
    await suggestions(page).first().waitFor();
    await fits(page, 'home and search on a phone');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await search(page).waitFor({ state: 'detached' });
    await focusOn(button);
  });

  it('[F2.03, F2.12, F2.14, F2.22] reads the static pages from the footer, and starts every page at its top', async () => {
    const page = await visit('/', PHONE.width);
    await page.getByRole('link', { name: /Hana Marlow/ }).scrollIntoViewIfNeeded();
    expect(await scrollTop(page)).toBeGreaterThan(500);
    const footer = page.getByRole('contentinfo');
    expect(await footer.getByRole('link').allInnerTexts()).toEqual([
      'Earn with your likeness',
      ...STATIC_PAGES.map(([, name]) => name),
    ]);
    for (const [to, name] of STATIC_PAGES) {
      await footer.getByRole('link', { name }).click();
      await title(page, name).waitFor();
      expect([path(page), await page.title(), await scrollTop(page)]).toEqual([to, `${name} · Fanvas`, 0]);
      if (to === '/faq') {
        await page.locator('summary', { hasText: 'What does an image cost?' }).focus();
        await page.keyboard.press('Enter');
        await page.getByText(/^An image costs 10 credits/).waitFor();
      }
      await clean(page, to, { light: to === '/faq' });
      await footer.scrollIntoViewIfNeeded();
      expect(await scrollTop(page)).toBeGreaterThan(500);
    }
    await page.goBack();
    await title(page, 'Terms of Use').waitFor();
    await page.waitForFunction(() => window.scrollY === 0);

    // An address that names a section opens the page at it.
    await page.goto(`${fan.app.url}/termsofuse#liability`);
    const section = page.getByRole('heading', { name: 'Liability' });
    await section.waitFor();
    await page.waitForFunction(
      (heading) => window.scrollY > 300 && heading !== null && heading.getBoundingClientRect().top < 300,
      await section.elementHandle(),
    );
  });

  it('[F2.15, F2.18, F2.19, F2.20] uses the menus of the header by keyboard, on a wide screen and on a phone', async () => {
    const page = await fan.open('/');
    expect(await page.locator('main').evaluate((main) => getComputedStyle(main).paddingTop)).toBe('24px');
    const pill = page.getByRole('button', { name: /^\d+ credits$/ });
    await tabTo(page, pill);
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Credits' });
    await focusOn(sheet);
    await clean(page, 'credits pill open', { light: true });
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await focusOn(pill);
    await page.keyboard.press('Enter');
    await focusOn(sheet);
    await tabTo(page, sheet.getByRole('link', { name: 'Purchase Credits' }), 4);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });

    await tabTo(page, page.getByRole('button', { name: /^Account of/ }));
    await page.keyboard.press('Enter');
    const items = page.getByRole('menuitem');
    await focusOn(items.filter({ hasText: 'My Creations' }));
    await clean(page, 'menu open', { light: true });
    const earn = items.filter({ hasText: 'Earn with your likeness' });
    await earn.waitFor(); // once it is known that the fan is no creator
    await page.keyboard.press('End');
    await focusOn(items.filter({ hasText: 'Sign Out' }));
    await page.keyboard.press('ArrowUp');
    await focusOn(earn);
    await page.keyboard.press('ArrowUp');
    await focusOn(items.filter({ hasText: 'FAQ' }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/faq');
    await title(page, 'FAQ').waitFor();

    await page.setViewportSize(PHONE);
    const menuButton = page.getByRole('banner').getByRole('button', { name: 'Menu' });
    await menuButton.click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByText('Sign Out').waitFor();
    await focusOn(menu);
    await clean(page, 'menu open on a phone');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await focusOn(menuButton);
    await page.keyboard.press('Enter');
    await menu.getByRole('link', { name: 'Home' }).click();
    await headline(page).waitFor();
  });

  it('[F2.09, F2.11, F2.13] signs in from a page that needs it, returns to it and its query, and signs out', async () => {
    // The identity SDK is ready before the page listens to it.
    const early = await fan.open('/robots.txt', { visitor: true });
    await early.addInitScript(holdWorkUntilSdkIsReady);
    // The page renders the container of the widget before it loads the widget's code.
    await early.route('**/assets/clerk-host-*.js', async (route) => {
      await early.locator('[data-auth-widget]').waitFor({ state: 'attached' });
      await route.continue();
    });
    await early.goto(`${fan.app.url}/sign-in`);
    await early.locator('input[name=identifier]').waitFor();
    expect(await early.evaluate(() => (window as unknown as { heldWork: number }).heldWork)).toBeGreaterThan(0);
    await clean(early, 'sign-in', { light: true });
    await early.close();

    // React renders the host of the SDK twice, and still follows the redirects of the SDK.
    const page = await fan.open('/robots.txt', { visitor: true });
    await page.addInitScript(interruptFirstDrawingOfSdk);
    await page.goto(`${fan.app.url}/my-creations?page=1`);
    await page.waitForURL('**/sign-in');
    // As the creator, because the other tests need the session of the fan.
    await page.waitForLoadState('networkidle');
    await page.locator('input[name=identifier]').waitFor();
    await page.getByRole('button', { name: 'Use creator@fanvas.test' }).click();
    await page.locator('input[name=identifier]').press('Enter');
    await page.waitForURL('**/my-creations?page=1');
    await title(page, 'My Creations').waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'FAQ' }).click();
    await page.waitForURL('**/faq');
    await title(page, 'FAQ').waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.waitForURL(`${fan.app.url}/`);
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(await page.evaluate(() => (window as unknown as { interrupted?: boolean }).interrupted)).toBe(true);
  });

  /** Every end-to-end test relies on this check. */
  it('fails a test whose page asks another machine or breaks its policy', async () => {
    const stray = 'http://example.test/pixel';
    const ask = (page: Page) =>
      page.evaluate((url) => fetch(url, { mode: 'no-cors' }).then(undefined, () => undefined), stray);
    // An empty page has no policy.
    const empty = await fan.open('/robots.txt', { visitor: true });
    await empty.goto('about:blank');
    await Promise.all([empty.waitForRequest(stray), ask(empty)]);
    await expect(fan.tidy()).rejects.toThrow(stray);
    const page = await fan.open('/faq', { visitor: true });
    const complaint = page.waitForEvent('console', (message) => message.text().includes('Content Security Policy'));
    await Promise.all([complaint, ask(page)]);
    await expect(fan.tidy()).rejects.toThrow('Content Security Policy');
    await fan.open('/robots.txt', { visitor: true });
    await fan.tidy();
  });
});

/** Runs in the page. Holds React's scheduled work from the request of the identity SDK until the SDK is ready. */
function holdWorkUntilSdkIsReady(): void {
  const sdk = (): { status?: string } | undefined => (window as { Clerk?: { status?: string } }).Clerk;
  const post = MessagePort.prototype.postMessage;
  const held: (() => void)[] = [];
  let holding = false;
  MessagePort.prototype.postMessage = function (this: MessagePort, ...message: [unknown]): void {
    const send = (): void => post.apply(this, message);
    if (holding) held.push(send);
    else send();
  };
  const asked = new MutationObserver(() => {
    if (!document.querySelector('script[src*="clerk.browser.js"]')) return;
    asked.disconnect();
    holding = true;
    const watch = setInterval(() => {
      if (sdk()?.status !== 'ready' || held.length === 0) return;
      clearInterval(watch);
      holding = false;
      Object.assign(window, { heldWork: held.length });
      for (const send of held) send();
    }, 5);
  });
  asked.observe(document, { childList: true, subtree: true });
}

/**
 * Runs in the page. Interrupts the first render of the identity SDK's host: its time slice ends and a more urgent
 * update arrives (here a toast, in production mostly a response), so React discards the render. The SDK object that the
 * render created stays.
 */
function interruptFirstDrawingOfSdk(): void {
  let key: unknown;
  let online = true;
  const connected = (is: boolean): void => {
    online = is;
    window.dispatchEvent(new Event(is ? 'online' : 'offline'));
  };
  Object.defineProperty(navigator, 'onLine', { get: () => online });
  Object.defineProperty(window, '__clerk_publishable_key', {
    get: () => key,
    set: (value: unknown) => {
      const first = key === undefined;
      key = value;
      if (!first) return;
      const end = performance.now() + 50;
      while (performance.now() < end);
      connected(false);
      setTimeout(() => connected(true));
      Object.assign(window, { interrupted: true });
    },
  });
}
