import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { isUuid } from '../../platform/ids.js';
import { STRIPE } from './stripe-client.js';

/** The relevant fields of a checkout session. No personal data. */
export interface ProcessorSession {
  readonly id: string;
  readonly url: string | null;
  /** `open`, `complete` or `expired`. */
  readonly status: string;
  /** `paid`, `unpaid` or `no_payment_required`. */
  readonly paymentStatus: string;
  readonly amountTotal: number | null;
  readonly currency: string | null;
  /** Our user id, if we made the session. */
  readonly clientReferenceId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentIntentId: string | null;
  /** State of the payment. Null in lists, as is the receipt. */
  readonly paymentState: string | null;
  readonly receiptUrl: string | null;
  readonly createdAt: Date;
}

/** A refund or dispute of a payment. */
export interface ProcessorReversal {
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  readonly amountCents: number;
  readonly currency: string;
  readonly state: string;
  readonly paymentIntentId: string | null;
  /** The admin's order that caused it, if any. */
  readonly adminRefundId: string | null;
  readonly createdAt: Date;
}

/** A change of our balance at the processor. No personal data. */
export interface ProcessorTransaction {
  readonly id: string;
  /** As the processor names it, such as `charge` or `adjustment`. */
  readonly type: string;
  /** Divides some types further: `dispute` and `dispute_reversal` are both of the type `adjustment`. */
  readonly category: string;
  /** Cents. Positive when the balance grows. `netCents` is `grossCents - feeCents`. */
  readonly grossCents: number;
  readonly feeCents: number;
  readonly netCents: number;
  /** The charge, refund, dispute or payout. */
  readonly sourceId: string | null;
  /** The payment of the source. */
  readonly paymentIntentId: string | null;
  /** The admin's order that caused the refund, if any. */
  readonly adminRefundId: string | null;
  /** Our checkout in the metadata of the charge. Null for charges of another shop, and for all other sources. */
  readonly checkoutId: string | null;
  readonly createdAt: Date;
  readonly availableOn: Date;
}

/** Some transactions, the oldest first. */
export interface ProcessorTransactions {
  readonly transactions: readonly ProcessorTransaction[];
  /** True when there are newer ones. */
  readonly more: boolean;
}

export interface NewSession {
  readonly checkoutId: string;
  readonly userId: string;
  readonly email: string | null;
  readonly bundleId: string;
  readonly bundleName: string;
  readonly credits: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly expiresAt: Date;
}

export interface Period {
  readonly from: Date;
  readonly to?: Date;
}

/** A failed call. It has no `cause`, because the SDK's message may contain personal data, and causes are logged. */
abstract class ProcessorError extends Error {
  constructor(
    message: string,
    /** Class and code of the SDK's error. Safe to store. */
    readonly summary: string,
  ) {
    super(message);
  }
}

/** The processor refused. Nothing was done, and a retry gives the same answer. */
export class ProcessorRefusedError extends ProcessorError {
  override readonly name: string = 'ProcessorRefusedError';
}

/** The processor has no such object. */
export class ProcessorNotFoundError extends ProcessorRefusedError {
  override readonly name = 'ProcessorNotFoundError';
}

/** No answer from the processor. The request may have been carried out. */
export class ProcessorUnavailableError extends ProcessorError {
  override readonly name: string = 'ProcessorUnavailableError';
}

/** Our key may not read this object. An operator can extend the key, or the object is another shop's. */
class ProcessorForbiddenError extends ProcessorUnavailableError {
  override readonly name = 'ProcessorForbiddenError';
}

/** Whether our key cannot read the object, because it does not exist for the key, or may not be read with it. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof ProcessorNotFoundError || error instanceof ProcessorForbiddenError;
}

const PAGE = 100;

/** The currency of our prices. Balances in other currencies are not read. */
const CURRENCY = 'usd';

/** Metadata keys that carry our ids. */
const CHECKOUT_ID = 'checkoutId';
const ADMIN_REFUND_ID = 'adminRefundId';

/** The card processor, reduced to the calls and fields that this context needs. */
@Injectable()
export class PaymentProcessor {
  constructor(@Inject(STRIPE) private readonly stripe: Stripe) {}

