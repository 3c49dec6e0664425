import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { BadRequestException, ValidationPipe } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import { type Role, ROLES } from '../../src/contract/roles.js';
import { FILE_BODY } from '../../src/finance/http/payouts.controller.js';
import { ORDER_BODY } from '../../src/gallery/http/gallery-admin.controller.js';
import { type ApiDocument } from '../../src/platform/api-docs/describe-api.js';
import { findExcess, JSON_LIMITS, MAX_BODY_BYTES, WEBHOOK_BODY } from '../../src/platform/http/json-body.js';
import { Authenticator, type Principal } from '../../src/platform/principal.js';
import { NoLimits } from '../support/no-limits.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

jest.setTimeout(60_000);

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Passes every caller into every handler. */
class EveryRole extends Authenticator {
  override authenticate(userId: string): Promise<Principal> {
    return Promise.resolve({ userId, sessionId: 'session', verifiedMsAgo: 0 });
  }

  override isActive(): Promise<boolean> {
    return Promise.resolve(true);
  }

  override rolesOf(): Promise<ReadonlySet<Role>> {
    return Promise.resolve(new Set(ROLES));
  }
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly access: string | undefined;
}

/** The routes that declare larger bodies, and their largest one in bytes. */
const LARGER: readonly (readonly [path: RegExp, bytes: number])[] = [
  [/^\/webhooks\//, WEBHOOK_BODY.maxBodyBytes],
  [/(save_gallery_admin|update_gallery_order_admin_by_jwt)$/, ORDER_BODY.maxBodyBytes],
  [/record_transfers$/, FILE_BODY.maxBodyBytes],
];

const routes: Route[] = [];
/** The parsed body of each request that reached its handler's guard, by request. */
const parsed = new Map<string, unknown>();
let app: TestApp;
let validated: jest.Spied<ValidationPipe['transform']>;

beforeAll(async () => {
  // The handlers need not run: only what is passed to them counts.
  validated = jest.spyOn(ValidationPipe.prototype, 'transform').mockRejectedValue(new BadRequestException());
  app = await startTestApp({
    overrides: { authenticator: new EveryRole(), rateLimiter: new NoLimits() },
    mount: (server) => {
      server.addHook('onRoute', ({ method, url, config }) => {
        const path = url.replace(/:\w+/g, 'creators');
        for (const name of [method].flat()) {
          if (METHODS_WITH_BODY.has(name)) routes.push({ method: name, path, access: config?.options?.access });
        }
      });
      server.addHook('preHandler', (request, _reply, done) => {
        parsed.set(String(request.headers['x-test']), request.body);
        done();
      });
    },
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app.close();
});

const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;
const padded = (bytes: number): string => `{"p_prompt":"${'a'.repeat(bytes - 15)}"}`;

/** The worst body of each kind, and the status of the refusal; null when a handler receives the body. */
const BODIES: readonly (readonly [name: string, body: string, refusal: number | null])[] = [
  ['as many unknown keys as fit', keys(1_500), 400],
  ['as many unknown keys as are parsed', keys(JSON_LIMITS.keys), null],
  ['the same key as often as fits', `{${'"p_prompt":0,'.repeat(1_000)}"p_prompt":0}`, 400],
  ['lists as deep as fit', `{"p_prompt":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, 400],
  ['objects as deep as fit', `${'{"a":'.repeat(2_500)}0${'}'.repeat(2_500)}`, 400],
  ['as deep as is parsed', `{"p_prompt":${'['.repeat(7)}${']'.repeat(7)}}`, null],
  ['a list as long as fits', `{"p_prompt":[${'0,'.repeat(8_000)}0]}`, 400],
  ['a list of objects', `[${'{},'.repeat(4_000)}{}]`, 400],
  ['a string as long as fits', padded(MAX_BODY_BYTES), null],
  ['a string that is one byte longer', padded(MAX_BODY_BYTES + 1), 413],
  ['a megabyte of keys', keys(90_000), 413],
  ['a key that replaces the prototype', '{"__proto__":{"p_prompt":"a"}}', 400],
  ['a key that replaces the constructor', '{"constructor":{"prototype":{"p_prompt":"a"}}}', 400],
  ['JSON that never ends', `{"p_prompt":"${'a'.repeat(9_000)}`, 400],
];

/** Routes that receive a body at the same time. */
const TOGETHER = 20;

/** Counts what class-transformer and the handlers have to walk through. */
function sizeOf(value: unknown, depth = 0): { keys: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { keys: 0, depth };
  const inner = Object.values(value).map((one: unknown) => sizeOf(one, depth + 1));
  return {
    keys: Object.keys(value).length + inner.reduce((sum, one) => sum + one.keys, 0),
    depth: Math.max(depth + 1, ...inner.map((one) => one.depth)),
  };
}

/** Sends the body to the route and returns what is not as expected. */
async function problemWith({ method, path }: Route, body: string, refusal: number | null): Promise<string[]> {
  const id = `${method} ${path}`;
  const response = await fetch(app.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer user_worst', 'X-Test': id },
    body,
  });
  await response.text();
  const isWebhook = path.startsWith('/webhooks/');
  const fits = body.length <= (LARGER.find(([larger]) => larger.test(path))?.[1] ?? MAX_BODY_BYTES);
  const refusalOfContent = isWebhook || findExcess(Buffer.from(body)) === null ? null : 400;
  const expected = fits && (isWebhook || refusal === 413) ? refusalOfContent : refusal;
  if (expected !== null) {
    if (parsed.has(id)) return [`${id} reached its guard`];
    return response.status === expected ? [] : [`${id} answered ${response.status}`];
  }
  if (!parsed.has(id)) return [`${id} did not reach its guard: ${response.status}`];
  if (isWebhook && parsed.get(id) != null) return [`${id} parsed its body`];
  return response.status === 500 ? [`${id} answered 500`] : [];
}

describe('a hostile body', () => {
  it.each(BODIES)('costs every route little work: %s', async (_name, body, refusal) => {
    expect(routes.length).toBeGreaterThan(50);
    validated.mockClear();
    parsed.clear();
    const unexpected: string[] = [];
    // The server is in this process: with all bodies at once, the last would arrive too slowly and be cut off.
    for (let from = 0; from < routes.length; from += TOGETHER) {
      const group = routes.slice(from, from + TOGETHER);
      const problems = await Promise.all(group.map(async (route) => problemWith(route, body, refusal)));
      unexpected.push(...problems.flat());
    }
    expect(unexpected).toEqual([]);
    for (const value of parsed.values()) {
      const size = sizeOf(value);
      expect(size.keys).toBeLessThanOrEqual(JSON_LIMITS.keys + JSON_LIMITS.items);
      expect(size.depth).toBeLessThanOrEqual(JSON_LIMITS.depth);
    }
    for (const [value, { metatype, type }] of validated.mock.calls) {
      if (type !== 'body' || typeof value !== 'object' || value === null || !metatype) continue;
      const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
      const known = new Set(rules.map(({ propertyName }) => propertyName));
      expect(Object.keys(value).filter((key) => !known.has(key))).toEqual([]);
    }
  });
});

/** A schema of the description of the API. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The fields of each call with a body, with values that it may accept. */
async function describedBodies(): Promise<readonly (readonly [path: string, fields: Record<string, unknown>])[]> {
  const document = (await (await fetch(`${app.url}/docs/api/openapi.json`)).json()) as ApiDocument;
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(document.components.schemas[schema.$ref.split('/').at(-1)!] as Schema);
  const sample = (schema: Schema): unknown => {
    const { type, enum: values, anyOf, format } = resolve(schema);
    const kind = [type].flat().find((name) => name !== 'null');
    if (values) return values[0];
    if (anyOf) return sample(anyOf[0]!);
    if (kind === 'string') return format === 'date-time' ? '2026-11-01T00:00:00Z' : randomUUID();
    return kind === 'number' ? 1 : kind === 'boolean' ? false : kind === 'array' ? [] : {};
  };
  const fieldsOf = (schema: Schema): Record<string, unknown> => {
    const { properties = {}, allOf = [] } = resolve(schema);
    const own = Object.entries(properties).map(([name, field]): [string, unknown] => [name, sample(field)]);
    return Object.assign(Object.fromEntries(own), ...allOf.map(fieldsOf)) as Record<string, unknown>;
  };
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema;
    return schema && !path.startsWith('/webhooks/') ? [[path, fieldsOf(schema)] as const] : [];
  });
}

it.each([[null], [{ toString: 1 }]])('answers every call with a field that is %j, and never with 500', async (odd) => {
  validated.mockRestore();
  const bodies = (await describedBodies()).flatMap(([path, fields]) =>
    Object.keys(fields).map((name) => ({ path, name, body: { ...fields, [name]: odd } })),
  );
  expect(bodies.length).toBeGreaterThan(200);
  const faults: string[] = [];
  for (const { path, name, body } of bodies) {
    const { status } = await app.postJson(path.slice(1), 'user_odd', body);
    if (status === 500) faults.push(`${path} with ${name}`);
  }
  expect(faults).toEqual([]);
});

it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
  'refuses a body of the type %s, and names the type to send',
  async (type) => {
    const headers = { 'Content-Type': type, Authorization: 'Bearer user_odd' };
    const body = 'p_prompt=A%20fox';
    const answer = await fetch(`${app.url}/rest/v1/rpc/start_generation_by_jwt`, { method: 'POST', headers, body });
    expect(answer.status).toBe(415);
    const refusal = { code: '22023', message: 'Send the request as application/json.' };
    expect(await answer.json()).toMatchObject(refusal);
  },
);

/** The status of the answer to a request whose body of this size is never sent. */
async function statusWithoutBody({ method, path }: Route, bytes: number): Promise<number | undefined> {
  const request = httpRequest(app.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', 'Content-Length': bytes },
  });
  request.flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.destroy();
  return response.statusCode;
}

it('refuses a stranger before the body arrives, at every call that needs a session', async () => {
  const signedIn = routes.filter(({ access = 'public' }) => access !== 'public');
  expect(signedIn.length).toBeGreaterThan(50);
  const answers = await Promise.all(signedIn.map(async (route) => [route.path, await statusWithoutBody(route, 9_999)]));
  expect(answers.filter(([, status]) => status !== 401)).toEqual([]);
});
