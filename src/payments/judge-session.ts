import { checkoutIdOf, type ProcessorSession } from './providers/payment-processor.js';
import { type CheckoutRow, type PaymentProblemKind } from './tables.js';

/** What a session asks for, seen against what we had offered. */
export type SessionVerdict =
  /** Paid, and all is as offered. */
  | { readonly kind: 'credit' }
  /** Nothing yet; `status` is what our record should say. */
  | { readonly kind: 'unpaid'; readonly status: 'open' | 'processing' | 'failed' | 'expired' }
  /** Paid, but not what we had offered: a person must look, and nothing is credited. */
  | { readonly kind: 'mismatch'; readonly problem: PaymentProblemKind; readonly what: string };

type Offer = Pick<CheckoutRow, 'id' | 'user_id' | 'bundle_id' | 'credits' | 'amount_cents' | 'currency'>;

/** States of the payment in which a completed session will not be paid any more. */
const PAYMENT_FAILED = new Set(['requires_payment_method', 'canceled']);

/** Judges a session that was just read, by itself, from the processor. */
export function judgeSession(session: ProcessorSession, offer: Offer): SessionVerdict {
  if (session.status === 'open') return { kind: 'unpaid', status: 'open' };
  if (session.status === 'expired') return { kind: 'unpaid', status: 'expired' };
  if (session.paymentStatus === 'unpaid') {
    // A delayed payment: the session looks the same while it may still come and when it will not.
    return { kind: 'unpaid', status: PAYMENT_FAILED.has(session.paymentState ?? '') ? 'failed' : 'processing' };
  }
  const mismatch = mismatchOf(session, offer);
  return mismatch ?? { kind: 'credit' };
}

function mismatchOf(session: ProcessorSession, offer: Offer): SessionVerdict | null {
  const mismatch = (problem: PaymentProblemKind, what: string): SessionVerdict => ({ kind: 'mismatch', problem, what });
  if (session.currency !== offer.currency) {
    return mismatch('wrong_currency', `Paid in ${session.currency ?? 'nothing'}, offered in ${offer.currency}.`);
  }
  if (session.paymentStatus !== 'paid' || session.amountTotal !== offer.amount_cents) {
    return mismatch(
      'wrong_amount',
      `${session.paymentStatus}: ${session.amountTotal ?? 'nothing'}, offered for ${offer.amount_cents} cents.`,
    );
  }
  if (session.clientReferenceId !== offer.user_id) {
    return mismatch('wrong_owner', 'The session names another user than the checkout.');
  }
  const { bundleId, bundleCredits } = session.metadata;
  if (checkoutIdOf(session) !== offer.id || bundleId !== offer.bundle_id || bundleCredits !== String(offer.credits)) {
    return mismatch('wrong_content', 'The session names another bundle, other credits or another checkout.');
  }
  return null;
}