  /**
   * Creates the session of a checkout. Repeating it for the same checkout returns the same session. An e-mail address
   * that the processor rejects is left out, and the buyer enters one.
   * @throws ProcessorRefusedError, ProcessorUnavailableError
   */
  async createSession(order: NewSession): Promise<ProcessorSession> {
    const key = `checkout-${order.checkoutId}`;
    try {
      return await this.requestSession(order, key);
    } catch (error) {
      if (!(error instanceof ProcessorRefusedError && error.summary.includes('email_invalid'))) throw error;
      return this.requestSession({ ...order, email: null }, `${key}-without-email`);
    }
  }

  private async requestSession(order: NewSession, idempotencyKey: string): Promise<ProcessorSession> {
    const metadata = {
      [CHECKOUT_ID]: order.checkoutId,
      userId: order.userId,
      bundleId: order.bundleId,
      bundleCredits: String(order.credits),
    };
    const session = await call(() =>
      this.stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: order.userId,
          ...(order.email === null ? {} : { customer_email: order.email }),
          metadata,
          payment_intent_data: { metadata },
          success_url: order.successUrl,
          cancel_url: order.cancelUrl,
          expires_at: Math.floor(order.expiresAt.getTime() / 1000),
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: order.currency,
                unit_amount: order.amountCents,
                product_data: { name: `${order.bundleName}: ${order.credits} credits` },
              },
            },
          ],
        },
        { idempotencyKey },
      ),
    );
    return toSession(session);
  }

  /** @throws ProcessorNotFoundError, ProcessorUnavailableError */
  async session(id: string): Promise<ProcessorSession> {
    const expand = ['payment_intent.latest_charge'];
    return toSession(await call(() => this.stripe.checkout.sessions.retrieve(id, { expand })));
  }

  /** Ends an open session, so that it cannot be paid. @throws ProcessorRefusedError when it has ended */
  async expireSession(id: string): Promise<void> {
    await call(() => this.stripe.checkout.sessions.expire(id));
  }

  /** The customer record that a session belongs to. Null when it has none. @throws as `session` */
  async customerOf(sessionId: string): Promise<string | null> {
    return toId((await call(() => this.stripe.checkout.sessions.retrieve(sessionId))).customer);
  }

  /** Deletes a customer record, if it still exists. @throws ProcessorUnavailableError */
  async deleteCustomer(id: string): Promise<void> {
    try {
      await call(() => this.stripe.customers.del(id));
    } catch (error) {
      if (!(error instanceof ProcessorNotFoundError)) throw error;
    }
  }

  /** The checkout session of a payment. Null when it has none. @throws ProcessorUnavailableError */
  async sessionOfPayment(paymentIntentId: string): Promise<ProcessorSession | null> {
    const { data } = await call(() =>
      this.stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 }),
    );
    return data[0] ? toSession(data[0]) : null;
  }

  /** Our checkout in the metadata of a payment. Null for payments of another shop. @throws as `session` */
  async checkoutOfPayment(paymentIntentId: string): Promise<string | null> {
    return checkoutIdOf(await call(() => this.stripe.paymentIntents.retrieve(paymentIntentId)));
  }

  /** The payment of a charge, refund or dispute. Null when it has none. */
  async paymentOf(objectId: string): Promise<string | null> {
    const object = await call(async () => {
      if (objectId.startsWith('ch_') || objectId.startsWith('py_')) return this.stripe.charges.retrieve(objectId);
      if (objectId.startsWith('du_') || objectId.startsWith('dp_')) return this.stripe.disputes.retrieve(objectId);
      return this.stripe.refunds.retrieve(objectId);
    });
    return toId(object.payment_intent);
  }

  /** All refunds and disputes of a payment. @throws ProcessorUnavailableError */
  async reversalsOf(paymentIntentId: string): Promise<ProcessorReversal[]> {
    const payment = { payment_intent: paymentIntentId };
    const found: ProcessorReversal[] = [];
    for await (const reversal of this.refunds(payment)) found.push(reversal);
    for await (const reversal of this.disputes(payment)) found.push(reversal);
    return found;
  }

  /**
   * Sends money of a payment back. Repeating it returns the same refund while the processor keeps the idempotency key
   * (a day). Check `reversalsOf` before a later repeat.
   * @throws ProcessorRefusedError, ProcessorUnavailableError
   */
  async refund(refund: {
    readonly adminRefundId: string;
    readonly paymentIntentId: string;
    readonly amountCents: number;
  }): Promise<ProcessorReversal> {
    const created = await call(() =>
      this.stripe.refunds.create(
        {
          payment_intent: refund.paymentIntentId,
          amount: refund.amountCents,
          reason: 'requested_by_customer',
          metadata: { [ADMIN_REFUND_ID]: refund.adminRefundId },
        },
        { idempotencyKey: `refund-${refund.adminRefundId}` },
      ),
    );
    return toRefund(created);
  }

  /** Pages of sessions created in a period, the latest first. @throws ProcessorUnavailableError */
  async *sessions(period: Period): AsyncGenerator<ProcessorSession[]> {
    for await (const page of pages((after) =>
      this.stripe.checkout.sessions.list({ created: within(period), limit: PAGE, ...after }),
    )) {
      yield page.map(toSession);
    }
  }

  /** Refunds and disputes that began in a period, the latest first. @throws ProcessorUnavailableError */
  async *reversals(period: Period): AsyncGenerator<ProcessorReversal> {
    yield* this.refunds({ created: within(period) });
    yield* this.disputes({ created: within(period) });
  }

  /**
   * The changes of our balance that follow a transaction, the oldest first, in the order of the processor's list.
   * @param after id of a transaction; null: from the very first one. The processor lists the newest first, so this
   *   reads the whole list once, a page at a time.
   * @throws ProcessorNotFoundError when the processor does not know the transaction, ProcessorUnavailableError
   */
  async transactions(after: string | null): Promise<ProcessorTransactions> {
    if (after === null) return this.firstTransactions();
    const page = await this.listTransactions({ ending_before: after });
    return { transactions: page.data.map(toTransaction).reverse(), more: page.has_more };
  }

  private async firstTransactions(): Promise<ProcessorTransactions> {
    for (let cursor: { starting_after?: string } = {}, more = false; ; more = true) {
      const page = await this.listTransactions(cursor);
      const last = page.data.at(-1);
      if (!page.has_more || !last) return { transactions: page.data.map(toTransaction).reverse(), more };
      cursor = { starting_after: last.id };
    }
  }

  private listTransactions(
    place: Stripe.BalanceTransactionListParams,
  ): Promise<Stripe.ApiList<Stripe.BalanceTransaction>> {
    const params = { currency: CURRENCY, limit: PAGE, expand: ['data.source'], ...place };
    return call(() => this.stripe.balanceTransactions.list(params));
  }

  /** Our balance at the processor in cents, available or not. @throws ProcessorUnavailableError */
  async balanceCents(): Promise<number> {
    const { available, pending } = await call(() => this.stripe.balance.retrieve());
    return [...available, ...pending].reduce((sum, each) => sum + (each.currency === CURRENCY ? each.amount : 0), 0);
  }

  private async *refunds(filter: Stripe.RefundListParams): AsyncGenerator<ProcessorReversal> {
    for await (const page of pages((after) => this.stripe.refunds.list({ ...filter, limit: PAGE, ...after }))) {
      yield* page.map(toRefund);
    }
  }

  private async *disputes(filter: Stripe.DisputeListParams): AsyncGenerator<ProcessorReversal> {
    for await (const page of pages((after) => this.stripe.disputes.list({ ...filter, limit: PAGE, ...after }))) {
      yield* page.map(toDispute);
    }
  }
}

