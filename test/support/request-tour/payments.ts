import { randomUUID } from 'node:crypto';
import { PaymentProblems } from '../../../src/payments/payment-problems.js';
import { type ApiUser } from '../api-client.js';
import { controlProcessor } from '../sandbox-payments.js';
import { type RequestTour } from './request-tour.js';

/** A fan pays, and an admin refunds. */
export async function paymentRequests({ app, rpc, fn }: RequestTour, fan: ApiUser, admin: ApiUser): Promise<void> {
  const order = {
    userEmail: 'x@y.test',
    bundleId: 'popular',
    bundleCredits: 250,
    bundlePrice: 25,
    successUrl: `${app.url}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${app.url}/payment-canceled`,
  };
  const checkout = await fn<{ url: string }>('create-checkout-session', fan, order);
  const sessionId = checkout.url.split('/').at(-1) ?? '';
  await fn('create-checkout-session', fan, order, { variant: 'asked again' });
  await fn('get-checkout-session', fan, { sessionId }, { variant: 'open' });
  await controlProcessor(app.url, 'pay', { session: sessionId, card: 'pays' });
  await fn('get-checkout-session', fan, { sessionId }, { variant: 'paid' });
  await fn('get-checkout-session', fan, { sessionId }, { variant: 'credited' });
  await rpc('get_user_purchases_by_jwt', fan);
  await rpc('get_payment_problems', admin);
  const refund = { p_session_id: sessionId, p_credits: 10, p_reason: 'A test', p_request_id: randomUUID() };
  await rpc('refund_purchase', admin, refund);
  await rpc('refund_purchase', admin, refund, { variant: 'again' });
  await rpc('preview_refund_admin', admin, { p_session_id: refund.p_session_id });
  await rpc('retry_checkout_admin', admin, { p_session_id: refund.p_session_id });
  await app.context.get(PaymentProblems).open(sessionId, 'wrong_amount', 'A test.');
  await rpc('dismiss_payment_problem', admin, { p_subject: sessionId, p_kind: 'wrong_amount', p_reason: 'A test' });
}
