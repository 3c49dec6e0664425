import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventStoreMigrations } from '../../src/platform/event-store/migrations.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { touchAccounts } from '../support/memory-run.js';

jest.setTimeout(180_000);

let database: TestDatabase<unknown>;
beforeAll(async () => {
  database = await withTestDatabase();
  await database.migrate(eventStoreMigrations);
});
afterAll(() => database.close());

describe('accounts in memory', () => {
  it('take no more than they may, however many are touched (200,000 of them: npm run soak)', async () => {
    const cacheBytes = 4_000_000;
    const { cached, bytes, repeats } = await touchAccounts(database.url, { accounts: 10_000, heapMb: 64, cacheBytes });
    expect(cached.accounts).toBeGreaterThan(1_000);
    expect(cached.accounts).toBeLessThan(2_000);
    expect(cached.bytes).toBeLessThanOrEqual(cacheBytes);
    // The estimate is on the safe side, and not by much.
    expect(bytes).toBeLessThan(cacheBytes + 4_000_000);
    expect(repeats).toBe(true);
  });
});
