import { type INestApplication, type Type } from '@nestjs/common';
import { PARAMTYPES_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { type RateLimit } from '../../contract/rate-limits.js';
import { type OtherRoute } from '../../contract/routes.js';
import { type ContractEntry, CONTRACT_ENTRY, ROUTE_OPTIONS, type RouteOptions } from '../http/routes.js';
import { type TableShape } from '../http/table-reads.js';
import { answersOf, type Answers } from './answers.js';
import { type ContractSchemas, type Schema } from './contract-schemas.js';
import { requestSchema, isRequestClass } from './request-schema.js';

/** The parts of an OpenAPI 3.1 description that this application uses. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Answers;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** Methods that a path of OpenAPI 3.1 can have. */
const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

const DESCRIPTION = [
  'Calls of the Fanvas web app. Signed-in callers send a session token of the identity provider as a bearer token.',
  'Errors have the body `ErrorBody`; 429 and 503 carry `Retry-After` in seconds.',
].join(' ');

/**
 * Describes all routes of `app`. Paths and methods come from @nestjs/swagger, requests and responses from the contract,
 * limits of requests from the validation of their classes. Loading that package takes most of the time.
 */
export async function describeApi(
  app: INestApplication,
  contract: ContractSchemas,
  origin: string,
): Promise<ApiDocument> {
  const { DocumentBuilder, SwaggerModule } = await import('@nestjs/swagger');
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Fanvas')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addServer(origin)
    .addBearerAuth()
    .build();
  const routes = SwaggerModule.createDocument(app, settings, { operationIdFactory: handlerKey });

  const handlers = handlersOf(app.get(ModulesContainer));
  const unseen = new Set(Object.keys(contract.routes) as OtherRoute[]);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [path, methods] of Object.entries(routes.paths)) {
    for (const [method, route] of Object.entries(methods as Readonly<Record<string, Operation>>)) {
      if (!METHODS.has(method)) continue;
      const handler = handlers.get(route.operationId.replace(new RegExp(`_${method}$`), ''));
      if (!handler) throw new Error(`No handler was found for ${method} ${path}.`);
      if (handler.entry?.kind === 'other') unseen.delete(handler.entry.name);
      (paths[path] ??= {})[method] = operation(route, handler, contract);
    }
  }
  // Answered without Nest
  for (const name of unseen) {
    const [method = '', path = ''] = name.split(' ');
    const route = { operationId: name, tags: ['Server'], parameters: [] };
    const handler = { entry: { kind: 'other', name }, options: { access: 'public' }, requestClass: undefined } as const;
    (paths[path] ??= {})[method.toLowerCase()] = operation(route, handler, contract);
  }
  return {
    ...routes,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { ...routes.components, schemas: contract.schemas },
  };
}

interface DescribedHandler {
  readonly entry: ContractEntry | undefined;
  readonly options: RouteOptions;
  readonly requestClass: Type<object> | undefined;
}

function handlerKey(controller: string, method: string): string {
  return `${controller}.${method}`;
}

/** All handlers by class and method. */
export function handlersOf(modules: ModulesContainer): ReadonlyMap<string, DescribedHandler> {
  const found = new Map<string, DescribedHandler>();
  for (const { controllers } of modules.values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as object;
      for (const method of Object.getOwnPropertyNames(prototype)) {
        const handler = (prototype as Readonly<Record<string, unknown>>)[method];
        if (typeof handler !== 'function') continue;
        const options = Reflect.getMetadata(ROUTE_OPTIONS, handler) as RouteOptions | undefined;
        if (!options) continue;
        const key = handlerKey(metatype.name, method);
        if (found.has(key)) throw new Error(`Two controllers are called ${metatype.name}.`);
        const parameters = Reflect.getMetadata(PARAMTYPES_METADATA, prototype, method) as readonly unknown[];
        found.set(key, {
          entry: Reflect.getMetadata(CONTRACT_ENTRY, handler) as ContractEntry | undefined,
          options,
          requestClass: parameters.find(isRequestClass),
        });
      }
    }
  }
  return found;
}

function operation(
  route: Pick<Operation, 'operationId' | 'tags' | 'parameters'>,
  { entry, options, requestClass }: DescribedHandler,
  contract: ContractSchemas,
): Operation {
  const { operationId, description, request, parameters } = contractOf(entry, contract);
  const body = request && requestSchema(request, requestClass, contract);
  return {
    operationId: operationId ?? route.operationId,
    description: [description, accessText(options), limitText(options)].filter(Boolean).join('\n\n'),
    tags: route.tags,
    security: options.access === 'public' ? [] : [{ bearer: [] }],
    parameters: parameters ?? route.parameters,
    ...(body
      ? {
          requestBody: {
            required: (body.required ?? []).length > 0,
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    responses: answersOf(entry, contract),
  };
}

/** The parts of an operation that the contract describes, without its answers. */
function contractOf(
  entry: ContractEntry | undefined,
  contract: ContractSchemas,
): { operationId?: string; description?: string | undefined; request?: Schema; parameters?: readonly Parameter[] } {
  switch (entry?.kind) {
    case undefined:
      return { description: 'Refused: other tables cannot be read, and none can be written.' };
    case 'rpc':
      return { operationId: entry.name, ...contract.rpc[entry.name] };
    case 'function':
      return { operationId: entry.name, ...contract.functions[entry.name] };
    case 'table': {
      const { description } = contract.tables[entry.table.name];
      return { operationId: `read_${entry.table.name}`, description, parameters: tableParameters(entry.table) };
    }
    case 'other':
      return { operationId: identifier(entry.name), description: contract.routes[entry.name].description };
  }
}

/** `GET /docs/api` as `get_docs_api`. */
function identifier(name: OtherRoute): string {
  return (
    name
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('_') ?? name
  );
}

function tableParameters({ columns, filters, order }: TableShape): Parameter[] {
  const query = (name: string, description: string, schema: Schema = { type: 'string' }): Parameter => {
    return { name, in: 'query', required: false, description, schema };
  };
  return [
    query('select', `Columns, separated by commas; * for all: ${columns.join(', ')}.`),
    ...filters.map((column) =>
      query(column, `Rows with this value: eq.<value>.`, { type: 'string', pattern: '^eq\\.' }),
    ),
    query('order', 'Default: the newest first.', { enum: [`${order}.asc`, `${order}.desc`] }),
    query('limit', 'Rows; at most 1000, by default 100.', { type: 'integer', minimum: 0 }),
    query('offset', 'Rows to skip.', { type: 'integer', minimum: 0 }),
  ];
}

function accessText({ access, alsoFor = [] }: RouteOptions): string {
  if (access === 'public') return 'For everyone.';
  return access === 'user' ? 'For signed-in users.' : `For the role ${[access, ...alsoFor].join(' or ')}.`;
}

function limitText({ limit }: RouteOptions): string {
  if (!limit) return '';
  if (typeof limit === 'function') return 'Rate limited; the limit depends on the request.';
  const { name, max, windowSeconds, by } = limit satisfies RateLimit;
  return `Rate limit ${name}: ${max} in ${windowSeconds} s ${by === 'ip' ? 'per address' : 'per caller'}.`;
}
