import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type AdminAct } from '../../src/contract/acts.js';
import { type AdminCreatorRow, type PlatformRevenue, type RevenueCreatorRow } from '../../src/contract/applications.js';
import { type ErrorBody } from '../../src/contract/errors.js';
import { GenerationApp } from '../support/generation-app.js';

// Postgres starts slowly on a loaded machine.
jest.setTimeout(60_000);

let app: GenerationApp;
let admins = 0;

beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app.close());

const call = <T>(name: string, body: object = {}): Promise<T> =>
  app.ok(name, `admin_${(admins += 1)}_${randomUUID()}`, body);

it('lists active and archived creators by a part of the name, the handle or exactly by username', async () => {
  const juno = await app.newCreator('Juno 100% Abara');
  const aria = await app.newCreator('Aria Vale');
  await call('toggle_creator_visibility', { p_creator_id: aria, p_is_visible: false });
  const list = (p_state: string, more: object = {}): Promise<AdminCreatorRow[]> =>
    call('list_creators_admin', { p_state, ...more });
  expect(await list('active')).toMatchObject([{ id: juno, gallery_size: 0, works: [], total_count: 1 }]);
  const [archived] = await list('archived');
  expect(archived).toMatchObject({ id: aria, is_visible: false });
  expect(await list('archived', { p_username: archived?.username.toUpperCase() })).toHaveLength(1);
  expect(await list('archived', { p_username: 'aria' })).toEqual([]);
  for (const p_search of ['NO 100%', 'ju', ' abara ']) expect(await list('active', { p_search })).toHaveLength(1);
  for (const p_search of ['J_no', 'aria']) expect(await list('active', { p_search })).toEqual([]);
  expect(await list('active', { p_offset: 1 })).toEqual([]);
});

it('lists the creators after one of them', async () => {
  const first = await app.newCreator('Kit One');
  const second = await app.newCreator('Kit Two');
  const third = await app.newCreator('Kit Three');
  const after = async (p_after: string, more: object = {}): Promise<string[]> => {
    const rows = await call<AdminCreatorRow[]>('list_creators_admin', { p_state: 'active', p_after, ...more });
    return rows.map(({ id }) => id);
  };
  const all = await call<AdminCreatorRow[]>('list_creators_admin', { p_state: 'active', p_search: 'kit' });
  const ids = all.map(({ id }) => id).filter((id) => [first, second, third].includes(id));
  expect(await after(ids[0]!, { p_limit: 1 })).toEqual([ids[1]]);
  expect(await after(ids[1]!)).toEqual([ids[2]]);
  expect(await after(ids[2]!)).toEqual([]);
  expect(await after(randomUUID())).toEqual([]);
});

it('[C1.03, C6.09] orders active creators by their revenue and images, by name and by age, and sums the platform', async () => {
  const zoe = await app.newCreator('Zoe');
  const abe = await app.newCreator('Abe');
  const month = app.clock.now().toISOString().slice(0, 7);
  const insert = (creator: string, inMonth: string, cents: number, paid: number): Promise<unknown> =>
    app.pool.query(
      `with activity as (
         insert into creator_activity_month (creator_id, month, paid_generations, free_generations, new_fans)
         values ($1, $2, $4::integer, 10 - $4::integer, 1)
       ), activity_total as (
         insert into creator_activity_total values ($1, $4::integer, 10 - $4::integer)
       ), total as (
         insert into creator_revenue_total values ($1, $3::integer, -5, 0)
       ), books as (
         insert into book_sum (account, unit, starts_at, cents, credits) values (2100, 'month', '2020-01-01Z', -$3::integer, 0)
         on conflict (unit, account, starts_at) do update set cents = book_sum.cents + excluded.cents
       ), platform as (
         insert into platform_revenue_month values ($2, $4::integer, $3::integer, $3::integer, -5, 0)
       )
       insert into creator_revenue_month (creator_id, month, paid_generations, paid_credits, creator_cents, platform_cents,
         correction_cents, changes)
       values ($1, $2, $4::integer, 10, $3::integer, $3::integer, -5, 1)`,
      [creator, inMonth, cents, paid],
    );
  await insert(zoe, month, 100, 9);
  await insert(abe, '2020-01', 500, 2);
  const first = async (p_sort?: string): Promise<string | undefined> => {
    const rows = await call<RevenueCreatorRow[]>('list_revenue_creators_admin', { p_sort });
    return rows.find(({ id }) => id === zoe || id === abe)?.name;
  };
  expect(await Promise.all([undefined, 'month_revenue', 'paid_generations', 'name'].map(first))).toEqual([
    ...['Abe', 'Zoe', 'Zoe', 'Abe'],
  ]);
  expect(await first('newest')).toBe('Abe');
  expect(await first('total_generations')).toMatch(/Abe|Zoe/);
  const rows = await call<RevenueCreatorRow[]>('list_revenue_creators_admin');
  expect(rows.find(({ id }) => id === zoe)).toMatchObject({ taken_back_cents: 5, restored_cents: 0 });
  expect(rows.find(({ id }) => id === zoe)?.months).toEqual([...Array.from({ length: 9 }, () => 0), 100]);
  expect(await call<PlatformRevenue>('get_platform_revenue_admin')).toMatchObject({
    earned_cents: 600,
    platform_cents: 600,
    pending_cents: 600,
    payable_cents: 0,
    corrections_cents: 10,
    this_month_cents: 100,
    paid_generations: 11,
  });
});

