import { describe, expect, it } from '@jest/globals';
import { SIGN_UP_BONUS_CREDITS } from '../../contract/prices.js';
import type { StoredEvent } from '../../platform/event-store/event-store.js';
import { eventHash } from '../../platform/event-store/hash-chain.js';
import type { JsonObject } from '../../platform/json.js';
import { emptyAccount, evolve, type AccountState } from '../../credits/account/state.js';
import {
  type PaidSession,
  purchaseCredits,
  reinstatePurchase,
  reversePurchase,
} from '../../credits/account/decide-purchases.js';
import { DEFAULT_CREDIT_SETTINGS } from '../../credits/account/constants.js';
import {
  adjustCredits,
  deductCredits,
  grantBonusCredits,
  grantDailyCredits,
  openAccount,
  refundDeduction,
  settleDeduction,
  waivePaidCredits,
} from '../../credits/account/decide.js';
import type { Allocation, CreditEvent } from '../../credits/account/events.js';
import { AccountAudit, SIGN_UP_BONUSES, type LedgerProblem } from './account-audit.js';
import { paidSession } from '../../../test/support/paid-session.js';

const NOW = new Date('2026-03-10T09:00:00Z');
const GENERATION = '019cd6b8-1c00-7000-8000-000000000001';
const OTHER_GENERATION = '019cd6b8-1c00-7000-8000-000000000002';

/** An event and its instant. */
type Happened = CreditEvent & { readonly at: Date };

/** An account after these events. `decide` adds further ones. */
function history(before: readonly Happened[] = []): {
  readonly state: AccountState;
  readonly events: Happened[];
  readonly decide: (decided: readonly CreditEvent[], at?: Date) => void;
} {
  const state = emptyAccount();
  const events: Happened[] = [];
  const add = (event: CreditEvent, at: Date): void => {
    evolve(state, event, at);
    events.push({ ...event, at });
  };
  for (const event of before) add(event, event.at);
  return {
    state,
    events,
    decide: (decided, at = NOW) => {
      for (const event of decided) add(event, at);
    },
  };
}

/** The deduction for an image. It also grants the sign-up bonus if the account has none. */
const taking = (state: AccountState, deductionId: string, amount: number): CreditEvent[] =>
  deductCredits({ deductionId, amount, creatorId: 'creator_1', ownGeneration: false }, state, NOW, 'due');

/** The events of an account with debt from a reversal. A purchase, a refund and a reinstatement repay the debt. */
function eventful(): Happened[] {
  const { state, events, decide } = history();
  const buy = (sessionId: string, credits: number): PaidSession => paidSession({ sessionId, credits });
  decide(openAccount(state, NOW));
  decide(purchaseCredits(buy('cs_1', 100), state, NOW));
  // All 30 bonus credits and 60 of the purchase
  decide(taking(state, GENERATION, 90));
  // Revokes the 40 credits left and adds a debt of 40. The next purchase repays 25 of it, the refund 15
  decide(reversePurchase({ sessionId: 'cs_1', reversalId: 're_1', cause: 'refund', amountCents: 800 }, state, NOW));
  decide(purchaseCredits(buy('cs_2', 25), state, NOW));
  decide(refundDeduction({ deductionId: GENERATION, reason: 'timeout' }, state, NOW));
  decide(reinstatePurchase({ sessionId: 'cs_1', reversalId: 're_1' }, state, NOW));
  decide(adjustCredits({ adjustmentId: 'adj_1', amount: 35, reason: 'Mistake' }, state, NOW));
  decide(waivePaidCredits({ waiverId: 'closure_1' }, state, NOW));
  return events;
}

const STREAM = 'creditAccount-fan';

/** The events as stored. Their hashes are valid, as if a forger had recomputed them. */
function storedEvents(events: readonly Happened[]): StoredEvent[] {
  let hash: string | null = null;
  return events.map(({ type, data: given, at }, version) => {
    const id = `019cd6b8-1c00-7000-8000-${String(version).padStart(12, '0')}`;
    const data = given as JsonObject;
    const metadata: JsonObject = { eventId: id, occurredAt: at.toISOString() };
    hash = eventHash(hash, { stream: STREAM, version, id, type, data, metadata });
    const common = { stream: STREAM, version, id, type, data, position: '', recordedAt: NOW };
    return { ...common, metadata: { ...metadata, hash } };
  });
}

