import { Query } from '@nestjs/cqrs';
import type { Balances, CreditTypeUsed } from './commands.js';

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
