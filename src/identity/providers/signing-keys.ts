import { Inject, Injectable, Logger } from '@nestjs/common';
import { type ClerkClient } from '@clerk/backend';
import { exportSPKI, importJWK, type CryptoKey, type JWK } from 'jose';
import { Clock } from '../../platform/clock.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { CLERK } from './clerk.js';

/** Age at which the keys are loaded again, so that a rotated key stops being trusted. */
const MAX_AGE_MS = 3_600_000;
/** Shortest time between two requests to the provider. Tokens with unknown key ids cannot cause more. */
const COOLDOWN_MS = 30_000;

/** The provider's keys could not be loaded. */
export class SigningKeysUnavailableError extends Error {
  override readonly name = 'SigningKeysUnavailableError';
}

/**
 * Public keys of session tokens: the one in the settings, or the provider's JWKS, cached. The SDK itself would fetch
 * the JWKS for every token with an unknown key id, so any client could make us call the provider at will.
 */
@Injectable()
export class SigningKeys {
  private readonly logger = new Logger(SigningKeys.name);
  private readonly fixed: string | undefined;
  private keys: ReadonlyMap<string, string> = new Map();
  private askedAt = Number.NEGATIVE_INFINITY;
  private loadedAt = Number.NEGATIVE_INFINITY;
  private loading: Promise<void> | null = null;

  constructor(
    @Inject(PROVIDER_SETTINGS) settings: ProviderSettings,
    @Inject(CLERK) private readonly clerk: ClerkClient,
    private readonly clock: Clock,
  ) {
    this.fixed = settings.clerk.jwtKey;
  }

  /**
   * The PEM of the key with this id. Null when there is none.
   * @throws SigningKeysUnavailableError when no keys were ever loaded and loading fails now
   */
  async find(keyId: string): Promise<string | null> {
    if (this.fixed !== undefined) return this.fixed;
    const now = this.clock.now().getTime();
    const stale = now - this.loadedAt > MAX_AGE_MS || !this.keys.has(keyId);
    if (stale && now - this.askedAt > COOLDOWN_MS) {
      this.askedAt = now;
      this.loading = this.load().finally(() => {
        this.loading = null;
      });
    }
    if (stale && this.loading) await this.loading;
    if (this.keys.size === 0) throw new SigningKeysUnavailableError('The keys of session tokens could not be loaded.');
    return this.keys.get(keyId) ?? null;
  }

  private async load(): Promise<void> {
    try {
      const { keys } = await this.clerk.jwks.getJwks();
      const entries = await Promise.all((keys ?? []).map(async (key) => [key.kid, await toPem(key)] as const));
      this.keys = new Map(entries);
      this.loadedAt = this.clock.now().getTime();
    } catch (error) {
      this.logger.error({ message: 'The keys of session tokens could not be loaded; known ones stay in use.', error });
    }
  }
}

async function toPem(key: object): Promise<string> {
  // A JWKS holds no `oct` keys, so the import returns a CryptoKey.
  return exportSPKI((await importJWK(key as JWK, 'RS256', { extractable: true })) as CryptoKey);
}
