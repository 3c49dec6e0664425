import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { STRIPE } from './stripe-client.js';

/** A checkout session at the processor, as far as it matters here. No personal data. */
export interface ProcessorSession {
  readonly id: string;
  readonly url: string | null;
  /** `open`, `complete` or `expired`. */
  readonly status: string;
  /** `paid`, `unpaid` or `no_payment_required`. */
  readonly paymentStatus: string;
  readonly amountTotal: number | null;
  readonly currency: string | null;
  /** Our user, if we made the session. */
  readonly clientReferenceId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentIntentId: string | null;
  /** The payment's own state, and the receipt; only when the session was read by itself. */
  readonly paymentState: string | null;
  readonly receiptUrl: string | null;
  readonly createdAt: Date;
}

/** Money of a payment that went back, or is being fought over. */
export interface ProcessorReversal {
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  readonly amountCents: number;
  readonly currency: string;
  readonly state: string;
  readonly paymentIntentId: string | null;
  /** The admin's refund that caused it, if one did. */
  readonly adminRefundId: string | null;
  readonly createdAt: Date;
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

/** The SDK's own error is not kept as a cause: its words may name a person, and whatever is a cause ends in the log. */
abstract class ProcessorError extends Error {
  constructor(
    message: string,
    /** Class and code of what the SDK said, fit to be stored. */
    readonly words: string,
  ) {
    super(message);
  }
}

/** The processor said no, and asking again will not change that: nothing was done. */
export class ProcessorRefusedError extends ProcessorError {
  override readonly name: string = 'ProcessorRefusedError';
}

/** The processor does not know the object. */
export class ProcessorNotFoundError extends ProcessorRefusedError {
  override readonly name = 'ProcessorNotFoundError';
}

/** The processor could not be asked, or its answer was lost: what was asked for may have been done. */
export class ProcessorUnavailableError extends ProcessorError {
  override readonly name = 'ProcessorUnavailableError';
}

const PAGE = 100;

/** The metadata under which our own ids travel. */
const CHECKOUT_ID = 'checkoutId';
const ADMIN_REFUND_ID = 'adminRefundId';

/** The card processor: what is asked of it, and its answers without what we do not need to know. */
@Injectable()
export class PaymentProcessor {
  constructor(@Inject(STRIPE) private readonly stripe: Stripe) {}

  /**
   * Makes the session of a checkout. Asked again with the same checkout it answers with the same session. An address that the
   * processor does not take for one is left out: the buyer is asked for another.
   * @throws ProcessorRefusedError, ProcessorUnavailableError
   */
  async createSession(order: NewSession): Promise<ProcessorSession> {
    const key = `checkout-${order.checkoutId}`;
    try {
      return await this.askForSession(order, key);
    } catch (error) {
      if (!(error instanceof ProcessorRefusedError && error.words.includes('email_invalid'))) throw error;
      return this.askForSession({ ...order, email: null }, `${key}-without-email`);
    }
  }

  private async askForSession(order: NewSession, idempotencyKey: string): Promise<ProcessorSession> {
    const metadata = {
      [CHECKOUT_ID]: order.checkoutId,
      userId: order.userId,
      bundleId: order.bundleId,
      bundleCredits: String(order.credits),
    };
    const session = await asking(() =>
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
    return sessionOf(session);
  }

  /** @throws ProcessorNotFoundError, ProcessorUnavailableError */
  async session(id: string): Promise<ProcessorSession> {
    const expand = ['payment_intent.latest_charge'];
    return sessionOf(await asking(() => this.stripe.checkout.sessions.retrieve(id, { expand })));
  }

  /** The session through which a payment came; null when there was none. @throws ProcessorUnavailableError */
  async sessionOfPayment(paymentIntentId: string): Promise<ProcessorSession | null> {
    const { data } = await asking(() =>
      this.stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 }),
    );
    return data[0] ? sessionOf(data[0]) : null;
  }

  /** The payment of a charge, refund or dispute whose event did not name it; null when it has none. */
  async paymentOf(objectId: string): Promise<string | null> {
    const object = await asking(async () => {
      if (objectId.startsWith('ch_') || objectId.startsWith('py_')) return this.stripe.charges.retrieve(objectId);
      if (objectId.startsWith('du_') || objectId.startsWith('dp_')) return this.stripe.disputes.retrieve(objectId);
      return this.stripe.refunds.retrieve(objectId);
    });
    return idOf(object.payment_intent);
  }

  /** Everything that went back of a payment. @throws ProcessorUnavailableError */
  async reversalsOf(paymentIntentId: string): Promise<ProcessorReversal[]> {
    const payment = { payment_intent: paymentIntentId };
    const found: ProcessorReversal[] = [];
    for await (const reversal of this.refunds(payment)) found.push(reversal);
    for await (const reversal of this.disputes(payment)) found.push(reversal);
    return found;
  }

