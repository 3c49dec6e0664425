import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { RATE_LIMITS } from '../../src/contract/rate-limits.js';
import { handlersOf } from '../../src/platform/api-docs/describe-api.js';
import { refusalText } from '../../src/platform/http/access-guard.js';
import { type RouteOptions } from '../../src/platform/http/routes.js';
import { type Role } from '../../src/contract/roles.js';

import { addingCreator } from '../support/adding-creator.js';
import { asOwner, withTestDatabase, type TestDatabase } from '../support/database.js';
import { NoLimits } from '../support/no-limits.js';
import { type Answer, startTestApp, type TestApp, TokenIsUserId } from '../support/test-app.js';

jest.setTimeout(60_000);

/** Users whose tokens and mirrored rows say `admin` while the provider has taken the role away. */
class Roles extends TokenIsUserId {
  readonly takenAway = new Set<string>();

  override async rolesOf(userId: string, { fresh = false } = {}): Promise<ReadonlySet<Role>> {
    return fresh && this.takenAway.has(userId) ? new Set() : super.rolesOf(userId);
  }
}

interface RoleRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly options: RouteOptions & { readonly access: Role };
}

/** Calls that change nothing may use the mirrored roles. */
const READS = /^(check_(admin|model)|export|find|get|list|search|preview|view)_|^GET /;
/** The person decides nothing. A worker does its work at once. */
const START_A_WORKER = ['request_ledger_verification', 'run_reconciliation'];

const namesIn = (text: string): readonly string[] => text.trim().split(/\s+(?!exports)/);

/** Calls by the roles that may make them. The acts of admins alone are the rows of admin-acts.spec.ts. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  auditor: namesIn(`
    get_account_balance_at get_account_statement get_account_event
    list_ledger_accounts find_ledger_events export_ledger_events
    list_ledger_seals get_ledger_seal get_ledger_proof
    get_ledger_verification request_ledger_verification list_verification_runs
  `),
  'finance or admin': namesIn(`
    get_trial_balance list_revenue_months get_deferred_revenue list_creator_liabilities
    list_book_entries get_event_entries get_month_closing close_book_month
    get_reconciliation list_differences get_open_difference_count run_reconciliation
    list_payout_runs get_payout_run list_payout_run_creators list_payout_files list_creator_payouts get_bank_report
    draft_payout_run fix_payout_run cancel_payout_run
    GET exports/trial-balance.csv GET exports/revenue-months.csv GET exports/deferred-revenue.csv
    GET exports/creator-liabilities.csv GET exports/book-entries.csv GET exports/journal.csv
    GET exports/reconciliation.csv
  `),
  admin: namesIn(`
    get_admin_overview get_admin_counts get_admin_health get_platform_revenue_admin
    list_creators_admin list_revenue_creators_admin view_creator_admin
    get_all_creators_admin_by_jwt get_all_creators_including_archived_admin_by_jwt
    list_applications_admin get_application_admin check_model_admin get_model_trial_admin get_model_deletions
    search_users_admin get_user_admin get_user_purchases_admin get_user_ledger_admin get_user_statement_admin
    get_user_images_admin get_user_reports_admin get_ledger_event_admin get_account_closure
    list_credit_proposals_admin preview_refund_admin list_stuck_checkouts_admin get_payment_problems
    list_moderation_cases get_moderation_case list_admin_acts list_admin_actors
    get_gallery_admin get_gallery_generations_admin_by_jwt list_creator_generations_admin get_generation_admin
    GET exports/payout-file.csv
  `),
};

/** Calls that need a new verification. A call that decides by its body has tests of its own. */
const MONEY = namesIn(`
  grant_bonus_credits adjust_credits propose_credits_admin decide_credit_proposal_admin repair_account_clock
  refund_purchase close_book_month
  draft_payout_run fix_payout_run check_payout_run cancel_payout_run end_payout hold_payouts release_payouts
  make_payout_file take_back_payout_file record_transfers GET exports/payout-file.csv
`);

let database: TestDatabase<unknown>;
let roles: Roles;
let app: TestApp;
let routes: readonly RoleRoute[];

beforeAll(async () => {
  database = await withTestDatabase();
  roles = new Roles(database.pool);
  app = await startTestApp({ database, overrides: { authenticator: roles, rateLimiter: new NoLimits() } });
  routes = roleRoutes();
  for (const user of [
    'user_fan',
    'user_creator',
    'finance_fay',
    'auditor_abe',
    'admin_ada',
    'admin_old',
    'admin_gone',
  ]) {
    await app.rpc('check_admin_by_jwt', user);
  }
  await app.commands.execute(addingCreator('drawn', { clerkId: 'user_creator' }));
});
afterAll(async () => {
  await app?.close();
  await database?.close();
});

