import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '../../../test/memory-store.js';
import { dailyAskDueIn, hasFailedToday, noteAsked, noteFailure, noteGranted } from './daily-grant-once.js';

const at = (time: string): Date => new Date(`2026-11-21T${time}Z`);

describe('[F2.16] dailyAskDueIn', () => {
  it('asks once a UTC day for each user', () => {
    const store = memoryStore();
    expect(dailyAskDueIn(store, 'user_a', at('08:00:00'))).toBe(0);
    noteAsked(store, 'user_a', at('08:00:00'));
    noteGranted(store, 'user_a', at('08:00:01'));
    expect(dailyAskDueIn(store, 'user_a', at('23:59:59'))).toBeNull();
    expect(dailyAskDueIn(store, 'user_b', at('23:59:59'))).toBe(0);
    expect(dailyAskDueIn(store, 'user_a', new Date('2026-11-22T00:00:00Z'))).toBe(0);
  });

  it('lets other tabs wait ten seconds for the answer, and asks again without one', () => {
    const store = memoryStore();
    noteAsked(store, 'user_a', at('08:00:00'));
    expect(dailyAskDueIn(store, 'user_a', at('08:00:04'))).toBe(6_000);
    expect(dailyAskDueIn(store, 'user_a', at('08:00:10'))).toBe(0);
  });

  it('asks again 10, 60 and then every 300 seconds after a failure', () => {
    const store = memoryStore();
    const waits = [1, 2, 3, 4].map(() => {
      noteAsked(store, 'user_a', at('08:00:00'));
      noteFailure(store, 'user_a', at('08:00:00'));
      return dailyAskDueIn(store, 'user_a', at('08:00:00'));
    });
    expect(waits).toEqual([10_000, 60_000, 300_000, 300_000]);
    expect(dailyAskDueIn(store, 'user_a', at('08:05:00'))).toBe(0);
  });

  it('asks when a note is from an earlier version', () => {
    const store = memoryStore();
    store.set('fanvas.daily-grant.user_a', '2026-11-21!1795000000000');
    expect(dailyAskDueIn(store, 'user_a', at('08:00:00'))).toBe(0);
  });
});

describe('hasFailedToday', () => {
  it('returns true after a failure until a request succeeds', () => {
    const store = memoryStore();
    expect(hasFailedToday(store, 'user_a', at('08:00:00'))).toBe(false);
    noteFailure(store, 'user_a', at('08:00:00'));
    expect(hasFailedToday(store, 'user_a', at('08:00:01'))).toBe(true);
    expect(hasFailedToday(store, 'user_b', at('08:00:01'))).toBe(false);
    noteAsked(store, 'user_a', at('08:00:10'));
    expect(hasFailedToday(store, 'user_a', at('08:00:10'))).toBe(true);
    noteGranted(store, 'user_a', at('08:00:11'));
    expect(hasFailedToday(store, 'user_a', at('08:00:12'))).toBe(false);
  });

  it('returns false on the next UTC day', () => {
    const store = memoryStore();
    noteFailure(store, 'user_a', at('23:59:59'));
    expect(hasFailedToday(store, 'user_a', new Date('2026-11-22T00:00:00Z'))).toBe(false);
  });
});
