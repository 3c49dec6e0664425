import {
  applyDecorators,
  createParamDecorator,
  Get,
  HttpCode,
  Post,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type FunctionCalls, type FunctionName, type RpcCalls, type RpcName } from '../../contract/calls.js';
import { RATE_LIMITS, type RateLimit } from '../../contract/rate-limits.js';
import { type Access, type Role } from '../../contract/roles.js';
import { type OtherRoute, type OtherRoutes, type TableName } from '../../contract/routes.js';
import { type NoParameters } from '../../contract/scalars.js';
import { type Actor } from '../acts/actor.js';
import { type Principal } from '../principal.js';
import { type ContextRequest } from './context-request.js';
import { type BodyOptions } from './json-body.js';
import { type ReadableTable, type TableShape } from './table-reads.js';

export interface RouteOptions extends BodyOptions {
  /** On `public` calls no token is needed, but one that is sent is verified. */
  readonly access: Access;
  /** Other roles that may call it as well. Refusals name only `access`. */
  readonly alsoFor?: readonly Role[];
  /** Read the caller's roles from the identity provider itself instead of the mirror: for every admin write. */
  readonly freshRoles?: boolean;
  /**
   * Refuse callers whose last verification is older than `REVERIFY_AFTER_MINUTES`: acts that move money. No
   * call changes roles: they belong to the identity provider. A call that does several things decides by its body.
   */
  readonly reverified?: boolean | ((body: unknown) => boolean);
  /**
   * Counted before the body is read; undefined means not limited. A call that does several things chooses by its body,
   * and is counted after it.
   */
  readonly limit?: RateLimit | ((body: unknown) => RateLimit);
  /** Lifts the request's budget for the database: for reports that read many pages, each with a limit of its own. */
  readonly unlimitedDatabaseTime?: boolean;
  /** Message of the 401 when `access` is not met; the spec words it per operation. */
  readonly authenticationMessage?: string;
}

/** Options of the calls that admins read with. */
export const ADMIN_READ: RouteOptions = { access: 'admin', limit: RATE_LIMITS.adminData };

/** Options of acts of admins. */
export const ADMIN_ACT: RouteOptions = {
  access: 'admin',
  freshRoles: true,
  limit: RATE_LIMITS.adminActs,
};

/** Options of acts of admins that move money. */
export const ADMIN_MONEY: RouteOptions = {
  access: 'admin',
  freshRoles: true,
  reverified: true,
  limit: RATE_LIMITS.financialOps,
};

/** Access of finance, and of admins as well. */
export const FINANCE: RouteOptions = { access: 'finance', alsoFor: ['admin'] };

/** Options of a call for signed-in users; `action` completes the message of the 401. */
export function signedIn(action: string, limit: NonNullable<RouteOptions['limit']>): RouteOptions {
  return { access: 'user', authenticationMessage: `Authentication required to ${action}`, limit };
}

export const ROUTE_OPTIONS = Symbol('ROUTE_OPTIONS');

/** Within the declaration below, `RouteOptions` is Fastify's. */
type OwnRouteOptions = RouteOptions;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Undefined for routes without a handler of the product, such as pages and files. */
    options?: OwnRouteOptions;
  }
}

/** Where the contract (`src/contract`) describes a handler. */
export type ContractEntry =
  | { readonly kind: 'rpc'; readonly name: RpcName }
  | { readonly kind: 'function'; readonly name: FunctionName }
  | { readonly kind: 'table'; readonly table: TableShape }
  | { readonly kind: 'other'; readonly name: OtherRoute };

export const CONTRACT_ENTRY = Symbol('CONTRACT_ENTRY');

/**
 * Access and rate limit of a handler that the contract does not name. A handler without options is refused by the
 * guard.
 */
export function Route(options: RouteOptions): MethodDecorator {
  const { maxBodyBytes, maxItems, rawBody } = options;
  const body: BodyOptions = {
    ...(maxBodyBytes && { maxBodyBytes }),
    ...(maxItems && { maxItems }),
    ...(rawBody && { rawBody }),
  };
  return applyDecorators(SetMetadata(ROUTE_OPTIONS, options), RouteConfig({ ...body, options }));
}

/**
 * `POST /rest/v1/rpc/<name>`: a remote procedure of the contract, answered with 200. A handler whose request or
 * answer differs from the contract does not compile.
 */
export function Rpc<Name extends RpcName>(name: Name, options: RouteOptions): HandlerOf<RpcCalls[Name]> {
  return route(Post(`rest/v1/rpc/${name}`), options, { kind: 'rpc', name });
}

/** `POST /functions/v1/<name>`: a server function of the contract; otherwise like {@link Rpc}. */
export function Fn<Name extends FunctionName>(name: Name, options: RouteOptions): HandlerOf<FunctionCalls[Name]> {
  return route(Post(`functions/v1/${name}`), options, { kind: 'function', name });
}

/** `GET /rest/v1/<table>`: a table of the contract. The handler sends with `sendRows`. */
export function ReadTable<Name extends TableName>(table: ReadableTable<Name>, options: RouteOptions): MethodDecorator {
  return route(Get(`rest/v1/${table.name}`), options, { kind: 'table', table });
}

/** Any other route of the contract, answered with 200. Only JSON answers are type-checked. */
export function Endpoint<Name extends OtherRoute>(
  name: Name,
  options: RouteOptions,
): OtherRoutes[Name]['content'] extends 'application/json' ? AnswerOf<OtherRoutes[Name]['response']> : MethodDecorator {
  const [method, path = ''] = name.split(' ');
  const pattern = path.replace(/\{(\w+)\}/g, ':$1');
  return route(method === 'GET' ? Get(pattern) : Post(pattern), options, { kind: 'other', name });
}

function route(method: MethodDecorator, options: RouteOptions, entry: ContractEntry): MethodDecorator {
  return applyDecorators(method, HttpCode(200), Route(options), SetMetadata(CONTRACT_ENTRY, entry));
}

type Handler = (...args: never[]) => unknown;

/** Decorates methods that take the request of a call as their body and return its response. */
type HandlerOf<Call extends { request: unknown; response: unknown }> = <Method extends Handler>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method> & Takes<Method, Call['request']> & Answers<Method, Call['response']>,
) => void;

/** Decorates methods that return `Response`. */
type AnswerOf<Response> = <Method extends Handler>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method> & Answers<Method, Response>,
) => void;

/** Parameters of a handler that are not the body. */
type NotTheBody = Principal | Actor | FastifyRequest | FastifyReply | string | null | undefined;
type BodyOf<Method extends Handler> = Exclude<Parameters<Method>[number], NotTheBody>;

/** `unknown` when the method takes the request of the call, or no body for a call without parameters. */
type Takes<Method extends Handler, Request> =
  Identical<[BodyOf<Method>] extends [never] ? NoParameters : BodyOf<Method>, Request> extends true
    ? unknown
    : ['The handler must take the request of the contract', Request];

/** `unknown` when the method returns the response, or a promise of it. */
type Answers<Method extends Handler, Response> =
  Identical<Readonly<Awaited<ReturnType<Method>>>, Readonly<Response>> extends true
    ? unknown
    : ['The handler must answer as the contract says', Response];

/** Also distinguishes optional fields, which are assignable in both directions. */
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

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
