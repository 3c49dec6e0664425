import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { RATE_LIMITS } from '../../src/contract/rate-limits.js';
import { AddApprovedCreator } from '../../src/creators/index.js';
import { ROUTE_OPTIONS, type RouteOptions } from '../../src/platform/http/routes.js';
import { RateLimiter, type RateLimitState } from '../../src/platform/http/rate-limits.js';
import { type Role } from '../../src/platform/principal.js';
import { asOwner, withTestDatabase, type TestDatabase } from '../support/database.js';
import { type Answer, startTestApp, type TestApp, TokenIsUserId } from '../support/test-app.js';

jest.setTimeout(60_000);

/** Users whose tokens and mirrored rows say `admin` while the provider has taken the role away. */
class Roles extends TokenIsUserId {
  readonly takenAway = new Set<string>();

  override async rolesOf(userId: string, { fresh = false } = {}): Promise<ReadonlySet<Role>> {
    return fresh && this.takenAway.has(userId) ? new Set() : super.rolesOf(userId);
  }
}

class NoLimits extends RateLimiter {
  override hit(): Promise<RateLimitState> {
    return Promise.resolve({ limited: false, remaining: 1, resetAt: new Date(0), retryAfterSeconds: 0 });
  }

  override peek(): Promise<RateLimitState> {
    return this.hit();
  }
}

interface AdminRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly options: RouteOptions;
}

/** Calls that change nothing may use the mirrored roles. */
const READS = /^(check_(admin|model)|get|list|search|preview|view)_|^GET /;

let database: TestDatabase<unknown>;
let roles: Roles;
let app: TestApp;
let routes: readonly AdminRoute[];

beforeAll(async () => {
  database = await withTestDatabase();
  roles = new Roles(database.pool);
  app = await startTestApp({ database, overrides: { authenticator: roles, rateLimiter: new NoLimits() } });
  routes = adminRoutes();
  for (const user of [
    'user_fan',
    'user_creator',
    'finance_fay',
    'auditor_abe',
    'admin_ada',
    'admin_old',
    'admin_gone',
  ]) {
    await app.postJson('rest/v1/rpc/check_admin_by_jwt', user, {});
  }
  await app.commands.execute(
    new AddApprovedCreator({
      clerkId: 'user_creator',
      name: 'Drawn',
      email: 'drawn@fanvas.test',
      instagram: '@drawn',
      twitter: null,
      onlyfans: null,
      bio: '',
      style: null,
      profile: null,
      deploymentName: 'fanvas/drawn',
    }),
  );
});
afterAll(async () => {
  await app?.close();
  await database?.close();
});

/** Every handler whose access is `admin`. */
function adminRoutes(): AdminRoute[] {
  const scanner = new MetadataScanner();
  const found: AdminRoute[] = [];
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, object>;
      for (const key of scanner.getAllMethodNames(prototype)) {
        const handler = prototype[key] ?? {};
        const options = Reflect.getMetadata(ROUTE_OPTIONS, handler) as RouteOptions | undefined;
        if (options?.access !== 'admin') continue;
        const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
        const path = String(Reflect.getMetadata(PATH_METADATA, handler))
          .replace(/^\//, '')
          .replace(/:\w+/g, randomUUID());
        const name = method === 'POST' ? path.replace(/^.*\//, '') : `${method} ${path}`;
        found.push({ name, method, path, options });
      }
    }
  }
  return found;
}

async function send({ method, path }: AdminRoute, token: string | null): Promise<Answer> {
  if (method === 'POST') return app.postJson(path, token, {});
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${app.url}/${path}`, { method, headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
}

/** A digest of each table, sorted by name: a parallel plan returns the parts of a union in any order. */
async function contents(): Promise<unknown> {
  const owner = asOwner(database);
  const tables = await owner.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables
     where schemaname = 'public' and tablename <> 'rate_limit' order by 1`,
  );
  const digests = tables.rows.map(
    ({ name }) => `select '${name}' as name, md5(string_agg(t::text, '' order by t::text)) as digest from ${name} t`,
  );
  return (await owner.query(`${digests.join(' union all ')} order by name`)).rows;
}

