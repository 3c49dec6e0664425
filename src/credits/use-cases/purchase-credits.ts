import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { purchaseCredits, type PaidSession } from '../account/decide-purchases.js';
import { AccountStore } from '../ledger/account-store.js';

/**
 * Grants the credits of a paid checkout session, once. Debt of the account is paid first.
 * @throws PurchaseRefusedError when the session was recorded with other content
 */
export class PurchaseCredits extends CommandOf<
  PaidSession & { readonly userId: string },
  {
    /** False when an earlier call had recorded this session. */
    readonly recorded: boolean;
  }
> {}

@CommandHandler(PurchaseCredits)
export class PurchaseCreditsHandler implements ICommandHandler<PurchaseCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: PurchaseCredits): Promise<CommandResult<PurchaseCredits>> {
    const origin = { actorId: input.userId, correlationId: input.sessionId };
    const { events } = await this.accounts.execute(input.userId, origin, (account, now) =>
      purchaseCredits(input, account, now),
    );
    return { recorded: events.length > 0 };
  }
}
