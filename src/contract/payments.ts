import { type Cents, type Count, type Credits, type Instant } from './scalars.js';

/** Calls about payments. Credits are integers; money is US cents unless the comment says dollars. */

/** `get_credit_bundles`, a list: what is for sale, the cheapest first. */
export interface CreditBundle {
  readonly id: string;
  readonly name: string;
  readonly credits: Credits;
  /** US dollars. */
  readonly price: number;
  readonly description: string;
  readonly popular: boolean;
}

/** Answer of `create-checkout-session`: the URL at which the user pays. */
export interface CheckoutResponse {
  readonly url: string;
}

/** Answer of `get-checkout-session`, body `{sessionId}`. */
export interface CheckoutLookup {
  readonly session: CheckoutSession;
}

export interface CheckoutSession {
  readonly id: string;
  readonly is_paid: boolean;
  readonly is_complete: boolean;
  readonly payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  readonly status: 'open' | 'complete' | 'expired';
  /** Cents. */
  readonly amount_total: Cents;
  readonly currency: string;
  readonly metadata: { readonly bundleId?: string; readonly bundleCredits?: string };
  /** True once the ledger holds the purchase: its credits are in the balance. */
  readonly credited: boolean;
}

/** A row of `get_user_purchases_by_jwt`, newest first: what a receipt shows. */
export interface Purchase {
  /** The checkout session. */
  readonly id: string;
  readonly purchased_at: Instant;
  readonly bundle_id: string;
  readonly bundle_name: string;
  readonly credits: Credits;
  readonly amount_cents: Cents;
  readonly currency: string;
  /** Money returned by refunds and open or lost disputes. */
  readonly refunded_cents: Cents;
  /** `paid`, `partially_refunded`, `refunded` or `disputed`. */
  readonly status: 'paid' | 'partially_refunded' | 'refunded' | 'disputed';
  /** Hosted receipt of the processor, null when it has none. */
  readonly receipt_url: string | null;
}

/** A row of `get_payment_problems` (admins), the oldest first: it needs a person or keeps failing. No personal data. */
export interface PaymentProblem {
  /** Session, event or refund. */
  readonly subject: string;
  /** `event_failing` and `refund_failing` are retried automatically; the others are not. */
  readonly kind: string;
  readonly what: string;
  /** Failed attempts; 0 for kinds without retries. */
  readonly attempts: Count;
  readonly first_seen_at: Instant;
  readonly last_seen_at: Instant;
}

/** Answer of `refund_purchase` (admins). */
export interface RefundPurchaseResponse {
  readonly success: true;
  /** Our own id of the refund. */
  readonly admin_refund_id: string;
  /** `refunded`: the money is on its way. `pending`: the credits are taken back, the processor is not asked yet. */
  readonly status: 'refunded' | 'pending';
  readonly credits: Credits;
  readonly amount_cents: Cents;
}
