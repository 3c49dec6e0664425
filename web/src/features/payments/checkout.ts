import type { CheckoutRequest } from '../../../../src/contract/calls/payments.js';
import type { CreditBundle } from '../../../../src/contract/payments.js';

/** Stripe's hosted pages. */
const STRIPE_HOST = /(^|\.)stripe\.com$/;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The address if it is safe to open for a payment or a receipt: a page of Stripe, or of the sandbox on our own server.
 * @returns null for any other address
 */
export function processorAddress(address: unknown, ownOrigin: string): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null;
  const url = new URL(address);
  const own = new URL(ownOrigin);
  if (url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:' && url.port === '' && STRIPE_HOST.test(url.hostname)) return url.href;
  // The sandbox may use another name of this machine, such as `127.0.0.1` for `localhost`.
  const here =
    url.origin === own.origin ||
    (url.protocol === own.protocol &&
      url.port === own.port &&
      LOOPBACK.test(url.hostname) &&
      LOOPBACK.test(own.hostname));
  return here && url.pathname.startsWith('/__sandbox/') ? url.href : null;
}

/** Body of `create-checkout-session` for a bundle. After the payment, the checkout page returns the fan to `origin`. */
export function checkoutRequest(bundle: CreditBundle, email: string | null, origin: string): CheckoutRequest {
  return {
    ...(email === null ? {} : { userEmail: email }),
    bundleId: bundle.id,
    bundleCredits: bundle.credits,
    bundlePrice: bundle.price,
    successUrl: `${origin}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${origin}/payment-canceled`,
  };
}

export const NOT_SIGNED_IN = 'You must be signed in to purchase credits';
export const NO_CHECKOUT = 'Failed to create checkout session';
const NOT_AUTHENTICATED = 'Failed to authenticate. Please try again.';
const FALLBACK = 'There was a problem processing your request. Please try again.';

/** The fields of a failure that the text depends on. `status` is 0 without an answer. */
export interface CheckoutFailure {
  readonly status: number;
  readonly message: string;
}

/** Text for a failed checkout (fan spec, section 8); the server's own message for a refusal. */
export function checkoutProblem({ status, message }: CheckoutFailure): string {
  if (status === 401) return NOT_AUTHENTICATED;
  if (status >= 400 && status < 500 && message !== '') return message;
  return status >= 500 ? NO_CHECKOUT : FALLBACK;
}
