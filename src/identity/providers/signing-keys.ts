import { Inject, Injectable, Logger } from '@nestjs/common';
import { type ClerkClient } from '@clerk/backend';
import { exportSPKI, importJWK, type CryptoKey, type JWK } from 'jose';
import { Clock } from '../../platform/clock.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { CLERK } from './clerk.js';

/** After this a rotated key is no longer trusted without looking again. */
const MAX_AGE_MS = 3_600_000;
/** A token that names an unknown key makes us ask the provider at most this often. */
const COOLDOWN_MS = 30_000;

/** The provider's keys cannot be had. */
export class SigningKeysUnavailableError extends Error {
  override readonly name = 'SigningKeysUnavailableError';
}

/**
 * Public keys of session tokens: the one in the settings, or those of the provider's JWKS, kept. The SDK would fetch
 * the JWKS for every token that names an unknown key, which lets a stranger make us call the provider at will.
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
   * The PEM of the key with this id, or null when there is none.
   * @throws SigningKeysUnavailableError when keys were never loaded and cannot be now
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
      const entries = await Promise.all((keys ?? []).map(async (key) => [key.kid, await pemOf(key)] as const));
      this.keys = new Map(entries);
      this.loadedAt = this.clock.now().getTime();
    } catch (error) {
      this.logger.error({ message: 'The keys of session tokens could not be loaded; known ones stay in use.', error });
    }
  }
}

async function pemOf(key: object): Promise<string> {
  // Without `oct` keys, which a JWKS never shows, the import gives a CryptoKey.
  return exportSPKI((await importJWK(key as JWK, 'RS256', { extractable: true })) as CryptoKey);
}
