import { describe, expect, it } from '@jest/globals';
import { AccountCache } from './account-cache.js';
import { emptyAccount } from '../account/state.js';

/** Runs a command on the account. Loads the account if it is not in memory. `known`: it was in memory. */
function use(cache: AccountCache, userId: string, version = 0): { known: boolean } {
  const queue = cache.queueOf(userId);
  const known = queue.account !== null;
  cache.begin(queue);
  queue.account ??= {
    state: emptyAccount(),
    version: 0,
    lastHash: null,
    snapshotVersion: -1,
    recentlyEnded: [],
    newestEnded: null,
  };
  queue.account.version = version;
  cache.end(queue);
  return { known };
}

describe('AccountCache', () => {
  it('evicts accounts that were not used recently', () => {
    const cache = new AccountCache(3 * 2_000);
    for (const userId of ['a', 'b', 'c', 'd']) use(cache, userId);
    expect(cache.size).toEqual({ accounts: 3, bytes: 6_000 });
    use(cache, 'b');
    use(cache, 'e');
    expect(cache.size).toEqual({ accounts: 3, bytes: 6_000 });
    expect(use(cache, 'b').known).toBe(true);
    expect(use(cache, 'c').known).toBe(false);
  });

  it('keeps an account with commands in progress and its queue, even beyond the limit', () => {
    const cache = new AccountCache(2_000);
    use(cache, 'busy');
    const queue = cache.queueOf('busy');
    cache.begin(queue);
    expect(cache.size).toEqual({ accounts: 0, bytes: 0 });
    for (const userId of ['a', 'b', 'c']) use(cache, userId);
    expect(cache.queueOf('busy')).toBe(queue);
    cache.end(queue);
    expect(cache.size.accounts).toBe(1);
  });

  it('removes an account without a loaded state', () => {
    const cache = new AccountCache(10_000);
    const queue = cache.queueOf('a');
    cache.begin(queue);
    cache.end(queue);
    expect(cache.queueOf('a')).not.toBe(queue);
    expect(cache.size).toEqual({ accounts: 0, bytes: 0 });
  });

  it('estimates the size from the number of events between two measurements', () => {
    const cache = new AccountCache(100_000);
    use(cache, 'a');
    use(cache, 'a', 10);
    expect(cache.size.bytes).toBe(2_000 + 10 * 400);
    use(cache, 'a', 16);
    expect(cache.size.bytes).toBe(2_000);
  });

  it('measures again after an account was loaded again', () => {
    const cache = new AccountCache(1_000_000);
    use(cache, 'a');
    const queue = cache.queueOf('a');
    cache.begin(queue);
    const account = { ...queue.account!, state: emptyAccount() };
    for (let n = 0; n < 100; n += 1) {
      account.state.ended.set(`d${n}`, {
        outcome: 'settled',
        amount: 1,
        creatorId: 'c',
        creditTypeUsed: 'bonus',
        endedAt: 0,
      });
    }
    queue.setLoaded(account);
    cache.end(queue);
    expect(cache.size).toEqual({ accounts: 1, bytes: 2_000 + 100 * 250 });
  });
});
