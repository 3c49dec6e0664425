import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { reinstatePurchase } from '../account/decide-purchases.js';
import { balancesAt, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { SYSTEM_ACTOR, type EventAddress } from '../ledger/pending-command.js';

export interface ReinstatePurchaseResult {
  /** False when an earlier call had undone this reversal. */
  readonly recorded: boolean;
  readonly balances: Balances;
  /** The events written; empty for a repeat. */
  readonly addresses: readonly EventAddress[];
}

/**
 * A reversal was undone (a dispute was won, a refund failed). Gives back the credits that the reversal took, except
 * those that another standing reversal takes. These credits pay the account's debt first.
 * @throws PurchaseRefusedError when the purchase or the reversal is unknown
 */
export class ReinstatePurchase extends CommandOf<
  {
    readonly userId: string;
    readonly sessionId: string;
    readonly reversalId: string;
    /** The act of an admin that causes it. */
    readonly causationId?: string | undefined;
  },
  ReinstatePurchaseResult
> {}

@CommandHandler(ReinstatePurchase)
export class ReinstatePurchaseHandler implements ICommandHandler<ReinstatePurchase> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: ReinstatePurchase): Promise<ReinstatePurchaseResult> {
    const { userId, sessionId, causationId } = input;
    const origin = { actorId: SYSTEM_ACTOR, correlationId: sessionId, ...(causationId && { causationId }) };
    const { answer, events, addresses } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => reinstatePurchase(input, account, now),
      balancesAt,
    );
    return { recorded: events.length > 0, balances: answer, addresses };
  }
}