/** The problems that the audit reports for these events. */
function problemsOf(events: readonly Happened[]): LedgerProblem[] {
  const problems: LedgerProblem[] = [];
  const audit = new AccountAudit(STREAM, (problem) => problems.push(problem));
  for (const stored of storedEvents(events)) audit.add(stored);
  audit.end();
  return problems;
}

function find(events: readonly Happened[], type: CreditEvent['type'], which = 0): Happened {
  const found = events.filter((event) => event.type === type)[which];
  if (!found) throw new Error(`There is no ${type}.`);
  return found;
}
const change = (events: Happened[], type: CreditEvent['type'], data: object, which = 0): Happened[] => {
  const found = find(events, type, which);
  return events.map((event) =>
    event === found ? ({ ...event, data: { ...event.data, ...data } } as Happened) : event,
  );
};
const moved = (events: Happened[], type: CreditEvent['type'], at: Date, which = 0): Happened[] => {
  const found = find(events, type, which);
  return events.map((event) => (event === found ? { ...event, at } : event));
};
const without = (events: Happened[], type: CreditEvent['type']): Happened[] =>
  events.filter((event) => event.type !== type);
const twice = (events: Happened[], type: CreditEvent['type'], which = 0): Happened[] => {
  const at = events.indexOf(find(events, type, which));
  return [...events.slice(0, at + 1), ...events.slice(at)];
};

/** A fan with two bonus lots, two purchases and two images. The second image uses up the older purchase. */
function manyLots(): Happened[] {
  const { state, events, decide } = history();
  decide(grantDailyCredits(state, NOW, DEFAULT_CREDIT_SETTINGS, 'due'));
  decide(grantBonusCredits({ grantId: 'gift', amount: 20, reason: 'Contest' }, state, NOW));
  for (const sessionId of ['cs_1', 'cs_2']) {
    decide(purchaseCredits(paidSession({ sessionId, credits: 10 }), state, NOW));
  }
  decide(taking(state, GENERATION, 35));
  decide(taking(state, OTHER_GENERATION, 37));
  return events;
}

const lot = (lotId: string, kind: Allocation['kind'], amount: number): Allocation => ({
  lotId,
  kind,
  amount,
  unitPriceCents: kind === 'paid' ? 10 : 0,
  expiresAt: kind === 'daily' ? '2026-03-11T00:00:00.000Z' : null,
});

describe('AccountAudit of grants and the spending order', () => {
  it('reports no problem in a valid history, also when a refunded lot returns to its old place', () => {
    const { state, events, decide } = history(manyLots());
    decide(refundDeduction({ deductionId: OTHER_GENERATION, reason: 'timeout' }, state, NOW));
    decide(taking(state, `${GENERATION.slice(0, -1)}3`, 27));
    const taken = events.at(-1)?.data;
    expect(taken && 'allocations' in taken && taken.allocations.map(({ lotId }) => lotId)).toEqual([
      ...['signup', 'grant:gift', 'cs_1'],
    ]);
    expect(problemsOf(events)).toEqual([]);
  });

  it('accepts the current sign-up bonus', () => {
    expect(SIGN_UP_BONUSES).toContain(SIGN_UP_BONUS_CREDITS);
  });

  it.each<[string, CreditEvent['type'], object, number, LedgerProblem['kind'], string]>([
    [
      'a sign-up bonus of another amount',
      'CreditsGranted',
      { amount: 31 },
      0,
      'lot',
      'bonus must be 30 credits, but it is 31',
    ],
    [
      'bonus credits taken while daily ones are left',
      'CreditsDeducted',
      { allocations: [lot('signup', 'bonus', 30), lot('grant:gift', 'bonus', 5)] },
      0,
      'deduction',
      'leaves credits in lot daily:2026-03-10',
    ],
    [
      'a younger bonus lot taken while an older one holds credits',
      'CreditsDeducted',
      {
        allocations: [lot('daily:2026-03-10', 'daily', 10), lot('signup', 'bonus', 5), lot('grant:gift', 'bonus', 20)],
      },
      0,
      'deduction',
      'leaves credits in lot signup',
    ],
    [
      'a younger purchase taken instead of an older one',
      'CreditsDeducted',
      { allocations: [lot('signup', 'bonus', 5), lot('grant:gift', 'bonus', 20), lot('cs_2', 'paid', 10)] },
      1,
      'deduction',
      'leaves credits in lot cs_1',
    ],
    [
      'allocations in another order than the spending order',
      'CreditsDeducted',
      { allocations: [lot('signup', 'bonus', 25), lot('daily:2026-03-10', 'daily', 10)] },
      0,
      'deduction',
      'takes credits from lot signup before lot daily:2026-03-10',
    ],
  ])('reports %s', (_case, type, data, which, kind, words) => {
    expect(problemsOf(change(manyLots(), type, data, which))).toContainEqual(
      expect.objectContaining({ kind, what: expect.stringContaining(words), version: expect.any(Number) }),
    );
  });
});

