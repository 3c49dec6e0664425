import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../platform/clock.js';
import { lastInstantOf, MonthClosing } from './month-closing.js';

type Dependencies = ConstructorParameters<typeof MonthClosing>;

describe('MonthClosing', () => {
  it('refuses a month until 15 minutes after its end', async () => {
    const clock = new ManualClock(new Date('2026-04-01T00:14:59.999Z'));
    const [store, db, eventStore] = [{}, {}, { lastPosition: () => Promise.resolve(null) }];
    const queries = { execute: () => Promise.resolve(true) };
    const closing = new MonthClosing(...([db, store, eventStore, {}, queries, clock] as unknown as Dependencies));
    const march = { next: '2026-03', closed: null, openTransactions: 0, openCents: 0, outdated: [] };
    expect((await closing.refusal(march))?.message).toBe('March 2026 can be closed 15 minutes after its end.');
    clock.advance(1);
    expect(await closing.refusal(march)).toBeNull();
  });
});

describe('lastInstantOf', () => {
  it('returns the millisecond before the next month', () => {
    expect(lastInstantOf('2026-12').toISOString()).toBe('2026-12-31T23:59:59.999Z');
  });
});
