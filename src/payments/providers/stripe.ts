import Stripe from 'stripe';
import { type StripeSettings } from '../../platform/config/provider-settings.js';

/** The API version that this code was tested with. The SDK's types describe the same one. */
const API_VERSION = '2026-10-28.endive';

/**
 * Retries, with back-off, after no answer, a 409 or a 5xx. A retry is safe for a POST too, because the SDK sends the
 * same idempotency key with every attempt.
 */
const MAX_RETRIES = 2;

/** Time limit of one attempt including its body, in milliseconds. A buyer waits during most calls. */
const TIMEOUT_MS = 15_000;

export interface StripeOptions {
  /** Time limit of one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  readonly maxNetworkRetries?: number;
}

/**
 * The Stripe SDK for Stripe or for the sandbox, with the same HTTP client. The SDK has no setting for a base path, so
 * the client prefixes each URL with `settings.baseUrl`. Telemetry is off.
 */
export function createStripe(settings: StripeSettings, options: StripeOptions = {}): Stripe {
  return new Stripe(settings.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: options.maxNetworkRetries ?? MAX_RETRIES,
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchBelow(settings.baseUrl)),
  });
}

/** A redirect is an error: Stripe sends none, and following one would leak the key. */
function fetchBelow(baseUrl: string | undefined): typeof fetch {
  const base = baseUrl?.replace(/\/$/, '');
  return (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const target = base === undefined ? address : `${base}${address.pathname}${address.search}`;
    return fetch(target, { ...init, redirect: 'error' });
  };
}