describe('AccountAudit of purchases', () => {
  it('reports no problem in a valid history', () => {
    const types = new Set(eventful().map(({ type }) => type));
    for (const type of ['PurchaseReversed', 'PurchaseReinstated', 'DebtRepaid', 'CreditsAdjusted'] as const) {
      expect(types).toContain(type);
    }
    expect(problemsOf(eventful())).toEqual([]);
  });

  it.each<[string, (events: Happened[]) => Happened[], LedgerProblem['kind'], string]>([
    [
      'a unit price that does not match the paid cents',
      (e) => change(e, 'CreditsPurchased', { unitPriceCents: 9 }),
      'purchase',
      'do not cost 9',
    ],
    ['a session bought twice', (e) => twice(e, 'CreditsPurchased'), 'lot', 'granted a second time'],
    ['a reversal recorded twice', (e) => twice(e, 'PurchaseReversed'), 'purchase', 'recorded a second time'],
    ['a reversal that takes less', (e) => change(e, 'PurchaseReversed', { debt: 30 }), 'purchase', 'adds a debt of 30'],
    [
      'a reversal that takes debt before the lot',
      (e) => change(e, 'PurchaseReversed', { revoked: 30, debt: 50 }),
      'purchase',
      'takes 30',
    ],
    [
      'a reversal of an unknown purchase',
      (e) => change(e, 'PurchaseReversed', { lotId: 'cs_9' }),
      'purchase',
      'no purchase cs_9',
    ],
    ['debt that a purchase did not pay', (e) => without(e, 'DebtRepaid'), 'purchase', 'repaid no debt'],
    ['debt repaid twice', (e) => twice(e, 'DebtRepaid'), 'purchase', '0 had just arrived and 15 are owed'],
    [
      'a repayment of more than has arrived',
      (e) => change(e, 'DebtRepaid', { amount: 26 }),
      'purchase',
      'had just arrived',
    ],
    [
      'a repayment for a purchase without debt',
      (e) => change(e, 'DebtRepaid', { owedForLotId: 'cs_2' }),
      'purchase',
      '0 are owed',
    ],
    [
      'a reinstatement of more than was taken',
      (e) => change(e, 'PurchaseReinstated', { amount: 81 }),
      'purchase',
      '80 are due',
    ],
    [
      'a reinstatement of another reversal',
      (e) => change(e, 'PurchaseReinstated', { reversalId: 're_9' }),
      'purchase',
      'is not a reversal of',
    ],
    ['a reinstatement made twice', (e) => twice(e, 'PurchaseReinstated'), 'purchase', 'was already undone'],
    [
      'a waiver that leaves paid credits',
      (e) => change(e, 'CreditsWaived', { amount: 1, allocations: [lot('cs_1', 'paid', 1)] }),
      'purchase',
      'does not take exactly the unspent paid credits',
    ],
    ['a correction made twice', (e) => twice(e, 'CreditsAdjusted'), 'event', 'made a second time'],
    [
      'a correction of another amount',
      (e) => change(e, 'CreditsAdjusted', { amount: 34 }),
      'conservation',
      'taken back',
    ],
    [
      'a purchase of more credits',
      (e) => change(e, 'CreditsPurchased', { amount: 26, amountCents: 260 }, 1),
      'purchase',
      'arrived',
    ],
  ])('reports %s, although the hashes are valid', (_case, forge, kind, words) => {
    expect(problemsOf(forge(eventful()))).toContainEqual(
      expect.objectContaining({ kind, what: expect.stringContaining(words), version: expect.any(Number) }),
    );
  });
});

