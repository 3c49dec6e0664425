import { type ApiUser, type ApiResponse, type Send } from './api-client.js';

/**
 * Performs an action of the payment processor, its operator or a buyer.
 * @returns the result of the action
 * @throws when the sandbox refuses the action
 */
export async function controlProcessor<T>(url: string, action: string, fields: object): Promise<T> {
  const response = await fetch(`${url}/__sandbox/stripe/control/${action}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (!response.ok) throw new Error(`${action} answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { result: T }).result;
}

/** Orders the bundle `popular` for a fan. */
export async function orderBundle(
  url: string,
  fan: ApiUser,
  send: Send = fetch,
): Promise<ApiResponse<{ readonly url?: string }>> {
  const response = await send(`${url}/functions/v1/create-checkout-session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await fan.token()}` },
    body: JSON.stringify({
      bundleId: 'popular',
      bundleCredits: 250,
      bundlePrice: 25,
      successUrl: `${url}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${url}/payment-canceled`,
    }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as { url?: string } };
}

/**
 * The session at whose address a fan pays.
 * @throws when the checkout was refused
 */
export function sessionOf({ url }: { readonly url?: string }): string {
  const session = url?.split('/').at(-1);
  if (!session) throw new Error('The checkout was refused.');
  return session;
}
