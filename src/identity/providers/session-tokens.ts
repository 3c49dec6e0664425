import { Inject, Injectable } from '@nestjs/common';
import { verifyToken } from '@clerk/backend';
import { TokenVerificationError } from '@clerk/backend/errors';
import { decodeProtectedHeader } from 'jose';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/domain-error.js';
import { type Principal } from '../../platform/principal.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { SigningKeys, SigningKeysUnavailableError } from './signing-keys.js';
import { verifiedMsAgo } from './verified-ms-ago.js';

/** Accepted difference between the provider's clock and ours. */
const CLOCK_SKEW_MS = 5_000;
/** `aud` of the `supabase` template. The default token has none. Tokens for another audience are refused. */
const AUDIENCE = 'authenticated';
const USER_ID = /^user_[A-Za-z0-9]{1,60}$/;

/** Verifies session tokens without a network call. */
@Injectable()
export class SessionTokens {
  private readonly authorizedParties: string[];

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(PROVIDER_SETTINGS) settings: ProviderSettings,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {
    this.authorizedParties = authorizedParties(config, settings.sandboxes.clerk);
  }

  /** @throws DomainError unauthenticated for an invalid token, unavailable when the keys cannot be loaded */
  async verify(token: string): Promise<Principal> {
    const claims = await this.verifiedClaims(token);
    const { sub, sid, aud, sts, fva, iat } = claims;
    if (aud !== undefined && aud !== AUDIENCE) throw refusedToken('token-wrong-audience');
    if (sts !== undefined && sts !== 'active') throw refusedToken('session-not-active');
    if (typeof sub !== 'string' || !USER_ID.test(sub)) {
      throw new DomainError('unauthenticated', 'Invalid user identification format. Please try signing in again.');
    }
    // Tokens from a template of a real Clerk instance carry no session id.
    return {
      userId: sub,
      sessionId: typeof sid === 'string' ? sid : '',
      verifiedMsAgo: verifiedMsAgo(fva, iat, this.clock.now()),
    };
  }

  private async verifiedClaims(token: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const jwtKey = await this.keys.find(decodeProtectedHeader(token).kid ?? '');
      if (jwtKey === null) throw refusedToken('unknown-key');
      return await verifyToken(token, {
        jwtKey,
        authorizedParties: this.authorizedParties,
        clockSkewInMs: CLOCK_SKEW_MS,
      });
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (error instanceof SigningKeysUnavailableError) {
        throw new DomainError('unavailable', 'Sign-in cannot be checked right now. Please try again.', {
          cause: error,
        });
      }
      // Every other error is caused by the token.
      throw refusedToken(error instanceof TokenVerificationError ? error.reason : 'token-invalid', error);
    }
  }
}

/** The 401 of the fan spec, section 8. `reason` is for programs and goes into `details`. */
export function refusedToken(reason: string, cause?: unknown): DomainError {
  return new DomainError(
    'unauthenticated',
    'Authentication failed: Your session may have expired. Please sign in again.',
    {
      details: reason,
      cause,
    },
  );
}

/** Origins that may present our tokens. With the sandbox, also the loopback names of this machine. */
export function authorizedParties(config: Pick<Config, 'publicUrl' | 'port'>, sandbox: boolean): string[] {
  const local = [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`];
  return [...new Set([new URL(config.publicUrl).origin, ...(sandbox ? local : [])])];
}
