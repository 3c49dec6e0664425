/** What the payment calls take and answer, as the browser sees it. Credits are integers, money is US cents or, where said, dollars. */

/** `get_credit_bundles`, a list: what is for sale, the cheapest first. */
export interface CreditBundle {
  readonly id: string;
  readonly name: string;
  readonly credits: number;
  /** US dollars. */
  readonly price: number;
  readonly description: string;
  readonly popular: boolean;
}

/** Body of the function `create-checkout-session`. Credits and price are only checked against the server's own. */
export interface CheckoutRequest {
  readonly userEmail?: string;
  readonly bundleId: string;
  readonly bundleCredits: number;
  /** US dollars. */
  readonly bundlePrice: number;
  /** On our origin: `/payment-success?session_id={CHECKOUT_SESSION_ID}`. */
  readonly successUrl: string;
  /** On our origin: `/payment-canceled`. */
  readonly cancelUrl: string;
}

/** Answer of `create-checkout-session`: where the browser goes to pay. */
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
  readonly amount_total: number;
  readonly currency: string;
  readonly metadata: { readonly bundleId?: string; readonly bundleCredits?: string };
  /** Whether the ledger holds the purchase: its credits are in the balance. */
  readonly credited: boolean;
}

/** A row of `get_user_purchases_by_jwt`, newest first: what a receipt shows. */
export interface Purchase {
  /** The checkout session. */
  readonly id: string;
  readonly purchased_at: string;
  readonly bundle_id: string;
  readonly bundle_name: string;
  readonly credits: number;
  readonly amount_cents: number;
  readonly currency: string;
  /** Money that went back, by refunds and open or lost disputes. */
  readonly refunded_cents: number;
  /** `paid`, `partially_refunded`, `refunded` or `disputed`. */
  readonly status: 'paid' | 'partially_refunded' | 'refunded' | 'disputed';
  /** Hosted receipt of the processor, null when it has none. */
  readonly receipt_url: string | null;
}

/** A row of `get_payment_problems` (admins), the oldest first: what needs a person, and what keeps failing. No personal data. */
export interface PaymentProblem {
  /** Session, event or refund. */
  readonly subject: string;
  /** `event_failing` and `refund_failing` are tried again by themselves; the others are not. */
  readonly kind: string;
  readonly what: string;
  /** Failed tries; 0 for what is not tried again. */
  readonly attempts: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

/** Answer of `refund_purchase` (admins). */
export interface RefundPurchaseResponse {
  readonly success: true;
  /** Our own id of the refund. */
  readonly admin_refund_id: string;
  /** `refunded`: the money is on its way; `pending`: the credits are taken back, and the processor is still to be asked. */
  readonly status: 'refunded' | 'pending';
  readonly credits: number;
  readonly amount_cents: number;
}
