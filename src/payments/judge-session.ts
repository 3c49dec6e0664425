import { checkoutIdOf, type ProcessorSession } from './providers/payment-processor.js';
import { type CheckoutRow, type PaymentProblemKind } from './tables.js';

/** The result of comparing a session with the offer. */
export type SessionVerdict =
  /** Paid as offered. */
  | { readonly kind: 'credit' }
  /** Not paid. `status` is the state to store. */
  | { readonly kind: 'unpaid'; readonly status: 'open' | 'processing' | 'failed' | 'expired' }
  /** Paid, but not as offered. Nothing is credited, and an admin must look at it. */
  | { readonly kind: 'mismatch'; readonly problem: PaymentProblemKind; readonly description: string };

type Offer = Pick<CheckoutRow, 'id' | 'user_id' | 'bundle_id' | 'credits' | 'amount_cents' | 'currency'>;

/** Payment states in which a completed session will never be paid. */
const PAYMENT_FAILED = new Set(['requires_payment_method', 'canceled']);

/** Judges a session that was just read from the processor (not from a list, which lacks the payment's state). */
export function judgeSession(session: ProcessorSession, offer: Offer): SessionVerdict {
  if (session.status === 'open') return { kind: 'unpaid', status: 'open' };
  if (session.status === 'expired') return { kind: 'unpaid', status: 'expired' };
  if (session.paymentStatus === 'unpaid') {
    // A delayed payment: only the payment's state shows whether it can still succeed.
    return { kind: 'unpaid', status: PAYMENT_FAILED.has(session.paymentState ?? '') ? 'failed' : 'processing' };
  }
  const mismatch = findMismatch(session, offer);
  return mismatch ?? { kind: 'credit' };
}

function findMismatch(session: ProcessorSession, offer: Offer): SessionVerdict | null {
  const mismatch = (problem: PaymentProblemKind, description: string): SessionVerdict => ({
    kind: 'mismatch',
    problem,
    description,
  });
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
