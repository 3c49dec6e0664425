import { describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { MAX_AMOUNT } from '../../contract/limits.js';
import {
  bonusPart,
  bought,
  dailyPart,
  deducted,
  expired,
  granted,
  IMAGE,
  MIDNIGHT,
  MORNING,
  refunded,
  settled,
  voided,
} from '../../../test/support/credit-events.js';
import { type AccountState, balancesAt, emptyAccount, evolve, type Lot } from './state.js';
import {
  type NewDeduction,
  type BonusDecision,
  type BonusGrant,
  allocate,
  deductCredits,
  grantBonusCredits,
  grantDailyCredits,
  isAmount,
  openAccount,
  refundDeduction,
  requireAccount,
  settleDeduction,
} from './decide.js';
import {
  BonusUndecidedError,
  DeductionRefusedError,
  GrantRefusedError,
  InsufficientCreditsError,
  NoAccountError,
} from './errors.js';
import { DEFAULT_CREDIT_SETTINGS } from './constants.js';
import type { CreditEvent } from './events.js';

const NEXT_MORNING = new Date('2026-03-11T09:00:00Z');
const SIGN_UP = granted({ lotId: 'signup', kind: 'bonus', source: 'signup', amount: 30, expiresAt: null });
const DAILY = granted();

const deduct = (amount = 10, deductionId = IMAGE): NewDeduction => ({
  deductionId,
  amount,
  creatorId: 'creator_1',
  ownGeneration: false,
});
const settle = { deductionId: IMAGE };
const refund = { deductionId: IMAGE, reason: 'generation_failed' } as const;

/** The account after these events at one instant. */
function given(events: CreditEvent[], at: Date = MORNING): AccountState {
  return after(emptyAccount(), events, at);
}

function after(state: AccountState, events: CreditEvent[], at: Date): AccountState {
  return events.reduce((folded, event) => evolve(folded, event, at), state);
}

describe('sign-up bonus', () => {
  const daily = (events: CreditEvent[], bonus?: BonusDecision): CreditEvent[] =>
    grantDailyCredits(given(events), MORNING, DEFAULT_CREDIT_SETTINGS, bonus);
  it('grants the bonus with the first daily credits only when it is due', () => {
    expect(daily([], 'due')).toEqual([SIGN_UP, DAILY]);
    expect(daily([], 'none')).toEqual([DAILY]);
  });

  it('requires a decision before an account that is not open gets daily credits', () => {
    expect(() => daily([])).toThrow(BonusUndecidedError);
    expect(daily([SIGN_UP])).toEqual([DAILY]);
  });

  it('requires a decision before a deduction only when the other free credits do not suffice', () => {
    expect(() => deductCredits(deduct(11), given([DAILY]), MORNING)).toThrow(BonusUndecidedError);
    expect(() => deductCredits(deduct(10), given([bought()]), MORNING)).toThrow(BonusUndecidedError);
    expect(deductCredits(deduct(10), given([DAILY]), MORNING)).toEqual([deducted([dailyPart(10)])]);
    expect(deductCredits(deduct(11), given([DAILY]), MORNING, 'due')).toEqual([
      SIGN_UP,
      deducted([dailyPart(10), bonusPart(1)]),
    ]);
    expect(() => deductCredits(deduct(11), given([DAILY]), MORNING, 'none')).toThrow(
      new InsufficientCreditsError(11, 10),
    );
  });

  it('requires a decision before a deduction that takes free and paid credits', () => {
    expect(() => deductCredits(deduct(11), given([DAILY, bought()]), MORNING)).toThrow(BonusUndecidedError);
  });

  it('grants a due bonus with a deduction, also when the other free credits suffice', () => {
    expect(deductCredits(deduct(10), given([DAILY]), MORNING, 'due')).toEqual([SIGN_UP, deducted([dailyPart(10)])]);
  });

  it('grants the bonus later to an account that has other credits', () => {
    expect(openAccount(given([DAILY]), MORNING)).toEqual([SIGN_UP]);
  });
});

describe('requireAccount', () => {
  it('refuses a stream without events and accepts an account with one event', () => {
    expect(() => requireAccount(emptyAccount())).toThrow(NoAccountError);
    expect(() => requireAccount(given([SIGN_UP]))).not.toThrow();
  });
});

describe('isAmount', () => {
  it('accepts every integer from one to the highest amount, and nothing else', () => {
    expect([1, MAX_AMOUNT].filter(isAmount)).toEqual([1, MAX_AMOUNT]);
    expect([0, -1, 1.5, MAX_AMOUNT + 1, Infinity, Number.NaN].filter(isAmount)).toEqual([]);
  });
});

describe('openAccount', () => {
  it('grants the sign-up bonus of 30', () => {
    expect(openAccount(given([]), MORNING)).toEqual([SIGN_UP]);
  });

  it('returns no events for a repeat, even when a daily lot has lapsed since', () => {
    expect(openAccount(given([SIGN_UP, DAILY]), NEXT_MORNING)).toEqual([]);
  });

  it('grants the bonus when an admin granted credits before the first sight of the user', () => {
    const gift = grantBonusCredits({ grantId: 'gift', amount: 5, reason: 'Contest' }, given([]), MORNING);
    expect(openAccount(given(gift), MORNING)).toEqual([SIGN_UP]);
  });
});

describe('grantDailyCredits', () => {
  const grant = (state: AccountState, now: Date): CreditEvent[] =>
    grantDailyCredits(state, now, DEFAULT_CREDIT_SETTINGS, 'due');

  it('opens the account and grants 10 until the next 00:00 UTC', () => {
    expect(grant(given([]), MORNING)).toEqual([SIGN_UP, DAILY]);
  });

  it('grants the amount of the settings', () => {
    const [, daily] = grantDailyCredits(
      given([]),
      MORNING,
      { ...DEFAULT_CREDIT_SETTINGS, dailyGrantCredits: 25 },
      'due',
    );
    expect(daily).toMatchObject({ data: { source: 'daily', amount: 25 } });
  });

  it('returns no events for a repeat on the same UTC day', () => {
    expect(grant(given([SIGN_UP, DAILY]), new Date('2026-03-10T23:59:59.999Z'))).toEqual([]);
  });

  it('records the lapse and grants again at 00:00 UTC', () => {
    const events = grant(given([SIGN_UP, DAILY]), new Date(MIDNIGHT));
    expect(events).toMatchObject([expired(10), { data: { lotId: 'daily:2026-03-11', amount: 10 } }]);
  });

  it('does not grant twice when the clock is set back to another day', () => {
    expect(grant(given([SIGN_UP, DAILY]), new Date('2026-03-09T12:00:00Z'))).toEqual([]);
  });
});

describe('grantBonusCredits', () => {
  const gift = (amount: number, reason = 'Contest'): BonusGrant => ({ grantId: 'gift', amount, reason });

  it('adds a lot that never expires', () => {
    const [event] = grantBonusCredits(gift(5), given([SIGN_UP]), MORNING);
    expect(event).toMatchObject({ data: { lotId: 'grant:gift', kind: 'bonus', amount: 5, expiresAt: null } });
  });

  it('returns no events for a repeat of the grant id', () => {
    const state = given(grantBonusCredits(gift(5), given([]), MORNING));
    expect(grantBonusCredits(gift(5), state, MORNING)).toEqual([]);
  });

  it('refuses the same id with another amount or reason', () => {
    const state = given(grantBonusCredits(gift(5), given([]), MORNING));
    const refusal = new GrantRefusedError('gift', 'Grant gift was made with another amount or reason.');
    expect(() => grantBonusCredits(gift(6), state, MORNING)).toThrow(refusal);
    expect(() => grantBonusCredits(gift(5, 'Other'), state, MORNING)).toThrow(refusal);
  });

  it.each([0, -5, 1.5, Number.NaN, Infinity])('refuses an amount of %p', (amount) => {
    const refusal = new GrantRefusedError('gift', `${amount} is not a number of credits.`);
    expect(() => grantBonusCredits(gift(amount), given([]), MORNING)).toThrow(refusal);
  });
});

describe('deductCredits', () => {
  it('opens the account first', () => {
    expect(deductCredits(deduct(), given([]), MORNING, 'due')).toEqual([SIGN_UP, deducted([bonusPart(10)])]);
  });

  it('takes daily credits before bonus credits', () => {
    expect(deductCredits(deduct(), given([SIGN_UP, DAILY]), MORNING, 'due')).toEqual([deducted([dailyPart(10)])]);
    expect(deductCredits(deduct(15), given([SIGN_UP, DAILY]), MORNING, 'due')).toEqual([
      deducted([dailyPart(10), bonusPart(5)]),
    ]);
  });

  it('takes daily, then bonus, then paid, and the oldest lot first inside a kind', () => {
    const lot = (lotId: string, kind: Lot['kind'], order: number): Lot => ({
      lotId,
      kind,
      order,
      remaining: 10,
      unitPriceCents: kind === 'paid' ? 10 : 0,
      expiresAt: null,
    });
    const lots = [lot('p1', 'paid', 0), lot('b1', 'bonus', 1), lot('p2', 'paid', 2), lot('d1', 'daily', 3)];
    expect(allocate(lots, 35)?.map(({ lotId, amount }) => [lotId, amount])).toEqual([
      ['d1', 10],
      ['b1', 10],
      ['p1', 10],
      ['p2', 5],
    ]);
    expect(allocate(lots, 41)).toBeNull();
  });

  it('refuses more credits than the account holds and reports how many it holds', () => {
    const attempt = (): unknown => deductCredits(deduct(41), given([SIGN_UP, DAILY]), MORNING, 'due');
    expect(attempt).toThrow(new InsufficientCreditsError(41, 40));
  });

  it('counts the sign-up bonus of an account that is not open yet', () => {
    expect(() => deductCredits(deduct(31), given([]), MORNING, 'due')).toThrow(new InsufficientCreditsError(31, 30));
  });

  it('takes no lapsed credits and records the lapse', () => {
    const state = given([SIGN_UP, DAILY]);
    expect(() => deductCredits(deduct(31), state, NEXT_MORNING, 'due')).toThrow(InsufficientCreditsError);
    expect(deductCredits(deduct(), state, NEXT_MORNING, 'due')).toEqual([expired(10), deducted([bonusPart(10)])]);
  });

  it('takes daily credits until one millisecond before midnight', () => {
    const state = given([SIGN_UP, DAILY]);
    const midnight = new Date(MIDNIGHT);
    const lastInstant = new Date(midnight.getTime() - 1);
    expect(deductCredits(deduct(), state, lastInstant, 'due')).toEqual([deducted([dailyPart(10)])]);
    expect(balancesAt(state, lastInstant.getTime()).daily).toBe(10);
    expect(deductCredits(deduct(), state, midnight, 'due')).toEqual([expired(10), deducted([bonusPart(10)])]);
    expect(balancesAt(state, midnight.getTime()).daily).toBe(0);
  });

  it('takes no lapsed credits when the clock is set back before the latest event', () => {
    const state = after(given([SIGN_UP, DAILY]), [voided(v7({ msecs: NEXT_MORNING.getTime() }))], NEXT_MORNING);
    expect(() => deductCredits(deduct(31), state, MORNING, 'due')).toThrow(InsufficientCreditsError);
  });

  it('returns no events for a repeat, also after the settlement', () => {
    const open = [SIGN_UP, deducted([bonusPart(10)])];
    expect(deductCredits(deduct(), given(open), MORNING, 'due')).toEqual([]);
    expect(deductCredits(deduct(), given([...open, settled([bonusPart(10)])]), MORNING, 'due')).toEqual([]);
  });

  it('records whether the user is the creator', () => {
    const own = { ...deduct(), ownGeneration: true };
    expect(deductCredits(own, given([SIGN_UP]), MORNING, 'due')).toEqual([deducted([bonusPart(10)], true)]);
  });

  it('refuses the same id with another amount or creator', () => {
    const state = given([SIGN_UP, deducted([bonusPart(10)])]);
    const elsewhere = { deductionId: IMAGE, amount: 10, creatorId: 'creator_2', ownGeneration: false };
    const message = `Deduction ${IMAGE} was made with another amount or creator.`;
    const refusal = new DeductionRefusedError(IMAGE, message);
    expect(() => deductCredits(deduct(5), state, MORNING, 'due')).toThrow(refusal);
    expect(() => deductCredits(elsewhere, state, MORNING, 'due')).toThrow(refusal);
  });

  it('refuses a refunded and a voided id', () => {
    const refundedAccount = given([SIGN_UP, deducted([bonusPart(10)]), refunded([bonusPart(10)])]);
    expect(() => deductCredits(deduct(), refundedAccount, MORNING, 'due')).toThrow('was refunded');
    expect(() => deductCredits(deduct(), given([SIGN_UP, voided()]), MORNING, 'due')).toThrow('was voided');
  });

  it.each([0, -10, 2.5, Number.NaN, Infinity])('refuses an amount of %p', (amount) => {
    const refusal = new DeductionRefusedError(IMAGE, `${amount} is not a number of credits.`);
    expect(() => deductCredits(deduct(amount), given([SIGN_UP]), MORNING, 'due')).toThrow(refusal);
  });
});

describe('settleDeduction', () => {
  it('repeats the allocations, from which revenue is computed', () => {
    expect(settleDeduction(settle, given([SIGN_UP, deducted([bonusPart(10)])]), MORNING)).toEqual([
      settled([bonusPart(10)]),
    ]);
  });

  it('repeats that the user is the creator', () => {
    const state = given([SIGN_UP, deducted([bonusPart(10)], true)]);
    expect(settleDeduction(settle, state, MORNING)).toEqual([settled([bonusPart(10)], true)]);
  });

  it('fixes the hashes of what was delivered', () => {
    const image = { imageHash: 'a'.repeat(64), promptHash: 'b'.repeat(64) };
    const [event] = settleDeduction({ ...settle, image }, given([SIGN_UP, deducted([bonusPart(10)])]), MORNING);
    expect(event).toMatchObject({ type: 'DeductionSettled', data: { schemaVersion: 3, ...image } });
  });

  it('returns no events for a repeat', () => {
    const events = [SIGN_UP, deducted([bonusPart(10)]), settled([bonusPart(10)])];
    expect(settleDeduction(settle, given(events), MORNING)).toEqual([]);
  });

  it('refuses a refunded, a voided and an unknown id', () => {
    const refundedAccount = given([SIGN_UP, deducted([bonusPart(10)]), refunded([bonusPart(10)])]);
    expect(() => settleDeduction(settle, refundedAccount, MORNING)).toThrow('was refunded');
    expect(() => settleDeduction(settle, given([voided()]), MORNING)).toThrow('was voided');
    expect(() => settleDeduction(settle, given([SIGN_UP]), MORNING)).toThrow('is not known');
  });
});

describe('refundDeduction', () => {
  const mixed = [dailyPart(10), bonusPart(5)];

  it('restores the recorded allocation lot by lot', () => {
    const state = given([SIGN_UP, DAILY, deducted(mixed)]);
    expect(refundDeduction(refund, state, MORNING)).toEqual([refunded(mixed)]);
    const restored = after(state, [refunded(mixed)], MORNING);
    expect(balancesAt(restored, MORNING.getTime())).toEqual({ daily: 10, bonus: 30, paid: 0, total: 40 });
  });

  it('returns lapsed daily credits as daily, valid to the end of the current UTC day', () => {
    const state = given([SIGN_UP, DAILY, deducted(mixed)]);
    const endOfNextDay = '2026-03-12T00:00:00.000Z';
    const expectedEvent = refunded([dailyPart(10, endOfNextDay), bonusPart(5)]);
    expect(refundDeduction(refund, state, NEXT_MORNING)).toEqual([expectedEvent]);
    const restored = after(state, [expectedEvent], NEXT_MORNING);
    expect(balancesAt(restored, NEXT_MORNING.getTime()).daily).toBe(10);
    expect(balancesAt(restored, Date.parse(endOfNextDay)).daily).toBe(0);
    const [lapse] = grantDailyCredits(restored, new Date(endOfNextDay), DEFAULT_CREDIT_SETTINGS, 'due');
    expect(lapse).toEqual(expired(10, endOfNextDay));
  });

  it('restores daily credits unchanged one millisecond before midnight, and to the new day at midnight', () => {
    const state = given([SIGN_UP, DAILY, deducted(mixed)]);
    const midnight = new Date(MIDNIGHT);
    const lastInstant = new Date(midnight.getTime() - 1);
    expect(refundDeduction(refund, state, lastInstant)).toEqual([refunded([dailyPart(10), bonusPart(5)])]);
    expect(refundDeduction(refund, state, midnight)).toEqual([
      refunded([dailyPart(10, '2026-03-12T00:00:00.000Z'), bonusPart(5)]),
    ]);
  });

  it('keeps the end of daily credits that lies beyond the current day, as after a repair of the clock', () => {
    const ahead = dailyPart(10, '2026-03-14T00:00:00.000Z');
    const state = given([SIGN_UP, granted({ expiresAt: ahead.expiresAt }), deducted([ahead])]);
    expect(refundDeduction(refund, state, MORNING)).toEqual([refunded([ahead])]);
  });

  it('records the lapse of the rest of a lot from midnight on', () => {
    const state = given([SIGN_UP, DAILY, deducted([dailyPart(4)])]);
    const midnight = new Date(MIDNIGHT);
    const lastInstant = new Date(midnight.getTime() - 1);
    expect(refundDeduction(refund, state, lastInstant)).toEqual([refunded([dailyPart(4)])]);
    expect(refundDeduction(refund, state, midnight)).toEqual([
      expired(6),
      refunded([dailyPart(4, '2026-03-12T00:00:00.000Z')]),
    ]);
  });

  it('returns no events for a repeat, also with another reason', () => {
    const state = given([SIGN_UP, deducted([bonusPart(10)]), refunded([bonusPart(10)])]);
    expect(refundDeduction(refund, state, MORNING)).toEqual([]);
    expect(refundDeduction({ deductionId: IMAGE, reason: 'timeout' }, state, MORNING)).toEqual([]);
  });

  it('refuses a settled deduction', () => {
    const state = given([SIGN_UP, deducted([bonusPart(10)]), settled([bonusPart(10)])]);
    expect(() => refundDeduction(refund, state, MORNING)).toThrow('was settled');
  });

  it('voids an unknown id, once', () => {
    expect(refundDeduction(refund, given([SIGN_UP]), MORNING)).toEqual([voided()]);
    expect(refundDeduction(refund, given([SIGN_UP, voided()]), MORNING)).toEqual([]);
  });
});

describe('memory of ended deductions', () => {
  const inDays = (days: number): Date => new Date(MORNING.getTime() + days * 86_400_000);
  const ended = [SIGN_UP, deducted([bonusPart(10)]), refunded([bonusPart(10)])];
  const afterDays = (days: number): AccountState => {
    const later = grantDailyCredits(given(ended), inDays(days), DEFAULT_CREDIT_SETTINGS, 'due');
    return after(given(ended), later, inDays(days));
  };

  it('lasts 30 days', () => {
    const state = afterDays(30);
    expect(refundDeduction(refund, state, inDays(30))).toEqual([]);
    expect(() => deductCredits(deduct(), state, inDays(30), 'due')).toThrow('was refunded');
  });

  it('lasts 30 days from the end, also when the id is older', () => {
    const older = v7({ msecs: MORNING.getTime() - 1 });
    const state = after(given([SIGN_UP]), [voided(older)], MORNING);
    const later = grantDailyCredits(state, inDays(30), DEFAULT_CREDIT_SETTINGS, 'due');
    expect(after(state, later, inDays(30)).ended.has(older)).toBe(true);
  });

  it('ends after 30 days; ids of that age are refused as closed', () => {
    const state = afterDays(31);
    expect(state.ended.size).toBe(0);
    expect(() => deductCredits(deduct(), state, inDays(31), 'due')).toThrow('is closed');
    expect(() => refundDeduction(refund, state, inDays(31))).toThrow('is closed');
    expect(() => settleDeduction(settle, state, inDays(31))).toThrow('is closed');
  });

  it('lasts while the deduction is open, at any age', () => {
    const state = given([SIGN_UP, deducted([bonusPart(10)])]);
    expect(refundDeduction(refund, state, inDays(90))).toEqual([refunded([bonusPart(10)])]);
  });

  it('keeps a deduction with a young id, and ids without a time', () => {
    const young = v7({ msecs: inDays(20).getTime() });
    const state = after(given([SIGN_UP]), [voided(young), voided('without-time')], MORNING);
    after(state, grantDailyCredits(state, inDays(31), DEFAULT_CREDIT_SETTINGS, 'due'), inDays(31));
    expect([...state.ended.keys()]).toEqual([young, 'without-time']);
  });
});
