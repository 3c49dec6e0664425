import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { QueryOf } from '../../platform/messages.js';
import type { CreditEvent } from '../account/events.js';
import {
  accountTime,
  balancesAt,
  creditTypeOf,
  isRefusedAsOld,
  endedDeduction,
  type AccountState,
  type Balances,
  type CreditTypeUsed,
} from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';

/** State of a deduction, read from the stream and never from a projection. */
export interface DeductionStatus {
  readonly state: 'none' | 'open' | 'settled' | 'refunded' | 'voided';
  readonly amount: number;
  readonly creditTypeUsed: CreditTypeUsed | null;
  readonly balances: Balances;
}

/** Reads the state of one deduction, even if the state of the account no longer contains it. */
export class GetDeductionStatus extends QueryOf<
  {
    readonly userId: string;
    /** The generation's id. */
    readonly deductionId: string;
  },
  DeductionStatus
> {}

type Status = Omit<DeductionStatus, 'balances'>;

const NONE: Status = { state: 'none', amount: 0, creditTypeUsed: null };

@QueryHandler(GetDeductionStatus)
export class GetDeductionStatusHandler implements IQueryHandler<GetDeductionStatus> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId, deductionId } }: GetDeductionStatus): Promise<DeductionStatus> {
    const answer = await this.accounts.read(userId, (account, at) => {
      const status = statusInState(account, deductionId, at);
      return status && { ...status, balances: balancesAt(account, at) };
    });
    return answer ?? this.fromFullStream(userId, deductionId);
  }

  private async fromFullStream(userId: string, deductionId: string): Promise<DeductionStatus> {
    let status = NONE;
    const { state } = await this.accounts.load(userId, (event) => {
      if ('deductionId' in event.data && event.data.deductionId === deductionId) status = statusAfter(event, status);
    });
    return { ...status, balances: balancesAt(state, accountTime(state, this.clock.now())) };
  }
}

/** Returns null when the deduction is so old that the state of the account may not contain it any more. */
function statusInState(account: AccountState, deductionId: string, at: number): Status | null {
  const open = account.open.get(deductionId);
  if (open) return { state: 'open', amount: open.amount, creditTypeUsed: creditTypeOf(open.allocations) };
  const ended = endedDeduction(account, deductionId);
  if (ended) return { state: ended.outcome, amount: ended.amount, creditTypeUsed: ended.creditTypeUsed };
  return isRefusedAsOld(account, deductionId, at) ? null : NONE;
}

function statusAfter(event: CreditEvent, before: Status): Status {
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