/** Sends every route as this caller, and returns those whose answer differs. */
async function exceptions(
  token: string | null,
  expected: { readonly status: number; readonly code: string; readonly message?: string },
  chosen = routes,
): Promise<unknown[]> {
  const before = await contents();
  const different: unknown[] = [];
  for (const route of chosen) {
    const { status, body } = await send(route, token);
    const { code, message } = body as { code: string; message: string };
    const same = status === expected.status && code === expected.code && (expected.message ?? message) === message;
    if (!same) different.push({ route: route.name, status, code, message });
  }
  expect(await contents()).toEqual(before);
  return different;
}

const REFUSED = { status: 403, code: '42501', message: 'Admin privileges required' };

describe('calls of admins', () => {
  it('reads the registered calls of admins', () => {
    const names = routes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['grant_bonus_credits', 'get_admin_overview', 'search_users_admin']));
    expect(names.length).toBeGreaterThan(20);
  });

  it.each([
    ['get_all_creators_admin_by_jwt', 'adminData', 160],
    ['get_all_creators_including_archived_admin_by_jwt', 'adminData', 160],
    ['get_gallery_generations_admin_by_jwt', 'adminData', 160],
    ['toggle_creator_visibility', 'standardApi', 20],
    ['toggle_creator_featured', 'standardApi', 20],
    ['update_gallery_order_admin_by_jwt', 'standardApi', 20],
  ] as const)('[C9.17] limits %s by the counter %s, to %i calls in 60 seconds', (name, counter, max) => {
    expect(routes.find((route) => route.name === name)?.options.limit).toEqual(RATE_LIMITS[counter]);
    expect(RATE_LIMITS[counter]).toMatchObject({ max, windowSeconds: 60 });
  });

  it('refuses visitors every call, and changes nothing', async () => {
    expect(await exceptions(null, { status: 401, code: 'PGRST301' })).toEqual([]);
  });

  it.each(['user_fan', 'user_creator', 'finance_fay', 'auditor_abe'])(
    '[C5.12] refuses %s every call, and changes nothing',
    async (user) => {
      expect(await exceptions(user, REFUSED)).toEqual([]);
    },
  );

  it('reads the roles from the provider before every change, and refuses a role that was taken away', async () => {
    roles.takenAway.add('admin_gone');
    const writes = routes.filter(({ name }) => !READS.test(name));
    const names = writes.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'approve_creator_admin_by_jwt',
        'reject_creator_admin_by_jwt',
        'ask_applicant_admin',
        'assign_creator_model_admin_by_jwt',
        'toggle_creator_visibility',
        'toggle_creator_featured',
        'retry_checkout_admin',
        'refund_purchase',
        'record_model_deletion',
        'save_gallery_admin',
      ]),
    );
    expect(writes.filter(({ options }) => !options.freshRoles).map(({ name }) => name)).toEqual([]);
    expect(await exceptions('admin_gone', REFUSED, writes)).toEqual([]);
  });

  it('[C6.10] asks for a new verification before money moves, after the role', async () => {
    const money = routes.filter(({ options }) => options.reverified === true);
    const names = ['grant_bonus_credits', 'adjust_credits', 'refund_purchase', 'repair_account_clock'];
    expect(money.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    for (const verifiedMsAgo of [3_600_000, null]) {
      roles.verifiedMsAgo.set('admin_old', verifiedMsAgo).set('user_fan', verifiedMsAgo);
      const asked = { ...REFUSED, message: 'Please verify your identity again to continue.' };
      expect(await exceptions('admin_old', asked, money)).toEqual([]);
      expect(await exceptions('user_fan', REFUSED, money)).toEqual([]);
    }
    // The body is incomplete: the guard lets the request pass.
    roles.verifiedMsAgo.set('admin_old', 3_599_999);
    expect(await exceptions('admin_old', { status: 400, code: '22023' }, money)).toEqual([]);
  });
});
