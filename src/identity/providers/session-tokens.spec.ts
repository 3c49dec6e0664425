import { beforeAll, describe, expect, it } from '@jest/globals';
import { exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { SystemClock } from '../../platform/clock.js';
import { type Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/domain-error.js';
import { type ProviderSettings } from '../../platform/config/provider-settings.js';
import { type SigningKeys, SigningKeysUnavailableError } from './signing-keys.js';
import { authorizedParties, SessionTokens } from './session-tokens.js';

const CONFIG = { publicUrl: 'https://fanvas.example/', port: 3000 };
const REFUSED = 'Authentication failed: Your session may have expired. Please sign in again.';
const BAD_USER_ID = 'Invalid user identification format. Please try signing in again.';

let privateKey: CryptoKey;
let publicPem: string;
beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  privateKey = pair.privateKey;
  publicPem = await exportSPKI(pair.publicKey);
});

function tokensWith(find: SigningKeys['find']): SessionTokens {
  const settings = { sandboxes: { clerk: false } } as ProviderSettings;
  return new SessionTokens(CONFIG as Config, settings, { find } as SigningKeys, new SystemClock());
}

/** A verifier with the key of `sign`, under the id `key_1`. */
function tokens(): SessionTokens {
  return tokensWith(async (keyId) => (keyId === 'key_1' ? publicPem : null));
}

/** A valid token with these claims changed. Times are in seconds from now. */
function sign(claims: JWTPayload = {}, { keyId = 'key_1', age = 10, validFor = 60 } = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ sub: 'user_Mira1', sid: 'sess_1', azp: 'https://fanvas.example', ...claims })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId === '' ? {} : { kid: keyId }) })
    .setIssuedAt(now - age)
    .setNotBefore(now - age)
    .setExpirationTime(now + validFor)
    .sign(privateKey);
}

/** The kind, message and details of the error with which the token is refused. */
async function refusal(token: string, verifier = tokens()): Promise<unknown> {
  try {
    await verifier.verify(token);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { kind, message, details } = error;
    return { kind, message, details };
  }
}

describe('SessionTokens', () => {
  it('returns the user and the session of a valid token', async () => {
    expect(await tokens().verify(await sign())).toEqual({
      userId: 'user_Mira1',
      sessionId: 'sess_1',
      verifiedMsAgo: null,
    });
  });

  it('accepts a token for our audience, of an active session, and without a session id', async () => {
    const token = await sign({ aud: 'authenticated', sts: 'active', sid: undefined });
    expect(await tokens().verify(token)).toMatchObject({ userId: 'user_Mira1', sessionId: '' });
  });

  it('adds the age of the token to the age of the last verification', async () => {
    const { verifiedMsAgo } = await tokens().verify(await sign({ fva: [12, -1] }, { age: 50 }));
    expect(verifiedMsAgo).toBeGreaterThanOrEqual(12 * 60_000 + 49_000);
    expect(verifiedMsAgo).toBeLessThan(13 * 60_000 + 49_000);
  });

  it.each([
    [{ aud: 'another' }, 'token-wrong-audience'],
    [{ aud: '' }, 'token-wrong-audience'],
    [{ sts: 'pending' }, 'session-not-active'],
    [{ azp: 'https://evil.example' }, 'token-invalid-authorized-parties'],
  ])('refuses a token with %j', async (claims, details) => {
    expect(await refusal(await sign(claims))).toEqual({ kind: 'unauthenticated', message: REFUSED, details });
  });

  it.each(['user_', 'Mira', 'xuser_Mira', 'user_Mira!', `user_${'a'.repeat(61)}`])(
    'refuses a token whose user id is %s',
    async (sub) => {
      expect(await refusal(await sign({ sub }))).toMatchObject({ kind: 'unauthenticated', message: BAD_USER_ID });
    },
  );

  it('allows a difference of the clocks of five seconds', async () => {
    expect(await refusal(await sign({}, { validFor: -2 }))).toBe('accepted');
    expect(await refusal(await sign({}, { validFor: -30 }))).toMatchObject({ details: 'token-expired' });
  });

  it('refuses a token that is signed with another key', async () => {
    const other = await generateKeyPair('RS256', { extractable: true });
    const pem = await exportSPKI(other.publicKey);
    const verifier = tokensWith(async () => pem);
    expect(await refusal(await sign(), verifier)).toMatchObject({ details: 'token-invalid-signature' });
  });

  it('refuses a token with an unknown key id, or without one', async () => {
    expect(await refusal(await sign({}, { keyId: 'key_2' }))).toMatchObject({ details: 'unknown-key' });
    const asked: string[] = [];
    const verifier = tokensWith(async (keyId) => {
      asked.push(keyId);
      return null;
    });
    expect(await refusal(await sign({}, { keyId: '' }), verifier)).toMatchObject({ details: 'unknown-key' });
    expect(asked).toEqual(['']);
  });

  it('refuses a text that is not a token', async () => {
    const expected = { kind: 'unauthenticated', message: REFUSED, details: 'token-invalid' };
    expect(await refusal('no token')).toEqual(expected);
  });

  it('answers that sign-in is unavailable when the keys cannot be loaded', async () => {
    const cause = new SigningKeysUnavailableError('no keys');
    const verifier = tokensWith(() => Promise.reject(cause));
    await expect(verifier.verify(await sign())).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'Sign-in cannot be checked right now. Please try again.',
      cause,
    });
  });
});

describe('authorizedParties', () => {
  it('accepts only the public origin when the identity provider is real', () => {
    expect(authorizedParties(CONFIG, false)).toEqual(['https://fanvas.example']);
  });

  it('accepts the loopback names at the app port when the sandbox runs', () => {
    expect(authorizedParties(CONFIG, true)).toEqual([
      'https://fanvas.example',
      'http://localhost:3000',
      'http://127.0.0.1:3000',
    ]);
  });
});
