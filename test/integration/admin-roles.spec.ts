import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { RATE_LIMITS } from '../../src/contract/rate-limits.js';
import { AddApprovedCreator } from '../../src/creators/index.js';
import { ROUTE_OPTIONS, type RouteOptions } from '../../src/platform/http/routes.js';
import { RateLimiter, type RateLimitState } from '../../src/platform/http/rate-limits.js';
import { type Role } from '../../src/contract/roles.js';

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
    ['get_all_creators_admin_by_jwt', 'adminData', 200],
    ['get_all_creators_including_archived_admin_by_jwt', 'adminData', 200],
    ['get_gallery_generations_admin_by_jwt', 'adminData', 200],
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

describe('get_frame', () => {
  const call = async (name: string, user: string | null, body: object = {}) =>
    app.postJson(`rest/v1/rpc/${name}`, user, body);
  const answerOf = async (name: string, user: string) => (await call(name, user)).body;
  const frameOf = async (user: string, area?: 'admin' | 'audit' | 'finance') =>
    (await call('get_frame', user, area === undefined ? {} : { p_area: area })).body;
  /** The answers of the calls that the frame of each page replaces. */
  const common = async (user: string) => ({
    roles: await answerOf('get_own_roles_by_jwt', user),
    is_creator: user === 'user_creator',
    has_active_generation: await answerOf('has_active_pending_generation_jwt', user),
    suspension: await answerOf('get_own_suspension_by_jwt', user),
  });

  beforeAll(async () => {
    const owner = asOwner(database);
    const { rows } = await owner.query<{ id: string }>(`select id from creator where clerk_id = 'user_creator'`);
    await owner.query(
      `insert into generation (id, user_id, creator_id, prompt, status, model, cost, not_before, is_test, test_day, created_at,
         updated_at)
       select gen_random_uuid(), made.user_id, $1, 'A fox', 'pending', 'm', made.cost, '2999-01-01', made.cost = 0,
         case made.cost when 0 then date '2026-11-01' end, now(), now()
       from (values ('user_fan', 10), ('user_creator', 0)) as made (user_id, cost)`,
      [rows[0]?.id],
    );
    await owner.query(
      `insert into generation_suspension (user_id, since, until, reason)
       values ('user_fan', '2026-11-01', '2999-01-01', 'A test'), ('user_creator', '2026-01-01', '2026-01-02', 'Over')`,
    );
  });

  it.each(['user_fan', 'user_creator', 'admin_ada', 'auditor_abe'])(
    'answers on the site as its calls do: %s',
    async (user) => {
      const credits = await answerOf('get_user_credit_breakdown', user);
      expect(await frameOf(user)).toEqual({ ...(await common(user)), credits });
    },
  );

  it('distinguishes a running image and a suspension from a test image and one that is over', async () => {
    expect(await frameOf('user_fan')).toMatchObject({ has_active_generation: true, suspension: { reason: 'A test' } });
    expect(await frameOf('user_creator')).toMatchObject({ has_active_generation: false, suspension: null });
  });

  it('opens the account of a new user', async () => {
    expect(await frameOf('user_new')).toMatchObject({ is_creator: false, credits: { success: true } });
  });

  it('answers in a work area what is open there, to people with its role, and no balance', async () => {
    const [admin_counts, open_differences] = await Promise.all([
      answerOf('get_admin_counts', 'admin_ada'),
      answerOf('get_open_difference_count', 'finance_fay'),
    ]);
    expect(await frameOf('admin_ada', 'admin')).toEqual({ ...(await common('admin_ada')), admin_counts });
    for (const user of ['admin_ada', 'finance_fay']) {
      expect(await frameOf(user, 'finance')).toEqual({ ...(await common(user)), open_differences });
    }
    expect(await frameOf('finance_fay', 'admin')).toEqual(await common('finance_fay'));
    expect(await frameOf('user_fan', 'finance')).toEqual(await common('user_fan'));
    expect(await frameOf('auditor_abe', 'audit')).toEqual(await common('auditor_abe'));
  });

  it('leaves out a part that cannot be read, and answers the others', async () => {
    const { roles: _roles, ...others } = await common('auditor_abe');
    const broken = jest.spyOn(roles, 'rolesOf').mockRejectedValue(new Error('No roles'));
    expect(await frameOf('auditor_abe', 'audit')).toEqual(others);
    broken.mockRestore();
  });

  it('refuses visitors and unknown areas', async () => {
    expect((await call('get_frame', null)).status).toBe(401);
    expect((await call('get_frame', 'user_fan', { p_area: 'sales' })).status).toBe(400);
  });
});
