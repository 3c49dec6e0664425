import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { type GalleryItem, type PublicCreator } from '../../src/contract/gallery.js';
import { STATIC_PAGES } from '../../src/gallery/static-pages.js';
import { rpc } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { accessibilityFaults } from '../support/axe.js';
import { launchBrowser } from '../support/chromium.js';
import { seededData } from '../support/seeded-data.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
/** The code of the app, which the small entry loads. */
const CODE = '**/assets/app-*.js';
const TEXTS = [...STATIC_PAGES.keys()].filter((path) => path !== '/');

describe('drawn pages', () => {
  let app: AppProcess;
  let browser: Browser;
  let dataDir: string;
  let paths: string[];
  let prompt: string;

  beforeAll(async () => {
    dataDir = await seededData();
    app = await startApp({ dataDir, port: await freePort(), env: { SANDBOX_DEMO: 'small' } });
    browser = await launchBrowser();
    const creator = await rpc<PublicCreator>(app.url, 'get_public_creator_by_username', { p_username: 'junoabara' });
    const gallery = { p_creator_id: creator.body.id };
    const [item] = (await rpc<GalleryItem[]>(app.url, 'get_gallery_generations_public', gallery)).body;
    prompt = item?.prompt ?? '';
    paths = ['/', '/junoabara', `/junoabara/generate/${item?.id}`];
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Opens a page, and collects what its console and its policy complain about. */
  async function open(path: string, options: BrowserContextOptions): Promise<{ page: Page; faults: string[] }> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(app.url + path, { waitUntil: 'load' });
    return { page, faults };
  }

  const brokenPictures = (page: Page): Promise<number> =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('main img')].filter(
          (image) => image.getBoundingClientRect().top < innerHeight && getComputedStyle(image).opacity !== '1',
        ).length,
    );

  it.each([PHONE, DESKTOP])('shows texts, links and pictures without JavaScript at $width px', async (viewport) => {
    for (const path of paths) {
      const { page, faults } = await open(path, { viewport, javaScriptEnabled: false });
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.locator('main a[href^="/"]').count()).toBeGreaterThan(0);
      expect(await page.locator('main picture img').first().isVisible()).toBe(true);
      // Nothing that needs scripts: the button around the picture shows it.
      const controls = page.locator('button:not(:has(img)), input, textarea').filter({ visible: true });
      expect([path, await controls.count()]).toEqual([path, 0]);
      // Not by its text: Playwright's text locators leave out noscript elements.
      expect(await page.locator('body > noscript p').isVisible()).toBe(true);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it.each([PHONE, DESKTOP])('shows the pages of help and law without JavaScript at $width px', async (viewport) => {
    for (const path of TEXTS) {
      const { page, faults } = await open(path, { viewport, javaScriptEnabled: false });
      expect((await page.locator('main').innerText()).length).toBeGreaterThan(500);
      const controls = page.locator('button, input, textarea').filter({ visible: true });
      expect([path, await controls.count(), faults]).toEqual([path, 0, []]);
      await page.context().close();
    }
  });

  it('opens an answer of the FAQ without JavaScript', async () => {
    const { page } = await open('/faq', { viewport: PHONE, javaScriptEnabled: false });
    await page.getByText('What is Fanvas?').click();
    await page.getByText('A place to make fan art').waitFor();
    await page.context().close();
  });

  it('hydrates the pages of help and law without a complaint', async () => {
    for (const path of TEXTS) {
      const { page, faults } = await open(path, { viewport: PHONE });
      const heading = await page.getByRole('heading', { level: 1 }).elementHandle();
      // Only a hydrated page has the button of the search.
      await page.getByRole('button', { name: 'Search creators' }).waitFor();
      expect([path, faults, await heading?.evaluate((element) => element.isConnected)]).toEqual([path, [], true]);
      await page.context().close();
    }
  });

  it('shows all creators side by side from the gutter on, without JavaScript', async () => {
    const { page } = await open('/', { viewport: DESKTOP, javaScriptEnabled: false });
    const cards = await page.locator('[data-card]').all();
    const boxes = await Promise.all(cards.map((card) => card.boundingBox()));
    expect(boxes.length).toBeGreaterThan(1);
    expect(Math.abs((boxes[0]?.x ?? 0) - 32)).toBeLessThan(1);
    expect(boxes.filter((box) => !box || box.x < 0 || box.x + box.width > DESKTOP.width)).toEqual([]);
    await page.context().close();
  });

  it('links a creator to a picture and its prompt without JavaScript', async () => {
    const { page } = await open('/', { viewport: PHONE, javaScriptEnabled: false });
    await page.getByRole('link', { name: /Juno Abara/ }).click();
    await page.locator('main a[href*="/generate/"]').first().click();
    await page.getByRole('heading', { level: 1, name: prompt }).waitFor();
    await page.context().close();
  });

  it('links to the home page from a form, which needs JavaScript', async () => {
    const { page } = await open('/sign-up', { viewport: PHONE, javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create Official Fan Art with AI' }).waitFor();
    await page.context().close();
  });

  it.each([PHONE, DESKTOP])(
    'hydrates each page at $width px without a complaint or a call for its data',
    async (viewport) => {
      for (const path of paths) {
        const calls: string[] = [];
        const context = await browser.newContext({ viewport });
        const page = await context.newPage();
        const faults: string[] = [];
        page.on('request', (request) => {
          if (/\/rest\/|\/events\//.test(request.url())) calls.push(request.url());
        });
        page.on('console', (message) => {
          if (message.type() === 'error') faults.push(message.text());
        });
        page.on('pageerror', (error) => faults.push(error.message));
        await page.goto(app.url + path);
        const drawn = await page.locator('main img').first().elementHandle();
        // Only a hydrated page has the prompt bar, and on wide screens the arrows.
        const button = path === '/' ? 'Menu' : /^(Generate|Create)/;
        if (path !== '/' || viewport === PHONE) await page.getByRole('button', { name: button }).first().waitFor();
        await page.waitForFunction(() => (window as { Clerk?: { loaded: boolean } }).Clerk?.loaded === true);
        expect([path, calls, faults]).toEqual([path, [], []]);
        expect(await brokenPictures(page)).toBe(0);
        // The picture that was drawn is still the same element.
        expect(await drawn?.evaluate((element) => element.isConnected)).toBe(true);
        expect(await accessibilityFaults(page)).toEqual([]);
        await context.close();
      }
    },
  );

  it('does not load the styles again that a drawn page contains', async () => {
    for (const path of paths) {
      const context = await browser.newContext({ viewport: PHONE });
      const page = await context.newPage();
      const styles: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'stylesheet') styles.push(request.url());
      });
      // On a busy machine the data of a page may be late: then the browser draws it.
      const isDrawn = async (): Promise<boolean> =>
        (await (await fetch(app.url + path)).text()).includes('.css" disabled');
      await until(isDrawn, 'the drawn page');
      await page.goto(app.url + path);
      await page.waitForFunction(() => document.querySelector('[data-s]') === null);
      await page.waitForLoadState('networkidle');
      expect([path, styles]).toEqual([path, []]);
      await context.close();
    }
  });

  it('hides a dismissed offer even before the scripts run', async () => {
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Dismiss the offer' }).click();
    await page.getByText('30 free credits').waitFor({ state: 'detached' });
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    expect(await page.getByText('30 free credits').isVisible()).toBe(false);
    await context.close();
  });

  it('shows neither the offer nor the sign-in links in any frame to a person who has a session', async () => {
    const context = await browser.newContext({ viewport: PHONE });
    await context.addCookies([
      { name: 'fanvas.visitor', value: 'known', url: app.url },
      { name: '__session', value: 'one', url: app.url },
    ]);
    // The identity SDK would say that this session is no session.
    await context.route('**/clerk.browser.js*', () => undefined);
    const page = await context.newPage();
    await page.addInitScript(() => {
      const seen = new Set<string>();
      const look = (): void => {
        for (const name of ['data-offer', 'data-sign-in'])
          if (document.querySelector(`[${name}]`)?.checkVisibility({ visibilityProperty: true })) seen.add(name);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      Object.assign(window, { seen });
    });
    await page.goto(app.url);
    await page.waitForFunction(() => document.documentElement.dataset['visitor'] === undefined);
    // The next frame shows what the components draw.
    const seen = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve([...(window as unknown as { seen: Set<string> }).seen])),
          );
        }),
    );
    expect(seen).toEqual([]);
    await context.close();
  });

  it('draws the pages in the browser that the server does not draw', async () => {
    for (const path of ['/sign-in', '/credits', '/my-creations', '/admin']) {
      const { page, faults } = await open(path, { viewport: PHONE });
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      expect([path, faults]).toEqual([path, []]);
      await page.context().close();
    }
  });

  /** Opens a drawn page whose code comes when the returned function is called. */
  async function openWithoutCode(path: string): Promise<{ page: Page; release: () => void }> {
    const page = await (await browser.newContext({ viewport: PHONE })).newPage();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(CODE, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(app.url + path, { waitUntil: 'domcontentloaded' });
    return { page, release };
  }

  it('keeps a press of a button until the code of the page runs', async () => {
    for (const path of paths) {
      const { page, release } = await openWithoutCode(path);
      await page.getByRole('button', { name: 'Menu' }).click();
      expect(await page.getByRole('dialog').count()).toBe(0);
      release();
      await page.getByRole('dialog').waitFor();
      await page.context().close();
    }
  });

  it('counts a press that ends when the bar for prompts has covered the button on which it began', async () => {
    const { page, release } = await openWithoutCode(paths[2] ?? '');
    const report = page.getByRole('button', { name: 'Report' });
    await report.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    const box = await report.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) / 2];
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
    await page.context().close();
  });

  it('leaves a drawn page readable when its code cannot be loaded, and shows an error on other pages', async () => {
    const page = await (await browser.newContext({ viewport: PHONE })).newPage();
    let failures = 0;
    page.on('console', (message) => {
      if (message.text().startsWith('The code of the page could not be loaded')) failures += 1;
    });
    await page.route(CODE, (route) => route.abort());
    await page.goto(app.url);
    // It is reloaded once, because the server may have newer code.
    await until(() => failures === 2);
    await page.getByRole('link', { name: /Juno Abara/ }).click();
    await page.waitForURL('**/junoabara');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${app.url}/sign-in`);
    await page.getByRole('alert').getByText('This page could not be loaded.').waitFor();
    await page.context().close();
  });
});
