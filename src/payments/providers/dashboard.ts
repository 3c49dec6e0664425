import { type StripeSettings } from '../../platform/config/provider-settings.js';

/**
 * The address at which a person sees a payment: its page in Stripe's dashboard, or the dashboard of the sandbox, which
 * has one page.
 * @param paymentIntentId null: the list of all payments
 */
export function dashboardUrl({ baseUrl, secretKey }: StripeSettings, paymentIntentId: string | null): string {
  if (baseUrl !== undefined) return `${new URL(baseUrl).pathname.replace(/\/$/, '')}/dashboard`;
  const mode = /^(sk|rk)_test_/.test(secretKey) ? '/test' : '';
  const payment = paymentIntentId === null ? '' : `/${encodeURIComponent(paymentIntentId)}`;
  return `https://dashboard.stripe.com${mode}/payments${payment}`;
}
