import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../platform/event-store/event-store.js';
import { eventHash } from '../../platform/event-store/hash-chain.js';
import type { JsonObject } from '../../platform/json.js';
import { emptyAccount, evolve, type AccountState } from '../account.js';
import {
  AdjustCredits,
  DeductCredits,
  GrantBonusCredits,
  PurchaseCredits,
  RefundDeduction,
  ReinstatePurchase,
  ReversePurchase,
} from '../commands.js';
import { DEFAULT_CREDIT_SETTINGS, SIGN_UP_BONUS_CREDITS } from '../constants.js';
import {
  adjustCredits,
  deductCredits,
  grantBonusCredits,
  grantDailyCredits,
  openAccount,
  refundDeduction,
} from '../decide.js';
import { purchaseCredits, reinstatePurchase, reversePurchase } from '../decide-purchases.js';
import type { Allocation, CreditEvent } from '../events.js';
import { AccountAudit, SIGN_UP_BONUSES, type LedgerProblem } from './account-audit.js';

const NOW = new Date('2026-03-10T09:00:00Z');
const GENERATION = '019cd6b8-1c00-7000-8000-000000000001';
const OTHER_GENERATION = '019cd6b8-1c00-7000-8000-000000000002';

/** What an account with everything in it goes through: debt by a reversal, paid by a purchase, a refund and a reinstatement. */
function eventful(): CreditEvent[] {
  const state: AccountState = emptyAccount();
  const events: CreditEvent[] = [];
  const decide = (decided: CreditEvent[]): void => {
    for (const event of decided) evolve(state, event, NOW);
    events.push(...decided);
  };
  const buy = (session: string, credits: number): PurchaseCredits =>
    new PurchaseCredits('fan', session, 'basic', credits, credits * 10, 'pi_1');
  decide(openAccount(state, NOW));
  decide(purchaseCredits(buy('cs_1', 100), state, NOW));
  // All 30 bonus credits and 60 of the purchase
  decide(deductCredits(new DeductCredits('fan', GENERATION, 90, 'creator_1'), state, NOW));
  // Takes back the 40 that are left, and 40 of those spent become debt; the next purchase pays 25 of it, the refund 15
  decide(reversePurchase(new ReversePurchase('fan', 'cs_1', 're_1', 'refund', 800), state, NOW));
  decide(purchaseCredits(buy('cs_2', 25), state, NOW));
  decide(refundDeduction(new RefundDeduction('fan', GENERATION, 'timeout'), state, NOW));
  decide(reinstatePurchase(new ReinstatePurchase('fan', 'cs_1', 're_1'), state, NOW));
  decide(adjustCredits(new AdjustCredits('fan', 'adj_1', 35, 'admin_1', 'Mistake'), state, NOW));
  return events;
}

/** What the audit says of these events, chained as a forger would chain them. */
function problemsOf(events: readonly { readonly type: string; readonly data: object }[]): LedgerProblem[] {
  const problems: LedgerProblem[] = [];
  const stream = 'creditAccount-fan';
  const audit = new AccountAudit(stream, (problem) => problems.push(problem));
  let hash: string | null = null;
  events.forEach(({ type, data: given }, version) => {
    const id = `019cd6b8-1c00-7000-8000-${String(version).padStart(12, '0')}`;
    const data = given as JsonObject;
    const metadata: JsonObject = { eventId: id, occurredAt: NOW.toISOString() };
    hash = eventHash(hash, { stream, version, id, type, data, metadata });
    const stored: StoredEvent = {
      ...{ stream, version, id, type, data, metadata: { ...metadata, hash }, position: '', recordedAt: NOW },
    };
    audit.add(stored);
  });
  audit.end();
  return problems;
}

