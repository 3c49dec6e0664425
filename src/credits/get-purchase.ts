import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AccountStore } from './account-store.js';
import { remainingOf } from './account.js';
import { GetPurchase, type PurchaseStatus } from './queries.js';

/** Answers from the stream. */
@QueryHandler(GetPurchase)
export class GetPurchaseHandler implements IQueryHandler<GetPurchase> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ userId, sessionId }: GetPurchase): Promise<PurchaseStatus | null> {
    const { state } = await this.accounts.load(userId);
    const purchase = state.purchases.get(sessionId);
    if (!purchase) return null;
    const { credits, amountCents, reversedCredits, reversedCents } = purchase;
    const standing = [...state.reversals].filter(([, { lotId, reinstated }]) => lotId === sessionId && !reinstated);
    return {
      sessionId,
      credits,
      amountCents,
      remaining: remainingOf(state, sessionId),
      reversedCredits,
      reversedCents,
      reversals: standing.map(([reversalId]) => reversalId),
    };
  }
}
