import { type CanActivate, type ExecutionContext, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { REVERIFY_AFTER_MINUTES } from '../../contract/admin.js';
import { type Role } from '../../contract/roles.js';
import { liftDatabaseBudget } from '../database/request-budget.js';
import { DomainError } from '../domain-error.js';
import { ApiError } from './api-error.js';
import { Authenticator, type Principal } from '../principal.js';
import { answerError } from './error-filter.js';
import { enforceRateLimit } from './enforce-rate-limit.js';
import { RateLimiter } from './rate-limits.js';
import { type ContextRequest } from './context-request.js';
import { ROUTE_OPTIONS, type RouteOptions } from './routes.js';

/**
 * Authenticates the caller, counts the call, and checks the role and the last verification, before the body is read: a
 * stranger must not make the server parse megabytes. What depends on the body is checked before the handler runs.
 */
@Injectable()
export class AccessGuard implements CanActivate, OnModuleInit {
  private readonly logger = new Logger(AccessGuard.name);

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly rateLimiter: RateLimiter,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', (request, reply, done) => {
      const { options } = request.routeOptions.config;
      if (!options) return done();
      this.admit(request, reply, options).then(
        () => done(),
        (error: unknown) => answerError(this.logger, error, request, reply),
      );
    });
  }

  /** @throws ApiError, DomainError for a caller who may not call, or not now */
  async admit(request: ContextRequest, reply: FastifyReply, options: RouteOptions): Promise<void> {
    const { access, alsoFor = [], freshRoles: fresh = false, limit, reverified } = options;
    const principal = await this.principalOf(request, options);
    request.fanvas = principal ? { principal } : {};

    if (limit && typeof limit !== 'function') {
      await enforceRateLimit(this.rateLimiter, limit, principal, request, reply);
    }
    if (principal && access !== 'public' && access !== 'user') {
      const roles = await this.authenticator.rolesOf(principal.userId, { fresh });
      const role = [access, ...alsoFor].find((each) => roles.has(each));
      if (role === undefined) throw new ApiError(403, refusalText(access), { code: '42501' });
      request.fanvas = { principal, role };
    }
    // After the role, so that others do not learn which calls need it
    if (reverified === true && !isRecentlyVerified(principal)) throw reverificationRequired();
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const options = this.reflector.get<RouteOptions | undefined>(ROUTE_OPTIONS, context.getHandler());
    const request = context.switchToHttp().getRequest<ContextRequest>();
    if (!options || !request.fanvas) {
      // Fails closed: a route without declared access must not be open.
      throw new Error(`${context.getClass().name}.${context.getHandler().name} does not declare its access.`);
    }
    const { principal } = request.fanvas;
    const { limit, reverified } = options;
    if (typeof limit === 'function') {
      const reply = context.switchToHttp().getResponse<FastifyReply>();
      await enforceRateLimit(this.rateLimiter, limit(request.body), principal, request, reply);
    }
    if (typeof reverified === 'function' && reverified(request.body) && !isRecentlyVerified(principal)) {
      throw reverificationRequired();
    }
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
export function refusalText(role: Role): string {
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
