/** The lines of the books in the period of a statement, by kind. US cents. */
export interface PeriodSums {
  /** Lines that earn. */
  readonly earnings: StatementPart;
  /** Lines that take back: not positive. */
  readonly corrections: StatementPart;
  /** Lines that give back. */
  readonly restorations: StatementPart;
}

/** A number of things and their sum, US cents. */
export interface StatementPart {
  readonly count: number;
  readonly cents: number;
}

/** The amounts of a payout as they were fixed, US cents. */
export interface FixedSum {
  /** All shares that were payable at the cutoff, since the first one. */
  readonly payableCents: number;
  /** All that was paid before it. */
  readonly paidCents: number;
}

/** The sums of a statement: opening + period - paid = amount. US cents. */
export interface StatementSums {
  /** The amount of the previous statement; 0 for the first one. */
  readonly openingCents: number;
  /** Paid after the previous statement, less what came back. */
  readonly paidCents: number;
  readonly amountCents: number;
}

/** The books do not have what was fixed. */
export class StatementDiffersError extends Error {}

/**
 * The sums of a statement, from two fixed payouts and the books between their cutoffs.
 * @param previous null: this is the first statement
 * @throws StatementDiffersError when the books do not give the amount that was fixed
 */
export function statementSums(fixed: FixedSum, previous: FixedSum | null, period: PeriodSums): StatementSums {
  const { payableCents = 0, paidCents: paidBefore = 0 } = previous ?? {};
  const { earnings, corrections, restorations } = period;
  const booked = payableCents + earnings.cents + corrections.cents + restorations.cents;
  if (booked !== fixed.payableCents) {
    throw new StatementDiffersError(
      `The payout was fixed with ${fixed.payableCents} cents as payable, but the books have ${booked}.`,
    );
  }
  return {
    openingCents: openingCents(previous),
    paidCents: fixed.paidCents - paidBefore,
    amountCents: fixed.payableCents - fixed.paidCents,
  };
}

/** The amount of the previous statement, with which the next one opens. 0 for the first one. */
export function openingCents(previous: FixedSum | null): number {
  return previous ? previous.payableCents - previous.paidCents : 0;
}
