import { Inject, Injectable, Logger } from '@nestjs/common';
import { type ClerkClient } from '@clerk/backend';
import { type Role } from '../../contract/roles.js';
import { DomainError } from '../../platform/domain-error.js';
import { Authenticator, type Principal } from '../../platform/principal.js';
import { CLERK, hasActiveSession } from './clerk.js';
import { refusedToken, SessionTokens } from './session-tokens.js';
import { type ProviderUser } from './provider-user.js';
import { UserMirror } from '../user-mirror.js';
import { Users } from '../users.js';

/** Authenticates with Clerk's session tokens and the mirrored users. */
@Injectable()
export class ClerkAuthenticator extends Authenticator {
  private readonly logger = new Logger(ClerkAuthenticator.name);

  constructor(
    private readonly tokens: SessionTokens,
    private readonly users: Users,
    private readonly mirror: UserMirror,
    @Inject(CLERK) private readonly clerk: ClerkClient,
  ) {
    super();
  }

  override async authenticate(bearerToken: string): Promise<Principal> {
    const principal = await this.tokens.verify(bearerToken);
    const presence = await this.users.presenceOf(principal.userId);
    if (presence !== 'present') throw refusedToken(`user-${presence}`);
    return principal;
  }

  override async isActive(principal: Principal): Promise<boolean> {
    try {
      if ((await this.users.presenceOf(principal.userId)) !== 'present') return false;
      return await hasActiveSession(this.clerk, principal);
    } catch (error) {
      this.logger.warn({ message: 'A session could not be checked.', userId: principal.userId, error });
      return true;
    }
  }

  /** @throws DomainError unavailable when `fresh` and the provider does not answer: admin writes need current roles */
  override async rolesOf(userId: string, options: { fresh?: boolean } = {}): Promise<ReadonlySet<Role>> {
    if (options.fresh) return new Set((await this.readFromProvider(userId))?.roles ?? []);
    const row = await this.mirror.find(userId);
    return new Set(row && !row.deleted_at && !row.missing_at ? row.roles : []);
  }

  private async readFromProvider(userId: string): Promise<ProviderUser | null> {
    try {
      return await this.users.refresh(userId);
    } catch (error) {
      throw new DomainError('unavailable', 'Your permissions cannot be checked right now. Please try again.', {
        cause: error,
      });
    }
  }
}