  /**
   * Sends money of a payment back. Asked again with the same refund it answers with the same one, for as long as the
   * processor remembers the key (a day): look at `reversalsOf` before asking again.
   * @throws ProcessorRefusedError, ProcessorUnavailableError
   */
  async refund(refund: {
    readonly adminRefundId: string;
    readonly paymentIntentId: string;
    readonly amountCents: number;
  }): Promise<ProcessorReversal> {
    const created = await asking(() =>
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
    return refundOf(created);
  }

  /** Sessions made in a period, the latest first, a page at a time. @throws ProcessorUnavailableError */
  async *sessions(period: Period): AsyncGenerator<ProcessorSession[]> {
    for await (const page of pages((after) =>
      this.stripe.checkout.sessions.list({ created: within(period), limit: PAGE, ...after }),
    )) {
      yield page.map(sessionOf);
    }
  }

  /** Refunds and disputes that began in a period, the latest first. @throws ProcessorUnavailableError */
  async *reversals(period: Period): AsyncGenerator<ProcessorReversal> {
    yield* this.refunds({ created: within(period) });
    yield* this.disputes({ created: within(period) });
  }

  private async *refunds(filter: Stripe.RefundListParams): AsyncGenerator<ProcessorReversal> {
    for await (const page of pages((after) => this.stripe.refunds.list({ ...filter, limit: PAGE, ...after }))) {
      yield* page.map(refundOf);
    }
  }

  private async *disputes(filter: Stripe.DisputeListParams): AsyncGenerator<ProcessorReversal> {
    for await (const page of pages((after) => this.stripe.disputes.list({ ...filter, limit: PAGE, ...after }))) {
      yield* page.map(disputeOf);
    }
  }
}

/** Our own id in what the processor answers; null for sessions that we did not make. */
export function checkoutIdOf(session: Pick<ProcessorSession, 'metadata'>): string | null {
  return session.metadata[CHECKOUT_ID] ?? null;
}

/** Class and code of an error, fit to be stored: the message may hold personal data. */
export function wordsOfError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof ProcessorError) return cause.words;
  if (!(cause instanceof Error)) return 'unknown';
  const code: unknown = 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `${cause.name} ${code}` : cause.name;
}

async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw processorError(error);
  }
}

function processorError({ statusCode, type, code, requestId }: Stripe.errors.StripeError): ProcessorError {
  const words = [type, code, statusCode].filter((part) => part !== undefined).join(' ');
  const status = statusCode ?? 0;
  const what = requestId ? `${words}, ${requestId}` : words;
  if (status === 404 || code === 'resource_missing') {
    return new ProcessorNotFoundError(`The payment processor does not know it (${what}).`, words);
  }
  // 409: the same request is under way; 401 and 403: our key is wrong, which somebody can mend.
  if (status >= 400 && status < 500 && ![401, 403, 409, 429].includes(status)) {
    return new ProcessorRefusedError(`The payment processor refused (${what}).`, words);
  }
  return new ProcessorUnavailableError(`The payment processor did not answer (${what}).`, words);
}

async function* pages<T extends { id: string }>(
  read: (after: { starting_after?: string }) => Promise<{ data: T[]; has_more: boolean }>,
): AsyncGenerator<T[]> {
  let after: { starting_after?: string } = {};
  for (;;) {
    const page = await asking(() => read(after));
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

function sessionOf(session: Stripe.Checkout.Session): ProcessorSession {
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
    paymentIntentId: idOf(payment),
    paymentState: expanded?.status ?? null,
    receiptUrl: typeof charge === 'object' ? (charge?.receipt_url ?? null) : null,
    createdAt: instantOf(session.created),
  };
}

function refundOf(refund: Stripe.Refund): ProcessorReversal {
  return {
    id: refund.id,
    kind: 'refund',
    amountCents: refund.amount,
    currency: refund.currency,
    state: refund.status ?? 'pending',
    paymentIntentId: idOf(refund.payment_intent),
    adminRefundId: refund.metadata?.[ADMIN_REFUND_ID] ?? null,
    createdAt: instantOf(refund.created),
  };
}

function disputeOf(dispute: Stripe.Dispute): ProcessorReversal {
  return {
    id: dispute.id,
    kind: 'dispute',
    amountCents: dispute.amount,
    currency: dispute.currency,
    state: dispute.status,
    paymentIntentId: idOf(dispute.payment_intent),
    adminRefundId: null,
    createdAt: instantOf(dispute.created),
  };
}

function idOf(reference: string | { readonly id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

const instantOf = (seconds: number): Date => new Date(seconds * 1000);
