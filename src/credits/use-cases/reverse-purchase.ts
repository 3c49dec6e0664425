import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { reversePurchase, type NewReversal } from '../account/decide-purchases.js';
import { accountTime, balancesAt, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { SYSTEM_ACTOR, type EventAddress } from '../ledger/pending-command.js';

export interface ReversePurchaseResult {
  /** False when an earlier call had recorded this reversal. */
  readonly recorded: boolean;
  /** Unspent credits taken from the purchase. */
  readonly revoked: number;
  /** Credits that were already spent: debt, which later purchases repay first. */
  readonly debt: number;
  /** Balances before and after the reversal. */
  readonly before: Balances;
  readonly balances: Balances;
  /** The events written; empty for a repeat. */
  readonly addresses: readonly EventAddress[];
}

/**
 * Takes back the credits that the returned money of a purchase had bought, cumulatively rounded down over all
 * reversals of the purchase, and never more than the purchase granted.
 * @throws PurchaseRefusedError when the purchase is unknown, or the reversal was recorded with other content
 */
export class ReversePurchase extends CommandOf<
  NewReversal & {
    readonly userId: string;
    /** The act of an admin that causes it. */
    readonly causationId?: string | undefined;
  },
  ReversePurchaseResult
> {}

@CommandHandler(ReversePurchase)
export class ReversePurchaseHandler implements ICommandHandler<ReversePurchase> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: ReversePurchase): Promise<ReversePurchaseResult> {
    const { userId, sessionId, reversalId, causationId } = input;
    const origin = { actorId: SYSTEM_ACTOR, correlationId: sessionId, ...(causationId && { causationId }) };
    let before: Balances = { daily: 0, bonus: 0, paid: 0, total: 0 };
    const { answer, events, addresses } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => {
        before = balancesAt(account, accountTime(account, now));
        return reversePurchase(input, account, now);
      },
      (account, at) => {
        const { revoked, debt } = account.reversals.get(reversalId) ?? { revoked: 0, debt: 0 };
        return { revoked, debt, balances: balancesAt(account, at) };
      },
    );
    return { recorded: events.length > 0, before, ...answer, addresses };
  }
}
