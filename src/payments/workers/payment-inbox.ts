import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { HOUR_MS } from '../../contract/durations.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type DueCondition } from '../../platform/due-work.js';
import { doublingDelay } from '../../platform/retry-delay.js';
import { CheckoutRows } from '../checkout-rows.js';
import { type PaymentEventRow, type PaymentEventTable, type PaymentTables } from '../tables.js';

/** Lease of a worker on an event. The event of a worker that was killed or hangs is due again when the lease ends. */
const LEASE_MS = 25_000;

/** Pause before an event of a locked payment is tried again. */
const BUSY_MS = 1_000;

/** Milliseconds until an event or refund that failed before is tried again. */
export const retryDelay = doublingDelay(1_000, HOUR_MS);

export type NewPaymentEvent = Pick<
  PaymentEventTable,
  'id' | 'type' | 'occurred_at' | 'object_id' | 'payment_intent_id'
>;

/** Whether {@link PaymentInbox.claim} finds an event. */
export const eventIsDue: DueCondition = (now) =>
  sql<boolean>`exists (select from payment_event where handled_at is null and not_before <= ${now})`;

/** Webhook events from their delivery until they are handled. */
@Injectable()
export class PaymentInbox {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly checkouts: CheckoutRows,
    private readonly clock: Clock,
  ) {}

  /** Stores an event, in one statement. False when it was delivered before. */
  async store(event: NewPaymentEvent): Promise<boolean> {
    const now = this.clock.now();
    const { numInsertedOrUpdatedRows } = await this.checkouts.step('store-event', () =>
      this.db
        .insertInto('payment_event')
        .values({ ...event, received_at: now, not_before: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Leases due events, the oldest first. */
  async claim(limit: number): Promise<PaymentEventRow[]> {
    const now = this.clock.now();
    return this.checkouts.step('claim-event', () =>
      this.db
        .updateTable('payment_event')
        .set({ not_before: new Date(now.getTime() + LEASE_MS), attempts: sql<number>`attempts + 1` })
        .where('id', 'in', (query) =>
          query
            .selectFrom('payment_event')
            .select('id')
            .where('handled_at', 'is', null)
            .where('not_before', '<=', now)
            .orderBy('not_before')
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .execute(),
    );
  }

  /** Marks events as handled. */
  async handled(ids: readonly string[]): Promise<void> {
    await this.checkouts.step('store-handled', () =>
      this.db
        .updateTable('payment_event')
        .set({ handled_at: this.clock.now(), last_error: null })
        .where('id', 'in', [...ids])
        .where('handled_at', 'is', null)
        .execute(),
    );
  }

  /**
   * Schedules the next attempt after a growing pause.
   * @param reason without personal data
   * @param unreadable our key cannot read its object, which may be another shop's
   */
  async failed(event: Pick<PaymentEventRow, 'id' | 'attempts'>, reason: string, unreadable = false): Promise<void> {
    await this.db
      .updateTable('payment_event')
      .set({ not_before: this.in(retryDelay(event.attempts)), last_error: reason, unreadable })
      .where('id', '=', event.id)
      .where('handled_at', 'is', null)
      .execute();
  }

  /** Ends the attempts of an event without success. The reason stays in its row. */
  async abandon(event: Pick<PaymentEventRow, 'id'>, reason: string): Promise<void> {
    await this.db
      .updateTable('payment_event')
      .set({ handled_at: this.clock.now(), last_error: reason })
      .where('id', '=', event.id)
      .where('handled_at', 'is', null)
      .execute();
  }

  /** Schedules an event of a locked payment again. This does not count as an attempt. */
  async waitFor(event: Pick<PaymentEventRow, 'id' | 'attempts'>): Promise<void> {
    await this.db
      .updateTable('payment_event')
      .set({ not_before: this.in(BUSY_MS), attempts: Math.max(0, event.attempts - 1) })
      .where('id', '=', event.id)
      .where('handled_at', 'is', null)
      .execute();
  }

  /** Deletes handled events older than this. A later repeated delivery only causes another read. */
  async deleteHandledBefore(instant: Date): Promise<void> {
    await this.db
      .deleteFrom('payment_event')
      .where('received_at', '<', instant)
      .where('handled_at', 'is not', null)
      .execute();
  }

  private in(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}