/** Three days of a fan: a delivered image, one refunded on the next day, a void deduction, and a lapse. */
function threeDays(): Happened[] {
  const { state, events, decide } = history();
  decide(grantDailyCredits(state, NOW, DEFAULT_CREDIT_SETTINGS, 'due'));
  // The 10 daily credits, and 15 of the bonus
  decide(taking(state, GENERATION, 25));
  decide(taking(state, OTHER_GENERATION, 5));
  decide(settleDeduction({ deductionId: OTHER_GENERATION }, state, NOW));
  decide(refundDeduction({ deductionId: NEVER_TAKEN, reason: 'timeout' }, state, NOW));
  // The daily credits had lapsed: restored, they expire at the end of this day
  decide(refundDeduction({ deductionId: GENERATION, reason: 'timeout' }, state, NEXT_DAY), NEXT_DAY);
  decide(grantDailyCredits(state, THIRD_DAY, DEFAULT_CREDIT_SETTINGS, 'due'), THIRD_DAY);
  return events;
}

const NEXT_DAY = new Date('2026-03-11T09:00:00Z');
const THIRD_DAY = new Date('2026-03-12T09:00:00Z');
const NEVER_TAKEN = '019cd6b8-1c00-7000-8000-000000000003';

describe('AccountAudit of deductions and lapses', () => {
  it('reports no problem in a valid history', () => {
    expect(threeDays().map(({ type }) => type)).toEqual([
      ...['CreditsGranted', 'CreditsGranted', 'CreditsDeducted', 'CreditsDeducted', 'DeductionSettled'],
      ...['DeductionVoided', 'CreditsRefunded', 'CreditsExpired', 'CreditsGranted'],
    ]);
    expect(problemsOf(threeDays())).toEqual([]);
  });

  const restored = (daily: object, bonus: object = {}): Allocation[] => [
    { ...lot('daily:2026-03-10', 'daily', 10), expiresAt: '2026-03-12T00:00:00.000Z', ...daily },
    { ...lot('signup', 'bonus', 15), ...bonus },
  ];

  it.each<[string, (events: Happened[]) => Happened[], LedgerProblem['kind'], string]>([
    ['an event before the previous one', (e) => moved(e, 'CreditsRefunded', new Date(+NOW - 1)), 'event', 'before'],
    ['an invalid number of credits', (e) => change(e, 'CreditsGranted', { amount: 0 }), 'event', '0 is not a number'],
    [
      'daily credits of another day',
      (e) => moved(e, 'CreditsGranted', NEXT_DAY, 2),
      'lot',
      'breaks the rules of a daily grant',
    ],
    [
      'daily credits that expire too late',
      (e) => change(e, 'CreditsGranted', { expiresAt: '2026-03-14T00:00:00.000Z' }, 2),
      'lot',
      'breaks the rules of a daily grant',
    ],
    [
      'a bonus called paid',
      (e) => change(e, 'CreditsGranted', { kind: 'paid' }),
      'lot',
      'breaks the rules of a signup grant',
    ],
    ['daily credits given twice', (e) => twice(e, 'CreditsGranted', 1), 'lot', 'granted a second time'],
    [
      'an event of an unknown schema version',
      (e) => change(e, 'CreditsRefunded', { schemaVersion: 99 }),
      'event',
      'The CreditsRefunded event cannot be read',
    ],
    ['a deduction made twice', (e) => twice(e, 'CreditsDeducted'), 'deduction', 'is deducted, but it was already open'],
    [
      'more credits taken than a lot holds',
      (e) =>
        change(e, 'CreditsDeducted', {
          amount: 26,
          allocations: [lot('daily:2026-03-10', 'daily', 11), lot('signup', 'bonus', 15)],
        }),
      'lot',
      'holds 10',
    ],
    [
      'credits taken from an unknown lot',
      (e) => change(e, 'CreditsDeducted', { allocations: [lot('grant:none', 'bonus', 25)] }),
      'lot',
      'holds 0',
    ],
    [
      'credits taken at another price',
      (e) => change(e, 'CreditsDeducted', { allocations: [{ ...lot('signup', 'bonus', 5), unitPriceCents: 10 }] }, 1),
      'lot',
      'another kind or price',
    ],
    [
      'credits taken after they lapsed',
      (e) => moved(e.slice(0, 3), 'CreditsDeducted', NEXT_DAY),
      'lot',
      'after they lapsed',
    ],
    [
      'an image settled twice',
      (e) => twice(e, 'DeductionSettled'),
      'deduction',
      'is settled, but it was already settled',
    ],
    [
      'a settlement of an image that was never deducted',
      (e) => change(e, 'DeductionSettled', { deductionId: NEVER_TAKEN }),
      'deduction',
      'is settled, but it was never deducted',
    ],
    [
      'an image settled for another creator',
      (e) => change(e, 'DeductionSettled', { creatorId: 'creator_2' }),
      'deduction',
      'another amount or creator',
    ],
    [
      'an own generation settled as the image of another user',
      (e) => change(e, 'CreditsDeducted', { ownGeneration: true }, 1),
      'deduction',
      "was deducted as the creator's own generation, but its settlement states the opposite",
    ],
    [
      'the image of another user settled as an own generation',
      (e) => change(e, 'DeductionSettled', { ownGeneration: true }),
      'deduction',
      "was deducted as not the creator's own generation",
    ],
    [
      'an own generation that is neither true nor false',
      (e) => change(e, 'CreditsDeducted', { ownGeneration: 1 }),
      'event',
      'must be true or false',
    ],
    [
      'an image settled with a larger amount',
      (e) => change(e, 'DeductionSettled', { amount: 6 }),
      'deduction',
      'another amount or creator',
    ],
    [
      'an image settled with other credits',
      (e) => change(e, 'DeductionSettled', { allocations: [lot('cs_1', 'paid', 5)] }),
      'deduction',
      'other allocations',
    ],
    [
      'a refund of a settled deduction',
      (e) => change(e, 'CreditsRefunded', { deductionId: OTHER_GENERATION }),
      'deduction',
      'is refunded, but it was already settled',
    ],
    [
      'a refund made twice',
      (e) => twice(e, 'CreditsRefunded'),
      'deduction',
      'is refunded, but it was already refunded',
    ],
    [
      'a refund into another lot',
      (e) => change(e, 'CreditsRefunded', { restorations: restored({}, { lotId: 'grant:gift' }) }),
      'deduction',
      'does not restore exactly',
    ],
    [
      'a refund of daily credits that expires too late',
      (e) => change(e, 'CreditsRefunded', { restorations: restored({ expiresAt: '2026-03-13T00:00:00.000Z' }) }),
      'deduction',
      'does not restore exactly',
    ],
    [
      'a refund of lapsed daily credits without a new expiry',
      (e) => change(e, 'CreditsRefunded', { restorations: restored({ expiresAt: '2026-03-11T00:00:00.000Z' }) }),
      'deduction',
      'does not restore exactly',
    ],
    [
      'a refund in bonus credits',
      (e) => change(e, 'CreditsRefunded', { restorations: restored({ kind: 'bonus' }) }),
      'deduction',
      'does not restore exactly',
    ],
    [
      'a settled deduction that is voided',
      (e) => change(e, 'DeductionVoided', { deductionId: OTHER_GENERATION }),
      'deduction',
      'is voided, but it was already settled',
    ],
    [
      'a deduction after it was voided',
      (e) => [...e, { ...change(e, 'CreditsDeducted', { deductionId: NEVER_TAKEN })[2]!, at: THIRD_DAY }],
      'deduction',
      'is deducted, but it was already voided',
    ],
    [
      'credits that lapse before their time',
      (e) => moved(e, 'CreditsExpired', new Date('2026-03-11T23:59:59.999Z')),
      'lot',
      'expires before its time',
    ],
    ['credits that lapse twice', (e) => twice(e, 'CreditsExpired'), 'lot', 'expire, but it holds 0'],
    ['fewer credits that lapse', (e) => change(e, 'CreditsExpired', { amount: 9 }), 'lot', 'expire, but it holds 10'],
    [
      'credits of another kind that lapse',
      (e) => change(e, 'CreditsExpired', { kind: 'paid' }),
      'lot',
      'expire, but it',
    ],
  ])('reports %s, although the hashes are valid', (_case, forge, kind, words) => {
    expect(problemsOf(forge(threeDays()))).toContainEqual(
      expect.objectContaining({ kind, what: expect.stringContaining(words), version: expect.any(Number) }),
    );
  });
});

