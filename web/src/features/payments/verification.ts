import type { CheckoutSession } from '../../../../src/contract/payments.js';
import type { UnsuccessfulReason } from './unsuccessful.js';

export const MAX_ATTEMPTS = 5;
export const RETRY_MS = 8000;

const LAST_ATTEMPT = MAX_ATTEMPTS - 1;

/** Result of one attempt to look up the payment. */
export type LookupAnswer =
  | { readonly kind: 'session'; readonly session: CheckoutSession }
  /** An answer without a session. */
  | { readonly kind: 'no-session' }
  /** The server refused, or could not be reached. */
  | { readonly kind: 'error'; readonly message: string; readonly retryAfterMs?: number }
  | { readonly kind: 'no-answer' }
  | { readonly kind: 'signed-out' };

/** State of the verification of a payment. */
export interface Verification {
  /** `asking` and `waiting` (for the next attempt) continue automatically; the others are final. */
  readonly step: 'asking' | 'waiting' | 'paid' | 'processing' | 'leaving';
  /** Index of the current or last attempt, from 0. */
  readonly attempt: number;
  /** The last session seen. */
  readonly session: CheckoutSession | null;
  /** Failure of the last attempt (texts of the fan spec). */
  readonly message: string | null;
  /** With `waiting`: milliseconds until the next attempt, at least `Retry-After`. */
  readonly waitMs: number;
  /** With `leaving`: the address of the page of unsuccessful payments. */
  readonly leaveTo: string | null;
}

type VerificationEvent = { readonly type: 'answered'; readonly answer: LookupAnswer } | { readonly type: 'retry-due' };

const NO_SESSION = 'Could not retrieve payment details, but your credits may still have been added.';
const UNVERIFIED = 'Could not verify your payment. Your credits may still have been added.';
const STILL_PROCESSING =
  'Payment is still being processed. Your credits will be added automatically when the payment completes.';

/** The initial state. Without a session id, it is already `leaving`. */
export function startVerification(sessionId: string | null): Verification {
  const start: Verification = {
    step: 'asking',
    attempt: 0,
    session: null,
    message: null,
    waitMs: RETRY_MS,
    leaveTo: null,
  };
  return sessionId ? start : leave(start, 'missing_session');
}

/**
 * Payment verification (fan spec, section 4), with two additions: a session that is complete but not yet paid (a
 * delayed payment method) is processing, not failed; and a paid session is successful only when the ledger has credited
 * it (`credited`).
 */
export function verify(state: Verification, event: VerificationEvent): Verification {
  if (event.type === 'retry-due') {
    if (state.step !== 'waiting') return state;
    const attempt = state.attempt + 1;
    return attempt > LAST_ATTEMPT ? leave(state, 'verification_failed') : { ...state, step: 'asking', attempt };
  }
  if (state.step !== 'asking') return state;
  const { answer } = event;
  switch (answer.kind) {
    case 'signed-out':
      return leave(state, 'not_authenticated');
    case 'session':
      return judge(state, answer.session);
    case 'no-session':
      return tryAgain(state, NO_SESSION, 'invalid_session_data');
    case 'error':
      return tryAgain(state, answer.message || UNVERIFIED, 'verification_error', answer.retryAfterMs);
    case 'no-answer':
      return tryAgain(state, UNVERIFIED, 'verification_failed');
  }
}

function judge(state: Verification, session: CheckoutSession): Verification {
  const known = { ...state, session, message: null };
  if (isPaid(session)) return { ...known, step: 'paid' };
  if (session.status === 'expired' || (session.payment_status === 'unpaid' && session.status !== 'complete')) {
    return leave(known, 'payment_failed', session.payment_status);
  }
  if (state.attempt < LAST_ATTEMPT) return { ...known, step: 'waiting', waitMs: RETRY_MS };
  return { ...known, step: 'processing', message: STILL_PROCESSING };
}

/** Paid, complete, and not reported as missing in the ledger. */
export function isPaid(session: CheckoutSession): boolean {
  const { credited } = session as { readonly credited?: boolean };
  return session.is_paid && session.is_complete && credited !== false;
}

function tryAgain(state: Verification, message: string, reason: UnsuccessfulReason, retryAfterMs = 0): Verification {
  if (state.attempt >= LAST_ATTEMPT) return leave({ ...state, message }, reason);
  return { ...state, step: 'waiting', message, waitMs: Math.max(RETRY_MS, retryAfterMs) };
}

function leave(state: Verification, reason: UnsuccessfulReason, status?: string): Verification {
  const query = new URLSearchParams({ reason, ...(status === undefined ? {} : { status }) });
  return { ...state, step: 'leaving', leaveTo: `/payment-canceled?${query.toString()}` };
}
