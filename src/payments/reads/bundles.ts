import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type PaymentTables } from '../tables.js';
import { type CreditBundle } from '../../contract/payments.js';

/** What is for sale, from the table that owns the prices. */
@Injectable()
export class Bundles {
  constructor(@Inject(DATABASE) private readonly db: Kysely<PaymentTables>) {}

  /** The cheapest first. */
  async onSale(): Promise<CreditBundle[]> {
    const rows = await this.db
      .selectFrom('credit_bundle')
      .select(['id', 'name', 'credits', 'price_cents', 'description', 'popular'])
      .where('on_sale', '=', true)
      .orderBy('price_cents')
      .orderBy('id')
      .execute();
    return rows.map(({ price_cents: cents, ...bundle }) => ({ ...bundle, price: cents / 100 }));
  }

  /** Null when there is none of that id for sale. */
  async find(id: string): Promise<{ id: string; name: string; credits: number; priceCents: number } | null> {
    const row = await this.db
      .selectFrom('credit_bundle')
      .select(['id', 'name', 'credits', 'price_cents as priceCents'])
      .where('id', '=', id)
      .where('on_sale', '=', true)
      .executeTakeFirst();
    return row ?? null;
  }
}
