const SUCCESS = '/payment-success?session_id={CHECKOUT_SESSION_ID}';
const CANCEL = '/payment-canceled';

/** Where the processor sends the browser back to; built here, never taken from a request. */
export function returnUrls(origin: string): { readonly successUrl: string; readonly cancelUrl: string } {
  return { successUrl: origin + SUCCESS, cancelUrl: origin + CANCEL };
}

/**
 * Our origin to which both addresses of the browser lead; null when they are not, letter by letter, the two pages that we
 * have for this on one of our origins. Only equality is asked: no address that needs interpreting can pass.
 */
export function returnOrigin(
  asked: { readonly successUrl: string; readonly cancelUrl: string },
  origins: readonly string[],
): string | null {
  const success = asked.successUrl.replace('%7BCHECKOUT_SESSION_ID%7D', '{CHECKOUT_SESSION_ID}');
  return origins.find((origin) => success === origin + SUCCESS && asked.cancelUrl === origin + CANCEL) ?? null;
}
