import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { CheckoutRows } from './checkout-rows.js';
import { checkoutIdOf, isUnreadable, PaymentProcessor, type ProcessorSession } from './providers/payment-processor.js';
import { type PaymentTables } from './tables.js';

/** Payments that are looked up in our tables at once. */
const PAYMENTS_PER_READ = 500;

/**
 * Says which payments are ours, because another shop may use the same account at the processor. A payment is ours when
 * a session in our table says so, or our checkout id in its metadata. The answers of the processor are stored: they
 * never change, and no second question is asked about a payment of another shop.
 */
@Injectable()
export class PaymentOwners {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly checkouts: CheckoutRows,
    private readonly processor: PaymentProcessor,
    private readonly clock: Clock,
  ) {}

  /**
   * Our session of a payment. Null when the payment is another shop's, or has no session.
   * @throws ProcessorUnavailableError, ProcessorRefusedError
   */
  async sessionOf(paymentIntentId: string): Promise<string | null> {
    const known = await this.checkouts.findByPayment(paymentIntentId);
    if (known) return known.session_id;
    const [stored] = await this.stored([paymentIntentId]);
    if (stored?.is_ours === false) return null;
    const session = await this.processor.sessionOfPayment(paymentIntentId);
    if (session && (await this.isOurs(session))) return session.id;
    if (stored === undefined) await this.ask(paymentIntentId, session);
    return null;
  }

  /**
   * The payments among these that are another shop's. One that our key cannot read is: it can read all of our own.
   * @throws ProcessorUnavailableError; the answers before stay stored
   */
  async othersAmong(paymentIntentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const others = new Set<string>();
    for (let next = 0; next < paymentIntentIds.length; next += PAYMENTS_PER_READ) {
      const asked = paymentIntentIds.slice(next, next + PAYMENTS_PER_READ);
      const ours = await this.db
        .selectFrom('checkout')
        .select('payment_intent_id')
        .where('payment_intent_id', 'in', asked)
        .execute();
      const known = new Map(ours.map(({ payment_intent_id: id }) => [id, true]));
      for (const { payment_intent_id: id, is_ours: isOurs } of await this.stored(asked)) known.set(id, isOurs);
      for (const id of asked) if (!(known.get(id) ?? (await this.ask(id)))) others.add(id);
    }
    return others;
  }

  /** Asks the processor whether a payment is ours, and stores the answer. @param session of the payment, if known */
  private async ask(id: string, session?: ProcessorSession | null): Promise<boolean> {
    let isOurs = false;
    try {
      isOurs = (await this.processor.checkoutOfPayment(id)) !== null;
      const found = isOurs || session === null ? null : (session ?? (await this.processor.sessionOfPayment(id)));
      if (found) isOurs = await this.isOurs(found);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
    await this.db
      .insertInto('payment_owner')
      .values({ payment_intent_id: id, is_ours: isOurs, asked_at: this.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return isOurs;
  }

  private async isOurs(session: ProcessorSession): Promise<boolean> {
    return checkoutIdOf(session) !== null || (await this.checkouts.findBySessionId(session.id)) !== null;
  }

  private async stored(ids: readonly string[]): Promise<readonly { payment_intent_id: string; is_ours: boolean }[]> {
    return this.db
      .selectFrom('payment_owner')
      .select(['payment_intent_id', 'is_ours'])
      .where('payment_intent_id', 'in', ids)
      .execute();
  }
}
