import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type CDPSession, type Locator, type Page } from 'playwright-core';
import { accessibilityFaults } from '../support/axe.js';
import { FanBrowser } from '../support/fan-browser.js';
import { idle } from '../support/idle.js';

jest.setTimeout(180_000);

const PICTURES = 2000;
/** Three blocks of 24 near the window, three around the focus. */
const MAX_TILES = 6 * 24;
/** Bounds with some room: a tile has 5 nodes and 2 listeners. */
const MAX_PER_TILE = { nodes: 8, listeners: 4 };

describe('a gallery of 2,000 pictures', () => {
  let fan: FanBrowser;

  beforeAll(async () => {
    fan = await FanBrowser.start();
    await fillGallery();
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  /** Replaces the gallery with copies of the demo pictures that have their own ids and prompts. */
  async function fillGallery(): Promise<void> {
    await fan.database.query(
      `with picture as (
         select n, gen_random_uuid() as id, item.generation_id as source
         from generate_series(1, $2::int) as n
         join lateral (
           select generation_id from gallery_item where creator_id = $1 order by place
           offset n % (select count(*) from gallery_item where creator_id = $1) limit 1
         ) as item on true
       ), copied as (
         insert into generation
         select (jsonb_populate_record(generation, jsonb_build_object(
           'id', picture.id, 'prediction_id', null, 'prompt', 'Picture number ' || n))).*
         from picture join generation on generation.id = picture.source
         returning id
       ), emptied as (
         delete from gallery_item where creator_id = $1
       )
       insert into gallery_item (creator_id, place, generation_id)
       select $1, 100000 + n, picture.id from picture join copied on copied.id = picture.id`,
      [fan.creator.id, PICTURES],
    );
  }

  /** Makes the fan the owner of 30 pictures. */
  async function giveToFan(): Promise<void> {
    await fan.database.query(
      `update generation set user_id = $1 where prompt like 'Picture number 7__' and right(prompt, 2)::int < 30`,
      [(await fan.user()).userId],
    );
  }

  const tiles = (page: Page) => page.locator('main li[aria-posinset]');
  const tile = (page: Page, number: number): Locator =>
    page.locator(`main li[aria-posinset="${number}"]`).getByRole('link', { name: `Picture number ${number}` });
  const top = (target: Locator): Promise<number> => target.evaluate((element) => element.getBoundingClientRect().top);
  const focused = (page: Page): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.closest('li')?.getAttribute('aria-posinset'));

  async function visit(width = 1280): Promise<Page> {
    const page = await fan.open('/junoabara', { visitor: true, width });
    await tile(page, 1).waitFor();
    // The web font changes the layout of the page header.
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    // The hydrated page keeps room for the bar at its foot.
    await page.waitForFunction(() => document.documentElement.style.scrollPaddingBottom !== '');
    return page;
  }

  /** Scrolls to a share (0 to 1) of the page height and waits for the pictures there. */
  async function scrollTo(page: Page, share: number): Promise<void> {
    await page.evaluate((at) => {
      const { scrollHeight } = document.documentElement;
      window.scrollTo(0, at * (scrollHeight - window.innerHeight));
    }, share);
    await page.waitForFunction(() => {
      const { innerHeight, innerWidth } = window;
      // One of two points, because the other may be in the gap between two rows.
      const found = [0, 16].flatMap((down) => document.elementsFromPoint(innerWidth / 3, innerHeight / 3 + down));
      return found.some((element) => element.closest('li[aria-posinset], header, footer'));
    });
  }

  /** Waits until exactly the blocks near the window contain pictures. */
  async function settled(page: Page): Promise<void> {
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-block]')].every((block) => {
        const { top, bottom } = block.getBoundingClientRect();
        const away = Math.max(-window.innerHeight - bottom, top - 2 * window.innerHeight);
        return Math.abs(away) < 1 || (block.querySelector('li') !== null) === away < 0;
      }),
    );
  }

  /** Counts the DOM nodes and listeners of the page after a garbage collection. */
  async function countNodes(session: CDPSession): Promise<{ nodes: number; listeners: number }> {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const metric = (name: string): number => metrics.find((each) => each.name === name)?.value ?? NaN;
    return { nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
  }

  it('[F2.34] renders a bounded number of tiles and leaks nothing when scrolled up and down', async () => {
    const page = await visit();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const height = (): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);
    const fullHeight = await height();
    const upAndDown = async () => {
      const shares = [0, 0.1, 0.25, 0.4, 0.6, 0.8, 1];
      for (const share of [...shares, ...[...shares].reverse()]) {
        await scrollTo(page, share);
        if (share === 1) await tile(page, PICTURES).waitFor();
        expect(await tiles(page).count()).toBeLessThanOrEqual(MAX_TILES);
      }
      expect(await height()).toBe(fullHeight);
      await settled(page);
      return countNodes(session);
    };
    await upAndDown();
    const first = await upAndDown();
    const second = await upAndDown();
    // React may keep the previous render in addition to the current one. A leak would keep 2,000 tiles of each pass.
    expect(second.nodes - first.nodes).toBeLessThan(MAX_TILES * MAX_PER_TILE.nodes);
    expect(second.listeners - first.listeners).toBeLessThan(MAX_TILES * MAX_PER_TILE.listeners);
    expect(second.nodes).toBeLessThan(4000);
  });

  it.each([
    [1280, 4],
    [900, 3],
    [390, 2],
    [340, 1],
  ])('[F2.34] reserves the exact height of its rows at %i px in %i columns', async (width, columns) => {
    const page = await visit(width);
    await page.evaluate(() => {
      const seen: number[] = [];
      const note = (entry: PerformanceEntry) => seen.push((entry as unknown as { value: number }).value);
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(note));
      observer.observe({ type: 'layout-shift', buffered: true });
      Object.assign(window, { shifts: () => (observer.takeRecords().forEach(note), seen) });
    });
    for (const share of [0.3, 1, 0]) await scrollTo(page, share);
    await scrollTo(page, 1);
    await tile(page, PICTURES).waitFor();
    const differences = await page.locator('[data-block]').evaluateAll((blocks) =>
      blocks.flatMap((block) => {
        const list = block.querySelector('ul');
        return list ? [block.getBoundingClientRect().height - list.getBoundingClientRect().height] : [];
      }),
    );
    expect(differences.length).toBeGreaterThan(0);
    for (const difference of differences) expect(Math.abs(difference)).toBeLessThan(0.5);
    const list = page.locator('[data-block] ul').last();
    expect(await list.evaluate((ul) => getComputedStyle(ul).gridTemplateColumns.split(' ').length)).toBe(columns);
    await idle(page);
    expect(await page.evaluate(() => (window as unknown as { shifts: () => number[] }).shifts())).toEqual([]);
  });

  it('moves the focus picture by picture with Tab, and keeps it when the picture scrolls away', async () => {
    const page = await visit();
    await tile(page, 1).focus();
    for (let number = 2; number <= 60; number += 1) {
      // Tab must not overtake the loading of the pictures next to the focus.
      await tile(page, number).waitFor({ state: 'attached' });
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe(String(number));
    }
    await scrollTo(page, 1);
    await tile(page, PICTURES).waitFor();
    expect(await focused(page)).toBe('60');
    expect(await tiles(page).count()).toBeLessThanOrEqual(MAX_TILES);
    await tile(page, 61).waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('61');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('59');
    expect(await tile(page, 59).isVisible()).toBe(true);
  });

  it('gives each picture its position and the total for screen readers', async () => {
    const page = await visit(390);
    await scrollTo(page, 0.5);
    const numbers = await tiles(page).evaluateAll((items) => items.map((item) => Number(item.ariaPosInSet)));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(await tiles(page).evaluateAll((items) => items.map((item) => item.ariaSetSize)))).toEqual(
      new Set([String(PICTURES)]),
    );
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('[F2.37, F2.44] restores the position after Back of the browser and of the page', async () => {
    const page = await visit();
    await scrollTo(page, 0.6);
    const opened = await tiles(page).evaluateAll((items) => {
      const inside = items.find((item) => item.getBoundingClientRect().top > 100);
      return Number(inside?.ariaPosInSet);
    });
    const before = await top(tile(page, opened));
    const open = async (): Promise<void> => {
      await tile(page, opened).click();
      await page.waitForURL('**/generate/**');
      await page.getByRole('button', { name: 'View the image full screen' }).waitFor();
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
    };
    const expectRestored = async (): Promise<void> => {
      await page.waitForURL('**/junoabara');
      await page.waitForFunction(
        (number) => document.activeElement?.closest('li')?.getAttribute('aria-posinset') === number,
        String(opened),
      );
      expect(Math.abs((await top(tile(page, opened))) - before)).toBeLessThan(2);
    };

    await open();
    await page.goBack();
    await expectRestored();
    await open();
    await page.getByRole('button', { name: 'Next picture' }).click();
    await page.getByRole('link', { name: 'Back' }).click();
    await expectRestored();

    // Any other navigation to the page starts at the top.
    await page.getByRole('link', { name: 'Fanvas, home' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create Official Fan Art with AI' }).waitFor();
    await page.goBack();
    await tile(page, 1).waitFor();
    await settled(page);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });

  it('[F2.55, F2.59] shows twelve creations a page and restores the position after Back in My Creations', async () => {
    await giveToFan();
    const page = await fan.open('/my-creations?page=2', { width: 390 });
    const cards = page.getByRole('region', { name: 'My Creations' }).getByRole('listitem').getByRole('link');
    await cards.nth(11).waitFor();
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    expect(await cards.count()).toBe(12);
    await cards.nth(9).scrollIntoViewIfNeeded();
    const before = await top(cards.nth(9));
    const name = await cards.nth(9).getByRole('img').getAttribute('alt');
    for (const back of [() => page.goBack(), () => page.getByRole('link', { name: 'Back' }).click()]) {
      await cards.nth(9).click();
      await page.getByRole('heading', { level: 1, name: String(name) }).waitFor();
      await back();
      await page.waitForURL('**/my-creations?page=2');
      await page.waitForFunction(
        (alt) => document.activeElement?.querySelector('img')?.getAttribute('alt') === alt,
        name,
      );
      expect(Math.abs((await top(cards.nth(9))) - before)).toBeLessThan(2);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
