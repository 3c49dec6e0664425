import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { remainingOf, type AccountState } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';

/** A purchase as of its account's stream. Credits, unless noted. */
export interface PurchaseStatus {
  readonly sessionId: string;
  readonly credits: number;
  /** US cents paid. */
  readonly amountCents: number;
  /** Unspent credits in its lot. */
  readonly remaining: number;
  /** Taken back by standing reversals, spent or not. */
  readonly reversedCredits: number;
  /** US cents returned by standing reversals. */
  readonly reversedCents: number;
  /** Ids of standing reversals (not reinstated). */
  readonly reversals: readonly string[];
}

/** One purchase of a user, read from the stream; null when unknown. */
export class GetPurchase extends Query<PurchaseStatus | null> {
  constructor(readonly input: { readonly userId: string; readonly sessionId: string }) {
    super();
  }
}

@QueryHandler(GetPurchase)
export class GetPurchaseHandler implements IQueryHandler<GetPurchase> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input: { userId, sessionId } }: GetPurchase): Promise<PurchaseStatus | null> {
    return this.accounts.read(userId, (account) => purchaseStatus(account, sessionId));
  }
}

/** A purchase in the state of an account; null when unknown. */
export function purchaseStatus(state: AccountState, sessionId: string): PurchaseStatus | null {
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
