import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type GalleryItem, type PublicCreator } from '../../src/contract/gallery.js';
import { createPool } from '../../src/platform/database/pool.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { rpc, signIn, signUp } from '../support/api-client.js';
import { DESKTOP, engines, openPlace, PHONE, type Place } from './place.js';
import { type Visitor } from './visitor.js';

jest.setTimeout(1_800_000);

/** Every page of the areas with a list. `:` is a link that the page before it has to the first of its list. */
const AREAS: readonly (readonly [email: string, paths: readonly string[]])[] = [
  [
    'admin@fanvas.test',
    [
      '/admin',
      '/admin/reports',
      '/admin/reports?queue=decided',
      '/admin/applications',
      '/admin/revenue-management',
      '/admin/model-deletions',
      '/admin/users',
      '/admin/gallery',
      '/admin/gallery/junoabara',
      '/admin/log',
    ],
  ],
  ['auditor@fanvas.test', ['/audit', '/audit/find', '/audit/seals', '/audit/verification', '/audit/export']],
  [
    'finance@fanvas.test',
    [
      '/finance',
      '/finance/payouts',
      '/finance/reconciliation',
      '/finance/deferred',
      '/finance/creators',
      '/finance/balance',
      '/finance/exports',
      '/finance/entries',
      '/finance/find',
    ],
  ],
];
/** More users and acts than one page shows. */
const MORE_USERS = 13;
const MORE_ACTS = 60;

/** Marks that the page is drawn: its heading, and nothing that loads. */
const isDrawn = (): boolean =>
  document.querySelector('main h1') !== null && document.querySelector('[aria-busy="true"]') === null;

/**
 * Runs in the page: marks the rows of its lists that have a control, and returns where the control leads. A row that is
 * as large as its control is clicked in its middle, another one on its control.
 */
function markRows(): { readonly mark: string; readonly href: string | null }[] {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr, main li, main article')].filter(
    (row) => row.checkVisibility() && row.querySelector('tr, li') === null && row.closest('nav') === null,
  );
  return rows.flatMap((row, index) => {
    const control =
      row.querySelector<HTMLElement>('[data-row]') ??
      [...row.querySelectorAll<HTMLElement>('a[href^="/"], button[aria-expanded], button[aria-current]')].at(0);
    if (!control || control.matches('[target="_blank"], [download], [href^="/ledger/"]')) return [];
    const covers = getComputedStyle(control, '::after').position === 'absolute';
    (covers ? row : control).dataset['mark'] = String(index);
    control.dataset['control'] = String(index);
    return [{ mark: String(index), href: control.getAttribute('href') }];
  });
}

/** Runs in the page: the state that the control of a row shows. */
const stateOf = (mark: string): string | null => {
  const control = document.querySelector(`[data-control="${mark}"]`);
  return control && ['aria-expanded', 'aria-current', 'aria-selected'].map((name) => control.getAttribute(name)).join();
};

