import type Stripe from 'stripe';
import { type BalanceLedger } from './balance.js';
import { type CardOutcome, type TestCard } from './cards.js';
import { newId } from './ids.js';
import { API_VERSION, customerDetails, newCharge, newDispute, newLineItem, newPaymentIntent } from './objects.js';
import { newRefund, newSession, type NewLineItem, type OrderedFields } from './objects.js';
import { invalid, noSuch, StripeProblem } from './problem.js';
import { type ChargeRow, idOf, type PaymentIntentRow, type RefundRow, type SessionRow } from './rows.js';
import { type Store } from './store.js';

/** Stripe's limits of a session's lifetime, in seconds; the lower one allows for clock skew. */
const SHORTEST_LIFE = 30 * 60 - 10;
const LONGEST_LIFE = 24 * 60 * 60;
const SMALLEST_AMOUNT = 50;
const LARGEST_AMOUNT = 99_999_999;

export interface SessionOrder extends OrderedFields {
  readonly expiresAt: number | null;
  readonly items: readonly Omit<NewLineItem, 'created'>[];
  readonly payment: SessionRow['payment'];
}

export interface RefundOrder {
  /** Cents; null refunds the rest. */
  readonly amount: number | null;
  readonly metadata: Record<string, string>;
  readonly reason: Stripe.Refund.Reason | null;
}

export interface Buyer {
  readonly email: string;
  readonly name: string | null;
}

/** The request that caused a change; both are null for scheduled changes. */
export interface Cause {
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

export interface ProcessorOptions {
  readonly store: Store;
  /** Books each movement of money. */
  readonly ledger: BalanceLedger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Delay in milliseconds before a pay-later payment ends, a pending refund ends, or a buyer disputes. */
  readonly settleAfterMs: () => number;
  /** The session as the API returns it. */
  readonly toApiSession: (row: SessionRow) => Stripe.Checkout.Session;
  /** Address of a charge's receipt. */
  readonly receiptUrl: (chargeId: string) => string;
  /** Called for every new event, within the transaction that created it. */
  readonly onEvent: (event: Stripe.Event) => void;
}

/**
 * The rules of a card processor: sessions, payments, refunds, disputes and their events. Every method is one
 * transaction. A refusal throws a `StripeProblem` and changes nothing.
 */
export class Processor {
  private cause: Cause = { requestId: null, idempotencyKey: null };

  constructor(private readonly options: ProcessorOptions) {}

  /** Runs `work` in one transaction; its events carry the given cause. */
  onBehalfOf<T>(cause: Cause, work: () => T): T {
    const before = this.cause;
    this.cause = cause;
    try {
      return this.store.transact(work);
    } finally {
      this.cause = before;
    }
  }

  createSession({ expiresAt, items, payment, ...ordered }: SessionOrder): SessionRow {
    const created = this.seconds();
    const lineItems = items.map((item) => newLineItem({ ...item, created }));
    const amount = lineItems.reduce((sum, item) => sum + item.amount_total, 0);
    const currency = lineItems[0]?.currency ?? '';
    if (lineItems.some((item) => item.currency !== currency)) {
      throw invalid('All line items must have the same currency.', { param: 'line_items' });
    }
    requireAmount(amount, currency);
    const end = expiresAt ?? created + LONGEST_LIFE;
    if (end < created + SHORTEST_LIFE || end > created + LONGEST_LIFE + 60) {
      const message =
        'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.';
      throw invalid(message, { param: 'expires_at' });
    }
    const object = newSession({ ...ordered, amount, created, currency, expires_at: end });
    const row: SessionRow = { id: object.id, object, lineItems, payment, pending: null };
    this.store.transact(() => this.store.put('session', row));
    return row;
  }

  expireSession(id: string): SessionRow {
    const row = this.session(id);
    if (row.object.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${row.object.status}\`.`,
      );
    }
    return this.store.transact(() => this.expire(row));
  }

