import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sql, type Kysely } from 'kysely';
import { GENERATION_TIMEOUT_MS } from '../../src/contract/limits.js';
import { GetPublicPage } from '../../src/gallery/index.js';
import { ListPublicPaths } from '../../src/gallery/reads/list-public-paths.js';
import { type GalleryTables } from '../../src/gallery/tables.js';
import { type GalleryItem, type PublicCreator } from '../../src/contract/gallery.js';
import {
  type GenerationImage,
  type GenerationTableRow,
  type GenerationView,
  type HideGenerationResponse,
  type PaginatedGeneration,
} from '../../src/contract/generation.js';
import { type ModerationCase } from '../../src/contract/moderation.js';
import { HiddenMedia } from '../../src/generation/images/hidden-media.js';
import { WithheldMedia } from '../../src/generation/images/withheld-media.js';
import { Notifications } from '../../src/platform/database/notifications.js';
import { WithheldPictures } from '../../src/platform/media/withheld-pictures.js';
import { GetCreator } from '../../src/creators/index.js';
import { GenerationApp } from '../support/generation-app.js';
import { until } from '../support/until.js';

// Postgres starts slowly on a loaded machine.
jest.setTimeout(60_000);

const ADMIN = 'admin_ada';
const ARCHIVED = '00000000-0000-7000-8000-000000000001';
const UNKNOWN = '01a00000-0000-7000-8000-000000000000';
let app: GenerationApp;

beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app.close());

interface Finished {
  readonly userId: string;
  readonly id: string;
  readonly predictionId: string;
  readonly creatorId: string;
  readonly username: string;
}

/** A completed generation, first of two in the gallery of a new creator. */
async function finished(prompt = 'A secret lighthouse'): Promise<Finished> {
  const creatorId = await app.newCreator();
  const creator = await app.queries.execute(new GetCreator({ creatorId }));
  const first = await complete(creatorId, prompt);
  const second = await complete(creatorId, 'A boat');
  await app.curate(creatorId, [first.id, second.id]);
  return { ...first, creatorId, username: creator?.username ?? '' };
}

async function complete(creatorId: string, prompt: string) {
  const userId = await app.newUser();
  const { generationId: id, predictionId } = await app.begin(userId, creatorId, prompt);
  await app.succeed(predictionId);
  expect((await app.row(id)).status).toBe('completed');
  return { userId, id, predictionId: String(predictionId) };
}

const byId = (id: string, token: string | null) => app.rpc('get_generation_by_id', token, { p_generation_id: id });
const remove = (id: string, token: string | null) =>
  app.rpc('delete_generation_by_jwt', token, { p_generation_id: id });
const hide = (id: string, token: string | null, hidden?: boolean) =>
  app.rpc('hide_generation_by_jwt', token, {
    p_generation_id: id,
    ...(hidden === undefined ? {} : { p_hidden: hidden }),
  });
const addressesOf = async (id: string, token: string | null) =>
  ((await byId(id, token)).body as GenerationView).image?.sources.map(({ url }) => url) ?? [];
const statuses = (addresses: readonly string[]) =>
  Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(app.url + address);
      await response.arrayBuffer();
      return response.status;
    }),
  );
/** Another connection brings the announcement. */
const withheld = (addresses: readonly string[]) =>
  until(async () => (await statuses(addresses)).every((status) => status === 404));
const head = async ({ username, id }: Finished) =>
  JSON.stringify(await app.queries.execute(new GetPublicPage({ path: `/${username}/generate/${id}` })));

async function gallery(creatorId: string): Promise<string[]> {
  const { body } = await app.rpc('get_gallery_generations_public', null, { p_creator_id: creatorId });
  return (body as GalleryItem[]).map(({ id }) => id);
}

/** Those among some images that the sitemap lists. */
async function inSitemap(ids: readonly string[]): Promise<string[]> {
  const sitemap = await (await fetch(`${app.url}/sitemap.xml`)).text();
  return ids.filter((id) => sitemap.includes(id));
}

const galleries = (): Kysely<GalleryTables> => app.db as unknown as Kysely<GalleryTables>;

async function works({ username }: Finished): Promise<number> {
  const { body } = await app.rpc('get_public_creator_by_username', null, { p_username: username });
  return (body as PublicCreator).works.length;
}

