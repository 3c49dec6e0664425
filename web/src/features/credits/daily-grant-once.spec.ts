import { describe, expect, it } from '@jest/globals';
import { claimDailyAsk, hasFailedToday, noteAsked, noteFailure } from './daily-grant-once.js';
import type { SmallStore } from '../../lib/storage.js';

function memory(): SmallStore {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

const at = (time: string): Date => new Date(`2026-11-21T${time}Z`);

describe('[F2.16] claimDailyAsk', () => {
  it('returns true once a day for each user', () => {
    const store = memory();
    expect(claimDailyAsk(store, 'user_a', at('08:00:00'))).toBe(true);
    expect(claimDailyAsk(store, 'user_a', at('23:59:59'))).toBe(false);
    expect(claimDailyAsk(store, 'user_b', at('23:59:59'))).toBe(true);
  });

  it('follows the UTC day', () => {
    const store = memory();
    claimDailyAsk(store, 'user_a', at('23:59:59'));
    expect(claimDailyAsk(store, 'user_a', new Date('2026-11-22T00:00:00Z'))).toBe(true);
  });

  it('returns true again five minutes after a failure', () => {
    const store = memory();
    claimDailyAsk(store, 'user_a', at('08:00:00'));
    noteFailure(store, 'user_a', at('08:00:01'));
    expect(claimDailyAsk(store, 'user_a', at('08:05:00'))).toBe(false);
    expect(claimDailyAsk(store, 'user_a', at('08:05:01'))).toBe(true);
    expect(claimDailyAsk(store, 'user_a', at('08:05:02'))).toBe(false);
  });
});

describe('hasFailedToday', () => {
  it('returns true after a failure until a request succeeds', () => {
    const store = memory();
    expect(hasFailedToday(store, 'user_a', at('08:00:00'))).toBe(false);
    noteFailure(store, 'user_a', at('08:00:00'));
    expect(hasFailedToday(store, 'user_a', at('08:00:01'))).toBe(true);
    expect(hasFailedToday(store, 'user_b', at('08:00:01'))).toBe(false);
    noteAsked(store, 'user_a', at('08:00:02'));
    expect(hasFailedToday(store, 'user_a', at('08:00:03'))).toBe(false);
  });

  it('returns false on the next UTC day', () => {
    const store = memory();
    noteFailure(store, 'user_a', at('23:59:59'));
    expect(hasFailedToday(store, 'user_a', new Date('2026-11-22T00:00:00Z'))).toBe(false);
  });
});
