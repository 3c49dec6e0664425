import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '../platform/clock.js';
import { AccountStore } from './account-store.js';
import { accountTime, balancesAt, creditTypeOf } from './account.js';
import type { CreditEvent } from './events.js';
import { GetDeductionStatus, type DeductionStatus } from './queries.js';

/** Answers from the stream, and so also about deductions that the account itself has forgotten by now. */
@QueryHandler(GetDeductionStatus)
export class GetDeductionStatusHandler implements IQueryHandler<GetDeductionStatus> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, deductionId }: GetDeductionStatus): Promise<DeductionStatus> {
    let status: Omit<DeductionStatus, 'balances'> = { state: 'none', amount: 0, creditTypeUsed: null };
    const { state } = await this.accounts.load(userId, (event) => {
      if ('deductionId' in event.data && event.data.deductionId === deductionId) status = statusAfter(event, status);
    });
    return { ...status, balances: balancesAt(state, accountTime(state, this.clock.now())) };
  }
}

function statusAfter(event: CreditEvent, before: Omit<DeductionStatus, 'balances'>): Omit<DeductionStatus, 'balances'> {
  switch (event.type) {
    case 'CreditsDeducted':
      return { state: 'open', amount: event.data.amount, creditTypeUsed: creditTypeOf(event.data.allocations) };
    case 'DeductionSettled':
      return { ...before, state: 'settled' };
    case 'CreditsRefunded':
      return { ...before, state: 'refunded' };
    case 'DeductionVoided':
      return { ...before, state: 'voided' };
    default:
      return before;
  }
}
