import { randomUUID } from 'node:crypto';
import { exportJWK, importPKCS8, importSPKI, SignJWT, type CryptoKey, type JWK } from 'jose';
import { type SandboxKeys } from './keys.js';
import { type SessionRecord, type UserRecord } from './state.js';

const KEY_ID = 'ins_sandbox';
const ISSUER = 'https://clerk.sandbox.localhost';
/** The lifetime of Clerk's session tokens. */
const LIFETIME_SECONDS = 60;
/** Clerk backdates `nbf` for servers whose clocks lag. */
const NOT_BEFORE_SECONDS = 10;

/** Signs session tokens (RS256) as Clerk does. */
export class TokenSigner {
  private constructor(
    private readonly signingKey: CryptoKey,
    /** The public key, as `/v1/jwks` returns it. */
    readonly jwk: JWK,
    private readonly now: () => Date,
  ) {}

  static async create(keys: SandboxKeys, now: () => Date): Promise<TokenSigner> {
    const publicKey = await importSPKI(keys.publicKey, 'RS256', { extractable: true });
    const jwk: JWK = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
    return new TokenSigner(await importPKCS8(keys.signingKey, 'RS256'), jwk, now);
  }

  /** The default session token. @param origin the requesting page's origin (claim `azp`); null omits the claim */
  sessionToken(session: SessionRecord, origin: string | null): Promise<string> {
    const { userId: sub, id: sid } = session;
    return this.sign({ ...party(origin), sub, sid, sts: 'active', v: 2, fva: factorAges(session, this.now()) });
  }

  /** A token for a template, or null when the template is unknown. Unlike the session token it has no `fva`. */
  templateToken(
    template: string,
    session: SessionRecord,
    user: UserRecord,
    origin: string | null,
  ): Promise<string> | null {
    if (template !== 'supabase') return null;
    return this.sign({
      ...party(origin),
      sub: session.userId,
      sid: session.id,
      aud: 'authenticated',
      role: 'authenticated',
      email: user.email,
      app_metadata: {},
      user_metadata: {},
    });
  }

  private sign(claims: Record<string, unknown>): Promise<string> {
    const issuedAt = Math.floor(this.now().getTime() / 1000);
    return new SignJWT({ ...claims, jti: randomUUID() })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })
      .setIssuer(ISSUER)
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt - NOT_BEFORE_SECONDS)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(this.signingKey);
  }
}

/**
 * The claim `fva`: minutes since the verification of the first and of the second factor. No user has a second factor
 * (-1).
 */
export function factorAges({ verifiedAt }: SessionRecord, now: Date): [first: number, second: number] {
  return [Math.max(0, Math.floor((now.getTime() - verifiedAt) / 60_000)), -1];
}

function party(origin: string | null): { azp?: string } {
  return origin === null ? {} : { azp: origin };
}
