import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type AdminGallery,
  type AdminGeneration,
  type AdminGenerationRow,
  type GalleryConflict,
  GALLERY_MAX_SIZE,
} from '../../src/contract/admin-gallery.js';
import { type ErrorBody } from '../../src/contract/errors.js';
import { type GalleryItem } from '../../src/contract/gallery.js';
import { ListAdminImages } from '../../src/generation/index.js';
import { ORDER_BODY } from '../../src/gallery/http/gallery-admin.controller.js';
import { GenerationApp } from '../support/generation-app.js';
import { storeGeneration } from '../support/stored-generation.js';

// Postgres starts slowly on a loaded machine.
jest.setTimeout(60_000);

const IMAGE = { url: '/media/aaaaaaaaaaaaaaaa/640.webp', width: 64, height: 80, thumbhash: 'AAAA', sources: [] };
const UNKNOWN = '01a00000-0000-7000-8000-000000000000';
let app: GenerationApp;
let admins = 0;
let minutes = 0;

beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app.close());

/** A new admin, because calls are limited for each. */
const newAdmin = (): string => `admin_${(admins += 1)}_${randomUUID()}`;

async function call<T>(name: string, body: object, token: string | null = newAdmin()): Promise<T> {
  const answer = await app.rpc(name, token, body);
  if (answer.status !== 200) throw Object.assign(new Error(`${name} answered ${answer.status}`), answer.body);
  return answer.body as T;
}

async function refusal(name: string, body: object, token: string | null = newAdmin()) {
  const { status, body: error } = await app.rpc(name, token, body);
  const { code, message, details } = error as ErrorBody;
  return { status, code, message, details };
}

/** Stores a generation; each one is a minute older than the one before. */
async function stored(creatorId: string, fields: Parameters<typeof storeGeneration>[1] = {}): Promise<string> {
  const at = new Date(Date.UTC(2026, 0, 1) - (minutes += 1) * 60_000);
  const not_before = new Date(Date.UTC(2100, 0, 1));
  return storeGeneration(app.pool, { creator_id: creatorId, image: IMAGE, at, not_before, ...fields });
}

const images = (creatorId: string, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async () => stored(creatorId)));
const read = (p_creator_id: string): Promise<AdminGallery> => call('get_gallery_admin', { p_creator_id });
const orderOf = async (creatorId: string): Promise<string[]> => (await read(creatorId)).items.map(({ id }) => id);
const save = (p_creator_id: string, p_expected_version: number, p_gallery_order: readonly string[], token?: string) =>
  call<AdminGallery>('save_gallery_admin', { p_creator_id, p_expected_version, p_gallery_order }, token);
const one = (p_creator_id: string, p_generation_id: string) => ({ p_creator_id, p_generation_id });
const order = (p_creator_id: string, p_gallery_order: readonly string[]) => ({ p_creator_id, p_gallery_order });

/** The acts on a creator's gallery, without what every entry has. */
async function acts(creatorId: string): Promise<object[]> {
  const { rows } = await app.pool.query<{ body: string }>(
    'select body from admin_act where creator_id = $1 order by number',
    [creatorId],
  );
  return rows.map(({ body }) => {
    const { kind, subjectId, before, after } = JSON.parse(body) as Record<string, unknown>;
    return { kind, subjectId, before, after };
  });
}