const isForRoles = (options: RouteOptions): options is RoleRoute['options'] =>
  options.access !== 'public' && options.access !== 'user';

/** Every handler that needs a role. */
function roleRoutes(): RoleRoute[] {
  return [...handlersOf(app.get(ModulesContainer)).values()].flatMap(({ entry, options }) => {
    if (!isForRoles(options)) return [];
    if (!entry || entry.kind === 'table') throw new Error('A call of a role is not in the contract.');
    if (entry.kind === 'other') {
      const [method = '', path = ''] = entry.name.split(' /');
      return [{ name: `${method} ${path}`, method, path, options }];
    }
    const path = `${entry.kind === 'rpc' ? 'rest/v1/rpc' : 'functions/v1'}/${entry.name}`;
    return [{ name: entry.name, method: 'POST', path, options }];
  });
}

async function send({ method, path }: RoleRoute, token: string | null): Promise<Answer> {
  if (method === 'POST') return app.postJson(path, token, {});
  if (method !== 'GET') throw new Error(`No route of a role has the method ${method}.`);
  const response = await app.read(path, token);
  return { status: response.status, body: (await response.json()) as unknown };
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

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
}

/** The refusal of callers without the role. */
const forRole = ({ options }: RoleRoute): Refusal => ({
  status: 403,
  code: '42501',
  message: refusalText(options.access),
});

const rolesOf = ({ options: { access, alsoFor = [] } }: RoleRoute): readonly Role[] => [access, ...alsoFor];

/** Sends routes as this caller, and returns those whose answer differs. */
async function exceptions(
  token: string | null,
  expectedOf: (route: RoleRoute) => Refusal,
  chosen = routes,
): Promise<unknown[]> {
  const before = await contents();
  const different: unknown[] = [];
  for (const route of chosen) {
    const { status, body } = await send(route, token);
    const { code, message } = body as { code: string; message: string };
    const expected = expectedOf(route);
    const same = status === expected.status && code === expected.code && (expected.message ?? message) === message;
    if (!same) different.push({ route: route.name, status, code, message });
  }
  expect(await contents()).toEqual(before);
  return different;
}

describe('calls of admins, finance people and auditors', () => {
  it('opens each call to the roles that may make it', () => {
    const listed = routes.filter((route) => rolesOf(route).join() !== 'admin' || READS.test(route.name));
    const found = listed.map((route) => `${route.name}: ${rolesOf(route).join(' or ')}`);
    const expected = Object.entries(RIGHTS).flatMap(([allowed, names]) => names.map((name) => `${name}: ${allowed}`));
    expect(found.sort()).toEqual(expected.sort());
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
    expect(await exceptions(null, () => ({ status: 401, code: 'PGRST301' }))).toEqual([]);
  });

  it.each<[string, Role | null]>([
    ['user_fan', null],
    ['user_creator', null],
    ['finance_fay', 'finance'],
    ['auditor_abe', 'auditor'],
    ['admin_ada', 'admin'],
  ])('[C5.12] refuses %s every call of other roles, and changes nothing', async (user, role) => {
    const others = routes.filter((route) => role === null || !rolesOf(route).includes(role));
    expect(others.length).toBeGreaterThan(10);
    expect(await exceptions(user, forRole, others)).toEqual([]);
  });

  it('reads the roles from the provider before every change, and refuses a role that was taken away', async () => {
    roles.takenAway.add('admin_gone');
    const writes = routes.filter(({ name }) => !READS.test(name) && !START_A_WORKER.includes(name));
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
        'draft_payout_run',
      ]),
    );
    expect(writes.filter(({ options }) => !options.freshRoles).map(({ name }) => name)).toEqual([]);
    expect(await exceptions('admin_gone', forRole, writes)).toEqual([]);
  });

  it('[C6.10] asks for a new verification before money moves, after the role', async () => {
    const money = routes.filter(({ options }) => options.reverified === true);
    expect(money.map(({ name }) => name).sort()).toEqual([...MONEY].sort());
    const message = 'Please verify your identity again to continue.';
    for (const verifiedMsAgo of [3_600_000, null]) {
      roles.verifiedMsAgo.set('admin_old', verifiedMsAgo).set('user_fan', verifiedMsAgo);
      expect(await exceptions('admin_old', () => ({ status: 403, code: '42501', message }), money)).toEqual([]);
      expect(await exceptions('user_fan', forRole, money)).toEqual([]);
    }
    // The body is incomplete: the guard lets the request pass.
    roles.verifiedMsAgo.set('admin_old', 3_599_999);
    expect(await exceptions('admin_old', () => ({ status: 400, code: '22023' }), money)).toEqual([]);
  });
});

describe('get_frame', () => {
  const call = async (name: string, user: string | null, body: object = {}) => app.rpc(name, user, body);
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
