import { Query, QueryHandler } from '@nestjs/cqrs';
import { type CreditBundle } from '../../contract/payments.js';
import { ReadHandler } from '../../platform/messages.js';
import { type PaymentTables } from '../tables.js';

/** The bundles on sale, the cheapest first. */
export class ListBundles extends Query<CreditBundle[]> {}

@QueryHandler(ListBundles)
export class ListBundlesHandler extends ReadHandler<PaymentTables, ListBundles> {
  async execute(): Promise<CreditBundle[]> {
    const rows = await this.db
      .selectFrom('credit_bundle')
      .select(['id', 'name', 'credits', 'price_cents', 'description', 'popular'])
      .where('on_sale', '=', true)
      .where('policy_version', 'is not', null)
      .orderBy('price_cents')
      .orderBy('id')
      .execute();
    return rows.map(({ price_cents: cents, ...bundle }) => ({ ...bundle, price: cents / 100 }));
  }
}
