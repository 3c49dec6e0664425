import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { touchAccounts } from '../support/memory-run.js';

jest.setTimeout(180_000);

let database: TestDatabase<unknown>;
beforeAll(async () => {
  database = await withTestDatabase();
});
afterAll(() => database.close());

describe('accounts in memory', () => {
  it('take no more than they may, however many are touched (200,000 of them: npm run soak)', async () => {
    const cacheBytes = 4_000_000;
    const { cached, bytes, repeats } = await touchAccounts(database.url, { accounts: 5_000, heapMb: 64, cacheBytes });
    expect(cached.accounts).toBeGreaterThan(1_000);
    expect(cached.accounts).toBeLessThan(2_000);
    expect(cached.bytes).toBeLessThanOrEqual(cacheBytes);
    // The estimate is on the safe side, and not by much.
    expect(bytes).toBeLessThan(cacheBytes + 4_000_000);
    expect(repeats).toBe(true);
  });

  it('are estimated by what is in them: of an active one, above all the deductions of a month', async () => {
    const fans = { accounts: 300, deductions: 30 };
    const { cached, bytes } = await touchAccounts(database.url, { ...fans, heapMb: 64 });
    expect(cached.accounts).toBe(300);
    expect(cached.bytes).toBeGreaterThan(300 * (2_000 + 30 * 200));
    // What the process has grown by for other reasons is in it
    expect(bytes).toBeLessThan(cached.bytes + 2_500_000);
  });
});
