import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type PaymentTables } from '../tables.js';

/** The sessions of these payments, by the payment. They are the ids of the purchases. Unknown ones are missing. */
export class FindPaidSessions extends Query<ReadonlyMap<string, string>> {
  constructor(readonly paymentIntentIds: readonly string[]) {
    super();
  }
}

@QueryHandler(FindPaidSessions)
export class FindPaidSessionsHandler implements IQueryHandler<FindPaidSessions> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<PaymentTables>) {}

  async execute({ paymentIntentIds }: FindPaidSessions): Promise<ReadonlyMap<string, string>> {
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
