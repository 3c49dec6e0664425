import { MAX_AMOUNT } from '../../contract/limits.js';
import { SIGN_UP_BONUS_CREDITS } from '../../contract/prices.js';
import {
  accountTime,
  endOfUtcDay,
  endedDeduction,
  hasLapsed,
  isRefusedAsOld,
  utcDay,
  type AccountState,
  type Lot,
  type OpenDeduction,
} from './state.js';
import { type CreditSettings } from './constants.js';
import { repayDebt } from './debt.js';
import {
  AdjustmentRefusedError,
  BonusUndecidedError,
  DeductionRefusedError,
  GrantRefusedError,
  InsufficientCreditsError,
  NoAccountError,
} from './errors.js';
import {
  dailyLot,
  GRANT_LOT_PREFIX,
  SIGN_UP_LOT_ID,
  type Allocation,
  type CreditEvent,
  type ImageHashes,
  type CreditKind,
  type CreditsGranted,
  type RefundReason,
} from './events.js';

/**
 * The rules of an account. Each function returns the events that follow from a command: none for a repeat. It throws to
 * refuse. It reads the given state and instant and nothing else.
 *
 * Daily lots that lapsed since the last event are recorded as expired in front of the command's own events.
 */

/**
 * Whether a command may grant the sign-up bonus, which each person gets once: `due` after the claim was stored, `none`
 * when there is no claim. A command that is `undecided` throws `BonusUndecidedError` if that matters, so that accounts
 * that are open cost no claim.
 */
export type BonusDecision = 'due' | 'none' | 'undecided';

/** A grant of bonus credits. */
export interface BonusGrant {
  /** Business id: the same grant twice is one grant. */
  readonly grantId: string;
  /** Credits, positive. */
  readonly amount: number;
  /** Stored permanently: must not name a person. */
  readonly reason: string;
}

/** The cost of a generation. */
export interface NewDeduction {
  /** Business id: the generation's id. */
  readonly deductionId: string;
  /** Credits, positive. */
  readonly amount: number;
  readonly creatorId: string;
  /** Whether the user is this creator. Such a generation earns nothing. */
  readonly ownGeneration: boolean;
}

/** A correction downwards. */
export interface Adjustment {
  /** Business id: the same adjustment twice is one. */
  readonly adjustmentId: string;
  /** Credits to take, positive. */
  readonly amount: number;
  /** Stored permanently: must not name a person. */
  readonly reason: string;
}

/** @throws NoAccountError when nothing was ever written to the account */
export function requireAccount({ lastEventAt }: AccountState): void {
  if (lastEventAt === 0) throw new NoAccountError();
}

/** Grants the sign-up bonus, once. The caller has stored the person's claim. */
export function openAccount(state: AccountState, now: Date): CreditEvent[] {
  return recordingLapses(state, now, signUpBonus(state, 'due'));
}

/**
 * Opens the account if it is not open yet and the bonus is due. Grants the daily credits of the current UTC day, once.
 * @throws BonusUndecidedError
 */
export function grantDailyCredits(
  state: AccountState,
  now: Date,
  settings: CreditSettings,
  bonus: BonusDecision = 'undecided',
): CreditEvent[] {
  const at = accountTime(state, now);
  const day = utcDay(at);
  const events = signUpBonus(state, bonus);
  const isGranted = (state.lastDailyGrant ?? '') >= day || state.grantedAhead.includes(day);
  if (!isGranted) {
    const expiresAt = new Date(endOfUtcDay(at)).toISOString();
    const amount = settings.dailyGrantCredits;
    events.push(granted({ lotId: dailyLot(day), kind: 'daily', source: 'daily', amount, expiresAt, reason: null }));
  }
  return recordingLapses(state, now, events);
}

/**
 * Grants bonus credits, once per grant id.
 * @throws GrantRefusedError for an amount that is not a positive integer, or an id used with other content
 */