describe('save_gallery_admin', () => {
  it('[C1.03, C6.08, C7.17] stores adds, removals and the order at once, shows them in public, and logs one act', async () => {
    const creatorId = await app.newCreator();
    const [a, b, c, d] = (await images(creatorId, 4)) as [string, string, string, string];
    expect(await read(creatorId)).toEqual({
      creator_id: creatorId,
      version: 0,
      saved_at: null,
      saved_by: null,
      items: [],
    });
    expect(await call('get_gallery_generations_admin_by_jwt', { p_creator_id: creatorId })).toEqual([]);
    const first = await save(creatorId, 0, [a, b, c]);
    expect(first).toMatchObject({ version: 1, saved_at: expect.any(String) });
    expect(first.items).toHaveLength(3);
    expect(first.items[0]).toMatchObject({ id: a, in_gallery: true, not_addable: null, credit_cost: 10 });
    expect((await save(creatorId, 1, [d, c.toUpperCase(), a])).version).toBe(2);
    expect(await orderOf(creatorId)).toEqual([d, c, a]);
    const shown = await call<GalleryItem[]>('get_gallery_generations_public', { p_creator_id: creatorId }, null);
    expect(shown.map(({ id }) => id)).toEqual([d, c, a]);
    const items = await call<AdminGeneration[]>('get_gallery_generations_admin_by_jwt', { p_creator_id: creatorId });
    expect(items.map(({ id }) => id)).toEqual([d, c, a]);
    expect(await acts(creatorId)).toEqual([
      {
        kind: 'gallery.saved',
        subjectId: creatorId,
        before: { images: 0, version: 0 },
        after: { images: 3, version: 1, added: 3, removed: 0, reordered: false },
      },
      {
        kind: 'gallery.saved',
        subjectId: creatorId,
        before: { images: 3, version: 1 },
        after: { images: 3, version: 2, added: 1, removed: 1, reordered: true },
      },
    ]);
  });

  it('refuses the later of two saves with the name and time of the first, and overwrites nothing', async () => {
    const creatorId = await app.newCreator();
    const [a = '', b = ''] = await images(creatorId, 2);
    const ada = newAdmin();
    await call('check_admin_by_jwt', {}, ada);
    await app.pool.query(`update app_user set name = 'Ada Admin', roles = '{admin}' where id = $1`, [ada]);
    await save(creatorId, 0, [a], ada);
    const { status, code, details } = await refusal('save_gallery_admin', {
      ...order(creatorId, [b]),
      p_expected_version: 0,
    });
    expect([status, code]).toEqual([409, '40001']);
    expect(JSON.parse(details ?? '') as GalleryConflict).toEqual({
      version: 1,
      saved_by: 'Ada Admin',
      saved_at: expect.any(String),
    });
    expect(await read(creatorId)).toMatchObject({ version: 1, saved_by: 'Ada Admin', items: [{ id: a }] });
    expect((await refusal('save_gallery_admin', { ...order(creatorId, []), p_expected_version: 7 })).status).toBe(409);
    expect(await acts(creatorId)).toHaveLength(1);
  });

  it('refuses a version of a gallery that was never saved', async () => {
    const creatorId = await app.newCreator();
    const saved = { ...order(creatorId, await images(creatorId, 1)), p_expected_version: 7 };
    expect((await refusal('save_gallery_admin', saved)).status).toBe(409);
    expect(await read(creatorId)).toMatchObject({ version: 0, items: [] });
  });

  it('lets one of many simultaneous saves win', async () => {
    const creatorId = await app.newCreator();
    const ids = await images(creatorId, 6);
    await save(creatorId, 0, ids.slice(0, 1));
    const answers = await Promise.all(
      ids.map((id) => app.rpc('save_gallery_admin', newAdmin(), { ...order(creatorId, [id]), p_expected_version: 1 })),
    );
    // The save of what was there is no change, unless another one came before it.
    const won = answers.filter(({ status, body }) => status === 200 && (body as AdminGallery).version === 2);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect((await read(creatorId)).items).toEqual((won[0]!.body as AdminGallery).items);
    expect(await acts(creatorId)).toHaveLength(2);
  });

  it('changes and logs nothing when the same list is saved again', async () => {
    const creatorId = await app.newCreator();
    expect((await save(creatorId, 0, [])).version).toBe(0);
    const [a = ''] = await images(creatorId, 1);
    await save(creatorId, 0, [a]);
    expect((await save(creatorId, 1, [a])).version).toBe(1);
    expect(await acts(creatorId)).toHaveLength(1);
  });

  it('takes 1,000 ids, and refuses one more before it reads them', async () => {
    const creatorId = await app.newCreator();
    await app.pool.query(
      `insert into generation (id, user_id, creator_id, prompt, status, model, cost, image, credits_closed_at, not_before,
         completed_at, created_at, updated_at)
       select gen_random_uuid(), 'user_fan', $1, 'A fox', 'completed', 'm', 10, $2, now(), now(), now(), now(), now()
       from generate_series(1, $3::integer)`,
      [creatorId, JSON.stringify(IMAGE), GALLERY_MAX_SIZE + 1],
    );
    const { rows } = await app.pool.query<{ id: string }>('select id from generation where creator_id = $1', [
      creatorId,
    ]);
    const ids = rows.map(({ id }) => id);
    const most = ids.slice(0, GALLERY_MAX_SIZE);
    expect(JSON.stringify(order(creatorId, most)).length).toBeLessThan(ORDER_BODY.maxBodyBytes);
    expect((await save(creatorId, 0, most)).items).toHaveLength(GALLERY_MAX_SIZE);
    const tooMany = { ...order(creatorId, ids), p_expected_version: 1 };
    expect(await refusal('save_gallery_admin', tooMany)).toMatchObject({
      status: 400,
      details: 'The body lists more than 1000 items.',
    });
    expect(await refusal('add_to_creator_gallery_admin_by_jwt', one(creatorId, ids.at(-1) ?? ''))).toMatchObject({
      status: 422,
      message: 'A gallery holds at most 1000 images.',
    });
    await call('update_gallery_order_admin_by_jwt', order(creatorId, [...most].reverse()));
    expect(await orderOf(creatorId)).toEqual([...most].reverse());
  });
});

