import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { STATIC_PAGES } from '../../src/gallery/static-pages.js';
import { accessibilityFaults } from '../support/axe.js';
import { expectNoOutsideRequests } from '../support/chromium.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';
import { until } from '../support/until.js';

jest.setTimeout(480_000);

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
/** The code of the app, which the small entry loads. */
const CODE = '**/assets/app-*.js';
/** Phones get the identity SDK this long after the load (`when-idle.ts`). main-job.spec.ts waits for it. */
const IDENTITY_SDK_DELAY_MS = 5_000;
const TEXTS = [...STATIC_PAGES.keys()].filter((path) => path !== '/');

describe('drawn pages', () => {
  let fan: FanBrowser;
  let paths: string[];
  let prompt: string;

  useFanBrowser(async (started) => {
    fan = started;
    const [item] = await fan.gallery();
    prompt = item?.prompt ?? '';
    paths = ['/', '/junoabara', `/junoabara/generate/${item?.id}`];
    // On a busy machine the data of a page may be late: then the browser draws it.
    for (const path of [...paths, ...TEXTS]) {
      await until(async () => (await (await fetch(fan.app.url + path)).text()).includes('.css" disabled'), path);
    }
  });

  /** A visitor's tab without a page, which notes what its pages request and complain about. */
  async function watchedTab(width: number) {
    const page = await fan.open('/robots.txt', { visitor: true, width, shortenedDelaysMs: [IDENTITY_SDK_DELAY_MS] });
    const faults = faultsOf(page);
    const calls: string[] = [];
    const styles: string[] = [];
    page.on('request', (request) => {
      if (/\/rest\/|\/events\//.test(request.url())) calls.push(request.url());
      if (request.resourceType() === 'stylesheet') styles.push(request.url());
    });
    const open = async (path: string): Promise<void> => {
      for (const seen of [faults, calls, styles]) seen.length = 0;
      await page.goto(fan.app.url + path);
    };
    return { page, faults, calls, styles, open };
  }

  function faultsOf(page: Page): string[] {
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    return faults;
  }

  it('shows the public pages without JavaScript, on a phone and on a desktop, and links from one to the next', async () => {
    const browser = (await fan.open('/robots.txt', { visitor: true })).context().browser();
    const context = await browser!.newContext({ viewport: PHONE, javaScriptEnabled: false });
    const page = await context.newPage();
    const faults = faultsOf(page);
    for (const path of [...paths, ...TEXTS]) {
      await page.goto(fan.app.url + path);
      for (const viewport of [PHONE, DESKTOP]) {
        await page.setViewportSize(viewport);
        // Nothing that needs scripts: the button around the picture shows it.
        const controls = page.locator('button:not(:has(img)), input, textarea').filter({ visible: true });
        expect([path, await controls.count(), faults]).toEqual([path, 0, []]);
        if (TEXTS.includes(path)) {
          expect((await page.locator('main').innerText()).length).toBeGreaterThan(500);
          continue;
        }
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
        expect(await page.locator('main a[href^="/"]').count()).toBeGreaterThan(0);
        expect(await page.locator('main picture img').first().isVisible()).toBe(true);
        // Not by its text: Playwright's text locators leave out noscript elements.
        expect(await page.locator('body > noscript p').isVisible()).toBe(true);
      }
      if (path === '/faq') {
        await page.getByText('What is Fanvas?').click();
        await page.getByText('A place to make fan art').waitFor();
      }
      if (path !== '/') continue;
      // All creators are side by side, from the gutter on.
      const cards = await page.locator('[data-card]').all();
      const boxes = await Promise.all(cards.map((card) => card.boundingBox()));
      expect(boxes.length).toBeGreaterThan(1);
      expect(Math.abs((boxes[0]?.x ?? 0) - 32)).toBeLessThan(1);
      expect(boxes.filter((box) => !box || box.x < 0 || box.x + box.width > DESKTOP.width)).toEqual([]);
    }
    // The icons, the manifest and the cards that a head names are files of the right type.
    const type = async (path: string): Promise<string> => {
      const response = await fetch(fan.app.url + path);
      await response.arrayBuffer();
      return `${response.status} ${response.headers.get('content-type') ?? ''}`;
    };
    const linked = await page
      .locator('head > :is(link[rel=icon], link[rel=apple-touch-icon], link[rel=manifest])')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const icons = ['/favicon.ico', '/favicon.svg', '/icons/apple-touch.png', '/icons/manifest.webmanifest'];
    expect(linked).toEqual(icons);
    for (const path of icons) expect(await type(path)).toMatch(/^200 /);
    const manifest = (await (await fetch(`${fan.app.url}/icons/manifest.webmanifest`)).json()) as {
      readonly icons: readonly { readonly src: string }[];
    };
    for (const { src } of manifest.icons) expect(await type(src)).toBe('200 image/png');
    for (const path of ['/', '/junoabara']) {
      const head = await (await fetch(fan.app.url + path)).text();
      const card = /<meta property="og:image" content="([^"]*)"/.exec(head)?.[1] ?? '';
      expect(await type(new URL(card).pathname)).toBe('200 image/jpeg');
    }

    // From a form, which needs JavaScript, to a creator and to a picture with its prompt.
    await page.setViewportSize(PHONE);
    await page.goto(`${fan.app.url}/sign-up`);
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create Official Fan Art with AI' }).waitFor();
    await page.getByRole('link', { name: /Juno Abara/ }).click();
    await page.locator('main a[href*="/generate/"]').first().click();
    await page.getByRole('heading', { level: 1, name: prompt }).waitFor();
    expectNoOutsideRequests(context);
    await context.close();
  });

  it('hydrates each page without a complaint, and without a call for its data or its styles', async () => {
    const phone = await watchedTab(PHONE.width);
    for (const path of TEXTS) {
      await phone.open(path);
      const drawn = await phone.page.getByRole('heading', { level: 1 }).elementHandle();
      // Only a hydrated page has the button of the search.
      await phone.page.getByRole('button', { name: 'Search creators' }).waitFor();
      expect([path, phone.faults, await drawn?.evaluate(({ isConnected }) => isConnected)]).toEqual([path, [], true]);
    }
    for (const tab of [phone, await watchedTab(DESKTOP.width)]) {
      const { page, faults, calls, styles } = tab;
      for (const path of paths) {
        await tab.open(path);
        const drawn = await page.locator('main img').first().elementHandle();
        // Only a hydrated page has the prompt bar, or the arrows on wide screens.
        const button = path !== '/' ? /^(Generate|Create)/ : tab === phone ? 'Menu' : 'Next creator';
        await page.getByRole('button', { name: button }).first().waitFor();
        await page.waitForFunction(() => document.querySelector('[data-s]') === null);
        if (tab === phone) {
          await page.waitForFunction(() => (window as { Clerk?: { loaded: boolean } }).Clerk?.loaded === true);
        }
        expect({ path, calls, styles, faults }).toEqual({ path, calls: [], styles: [], faults: [] });
        // Only the browser draws the copies of a row, which are inert and fade in.
        const broken = await page.evaluate(
          () =>
            [...document.querySelectorAll('main img')].filter(
              (image) =>
                !image.closest('[inert]') &&
                image.getBoundingClientRect().top < innerHeight &&
                getComputedStyle(image).opacity !== '1',
            ).length,
        );
        // The picture that was drawn is shown, and still the same element.
        expect([broken, await drawn?.evaluate(({ isConnected }) => isConnected)]).toEqual([0, true]);
        // The creator page is checked in creator-controls.spec.ts.
        if (tab === phone && path !== paths[1]) expect(await accessibilityFaults(page)).toEqual([]);
      }
    }
    // The browser draws the pages that the server does not draw. These two end at the one for signing in.
    for (const path of ['/my-creations', '/admin']) {
      await phone.open(path);
      await phone.page.getByRole('heading', { level: 1 }).first().waitFor();
      expect([path, phone.faults]).toEqual([path, []]);
    }
  });

  it('shows the offer in no frame to a visitor who has dismissed it, or to a fan, who sees no sign-in links', async () => {
    const page = await fan.open('/', { visitor: true, width: PHONE.width });
    const offer = page.getByText('30 free credits');
    await page.getByRole('button', { name: 'Dismiss the offer' }).click();
    await offer.waitFor({ state: 'detached' });
    // Even before the scripts run.
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    expect(await offer.isVisible()).toBe(false);

    const own = await fan.open('/robots.txt', { width: PHONE.width });
    const cookies = await own.context().cookies();
    expect(cookies.find(({ name }) => name === 'fanvas.visitor')?.value).toBe('known');
    await own.addInitScript(() => {
      const seen = new Set<string>();
      const look = (): void => {
        for (const name of ['data-offer', 'data-sign-in'])
          if (document.querySelector(`[${name}]`)?.checkVisibility({ visibilityProperty: true })) seen.add(name);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      Object.assign(window, { seen });
    });
    await own.goto(fan.app.url);
    await own.getByRole('button', { name: /^\d+ credits$/ }).waitFor();
    expect(await own.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])).toEqual([]);
  });

  it('keeps what is pressed until the code of the page runs, and stays readable when it cannot be loaded', async () => {
    const page = await fan.open('/robots.txt', { visitor: true, width: PHONE.width });
    /** Opens a drawn page whose code comes when the returned function is called. */
    const openWithoutCode = async (path: string): Promise<() => void> => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.unroute(CODE);
      await page.route(CODE, async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(fan.app.url + path, { waitUntil: 'domcontentloaded' });
      return release;
    };

    for (const path of paths) {
      const release = await openWithoutCode(path);
      await page.getByRole('button', { name: 'Menu' }).click();
      expect(await page.getByRole('dialog').count()).toBe(0);
      release();
      await page.getByRole('dialog').waitFor();
    }

    // A press counts that ends when the bar for prompts has covered the button on which it began.
    const release = await openWithoutCode(paths[2] ?? '');
    const report = page.getByRole('button', { name: 'Report' });
    await report.waitFor();
    // The web font changes the layout of the page.
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    await report.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    const box = await report.boundingBox();
    const x = (box?.x ?? 0) + 20;
    const y = (box?.y ?? 0) + (box?.height ?? 0) / 2;
    await page.mouse.move(x, y);
    await page.mouse.down();
    release();
    await page
      .getByRole('button', { name: /^(Generate|Create)/ })
      .first()
      .waitFor();
    const covered = await page.evaluate(
      ([left = 0, top = 0]) => document.elementFromPoint(left, top)?.closest('button')?.textContent !== 'Report',
      [x, y],
    );
    expect(covered).toBe(true);
    await page.mouse.up();
    await page.waitForURL('**/sign-in**');

    let failures = 0;
    page.on('console', (message) => {
      if (message.text().startsWith('The code of the page could not be loaded')) failures += 1;
    });
    await page.unroute(CODE);
    await page.route(CODE, (route) => route.abort());
    await page.goto(fan.app.url);
    // It is reloaded once, because the server may have newer code.
    await until(() => failures === 2);
    await page.getByRole('link', { name: /Juno Abara/ }).click();
    await page.waitForURL('**/junoabara');
    await page.getByRole('heading', { level: 1 }).waitFor();
    // A page that the browser draws has nothing else to show.
    await page.goto(`${fan.app.url}/sign-in`);
    await page.getByRole('alert').getByText('This page could not be loaded.').waitFor();
  });
});
