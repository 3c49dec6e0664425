import type { Balances, CreditKind, CreditTypeUsed, ReversalCause } from '../use-cases/commands.js';
import { DEDUCTION_MEMORY_DAYS } from './constants.js';
import {
  utcDayOfDailyLot,
  type Allocation,
  type CreditEvent,
  type CreditsPurchased,
  type PurchaseReinstated,
  type PurchaseReversed,
} from './events.js';

const DAY_MS = 86_400_000;

/** Credits that arrived together. A lot with nothing left is dropped; a refund brings it back at its old place. */
export interface Lot {
  readonly lotId: string;
  readonly kind: CreditKind;
  /** Credits, positive. */
  readonly remaining: number;
  /** US cents per credit. */
  readonly unitPriceCents: number;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Place among the account's lots by age, the oldest first. */
  readonly order: number;
}

/** An allocation with the place to which its lot comes back. */
export interface HeldAllocation extends Allocation {
  readonly order: number;
}

/** A deduction that is neither settled nor refunded. */
export interface OpenDeduction {
  readonly amount: number;
  readonly creatorId: string;
  readonly allocations: readonly HeldAllocation[];
}

/** How a deduction ended. */
export interface EndedDeduction {
  readonly outcome: 'settled' | 'refunded' | 'voided';
  /** 0 when voided. */
  readonly amount: number;
  /** Null when voided, since no deduction was seen. */
  readonly creatorId: string | null;
  readonly creditTypeUsed: CreditTypeUsed | null;
  readonly endedAt: number;
}

/** A paid checkout session and what became of its money. Kept for good: the processor may come back to it after years. */
export interface Purchase {
  readonly bundleId: string;
  readonly paymentIntentId: string | null;
  /** Bought. */
  readonly credits: number;
  readonly amountCents: number;
  readonly unitPriceCents: number;
  /** Place to which its lot comes back. */
  readonly order: number;
  /** Money that went back by reversals that stand. */
  readonly reversedCents: number;
  /** Credits that these take: always `creditsFor` their cents. */
  readonly reversedCredits: number;
  /** Credits taken back after they had been spent, and not repaid yet. */
  readonly debt: number;
  /** Credits of this purchase that paid what was owed, for itself or for another purchase. */
  readonly debtRepaid: number;
}

/** A refund or dispute. Kept for good. */
export interface Reversal {
  /** The purchase. */
  readonly lotId: string;
  readonly cause: ReversalCause;
  readonly amountCents: number;
  readonly revoked: number;
  readonly debt: number;
  readonly reinstated: boolean;
}

/**
 * All that deciding about an account needs. Made by `emptyAccount` and `evolve` alone, from the events and nothing else: plain
 * data, the same in every process.
 */
export interface AccountState {
  /** True once the sign-up bonus was granted. */
  opened: boolean;
  /** What can be spent or may have lapsed unrecorded, oldest first. */
  lots: readonly Lot[];
  /** Grants by lot id, other than daily ones. */
  readonly grants: Map<string, { readonly amount: number; readonly reason: string | null }>;
  /** Latest UTC day (YYYY-MM-DD) of a daily grant. */
  lastDailyGrant: string | null;
  /** By session id, which is the lot id, the oldest first. */
  readonly purchases: Map<string, Purchase>;
  /** By reversal id. */
  readonly reversals: Map<string, Reversal>;
  /** Corrections downwards by adjustment id. */
  readonly adjustments: Map<string, { readonly amount: number; readonly reason: string }>;
  readonly open: Map<string, OpenDeduction>;
  /** In the order in which they ended; kept for `DEDUCTION_MEMORY_DAYS`. */
  readonly ended: Map<string, EndedDeduction>;
  /** Number of lots ever opened. */
  lotCount: number;
  /** Epoch milliseconds of the latest event. */
  lastEventAt: number;
}

/**
 * Raised with every change of `evolve`, of what it calls or of the shape of the state: snapshots of another fold are not used.
 * A test knows the outcome of a history and fails when this is forgotten.
 */
export const FOLD_VERSION = 1;

/** The account of somebody who was never seen. */
export function emptyAccount(): AccountState {
  return {
    opened: false,
    lots: [],
    grants: new Map(),
    lastDailyGrant: null,
    purchases: new Map(),
    reversals: new Map(),
    adjustments: new Map(),
    open: new Map(),
    ended: new Map(),
    lotCount: 0,
    lastEventAt: 0,
  };
}

/**
 * The state after an event. Judges nothing: what was stored, happened. Changes the given state and returns it, so that a
 * history of any length folds in linear time; whoever folds owns the state.
 */
