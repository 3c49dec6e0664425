import { useEffect, useState } from 'react';
import type { CheckoutLookup } from '../../../../src/contract/payments.js';
import { ApiError, callFunction } from '../../lib/api.js';
import { retryAfterMs } from '../../lib/retry.js';
import { refreshRpc } from '../../lib/use-rpc.js';
import { followVerification, startVerification, type LookupAnswer, type Verification } from './verification.js';
import { problemOf } from '../../lib/problem-of.js';

/** Looks up a payment until its result is known. To verify again, remount the component with another `key`. */
export function useVerification(sessionId: string | null, onPaid: () => void): Verification {
  const [state, setState] = useState(() => startVerification(sessionId));
  useEffect(
    () =>
      followVerification({
        sessionId,
        lookUp,
        after: (ms, run) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
        onState: setState,
      }),
    [sessionId],
  );
  const paid = state.step === 'paid';
  useEffect(() => {
    if (!paid) return;
    refreshRpc('get_user_purchases_by_jwt');
    onPaid();
  }, [onPaid, paid]);
  return state;
}

async function lookUp(sessionId: string, signal: AbortSignal): Promise<LookupAnswer> {
  try {
    // The answer may contain no session.
    const answer: Partial<CheckoutLookup> | null = await callFunction(
      'get-checkout-session',
      { sessionId },
      { signal },
    );
    return answer?.session ? { kind: 'session', session: answer.session } : { kind: 'no-session' };
  } catch (error) {
    if (signal.aborted) return { kind: 'no-answer' };
    if (!(error instanceof ApiError)) {
      console.warn('The payment could not be looked up', error);
      return { kind: 'error', message: '' };
    }
    if (error.status === 401) return { kind: 'signed-out' };
    if (error.code === 'INVALID_RESPONSE') return { kind: 'no-session' };
    return { kind: 'error', message: problemOf(error), retryAfterMs: retryAfterMs(error) };
  }
}
