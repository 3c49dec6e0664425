import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '../../platform/messages.js';
import { balancesAt, remainingOf, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { purchaseStatus, type PurchaseStatus } from './get-purchase.js';

export interface UnspentPurchases {
  readonly balances: Balances;
  /** The purchases with unspent credits, the oldest first. */
  readonly purchases: readonly (PurchaseStatus & { readonly bundleId: string })[];
}

/** The balances of an account and the purchases with unspent credits, read from the stream. */
export class GetUnspentPurchases extends QueryOf<{ readonly userId: string }, UnspentPurchases> {}

@QueryHandler(GetUnspentPurchases)
export class GetUnspentPurchasesHandler implements IQueryHandler<GetUnspentPurchases> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input: { userId } }: GetUnspentPurchases): Promise<UnspentPurchases> {
    return this.accounts.read(userId, (account, at) => ({
      balances: balancesAt(account, at),
      purchases: [...account.purchases].flatMap(([sessionId, { bundleId }]) => {
        const status = remainingOf(account, sessionId) > 0 ? purchaseStatus(account, sessionId) : null;
        return status ? [{ ...status, bundleId }] : [];
      }),
    }));
  }
}