export function grantBonusCredits(
  { grantId, amount, reason }: BonusGrant,
  state: AccountState,
  now: Date,
): CreditEvent[] {
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
 * Takes credits: daily, then bonus, then paid, the oldest first inside a kind. Opens the account before if it is not
 * open yet and the bonus is due.
 * @throws InsufficientCreditsError when the account holds fewer unexpired credits
 * @throws DeductionRefusedError when the id was used with other content, was refunded or voided, or is too old to judge
 * @throws BonusUndecidedError when the bonus would be spent
 */
export function deductCredits(
  { deductionId, creatorId, ownGeneration, amount }: NewDeduction,
  state: AccountState,
  now: Date,
  bonus: BonusDecision = 'undecided',
): CreditEvent[] {
  if (!isAmount(amount)) throw new DeductionRefusedError(deductionId, `${amount} is not a number of credits.`);
  const at = accountTime(state, now);
  const ended = endedDeduction(state, deductionId);
  if (ended && ended.outcome !== 'settled') throw refusal(deductionId, `was ${ended.outcome}`);
  const known = state.open.get(deductionId) ?? ended;
  if (known) {
    if (known.amount === amount && known.creatorId === creatorId) return [];
    throw refusal(deductionId, 'was made with another amount or creator');
  }
  if (isRefusedAsOld(state, deductionId, at)) throw refusal(deductionId, 'is closed');

  const unexpiredLots = state.lots.filter((lot) => !hasLapsed(lot, at));
  const free = bonus === 'undecided' && allocate(unexpiredLots, amount)?.every(({ kind }) => kind !== 'paid');
  const opening = free ? [] : signUpBonus(state, bonus);
  const lots = opening.length > 0 ? [...unexpiredLots, { ...SIGN_UP_LOT, order: state.lotCount }] : unexpiredLots;
  const allocations = take(lots, amount);
  const data = { allocations, amount, creatorId, deductionId, ownGeneration, schemaVersion: 2 as const };
  return recordingLapses(state, now, [...opening, { type: 'CreditsDeducted', data }]);
}

/** An image whose file no one has hashed. */
const UNKNOWN_IMAGE: ImageHashes = { imageHash: null, promptHash: null };

/**
 * Makes a deduction final.
 * @throws DeductionRefusedError when it is unknown, voided or refunded
 */
export function settleDeduction(
  { deductionId, image = UNKNOWN_IMAGE }: { readonly deductionId: string; readonly image?: Readonly<ImageHashes> },
  state: AccountState,
  now: Date,
): CreditEvent[] {
  const ended = endedDeduction(state, deductionId);
  if (ended?.outcome === 'settled') return [];
  if (ended) throw refusal(deductionId, `was ${ended.outcome}`);
  const open = state.open.get(deductionId);
  if (!open)
    throw refusal(
      deductionId,
      isRefusedAsOld(state, deductionId, accountTime(state, now)) ? 'is closed' : 'is not known',
    );
  const { amount, creatorId, ownGeneration } = open;
  const allocations = open.allocations.map(withoutOrder);
  const { imageHash, promptHash } = image;
  const data = { allocations, amount, creatorId, deductionId, imageHash, ownGeneration, promptHash };
  return recordingLapses(state, now, [{ type: 'DeductionSettled', data: { ...data, schemaVersion: 3 } }]);
}

/**
 * Restores a deduction's recorded allocations, or voids the id of an unknown deduction. Credits restored to a reversed
 * purchase pay debt.
 * @throws DeductionRefusedError when it was settled, or is too old to judge
 */
export function refundDeduction(
  { deductionId, reason }: { readonly deductionId: string; readonly reason: RefundReason },
  state: AccountState,
  now: Date,
): CreditEvent[] {
  const at = accountTime(state, now);
  const ended = endedDeduction(state, deductionId);
  if (ended?.outcome === 'settled') throw refusal(deductionId, 'was settled');
  if (ended) return [];
  const open = state.open.get(deductionId);
  if (!open) {
    if (isRefusedAsOld(state, deductionId, at)) throw refusal(deductionId, 'is closed');
    return recordingLapses(state, now, [{ type: 'DeductionVoided', data: { schemaVersion: 1, deductionId, reason } }]);
  }
  const { amount, creatorId } = open;
  const restorations = restore(open, at);
  const data = { amount, creatorId, deductionId, reason, restorations, schemaVersion: 1 as const };
  const intoReversed = restorations.filter(({ lotId }) => (state.purchases.get(lotId)?.reversedCredits ?? 0) > 0);
  return recordingLapses(state, now, [{ type: 'CreditsRefunded', data }, ...repayDebt(state, intoReversed)]);
}

/**
 * Takes credits in spending order, once per adjustment id.
 * @throws AdjustmentRefusedError for an amount that is not a number of credits, or an id used with other content
 * @throws InsufficientCreditsError when the account holds fewer unexpired credits
 */
export function adjustCredits(
  { adjustmentId, amount, reason }: Adjustment,
  state: AccountState,
  now: Date,
): CreditEvent[] {
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

/** The repair of an account whose time is ahead. */
export interface ClockRepair {
  /** Stored permanently: must not name a person. */
  readonly reason: string;
  /** Every UTC day with a daily grant in the account's history. */
  readonly grantedDays: readonly string[];
}

/** Instances may differ by this much, and the stores accept it. An account is not ahead within it. Milliseconds. */
const TOLERATED_AHEAD_MS = 60_000;

/**
 * Sets the account's time back to now, so that it accepts commands again. Lots and deductions stay as they are. A day
 * whose daily credits were granted ahead gets no second grant. Returns none when the account is not ahead.
 */
export function repairClock({ reason, grantedDays }: ClockRepair, state: AccountState, now: Date): CreditEvent[] {
  if (state.lastEventAt - now.getTime() <= TOLERATED_AHEAD_MS) return [];
  const today = utcDay(now.getTime());
  const days = [...grantedDays].sort();
  const lastDailyGrant = days.filter((day) => day <= today).at(-1) ?? null;
  const grantedAhead = days.filter((day) => day > today);
  const aheadUntil = new Date(state.lastEventAt).toISOString();
  return [{ type: 'ClockRepaired', data: { schemaVersion: 1, aheadUntil, lastDailyGrant, grantedAhead, reason } }];
}

/**
 * Takes all paid credits that are unspent, because their owner gives them up. Writes nothing when there are none, so a
 * repeat takes only what arrived since.
 */
export function waivePaidCredits(
  { waiverId }: { readonly waiverId: string },
  state: AccountState,
  now: Date,
): CreditEvent[] {
  const paid = state.lots.filter(({ kind }) => kind === 'paid');
  const amount = paid.reduce((sum, { remaining }) => sum + remaining, 0);
  if (amount === 0) return [];
  const allocations = allocate(paid, amount) ?? [];
  return recordingLapses(state, now, [
    { type: 'CreditsWaived', data: { schemaVersion: 1, waiverId, amount, allocations } },
  ]);
}

const SPENDING_ORDER: Readonly<Record<CreditKind, number>> = { daily: 0, bonus: 1, paid: 2 };

/** Lots in the order in which they are spent: daily, then bonus, then paid ones. `lots` are sorted oldest first. */
export function inSpendingOrder(lots: readonly Lot[]): Lot[] {
  return [...lots].sort((a, b) => SPENDING_ORDER[a.kind] - SPENDING_ORDER[b.kind]);
}

/** Takes `amount` credits from `lots`, which are sorted oldest first. Null when the lots hold fewer. */
export function allocate(lots: readonly Lot[], amount: number): Allocation[] | null {
  const allocations: Allocation[] = [];
  let missing = amount;
  for (const { lotId, kind, remaining, unitPriceCents, expiresAt } of inSpendingOrder(lots)) {
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

/** The same lots and kinds. Lots that have lapsed meanwhile expire at the end of the current UTC day. */
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

/** Puts the lapses that are not recorded yet in front of a command's events. Returns none when the command has none. */
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

function signUpBonus(state: AccountState, bonus: BonusDecision): CreditEvent[] {
  if (state.opened || bonus === 'none') return [];
  if (bonus === 'undecided') throw new BonusUndecidedError();
  const { lotId, kind, remaining: amount, expiresAt } = SIGN_UP_LOT;
  return [granted({ lotId, kind, source: 'signup', amount, expiresAt, reason: null })];
}

function granted(data: Omit<CreditsGranted, 'schemaVersion'>): CreditEvent {
  return { type: 'CreditsGranted', data: { schemaVersion: 1, ...data } };
}

/** True for a positive integer of credits or cents that is small enough for all sums to stay exact. */
export function isAmount(amount: number): boolean {
  return Number.isSafeInteger(amount) && amount > 0 && amount <= MAX_AMOUNT;
}

function refusal(deductionId: string, problem: string): DeductionRefusedError {
  return new DeductionRefusedError(deductionId, `Deduction ${deductionId} ${problem}.`);
}

function toIso(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
