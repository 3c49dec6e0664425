import { Command } from '@nestjs/cqrs';
import { ApiError } from '../../platform/http/api-error.js';

export type CreditKind = 'daily' | 'bonus' | 'paid';
/** `credit_type_used` on the wire: the kind that paid, or `mixed`. */
export type CreditTypeUsed = CreditKind | 'mixed';

/** Unexpired credits by kind, after the command. */
export interface Balances {
  readonly daily: number;
  readonly bonus: number;
  readonly paid: number;
  readonly total: number;
}

/** Why credits came back. The spec's list. */
export type RefundReason =
  'api_failure' | 'generation_failed' | 'timeout' | 'server_error' | 'user_cancelled' | 'fatal_error';

/** Why money of a purchase went back. */
export type ReversalCause = 'refund' | 'dispute';

export interface OpenAccountResult {
  readonly balances: Balances;
  /** The account holds the sign-up bonus, whole, and never held anything else. */
  readonly untouched: boolean;
  readonly position: string | null;
}

/** Opens the account on first sight of the user and grants the sign-up bonus, once per identity. */
export class OpenAccount extends Command<OpenAccountResult> {
  constructor(readonly userId: string) {
    super();
  }
}

export interface GrantDailyCreditsResult {
  /** False when today's grant was already there. */
  readonly granted: boolean;
  /** Credits granted by this call, 0 when not granted. */
  readonly amount: number;
  /** UTC day, YYYY-MM-DD. */
  readonly grantDate: string;
  readonly balances: Balances;
  /** Position in the event store of what was written, for reading one's own writes; null when nothing was. */
  readonly position: string | null;
}

/** Grants today's (UTC) daily credits unless they were granted already. */
export class GrantDailyCredits extends Command<GrantDailyCreditsResult> {
  constructor(readonly userId: string) {
    super();
  }
}

/**
 * An admin's or the demo seed's grant of bonus credits.
 * @throws GrantRefusedError
 * @throws NoAccountError
 */
export class GrantBonusCredits extends Command<{ readonly balances: Balances; readonly position: string | null }> {
  constructor(
    readonly userId: string,
    /** Business id: the same grant twice is one grant. */
    readonly grantId: string,
    readonly amount: number,
    readonly actorId: string,
    /** Stored for good: must not speak of a person. */
    readonly reason: string,
    /** Refuses when the user has no account yet; else the grant begins it. */
    readonly toKnownAccount = false,
  ) {
    super();
  }
}

export interface DeductCreditsResult {
  readonly balances: Balances;
  readonly creditTypeUsed: CreditTypeUsed;
  readonly amount: number;
  readonly position: string | null;
}

/**
 * Takes credits for a generation: daily, then bonus, then paid.
 * @throws InsufficientCreditsError, DeductionRefusedError
 */
export class DeductCredits extends Command<DeductCreditsResult> {
  constructor(
    readonly userId: string,
    /** The generation's id. */
    readonly deductionId: string,
    readonly amount: number,
    readonly creatorId: string,
  ) {
    super();
  }
}

/** The image was delivered: the deduction is final, and this is the moment at which revenue is earned. */
export class SettleDeduction extends Command<{ readonly position: string | null }> {
  constructor(
    readonly userId: string,
    readonly deductionId: string,
  ) {
    super();
  }
}

export interface RefundDeductionResult {
  /** Credits that are back with the user because of this deduction (0 when none had been taken). */
  readonly amount: number;
  /** The kind that had been used, null when no deduction had been seen (it is void from now on). */
  readonly originalCreditType: CreditTypeUsed | null;
  /** True when an earlier call had refunded it. */
  readonly alreadyRefunded: boolean;
  readonly balances: Balances;
  readonly position: string | null;
}

/**
 * Gives back exactly what the deduction took, to the same lots. A deduction not seen yet is voided: if it arrives
 * later it is refused.
 * @throws DeductionRefusedError when the deduction was settled
 */
export class RefundDeduction extends Command<RefundDeductionResult> {
  constructor(
    readonly userId: string,
    readonly deductionId: string,
    readonly reason: RefundReason,
  ) {
    super();
  }
}

export interface PurchaseCreditsResult {
  /** False when an earlier call had recorded this session. */
  readonly recorded: boolean;
  /** Credits of the purchase that went into debt instead of the balance. */
  readonly debtRepaid: number;
  readonly balances: Balances;
  readonly position: string | null;
}

/**
 * A paid checkout session: grants its credits once. Debt of the account is paid first.
 * @throws PurchaseRefusedError when the session was recorded with other content
 */