  /**
   * The buyer pays. A decline leaves the session open for another card.
   * @returns the decline, or null when the card was accepted
   */
  pay(id: string, card: TestCard, buyer: Buyer): StripeProblem | null {
    const row = this.session(id);
    if (row.object.status !== 'open') {
      throw invalid(`This Checkout Session is ${row.object.status}: it can no longer be paid.`);
    }
    const { outcome } = card;
    return this.store.transact(() => {
      const payment = this.paymentOf(row);
      if (outcome.kind === 'declines') return this.decline(row, payment, card, outcome, buyer);
      const charge = this.charge(payment, card, buyer, outcome.kind === 'pays' ? 'succeeded' : 'pending');
      const details = customerDetails(buyer.email, buyer.name);
      const complete: SessionRow = {
        ...row,
        object: { ...row.object, status: 'complete', payment_intent: payment.id, customer_details: details },
      };
      if (outcome.kind === 'pays') this.succeed(complete, payment, charge, 'checkout.session.completed');
      else this.awaitSettlement(complete, payment, charge, outcome.kind === 'settles-later' ? 'succeeds' : 'fails');
      return null;
    });
  }

  /** Settles a pay-later payment now, even if its card would fail later. */
  settle(id: string): SessionRow {
    const { row, payment, charge } = this.requirePending(id);
    this.store.transact(() => this.succeed(row, payment, charge, 'checkout.session.async_payment_succeeded'));
    return this.session(id);
  }

  /** Fails a pay-later payment now, even if its card would settle later. */
  fail(id: string): SessionRow {
    const { row, payment, charge } = this.requirePending(id);
    this.store.transact(() => {
      const message = 'The payment did not go through.';
      const failure = { failure_code: 'payment_method_failed', failure_message: message };
      this.putCharge(charge, { status: 'failed', paid: false, ...failure }, 'charge.failed');
      const error = { type: 'card_error', message, charge: charge.id } as const;
      const change = { status: 'requires_payment_method', processing: null, last_payment_error: error } as const;
      this.putPayment(payment, change, 'payment_intent.payment_failed');
      this.putSession({ ...row, pending: null }, 'checkout.session.async_payment_failed');
    });
    return this.session(id);
  }