export function evolve(state: AccountState, event: CreditEvent, occurredAt: Date): AccountState {
  state.lastEventAt = Math.max(state.lastEventAt, occurredAt.getTime());
  apply(state, event);
  forgetOldDeductions(state);
  return state;
}

function apply(state: AccountState, { type, data }: CreditEvent): void {
  switch (type) {
    case 'CreditsGranted': {
      if (data.source === 'daily') state.lastDailyGrant = later(state.lastDailyGrant, utcDayOfDailyLot(data.lotId));
      else state.grants.set(data.lotId, { amount: data.amount, reason: data.reason });
      if (data.source === 'signup') state.opened = true;
      addToLot(state, { ...data, unitPriceCents: 0 }, state.lotCount);
      state.lotCount += 1;
      return;
    }
    case 'CreditsDeducted': {
      const allocations = data.allocations.map((allocation) => takeFromLot(state, allocation));
      state.open.set(data.deductionId, { amount: data.amount, creatorId: data.creatorId, allocations });
      return;
    }
    case 'DeductionSettled':
      end(state, data.deductionId, 'settled', data.allocations);
      return;
    case 'CreditsRefunded': {
      const held = state.open.get(data.deductionId)?.allocations ?? [];
      for (const restored of data.restorations) {
        const order = held.find(({ lotId }) => lotId === restored.lotId)?.order ?? state.lotCount;
        addToLot(state, restored, order);
      }
      end(state, data.deductionId, 'refunded', data.restorations);
      return;
    }
    case 'DeductionVoided':
      end(state, data.deductionId, 'voided', []);
      return;
    case 'CreditsExpired':
      state.lots = state.lots.filter((lot) => !isOfLot(data, lot));
      return;
    case 'CreditsPurchased':
      state.purchases.set(data.lotId, newPurchase(data, state.lotCount));
      addToLot(state, { ...data, ...PURCHASED }, state.lotCount);
      state.lotCount += 1;
      return;
    case 'PurchaseReversed':
      reverse(state, data);
      return;
    case 'PurchaseReinstated':
      reinstate(state, data);
      return;
    case 'DebtRepaid': {
      const paying = purchaseOf(state, data.lotId);
      takeFromLot(state, { ...data, ...PURCHASED, unitPriceCents: paying.unitPriceCents });
      state.purchases.set(data.lotId, { ...paying, debtRepaid: paying.debtRepaid + data.amount });
      const owing = purchaseOf(state, data.owedForLotId);
      state.purchases.set(data.owedForLotId, { ...owing, debt: owing.debt - data.amount });
      return;
    }
    case 'CreditsAdjusted':
      for (const allocation of data.allocations) takeFromLot(state, allocation);
      state.adjustments.set(data.adjustmentId, { amount: data.amount, reason: data.reason });
      return;
  }
}

/** What every lot of bought credits has in common. */
const PURCHASED = { kind: 'paid', expiresAt: null } as const;

function newPurchase(data: CreditsPurchased, order: number): Purchase {
  const { bundleId, paymentIntentId, amount: credits, amountCents, unitPriceCents } = data;
  const untouched = { reversedCents: 0, reversedCredits: 0, debt: 0, debtRepaid: 0 };
  return { bundleId, paymentIntentId, credits, amountCents, unitPriceCents, order, ...untouched };
}

function reverse(state: AccountState, data: PurchaseReversed): void {
  const { lotId, reversalId, cause, amountCents, revoked, debt } = data;
  const purchase = purchaseOf(state, lotId);
  const { unitPriceCents } = purchase;
  if (revoked > 0) takeFromLot(state, { lotId, amount: revoked, unitPriceCents, ...PURCHASED });
  state.purchases.set(lotId, {
    ...purchase,
    reversedCents: purchase.reversedCents + amountCents,
    reversedCredits: purchase.reversedCredits + revoked + debt,
    debt: purchase.debt + debt,
  });
  state.reversals.set(reversalId, { lotId, cause, amountCents, revoked, debt, reinstated: false });
}

function reinstate(state: AccountState, { lotId, reversalId, amount }: PurchaseReinstated): void {
  const purchase = purchaseOf(state, lotId);
  const reversal = state.reversals.get(reversalId);
  if (!reversal) throw new Error(`The stream reinstates reversal ${reversalId}, which it does not hold.`);
  const { unitPriceCents, order } = purchase;
  if (amount > 0) addToLot(state, { lotId, amount, unitPriceCents, ...PURCHASED }, order);
  state.purchases.set(lotId, {
    ...purchase,
    reversedCents: purchase.reversedCents - reversal.amountCents,
    reversedCredits: purchase.reversedCredits - amount,
  });
  state.reversals.set(reversalId, { ...reversal, reinstated: true });
}

