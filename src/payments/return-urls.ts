const SUCCESS = '/payment-success?session_id={CHECKOUT_SESSION_ID}';
const CANCEL = '/payment-canceled';

/** The URLs to which the processor sends the browser back. They are built here and never taken from a request. */
export function returnUrls(origin: string): { readonly successUrl: string; readonly cancelUrl: string } {
  return { successUrl: origin + SUCCESS, cancelUrl: origin + CANCEL };
}

/**
 * The own origin of both return URLs in a request. Null unless both equal our return pages on one of our origins. Only
 * equal strings pass, so no URL is ever parsed or normalised.
 */
export function returnOrigin(
  requested: { readonly successUrl: string; readonly cancelUrl: string },
  origins: readonly string[],
): string | null {
  const success = requested.successUrl.replace('%7BCHECKOUT_SESSION_ID%7D', '{CHECKOUT_SESSION_ID}');
  return origins.find((origin) => success === origin + SUCCESS && requested.cancelUrl === origin + CANCEL) ?? null;
}
