import { Inject, Injectable } from '@nestjs/common';
import { verifyToken } from '@clerk/backend';
import { TokenVerificationError } from '@clerk/backend/errors';
import { decodeProtectedHeader } from 'jose';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type Principal } from '../../platform/http/principal.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { SigningKeys, SigningKeysUnavailableError } from './signing-keys.js';

/** How far the provider's clock and ours may differ. */
const CLOCK_SKEW_MS = 5_000;
/** `aud` of the `supabase` template; the default token has none. A token made for another audience is not for us. */
const AUDIENCE = 'authenticated';
const USER_ID = /^user_[A-Za-z0-9]{1,60}$/;

/** Tells real session tokens from everything else, without asking anybody. */
@Injectable()
export class SessionTokens {
  private readonly authorizedParties: string[];

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(PROVIDER_SETTINGS) settings: ProviderSettings,
    private readonly keys: SigningKeys,
  ) {
    this.authorizedParties = authorizedParties(config, settings.sandboxes.clerk);
  }

  /** @throws ApiError 401 for a token that proves nothing, 503 when the keys cannot be had */
  async verify(token: string): Promise<Principal> {
    const claims = await this.claimsOf(token);
    const { sub, sid, aud, sts } = claims;
    if (aud !== undefined && aud !== AUDIENCE) throw refusedToken('token-wrong-audience');
    if (sts !== undefined && sts !== 'active') throw refusedToken('session-not-active');
    if (typeof sub !== 'string' || !USER_ID.test(sub)) {
      throw new ApiError(401, 'Invalid user identification format. Please try signing in again.');
    }
    // Tokens made from a template of a real instance do not name their session.
    return { userId: sub, sessionId: typeof sid === 'string' ? sid : '' };
  }

  private async claimsOf(token: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const jwtKey = await this.keys.find(decodeProtectedHeader(token).kid ?? '');
      if (jwtKey === null) throw refusedToken('unknown-key');
      return await verifyToken(token, {
        jwtKey,
        authorizedParties: this.authorizedParties,
        clockSkewInMs: CLOCK_SKEW_MS,
      });
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (error instanceof SigningKeysUnavailableError) {
        throw new ApiError(503, 'Sign-in cannot be checked right now. Please try again.', { cause: error });
      }
      // Nothing but the token itself can fail here.
      throw refusedToken(error instanceof TokenVerificationError ? error.reason : 'token-invalid', error);
    }
  }
}

/** The 401 of the spec (section 8). `reason` is a word for programs. */
export function refusedToken(reason: string, cause?: unknown): ApiError {
  return new ApiError(401, 'Authentication failed: Your session may have expired. Please sign in again.', {
    details: reason,
    cause,
  });
}

/** Origins whose pages may hold our tokens; beside the sandbox also the other spellings of this machine. */
function authorizedParties(config: Pick<Config, 'publicUrl' | 'port'>, sandbox: boolean): string[] {
  const local = [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`];
  return [...new Set([new URL(config.publicUrl).origin, ...(sandbox ? local : [])])];
}