const change = (events: CreditEvent[], type: CreditEvent['type'], data: object, which = 0): CreditEvent[] => {
  const found = events.filter((event) => event.type === type)[which];
  if (!found) throw new Error(`There is no ${type}.`);
  return events.map((event) =>
    event === found ? ({ ...event, data: { ...event.data, ...data } } as CreditEvent) : event,
  );
};
const without = (events: CreditEvent[], type: CreditEvent['type']): CreditEvent[] =>
  events.filter((event) => event.type !== type);
const twice = (events: CreditEvent[], type: CreditEvent['type']): CreditEvent[] => {
  const at = events.findIndex((event) => event.type === type);
  return [...events.slice(0, at + 1), ...events.slice(at)];
};

/** A fan with two lots of each kind that does not lapse, and two pictures: the second uses up the older purchase. */
function ofManyLots(): CreditEvent[] {
  const state: AccountState = emptyAccount();
  const events: CreditEvent[] = [];
  const decide = (decided: CreditEvent[]): void => {
    for (const event of decided) evolve(state, event, NOW);
    events.push(...decided);
  };
  decide(grantDailyCredits(state, NOW, DEFAULT_CREDIT_SETTINGS));
  decide(grantBonusCredits(new GrantBonusCredits('fan', 'gift', 20, 'admin_1', 'Contest'), state, NOW));
  for (const session of ['cs_1', 'cs_2']) {
    decide(purchaseCredits(new PurchaseCredits('fan', session, 'basic', 10, 100, null), state, NOW));
  }
  decide(deductCredits(new DeductCredits('fan', GENERATION, 35, 'creator_1'), state, NOW));
  decide(deductCredits(new DeductCredits('fan', OTHER_GENERATION, 37, 'creator_1'), state, NOW));
  return events;
}

const lot = (lotId: string, kind: Allocation['kind'], amount: number): Allocation => ({
  ...{ lotId, kind, amount, unitPriceCents: kind === 'paid' ? 10 : 0 },
  expiresAt: kind === 'daily' ? '2026-03-11T00:00:00.000Z' : null,
});

describe('the audit of what is given and of the order of spending', () => {
  it('finds nothing in what the rules made, also when a lot comes back to its old place', () => {
    const events = ofManyLots();
    const state: AccountState = emptyAccount();
    for (const event of events) evolve(state, event, NOW);
    const decide = (decided: CreditEvent[]): void => {
      for (const event of decided) evolve(state, event, NOW);
      events.push(...decided);
    };
    decide(refundDeduction(new RefundDeduction('fan', OTHER_GENERATION, 'timeout'), state, NOW));
    decide(deductCredits(new DeductCredits('fan', `${GENERATION.slice(0, -1)}3`, 27, 'creator_1'), state, NOW));
    const taken = events.at(-1)?.data;
    expect(taken && 'allocations' in taken && taken.allocations.map(({ lotId }) => lotId)).toEqual([
      ...['signup', 'grant:gift', 'cs_1'],
    ]);
    expect(problemsOf(events)).toEqual([]);
  });

  it('knows the sign-up bonus of today', () => {
    expect(SIGN_UP_BONUSES).toContain(SIGN_UP_BONUS_CREDITS);
  });

  it.each<[string, CreditEvent['type'], object, number, LedgerProblem['kind'], string]>([
    [
      'a sign-up bonus of another amount',
      'CreditsGranted',
      { amount: 31 },
      0,
      'lot',
      'bonus is 30 credits, and this is 31',
    ],
    [
      'bonus credits taken while daily ones are left',
      'CreditsDeducted',
      { allocations: [lot('signup', 'bonus', 30), lot('grant:gift', 'bonus', 5)] },
      0,
      'deduction',
      'leaves credits of lot daily:2026-03-10',
    ],
    [
      'a younger bonus lot taken while an older one holds credits',
      'CreditsDeducted',
      {
        allocations: [lot('daily:2026-03-10', 'daily', 10), lot('signup', 'bonus', 5), lot('grant:gift', 'bonus', 20)],
      },
      0,
      'deduction',
      'leaves credits of lot signup',
    ],
    [
      'a younger purchase taken instead of an older one',
      'CreditsDeducted',
      { allocations: [lot('signup', 'bonus', 5), lot('grant:gift', 'bonus', 20), lot('cs_2', 'paid', 10)] },
      1,
      'deduction',
      'leaves credits of lot cs_1',
    ],
    [
      'lots named in another order than they go',
      'CreditsDeducted',
      { allocations: [lot('signup', 'bonus', 25), lot('daily:2026-03-10', 'daily', 10)] },
      0,
      'deduction',
      'takes of lot signup before lot daily:2026-03-10',
    ],
  ])('names %s', (_what, type, data, which, kind, words) => {
    expect(problemsOf(change(ofManyLots(), type, data, which))).toContainEqual(
      expect.objectContaining({ kind, what: expect.stringContaining(words), version: expect.any(Number) }),
    );
  });
});

