import { Controller, Logger } from '@nestjs/common';
import { type Role, ROLES } from '../../contract/roles.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Authenticator, type Principal } from '../../platform/principal.js';
import { OptionalUser, Rpc } from '../../platform/http/routes.js';

/** The calls of the identity context. */
@Controller()
export class IdentityController {
  private readonly logger = new Logger(IdentityController.name);

  constructor(private readonly authenticator: Authenticator) {}

  /** Whether the caller is an admin. False for visitors and on any error except a rate limit (fan spec, section 6). */
  @Rpc('check_admin_by_jwt', { access: 'public', limit: RATE_LIMITS.dataFetch })
  async checkAdmin(@OptionalUser() user: Principal | null): Promise<boolean> {
    if (!user) return false;
    try {
      return (await this.authenticator.rolesOf(user.userId)).has('admin');
    } catch (error) {
      this.logger.error({ message: 'Roles could not be read; answering that the caller is no admin.', error });
      return false;
    }
  }

  /** The roles of the caller. Empty for visitors and on any error except a rate limit, like {@link checkAdmin}. */
  @Rpc('get_own_roles_by_jwt', { access: 'public', limit: RATE_LIMITS.dataFetch })
  async ownRoles(@OptionalUser() user: Principal | null): Promise<readonly Role[]> {
    if (!user) return [];
    try {
      const roles = await this.authenticator.rolesOf(user.userId);
      return ROLES.filter((role) => roles.has(role));
    } catch (error) {
      this.logger.error({ message: 'Roles could not be read; answering that the caller has none.', error });
      return [];
    }
  }
}
