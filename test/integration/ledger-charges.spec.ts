import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chargePages } from '../../src/audit/verify/generation-charges.js';
import { asOwner, withTestDatabase, type TestDatabase } from '../support/database.js';
import { seedLedger } from '../support/seed-ledger.js';

const NOW = (): Date => new Date();
const USERS = ['fan_0000000', 'fan_0000001', 'fan_0000002'];

describe('chargePages', () => {
  let database: TestDatabase<never>;

  beforeAll(async () => {
    database = await withTestDatabase<never>();
    await seedLedger(asOwner(database), { accounts: 3, eventsEach: 22, prefix: 'fan' });
  });
  afterAll(() => database.close());

  it('returns each generation of the users once for every size of a page', async () => {
    const pool = asOwner(database);
    // Generations of one millisecond differ in their microseconds, and some only in their ids.
    await pool.query(
      `update generation g set created_at = date_trunc('day', created_at) + interval '1 microsecond' * (n / 2)
       from (select id, row_number() over (order by id) as n from generation) as numbered where numbered.id = g.id`,
    );
    const { rows } = await pool.query<{ id: string }>('select id from generation where user_id = any($1) order by id', [
      USERS.slice(1),
    ]);
    expect(rows.length).toBeGreaterThan(10);
    for (const limit of [1, 3, 500]) {
      const found: string[] = [];
      for await (const page of chargePages(pool, USERS.slice(1), NOW, limit))
        found.push(...page.map(({ deductionId }) => deductionId));
      expect(found.sort()).toEqual(rows.map(({ id }) => id));
    }
  });
});
