import { Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type PaymentProblem } from '../../contract/payments.js';
import { ReadHandler } from '../../platform/messages.js';
import { type PaymentTables } from '../tables.js';

/** Maximum number of problems shown to admins. A longer list usually has a single cause. */
const MAX_SHOWN = 200;

/** Failed attempts after which admins see the entry. Transient failures are expected. */
export const ATTEMPTS_BEFORE_ALERT = 3;

/** Lists open problems, and the events and refunds that fail repeatedly, oldest first. */
export class ListPaymentProblems extends Query<PaymentProblem[]> {}

@QueryHandler(ListPaymentProblems)
export class ListPaymentProblemsHandler extends ReadHandler<PaymentTables, ListPaymentProblems> {
  async execute(): Promise<PaymentProblem[]> {
    const problems = await this.db
      .selectFrom('payment_problem')
      .select(['subject', sql<string>`kind`.as('kind'), 'what'])
      .select(['first_seen_at', 'last_seen_at', sql<number>`0`.as('attempts')])
      .where('resolved_at', 'is', null)
      .unionAll(
        this.db
          .selectFrom('payment_event')
          .select(['id as subject', sql<string>`'event_failing'`.as('kind')])
          .select(sql<string>`type || ' of ' || object_id || ': ' || coalesce(last_error, 'interrupted')`.as('what'))
          .select(['received_at as first_seen_at', 'not_before as last_seen_at', 'attempts'])
          .where('handled_at', 'is', null)
          .where('unreadable', '=', false)
          .where('attempts', '>=', ATTEMPTS_BEFORE_ALERT),
      )
      .unionAll(
        this.db
          .selectFrom('admin_refund')
          .select([sql<string>`id::text`.as('subject'), sql<string>`'refund_failing'`.as('kind')])
          .select(sql<string>`status || ', ' || session_id || ': ' || coalesce(last_error, 'interrupted')`.as('what'))
          .select(['created_at as first_seen_at', 'not_before as last_seen_at', 'attempts'])
          .where('status', 'in', ['reserving', 'reserved', 'releasing'])
          .where('attempts', '>=', ATTEMPTS_BEFORE_ALERT),
      )
      .orderBy('first_seen_at')
      .limit(MAX_SHOWN)
      .execute();
    return problems.map(({ first_seen_at: first, last_seen_at: last, ...problem }) => ({
      ...problem,
      first_seen_at: first.toISOString(),
      last_seen_at: last.toISOString(),
    }));
  }
}