async function page(userId: string): Promise<PaginatedGeneration[]> {
  return (await app.rpc('get_user_generations_by_jwt_paginated', userId)).body as PaginatedGeneration[];
}

async function table(query: string, token: string | null): Promise<GenerationTableRow[]> {
  return (await (await app.read(`rest/v1/generations?${query}`, token)).json()) as GenerationTableRow[];
}

/** Every answer that could reveal a generation to a caller. Compare it with the answers for an unknown id. */
async function everyWayIn({ id, predictionId }: Pick<Finished, 'id' | 'predictionId'>, token: string | null) {
  const stream = await app.events(id, token ?? 'user_nobody');
  await stream.arrayBuffer();
  return {
    byId: (await byId(id, token)).status,
    stream: stream.status,
    status: (await app.rpc('get_generation_status_public', token, { p_prediction_id: predictionId })).body,
    table: await table(`id=eq.${id}`, token),
  };
}
const NOTHING = { byId: 404, stream: 404, status: [], table: [] };

describe('get_own_generation_images_by_jwt', () => {
  it("returns the pictures of the caller's own finished generations, and of no one else's", async () => {
    const mine = await finished();
    const theirs = await finished();
    const ids = async (userId: string) => {
      const { body } = await app.rpc('get_own_generation_images_by_jwt', userId, {
        p_generation_ids: [mine.id, theirs.id, UNKNOWN, 'no id'],
      });
      return (body as GenerationImage[]).map(({ id }) => id);
    };
    expect(await ids(mine.userId)).toEqual([mine.id]);
    expect(await ids(theirs.userId)).toEqual([theirs.id]);
    await hide(mine.id, mine.userId, true);
    expect(await ids(mine.userId)).toEqual([mine.id]);
    await remove(mine.id, mine.userId);
    expect(await ids(mine.userId)).toEqual([]);
  });

  it('refuses a visitor, and more than 100 ids', async () => {
    const call = (token: string | null, count: number) =>
      app.rpc('get_own_generation_images_by_jwt', token, { p_generation_ids: Array<string>(count).fill(UNKNOWN) });
    expect((await call(null, 1)).status).toBe(401);
    expect((await call('user_fan', 101)).status).toBe(400);
  });
});

describe('get_gallery_generations_public', () => {
  const page = (creatorId: string, p_limit: number, p_offset: number) =>
    app.rpc('get_gallery_generations_public', null, { p_creator_id: creatorId, p_limit, p_offset });

  it('[F7.20] returns pages in gallery order, each picture with the total count', async () => {
    const { creatorId } = await finished();
    const all = (await app.rpc('get_gallery_generations_public', null, { p_creator_id: creatorId })).body;
    expect((all as GalleryItem[]).map(({ prompt, total_count }) => [prompt, total_count])).toEqual([
      ['A secret lighthouse', 2],
      ['A boat', 2],
    ]);
    expect((await page(creatorId, 1, 0)).body).toEqual([(all as GalleryItem[])[0]]);
    expect((await page(creatorId, 1, 1)).body).toEqual([(all as GalleryItem[])[1]]);
    expect((await page(creatorId, 1, 2)).body).toEqual([]);
    for (const [limit, offset] of [
      [0, 0],
      [101, 0],
      [1, -1],
      [0.5, 0],
    ] as const) {
      expect((await page(creatorId, limit, offset)).status).toBe(400);
    }
  });
});

