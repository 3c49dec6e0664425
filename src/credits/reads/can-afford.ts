import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '../../platform/messages.js';
import { type AccountState, balancesAt } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';

/**
 * False when a deduction of this amount would be refused now for want of credits. True also for an account that is not
 * open yet: its first deduction may bring the sign-up bonus; and when they were spent through another instance a moment
 * ago. Only the deduction itself decides.
 */
export class CanAfford extends QueryOf<
  {
    readonly userId: string;
    /** In credits. */
    readonly amount: number;
  },
  boolean
> {}

@QueryHandler(CanAfford)
export class CanAffordHandler implements IQueryHandler<CanAfford> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input: { userId, amount } }: CanAfford): Promise<boolean> {
    const isEnough = (account: AccountState, at: number): boolean =>
      !account.opened || balancesAt(account, at).total >= amount;
    return this.accounts.peek(userId, isEnough) === true || this.accounts.read(userId, isEnough);
  }
}
