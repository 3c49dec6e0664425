import { describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { DEFAULT_CREDIT_SETTINGS } from './constants.js';
import { deductCredits, grantDailyCredits, repairClock } from './decide.js';
import { type CreditEvent } from './events.js';
import { balancesAt, emptyAccount, evolve, timeOfEvents, type AccountState } from './state.js';

const NOW = new Date('2026-03-10T09:00:00Z');
const DAY_MS = 86_400_000;
const REASON = 'The clock of a server was ahead';
const after = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);

/** Decides and applies, as the account store does. */
function decide(state: AccountState, now: Date, events: CreditEvent[]): CreditEvent[] {
  const at = new Date(timeOfEvents(state, now, events));
  for (const event of events) evolve(state, event, at);
  return events;
}
const daily = (state: AccountState, now: Date): CreditEvent[] =>
  decide(state, now, grantDailyCredits(state, now, DEFAULT_CREDIT_SETTINGS, 'due'));
const repair = (state: AccountState, now: Date, grantedDays: readonly string[]): CreditEvent[] =>
  decide(state, now, repairClock({ reason: REASON, grantedDays }, state, now));

/** An account with a daily grant of today, and of two days that have not come. */
function accountAhead(): AccountState {
  const state = emptyAccount();
  for (const days of [0, 40, 41]) daily(state, after(days));
  return state;
}
const DAYS = ['2026-03-10', '2026-04-19', '2026-04-20'];

describe('repairClock', () => {
  it('sets the time of an account back to now, and names the time and the grants from the future', () => {
    const state = accountAhead();
    expect(repair(state, NOW, DAYS)).toEqual([
      {
        type: 'ClockRepaired',
        data: {
          schemaVersion: 1,
          reason: REASON,
          aheadUntil: after(41).toISOString(),
          lastDailyGrant: '2026-03-10',
          grantedAhead: ['2026-04-19', '2026-04-20'],
        },
      },
    ]);
    expect(state.lastEventAt).toBe(NOW.getTime());
  });

  it('accepts the granted days in any order', () => {
    const [event] = repair(accountAhead(), NOW, [...DAYS].reverse());
    expect(event?.data).toMatchObject({ lastDailyGrant: '2026-03-10', grantedAhead: ['2026-04-19', '2026-04-20'] });
  });

  it('lets a deduction start that was refused as too old before', () => {
    const state = accountAhead();
    const deductionId = v7({ msecs: NOW.getTime() });
    const start = (): CreditEvent[] =>
      deductCredits({ deductionId, creatorId: 'c', amount: 10, ownGeneration: false }, state, NOW, 'due');
    expect(start).toThrow('is closed');
    repair(state, NOW, DAYS);
    expect(start().map(({ type }) => type)).toEqual(['CreditsDeducted']);
  });

  it('keeps every day to one grant: the days before, and the days that were granted ahead', () => {
    const state = accountAhead();
    repair(state, NOW, DAYS);
    expect(daily(state, NOW)).toEqual([]);
    expect(daily(state, after(1)).at(-1)).toMatchObject({ data: { lotId: 'daily:2026-03-11' } });
    expect(daily(state, after(40))).toEqual([]);
    expect(daily(state, after(41))).toEqual([]);
    expect(daily(state, after(42)).at(-1)).toMatchObject({ data: { lotId: 'daily:2026-04-21' } });
  });

  it('keeps the credits of a lot from the future until that lot expires', () => {
    const state = accountAhead();
    repair(state, NOW, DAYS);
    expect(balancesAt(state, NOW.getTime()).daily).toBe(10);
    expect(balancesAt(state, after(42).getTime()).daily).toBe(0);
  });

  it('repairs an account without a daily grant', () => {
    const state = emptyAccount();
    daily(state, after(40));
    expect(repair(state, NOW, ['2026-04-19'])[0]).toMatchObject({
      data: { lastDailyGrant: null, grantedAhead: ['2026-04-19'] },
    });
    expect(daily(state, NOW).at(-1)).toMatchObject({ data: { lotId: 'daily:2026-03-10' } });
  });

  it('repairs an account again after a second jump of a clock', () => {
    const state = accountAhead();
    repair(state, NOW, DAYS);
    daily(state, after(60));
    expect(repair(state, after(1), [...DAYS, '2026-05-09'])[0]).toMatchObject({
      data: { lastDailyGrant: '2026-03-10', grantedAhead: ['2026-04-19', '2026-04-20', '2026-05-09'] },
    });
  });

  it.each([0, 60_000])('writes nothing for an account that is %i ms ahead', (ms) => {
    const state = emptyAccount();
    daily(state, new Date(NOW.getTime() + ms));
    expect(repair(state, NOW, ['2026-03-10'])).toEqual([]);
  });
});