it('pages through creators with figures above, at and below zero without gaps or repeats', async () => {
  const month = app.clock.now().toISOString().slice(0, 7);
  const creators: string[] = [];
  for (let n = 0; n < 8; n += 1) creators.push(await app.newCreator(`Page ${n}`));
  // The last two have no figures at all. An inactive one is in no list.
  for (const [n, cents] of [300, -20, 0, 700, -5, 300].entries()) {
    await app.pool.query(
      `with of_month as (
         insert into creator_revenue_month (creator_id, month, paid_generations, paid_credits, creator_cents, platform_cents)
         values ($1, $2, 0, 0, $3::integer, 0)
       ), activity as (
         insert into creator_activity_total values ($1, abs($3::integer), $4::integer)
       )
       insert into creator_revenue_total values ($1, abs($3::integer), 0, 0)`,
      [creators[n], month, cents, 400 * n],
    );
  }
  await app.pool.query(`update creator set creator_status = 'rejected' where id = $1`, [creators[3]]);
  const figures = {
    all_time_revenue: `select creator_id, creator_cents as figure from creator_revenue_total`,
    month_revenue: `select creator_id, creator_cents as figure from creator_revenue_month where month = '${month}'`,
    paid_generations: `select creator_id, paid_generations as figure from creator_activity_total`,
    total_generations: `select creator_id, paid_generations + free_generations as figure from creator_activity_total`,
  };
  for (const [p_sort, select] of Object.entries(figures)) {
    const { rows: due } = await app.pool.query<{ id: string }>(
      `select creator.id from creator left join (${select}) as f on f.creator_id = creator.id::text
       where creator_status = 'active' order by coalesce(figure, 0) desc, created_at, id`,
    );
    for (const p_limit of [1, 3, 100]) {
      const ids: string[] = [];
      for (let p_offset = 0; p_offset < due.length; p_offset += p_limit) {
        const page = await call<RevenueCreatorRow[]>('list_revenue_creators_admin', { p_sort, p_limit, p_offset });
        expect(page.every((row) => row.total_count === due.length)).toBe(true);
        ids.push(...page.map(({ id }) => id));
      }
      expect({ p_sort, p_limit, ids }).toEqual({ p_sort, p_limit, ids: due.map(({ id }) => id) });
    }
    const beyond = { p_sort, p_limit: 100, p_offset: due.length };
    expect(await call('list_revenue_creators_admin', beyond)).toEqual([]);
  }
  expect(await call('list_revenue_creators_admin', { p_offset: 10_000 })).toEqual([]);
});

it('logs a look at an active creator, and refuses others with the words of the spec', async () => {
  const creatorId = await app.newCreator('Mara');
  expect(await call('view_creator_admin', { p_creator_id: creatorId })).toMatchObject({ name: 'Mara' });
  const kinds = async (): Promise<unknown[]> =>
    (await app.pool.query<{ kind: string }>(`select kind from admin_act where creator_id = $1`, [creatorId])).rows;
  expect(await kinds()).toEqual([{ kind: 'creator.viewed' }]);
  const acts = await call<AdminAct[]>('list_admin_acts', { p_about: creatorId });
  expect(acts).toMatchObject([{ kind: 'creator.viewed', creator_name: 'Mara' }]);
  await app.pool.query(`update creator set creator_status = 'rejected' where id = $1`, [creatorId]);
  const refused = async (p_creator_id: string): Promise<unknown> => {
    const { status, body } = await app.rpc('view_creator_admin', `admin_${randomUUID()}`, { p_creator_id });
    return [status, (body as ErrorBody).message];
  };
  expect(await refused(creatorId)).toEqual([409, 'Creator "Mara" is not active (status: rejected)']);
  expect(await refused(randomUUID())).toEqual([404, 'Creator not found or access denied']);
  expect(await kinds()).toHaveLength(1);
});
