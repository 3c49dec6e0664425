import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { PaymentOwners } from '../payment-owners.js';

/** The payments among these that another shop took with the same account at the processor. */
export class FindOtherShops extends Query<ReadonlySet<string>> {
  constructor(readonly paymentIntentIds: readonly string[]) {
    super();
  }
}

@QueryHandler(FindOtherShops)
export class FindOtherShopsHandler implements IQueryHandler<FindOtherShops> {
  constructor(private readonly owners: PaymentOwners) {}

  /** @throws ProcessorUnavailableError */
  execute({ paymentIntentIds }: FindOtherShops): Promise<ReadonlySet<string>> {
    return this.owners.othersAmong(paymentIntentIds);
  }
}
