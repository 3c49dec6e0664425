import type Stripe from 'stripe';
import { all } from '../same-fields.js';
import { type TestCard } from './cards.js';

/** A stored row: an object as the API returns it. Rows with more have the processor's own data, in milliseconds. */
interface Row<T> {
  readonly id: string;
  readonly object: T;
}

/** The object has no `url`, which depends on the sandbox's address. */
export interface SessionRow extends Row<Stripe.Checkout.Session> {
  readonly lineItems: readonly Stripe.LineItem[];
  /** Copied to the payment intent. */
  readonly payment: { readonly description: string | null; readonly metadata: Readonly<Record<string, string>> };
  /** The scheduled end of a pay-later payment; null when none is pending. */
  readonly pending: { readonly outcome: 'succeeds' | 'fails'; readonly at: number } | null;
}

export type PaymentIntentRow = Row<Stripe.PaymentIntent>;

export interface ChargeRow extends Row<Stripe.Charge> {
  readonly card: TestCard;
  /** When the buyer disputes it; null when no dispute is scheduled. */
  readonly disputeAt: number | null;
}

export interface RefundRow extends Row<Stripe.Refund> {
  readonly pending: { readonly status: 'succeeded' | 'failed'; readonly at: number } | null;
}

/** A change of the processor's balance. */
interface BalanceTransactionRow extends Row<Stripe.BalanceTransaction> {
  /** Midnight (in seconds) from which a payout may contain it; null when one does, and for payouts themselves. */
  readonly payOutAt: number | null;
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

/** The rows of each kind. A payout is a transfer to the merchant's bank. */
export interface Rows {
  session: SessionRow;
  customer: Row<Stripe.Customer | Stripe.DeletedCustomer>;
  paymentIntent: PaymentIntentRow;
  charge: ChargeRow;
  refund: RefundRow;
  dispute: Row<Stripe.Dispute>;
  balanceTransaction: BalanceTransactionRow;
  payout: Row<Stripe.Payout>;
  event: Row<Stripe.Event>;
  delivery: DeliveryRow;
  idempotency: IdempotencyRow;
}

export type Kind = keyof Rows;

const never = (): null => null;

/** When a row of each kind changes by schedule; null when nothing is scheduled. */
const DUE_AT: { readonly [K in Kind]: (row: Rows[K]) => number | null } = {
  session: ({ object, pending }) => (object.status === 'open' ? object.expires_at * 1000 : (pending?.at ?? null)),
  charge: ({ disputeAt }) => disputeAt,
  refund: ({ pending }) => pending?.at ?? null,
  delivery: ({ dueAt }) => dueAt,
  ...all(never, 'customer paymentIntent dispute balanceTransaction payout event idempotency'),
};

export const KINDS = Object.keys(DUE_AT) as Kind[];

/** When a row changes by schedule; null when nothing is scheduled. */
export const dueAt = <K extends Kind>(kind: K, row: Rows[K]): number | null => DUE_AT[kind](row);

/** The id of a reference, expanded or not. */
export function idOf(reference: string | { readonly id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
