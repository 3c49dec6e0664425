import type Stripe from 'stripe';
import { type TestCard } from './cards.js';

/** The stored rows: each object as the API returns it, plus the processor's own data. Times are in milliseconds. */
export interface SessionRow {
  readonly id: string;
  /** Without `url`, which depends on the sandbox's address. */
  readonly object: Stripe.Checkout.Session;
  readonly lineItems: readonly Stripe.LineItem[];
  /** Copied to the payment intent. */
  readonly payment: { readonly description: string | null; readonly metadata: Readonly<Record<string, string>> };
  /** The scheduled end of a pay-later payment; null when none is pending. */
  readonly pending: { readonly outcome: 'succeeds' | 'fails'; readonly at: number } | null;
}

export interface CustomerRow {
  readonly id: string;
  readonly object: Stripe.Customer | Stripe.DeletedCustomer;
}

export interface PaymentIntentRow {
  readonly id: string;
  readonly object: Stripe.PaymentIntent;
}

export interface ChargeRow {
  readonly id: string;
  readonly object: Stripe.Charge;
  readonly card: TestCard;
  /** When the buyer disputes it; null when no dispute is scheduled. */
  readonly disputeAt: number | null;
}

export interface RefundRow {
  readonly id: string;
  readonly object: Stripe.Refund;
  readonly pending: { readonly status: 'succeeded' | 'failed'; readonly at: number } | null;
}

export interface DisputeRow {
  readonly id: string;
  readonly object: Stripe.Dispute;
}

/** A change of the processor's balance. */
export interface BalanceTransactionRow {
  readonly id: string;
  readonly object: Stripe.BalanceTransaction;
  /** Midnight (in seconds) from which a payout may contain it; null when one does, and for payouts themselves. */
  readonly payOutAt: number | null;
}

/** A transfer to the merchant's bank. */
export interface PayoutRow {
  readonly id: string;
  readonly object: Stripe.Payout;
}

export interface EventRow {
  readonly id: string;
  readonly object: Stripe.Event;
}

/** The delivery of one event to the receiver. */
export interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  readonly attempts: number;
  /** Time of the next attempt; null when none follows. */
  readonly dueAt: number | null;
  /** `lost`: dropped by a fault. */
  readonly state: 'pending' | 'delivered' | 'given-up' | 'lost';
  /** Status of the last response; 0 when there was none; null before the first attempt. */
  readonly answer: number | null;
}

export interface IdempotencyRow {
  /** The caller's key. */
  readonly id: string;
  readonly fingerprint: string;
  readonly answer: unknown;
  readonly requestId: string;
  readonly createdAt: number;
}

export interface Rows {
  session: SessionRow;
  customer: CustomerRow;
  paymentIntent: PaymentIntentRow;
  charge: ChargeRow;
  refund: RefundRow;
  dispute: DisputeRow;
  balanceTransaction: BalanceTransactionRow;
  payout: PayoutRow;
  event: EventRow;
  delivery: DeliveryRow;
  idempotency: IdempotencyRow;
}

export type Kind = keyof Rows;

export const KINDS: readonly Kind[] = [
  'session',
  'customer',
  'paymentIntent',
  'charge',
  'refund',
  'dispute',
  'balanceTransaction',
  'payout',
  'event',
  'delivery',
  'idempotency',
];

/** When a row changes by schedule; null when nothing is scheduled. */
export function dueAt<K extends Kind>(kind: K, row: Rows[K]): number | null {
  if (kind === 'session') {
    const { object, pending } = row as SessionRow;
    return object.status === 'open' ? object.expires_at * 1000 : (pending?.at ?? null);
  }
  if (kind === 'charge') return (row as ChargeRow).disputeAt;
  if (kind === 'refund') return (row as RefundRow).pending?.at ?? null;
  if (kind === 'delivery') return (row as DeliveryRow).dueAt;
  return null;
}

/** The id of a reference, expanded or not. */
export function idOf(reference: string | { readonly id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
