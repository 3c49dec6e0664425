import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { FaultPoints } from '../platform/fault-points.js';
import { checkoutIdOf, type ProcessorSession } from './providers/payment-processor.js';
import { type PaymentStep } from './payment-steps.js';
import { type CheckoutRow, type CheckoutStatus, type PaymentTables } from './tables.js';

export interface NewCheckout {
  readonly id: string;
  readonly userId: string;
  readonly bundle: {
    readonly id: string;
    readonly name: string;
    readonly credits: number;
    readonly priceCents: number;
  };
  readonly returnOrigin: string;
  readonly expiresAt: Date;
}

/** The currency of all prices. */
const CURRENCY = 'usd';

/** Reads and writes checkouts: the offer and its outcome. */
@Injectable()
export class CheckoutRows {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly clock: Clock,
    private readonly faults: FaultPoints,
  ) {}

  /** Runs a step between two fault points, at which crash tests stop the process. */
  async step<T>(step: PaymentStep, work: () => Promise<T>): Promise<T> {
    this.faults.reach(`payments.${step}.before`);
    const result = await work();
    this.faults.reach(`payments.${step}.after`);
    return result;
  }

  /** Stores an offer, or finds the open one for the same bundle and price. */
  async insertOrFind({ id, userId, bundle, returnOrigin, expiresAt }: NewCheckout): Promise<CheckoutRow> {
    const now = this.clock.now();
    const offer = {
      user_id: userId,
      bundle_id: bundle.id,
      credits: bundle.credits,
      amount_cents: bundle.priceCents,
      return_origin: returnOrigin,
    };
    for (;;) {
      const inserted = await this.db
        .insertInto('checkout')
        .values({
          ...offer,
          id,
          bundle_name: bundle.name,
          currency: CURRENCY,
          status: 'creating',
          expires_at: expiresAt,
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'bundle_id', 'credits', 'amount_cents', 'return_origin'])
            .where(sql<boolean>`status in ('creating', 'open')`)
            .doNothing(),
        )
        .returningAll()
        .executeTakeFirst();
      if (inserted) return inserted;
      const open = await this.db
        .selectFrom('checkout')
        .selectAll()
        .where((where) => where.and(offer))
        .where('status', 'in', ['creating', 'open'])
        .executeTakeFirst();
      // The open offer ended between the two statements: insert again.
      if (open) return open;
    }
  }

  /** Stores the processor's session unless one is stored. Returns the row as stored. */
  async storeSession(id: string, session: ProcessorSession): Promise<CheckoutRow> {
    const stored = await this.db
      .updateTable('checkout')
      .set({
        session_id: session.id,
        url: session.url,
        status: sql<CheckoutStatus>`case when status = 'creating' then 'open' else status end`,
        updated_at: this.clock.now(),
      })
      .where('id', '=', id)
      .where('session_id', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (stored) return stored;
    return this.db.selectFrom('checkout').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  /** Stores the state of an unpaid session. A credited checkout keeps its state. */
  async storeUnpaid(id: string, status: 'open' | 'processing' | 'failed' | 'expired'): Promise<void> {
    // An outdated read must not reopen a row: it would block a newer offer. A state never changes back.
    const from: CheckoutStatus[] =
      status === 'open' ? ['creating'] : ['creating', 'open', 'processing', 'failed', 'expired'];
    await this.db
      .updateTable('checkout')
      .set({ status, updated_at: this.clock.now(), ...(status === 'open' ? {} : { url: null }) })
      .where('id', '=', id)
      .where('status', 'in', from)
      .where('status', '<>', status)
      .execute();
  }

  /** Marks a checkout as credited. Call it when the ledger contains the purchase. */
  async storeCredited(id: string, session: ProcessorSession): Promise<CheckoutRow> {
    const now = this.clock.now();
    return this.db
      .updateTable('checkout')
      .set({
        status: 'credited',
        url: null,
        payment_intent_id: session.paymentIntentId,
        // The page of a receipt shows the buyer's address.
        receipt_url: sql<string | null>`case
          when exists (select from payment_closed_buyer closed where closed.user_id = checkout.user_id) then null
          else coalesce(${session.receiptUrl}, receipt_url) end`,
        credited_at: sql<Date>`coalesce(credited_at, ${now}::timestamptz)`,
        updated_at: now,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /**
   * Finds the checkout of a session by the session id. If the session was never stored, finds the checkout by the id in
   * the metadata of the session, and stores the session.
   */
  async findBySession(session: ProcessorSession): Promise<CheckoutRow | null> {
    const known = await this.findBySessionId(session.id);
    if (known) return known;
    const id = checkoutIdOf(session);
    if (id === null) return null;
    const row = await this.db
      .selectFrom('checkout')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', session.clientReferenceId ?? '')
      .where('session_id', 'is', null)
      .executeTakeFirst();
    return row ? this.step('store-session', () => this.storeSession(row.id, session)) : null;
  }

  /** The checkout that an event of the processor is about, as far as our tables say so. */
  async findByEvent(event: {
    readonly object_id: string;
    readonly payment_intent_id: string | null;
  }): Promise<CheckoutRow | null> {
    const { object_id: objectId, payment_intent_id: payment } = event;
    return (await this.findBySessionId(objectId)) ?? (payment === null ? null : this.findByPayment(payment));
  }

  async findBySessionId(sessionId: string): Promise<CheckoutRow | null> {
    return (
      (await this.db.selectFrom('checkout').selectAll().where('session_id', '=', sessionId).executeTakeFirst()) ?? null
    );
  }

  async findByPayment(paymentIntentId: string): Promise<CheckoutRow | null> {
    return (
      (await this.db
        .selectFrom('checkout')
        .selectAll()
        .where('payment_intent_id', '=', paymentIntentId)
        .executeTakeFirst()) ?? null
    );
  }
}
