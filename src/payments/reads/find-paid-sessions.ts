import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type PaymentTables } from '../tables.js';

/** The sessions of these payments, by the payment. They are the ids of the purchases. Unknown ones are missing. */
export class FindPaidSessions extends QueryOf<readonly string[], ReadonlyMap<string, string>> {}

@QueryHandler(FindPaidSessions)
export class FindPaidSessionsHandler extends ReadHandler<PaymentTables, FindPaidSessions> {
  async execute({ input: paymentIntentIds }: FindPaidSessions): Promise<ReadonlyMap<string, string>> {
    if (paymentIntentIds.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('checkout')
      .select(['payment_intent_id', 'session_id'])
      .where('payment_intent_id', 'in', paymentIntentIds)
      .execute();
    return new Map(
      rows.flatMap(({ payment_intent_id: payment, session_id: session }) =>
        payment === null || session === null ? [] : [[payment, session]],
      ),
    );
  }
}
