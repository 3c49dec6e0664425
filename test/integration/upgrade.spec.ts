import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creatorMigrations } from '../../src/creators/migrations.js';
import { generationMigrations } from '../../src/generation/migrations.js';
import { type Migrations } from '../../src/platform/database/database.js';
import { runMigration } from '../../src/platform/database/migrate.js';
import { revenueMigrations } from '../../src/revenue/migrations.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';

let database: TestDatabase<unknown>;

beforeAll(async () => {
  database = await withTestDatabase({ empty: true });
});
afterAll(() => database.close());

const LEFT = '00000000-0000-7000-8000-000000000001';
const STAYS = '00000000-0000-7000-8000-000000000002';

/** Applies the migrations after one, up to another one. */
async function migrate(migrations: Migrations, after: string, until: string): Promise<void> {
  for (const key of Object.keys(migrations).sort()) {
    if (key > after && key <= until) await runMigration(database.db, migrations[key] ?? []);
  }
}
const FIRST = '';
const LAST = '~';

describe('the migration of a database with data', () => {
  it('keeps acceptances, names and withdrawals of creators', async () => {
    await migrate(creatorMigrations, FIRST, '0033_creators_withdrawal');
    await database.pool.query(
      `insert into creator (id, clerk_id, username, name, email, instagram, creator_status, is_visible, deployment_name,
         created_at, updated_at, withdrawn_at)
       values ($1, 'user_left', 'left', 'Left', '', '', 'active', false, 'fanvas/left', now(), now(), '2026-01-31'),
         ($2, 'user_stays', 'stays', 'Stays', 's@x.test', '@stays', 'active', true, 'fanvas/stays', now(), now(), null)`,
      [LEFT, STAYS],
    );
    await database.pool.query(`insert into creator_terms_acceptance values ('user_stays', 'v1.0', '2026-01-01')`);
    await migrate(creatorMigrations, '0033_creators_withdrawal', LAST);
    const { rows: creators } = await database.pool.query(
      `select id, is_visible, withdrawn_at = closed_at as closed, paused_at, style_due_at from creator order by id`,
    );
    expect(creators).toEqual([
      { id: LEFT, is_visible: false, closed: true, paused_at: null, style_due_at: null },
      { id: STAYS, is_visible: true, closed: null, paused_at: null, style_due_at: null },
    ]);
    const { rows: consent } = await database.pool.query(
      `select clerk_id, kind, context, terms_version, terms_sha256 from creator_consent`,
    );
    expect(consent).toEqual([
      {
        clerk_id: 'user_stays',
        kind: 'accepted',
        context: 'before_records',
        terms_version: 'v1.0',
        terms_sha256: null,
      },
    ]);
    const { rows: tasks } = await database.pool.query(`select creator_id, model, done_at from creator_model_deletion`);
    expect(tasks).toEqual([{ creator_id: LEFT, model: 'fanvas/left', done_at: null }]);
  });

  it('erases prompts of deleted images that no refusal by the provider keeps', async () => {
    await migrate(generationMigrations, FIRST, '0176_generation_withheld_pictures');
    const texts = ['refused', 'out of memory', 'not deleted'];
    await database.pool.query(
      `insert into generation (id, user_id, creator_id, prompt, status, model, cost, error_message, refund_reason,
         not_before, created_at, updated_at, deleted_at)
       select gen_random_uuid(), 'fan', 'c', prompt, 'failed', 'm', 10, 'x', 'fatal_error', now(), now(), now(),
         case when prompt <> 'not deleted' then now() end
       from unnest($1::text[]) as prompt`,
      [texts],
    );
    await database.pool.query(
      `insert into moderation_case (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at)
       select 'refusal', id, id, creator_id, user_id, 'sexual', 2, now() from generation where prompt = 'refused'`,
    );
    await migrate(generationMigrations, '0176_generation_withheld_pictures', LAST);
    const { rows } = await database.pool.query<{ prompt: string }>('select prompt from generation order by prompt');
    expect(rows.map(({ prompt }) => prompt)).toEqual(['', 'not deleted', 'refused']);
  });

  it('sums what is payable by hour, day and month from earlier earnings', async () => {
    await migrate(revenueMigrations, FIRST, '0071_revenue_purchases');
    await database.pool.query(
      `insert into creator_earning (user_id, version, line, kind, creator_id, deduction_id, lot_id, reversal_id, credits,
         unit_price_cents, creator_cents, platform_cents, occurred_at, month, payable_at)
       values ('fan', 1, 0, 'earning', 'c', 'd1', 'l', null, 10, 10, 50, 50, '2026-01-01 10:10Z', '2026-01', '2026-01-31 10:10Z'),
         ('fan', 2, 0, 'earning', 'c', 'd2', 'l', null, 10, 10, 50, 50, '2026-01-02 10:10Z', '2026-01', '2026-02-01 10:10Z'),
         ('fan', 3, 0, 'correction', 'c', 'd1', 'l', 'r', -10, 10, -50, -50, '2026-02-01 10:40Z', '2026-02', '2026-02-01 10:40Z')`,
    );
    await database.pool.query(
      `insert into creator_revenue_month values ('c', '2026-01', 2, 20, 100, 100), ('c', '2026-02', 0, -10, -50, -50)`,
    );
    await migrate(revenueMigrations, '0071_revenue_purchases', '0074_revenue_payable_months');
    const { rows: months } = await database.pool.query(
      `select month, correction_cents, restoration_cents, changes from creator_revenue_month order by month`,
    );
    expect(months).toEqual([
      { month: '2026-01', correction_cents: 0, restoration_cents: 0, changes: 0 },
      { month: '2026-02', correction_cents: -50, restoration_cents: 0, changes: 1 },
    ]);
    const { rows: payable } = await database.pool.query(
      `select unit, starts_at at time zone 'UTC' = date_trunc(unit, starts_at at time zone 'UTC') as whole, cents, peak
       from creator_payable order by unit, starts_at`,
    );
    const blocks = ['day', 'hour', 'month'].flatMap((unit) => [
      { unit, whole: true, cents: 50, peak: 50 },
      { unit, whole: true, cents: 0, peak: 50 },
    ]);
    expect(payable).toEqual(blocks);
  });

  it('sums the figures of creators and of the platform from earlier months', async () => {
    await database.pool.query(`insert into creator_revenue_month values ('d', '2026-01', 1, 10, 30, 31)`);
    await database.pool.query(
      `insert into creator_activity_month values ('c', '2026-01', 2, 1, 1), ('c', '2026-02', 0, 4, 0), ('d', '2026-01', 1, 0, 1)`,
    );
    await database.pool.query(
      `insert into creator_payable select 'd', unit, starts_at, 30, 30 from creator_payable where unit = 'month'`,
    );
    await migrate(revenueMigrations, '0074_revenue_payable_months', '0076_revenue_of_image');
    const all = async (table: string): Promise<unknown[]> =>
      (await database.pool.query<object>(`select * from ${table} order by 1`)).rows;
    expect(await all('creator_revenue_total')).toEqual([
      { creator_id: 'c', creator_cents: 50, correction_cents: -50, restoration_cents: 0 },
      { creator_id: 'd', creator_cents: 30, correction_cents: 0, restoration_cents: 0 },
    ]);
    expect(await all('creator_activity_total')).toEqual([
      { creator_id: 'c', paid_generations: 2, free_generations: 5 },
      { creator_id: 'd', paid_generations: 1, free_generations: 0 },
    ]);
    const kept = { correction_cents: 0, restoration_cents: 0 };
    expect(await all('platform_revenue_month')).toEqual([
      { month: '2026-01', paid_generations: 3, creator_cents: 130, platform_cents: 131, ...kept },
      {
        month: '2026-02',
        paid_generations: 0,
        creator_cents: -50,
        platform_cents: -50,
        ...kept,
        correction_cents: -50,
      },
    ]);
    expect(await all('platform_activity_month')).toEqual([
      { month: '2026-01', paid_generations: 3, free_generations: 1 },
      { month: '2026-02', paid_generations: 0, free_generations: 4 },
    ]);
    const { rows: payable } = await database.pool.query(
      `select unit, json_agg(cents order by starts_at) as cents from platform_payable group by unit order by unit`,
    );
    expect(payable).toEqual([
      { unit: 'day', cents: [50, 0] },
      { unit: 'hour', cents: [50, 0] },
      { unit: 'month', cents: [80, 30] },
    ]);
    // Now the books say what is payable.
    await migrate(revenueMigrations, '0076_revenue_of_image', LAST);
    const { rows: left } = await database.pool.query(
      `select from information_schema.tables where table_name in ('creator_payable', 'platform_payable')`,
    );
    expect(left).toEqual([]);
  });
});