describe('AccountAudit continued from a saved state', () => {
  const fail = (problem: LedgerProblem): never => {
    throw new Error(problem.what);
  };

  it.each([
    ['debt and repayments', eventful],
    ['many lots', manyLots],
    ['three days', threeDays],
  ])('reaches the same state as without a break, in a history of %s', (_case, made) => {
    const events = storedEvents(made());
    const complete = new AccountAudit(STREAM, fail);
    for (const event of events) complete.add(event);
    let saved: string | null = null;
    for (const event of events) {
      const part = new AccountAudit(STREAM, fail);
      if (saved !== null) part.restore(saved);
      part.add(event);
      saved = part.save();
    }
    expect(JSON.parse(saved ?? '')).toEqual(JSON.parse(complete.save()));
  });

  it('reports a second grant of a day whose credits are spent', () => {
    const { state, events, decide } = history();
    decide(grantDailyCredits(state, NOW, DEFAULT_CREDIT_SETTINGS, 'due'));
    decide(taking(state, GENERATION, 10));
    decide(settleDeduction({ deductionId: GENERATION }, state, NOW));
    const stored = storedEvents([...events, find(events, 'CreditsGranted', 1)]);
    const before = new AccountAudit(STREAM, fail);
    for (const event of stored.slice(0, -1)) before.add(event);
    const problems: LedgerProblem[] = [];
    const part = new AccountAudit(STREAM, (problem) => problems.push(problem));
    part.restore(before.save());
    part.add(stored.at(-1) as StoredEvent);
    expect(problems).toMatchObject([{ kind: 'lot', what: 'Lot daily:2026-03-10 is granted a second time.' }]);
  });

  it('forgets deductions whose ids the ledger refuses and past days, and reports an event that may concern them', () => {
    const { state, events, decide } = history(threeDays());
    const before = new AccountAudit(STREAM, fail);
    for (const event of storedEvents(events)) before.add(event);
    const later = new Date(NOW.getTime() + 120 * 86_400_000);
    decide(grantDailyCredits(state, later, DEFAULT_CREDIT_SETTINGS), later);
    const stored = storedEvents(events);
    const complete = new AccountAudit(STREAM, fail);
    for (const event of stored) complete.add(event);
    const part = new AccountAudit(STREAM, fail);
    part.restore(complete.save());
    expect(part.deductions.size).toBe(0);
    expect(complete.deductions.size).toBeGreaterThan(0);
    expect(complete.save().length).toBeLessThan(before.save().length);
    const again = stored.find(({ type }) => type === 'CreditsDeducted') as StoredEvent;
    const repeated = { ...again, metadata: { ...again.metadata, occurredAt: later.toISOString() } };
    expect(part.mayHaveForgotten(repeated)).toBe(true);
    expect(complete.mayHaveForgotten(repeated)).toBe(false);
  });
});
