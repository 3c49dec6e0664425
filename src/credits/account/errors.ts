import { DomainError } from '../../platform/domain-error.js';
import { StreamDeletedError } from '../../platform/event-store/event-store.js';

/** Refusals of the ledger. In each case nothing was written. */

/** The account does not hold enough unexpired credits. */
export class InsufficientCreditsError extends DomainError {
  constructor(
    readonly required: number,
    readonly available: number,
  ) {
    super('paymentRequired', `${required} credits are needed and ${available} are available.`);
  }
}

/** The deduction has ended another way (voided, refunded, settled), or its id was used with other content. */
export class DeductionRefusedError extends DomainError {
  constructor(
    readonly deductionId: string,
    message: string,
  ) {
    super('conflict', message);
  }
}

/** The account is not open, and the command must know whether a sign-up bonus is due. */
export class BonusUndecidedError extends Error {
  override readonly name = 'BonusUndecidedError';
}

/** The grant's id was used with other content, or its amount is not a positive integer. */
export class GrantRefusedError extends DomainError {
  constructor(
    readonly grantId: string,
    message: string,
  ) {
    super('conflict', message);
  }
}

/** The admin's grants and adjustments of this UTC day would exceed the limit. A second admin can approve them. */
export class AdminGrantLimitError extends DomainError {
  constructor(limit: number, granted: number, asked: number) {
    const [most, soFar, more] = [limit, granted, asked].map((credits) => credits.toLocaleString('en'));
    super(
      'conflict',
      `An admin may grant and take ${most} credits a day (UTC). You have moved ${soFar} today: ${more} more need a second admin.`,
      { code: '55000', hint: 'propose_credits_admin' },
    );
  }
}

/** An admin's act on the own account. Nothing was changed. */
export class OwnAccountError extends DomainError {
  constructor() {
    super('forbidden', 'Another admin must change the balance of your own account.', { code: '42501' });
  }
}

/** The purchase or its reversal is not known, or its id was used with other content. */
export class PurchaseRefusedError extends DomainError {
  constructor(
    readonly sessionId: string,
    message: string,
  ) {
    super('conflict', message);
  }
}

/** The adjustment's id was used with other content, or its amount is not a positive integer. */
export class AdjustmentRefusedError extends DomainError {
  constructor(
    readonly adjustmentId: string,
    message: string,
  ) {
    super('conflict', message);
  }
}

/** The stream of this user's account is empty. */
export class NoAccountError extends DomainError {
  constructor() {
    super('notFound', 'There is no account of this user.');
  }
}

/** Another program deleted the account's stream in the event store. Other accounts are not affected. */
export class AccountDeletedError extends DomainError {
  constructor(cause: StreamDeletedError) {
    super('gone', 'The records of this account are missing, so its credits cannot be used. Please contact support.', {
      cause,
    });
  }
}

/** Translates the error of a deleted stream into the refusal of its account. Returns other errors unchanged. */
export function accountError(error: unknown): Error {
  return error instanceof StreamDeletedError ? new AccountDeletedError(error) : (error as Error);
}
