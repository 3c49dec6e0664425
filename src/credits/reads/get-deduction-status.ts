import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { AccountStore } from '../ledger/account-store.js';
import { accountTime, balancesAt, creditTypeOf, isClosed, type AccountState } from '../account/state.js';
import type { CreditEvent } from '../account/events.js';
import { GetDeductionStatus, type DeductionStatus } from './queries.js';

type Status = Omit<DeductionStatus, 'balances'>;

const NONE: Status = { state: 'none', amount: 0, creditTypeUsed: null };

/** Answers from the stream, and so also about deductions that the account itself has forgotten by now. */
@QueryHandler(GetDeductionStatus)
export class GetDeductionStatusHandler implements IQueryHandler<GetDeductionStatus> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, deductionId }: GetDeductionStatus): Promise<DeductionStatus> {
    // A question in the place of a command: the account as its stream is now, from memory or a snapshot where these tell enough.
    const { answer } = await this.accounts.execute(
      userId,
      { actorId: userId },
      () => [],
      (account, at) => {
        const status = rememberedStatus(account, deductionId, at);
        return status && { ...status, balances: balancesAt(account, at) };
      },
    );
    return answer ?? this.fromWholeStream(userId, deductionId);
  }

  private async fromWholeStream(userId: string, deductionId: string): Promise<DeductionStatus> {
    let status = NONE;
    const { state } = await this.accounts.load(userId, (event) => {
      if ('deductionId' in event.data && event.data.deductionId === deductionId) status = statusAfter(event, status);
    });
    return { ...status, balances: balancesAt(state, accountTime(state, this.clock.now())) };
  }
}

/** Null when it is so old that the account may have forgotten it. */
function rememberedStatus(account: AccountState, deductionId: string, at: number): Status | null {
  const open = account.open.get(deductionId);
  if (open) return { state: 'open', amount: open.amount, creditTypeUsed: creditTypeOf(open.allocations) };
  const ended = account.ended.get(deductionId);
  if (ended) return { state: ended.outcome, amount: ended.amount, creditTypeUsed: ended.creditTypeUsed };
  return isClosed(deductionId, at) ? null : NONE;
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