describe('the audit of an account with purchases', () => {
  it('finds nothing in what the rules made', () => {
    const types = new Set(eventful().map(({ type }) => type));
    for (const type of ['PurchaseReversed', 'PurchaseReinstated', 'DebtRepaid', 'CreditsAdjusted'] as const) {
      expect(types).toContain(type);
    }
    expect(problemsOf(eventful())).toEqual([]);
  });

  it.each<[string, (events: CreditEvent[]) => CreditEvent[], LedgerProblem['kind'], string]>([
    [
      'a price that the cents do not give',
      (e) => change(e, 'CreditsPurchased', { unitPriceCents: 9 }),
      'purchase',
      'do not cost 9',
    ],
    ['a session bought twice', (e) => twice(e, 'CreditsPurchased'), 'lot', 'granted a second time'],
    ['a reversal recorded twice', (e) => twice(e, 'PurchaseReversed'), 'purchase', 'recorded a second time'],
    ['a reversal that takes less', (e) => change(e, 'PurchaseReversed', { debt: 30 }), 'purchase', 'leaves 30 owed'],
    [
      'a reversal that takes debt before the lot',
      (e) => change(e, 'PurchaseReversed', { revoked: 30, debt: 50 }),
      'purchase',
      'takes 30',
    ],
    [
      'a reversal of nothing known',
      (e) => change(e, 'PurchaseReversed', { lotId: 'cs_9' }),
      'purchase',
      'no purchase cs_9',
    ],
    ['debt that a purchase did not pay', (e) => without(e, 'DebtRepaid'), 'purchase', 'paid nothing of it'],
    [
      'debt that was paid with too much',
      (e) => change(e, 'DebtRepaid', { amount: 26 }),
      'purchase',
      'had just arrived',
    ],
    [
      'debt of a purchase without any',
      (e) => change(e, 'DebtRepaid', { owedForLotId: 'cs_2' }),
      'purchase',
      '0 are owed',
    ],
    [
      'a reinstatement of more than was taken',
      (e) => change(e, 'PurchaseReinstated', { amount: 81 }),
      'purchase',
      'it took 80',
    ],
    [
      'a reinstatement of another reversal',
      (e) => change(e, 'PurchaseReinstated', { reversalId: 're_9' }),
      'purchase',
      'is none of',
    ],
    ['a reinstatement made twice', (e) => twice(e, 'PurchaseReinstated'), 'purchase', 'has been undone before'],
    ['a correction made twice', (e) => twice(e, 'CreditsAdjusted'), 'event', 'made a second time'],
    [
      'a correction of another amount',
      (e) => change(e, 'CreditsAdjusted', { amount: 34 }),
      'conservation',
      'taken back',
    ],
    [
      'a purchase of more',
      (e) => change(e, 'CreditsPurchased', { amount: 26, amountCents: 260 }, 1),
      'purchase',
      'arrived',
    ],
  ])('names %s, whatever the hashes', (_what, forge, kind, words) => {
    expect(problemsOf(forge(eventful()))).toContainEqual(
      expect.objectContaining({ kind, what: expect.stringContaining(words), version: expect.any(Number) }),
    );
  });
});
