import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { AccountStore } from '../ledger/account-store.js';
import { balancesAt } from '../account/state.js';
import {
  PurchaseCredits,
  ReinstatePurchase,
  ReversePurchase,
  type PurchaseCreditsResult,
  type ReversePurchaseResult,
} from './commands.js';
import { purchaseCredits, reinstatePurchase, reversePurchase } from '../account/decide-purchases.js';

/** Actor of what the payment processor reports. */
const SYSTEM = 'system';

@CommandHandler(PurchaseCredits)
export class PurchaseCreditsHandler implements ICommandHandler<PurchaseCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: PurchaseCredits): Promise<PurchaseCreditsResult> {
    const { userId, sessionId } = command;
    const origin = { actorId: userId, correlationId: sessionId };
    const { answer, events, position } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => purchaseCredits(command, account, now),
      (account, at) => ({
        debtRepaid: account.purchases.get(sessionId)?.debtRepaid ?? 0,
        balances: balancesAt(account, at),
      }),
    );
    return { recorded: events.length > 0, ...answer, position };
  }
}

@CommandHandler(ReversePurchase)
class ReversePurchaseHandler implements ICommandHandler<ReversePurchase> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: ReversePurchase): Promise<ReversePurchaseResult> {
    const { userId, sessionId, reversalId } = command;
    const origin = { actorId: SYSTEM, correlationId: sessionId };
    const { answer, events, position } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => reversePurchase(command, account, now),
      (account, at) => {
        const { revoked, debt } = account.reversals.get(reversalId) ?? { revoked: 0, debt: 0 };
        return { revoked, debt, balances: balancesAt(account, at) };
      },
    );
    return { recorded: events.length > 0, ...answer, position };
  }
}

@CommandHandler(ReinstatePurchase)
class ReinstatePurchaseHandler implements ICommandHandler<ReinstatePurchase> {
  constructor(private readonly accounts: AccountStore) {}

  async execute(command: ReinstatePurchase): Promise<CommandResult<ReinstatePurchase>> {
    const { userId, sessionId } = command;
    const origin = { actorId: SYSTEM, correlationId: sessionId };
    const { answer, events, position } = await this.accounts.execute(
      userId,
      origin,
      (account, now) => reinstatePurchase(command, account, now),
      balancesAt,
    );
    return { recorded: events.length > 0, balances: answer, position };
  }
}

export const PURCHASE_HANDLERS = [PurchaseCreditsHandler, ReversePurchaseHandler, ReinstatePurchaseHandler];