describe('delete_generation_by_jwt', () => {
  it('removes the image everywhere, its files included, and leaves the credits as they are', async () => {
    const made = await finished();
    const { userId, id, creatorId, predictionId } = made;
    const files = [...app.storage.files.keys()];
    const other = await gallery(creatorId);
    const before = await app.balances(userId);
    expect(await head(made)).toContain('secret');
    const paths = (await byId(id, null)).body as GenerationView;
    expect(paths.image_url).not.toBeNull();

    expect(await remove(id, userId)).toEqual({ status: 200, body: { success: true, generation_id: id } });

    for (const token of [null, userId, await app.newUser(), ADMIN]) {
      expect(await everyWayIn(made, token)).toEqual(NOTHING);
    }
    for (const name of ['get_generation_by_prediction_id_jwt', 'update_generation_status_by_jwt']) {
      expect((await app.rpc(name, userId, { p_prediction_id: predictionId })).status).toBe(404);
    }
    expect((await app.rpc('process_automatic_refund_by_jwt', userId, { p_generation_id: id })).status).toBe(404);
    expect(await page(userId)).toEqual([]);
    expect(await gallery(creatorId)).toEqual(other.slice(1));
    expect(await works(made)).toBe(1);
    expect(await head(made)).toBe(await head({ ...made, id: UNKNOWN }));

    expect(files.filter((name) => !app.storage.files.has(name))).toHaveLength(paths.image?.sources.length ?? -1);
    const row = await app.row(id);
    expect([row.prompt, row.image, row.output_url]).toEqual(['', null, null]);

    expect(await app.balances(userId)).toEqual(before);
    expect(await app.deduction(userId, id)).toMatchObject({ state: 'settled' });
    expect((await remove(id, userId)).status).toBe(404);
  });

  it('allows only the owner, and only after the generation has ended', async () => {
    const { id } = await finished();
    expect((await remove(id, null)).status).toBe(401);
    for (const token of [await app.newUser(), ADMIN]) expect((await remove(id, token)).status).toBe(404);
    expect((await remove('none', ADMIN)).status).toBe(400);
    expect((await byId(id, null)).status).toBe(200);

    const pending = await app.drawing(await app.newCreator());
    expect(await remove(pending.id, pending.userId)).toMatchObject({
      status: 409,
      body: { message: 'Please cancel the generation before you delete it.' },
    });
    await app.pass(GENERATION_TIMEOUT_MS + 60_000, 60_000);
    expect((await remove(pending.id, pending.userId)).status).toBe(200);
    expect((await app.balances(pending.userId)).total).toBe(30);
  });

  it('removes the files later when the storage failed', async () => {
    const { userId, id } = await finished();
    const stored = [...app.storage.files.keys()];
    app.storage.failing = true;
    expect((await remove(id, userId)).status).toBe(200);
    expect((await byId(id, userId)).status).toBe(404);
    expect([...app.storage.files.keys()]).toEqual(stored);
    app.storage.failing = false;
    await app.reconcile();
    expect(app.storage.files.size).toBeLessThan(stored.length);
    expect((await app.row(id)).image).toBeNull();
  });

  it('refuses a gallery save that began before the deletion or that lists the deleted image', async () => {
    const { userId, id, creatorId } = await finished();
    const list = await gallery(creatorId);
    await remove(id, userId);
    await expect(app.curate(creatorId, list, 1)).rejects.toThrow();
    await expect(app.curate(creatorId, list, 2)).rejects.toThrow(
      'Only completed generations of this creator can be in the gallery.',
    );
    expect(await gallery(creatorId)).toEqual(list.slice(1));
  });
});

