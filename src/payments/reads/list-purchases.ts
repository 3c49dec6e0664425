import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { type PaymentTables } from '../tables.js';
import { type Purchase } from '../../contract/payments.js';

/** A page of a user's receipts, the latest first: each purchase and how much of it was refunded or disputed. */
export class ListPurchases extends QueryOf<PageAt & { readonly userId: string }, Purchase[]> {}

@QueryHandler(ListPurchases)
export class ListPurchasesHandler extends ReadHandler<PaymentTables, ListPurchases> {
  async execute({ input: { userId, limit, offset } }: ListPurchases): Promise<Purchase[]> {
    const rows = await this.db
      .selectFrom('checkout')
      .leftJoinLateral(
        (query) =>
          query
            .selectFrom('payment_reversal')
            .select(sql<number>`coalesce(sum(amount_cents), 0)::int`.as('refunded'))
            .select(sql<boolean>`coalesce(bool_or(kind = 'dispute'), false)`.as('disputed'))
            .whereRef('payment_reversal.session_id', '=', 'checkout.session_id')
            .where('stands', '=', true)
            .as('gone'),
        (join) => join.onTrue(),
      )
      .select(['session_id', 'credited_at', 'bundle_id', 'bundle_name', 'credits', 'amount_cents', 'currency'])
      .select(['receipt_url', 'gone.refunded', 'gone.disputed'])
      .where('user_id', '=', userId)
      .where('credited_at', 'is not', null)
      .orderBy('credited_at', 'desc')
      .orderBy('checkout.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map((row) => {
      const { session_id: id, credited_at: at, refunded, disputed, ...rest } = row;
      // A dispute after a refund can exceed the amount that was paid.
      const refunded_cents = Math.min(refunded ?? 0, row.amount_cents);
      return {
        ...rest,
        id: id ?? '',
        purchased_at: at?.toISOString() ?? '',
        refunded_cents,
        status: statusOf(disputed ?? false, refunded_cents, row.amount_cents),
      };
    });
  }
}

function statusOf(disputed: boolean, refunded: number, amount: number): Purchase['status'] {
  if (disputed) return 'disputed';
  if (refunded === 0) return 'paid';
  return refunded < amount ? 'partially_refunded' : 'refunded';
}
