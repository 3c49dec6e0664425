import { SIGN_UP_BONUS_CREDITS } from '../../contract/prices.js';
import {
  accountTime,
  endOfUtcDay,
  hasLapsed,
  isClosed,
  utcDay,
  type AccountState,
  type Lot,
  type OpenDeduction,
} from './state.js';
import {
  AdjustmentRefusedError,
  DeductionRefusedError,
  GrantRefusedError,
  InsufficientCreditsError,
  type AdjustCredits,
  type CreditKind,
  type DeductCredits,
  type GrantBonusCredits,
  type RefundDeduction,
  type SettleDeduction,
} from '../use-cases/commands.js';
import { MAX_AMOUNT, type CreditSettings } from './constants.js';
import { repayDebt } from './debt.js';
import {
  dailyLot,
  GRANT_LOT_PREFIX,
  SIGN_UP_LOT_ID,
  type Allocation,
  type CreditEvent,
  type CreditsGranted,
} from './events.js';

/**
 * The rules of an account: each function answers a command with the events that follow from it, none when it had been
 * done before, and throws when it is refused. They read the given state and instant and nothing else.
 *
 * Daily lots that lapsed since the last event are recorded as expired in front of a command's own events.
 */

/** Grants the sign-up bonus, once. */
export function openAccount(state: AccountState, now: Date): CreditEvent[] {
  return recordingLapses(state, now, signUpBonus(state));
}

/** Opens the account if need be and grants the daily credits of the current UTC day, once. */
export function grantDailyCredits(state: AccountState, now: Date, settings: CreditSettings): CreditEvent[] {
  const at = accountTime(state, now);
  const day = utcDay(at);
  const events = signUpBonus(state);
  if (state.lastDailyGrant === null || state.lastDailyGrant < day) {
    const expiresAt = new Date(endOfUtcDay(at)).toISOString();
    const amount = settings.dailyGrantCredits;
    events.push(granted({ lotId: dailyLot(day), kind: 'daily', source: 'daily', amount, expiresAt, reason: null }));
  }
  return recordingLapses(state, now, events);
}

/**
 * Grants bonus credits on somebody's decision, once per grant id.
 * @throws GrantRefusedError for an amount that is not a positive integer, or an id used with other content
 */
export function grantBonusCredits(command: GrantBonusCredits, state: AccountState, now: Date): CreditEvent[] {
  const { grantId, amount, reason } = command;
  if (!isAmount(amount)) throw new GrantRefusedError(grantId, `${amount} is not a number of credits.`);
  const lotId = `${GRANT_LOT_PREFIX}${grantId}`;
  const known = state.grants.get(lotId);
  if (known) {
    if (known.amount === amount && known.reason === reason) return [];
    throw new GrantRefusedError(grantId, `Grant ${grantId} was made with another amount or reason.`);
  }
  const event = granted({ lotId, kind: 'bonus', source: 'admin', amount, expiresAt: null, reason });
  return recordingLapses(state, now, [event]);
}

/**
 * Opens the account if need be and takes credits: daily, then bonus, then paid, the oldest first inside a kind.
 * @throws InsufficientCreditsError when unexpired credits do not reach
 * @throws DeductionRefusedError when the id was used with other content, was refunded or voided, or is too old to judge
 */
export function deductCredits(command: DeductCredits, state: AccountState, now: Date): CreditEvent[] {
  const { deductionId, creatorId, amount } = command;
  if (!isAmount(amount)) throw new DeductionRefusedError(deductionId, `${amount} is not a number of credits.`);
  const at = accountTime(state, now);
  const ended = state.ended.get(deductionId);
  if (ended && ended.outcome !== 'settled') throw refusal(deductionId, `was ${ended.outcome}`);
  const known = state.open.get(deductionId) ?? ended;
  if (known) {
    if (known.amount === amount && known.creatorId === creatorId) return [];
    throw refusal(deductionId, 'was made with another amount or creator');
  }
  if (isClosed(deductionId, at)) throw refusal(deductionId, 'is closed');

  const opening = state.opened ? [] : [{ ...SIGN_UP_LOT, order: state.lotCount }];
  const lots = [...state.lots.filter((lot) => !hasLapsed(lot, at)), ...opening];
  const allocations = take(lots, amount);
  const data = { allocations, amount, creatorId, deductionId, schemaVersion: 1 as const };
  return recordingLapses(state, now, [...signUpBonus(state), { type: 'CreditsDeducted', data }]);
}

/**
 * Makes a deduction final.
 * @throws DeductionRefusedError when it is unknown, voided or refunded
 */
export function settleDeduction({ deductionId }: SettleDeduction, state: AccountState, now: Date): CreditEvent[] {
  const ended = state.ended.get(deductionId);
  if (ended?.outcome === 'settled') return [];
  if (ended) throw refusal(deductionId, `was ${ended.outcome}`);
  const open = state.open.get(deductionId);
  if (!open) throw refusal(deductionId, isClosed(deductionId, accountTime(state, now)) ? 'is closed' : 'is not known');
  const { amount, creatorId } = open;
  const allocations = open.allocations.map(withoutOrder);
  const data = { allocations, amount, creatorId, deductionId, schemaVersion: 1 as const };
  return recordingLapses(state, now, [{ type: 'DeductionSettled', data }]);
}

/**
 * Undoes a deduction's recorded allocations, or voids the id of one that was never seen. What comes back to a purchase whose
 * money went back pays what is owed.
 * @throws DeductionRefusedError when it was settled, or is too old to judge
 */
