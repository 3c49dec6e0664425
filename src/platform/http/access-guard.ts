import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyReply } from 'fastify';
import { liftDatabaseBudget } from '../database/request-budget.js';
import { DomainError } from '../domain-error.js';
import { ApiError } from './api-error.js';
import { Authenticator, type Principal, type Role } from './principal.js';
import { enforceRateLimit } from './enforce-rate-limit.js';
import { RateLimiter } from './rate-limits.js';
import { ROUTE_OPTIONS, type ContextRequest, type RouteOptions } from './routes.js';

/** Stands before every handler: proves who calls, counts the call, checks the role. */
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
      // Failing closed: a route nobody thought about must not be open.
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
      if (!roles.has(options.access)) throw new ApiError(403, REFUSALS[options.access], { code: '42501' });
    }
    // Auditors read whole accounts, page by page: each page has a limit of its own, and there may be many.
    if (options.access === 'auditor') liftDatabaseBudget();
    return true;
  }

  private async principalOf(request: ContextRequest, options: RouteOptions): Promise<Principal | undefined> {
    const token = bearerToken(request.headers.authorization);
    if (token !== null) {
      try {
        return await this.authenticator.authenticate(token);
      } catch (error) {
        // A visitor's expired token must not hide public pages from them.
        if (options.access !== 'public' || !isUnauthenticated(error)) throw error;
        return undefined;
      }
    }
    if (options.access === 'public') return undefined;
    throw new ApiError(401, options.authenticationMessage ?? 'Authentication required', { code: 'PGRST301' });
  }
}

const REFUSALS: Readonly<Record<Role, string>> = {
  admin: 'Admin privileges required',
  finance: 'Finance privileges required',
  auditor: 'Auditor privileges required',
};

function isUnauthenticated(error: unknown): boolean {
  if (error instanceof DomainError) return error.kind === 'unauthenticated';
  return error instanceof ApiError && error.status === 401;
}

function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer +([^\s]+)$/i.exec(header ?? '');
  return match?.[1] ?? null;
}
