import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { deductCredits, type NewDeduction } from '../account/decide.js';
import {
  balancesAt,
  creditTypeOf,
  endedDeduction,
  type AccountState,
  type Balances,
  type CreditTypeUsed,
} from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { SignUpBonus } from '../ledger/sign-up-bonus.js';

/** The balances after the deduction, and from which kinds of credits it was taken. */
export interface DeductCreditsResult {
  readonly balances: Balances;
  readonly creditTypeUsed: CreditTypeUsed;
  readonly amount: number;
}

/**
 * Takes credits for a generation: daily, then bonus, then paid.
 * @throws InsufficientCreditsError, DeductionRefusedError
 */
export class DeductCredits extends CommandOf<NewDeduction & { readonly userId: string }, DeductCreditsResult> {}

@CommandHandler(DeductCredits)
export class DeductCreditsHandler implements ICommandHandler<DeductCredits> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly bonus: SignUpBonus,
  ) {}

  async execute({ input }: DeductCredits): Promise<DeductCreditsResult> {
    const { userId, deductionId, amount } = input;
    const origin = { actorId: userId, correlationId: deductionId };
    const { answer } = await this.bonus.decideFor(userId, (bonus) =>
      this.accounts.execute(
        userId,
        origin,
        (account, now) => deductCredits(input, account, now, bonus),
        (account, at) => ({
          balances: balancesAt(account, at),
          creditTypeUsed: creditTypeUsedBy(account, deductionId),
        }),
      ),
    );
    return { ...answer, amount };
  }
}

function creditTypeUsedBy(state: AccountState, deductionId: string): CreditTypeUsed {
  const open = state.open.get(deductionId);
  const used = open ? creditTypeOf(open.allocations) : endedDeduction(state, deductionId)?.creditTypeUsed;
  if (!used) throw new Error(`Deduction ${deductionId} is missing from the account that has just accepted it.`);
  return used;
}
