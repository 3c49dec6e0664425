import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creatorMigrations } from '../../src/creators/migrations.js';
import { type Migrations } from '../../src/platform/database/database.js';
import { revenueMigrations } from '../../src/revenue/migrations.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';

let database: TestDatabase<unknown>;

beforeAll(async () => {
  database = await withTestDatabase({ empty: true });
});
afterAll(() => database.close());

const LEFT = '00000000-0000-7000-8000-000000000001';
const STAYS = '00000000-0000-7000-8000-000000000002';

/** Applies the migrations up to one, or those after it. */
async function migrate(migrations: Migrations, which: 'until' | 'after', name: string): Promise<void> {
  for (const key of Object.keys(migrations).sort()) {
    if (key <= name === (which === 'until')) await migrations[key]?.up(database.db);
  }
}

describe('the migration of a database with data', () => {
  it('keeps acceptances, names and withdrawals of creators', async () => {
    await migrate(creatorMigrations, 'until', '0033_creators_withdrawal');
    await database.pool.query(
      `insert into creator (id, clerk_id, username, name, email, instagram, creator_status, is_visible, deployment_name,
         created_at, updated_at, withdrawn_at)
       values ($1, 'user_left', 'left', 'Left', '', '', 'active', false, 'fanvas/left', now(), now(), '2026-01-31'),
         ($2, 'user_stays', 'stays', 'Stays', 's@x.test', '@stays', 'active', true, 'fanvas/stays', now(), now(), null)`,
      [LEFT, STAYS],
    );
    await database.pool.query(`insert into creator_terms_acceptance values ('user_stays', 'v1.0', '2026-01-01')`);
    await migrate(creatorMigrations, 'after', '0033_creators_withdrawal');
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
        ...{ clerk_id: 'user_stays', kind: 'accepted', context: 'before_records' },
        ...{ terms_version: 'v1.0', terms_sha256: null },
      },
    ]);
    const { rows: tasks } = await database.pool.query(`select creator_id, model, done_at from creator_model_deletion`);
    expect(tasks).toEqual([{ creator_id: LEFT, model: 'fanvas/left', done_at: null }]);
  });

  it('sums what is payable by hour, day and month from earlier earnings', async () => {
    await migrate(revenueMigrations, 'until', '0071_revenue_purchases');
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
    await migrate(revenueMigrations, 'after', '0071_revenue_purchases');
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
});