export function refundDeduction(command: RefundDeduction, state: AccountState, now: Date): CreditEvent[] {
  const { deductionId, reason } = command;
  const at = accountTime(state, now);
  const ended = state.ended.get(deductionId);
  if (ended?.outcome === 'settled') throw refusal(deductionId, 'was settled');
  if (ended) return [];
  const open = state.open.get(deductionId);
  if (!open) {
    if (isClosed(deductionId, at)) throw refusal(deductionId, 'is closed');
    return recordingLapses(state, now, [{ type: 'DeductionVoided', data: { schemaVersion: 1, deductionId, reason } }]);
  }
  const { amount, creatorId } = open;
  const restorations = restore(open, at);
  const data = { amount, creatorId, deductionId, reason, restorations, schemaVersion: 1 as const };
  const intoReversed = restorations.filter(({ lotId }) => (state.purchases.get(lotId)?.reversedCredits ?? 0) > 0);
  return recordingLapses(state, now, [{ type: 'CreditsRefunded', data }, ...repayDebt(state, intoReversed)]);
}

/**
 * Takes credits in spending order on an admin's decision, once per adjustment id.
 * @throws AdjustmentRefusedError for an amount that is not a number of credits, or an id used with other content
 * @throws InsufficientCreditsError when unexpired credits do not reach
 */
export function adjustCredits(command: AdjustCredits, state: AccountState, now: Date): CreditEvent[] {
  const { adjustmentId, amount, reason } = command;
  if (!isAmount(amount)) throw new AdjustmentRefusedError(adjustmentId, `${amount} is not a number of credits.`);
  const known = state.adjustments.get(adjustmentId);
  if (known) {
    if (known.amount === amount && known.reason === reason) return [];
    throw new AdjustmentRefusedError(
      adjustmentId,
      `Adjustment ${adjustmentId} was made with another amount or reason.`,
    );
  }
  const at = accountTime(state, now);
  const allocations = take(
    state.lots.filter((lot) => !hasLapsed(lot, at)),
    amount,
  );
  const data = { schemaVersion: 1 as const, adjustmentId, amount, reason, allocations };
  return recordingLapses(state, now, [{ type: 'CreditsAdjusted', data }]);
}

const SPENDING_ORDER: Readonly<Record<CreditKind, number>> = { daily: 0, bonus: 1, paid: 2 };

/** Takes `amount` credits from lots given oldest first; null when they do not hold as many. */
export function allocate(lots: readonly Lot[], amount: number): Allocation[] | null {
  const allocations: Allocation[] = [];
  let missing = amount;
  const inOrder = [...lots].sort((a, b) => SPENDING_ORDER[a.kind] - SPENDING_ORDER[b.kind]);
  for (const { lotId, kind, remaining, unitPriceCents, expiresAt } of inOrder) {
    if (missing === 0) break;
    const taken = Math.min(remaining, missing);
    allocations.push({ amount: taken, expiresAt: toIso(expiresAt), kind, lotId, unitPriceCents });
    missing -= taken;
  }
  return missing === 0 ? allocations : null;
}

function take(lots: readonly Lot[], amount: number): Allocation[] {
  const allocations = allocate(lots, amount);
  if (allocations) return allocations;
  const available = lots.reduce((sum, { remaining }) => sum + remaining, 0);
  throw new InsufficientCreditsError(amount, available);
}

/** The same lots and kinds; what has lapsed meanwhile is good until the end of the current UTC day. */
function restore(deduction: OpenDeduction, at: number): Allocation[] {
  return deduction.allocations.map((allocation) => {
    const restored = withoutOrder(allocation);
    const lapsed = restored.expiresAt !== null && Date.parse(restored.expiresAt) <= at;
    return lapsed ? { ...restored, expiresAt: toIso(endOfUtcDay(at)) } : restored;
  });
}

function withoutOrder({ lotId, kind, amount, unitPriceCents, expiresAt }: Allocation): Allocation {
  return { amount, expiresAt, kind, lotId, unitPriceCents };
}

/** A command's events with the lapses in front that no event tells of yet; none when the command has none. */
export function recordingLapses(state: AccountState, now: Date, events: CreditEvent[]): CreditEvent[] {
  if (events.length === 0) return [];
  const at = accountTime(state, now);
  const expired = state.lots.flatMap((lot): CreditEvent[] => {
    if (lot.expiresAt === null || lot.expiresAt > at) return [];
    const { lotId, kind, remaining: amount } = lot;
    const expiresAt = new Date(lot.expiresAt).toISOString();
    return [{ type: 'CreditsExpired', data: { schemaVersion: 1, lotId, kind, amount, expiresAt } }];
  });
  return [...expired, ...events];
}

const SIGN_UP_LOT = {
  lotId: SIGN_UP_LOT_ID,
  kind: 'bonus',
  remaining: SIGN_UP_BONUS_CREDITS,
  unitPriceCents: 0,
  expiresAt: null,
} as const;

function signUpBonus(state: AccountState): CreditEvent[] {
  if (state.opened) return [];
  const { lotId, kind, remaining: amount, expiresAt } = SIGN_UP_LOT;
  return [granted({ lotId, kind, source: 'signup', amount, expiresAt, reason: null })];
}

function granted(data: Omit<CreditsGranted, 'schemaVersion'>): CreditEvent {
  return { type: 'CreditsGranted', data: { schemaVersion: 1, ...data } };
}

/** True for a positive number of credits or cents that is whole, and small enough for all sums to stay exact. */
export function isAmount(amount: number): boolean {
  return Number.isSafeInteger(amount) && amount > 0 && amount <= MAX_AMOUNT;
}

function refusal(deductionId: string, what: string): DeductionRefusedError {
  return new DeductionRefusedError(deductionId, `Deduction ${deductionId} ${what}.`);
}

function toIso(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
