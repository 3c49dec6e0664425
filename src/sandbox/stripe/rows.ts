import type Stripe from 'stripe';
import { type TestCard } from './cards.js';

/** What is kept of each object: itself as the API shows it, and beside it what only the processor knows. Times are milliseconds. */
export interface SessionRow {
  readonly id: string;
  /** Without its `url`, which depends on where the sandbox is reached. */
  readonly object: Stripe.Checkout.Session;
  readonly lineItems: readonly Stripe.LineItem[];
  /** What the payment gets from the session. */
  readonly payment: { readonly description: string | null; readonly metadata: Readonly<Record<string, string>> };
  /** An unpaid, completed session: what becomes of its payment, and when. */
  readonly pending: { readonly outcome: 'succeeds' | 'fails'; readonly at: number } | null;
}

export interface PaymentIntentRow {
  readonly id: string;
  readonly object: Stripe.PaymentIntent;
}

export interface ChargeRow {
  readonly id: string;
  readonly object: Stripe.Charge;
  readonly card: TestCard;
  /** When its buyer disputes it, if that is still to come. */
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

export interface EventRow {
  readonly id: string;
  readonly object: Stripe.Event;
}

/** One event on its way to the receiver. */
export interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  readonly attempts: number;
  /** Of the next attempt; null: none will follow. */
  readonly dueAt: number | null;
  /** `lost`: a fault swallowed it. */
  readonly state: 'pending' | 'delivered' | 'given-up' | 'lost';
  /** Status of the last answer, 0 for none. */
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
  paymentIntent: PaymentIntentRow;
  charge: ChargeRow;
  refund: RefundRow;
  dispute: DisputeRow;
  event: EventRow;
  delivery: DeliveryRow;
  idempotency: IdempotencyRow;
}

export type Kind = keyof Rows;

export const KINDS: readonly Kind[] = [
  'session',
  'paymentIntent',
  'charge',
  'refund',
  'dispute',
  'event',
  'delivery',
  'idempotency',
];

/** When something is to happen to a row by itself; null: never. */
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

/** The id that a field holds, whether its object was put in its place or not. */
export function idOf(reference: string | { readonly id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
