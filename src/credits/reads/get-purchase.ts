import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AccountStore } from '../ledger/account-store.js';
import { remainingOf, type AccountState } from '../account/state.js';
import type { CreditEvent } from '../account/events.js';
import { GetPurchase, type PurchaseStatus } from './queries.js';

/** Answers from the account as its stream is now; a snapshot tells all of it, since purchases are kept for good. */
@QueryHandler(GetPurchase)
export class GetPurchaseHandler implements IQueryHandler<GetPurchase> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ userId, sessionId }: GetPurchase): Promise<PurchaseStatus | null> {
    const { answer } = await this.accounts.execute(userId, { actorId: userId }, decideNothing, (state) =>
      statusOf(state, sessionId),
    );
    return answer;
  }
}

/** A question in the place of a command: nothing is written, and what is answered is as true as a refusal would be. */
const decideNothing = (): CreditEvent[] => [];

function statusOf(state: AccountState, sessionId: string): PurchaseStatus | null {
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
