import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { purchaseCredits, type PaidSession } from '../account/decide-purchases.js';
import { balancesAt, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';

export interface PurchaseCreditsResult {
  /** False when an earlier call had recorded this session. */
  readonly recorded: boolean;
  /** Credits of the purchase that paid debt instead of staying in the balance. */
  readonly debtRepaid: number;
  readonly balances: Balances;
  /** Position in the event store of the last event written; null when nothing was written. */
  readonly position: string | null;
}

/**
 * Grants the credits of a paid checkout session, once. Debt of the account is paid first.
 * @throws PurchaseRefusedError when the session was recorded with other content
 */
export class PurchaseCredits extends CommandOf<PaidSession & { readonly userId: string }, PurchaseCreditsResult> {}

@CommandHandler(PurchaseCredits)
export class PurchaseCreditsHandler implements ICommandHandler<PurchaseCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: PurchaseCredits): Promise<PurchaseCreditsResult> {
    const { userId, sessionId } = input;
    const origin = { actorId: userId, correlationId: sessionId };
    const { answer, events, position } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => purchaseCredits(input, account, now),
      (account, at) => ({
        debtRepaid: account.purchases.get(sessionId)?.debtRepaid ?? 0,
        balances: balancesAt(account, at),
      }),
    );
    return { recorded: events.length > 0, ...answer, position };
  }
}
