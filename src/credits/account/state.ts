import { DAY_MS } from '../../contract/durations.js';
import { DEDUCTION_MEMORY_DAYS } from './constants.js';
import {
  utcDayOfDailyLot,
  type Allocation,
  type CreditEvent,
  type CreditKind,
  type CreditsPurchased,
  type PurchaseReinstated,
  type PurchaseReversed,
  type ReversalCause,
} from './events.js';

/** `credit_type_used` on the wire: the kind that paid, or `mixed`. */
export type CreditTypeUsed = CreditKind | 'mixed';

/** Unexpired credits by kind. */
export interface Balances {
  readonly daily: number;
  readonly bonus: number;
  readonly paid: number;
  readonly total: number;
}

/** Credits that arrived together. An empty lot is dropped; a refund puts it back at its old place. */
export interface Lot {
  readonly lotId: string;
  readonly kind: CreditKind;
  /** Credits, positive. */
  readonly remaining: number;
  /** US cents per credit. */
  readonly unitPriceCents: number;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Position among the account's lots, oldest first. */
  readonly order: number;
}

/** An allocation with the position of its lot. */
export interface HeldAllocation extends Allocation {
  readonly order: number;
}

/** A deduction that is neither settled nor refunded. */
export interface OpenDeduction {
  readonly amount: number;
  readonly creatorId: string;
  readonly ownGeneration: boolean;
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

/** A paid checkout session and its reversals. Kept permanently: the processor may refer to it years later. */
export interface Purchase {
  readonly bundleId: string;
  readonly paymentIntentId: string | null;
  /** Credits bought. */
  readonly credits: number;
  readonly amountCents: number;
  readonly unitPriceCents: number;
  /** Position of its lot. */
  readonly order: number;
  /** Returned by standing reversals, US cents. */
  readonly reversedCents: number;
  /** Credits that the standing reversals take: always `creditsFor` their cents. */
  readonly reversedCredits: number;
  /** Credits taken back after they had been spent and not repaid yet. */
  readonly debt: number;
  /** Credits of this purchase that paid debt, its own or another purchase's. */
  readonly debtRepaid: number;
}

/** A refund or dispute. Kept permanently. */
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
 * Everything needed to decide commands of an account. Only `emptyAccount` and `evolve` create it, from events alone. It
 * is plain data and the same in every process.
 */
export interface AccountState {
  /** True once the sign-up bonus was granted. */
  opened: boolean;
  /** Lots that can be spent, or have lapsed without a recorded event. Oldest first. */
  lots: readonly Lot[];
  /** Grants by lot id, without daily grants. */
  readonly grants: Map<string, { readonly amount: number; readonly reason: string | null }>;
  /** Latest UTC day (YYYY-MM-DD) of a daily grant. */
  lastDailyGrant: string | null;
  /** Days after `lastDailyGrant` whose grant was made already, under a clock that was ahead. Nearly always empty. */
  grantedAhead: readonly string[];
  /** By session id, which is also the lot id. Oldest first. */
  readonly purchases: Map<string, Purchase>;
  /** By reversal id. */
  readonly reversals: Map<string, Reversal>;
  /** Corrections downwards by adjustment id. */
  readonly adjustments: Map<string, { readonly amount: number; readonly reason: string }>;
  readonly open: Map<string, OpenDeduction>;
  /** In the order of their ends. Kept for `DEDUCTION_MEMORY_DAYS`. */
  readonly ended: Map<string, EndedDeduction>;
  /** Highest id of the ended deductions that a snapshot omitted from `ended`. Undefined when `ended` is complete. */
  omittedEndedUpTo: string | undefined;
  /** After a repair, ids that {@link isClosed} refuses at this instant stay refused. Epoch milliseconds; 0: none. */
  closedUntil: number;
  /** Number of lots ever opened. */
  lotCount: number;
  /** Time of the account, epoch milliseconds: that of the latest event, or of a repair and the events since. */
  lastEventAt: number;
}

/** The snapshot may have omitted the end of this deduction: fold the full stream and decide again. */
export class DeductionNotLoadedError extends Error {
  constructor(deductionId: string) {
    super(`The snapshot does not contain whether deduction ${deductionId} has ended.`);
    this.name = 'DeductionNotLoadedError';
  }
}

/**
 * How a deduction ended; undefined when it has not ended or is no longer remembered. Ids sort by creation time: an id
 * above all omitted ones, such as that of every new deduction, was not omitted. An open deduction has not ended.
 * @throws DeductionNotLoadedError when a snapshot may have omitted it
 */
export function endedDeduction(
  { ended, open, omittedEndedUpTo }: AccountState,
  deductionId: string,
): EndedDeduction | undefined {
  const found = ended.get(deductionId);
  if (!found && omittedEndedUpTo !== undefined && deductionId <= omittedEndedUpTo && !open.has(deductionId)) {
    throw new DeductionNotLoadedError(deductionId);
  }
  return found;
}

/**
 * Increase it with every change of `evolve`, of a function that it calls, or of the shape of the state. Snapshots of
 * another version are ignored. A test compares the state after a fixed history and fails when this number was
 * forgotten.
 */
export const FOLD_VERSION = 3;

/** An account without events. */
export function emptyAccount(): AccountState {
  return {
    opened: false,
    lots: [],
    grants: new Map(),
    lastDailyGrant: null,
    grantedAhead: [],
    purchases: new Map(),
    reversals: new Map(),
    adjustments: new Map(),
    open: new Map(),
    ended: new Map(),
    omittedEndedUpTo: undefined,
    closedUntil: 0,
    lotCount: 0,
    lastEventAt: 0,
  };
}

/**
 * Applies an event without checking rules: stored events are facts. Changes the given state and returns it, so that a
 * long history folds in linear time. The caller owns the state and may mutate it.
 */
export function evolve(state: AccountState, event: CreditEvent, occurredAt: Date): AccountState {
  const at = occurredAt.getTime();
  state.lastEventAt = event.type === 'ClockRepaired' ? at : Math.max(state.lastEventAt, at);
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
      const { amount, creatorId, ownGeneration } = data;
      state.open.set(data.deductionId, { amount, creatorId, ownGeneration, allocations });
      return;
    }
    case 'DeductionSettled':
      end(state, data.deductionId, 'settled', data.allocations);
      return;
    case 'CreditsRefunded': {
      const allocations = state.open.get(data.deductionId)?.allocations ?? [];
      for (const restored of data.restorations) {
        const order = allocations.find(({ lotId }) => lotId === restored.lotId)?.order ?? state.lotCount;
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
    case 'ClockRepaired':
      state.closedUntil = Math.max(state.closedUntil, closedUntil(Date.parse(data.aheadUntil), state.lastEventAt));
      state.lastDailyGrant = data.lastDailyGrant;
      state.grantedAhead = data.grantedAhead;
      return;
    case 'CreditsWaived':
      for (const allocation of data.allocations) takeFromLot(state, allocation);
      return;
  }
}

/** Properties of every lot of bought credits. */
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
  if (!purchase) throw new Error(`The stream refers to purchase ${lotId}, which it does not hold.`);
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

/** Forgets only deductions that `isClosed` refuses: not only the end but also the id is older than the memory. */
function forgetOldDeductions(state: AccountState): void {
  const horizon = state.lastEventAt - DEDUCTION_MEMORY_DAYS * DAY_MS;
  for (const [deductionId, { endedAt }] of state.ended) {
    if (endedAt >= horizon) return;
    if (isClosed(deductionId, state.lastEventAt)) state.ended.delete(deductionId);
  }
}

/** True for a UUIDv7 so old that its deduction may be forgotten. Other ids carry no time and are kept permanently. */
export function isClosed(deductionId: string, at: number): boolean {
  const createdAt = timeOfUuid7(deductionId);
  return createdAt !== null && createdAt < at - DEDUCTION_MEMORY_DAYS * DAY_MS;
}

/**
 * Under a clock that was ahead, ended deductions may have been forgotten too early. Their ids stay closed after the
 * repair, as do all others from before it that were closed under that clock. Ids from after the repair are not closed.
 * @returns the instant for {@link isClosed}
 */
export function closedUntil(aheadUntil: number, repairedAt: number): number {
  return Math.min(aheadUntil, repairedAt + DEDUCTION_MEMORY_DAYS * DAY_MS);
}

/** True for an unknown id that the account refuses: it is too old, or was so before a repair of the account's time. */
export function isRefusedAsOld(state: AccountState, deductionId: string, at: number): boolean {
  return isClosed(deductionId, Math.max(at, state.closedUntil));
}

const UUID7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Epoch milliseconds from the first 48 bits; null when the id is not a UUIDv7. */
function timeOfUuid7(id: string): number | null {
  const match = UUID7.exec(id);
  return match ? Number.parseInt(`${match[1]}${match[2]}`, 16) : null;
}

/** Account time, epoch milliseconds. A clock set back does not revive lapsed credits or repeat a daily grant. */
export function accountTime(state: AccountState, now: Date): number {
  return Math.max(now.getTime(), state.lastEventAt);
}

/** The time of a command's events, epoch milliseconds: only a repair may set the account's time back. */
export function timeOfEvents(state: AccountState, now: Date, events: readonly CreditEvent[]): number {
  return events.some(({ type }) => type === 'ClockRepaired') ? now.getTime() : accountTime(state, now);
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

/** Unspent credits of a purchase. */
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
