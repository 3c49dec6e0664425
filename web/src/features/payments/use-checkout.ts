import { useEffect, useRef, useState } from 'react';
import type { CheckoutResponse, CreditBundle } from '../../../../src/contract/payments.js';
import { ApiError, callFunction } from '../../lib/api.js';
import { IDENTITY_LOADING, viewer, whenSettled } from '../../lib/auth.js';
import { processorAddress, checkoutProblem, checkoutRequest, NO_CHECKOUT, NOT_SIGNED_IN } from './checkout.js';

/** Time after which the redirect to the processor counts as stopped. */
const LEAVING_MS = 20_000;

export interface Checkout {
  /** Id of the bundle whose checkout is being prepared. */
  readonly busy: string | null;
  readonly problem: { readonly bundleId: string; readonly message: string } | null;
  /** Opens the processor's page for this bundle. Does nothing while another checkout is being prepared. */
  readonly buy: (bundle: CreditBundle) => Promise<void>;
}

/** Prepares the checkout of a bundle and opens the processor's page. */
export function useCheckout({ onRefused }: { onRefused: () => void }): Checkout {
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<Checkout['problem']>(null);
  // State updates with the next render; two presses in one frame must not create two sessions.
  const running = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);

  const end = (): void => {
    clearTimeout(leaving.current);
    running.current = false;
    setBusy(null);
  };

  useEffect(() => {
    // After a step back, the browser may restore this page in its busy state.
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) end();
    };
    window.addEventListener('pageshow', onShow);
    return () => {
      clearTimeout(leaving.current);
      window.removeEventListener('pageshow', onShow);
    };
  }, []);

  const buy = async (bundle: CreditBundle): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(bundle.id);
    setProblem(null);
    const result = await prepare(bundle);
    if (result.url !== null) {
      leaving.current = setTimeout(end, LEAVING_MS);
      window.location.assign(result.url);
      return;
    }
    setProblem({ bundleId: bundle.id, message: result.message });
    if (result.refused) onRefused();
    end();
  };

  return { busy, problem, buy };
}

type Prepared = { readonly url: string } | { readonly url: null; readonly message: string; readonly refused: boolean };

async function prepare(bundle: CreditBundle): Promise<Prepared> {
  const { origin } = window.location;
  const failed = (message: string, refused = false): Prepared => ({ url: null, message, refused });
  await whenSettled();
  const { status, user } = viewer();
  if (status === 'loading') return failed(IDENTITY_LOADING);
  if (status !== 'signed-in') return failed(NOT_SIGNED_IN);
  try {
    const request = checkoutRequest(bundle, user?.email ?? null, origin);
    // The answer is checked before it is followed.
    const answer: Partial<CheckoutResponse> | null = await callFunction('create-checkout-session', request);
    const url = processorAddress(answer?.url, origin);
    if (url !== null) return { url };
    console.error('The address of the checkout is not allowed', answer?.url);
    return failed(NO_CHECKOUT);
  } catch (error) {
    if (error instanceof ApiError) return failed(checkoutProblem(error), [400, 409, 422].includes(error.status));
    console.error('The checkout could not be created', error);
    return failed(checkoutProblem({ status: 0, message: '' }));
  }
}
