export type Role = 'admin' | 'finance' | 'auditor';

/** Who sends the request, proven by the session token and nothing else. */
export interface Principal {
  /** Identity provider's user id. */
  readonly userId: string;
  readonly sessionId: string;
}

/** Turns bearer tokens into principals and knows their roles. The identity context provides it to the HTTP layer. */
export abstract class Authenticator {
  /**
   * Verifies a session token without a network call and makes sure that the user is mirrored.
   * @throws ApiError 401 when the token is missing its proof, expired, or made for another site
   */
  abstract authenticate(bearerToken: string): Promise<Principal>;

  /** Roles from the mirror, or from the provider itself when `fresh` (admin writes). */
  abstract rolesOf(userId: string, options?: { fresh?: boolean }): Promise<ReadonlySet<Role>>;
}
