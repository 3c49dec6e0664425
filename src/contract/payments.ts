import { type Cents, type Count, type Credits, type Instant, type NoParameters, type Page } from './scalars.js';

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

/** Body of the function `create-checkout-session`. Credits and price are only checked against the server's own. */
export interface CheckoutRequest {
  readonly userEmail?: string;
  readonly bundleId: string;
  readonly bundleCredits: Credits;
  /** US dollars. */
  readonly bundlePrice: number;
  /** On our origin: `/payment-success?session_id={CHECKOUT_SESSION_ID}`. */
  readonly successUrl: string;
  /** On our origin: `/payment-canceled`. */
  readonly cancelUrl: string;
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

export interface PaymentCalls {
  /** The bundles for sale, the cheapest first. */
  get_credit_bundles: { request: NoParameters; response: CreditBundle[] };
  /** A page of the caller's purchases, newest first. */
  get_user_purchases_by_jwt: { request: Page; response: Purchase[] };
  /** Payments that need a person, and those that keep failing; the oldest first. */
  get_payment_problems: { request: NoParameters; response: PaymentProblem[] };
  /** Ends a problem that needs nothing. It comes back only when it changes. A `refund_failing` cannot be dismissed. */
  dismiss_payment_problem: {
    request: {
      /** `subject` and `kind` of the problem. */
      readonly p_subject: string;
      readonly p_kind: string;
      /** Stored permanently: must not name a person. */
      readonly p_reason: string;
    };
    response: { readonly success: true };
  };
  /** Refunds unspent credits of a purchase. */
  refund_purchase: {
    request: {
      /** The checkout session. */
      readonly p_session_id: string;
      /** Default: all that are unspent. */
      readonly p_credits?: Credits | null;
      /** Stored permanently: must not name a person. */
      readonly p_reason: string;
      /** Chosen by the caller. A repeated id is the same refund. */
      readonly p_request_id?: string | null;
    };
    response: RefundPurchaseResponse;
  };
}

export interface PaymentFunctions {
  /** Opens a checkout and returns the URL at which the user pays. */
  'create-checkout-session': { request: CheckoutRequest; response: CheckoutResponse };
  /** The state of a checkout of the caller. */
  'get-checkout-session': { request: { readonly sessionId?: string | null }; response: CheckoutLookup };
}
