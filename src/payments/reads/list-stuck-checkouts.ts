import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type StuckCheckout } from '../../contract/admin-users.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { isStuck } from '../stuck-checkouts.js';
import { type CheckoutStatus, type PaymentTables } from '../tables.js';

const WHAT_TO_DO: Partial<Record<CheckoutStatus, string>> = {
  creating: 'The processor did not answer. The user can begin again: nothing was paid.',
  open: 'The session has ended at the processor. Look at it again: it is credited when it was paid, or closed.',
  processing: 'The payment was started and has not arrived. Look at it again, or at the payment at the processor.',
};

/** A page of checkouts that should have ended, the oldest first. */
export class ListStuckCheckouts extends QueryOf<PageAt, StuckCheckout[]> {}

@QueryHandler(ListStuckCheckouts)
export class ListStuckCheckoutsHandler extends ReadHandler<PaymentTables, ListStuckCheckouts> {
  async execute({ input: { limit, offset } }: ListStuckCheckouts): Promise<StuckCheckout[]> {
    const stuck = sql`select * from checkout where ${isStuck(this.clock.now())}`;
    const { rows } = await sql<StuckRow>`
      select stuck.id, stuck.session_id, stuck.user_id, stuck.status, stuck.credits, stuck.amount_cents, stuck.created_at,
        (select count(*)::int from (${stuck} limit ${COUNTED_TO}) as counted) as total_count
      from (${stuck}) as stuck order by stuck.created_at, stuck.id limit ${limit} offset ${offset}`.execute(this.db);
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      what_to_do: WHAT_TO_DO[row.status] ?? '',
    }));
  }
}

interface StuckRow extends Omit<StuckCheckout, 'status' | 'created_at' | 'what_to_do'> {
  readonly status: CheckoutStatus;
  readonly created_at: Date;
}
