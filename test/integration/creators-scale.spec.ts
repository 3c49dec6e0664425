import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { asOwner } from '../support/database.js';
import { GenerationApp } from '../support/generation-app.js';
import { planOf, type PlanNode, rowsRead } from '../support/query-plans.js';
import { inSoak } from '../support/soak.js';
import { recordStatements, type Statement } from '../support/statements.js';
import { until } from '../support/until.js';

// The tables are filled on a machine that may be busy.
jest.setTimeout(180_000);

const CREATORS = inSoak(100_000, 50_000);
/** A list counts up to 10,000 rows, and reads at most as many again. */
const MOST_ROWS = 30_000;
const MOST_STATEMENTS = 5;
/** The tables with a row or more for each creator. */
const TABLES = ['creator', 'creator_revenue_total', 'creator_revenue_month', 'creator_activity_total'];

let app: GenerationApp;
let admins = 0;

beforeAll(async () => {
  app = await GenerationApp.start();
  await fill();
});
afterAll(() => app?.close());

/** One creator in 50 waits, one in 10 was rejected, one in 10 has no model, one in 100 is archived. */
async function fill(): Promise<void> {
  const owner = await asOwner(app).connect();
  try {
    await owner.query('begin');
    // The triggers announce each row to the pages of creators.
    await owner.query(`set local session_replication_role = replica`);
    // Indexes of trigrams are faster to build than to fill row by row.
    const { rows: indexes } = await owner.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
       where tablename = 'creator' and indexdef like '%gin_trgm_ops%'`,
    );
    for (const { name } of indexes) await owner.query(`drop index ${name}`);
    await owner.query(
      `insert into creator (id, username, name, email, instagram, creator_status, is_visible, deployment_name, created_at,
         updated_at, state_since)
       select gen_random_uuid(), 'mass' || n, 'Mass ' || to_hex(n * 7919 % 1048576), n || '@mass.test', '@mass' || n,
         case when n % 50 = 0 then 'pending' when n % 10 = 1 then 'rejected' else 'active' end, n % 100 <> 3,
         case when n % 50 = 0 or n % 10 in (1, 2) then null else 'mass/' || n end, at, at, at
       from (select n, now() - n * interval '1 minute' as at from generate_series(1, $1::int) as n) as made`,
      [CREATORS],
    );
    await owner.query(
      `insert into creator_revenue_total select id, hashtext(name) % 10000, 0, 0 from creator where username like 'mass%'`,
    );
    await owner.query(
      `insert into creator_revenue_month (creator_id, month, paid_generations, paid_credits, creator_cents, platform_cents)
       select creator_id, month, 1, 10, creator_cents, 0 from creator_revenue_total
       cross join unnest($1::text[]) as months (month)`,
      [[0, 1].map((ago) => new Date(app.clock.now().getTime() - ago * 31 * 86_400_000).toISOString().slice(0, 7))],
    );
    await owner.query(
      `insert into creator_activity_total select creator_id, abs(creator_cents), 3 from creator_revenue_total`,
    );
    for (const { definition } of indexes) await owner.query(definition);
    await owner.query('commit');
    // Index-only scans need pages that are marked as visible. A transaction of the app can prevent the marks.
    await until(async () => {
      await owner.query(`vacuum analyze ${TABLES.join(', ')}`);
      const { rows } = await owner.query<{ done: boolean }>(
        `select bool_and(relallvisible >= relpages) as done from pg_class where oid = any($1::regclass[])`,
        [TABLES],
      );
      return rows[0]?.done;
    }, 'all pages of the creators to be visible');
  } finally {
    owner.release();
  }
}

/** Full scans of the large tables, and scans that read more rows than a list needs. */
function faultsOf(plan: PlanNode): string[] {
  // A part that this page did not need may be planned in any way.
  if (plan['Actual Loops'] === 0) return [];
  const table = plan['Relation Name'] ?? '';
  const read = rowsRead(plan);
  const isFull = plan['Node Type'].includes('Seq Scan') && TABLES.includes(table);
  const own = isFull || read > MOST_ROWS ? [`${plan['Node Type']} ${table}: ${read} rows`] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(faultsOf)];
}

/** Calls as a new admin, because the calls are limited per admin. Returns the statements of the request. */
async function statementsOf(name: string, body: object): Promise<Statement[]> {
  const recorder = recordStatements();
  try {
    const { status } = await app.rpc(name, `admin_${(admins += 1)}_${randomUUID()}`, body);
    expect(status).toBe(200);
    return recorder.all.filter(({ requestId, text }) => requestId !== null && !/^\s*(begin|commit)\b/i.test(text));
  } finally {
    recorder.stop();
  }
}

/** A term that all have, one that few have, one name, and two that no index finds. */
const SEARCHES = ['mass', 'mass 1f', 'mass17777', 'ma', '9'];

const CALLS: readonly (readonly [string, object])[] = [
  ...['active', 'archived'].flatMap((p_state) => [
    ...[0, 9_900].map((p_offset) => ['list_creators_admin', { p_state, p_offset }] as const),
    ...SEARCHES.map((p_search) => ['list_creators_admin', { p_state, p_search }] as const),
    ['list_creators_admin', { p_state, p_username: 'mass47777' }] as const,
  ]),
  ...['all_time_revenue', 'month_revenue', 'paid_generations', 'total_generations', 'name', 'newest'].flatMap(
    (p_sort) => [0, 9_900].map((p_offset) => ['list_revenue_creators_admin', { p_sort, p_offset }] as const),
  ),
  ...['pending', 'waiting_for_model', 'approved', 'rejected'].flatMap((p_state) => [
    ...[0, 500].map((p_offset) => ['list_applications_admin', { p_state, p_offset }] as const),
    ...SEARCHES.map((p_search) => ['list_applications_admin', { p_state, p_search }] as const),
  ]),
  ['get_platform_revenue_admin', {}],
  ['get_admin_overview', {}],
  ['get_admin_counts', {}],
];

it.each(CALLS)('%s %j reads many creators by indexes, in five statements', async (name, body) => {
  const statements = await statementsOf(name, body);
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.length).toBeLessThanOrEqual(MOST_STATEMENTS);
  for (const statement of statements) {
    const plan = await planOf(asOwner(app), statement);
    expect([statement.text, faultsOf(plan)]).toEqual([statement.text, []]);
  }
});

it('reads the creators after one of them by an index', async () => {
  const { rows } = await app.pool.query<{ id: string }>(`select id from creator where username = 'mass47777'`);
  const statements = await statementsOf('list_creators_admin', { p_state: 'active', p_after: rows[0]!.id, p_limit: 1 });
  for (const statement of statements) expect(faultsOf(await planOf(asOwner(app), statement))).toEqual([]);
});