describe('hide_generation_by_jwt', () => {
  it('shows the image only to its owner and admins until it is shown again', async () => {
    const made = await finished();
    const { userId, id, creatorId } = made;
    expect(await hide(id, userId)).toMatchObject({
      status: 200,
      body: { success: true, generation_id: id, hidden: true, image: { url: expect.stringMatching(/^\/media\//) } },
    });
    for (const token of [null, await app.newUser()]) expect(await everyWayIn(made, token)).toEqual(NOTHING);
    expect((await byId(id, userId)).body).toMatchObject({
      hidden: true,
      status: 'completed',
      prompt: 'A secret lighthouse',
    });
    expect((await byId(id, ADMIN)).status).toBe(200);
    expect((await page(userId)).map(({ generation }) => generation.hidden)).toEqual([true]);
    expect(await table(`id=eq.${id}`, userId)).toHaveLength(1);
    expect(await gallery(creatorId)).not.toContain(id);
    expect(await head(made)).toBe(await head({ ...made, id: UNKNOWN }));
    await expect(app.curate(creatorId, [id], 2)).rejects.toThrow();

    expect((await hide(id, userId, false)).body).toMatchObject({ hidden: false });
    expect((await byId(id, null)).body).toMatchObject({ hidden: false });
    expect(await head(made)).toContain('secret');
  });

  it('allows only the owner, and only for completed images', async () => {
    const { id } = await finished();
    expect((await hide(id, null)).status).toBe(401);
    for (const token of [await app.newUser(), ADMIN]) expect((await hide(id, token)).status).toBe(404);
    const pending = await app.drawing(await app.newCreator());
    expect((await hide(pending.id, pending.userId)).status).toBe(409);
    await app.pass(GENERATION_TIMEOUT_MS + 60_000, 60_000);
  });

  it('withholds an image that its owner had hidden when an admin takes it down and its files cannot be moved', async () => {
    const { userId, id } = await finished();
    await hide(id, userId);
    const own = await addressesOf(id, userId);
    expect(await statuses(own)).toEqual(own.map(() => 200));
    app.storage.beforePut = () => Promise.reject(new Error('The storage is full.'));
    await app.db
      .updateTable('generation')
      .set({ taken_down_at: app.clock.now(), media_moved_at: null })
      .where('id', '=', id)
      .execute();
    await withheld(own);
    app.storage.beforePut = () => Promise.resolve();
  });

  it('serves an image again that is shown before its files could be moved', async () => {
    const { userId, id } = await finished();
    const before = await addressesOf(id, null);
    app.storage.beforePut = () => Promise.reject(new Error('The storage is full.'));
    await hide(id, userId);
    await withheld(before);
    await hide(id, userId, false);
    app.storage.beforePut = () => Promise.resolve();
    await until(async () => (await statuses(before)).every((status) => status === 200));
  });

  it('gives the files new addresses, so that the ones which others know stop answering', async () => {
    const { userId, id } = await finished();
    const before = await addressesOf(id, null);
    const stored = app.storage.files.size;
    const { body } = await hide(id, userId);
    const after = await addressesOf(id, userId);
    expect((body as HideGenerationResponse).image?.sources.map(({ url }) => url)).toEqual(after);
    expect(await statuses(before)).toEqual(before.map(() => 404));
    expect(await statuses(after)).toEqual(after.map(() => 200));
    expect(app.storage.files.size).toBe(stored);
    await hide(id, userId);
    expect(await addressesOf(id, userId)).toEqual(after);

    // Addresses that were public in between change again.
    await hide(id, userId, false);
    expect(await addressesOf(id, null)).toEqual(after);
    await hide(id, userId);
    expect(await statuses(after)).toEqual(after.map(() => 404));
    expect(await statuses(await addressesOf(id, userId))).toEqual(before.map(() => 200));
  });

  it('hides the image at once and removes the files later when the storage failed', async () => {
    const made = await finished();
    const before = await addressesOf(made.id, null);
    app.storage.failing = true;
    expect((await hide(made.id, made.userId)).status).toBe(200);
    expect(await everyWayIn(made, null)).toEqual(NOTHING);
    // The storage still has the files.
    expect(before.every((address) => app.storage.files.has(address.replace('/media/', '')))).toBe(true);
    await withheld(before);
    const pictures = new WithheldPictures();
    const notifications = new Notifications(app.pool.options);
    const other = new WithheldMedia(pictures, app.db as unknown as Kysely<unknown>, notifications, app.clock);
    await other.onApplicationBootstrap();
    expect(pictures.has(before[0]?.split('/')[2] ?? '')).toBe(true); // another process, from its start
    other.onModuleDestroy();
    await notifications.close();
    app.storage.failing = false;
    await app.reconcile();
    expect(await statuses(before)).toEqual(before.map(() => 404));
    expect(await statuses(await addressesOf(made.id, made.userId))).toEqual(before.map(() => 200));
  });

  it('deletes copies that a crash left without an image', async () => {
    const { id } = await finished();
    const stored = app.storage.files.size;
    const { image } = await app.row(id);
    // The image was shown again while the files were copied.
    await app.get(HiddenMedia).retry({ id, image });
    expect(app.storage.files.size).toBeGreaterThan(stored);
    await app.reconcile();
    expect(app.storage.files.size).toBeGreaterThan(stored);
    await app.pass(600_000, 600_000);
    expect(app.storage.files.size).toBe(stored);
    expect(await statuses(await addressesOf(id, null))).not.toContain(404);
  });

  it('deletes the other files and old records when a page of files cannot be deleted, and these later', async () => {
    const name = (number: number) => `left-by-a-crash/${number}.webp`;
    const now = app.clock.now().getTime();
    const removals = Array.from({ length: 60 }, (_, number) => ({
      name: name(number),
      remove_at: new Date(now - 60_000 + number),
    }));
    await app.db.insertInto('generation_media_removal').values(removals).execute();
    await app.db
      .insertInto('generation_webhook')
      .values({ delivery_id: 'old', received_at: new Date(now - 2 * 86_400_000) })
      .execute();
    for (const removal of removals) app.storage.files.set(removal.name, Buffer.from('x'));
    for (const removal of removals.slice(0, 50)) app.storage.undeletable.add(removal.name);
    const left = async () =>
      app.db
        .selectFrom('generation_media_removal')
        .select(['name', 'remove_at'])
        .where('name', 'like', name(0).replace('0', '%'))
        .orderBy('remove_at')
        .execute();
    for (const _sweep of [1, 2, 3]) await app.reconcile();
    // Until they are deleted, every process withholds the files that are due.
    expect(await left()).toEqual(removals.slice(0, 50));
    expect(app.storage.files.has(name(49))).toBe(true);
    expect(app.storage.files.has(name(50))).toBe(false);
    const old = app.db.selectFrom('generation_webhook').select('delivery_id').where('delivery_id', '=', 'old');
    expect(await old.execute()).toEqual([]);

    app.storage.undeletable.clear();
    await app.pass(600_000, 300_000);
    expect(await left()).toEqual([]);
    expect(app.storage.files.has(name(49))).toBe(false);
  });

  it('leaves a hidden image out of the gallery and the sitemap even when its item is still stored', async () => {
    const { userId, id, creatorId } = await finished();
    const list = await gallery(creatorId);
    const listed = await inSitemap(list);
    expect(listed).toEqual(list);
    await hide(id, userId);
    await galleries()
      .insertInto('gallery_item')
      .values({ creator_id: creatorId, generation_id: id, place: 0 })
      .execute();
    expect(await gallery(creatorId)).toEqual(list.slice(1));
    expect(await inSitemap(list)).toEqual(list.slice(1));
  });

  it('leaves an image out of the sitemap that is set aside while a save stores it', async () => {
    const { id, creatorId } = await finished();
    const list = await gallery(creatorId);
    await galleries()
      .insertInto('gallery_set_aside')
      .values({ creator_id: creatorId, generation_id: id, moderated_at: app.clock.now() })
      .execute();
    expect(await inSitemap(list)).toEqual(list.slice(1));
  });

  it('lists as many public pictures in the sitemap as it may, also when other galleries are not public', async () => {
    const { id } = await finished();
    const all = await app.queries.execute(new ListPublicPaths({ limit: 50_000 }));
    expect(all.filter((path) => path.endsWith(id))).toHaveLength(1);
    await app.pool.query(`insert into gallery (creator_id, updated_at, updated_by) values ($1, now(), 'x')`, [
      ARCHIVED,
    ]);
    await app.pool.query(
      `insert into gallery_item (creator_id, place, generation_id)
       select $1, n, gen_random_uuid() from generate_series(0, 999) as n`,
      [ARCHIVED],
    );
    expect(await app.queries.execute(new ListPublicPaths({ limit: all.length }))).toEqual(all);
  });
});

describe('generation reports', () => {
  const report = (id: string, token: string | null, more: object = {}) =>
    app.rpc('report_generation', token, { p_generation_id: id, p_reason: 'hate', ...more });
  const reported = (id: string) => ({ p_kind: 'report', p_id: id });
  const caseOf = async (id: string) =>
    (await app.rpc('get_moderation_case', ADMIN, reported(id))).body as ModerationCase;

  it('stores one report per user and image for admins, with a sanitised and shortened note', async () => {
    const { id, userId, creatorId } = await finished();
    const reporter = await app.newUser();
    const note = `<b>Look</b> at ${'x'.repeat(600)}`;
    expect(await report(id, reporter, { p_note: note })).toEqual({
      status: 200,
      body: { success: true, already_reported: false },
    });
    expect((await report(id, reporter, { p_reason: 'other' })).body).toEqual({ success: true, already_reported: true });
    const found = await caseOf(id);
    expect(found).toMatchObject({
      maker: { user_id: userId },
      creator_id: creatorId,
      creator_name: 'Aria Vale',
      prompt: 'A secret lighthouse',
      shown: 'gallery',
      decision: null,
      reports: 1,
      open_reports: [{ reason: 'hate', user_id: reporter }],
    });
    expect(found.open_reports[0]?.note).toHaveLength(500);
    expect(found.open_reports[0]?.note.startsWith('Look at xxx')).toBe(true);
  });

  it('allows signed-in users who can see the image, and refuses its owner', async () => {
    const { id, userId } = await finished();
    expect((await report(id, null)).status).toBe(401);
    expect((await report(id, userId)).status).toBe(409);
    expect((await report(id, await app.newUser(), { p_reason: 'boring' })).status).toBe(400);
    expect((await report(UNKNOWN, await app.newUser())).status).toBe(404);
    await hide(id, userId);
    expect((await report(id, await app.newUser())).status).toBe(404);
  });

  it('allows ten reports in ten minutes', async () => {
    const user = await app.newUser();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await report(UNKNOWN, user)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
  });

  it('dismisses the reports or removes the image for all reporters', async () => {
    const harmless = await finished();
    const bad = await finished('A bad one');
    for (const { id } of [harmless, bad, bad]) await report(id, await app.newUser());
    const decide = async ({ id }: Finished, decision: string) =>
      (await app.rpc('decide_moderation_case', ADMIN, { ...reported(id), p_decision: decision, p_note: 'Hate' }))
        .status;

    expect(await decide(harmless, 'keep')).toBe(200);
    expect((await byId(harmless.id, null)).status).toBe(200);
    expect((await caseOf(bad.id)).open_reports).toHaveLength(2);
    expect(await decide(bad, 'take_down')).toBe(200);
    expect(await everyWayIn(bad, null)).toEqual(NOTHING);
    expect((await byId(bad.id, bad.userId)).body).toMatchObject({
      image: null,
      moderation: { decision: 'taken_down' },
    });
    expect(await gallery(bad.creatorId)).not.toContain(bad.id);
    expect(await app.deduction(bad.userId, bad.id)).toMatchObject({ state: 'settled' });

    const resolved = await app.db
      .selectFrom('generation_report')
      .select(['generation_id', 'resolution', 'resolved_by'])
      .where('generation_id', 'in', [harmless.id, bad.id])
      .orderBy('id')
      .execute();
    expect(resolved.map((each) => [each.generation_id, each.resolution, each.resolved_by])).toEqual([
      [harmless.id, 'dismissed', ADMIN],
      [bad.id, 'removed', ADMIN],
      [bad.id, 'removed', ADMIN],
    ]);
    app.clock.advance(24 * 3_600_000);
    await app.reconcile();
    expect(await caseOf(bad.id)).toMatchObject({
      prompt: 'A bad one',
      image: null,
      shown: 'nowhere',
      open_reports: [],
    });
  });

  it('reads reports and pending deletions through indexes', async () => {
    const plans = [
      `update generation_report set resolution = resolution where generation_id = '${UNKNOWN}' and resolved_at is null`,
      'select id from generation where deleted_at is not null and image is not null order by deleted_at limit 50',
      `select * from generation where least(hidden_at, taken_down_at, withheld_at, moderated_at) is not null
       and media_moved_at is null and deleted_at is null order by least(hidden_at, taken_down_at, withheld_at, moderated_at) limit 50`,
      `select * from generation_take_down where generation_id = '${UNKNOWN}' and decision is null`,
      'select name from generation_media_removal where remove_at <= now() order by remove_at limit 50',
    ];
    for (const statement of plans) {
      const plan = await app.db.connection().execute(async (db) => {
        // The table is small, so the planner is forced to use indexes. They must return the rows in order.
        await sql`set enable_seqscan = off`.execute(db);
        await sql`set enable_bitmapscan = off`.execute(db);
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(statement)}`.execute(db);
        await sql`reset enable_bitmapscan`.execute(db);
        await sql`reset enable_seqscan`.execute(db);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan).toMatch(/Index Scan|Bitmap Index Scan/);
      expect(plan).not.toContain('Sort');
    }
  });
});
