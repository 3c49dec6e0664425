import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  Post,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Principal } from './principal.js';
import { type RateLimit } from './rate-limits.js';

/**
 * `public`: needs no token, but one that is sent is verified. `user`: signed in. Any other value is a role that the signed-in
 * caller must hold; an unknown role refuses every caller.
 */
export type Access = string;

export interface RouteOptions {
  readonly access: Access;
  /** Read the caller's roles from the identity provider itself instead of the mirror: for every admin write. */
  readonly freshRoles?: boolean;
  /** Counted before the handler runs; undefined means not limited. A call that does several things chooses by its body. */
  readonly limit?: RateLimit | ((body: unknown) => RateLimit);
  /** Lifts the request's budget for the database: for reports that read many pages, each with a limit of its own. */
  readonly unlimitedDatabaseTime?: boolean;
  /** Message of the 401 when `access` is not met; the spec words it per operation. */
  readonly authenticationMessage?: string;
}

export const ROUTE_OPTIONS = Symbol('ROUTE_OPTIONS');

/** Access and rate limit of any handler. A handler without them (or `@Rpc`) is refused by the guard. */
export function Route(options: RouteOptions): MethodDecorator {
  return SetMetadata(ROUTE_OPTIONS, options);
}

/** `POST /rest/v1/rpc/<name>`: a remote procedure of the wire contract, answered with 200. */
export function Rpc(name: string, options: RouteOptions): MethodDecorator {
  return applyDecorators(Post(`rest/v1/rpc/${name}`), HttpCode(200), Route(options));
}

/** `POST /functions/v1/<name>`: a server function of the wire contract, answered with 200. */
export function Fn(name: string, options: RouteOptions): MethodDecorator {
  return applyDecorators(Post(`functions/v1/${name}`), HttpCode(200), Route(options));
}

/** What the guard found out about the request. */
export interface RequestContext {
  principal?: Principal;
}

export type ContextRequest = FastifyRequest & { fanvas?: RequestContext };

/** The signed-in caller; only on routes whose access is not `public`. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const principal = context.switchToHttp().getRequest<ContextRequest>().fanvas?.principal;
  if (!principal) throw new Error('CurrentUser was used on a route that does not require a user.');
  return principal;
});

/** The caller if signed in, else null; for public routes that show more to some. */
export const OptionalUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal | null =>
    context.switchToHttp().getRequest<ContextRequest>().fanvas?.principal ?? null,
);