describe('images without a place in public', () => {
  it('makes every call refuse them, and changes nothing', async () => {
    const creatorId = await app.newCreator();
    const [own = ''] = await images(creatorId, 1);
    await save(creatorId, 0, [own]);
    const aside = await stored(creatorId);
    await app.pool.query(
      'insert into gallery_set_aside (creator_id, generation_id, hidden_at) values ($1, $2, now())',
      [creatorId, aside],
    );
    const hidden_at = new Date();
    const refused = {
      'of another creator': await stored(await app.newCreator()),
      failed: await stored(creatorId, { status: 'failed' }),
      hidden: await stored(creatorId, { hidden_at }),
      'taken down': await stored(creatorId, { taken_down_at: hidden_at }),
      deleted: await stored(creatorId, { deleted_at: hidden_at }),
      'a test': await stored(creatorId, { is_test: true }),
      'set aside': aside,
      unknown: UNKNOWN,
    };
    for (const [name, id] of Object.entries(refused)) {
      const answers = await Promise.all([
        refusal('save_gallery_admin', { ...order(creatorId, [own, id]), p_expected_version: 1 }),
        refusal('add_to_creator_gallery_admin_by_jwt', one(creatorId, id)),
        refusal('update_gallery_order_admin_by_jwt', order(creatorId, [own, id])),
      ]);
      expect([name, ...answers.map(({ status }) => status)]).toEqual([name, 422, 422, 422]);
    }
    const twice = { ...order(creatorId, [own, own.toUpperCase()]), p_expected_version: 1 };
    expect((await refusal('save_gallery_admin', twice)).status).toBe(422);
    expect((await refusal('update_gallery_order_admin_by_jwt', twice)).status).toBe(422);
    expect((await refusal('save_gallery_admin', { ...twice, p_gallery_order: ['fox'] })).status).toBe(400);
    expect(await read(creatorId)).toMatchObject({ version: 1, items: [{ id: own }] });
    expect(await acts(creatorId)).toHaveLength(1);
  });

  it('leaves them out of the gallery, and an order may leave them out', async () => {
    const creatorId = await app.newCreator();
    const [a = '', b = '', c = ''] = await images(creatorId, 3);
    await save(creatorId, 0, [a, b, c]);
    await app.pool.query('update generation set hidden_at = now() where id = $1', [a]);
    expect(await orderOf(creatorId)).toEqual([b, c]);
    await call('update_gallery_order_admin_by_jwt', order(creatorId, [c, b]));
    expect(await orderOf(creatorId)).toEqual([c, b]);
  });
});

