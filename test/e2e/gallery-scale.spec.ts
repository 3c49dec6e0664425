import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type CDPSession, type Locator, type Page } from 'playwright-core';
import { signUp } from '../support/api-client.js';
import { FanBrowser } from '../support/fan-browser.js';
import { idle, resize } from '../support/idle.js';

jest.setTimeout(480_000);

const PICTURES = 2000;
/** Three blocks of 24 near the window, three around the focus. */
const MAX_TILES = 6 * 24;
/** Bounds with some room: a tile has 5 nodes and 2 listeners. */
const MAX_PER_TILE = { nodes: 8, listeners: 4 };

/** The owner of the gallery. Not featured, and removed at the end: other tests may use the same app. */
const CREATOR = { id: randomUUID(), username: 'scala' };

describe('a gallery of 2,000 pictures', () => {
  let fan: FanBrowser;

  beforeAll(async () => {
    fan = await FanBrowser.start();
    await fillGallery();
  });
  afterAll(async () => {
    if (!fan) return;
    await removeGallery();
    await fan.stop();
  });
  afterEach(() => fan.tidy());

  /** Adds the creator, with copies of the demo pictures that have their own ids and prompts. */
  async function fillGallery(): Promise<void> {
    await fan.database.query(
      `insert into creator
         (id, username, name, email, instagram, bio, profile, creator_status, is_featured, deployment_name,
          created_at, updated_at)
       select $2::uuid, $3::text, 'Scala Marlow', 'scala@fanvas.test', '@' || $3::text, bio, profile, 'active', false,
         'fanvas/' || $3::text, now(), now()
       from creator where id = $1`,
      [fan.creator.id, CREATOR.id, CREATOR.username],
    );
    await fan.database.query(
      `insert into gallery
       select (jsonb_populate_record(gallery, jsonb_build_object('creator_id', $2::uuid))).*
       from gallery where creator_id = $1`,
      [fan.creator.id, CREATOR.id],
    );
    await fan.database.query(
      `with picture as (
         select n, gen_random_uuid() as id, item.generation_id as source
         from generate_series(1, $3::int) as n
         join lateral (
           select generation_id from gallery_item where creator_id = $1 order by place
           offset n % (select count(*) from gallery_item where creator_id = $1) limit 1
         ) as item on true
       ), copied as (
         insert into generation
         select (jsonb_populate_record(generation, jsonb_build_object(
           'id', picture.id, 'prediction_id', null, 'creator_id', $2::uuid, 'prompt', 'Picture number ' || n))).*
         from picture join generation on generation.id = picture.source
         returning id
       )
       insert into gallery_item (creator_id, place, generation_id)
       select $2::uuid, 100000 + n, picture.id from picture join copied on copied.id = picture.id`,
      [fan.creator.id, CREATOR.id, PICTURES],
    );
  }

  async function removeGallery(): Promise<void> {
    for (const statement of [
      'delete from gallery_item where creator_id = $1',
      'delete from gallery where creator_id = $1',
      'delete from generation where creator_id = $1',
      'delete from creator where id = $1',
    ])
      await fan.database.query(statement, [CREATOR.id]);
  }

  const tiles = (page: Page) => page.locator('main li[aria-posinset]');
  const tile = (page: Page, number: number): Locator =>
    page.locator(`main li[aria-posinset="${number}"]`).getByRole('link', { name: `Picture number ${number}` });
  const top = (target: Locator): Promise<number> => target.evaluate((element) => element.getBoundingClientRect().top);
  const focused = (page: Page): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.closest('li')?.getAttribute('aria-posinset'));

  async function visit(width = 1280, { webFont = true } = {}): Promise<Page> {
    const page = await fan.open('/robots.txt', { visitor: true, width });
    if (!webFont) await page.route('**/*.woff2', (route) => route.abort());
    await page.goto(`${fan.app.url}/${CREATOR.username}`);
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

  it('[F2.34] renders a bounded number of tiles, leaks nothing, and moves the focus picture by picture with Tab', async () => {
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

    // The focus keeps its picture when that scrolls away.
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

  /** Scrolls through the gallery, whose rows have exactly the height that was reserved for them: nothing shifts. */
  async function expectStill(page: Page, columns: number, shiftsSince: 'load' | 'now'): Promise<void> {
    await page.evaluate((buffered) => {
      const seen: number[] = [];
      const note = (entry: PerformanceEntry) => seen.push((entry as unknown as { value: number }).value);
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(note));
      observer.observe({ type: 'layout-shift', buffered });
      Object.assign(window, { shifts: () => (observer.takeRecords().forEach(note), seen) });
    }, shiftsSince === 'load');
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
  }

  it('[F2.34] reserves the exact height of its rows at each width, and gives each picture its position', async () => {
    // When the web font arrives, text moves.
    const phone = await visit(390, { webFont: false });
    await expectStill(phone, 2, 'load');
    await scrollTo(phone, 0.5);
    const numbers = await tiles(phone).evaluateAll((items) => items.map((item) => Number(item.ariaPosInSet)));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const sizes = await tiles(phone).evaluateAll((items) => items.map((item) => item.ariaSetSize));
    expect(new Set(sizes)).toEqual(new Set([String(PICTURES)]));
    await phone.close();

    const page = await visit(1280, { webFont: false });
    await expectStill(page, 4, 'load');
    for (const [width, columns] of [
      [900, 3],
      [340, 1],
    ] as const) {
      await resize(page, { width, height: 900 });
      await settled(page);
      await expectStill(page, columns, 'now');
    }
  });

  it('[F2.37, F2.44, F2.55, F2.59] restores the position after Back, in the gallery and in My Creations', async () => {
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
      await page.waitForURL(`**/${CREATOR.username}`);
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

    // Twelve creations a page.
    const user = await signUp(fan.app.url, 'thirty-pictures@example.com', 'correct-horse-9');
    await fan.database.query(
      `update generation set user_id = $1
       where creator_id = $2 and prompt like 'Picture number 7__' and right(prompt, 2)::int < 30`,
      [user.userId, CREATOR.id],
    );
    const own = await fan.openAs(user, '/my-creations?page=2', { width: 390 });
    const cards = own.getByRole('region', { name: 'My Creations' }).getByRole('listitem').getByRole('link');
    await cards.nth(11).waitFor();
    await own.waitForFunction(() => document.fonts.status === 'loaded');
    expect(await cards.count()).toBe(12);
    await cards.nth(9).scrollIntoViewIfNeeded();
    const place = await top(cards.nth(9));
    const name = await cards.nth(9).getByRole('img').getAttribute('alt');
    for (const back of [() => own.goBack(), () => own.getByRole('link', { name: 'Back' }).click()]) {
      await cards.nth(9).click();
      await own.getByRole('heading', { level: 1, name: String(name) }).waitFor();
      await back();
      await own.waitForURL('**/my-creations?page=2');
      await own.waitForFunction(
        (alt) => document.activeElement?.querySelector('img')?.getAttribute('alt') === alt,
        name,
      );
      expect(Math.abs((await top(cards.nth(9))) - place)).toBeLessThan(2);
    }
  });
});
