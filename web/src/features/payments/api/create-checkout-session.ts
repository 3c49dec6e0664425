import type { CheckoutRequest } from '../../../../../src/contract/calls/payments.js';
import type { CheckoutResponse } from '../../../../../src/contract/payments.js';
import { callFunction, type RpcOptions } from '../../../lib/api.js';

/** Prepares a checkout at the payment processor. The answer is checked by the caller before it is followed. */
export function createCheckoutSession(
  request: CheckoutRequest,
  options: RpcOptions = {},
): Promise<Partial<CheckoutResponse> | null> {
  return callFunction('create-checkout-session', request, options);
}
