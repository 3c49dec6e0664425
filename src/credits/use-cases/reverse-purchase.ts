import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reversePurchase, type NewReversal } from '../account/decide-purchases.js';
import { balancesAt, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { SYSTEM_ACTOR } from '../ledger/pending-command.js';

export interface ReversePurchaseResult {
  /** False when an earlier call had recorded this reversal. */
  readonly recorded: boolean;
  /** Unspent credits taken from the purchase. */
  readonly revoked: number;
  /** Credits that were already spent: debt, which later purchases repay first. */
  readonly debt: number;
  readonly balances: Balances;
  /** Position in the event store of the last event written; null when nothing was written. */
  readonly position: string | null;
}

/**
 * Takes back the credits that the returned money of a purchase had bought, cumulatively rounded down over all
 * reversals of the purchase, and never more than the purchase granted.
 * @throws PurchaseRefusedError when the purchase is unknown, or the reversal was recorded with other content
 */
export class ReversePurchase extends Command<ReversePurchaseResult> {
  constructor(readonly input: NewReversal & { readonly userId: string }) {
    super();
  }
}

@CommandHandler(ReversePurchase)
export class ReversePurchaseHandler implements ICommandHandler<ReversePurchase> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: ReversePurchase): Promise<ReversePurchaseResult> {
    const { userId, sessionId, reversalId } = input;
    const origin = { actorId: SYSTEM_ACTOR, correlationId: sessionId };
    const { answer, events, position } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => reversePurchase(input, account, now),
      (account, at) => {
        const { revoked, debt } = account.reversals.get(reversalId) ?? { revoked: 0, debt: 0 };
        return { revoked, debt, balances: balancesAt(account, at) };
      },
    );
    return { recorded: events.length > 0, ...answer, position };
  }
}
