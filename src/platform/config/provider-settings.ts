import { type ClerkKeys, type Config, type ReplicateKeys, type StripeKeys } from './config.js';

/** How to reach Clerk. */
export interface ClerkSettings extends ClerkKeys {
  /** Base address of the backend API; undefined for Clerk's own. */
  readonly apiUrl?: string;
  /** Path on our origin under which the browser reaches the frontend API; undefined for Clerk's own. */
  readonly proxyUrl?: string;
  /** Public key (PEM) of session tokens; undefined: JWKS from the backend API, cached. */
  readonly jwtKey?: string;
}

export interface ReplicateSettings extends ReplicateKeys {
  /** Base address including `/v1`; undefined for Replicate's own. */
  readonly baseUrl?: string;
  /** Hosts (with port) from which outputs may be fetched, or origins without https. */
  readonly outputHosts: readonly string[];
  /** Origin at which Replicate reaches our webhooks; undefined: our public address. */
  readonly webhookOrigin?: string;
}

export interface StripeSettings extends StripeKeys {
  /** Base address in front of `/v1`; undefined for Stripe's own. */
  readonly baseUrl?: string;
}

/**
 * How to reach the external providers. With real keys the addresses are undefined, and the SDKs use their defaults. A
 * sandbox sets every field. `composition/compose.ts` builds the settings once.
 */
export interface ProviderSettings {
  readonly clerk: ClerkSettings;
  readonly replicate: ReplicateSettings;
  readonly stripe: StripeSettings;
  /** True for each provider that is a sandbox. Demo accounts in the SPA and `test-` predictions need a sandbox. */
  readonly sandboxes: { readonly clerk: boolean; readonly replicate: boolean; readonly stripe: boolean };
}

/** Settings of the providers that run as sandboxes; the others are absent. */
export type SandboxSettings = Partial<Pick<ProviderSettings, 'clerk' | 'replicate' | 'stripe'>>;

/** Hosts from which Replicate delivers outputs. */
const REPLICATE_OUTPUT_HOSTS = ['replicate.delivery', '*.replicate.delivery'];

/**
 * Combines the keys of the configuration with the settings of the sandboxes. Each provider must have one of the two.
 */
export function providerSettings(
  config: Pick<Config, 'clerk' | 'replicate' | 'stripe'>,
  sandboxes: SandboxSettings,
): ProviderSettings {
  const clerk = sandboxes.clerk ?? config.clerk;
  const replicate =
    sandboxes.replicate ?? (config.replicate && { ...config.replicate, outputHosts: REPLICATE_OUTPUT_HOSTS });
  const stripe = sandboxes.stripe ?? config.stripe;
  if (!clerk || !replicate || !stripe) throw new Error('A provider has neither keys nor a sandbox.');
  return {
    clerk,
    replicate,
    stripe,
    sandboxes: {
      clerk: sandboxes.clerk !== undefined,
      replicate: sandboxes.replicate !== undefined,
      stripe: sandboxes.stripe !== undefined,
    },
  };
}

/** Injection token of the `ProviderSettings`. */
export const PROVIDER_SETTINGS = Symbol('PROVIDER_SETTINGS');