function purchaseOf(state: AccountState, lotId: string): Purchase {
  const purchase = state.purchases.get(lotId);
  if (!purchase) throw new Error(`The stream speaks of purchase ${lotId}, which it does not hold.`);
  return purchase;
}

function isOfLot({ lotId, expiresAt }: Pick<Allocation, 'lotId' | 'expiresAt'>, lot: Lot): boolean {
  return lot.lotId === lotId && lot.expiresAt === (expiresAt === null ? null : Date.parse(expiresAt));
}

function addToLot(state: AccountState, added: Allocation, order: number): void {
  const { lotId, kind, amount, unitPriceCents } = added;
  const known = state.lots.find((lot) => isOfLot(added, lot));
  const expiresAt = added.expiresAt === null ? null : Date.parse(added.expiresAt);
  const lot = known ?? { lotId, kind, remaining: 0, unitPriceCents, expiresAt, order };
  const others = state.lots.filter((each) => each !== known);
  state.lots = [...others, { ...lot, remaining: lot.remaining + amount }].sort((a, b) => a.order - b.order);
}

function takeFromLot(state: AccountState, allocation: Allocation): HeldAllocation {
  const lot = state.lots.find((each) => isOfLot(allocation, each));
  if (!lot || lot.remaining < allocation.amount) {
    throw new Error(`The stream takes ${allocation.amount} credits that lot ${allocation.lotId} does not hold.`);
  }
  const rest = { ...lot, remaining: lot.remaining - allocation.amount };
  state.lots = state.lots.map((each) => (each === lot ? rest : each)).filter(({ remaining }) => remaining > 0);
  return { ...allocation, order: lot.order };
}

function end(
  state: AccountState,
  deductionId: string,
  outcome: EndedDeduction['outcome'],
  allocations: readonly Allocation[],
): void {
  const open = state.open.get(deductionId);
  state.open.delete(deductionId);
  state.ended.set(deductionId, {
    outcome,
    amount: open?.amount ?? 0,
    creatorId: open?.creatorId ?? null,
    creditTypeUsed: creditTypeOf(allocations),
    endedAt: state.lastEventAt,
  });
}

/** Forgets only what `isClosed` refuses from now on: its id, not just its end, is older than the memory. */
function forgetOldDeductions(state: AccountState): void {
  const horizon = state.lastEventAt - DEDUCTION_MEMORY_DAYS * DAY_MS;
  for (const [deductionId, { endedAt }] of state.ended) {
    if (endedAt >= horizon) return;
    if (isClosed(deductionId, state.lastEventAt)) state.ended.delete(deductionId);
  }
}

/** True for a UUIDv7 so old that its deduction may have been forgotten. Other ids carry no time and are kept for good. */
export function isClosed(deductionId: string, at: number): boolean {
  const createdAt = timeOfUuid7(deductionId);
  return createdAt !== null && createdAt < at - DEDUCTION_MEMORY_DAYS * DAY_MS;
}

const UUID7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Epoch milliseconds in the first 48 bits; null when it is not a UUIDv7. */
function timeOfUuid7(id: string): number | null {
  const match = UUID7.exec(id);
  return match ? Number.parseInt(`${match[1]}${match[2]}`, 16) : null;
}

/** The account's own time: a clock that was set back does not bring lapsed credits or yesterday's grant back. */
export function accountTime(state: AccountState, now: Date): number {
  return Math.max(now.getTime(), state.lastEventAt);
}

export function hasLapsed(lot: Lot, at: number): boolean {
  return lot.expiresAt !== null && lot.expiresAt <= at;
}

/** Unexpired credits by kind at an instant of the account's time. */
export function balancesAt(state: AccountState, at: number): Balances {
  const balances = { daily: 0, bonus: 0, paid: 0, total: 0 };
  for (const lot of state.lots) {
    if (hasLapsed(lot, at)) continue;
    balances[lot.kind] += lot.remaining;
    balances.total += lot.remaining;
  }
  return balances;
}

/** What is left of a purchase in its lot. */
export function remainingOf(state: AccountState, lotId: string): number {
  return state.lots.find((lot) => lot.lotId === lotId)?.remaining ?? 0;
}

/** The kind of all allocations, or `mixed`; null when there are none. */
export function creditTypeOf(allocations: readonly Allocation[]): CreditTypeUsed | null {
  const kind = allocations[0]?.kind ?? null;
  return allocations.some((allocation) => allocation.kind !== kind) ? 'mixed' : kind;
}

/** First instant of the next UTC day, epoch milliseconds. */
export function endOfUtcDay(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS;
}

/** YYYY-MM-DD in UTC. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function later(a: string | null, b: string): string {
  return a !== null && a > b ? a : b;
}
