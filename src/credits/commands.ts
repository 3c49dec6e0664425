import { Command } from '@nestjs/cqrs';

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

/** Opens the account on first sight of the user and grants the sign-up bonus, once per identity. */
export class OpenAccount extends Command<{ readonly balances: Balances; readonly position: string | null }> {
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

/** Others kept writing to the account for as long as this command was tried. Nothing was done; it may be sent again. */
export class AccountBusyError extends Error {
  constructor(userId: string) {
    super(`The account of ${userId} is too busy.`);
    this.name = 'AccountBusyError';
  }
}
