import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type UnspentPurchase } from '../../contract/closing.js';
import { type Balances, GetUnspentPurchases } from '../../credits/index.js';
import { QueryOf } from '../../platform/messages.js';
import { priceOf } from '../use-cases/refund-purchase.js';

export interface Refundable {
  readonly balances: Balances;
  readonly purchases: readonly UnspentPurchase[];
}

/** The balances of a user, and what a refund of each purchase with unspent credits would return. */
export class GetRefundable extends QueryOf<{ readonly userId: string }, Refundable> {}

@QueryHandler(GetRefundable)
export class GetRefundableHandler implements IQueryHandler<GetRefundable> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ input }: GetRefundable): Promise<Refundable> {
    const { balances, purchases } = await this.queries.execute(new GetUnspentPurchases(input));
    return {
      balances,
      purchases: purchases.map((purchase) => ({
        session_id: purchase.sessionId,
        bundle_id: purchase.bundleId,
        credits: purchase.remaining,
        refund_cents: priceOf(purchase.remaining, purchase),
      })),
    };
  }
}
