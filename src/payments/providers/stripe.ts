import Stripe from 'stripe';
import { type StripeSettings } from '../../platform/config/provider-settings.js';

/** The wire format that this code was written and tested against; the SDK's types describe the same one. */
const API_VERSION = '2026-10-28.endive';

/**
 * Retries of a call that got no answer, a 409 or a 5xx, with back-off. Safe for POSTs as well: the SDK sends an idempotency key with
 * each, the same one on every attempt.
 */
const RETRIES = 2;

/** How long one attempt may take, its body included, in milliseconds. A buyer is waiting for most of them. */
const TIMEOUT_MS = 15_000;

export interface StripeOptions {
  /** Of one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  readonly maxNetworkRetries?: number;
}

/**
 * The Stripe SDK, for Stripe itself or for the sandbox, by the same HTTP client. The SDK has no setting for a base path, so
 * addresses are moved below `settings.baseUrl` as they leave. It sends no telemetry.
 */
export function createStripe(settings: StripeSettings, options: StripeOptions = {}): Stripe {
  return new Stripe(settings.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: options.maxNetworkRetries ?? RETRIES,
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchBelow(settings.baseUrl)),
  });
}

/** A redirect is an error: Stripe never sends one, and following it would carry the key elsewhere. */
function fetchBelow(baseUrl: string | undefined): typeof fetch {
  const base = baseUrl?.replace(/\/$/, '');
  return (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const target = base === undefined ? address : `${base}${address.pathname}${address.search}`;
    return fetch(target, { ...init, redirect: 'error' });
  };
}