describe("the spec's calls", () => {
  it('[C7.15, C7.16, C7.18] adds to the end once, removes once, and logs each change', async () => {
    const creatorId = await app.newCreator();
    const [a = '', b = ''] = await images(creatorId, 2);
    for (const id of [a, b, a]) await call('add_to_creator_gallery_admin_by_jwt', one(creatorId, id));
    expect(await orderOf(creatorId)).toEqual([a, b]);
    await call('update_gallery_order_admin_by_jwt', order(creatorId, [b, a]));
    await call('update_gallery_order_admin_by_jwt', order(creatorId, [b, a]));
    for (const id of [b, b, UNKNOWN]) await call('remove_from_creator_gallery_admin_by_jwt', one(creatorId, id));
    expect(await read(creatorId)).toMatchObject({ version: 4, items: [{ id: a }] });
    expect(await acts(creatorId)).toEqual([
      { kind: 'gallery.added', subjectId: a, before: { images: 0 }, after: { images: 1, version: 1 } },
      { kind: 'gallery.added', subjectId: b, before: { images: 1 }, after: { images: 2, version: 2 } },
      {
        kind: 'gallery.reordered',
        subjectId: creatorId,
        before: { images: 2, version: 2 },
        after: { images: 2, version: 3 },
      },
      { kind: 'gallery.removed', subjectId: b, before: { images: 2 }, after: { images: 1, version: 4 } },
    ]);
  });

  it('refuses an order that misses or invents images', async () => {
    const creatorId = await app.newCreator();
    const [a = '', b = '', other = ''] = await images(creatorId, 3);
    await save(creatorId, 0, [a, b]);
    for (const wrong of [[a], [], [a, b, other], [a, other], [a, UNKNOWN]]) {
      expect(await refusal('update_gallery_order_admin_by_jwt', order(creatorId, wrong))).toMatchObject({
        status: 422,
        message: 'The order must contain exactly the images of the gallery.',
      });
    }
    expect(await read(creatorId)).toMatchObject({ version: 1, items: [{ id: a }, { id: b }] });
  });

  it('loses nothing when several admins add at once', async () => {
    const creatorId = await app.newCreator();
    const ids = await images(creatorId, 6);
    await Promise.all(ids.map((id) => call('add_to_creator_gallery_admin_by_jwt', one(creatorId, id))));
    expect((await orderOf(creatorId)).sort()).toEqual([...ids].sort());
    expect((await read(creatorId)).version).toBe(ids.length);
    expect(await acts(creatorId)).toHaveLength(ids.length);
  });
});