describe('the work areas in other browsers', () => {
  let place: Place;
  let postgres: EmbeddedPostgres;
  let database: ReturnType<typeof createPool>;

  beforeAll(async () => {
    place = await openPlace({ pastMonths: 3 });
    postgres = await startEmbeddedPostgres({ folder: join(place.dataDir, 'postgres'), database: 'fanvas' });
    database = createPool(postgres.url, { max: 1 });
    const { body: creator } = await rpc<PublicCreator>(place.url, 'get_public_creator_by_username', {
      p_username: 'junoabara',
    });
    const { body: pictures } = await rpc<GalleryItem[]>(place.url, 'get_gallery_generations_public', {
      p_creator_id: creator.id,
    });
    for (let index = 0; index < MORE_USERS; index += 1) {
      const email = `one-of-many-${index}@example.com`;
      const user = await signUp(place.url, email, 'correct-horse-9');
      const picture = pictures[index];
      if (!picture) continue;
      const report = { p_generation_id: picture.id, p_reason: 'minors', p_note: 'A child.' };
      const application = { p_email: email, p_name: `Ann ${index}`, p_instagram: `@ann${index}`, p_terms_agreed: true };
      expect((await user.rpc('report_generation', report)).status).toBe(200);
      expect((await user.rpc('create_creator_by_jwt', application)).status).toBe(200);
    }
    // Numbers below those of the product's own acts
    await database.query(
      `insert into admin_act (id, number, body, hash)
       select id, -n, (body || jsonb_build_object('id', id, 'number', -n))::text, hash
       from (select body::jsonb as body, hash from admin_act where closes is null and undoes is null limit 1) act,
         (select gen_random_uuid() as id, n from generate_series(1, $1::integer) n) copy`,
      [MORE_ACTS],
    );
  });
  afterAll(async () => {
    await database?.end();
    await postgres?.stop();
    await place?.close();
  });

  const openPage = async (visitor: Visitor, path: string): Promise<void> => {
    // The limits are for people, who click more slowly.
    await database.query('delete from rate_limit');
    await visitor.open(path);
    await visitor.until(`the page ${path}`, () => visitor.see(isDrawn));
  };

  /** Clicks the first row and one in the middle. Each opens itself. */
  async function clickRows(visitor: Visitor, path: string): Promise<number> {
    const rows = await visitor.see(markRows);
    const chosen = [...new Set([rows[0], rows[Math.floor(rows.length / 2)]])].filter((row) => row !== undefined);
    for (const { mark } of chosen) {
      await openPage(visitor, path);
      // A link may hold the time of its page.
      const { href } = await visitor.until('the same rows', async () =>
        (await visitor.see(markRows)).find((row) => row.mark === mark),
      );
      const before = await visitor.see(stateOf, mark);
      await visitor.click(`[data-mark="${mark}"]`);
      await visitor.until(`the row ${mark} of ${path}, ${href ?? 'which unfolds'}`, async () =>
        href
          ? (await visitor.path()) === href
          : (await visitor.see(stateOf, mark)) !== before || /true/.test(before ?? ''),
      );
    }
    return chosen.length;
  }

  /** Presses every filter and every tab. */
  async function clickFilters(visitor: Visitor, path: string): Promise<number> {
    await openPage(visitor, path);
    const filters = 'main [aria-pressed], main [role="tab"], main [role="radio"]';
    const names = await visitor.see(
      (selector) => [...document.querySelectorAll<HTMLElement>(selector)].map((each) => each.innerText.trim()),
      filters,
    );
    const state = (name: string) =>
      visitor.see(
        (selector, wanted) => {
          const found = [...document.querySelectorAll<HTMLElement>(selector)].find((each) =>
            each.innerText.trim().startsWith(wanted),
          );
          return ['aria-pressed', 'aria-selected', 'aria-checked'].map((key) => found?.getAttribute(key)).join();
        },
        filters,
        name,
      );
    for (const name of names) {
      await openPage(visitor, path);
      const before = await state(name);
      if (before.includes('true') || name === '') continue;
      await visitor.click(filters, new RegExp(`^${name.replace(/[^\w ]/g, '.')}`));
      await visitor.until(`the filter ${name} of ${path}`, async () => (await state(name)).includes('true'));
    }
    return names.length;
  }

  /** Turns to the next page, where there is one. */
  async function turnPage(visitor: Visitor, path: string): Promise<number> {
    await openPage(visitor, path);
    const next = 'main nav[aria-label*="age"] button:not(:disabled)';
    if (!(await visitor.has(next, /^(Next|Older)$/))) return 0;
    const text = await visitor.text();
    await visitor.click(next, /^(Next|Older)$/);
    await visitor.find(next, /^(Previous|Newer)$/);
    await visitor.until(`another page of ${path}`, async () => (await visitor.text()) !== text);
    return 1;
  }

  it.each(engines.flatMap((engine) => AREAS.map(([email, paths]) => [engine, email, paths] as const)))(
    'opens the row, filter and page that was clicked, in %s as %s',
    (engine, email, paths) =>
      place.visit(engine, async (visitor) => {
        await visitor.signIn((await signIn(place.url, email, DEMO_PASSWORD)).cookies);
        const covered: Record<string, string[]> = {};
        const seen: string[] = [];
        for (const [width, height] of [DESKTOP, PHONE]) {
          await visitor.resize(width, height);
          for (const path of paths) {
            await openPage(visitor, path);
            const faults = await visitor.coveredControls();
            if (faults.length > 0) covered[`${path} at ${width}`] = faults;
            const rows = await clickRows(visitor, path);
            const filters = await clickFilters(visitor, path);
            const pages = await turnPage(visitor, path);
            seen.push(`${width} ${path}: ${rows} rows, ${filters} filters, ${pages} pages`);
          }
        }
        process.stdout.write(`${seen.join('\n')}\n`);
        expect(covered).toEqual({});
      }),
  );
});
