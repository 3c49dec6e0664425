import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { touchAccounts } from '../support/memory-run.js';

jest.setTimeout(180_000);

let database: TestDatabase<unknown>;
beforeAll(async () => {
  database = await withTestDatabase();
});
afterAll(() => database.close());

describe('AccountStore cache', () => {
  it('stays within its memory limit when many accounts are used (200,000 in npm run soak)', async () => {
    const cacheBytes = 4_000_000;
    const { cached, bytes, repeats } = await touchAccounts(database.url, { accounts: 5_000, heapMb: 64, cacheBytes });
    expect(cached.accounts).toBeGreaterThan(1_000);
    expect(cached.accounts).toBeLessThan(2_000);
    expect(cached.bytes).toBeLessThanOrEqual(cacheBytes);
    // The estimate is slightly too high.
    expect(bytes).toBeLessThan(cacheBytes + 4_000_000);
    expect(repeats).toBe(true);
  });

  it('estimates an account by its content, mostly the ended deductions of a month', async () => {
    const fans = { accounts: 300, deductions: 30 };
    const { cached, bytes } = await touchAccounts(database.url, { ...fans, heapMb: 64 });
    expect(cached.accounts).toBe(300);
    expect(cached.bytes).toBeGreaterThan(300 * (2_000 + 30 * 200));
    // Includes other growth of the process
    expect(bytes).toBeLessThan(cached.bytes + 2_500_000);
  });
});
