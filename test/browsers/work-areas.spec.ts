import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type GalleryItem, type PublicCreator } from '../../src/contract/gallery.js';
import { type ModerationCaseRow } from '../../src/contract/moderation.js';
import { createPool } from '../../src/platform/database/pool.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { rpc, signIn, signUp } from '../support/api-client.js';
import { DESKTOP, engines, openPlace, PHONE, type Place } from './place.js';
import { type Visitor } from './visitor.js';

jest.setTimeout(1_800_000);

/**
 * A page, and how many rows (the first, and one in the middle), filters and pages are clicked there at least. Null: its
 * tabs are clicked on another tab of the page, and it has no other filters.
 */
type Visited = readonly [path: string, rows: number, filters: number | null, pages: number];

/** Every page of the areas with a list. Names in braces stand for ids of the demo. */
const AREAS: readonly (readonly [email: string, pages: readonly Visited[]])[] = [
  [
    'admin@fanvas.test',
    [
      ['/admin', 2, 0, 0],
      ['/admin/reports', 2, 2, 0],
      ['/admin/reports?tab=decided', 2, 2, 0],
      ['/admin/applications', 2, 0, 0],
      ['/admin/applications?tab=approved', 2, 0, 0],
      ['/admin/revenue-management', 2, 0, 0],
      ['/admin/revenue-management/{creator}', 2, 3, 1],
      ['/admin/model-deletions', 0, 2, 0],
      ['/admin/model-deletions?tab=ended', 0, null, 0],
      ['/admin/users', 2, 6, 1],
      ['/admin/users?tab=proposals', 0, null, 0],
      ['/admin/users?tab=payments', 0, null, 0],
      ['/admin/users/{fan}', 2, 7, 1],
      ['/admin/users/{fan}?tab=statement', 0, null, 0],
      ['/admin/users/{fan}?tab=pictures', 0, null, 1],
      ['/admin/users/{fan}?tab=purchases', 0, null, 0],
      ['/admin/users/{fan}?tab=reports', 0, null, 0],
      ['/admin/users/{fan}?tab=lots', 0, null, 0],
      ['/admin/users/{fan}?tab=acts', 0, 7, 0],
      ['/admin/gallery', 2, 2, 0],
      ['/admin/gallery?tab=archived', 0, null, 0],
      ['/admin/gallery/junoabara', 0, 9, 0],
      ['/admin/log', 2, 0, 1],
    ],
  ],
  [
    'auditor@fanvas.test',
    [
      ['/audit', 2, 0, 0],
      ['/audit/accounts/{fan}', 2, 0, 0],
      ['/audit/find?id={image}', 2, 0, 0],
      ['/audit/seals', 0, 0, 0],
      ['/audit/verification', 1, 0, 0],
      ['/audit/export', 1, 0, 0],
    ],
  ],
  [
    'finance@fanvas.test',
    [
      ['/finance', 2, 0, 0],
      ['/finance/payouts', 2, 0, 0],
      ['/finance/payouts/runs/{run}', 2, 3, 0],
      ['/finance/payouts/creators/{creator}', 2, 0, 0],
      ['/finance/reconciliation', 0, 0, 0],
      ['/finance/deferred', 2, 0, 0],
      ['/finance/creators', 2, 0, 0],
      ['/finance/balance', 2, 0, 0],
      ['/finance/exports', 0, 0, 0],
      ['/finance/entries?account=2100', 2, 0, 0],
      ['/finance/find?q=juno', 1, 0, 0],
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
      [...row.querySelectorAll<HTMLElement>('a[href^="/"], button[aria-expanded], button[id^="row-"]')].at(0);
    if (!control || control.matches('[target="_blank"], [download], [href^="/ledger/"]')) return [];
    // A larger target around a positioned link does not cover the row.
    const covers =
      getComputedStyle(control, '::after').position === 'absolute' && getComputedStyle(control).position === 'static';
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
  /** Ids by the names in braces. */
  const ids = new Map<string, string>();

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
    const admin = await signIn(place.url, 'admin@fanvas.test', DEMO_PASSWORD);
    const { body: cases } = await admin.rpc<ModerationCaseRow[]>('list_moderation_cases', { p_kind: 'report' });
    for (const { kind, id } of cases.slice(0, 2)) {
      const decision = { p_kind: kind, p_id: id, p_decision: 'keep', p_note: null, p_block_prompt: false };
      expect((await admin.rpc('decide_moderation_case', decision)).status).toBe(200);
    }
    // Numbers below those of the product's own acts
    await database.query(
      `insert into admin_act (id, number, body, hash)
       select id, -n, (body || jsonb_build_object('id', id, 'number', -n))::text, hash
       from (select body::jsonb as body, hash from admin_act where closes is null and undoes is null limit 1) act,
         (select gen_random_uuid() as id, n from generate_series(1, $1::integer) n) copy`,
      [MORE_ACTS],
    );
    const fan = await idOf('select user_id as id from generation group by 1 order by count(*) desc limit 1');
    ids.set('fan', fan).set('creator', creator.id);
    ids.set('image', await idOf('select id from generation where user_id = $1 limit 1', fan));
    ids.set('run', await idOf('select id from payout_run order by number desc limit 1'));
  });
  afterAll(async () => {
    await database?.end();
    await postgres?.stop();
    await place?.close();
  });

  const idOf = async (query: string, ...values: string[]): Promise<string> => {
    const { rows } = await database.query<{ id: string }>(query, values);
    if (!rows[0]) throw new Error(`Nothing was found by ${query}`);
    return rows[0].id;
  };

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

  // A browser for each width: WebKit ends by itself after some hundred pages.
  it.each(
    engines.flatMap((engine) =>
      AREAS.flatMap(([email, pages]) => [DESKTOP, PHONE].map((size) => [engine, size, email, pages] as const)),
    ),
  )('opens the row, filter and page that was clicked, in %s at %j as %s', (engine, [width, height], email, pages) =>
    place.visit(engine, async (visitor) => {
      await visitor.signIn((await signIn(place.url, email, DEMO_PASSWORD)).cookies);
      const faults: Record<string, unknown> = {};
      await visitor.resize(width, height);
      for (const [template, rows, filters, turns] of pages) {
        const path = template.replace(/\{(\w+)\}/, (_, name: string) => ids.get(name) ?? '');
        await openPage(visitor, path);
        const covered = await visitor.coveredControls();
        const clicked = [
          await clickRows(visitor, path),
          filters === null ? 0 : await clickFilters(visitor, path),
          await turnPage(visitor, path),
        ];
        process.stdout.write(`${width} ${template}: ${clicked.join(', ')}\n`);
        const isLess = [rows, filters ?? 0, turns].some((expected, index) => (clicked[index] ?? 0) < expected);
        if (covered.length > 0 || isLess) faults[template] = { covered, clicked };
      }
      expect(faults).toEqual({});
    }),
  );
});