export class PurchaseCredits extends Command<PurchaseCreditsResult> {
  constructor(
    readonly userId: string,
    /** The processor's session id: the business id, and the id of the lot. */
    readonly sessionId: string,
    readonly bundleId: string,
    readonly credits: number,
    /** What the user paid, in US cents. */
    readonly amountCents: number,
    /** The processor's payment, null for a session that had none. */
    readonly paymentIntentId: string | null,
  ) {
    super();
  }
}

export interface ReversePurchaseResult {
  /** False when an earlier call had recorded this reversal. */
  readonly recorded: boolean;
  /** Credits taken out of what was left of the purchase. */
  readonly revoked: number;
  /** Credits that had been spent: owed, and paid first by later purchases. */
  readonly debt: number;
  readonly balances: Balances;
  readonly position: string | null;
}

/**
 * Money of a purchase went back: a refund or a dispute, by the processor's own id. Takes back as many credits as the money
 * bought, cumulatively rounded down over all reversals of the purchase, and never more than it had granted.
 * @throws PurchaseRefusedError when the purchase is not known, or the reversal was recorded with other content
 */
export class ReversePurchase extends Command<ReversePurchaseResult> {
  constructor(
    readonly userId: string,
    readonly sessionId: string,
    /** The refund's or dispute's id at the processor. */
    readonly reversalId: string,
    readonly cause: ReversalCause,
    readonly amountCents: number,
  ) {
    super();
  }
}

/**
 * A reversal was undone (a dispute was won, a refund failed): what it took, and no other reversal that stands takes, is given
 * back, first to what is owed.
 * @throws PurchaseRefusedError when the purchase or the reversal is not known
 */
export class ReinstatePurchase extends Command<{
  readonly recorded: boolean;
  readonly balances: Balances;
  readonly position: string | null;
}> {
  constructor(
    readonly userId: string,
    readonly sessionId: string,
    readonly reversalId: string,
  ) {
    super();
  }
}

/**
 * An admin's correction downwards, in spending order. (Upwards: `GrantBonusCredits`.)
 * @throws AdjustmentRefusedError for an amount that is not a positive integer, or an id used with other content
 * @throws InsufficientCreditsError when the account does not hold as many
 * @throws NoAccountError
 */
export class AdjustCredits extends Command<{ readonly balances: Balances; readonly position: string | null }> {
  constructor(
    readonly userId: string,
    /** Business id: the same adjustment twice is one. */
    readonly adjustmentId: string,
    /** Credits to take, positive. */
    readonly amount: number,
    readonly actorId: string,
    /** Stored for good: must not speak of a person. */
    readonly reason: string,
  ) {
    super();
  }
}

/** The account does not hold enough unexpired credits. Nothing was taken. */
export class InsufficientCreditsError extends Error {
  constructor(
    readonly required: number,
    readonly available: number,
  ) {
    super(`${required} credits are needed and ${available} are available.`);
    this.name = 'InsufficientCreditsError';
  }
}

/** The deduction has ended another way (voided, refunded, settled), or its id was used with other content. */
export class DeductionRefusedError extends Error {
  constructor(
    readonly deductionId: string,
    message: string,
  ) {
    super(message);
    this.name = 'DeductionRefusedError';
  }
}

/** The grant's id was used with other content, or its amount is not a positive integer. Nothing was granted. */
export class GrantRefusedError extends Error {
  constructor(
    readonly grantId: string,
    message: string,
  ) {
    super(message);
    this.name = 'GrantRefusedError';
  }
}

/** The purchase or its reversal is not known, or its id was used with other content. Nothing was done. */
export class PurchaseRefusedError extends Error {
  constructor(
    readonly sessionId: string,
    message: string,
  ) {
    super(message);
    this.name = 'PurchaseRefusedError';
  }
}

/** The adjustment's id was used with other content, or its amount is not a positive integer. Nothing was taken. */
export class AdjustmentRefusedError extends Error {
  constructor(
    readonly adjustmentId: string,
    message: string,
  ) {
    super(message);
    this.name = 'AdjustmentRefusedError';
  }
}

/** Nothing was ever written to an account of this user. Nothing was done. */
export class NoAccountError extends ApiError {
  constructor() {
    super(404, 'There is no account of this user.');
    this.name = 'NoAccountError';
  }
}

/** Others kept writing to the account for as long as this command was tried. Nothing was done; it may be sent again. */
export class AccountBusyError extends ApiError {
  constructor() {
    super(503, 'Your account is busy and nothing was done. Please try again in a moment.', { retryAfterSeconds: 1 });
    this.name = 'AccountBusyError';
  }
}
