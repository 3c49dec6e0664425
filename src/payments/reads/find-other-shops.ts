import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '../../platform/messages.js';
import { PaymentOwners } from '../payment-owners.js';

/** The payments among these that another shop took with the same account at the processor. */
export class FindOtherShops extends QueryOf<readonly string[], ReadonlySet<string>> {}

@QueryHandler(FindOtherShops)
export class FindOtherShopsHandler implements IQueryHandler<FindOtherShops> {
  constructor(private readonly owners: PaymentOwners) {}

  /** @throws ProcessorUnavailableError */
  execute({ input: paymentIntentIds }: FindOtherShops): Promise<ReadonlySet<string>> {
    return this.owners.othersAmong(paymentIntentIds);
  }
}