  refund(charge: ChargeRow, order: RefundOrder): RefundRow {
    const { object } = charge;
    if (object.status !== 'succeeded') {
      throw invalid(`Charge ${object.id} has not succeeded: there is nothing to refund.`, { param: 'charge' });
    }
    if (this.disputesOf(charge).some(({ status }) => status !== 'won')) {
      const message = `Charge ${object.id} has been charged back; cannot issue a refund.`;
      throw invalid(message, { code: 'charge_disputed' });
    }
    const unrefunded = object.amount - object.amount_refunded;
    if (unrefunded === 0) {
      const message = `Charge ${object.id} has already been refunded.`;
      throw invalid(message, { code: 'charge_already_refunded' });
    }
    const amount = order.amount ?? unrefunded;
    if (amount <= 0) {
      throw invalid('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' });
    }
    if (amount > unrefunded) {
      const asked = money(amount, object.currency);
      const message = `Refund amount (${asked}) is greater than unrefunded amount on charge (${money(unrefunded, object.currency)})`;
      throw invalid(message, { param: 'amount' });
    }
    return this.store.transact(() => this.makeRefund(charge, { ...order, amount }));
  }

  /** The buyer's bank takes the money back. @param amount cents; null disputes everything that is not refunded */
  dispute(charge: ChargeRow, amount: number | null, reason = 'fraudulent'): Stripe.Dispute {
    const { object } = charge;
    const unrefunded = object.amount - object.amount_refunded;
    if (object.status !== 'succeeded' || unrefunded === 0) throw invalid(`Charge ${object.id} cannot be disputed.`);
    if (object.disputed) throw invalid(`Charge ${object.id} has been disputed already.`);
    const disputed = amount ?? unrefunded;
    if (disputed <= 0 || disputed > unrefunded) throw invalid('The amount of a dispute is at most that of its charge.');
    return this.store.transact(() => {
      const dispute = newDispute({ amount: disputed, charge: object, created: this.seconds(), reason });
      const withdrawn = this.options.ledger.book('dispute', dispute);
      this.store.put('dispute', { id: dispute.id, object: { ...dispute, balance_transactions: [withdrawn] } });
      this.store.put('charge', { ...charge, object: { ...object, disputed: true }, disputeAt: null });
      this.emit('charge.dispute.created', dispute);
      this.emit('charge.dispute.funds_withdrawn', dispute);
      return dispute;
    });
  }

  /** The bank decides for the merchant (`won`) or for the buyer (`lost`). */
  closeDispute(id: string, status: 'won' | 'lost'): Stripe.Dispute {
    const dispute = this.openDispute(id);
    return this.store.transact(() => {
      const returned = status === 'won' ? [this.options.ledger.book('dispute_reversal', dispute)] : [];
      const object: Stripe.Dispute = {
        ...dispute,
        status,
        is_charge_refundable: status === 'won',
        balance_transactions: [...dispute.balance_transactions, ...returned],
      };
      this.store.put('dispute', { id, object });
      this.emit('charge.dispute.closed', object);
      if (status === 'won') this.emit('charge.dispute.funds_reinstated', object);
      return object;
    });
  }

  /** Applies every scheduled change that is due. Deliveries are excluded: `Webhooks` sends them. */
  advance(): void {
    const dueChanges = this.store.dueBy(this.options.now()).filter(({ kind }) => kind !== 'delivery');
    for (const { kind, id } of dueChanges) {
      this.onBehalfOf({ requestId: null, idempotencyKey: null }, () => {
        const charge = kind === 'charge' ? this.store.get('charge', id) : undefined;
        const refund = kind === 'refund' ? this.store.get('refund', id) : undefined;
        if (kind === 'session') this.advanceSession(id);
        if (charge) this.disputeAsPlanned(charge);
        if (refund) this.endRefund(refund);
      });
    }
  }

  /** The latest charge for the id of a charge, payment intent or session. @throws StripeProblem when there is none */
  chargeOf(id: string): ChargeRow {
    const charge = this.store.get('charge', id);
    if (charge) return charge;
    const paymentId = id.startsWith('cs_') ? idOf(this.session(id).object.payment_intent) : id;
    const payment = this.store.get('paymentIntent', paymentId ?? '');
    if (!payment) throw noSuch(id.startsWith('pi_') ? 'payment_intent' : 'charge', id);
    const row = this.store.get('charge', idOf(payment.object.latest_charge) ?? '');
    if (!row) {
      throw invalid(`This PaymentIntent (${payment.id}) does not have a successful charge to refund.`, {
        code: 'payment_intent_unexpected_state',
      });
    }
    return row;
  }

  disputesOf(charge: ChargeRow): Stripe.Dispute[] {
    return this.store.latest('dispute').flatMap(({ object }) => (object.charge === charge.id ? [object] : []));
  }

  /** @throws StripeProblem with status 404 */
  session(id: string): SessionRow {
    const row = this.store.get('session', id);
    if (!row) throw noSuch('checkout.session', id, 'session');
    return row;
  }

  private get store(): Store {
    return this.options.store;
  }

  private seconds(): number {
    return Math.floor(this.options.now() / 1000);
  }

  private settlementTime(): number {
    return this.options.now() + this.options.settleAfterMs();
  }

  private requirePending(id: string): { row: SessionRow; payment: PaymentIntentRow; charge: ChargeRow } {
    const row = this.session(id);
    if (!row.pending) throw invalid('The payment of this session is not waiting to be settled.');
    return { row, payment: this.paymentOf(row), charge: this.chargeOf(id) };
  }

  private openDispute(id: string): Stripe.Dispute {
    const row = this.store.get('dispute', id);
    if (!row) throw noSuch('dispute', id);
    if (row.object.status === 'won' || row.object.status === 'lost') throw invalid('This dispute is already closed.');
    return row.object;
  }

  private expire(row: SessionRow): SessionRow {
    const expired: SessionRow = { ...row, object: { ...row.object, status: 'expired' } };
    const payment = this.store.get('paymentIntent', idOf(row.object.payment_intent) ?? '');
    const canceled = { status: 'canceled', canceled_at: this.seconds() } as const;
    if (payment) this.putPayment(payment, canceled, 'payment_intent.canceled');
    return this.putSession(expired, 'checkout.session.expired');
  }

  /** The session's payment intent, created at the first attempt to pay. */
  private paymentOf(row: SessionRow): PaymentIntentRow {
    const existing = this.store.get('paymentIntent', idOf(row.object.payment_intent) ?? '');
    if (existing) return existing;
    const object = newPaymentIntent({
      amount: row.object.amount_total ?? 0,
      created: this.seconds(),
      currency: row.object.currency ?? '',
      description: row.payment.description,
      metadata: { ...row.payment.metadata },
    });
    const payment: PaymentIntentRow = { id: object.id, object };
    this.store.put('paymentIntent', payment);
    this.emit('payment_intent.created', object);
    return payment;
  }

  private putPayment(row: PaymentIntentRow, change: Partial<Stripe.PaymentIntent>, event: Stripe.Event.Type): void {
    const object = { ...row.object, ...change };
    this.store.put('paymentIntent', { ...row, object });
    this.emit(event, object);
  }

  private putCharge(row: ChargeRow, change: Partial<Stripe.Charge>, event: Stripe.Event.Type): void {
    const object = { ...row.object, ...change };
    this.store.put('charge', { ...row, object });
    this.emit(event, object);
  }

  private putSession(row: SessionRow, event: Stripe.Event.Type): SessionRow {
    this.store.put('session', row);
    this.emit(event, this.options.toApiSession(row));
    return row;
  }

  private charge(
    payment: PaymentIntentRow,
    card: TestCard,
    buyer: Buyer,
    status: 'succeeded' | 'pending' | 'failed',
  ): ChargeRow {
    const made = newCharge({ card, created: this.seconds(), customer: buyer, payment: payment.object, status });
    const object = { ...made, receipt_url: status === 'failed' ? null : this.options.receiptUrl(made.id) };
    const row: ChargeRow = { id: object.id, object, card, disputeAt: null };
    this.store.put('charge', row);
    return row;
  }

  private decline(
    session: SessionRow,
    payment: PaymentIntentRow,
    card: TestCard,
    outcome: CardOutcome & { readonly kind: 'declines' },
    buyer: Buyer,
  ): StripeProblem {
    const row = this.charge(payment, card, buyer, 'failed');
    const { code, declineCode, message } = outcome;
    this.putCharge(row, { failure_code: code, failure_message: message }, 'charge.failed');
    const decline = { type: 'card_error', code, message } as const;
    const error = { ...decline, ...(declineCode === undefined ? {} : { decline_code: declineCode }) };
    const change = { latest_charge: row.id, last_payment_error: { ...error, charge: row.id } };
    this.putPayment(payment, change, 'payment_intent.payment_failed');
    this.store.put('session', { ...session, object: { ...session.object, payment_intent: payment.id } });
    return new StripeProblem(402, error);
  }

  private succeed(
    row: SessionRow,
    payment: PaymentIntentRow,
    charge: ChargeRow,
    event: 'checkout.session.completed' | 'checkout.session.async_payment_succeeded',
  ): void {
    const { amount } = payment.object;
    const { outcome } = charge.card;
    const disputed = outcome.kind === 'pays' && outcome.later === 'disputed';
    const balanceTransaction = this.options.ledger.book('charge', charge.object).id;
    this.putCharge(
      { ...charge, disputeAt: disputed ? this.settlementTime() : null },
      { status: 'succeeded', paid: true, amount_captured: amount, balance_transaction: balanceTransaction },
      'charge.succeeded',
    );
    const done = { status: 'succeeded', amount_received: amount, processing: null } as const;
    this.putPayment(payment, { ...acceptedBy(charge), ...done }, 'payment_intent.succeeded');
    this.putSession({ ...row, object: { ...row.object, payment_status: 'paid' }, pending: null }, event);
  }

  private awaitSettlement(
    row: SessionRow,
    payment: PaymentIntentRow,
    charge: ChargeRow,
    outcome: 'succeeds' | 'fails',
  ): void {
    this.emit('charge.pending', charge.object);
    this.putPayment(payment, { ...acceptedBy(charge), status: 'processing' }, 'payment_intent.processing');
    const pending = { outcome, at: this.settlementTime() };
    this.putSession({ ...row, pending }, 'checkout.session.completed');
  }

  private makeRefund(charge: ChargeRow, order: RefundOrder & { readonly amount: number }): RefundRow {
    const { outcome } = charge.card;
    const later = outcome.kind === 'pays' ? outcome.later : undefined;
    const status = later === 'refund-pending' ? 'pending' : 'succeeded';
    const made = newRefund({ ...order, charge: charge.object, created: this.seconds(), status });
    const refund = { ...made, balance_transaction: this.options.ledger.book('refund', made).id };
    const ends = later === 'refund-pending' ? 'succeeded' : later === 'refund-fails' ? 'failed' : null;
    const row: RefundRow = {
      id: refund.id,
      object: refund,
      pending: ends === null ? null : { status: ends, at: this.settlementTime() },
    };
    this.store.put('refund', row);
    this.emit('refund.created', refund);
    this.emit('charge.refunded', this.putRefunded(charge, order.amount));
    return row;
  }

  private endRefund(row: RefundRow): void {
    if (!row.pending) return;
    const failed = row.pending.status === 'failed';
    const object: Stripe.Refund = {
      ...row.object,
      status: row.pending.status,
      ...(failed ? { failure_reason: 'expired_or_canceled_card' } : {}),
    };
    this.store.put('refund', { ...row, object, pending: null });
    const charge = this.store.get('charge', idOf(object.charge) ?? '');
    if (failed && charge) {
      this.options.ledger.book('refund_failure', object);
      this.putRefunded(charge, -object.amount);
    }
    this.emit('refund.updated', object);
    this.emit('charge.refund.updated', object);
    if (failed) this.emit('refund.failed', object);
  }

  private putRefunded(charge: ChargeRow, amount: number): Stripe.Charge {
    const refunded = charge.object.amount_refunded + amount;
    const object = { ...charge.object, amount_refunded: refunded, refunded: refunded === charge.object.amount };
    this.store.put('charge', { ...charge, object });
    return object;
  }

  private advanceSession(id: string): void {
    const row = this.session(id);
    if (row.object.status === 'open') this.expire(row);
    else if (row.pending?.outcome === 'succeeds') this.settle(id);
    else if (row.pending) this.fail(id);
  }

  /** Opens the dispute that the test card asked for, unless the charge was refunded or disputed before. */
  private disputeAsPlanned(charge: ChargeRow): void {
    const { amount, amount_refunded, disputed } = charge.object;
    if (disputed || amount === amount_refunded) this.store.put('charge', { ...charge, disputeAt: null });
    else this.dispute(charge, null);
  }

  private emit(type: Stripe.Event.Type, object: object): void {
    const { requestId, idempotencyKey } = this.cause;
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.seconds(),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: requestId, idempotency_key: idempotencyKey },
      type,
    } as Stripe.Event;
    this.store.put('event', { id: event.id, object: event });
    this.options.onEvent(event);
  }
}

/** The fields of a payment whose charge was accepted. */
const acceptedBy = ({ id, object }: ChargeRow): Partial<Stripe.PaymentIntent> => ({
  latest_charge: id,
  payment_method: object.payment_method,
  last_payment_error: null,
});

function requireAmount(amount: number, currency: string): void {
  if (amount < SMALLEST_AMOUNT) {
    const message = `The Checkout Session's total amount due must add up to at least ${money(SMALLEST_AMOUNT, currency)} ${currency}`;
    throw invalid(message, { code: 'amount_too_small' });
  }
  if (amount > LARGEST_AMOUNT) {
    const message = `The Checkout Session's total amount due must be no more than ${money(LARGEST_AMOUNT, currency)}`;
    throw invalid(message, { code: 'amount_too_large' });
  }
}

/** Formats an amount in the smallest unit. The sandbox accepts only currencies with two decimals. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);
}
