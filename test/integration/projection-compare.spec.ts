import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { accountProjection } from '../../src/credits/reads/account-projection.js';
import { createPool } from '../../src/platform/database/pool.js';
import {
  compareWithFresh,
  type CompareOptions,
  type FreshComparison,
  type RowDifference,
} from '../../src/platform/projections/compare-with-fresh.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';

jest.setTimeout(60_000);

describe('compareWithFresh', () => {
  let ledger: LedgerApp;
  let pool: pg.Pool;
  beforeAll(async () => {
    ledger = await startLedger();
    // As the commands of the audit connect where they have no user of their own.
    pool = createPool(ledger.database.auditUrl, { max: 4, statementTimeoutMs: 0, readOnly: true });
  });
  beforeEach(() => ledger.clear());
  afterAll(async () => {
    await pool.end();
    await ledger.close();
  });

  async function compare(options: CompareOptions = {}): Promise<FreshComparison & { named: RowDifference[] }> {
    const named: RowDifference[] = [];
    const sources = { pool, eventStore: ledger.eventStore };
    const found = await compareWithFresh(sources, accountProjection, {
      onDifference: (difference) => named.push(difference),
      ...options,
    });
    return { ...found, named };
  }

  const leftOver = async (): Promise<string[]> => {
    const { rows } = await asOwner(ledger.database).query<{ relname: string }>(
      `select relname from pg_class where relpersistence = 't' and relkind = 'r'`,
    );
    return rows.map(({ relname }) => relname);
  };

  it('finds no difference in the tables of the app, and leaves no table behind', async () => {
    await ledger.eventfulAccount('user_1');
    await ledger.eventfulAccount('user_2');
    const found = await compare();
    expect(found).toMatchObject({ differences: 0, named: [], liveVersion: accountProjection.version });
    expect(found.events).toBeGreaterThan(10);
    expect(found.rows).toBeGreaterThan(10);
    expect(await leftOver()).toEqual([]);
  });

  it('reports every row that differs from the events', async () => {
    await ledger.eventfulAccount('user_1');
    await ledger.database.pool.query(`update credit_balance set bonus = bonus + 1`);
    await ledger.database.pool.query(`delete from credit_transaction where version = 0`);
    await ledger.database.pool
      .query(`insert into credit_balance select 'nobody', version, opened, daily, daily_expires_at, bonus, paid,
      lifetime_earned, lifetime_spent, last_daily_grant from credit_balance`);
    const found = await compare();
    expect(found.differences).toBe(4);
    expect(found.named.map(({ table, only }) => `${table} ${only}`).sort()).toEqual([
      'credit_balance fresh',
      'credit_balance live',
      'credit_balance live',
      'credit_transaction fresh',
    ]);
    expect(found.named.some(({ row }) => row.includes('nobody'))).toBe(true);
    expect(await compare({ named: 1 })).toMatchObject({ differences: 4, named: [expect.anything()] });
  });

  it('compares both tables at one position while events are appended and projected', async () => {
    await ledger.eventfulAccount('user_1');
    await ledger.gift('user_1', 5);
    expect(await compare()).toMatchObject({ differences: 0 });
    let writing = true;
    const writes = (async () => {
      for (let round = 0; writing; round += 1) {
        await ledger.gift(`user_${round % 7}`, 1);
        await ledger.project();
      }
    })();
    for (let round = 0; round < 10; round += 1) expect(await compare()).toMatchObject({ differences: 0 });
    writing = false;
    await writes;
  });

  it('reports when nothing was projected, or by another version', async () => {
    await ledger.gift('user_1', 5);
    expect(await compare()).toMatchObject({ position: null, liveVersion: null, events: 0 });
    await ledger.project();
    await ledger.database.pool.query('update projection_checkpoint set version = version + 1');
    expect(await compare()).toMatchObject({ liveVersion: accountProjection.version + 1, events: 0, rows: 0 });
  });

  it('aborts on its signal and drops its tables', async () => {
    await ledger.eventfulAccount('user_1');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(compare({ signal })).rejects.toThrow('enough');
    expect(await leftOver()).toEqual([]);
  });
});