/**
 * Our checkout id in the metadata of a session, payment or charge. Null for what another shop made, also when its own
 * metadata has a field of this name: our ids are UUIDs.
 */
export function checkoutIdOf({
  metadata,
}: {
  readonly metadata: Readonly<Record<string, string>> | null;
}): string | null {
  const id = metadata?.[CHECKOUT_ID];
  return id !== undefined && isUuid(id) ? id : null;
}

/** Class and code of an error. Safe to store, unlike the message, which may contain personal data. */
export function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof ProcessorError) return cause.summary;
  if (!(cause instanceof Error)) return 'unknown';
  const code: unknown = 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `${cause.name} ${code}` : cause.name;
}

async function call<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw processorError(error);
  }
}

function processorError({ statusCode, type, code, requestId }: Stripe.errors.StripeError): ProcessorError {
  const summary = [type, code, statusCode].filter((part) => part !== undefined).join(' ');
  const status = statusCode ?? 0;
  const reference = requestId ? `${summary}, ${requestId}` : summary;
  if (status === 404 || code === 'resource_missing') {
    return new ProcessorNotFoundError(`The payment processor has no such object (${reference}).`, summary);
  }
  // 409: the same request is in progress. 401 and 403: our key is wrong, which an operator can fix.
  if (status >= 400 && status < 500 && ![401, 403, 409, 429].includes(status)) {
    return new ProcessorRefusedError(`The payment processor refused (${reference}).`, summary);
  }
  if (status === 403) {
    return new ProcessorForbiddenError(`Our key may not read this at the payment processor (${reference}).`, summary);
  }
  return new ProcessorUnavailableError(`The payment processor did not answer (${reference}).`, summary);
}