describe('list_creator_generations_admin', () => {
  const search = (p_creator_id: string, p_search: string | null, more: object = {}) =>
    call<AdminGenerationRow[]>('list_creator_generations_admin', { p_creator_id, p_search, ...more });
  const found = async (creatorId: string, text: string | null): Promise<string[]> =>
    (await search(creatorId, text)).map(({ id }) => id);

  it('[C3.07] shows every image of the creator, the newest first, and why one cannot be added', async () => {
    const creatorId = await app.newCreator();
    const ids = [
      await stored(creatorId),
      await stored(creatorId, { status: 'pending', user_id: 'user_waiting' }),
      await stored(creatorId, { status: 'failed' }),
      await stored(creatorId, { hidden_at: new Date() }),
      await stored(creatorId, { taken_down_at: new Date() }),
    ];
    await stored(creatorId, { is_test: true });
    await stored(creatorId, { deleted_at: new Date() });
    await stored(creatorId, { user_id: 'user_closed' });
    await app.pool.query(
      `insert into generation_closed_owner (user_id, closed_at) values ('user_closed', now()) on conflict do nothing`,
    );
    await save(creatorId, 0, ids.slice(0, 1));
    const rows = await search(creatorId, null);
    expect(rows.map(({ id, in_gallery: inGallery, not_addable: why }) => [id, inGallery, why])).toEqual([
      [ids[0], true, null],
      [ids[1], false, 'no_image'],
      [ids[2], false, 'no_image'],
      [ids[3], false, 'hidden'],
      [ids[4], false, 'taken_down'],
    ]);
    const fields = [
      ...['id', 'prompt', 'image_url', 'status', 'created_at', 'updated_at', 'credit_cost'],
      ...['refunded', 'refund_reason', 'refunded_at', 'error_message'],
    ];
    expect(Object.keys(rows[2] ?? {})).toEqual(expect.arrayContaining(fields));
    expect(rows[2]).toMatchObject({ error_message: 'It failed', image: null, credit_cost: 10, total_count: 5 });
    expect(await call('get_generation_admin', { p_generation_id: ids[0] })).toMatchObject({ in_gallery: true });
    expect((await refusal('get_generation_admin', { p_generation_id: UNKNOWN })).status).toBe(404);
    expect(await search(UNKNOWN, null)).toEqual([]);
  });

  it('finds a whole id exactly, and other texts in the prompts', async () => {
    const creatorId = await app.newCreator();
    const other = await app.newCreator();
    const castle = await stored(creatorId, { prompt: 'A Castle 100% made_of glass' });
    const waiting = await stored(creatorId, { prompt: 'castle in the fog', status: 'pending', user_id: 'user_fog' });
    const cafe = await stored(creatorId, { prompt: 'CAFÉ at night' });
    const elsewhere = await stored(other, { prompt: 'castle' });
    expect(await found(creatorId, ` ${castle.toUpperCase()} `)).toEqual([castle]);
    expect(await found(creatorId, elsewhere)).toEqual([]);
    expect(await found(creatorId, castle.slice(1))).toEqual([]);
    expect(await found(creatorId, ' CASTLE ')).toEqual([castle, waiting]);
    expect(await found(creatorId, '0% m')).toEqual([castle]);
    expect(await found(creatorId, 'made%glass')).toEqual([]);
    expect(await found(creatorId, 'made_of')).toEqual([castle]);
    expect(await found(creatorId, 'madeXof')).toEqual([]);
    for (const text of ['ca', 'é', 'café']) expect(await found(creatorId, text)).toContain(cafe);
    expect(await found(creatorId, '%')).toEqual([castle]);
    expect(await found(creatorId, "'; drop table generation; --")).toEqual([]);
  });

  it('pages through all matches of a common and of a rare text', async () => {
    const creatorId = await app.newCreator();
    const fill = (count: number, prompt: string, days: number): Promise<unknown> =>
      app.pool.query(
        `insert into generation (id, user_id, creator_id, prompt, status, model, cost, image, credits_closed_at,
           not_before, completed_at, created_at, updated_at)
         select gen_random_uuid(), 'user_fan', $1, $2 || ' ' || n, 'completed', 'm', 10, $3, now(), now(), now(),
           now() - $4::integer * interval '1 day' - n * interval '1 second', now()
         from generate_series(1, $5::integer) as n`,
        [creatorId, prompt, JSON.stringify(IMAGE), days, count],
      );
    await fill(40, 'a lantern', 1);
    await fill(1_000, 'a river', 2);
    await fill(30, 'a zebrafish', 3);
    for (const [text, total] of [
      ['lantern', 40],
      ['zebrafish', 30],
      ['ze', 30],
      ['a ', 1_070],
    ] as const) {
      const seen = new Set<string>();
      for (let offset = 0; offset < Math.min(total, 60); offset += 12) {
        const input = { creatorId, search: text, limit: 12, offset };
        const page = await app.queries.execute(new ListAdminImages(input));
        expect([text, page.totalCount]).toEqual([text, total]);
        for (const { id, prompt } of page.images) {
          expect(prompt).toContain(text.trim());
          seen.add(id);
        }
      }
      expect([text, seen.size]).toEqual([text, Math.min(total, 60)]);
    }
    expect(await search(creatorId, 'lantern', { p_offset: 36 })).toHaveLength(4);
    expect(await search(creatorId, null, { p_offset: 10_000 })).toEqual([]);
  });
});

it('[C5.11] refuses every call of visitors with the words of the spec', async () => {
  const writes = [
    ...['save_gallery_admin', 'update_gallery_order_admin_by_jwt'],
    ...['add_to_creator_gallery_admin_by_jwt', 'remove_from_creator_gallery_admin_by_jwt'],
  ];
  const reads = [
    ...['get_gallery_admin', 'get_gallery_generations_admin_by_jwt'],
    ...['list_creator_generations_admin', 'get_generation_admin'],
  ];
  for (const name of [...writes, ...reads]) {
    const words = writes.includes(name)
      ? 'Authentication required for gallery modifications'
      : 'Authentication required';
    expect(await refusal(name, {}, null)).toMatchObject({ status: 401, message: words });
  }
});
