import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../platform/clock.js';
import { lastInstantOf, MonthClosing } from './month-closing.js';

type Dependencies = ConstructorParameters<typeof MonthClosing>;

describe('MonthClosing', () => {
  it('refuses a month, and waits for the log, until 15 minutes after its end', () => {
    const clock = new ManualClock(new Date('2026-04-01T00:14:59.999Z'));
    const closing = new MonthClosing(...([{}, {}, {}, {}, clock] as unknown as Dependencies));
    const state = () => {
      return {
        next: '2026-03',
        openTransactions: 0,
        openCents: 0,
        outdated: [],
        logUntil: clock.now(),
      };
    };
    expect(closing.refusal(state())?.message).toBe('March 2026 can be closed 15 minutes after its end.');
    const waits = 'The public log does not have all events of March 2026 yet.';
    expect(closing.lag('2026-03', state())).toBe(waits);
    clock.advance(1);
    expect(closing.refusal(state())).toBeNull();
    expect(closing.lag('2026-03', state())).toBeNull();
    expect(closing.lag('2026-03', { ...state(), logUntil: null })).toBe(waits);
  });
});

describe('lastInstantOf', () => {
  it('returns the millisecond before the next month', () => {
    expect(lastInstantOf('2026-12').toISOString()).toBe('2026-12-31T23:59:59.999Z');
  });
});
