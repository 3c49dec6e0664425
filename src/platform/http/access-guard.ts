import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyReply } from 'fastify';
import { REVERIFY_AFTER_MINUTES } from '../../contract/admin.js';
import { liftDatabaseBudget } from '../database/request-budget.js';
import { DomainError } from '../domain-error.js';
import { ApiError } from './api-error.js';
import { Authenticator, type Principal, type Role } from '../principal.js';
import { enforceRateLimit } from './enforce-rate-limit.js';
import { RateLimiter } from './rate-limits.js';
import { type ContextRequest } from './context-request.js';
import { ROUTE_OPTIONS, type RouteOptions } from './routes.js';

/** Runs before every handler: authenticates the caller, counts the call, checks the role and the last verification. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly rateLimiter: RateLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const options = this.reflector.get<RouteOptions | undefined>(ROUTE_OPTIONS, context.getHandler());
    if (!options) {
      // Fails closed: a route without declared access must not be open.
      throw new Error(`${context.getClass().name}.${context.getHandler().name} does not declare its access.`);
    }
    const request = context.switchToHttp().getRequest<ContextRequest>();
    const principal = await this.principalOf(request, options);
    request.fanvas = principal ? { principal } : {};

    if (options.limit) {
      const reply = context.switchToHttp().getResponse<FastifyReply>();
      const limit = typeof options.limit === 'function' ? options.limit(request.body) : options.limit;
      await enforceRateLimit(this.rateLimiter, limit, principal, request, reply);
    }
    if (principal && options.access !== 'public' && options.access !== 'user') {
      const roles = await this.authenticator.rolesOf(principal.userId, { fresh: options.freshRoles ?? false });
      const role = [options.access, ...(options.alsoFor ?? [])].find((each) => roles.has(each));
      if (role === undefined) throw new ApiError(403, refusalText(options.access), { code: '42501' });
      request.fanvas = { principal, role };
    }
    // After the role, so that others do not learn which calls need it
    const { reverified = false } = options;
    const verify = typeof reverified === 'function' ? reverified(request.body) : reverified;
    if (verify && !isRecentlyVerified(principal)) throw reverificationRequired();
    if (options.unlimitedDatabaseTime) liftDatabaseBudget();
    return true;
  }

  private async principalOf(request: ContextRequest, options: RouteOptions): Promise<Principal | undefined> {
    const token = bearerToken(request.headers.authorization);
    if (token !== null) {
      try {
        return await this.authenticator.authenticate(token);
      } catch (error) {
        // An expired token must not hide public pages.
        if (options.access !== 'public' || !isUnauthenticated(error)) throw error;
        return undefined;
      }
    }
    if (options.access === 'public') return undefined;
    throw new ApiError(401, options.authenticationMessage ?? 'Authentication required', { code: 'PGRST301' });
  }
}

/** For `admin`: 'Admin privileges required'. */
function refusalText(role: Role): string {
  return `${role.charAt(0).toUpperCase()}${role.slice(1)} privileges required`;
}

function isRecentlyVerified(principal: Principal | undefined): boolean {
  const ms = principal?.verifiedMsAgo ?? null;
  return ms !== null && ms < REVERIFY_AFTER_MINUTES * 60_000;
}

function reverificationRequired(): ApiError {
  return new ApiError(403, 'Please verify your identity again to continue.', {
    code: '42501',
    hint: `This needs a verification that is at most ${REVERIFY_AFTER_MINUTES} minutes old.`,
    reverification: {
      type: 'forbidden',
      reason: 'reverification-error',
      // The level of Clerk's preset `moderate`
      metadata: { reverification: { level: 'second_factor', afterMinutes: REVERIFY_AFTER_MINUTES } },
    },
  });
}

function isUnauthenticated(error: unknown): boolean {
  if (error instanceof DomainError) return error.kind === 'unauthenticated';
  return error instanceof ApiError && error.status === 401;
}

function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer +([^\s]+)$/i.exec(header ?? '');
  return match?.[1] ?? null;
}