async function* pages<T extends { id: string }>(
  read: (after: { starting_after?: string }) => Promise<{ data: T[]; has_more: boolean }>,
): AsyncGenerator<T[]> {
  let after: { starting_after?: string } = {};
  for (;;) {
    const page = await call(() => read(after));
    if (page.data.length > 0) yield page.data;
    const last = page.data.at(-1);
    if (!page.has_more || !last) return;
    after = { starting_after: last.id };
  }
}

function within({ from, to }: Period): { gte: number; lt?: number } {
  const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);
  return { gte: seconds(from), ...(to ? { lt: Math.ceil(to.getTime() / 1000) } : {}) };
}

function toSession(session: Stripe.Checkout.Session): ProcessorSession {
  const payment = session.payment_intent;
  const expanded = typeof payment === 'object' ? payment : null;
  const charge = expanded?.latest_charge;
  return {
    id: session.id,
    url: session.url,
    status: session.status ?? 'open',
    paymentStatus: session.payment_status,
    amountTotal: session.amount_total,
    currency: session.currency,
    clientReferenceId: session.client_reference_id,
    metadata: session.metadata ?? {},
    paymentIntentId: toId(payment),
    paymentState: expanded?.status ?? null,
    receiptUrl: typeof charge === 'object' ? (charge?.receipt_url ?? null) : null,
    createdAt: toDate(session.created),
  };
}

function toRefund(refund: Stripe.Refund): ProcessorReversal {
  return {
    id: refund.id,
    kind: 'refund',
    amountCents: refund.amount,
    currency: refund.currency,
    state: refund.status ?? 'pending',
    paymentIntentId: toId(refund.payment_intent),
    adminRefundId: refund.metadata?.[ADMIN_REFUND_ID] ?? null,
    createdAt: toDate(refund.created),
  };
}

function toDispute(dispute: Stripe.Dispute): ProcessorReversal {
  return {
    id: dispute.id,
    kind: 'dispute',
    amountCents: dispute.amount,
    currency: dispute.currency,
    state: dispute.status,
    paymentIntentId: toId(dispute.payment_intent),
    adminRefundId: null,
    createdAt: toDate(dispute.created),
  };
}

function toTransaction(transaction: Stripe.BalanceTransaction): ProcessorTransaction {
  const { source } = transaction;
  const expanded = typeof source === 'object' ? source : null;
  const payment = expanded && 'payment_intent' in expanded ? toId(expanded.payment_intent) : null;
  return {
    id: transaction.id,
    type: transaction.type,
    category: transaction.reporting_category,
    grossCents: transaction.amount,
    feeCents: transaction.fee,
    netCents: transaction.net,
    sourceId: toId(source),
    paymentIntentId: payment,
    adminRefundId: expanded?.object === 'refund' ? (expanded.metadata?.[ADMIN_REFUND_ID] ?? null) : null,
    checkoutId: expanded?.object === 'charge' ? checkoutIdOf(expanded) : null,
    createdAt: toDate(transaction.created),
    availableOn: toDate(transaction.available_on),
  };
}

function toId(reference: string | { readonly id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

const toDate = (seconds: number): Date => new Date(seconds * 1000);
