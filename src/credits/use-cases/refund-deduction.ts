import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { refundDeduction } from '../account/decide.js';
import type { RefundReason } from '../account/events.js';
import { balancesAt, endedDeduction, type Balances, type CreditTypeUsed } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { SYSTEM_ACTOR } from '../ledger/pending-command.js';

/** The credits that a refund has given back, or an earlier one. */
export interface RefundDeductionResult {
  /** Credits of this deduction that the user has back; 0 when the deduction had never been made. */
  readonly amount: number;
  /** The kind that was used; null when the deduction had never been made (its id is now void). */
  readonly originalCreditType: CreditTypeUsed | null;
  /** True when an earlier call had refunded it. */
  readonly alreadyRefunded: boolean;
  readonly balances: Balances;
}

/**
 * Returns exactly what the deduction took, to the same lots. An unknown deduction is voided: if it arrives later, it is
 * refused.
 * @throws DeductionRefusedError when the deduction was settled, or its id is too old to judge
 */
export class RefundDeduction extends CommandOf<
  {
    readonly userId: string;
    /** The generation's id. */
    readonly deductionId: string;
    readonly reason: RefundReason;
  },
  RefundDeductionResult
> {}

@CommandHandler(RefundDeduction)
export class RefundDeductionHandler implements ICommandHandler<RefundDeduction> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: RefundDeduction): Promise<RefundDeductionResult> {
    const { userId, deductionId } = input;
    const origin = { actorId: SYSTEM_ACTOR, correlationId: deductionId };
    const { answer } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => refundDeduction(input, account, now),
      (account, at, events) => {
        const ended = endedDeduction(account, deductionId);
        return {
          amount: ended?.amount ?? 0,
          originalCreditType: ended?.creditTypeUsed ?? null,
          alreadyRefunded: events.length === 0 && ended?.outcome === 'refunded',
          balances: balancesAt(account, at),
        };
      },
    );
    return answer;
  }
}
