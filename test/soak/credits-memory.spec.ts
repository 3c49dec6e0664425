import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { touchAccounts } from '../support/memory-run.js';

jest.setTimeout(900_000);

let database: TestDatabase<unknown>;
beforeAll(async () => {
  database = await withTestDatabase();
});
afterAll(() => database.close());

describe('a process with 256 MB', () => {
  it('serves 200,000 accounts', async () => {
    const { cached, repeats } = await touchAccounts(database.url, { accounts: 200_000, heapMb: 256 });
    expect(cached.accounts).toBeLessThan(200_000);
    expect(repeats).toBe(true);
  });
});
