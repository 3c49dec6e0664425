import { Query } from '@nestjs/cqrs';
import type { Balances, CreditTypeUsed } from '../use-cases/commands.js';

/** How a deduction stands, read from the stream itself and never from a projection. */
export interface DeductionStatus {
  readonly state: 'none' | 'open' | 'settled' | 'refunded' | 'voided';
  readonly amount: number;
  readonly creditTypeUsed: CreditTypeUsed | null;
  readonly balances: Balances;
}

export class GetDeductionStatus extends Query<DeductionStatus> {
  constructor(
    readonly userId: string,
    readonly deductionId: string,
  ) {
    super();
  }
}

/** A purchase as the account's stream tells of it. Credits. */
export interface PurchaseStatus {
  readonly sessionId: string;
  readonly credits: number;
  readonly amountCents: number;
  /** Still unspent in its lot. */
  readonly remaining: number;
  /** Taken back by reversals that stand, spent or not. */
  readonly reversedCredits: number;
  readonly reversedCents: number;
  /** Ids of reversals that stand (not reinstated). */
  readonly reversals: readonly string[];
}

/** One purchase of a user, read from the stream itself; null when it is not known. */
export class GetPurchase extends Query<PurchaseStatus | null> {
  constructor(
    readonly userId: string,
    readonly sessionId: string,
  ) {
    super();
  }
}
