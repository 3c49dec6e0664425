import { useEffect, useReducer } from 'react';
import type { CheckoutLookup } from '../../../../src/contract/payments.js';
import { ApiError, callFunction } from '../../lib/api.js';
import { retryAfterMs } from '../../lib/retry.js';
import { refreshRpc } from '../../lib/use-rpc.js';
import { startVerification, verify, type LookupAnswer, type Verification } from './verification.js';
import { problemOf } from '../../lib/problem-of.js';

/** Timeout of one attempt. */
const ANSWER_LIMIT_MS = 20_000;

/** Looks up a payment until its result is known. To verify again, remount the component with another `key`. */
export function useVerification(sessionId: string | null, onPaid: () => void): Verification {
  const [state, dispatch] = useReducer(verify, sessionId, startVerification);
  const { step, attempt, waitMs } = state;
  useEffect(() => {
    if (step !== 'waiting') return undefined;
    const timer = setTimeout(() => dispatch({ type: 'retry-due' }), waitMs);
    return () => clearTimeout(timer);
  }, [step, waitMs]);
  useEffect(() => {
    if (step !== 'asking' || !sessionId) return undefined;
    const request = new AbortController();
    const limit = setTimeout(() => {
      request.abort();
      dispatch({ type: 'answered', answer: { kind: 'no-answer' } });
    }, ANSWER_LIMIT_MS);
    void lookUp(sessionId, request.signal).then((answer) => {
      if (!request.signal.aborted) dispatch({ type: 'answered', answer });
    });
    return () => {
      clearTimeout(limit);
      request.abort();
    };
  }, [step, attempt, sessionId]);
  const paid = step === 'paid';
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
