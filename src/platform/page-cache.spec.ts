import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Drawn, PageCache } from './page-cache.js';

describe('PageCache', () => {
  let draws: string[];
  let pages: PageCache<string>;
  let finish: (() => void)[];
  let shows: readonly string[] | null;

  beforeEach(() => {
    [draws, finish, shows] = [[], [], ['creator:1']];
    pages = new PageCache(2);
    pages.follow(true);
  });

  const ask = (key: string): Promise<string> =>
    pages.get(
      key,
      () =>
        new Promise<Drawn<string>>((resolve) => {
          draws.push(key);
          const page = `${key} ${draws.length}`;
          finish.push(() => resolve({ page, shows }));
        }),
    );

  const tick = () => new Promise((resolve) => setImmediate(resolve));
  /** Ends the running drawings. */
  const end = async (): Promise<void> => {
    finish.splice(0).forEach((done) => done());
    await tick();
  };
  const get = async (path: string): Promise<string> => {
    const page = ask(path);
    await end();
    return page;
  };

  it('draws a page once for a burst of visitors, and keeps it', async () => {
    const burst = Array.from({ length: 50 }, () => ask('/a'));
    await end();
    expect(new Set(await Promise.all(burst))).toEqual(new Set(['/a 1']));
    expect(await get('/a')).toBe('/a 1');
    expect(draws).toEqual(['/a']);
  });

  it('draws a page again when something that it shows has changed, and no other page', async () => {
    await get('/a');
    shows = ['creator:2'];
    await get('/b');
    pages.forget('creator:1');
    expect([await get('/a'), await get('/b')]).toEqual(['/a 3', '/b 2']);
  });

  it('draws again when the change arrives during the drawing', async () => {
    const page = ask('/a');
    pages.forget('creator:1');
    pages.forget('creator:9');
    await end();
    await end();
    expect(await page).toBe('/a 2');
    expect(await get('/a')).toBe('/a 2');
  });

  it('returns a page without keeping it when changes keep arriving', async () => {
    const page = ask('/a');
    for (let draw = 0; draw < 3; draw += 1) {
      pages.forget('creator:1');
      await end();
    }
    expect(await page).toBe('/a 3');
    expect(await get('/a')).toBe('/a 4');
  });

  it('draws each request while changes are not announced, and forgets everything when they are again', async () => {
    await get('/a');
    pages.follow(false);
    expect([await get('/a'), await get('/a')]).toEqual(['/a 2', '/a 3']);
    pages.follow(true);
    expect([await get('/a'), await get('/a')]).toEqual(['/a 4', '/a 4']);
  });

  it('does not keep a page that was drawn while the announcements began', async () => {
    pages.follow(false);
    const page = ask('/a');
    pages.follow(true);
    await end();
    expect([await page, await get('/a')]).toEqual(['/a 1', '/a 2']);
  });

  it('knows which pages it keeps, and none while changes are not announced', async () => {
    await get('/a');
    expect([pages.has('/a'), pages.has('/b')]).toEqual([true, false]);
    pages.follow(false);
    expect(pages.has('/a')).toBe(false);
  });

  it('drops the page that was used least recently', async () => {
    for (const path of ['/a', '/b', '/a', '/c']) await get(path);
    expect([await get('/a'), await get('/c'), await get('/b')]).toEqual(['/a 1', '/c 3', '/b 4']);
  });

  it('keeps shared pages under many keys, without room for others, until they are outdated', async () => {
    await get('/a');
    for (const key of ['/x', '/y', '/z']) {
      await pages.get(key, () => Promise.resolve({ page: 'shared', shows: ['creators'], shared: true }));
    }
    expect(['/a', '/x', '/y', '/z'].map((key) => pages.has(key))).toEqual([true, true, true, true]);
    pages.forget('creators');
    expect(['/a', '/x', '/y', '/z'].map((key) => pages.has(key))).toEqual([true, false, false, false]);
  });

  it('keeps no page without names, and none whose drawing failed', async () => {
    shows = null;
    await get('/a');
    expect(await get('/a')).toBe('/a 2');
    const broken = () => pages.get('/b', () => Promise.reject(new Error('broken')));
    await expect(broken()).rejects.toThrow('broken');
    await expect(broken()).rejects.toThrow('broken');
  });
});
