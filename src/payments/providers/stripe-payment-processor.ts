import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import {
  CHECKOUT_ID,
  checkoutIdOf,
  type NewSession,
  PaymentProcessor,
  type Period,
  type ProcessorError,
  ProcessorForbiddenError,
  ProcessorNotFoundError,
  ProcessorRefusedError,
  type ProcessorReversal,
  type ProcessorSession,
  type ProcessorTransaction,
  type ProcessorTransactions,
  ProcessorUnavailableError,
} from './payment-processor.js';
import { STRIPE } from './stripe-client.js';

const OBJECTS_PER_PAGE = 100;

/** The currency of our prices. Balances in other currencies are not read. */
const CURRENCY = 'usd';

/** Metadata key that carries the id of an admin's order. */
const ADMIN_REFUND_ID = 'adminRefundId';

/** Stripe through its own SDK. The sandbox has the same API. */
@Injectable()
export class StripePaymentProcessor extends PaymentProcessor {
  constructor(@Inject(STRIPE) private readonly stripe: Stripe) {
    super();
  }

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

  async session(id: string): Promise<ProcessorSession> {
    const expand = ['payment_intent.latest_charge'];
    return toSession(await call(() => this.stripe.checkout.sessions.retrieve(id, { expand })));
  }

  async expireSession(id: string): Promise<void> {
    await call(() => this.stripe.checkout.sessions.expire(id));
  }

  async customerOf(sessionId: string): Promise<string | null> {
    return toId((await call(() => this.stripe.checkout.sessions.retrieve(sessionId))).customer);
  }

  async deleteCustomer(id: string): Promise<void> {
    try {
      await call(() => this.stripe.customers.del(id));
    } catch (error) {
      if (!(error instanceof ProcessorNotFoundError)) throw error;
    }
  }

  async sessionOfPayment(paymentIntentId: string): Promise<ProcessorSession | null> {
    const { data } = await call(() =>
      this.stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 }),
    );
    return data[0] ? toSession(data[0]) : null;
  }

  async checkoutOfPayment(paymentIntentId: string): Promise<string | null> {
    return checkoutIdOf(await call(() => this.stripe.paymentIntents.retrieve(paymentIntentId)));
  }

  async paymentOf(objectId: string): Promise<string | null> {
    const object = await call(async () => {
      if (objectId.startsWith('ch_') || objectId.startsWith('py_')) return this.stripe.charges.retrieve(objectId);
      if (objectId.startsWith('du_') || objectId.startsWith('dp_')) return this.stripe.disputes.retrieve(objectId);
      return this.stripe.refunds.retrieve(objectId);
    });
    return toId(object.payment_intent);
  }

  async reversalsOf(paymentIntentId: string): Promise<ProcessorReversal[]> {
    const payment = { payment_intent: paymentIntentId };
    const found: ProcessorReversal[] = [];
    for await (const reversal of this.refunds(payment)) found.push(reversal);
    for await (const reversal of this.disputes(payment)) found.push(reversal);
    return found;
  }

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

  async *sessions(period: Period): AsyncGenerator<ProcessorSession[]> {
    for await (const page of pages((after) =>
      this.stripe.checkout.sessions.list({ created: within(period), limit: OBJECTS_PER_PAGE, ...after }),
    )) {
      yield page.map(toSession);
    }
  }

  async *reversals(period: Period): AsyncGenerator<ProcessorReversal> {
    yield* this.refunds({ created: within(period) });
    yield* this.disputes({ created: within(period) });
  }

  async transactions(after: string | null): Promise<ProcessorTransactions> {
    if (after === null) return this.firstTransactions();
    const page = await this.listTransactions({ ending_before: after });
    return { transactions: page.data.map(toTransaction).reverse(), more: page.has_more };
  }

  private async firstTransactions(): Promise<ProcessorTransactions> {
    let cursor: { starting_after?: string } = {};
    for (let more = false; ; more = true) {
      const page = await this.listTransactions(cursor);
      const last = page.data.at(-1);
      if (!page.has_more || !last) return { transactions: page.data.map(toTransaction).reverse(), more };
      cursor = { starting_after: last.id };
    }
  }

  private listTransactions(
    range: Stripe.BalanceTransactionListParams,
  ): Promise<Stripe.ApiList<Stripe.BalanceTransaction>> {
    const params = { currency: CURRENCY, limit: OBJECTS_PER_PAGE, expand: ['data.source'], ...range };
    return call(() => this.stripe.balanceTransactions.list(params));
  }

  async balanceCents(): Promise<number> {
    const { available, pending } = await call(() => this.stripe.balance.retrieve());
    return [...available, ...pending].reduce((sum, each) => sum + (each.currency === CURRENCY ? each.amount : 0), 0);
  }

  private async *refunds(filter: Stripe.RefundListParams): AsyncGenerator<ProcessorReversal> {
    for await (const page of pages((after) =>
      this.stripe.refunds.list({ ...filter, limit: OBJECTS_PER_PAGE, ...after }),
    )) {
      yield* page.map(toRefund);
    }
  }

  private async *disputes(filter: Stripe.DisputeListParams): AsyncGenerator<ProcessorReversal> {
    for await (const page of pages((after) =>
      this.stripe.disputes.list({ ...filter, limit: OBJECTS_PER_PAGE, ...after }),
    )) {
      yield* page.map(toDispute);
    }
  }
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
