import { type Role } from '../contract/roles.js';

/** The caller of a request, as the session token proves it. */
export interface Principal {
  /** User id of the identity provider. */
  readonly userId: string;
  readonly sessionId: string;
  /** Time since the caller last proved their identity (milliseconds). Null when the token does not contain it. */
  readonly verifiedMsAgo: number | null;
}

/** Authenticates callers and reads their roles. The identity context implements it for the HTTP layer. */
export abstract class Authenticator {
  /**
   * Verifies a session token without a network call and ensures that the user is mirrored.
   * @throws DomainError `unauthenticated` when the token is forged, expired or issued for another site
   */
  abstract authenticate(bearerToken: string): Promise<Principal>;

  /**
   * Asks the provider whether the caller's session is still active, for connections that outlive a token. True when the
   * provider does not answer.
   */
  abstract isActive(principal: Principal): Promise<boolean>;

  /** Reads the roles from the mirror, or from the provider itself when `fresh` (admin writes). */
  abstract rolesOf(userId: string, options?: { fresh?: boolean }): Promise<ReadonlySet<Role>>;
}
