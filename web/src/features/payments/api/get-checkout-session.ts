import type { CheckoutLookup } from '../../../../../src/contract/payments.js';
import { callFunction, type RpcOptions } from '../../../lib/api.js';

/** The state of a checkout session. The caller must check that the answer contains a session. */
export function getCheckoutSession(
  sessionId: string,
  options: RpcOptions = {},
): Promise<Partial<CheckoutLookup> | null> {
  return callFunction('get-checkout-session', { sessionId }, options);
}
