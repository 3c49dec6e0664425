import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import Stripe from 'stripe';
import { type PoolClient } from 'pg';
import { v7 } from 'uuid';
import { type RunningApp } from '../../src/composition/compose.js';
import { ClosingWorker } from '../../src/privacy/closing/workers/closing-worker.js';
import { startFanvas } from '../../src/composition/compose.js';
import { AddApprovedCreator } from '../../src/creators/index.js';
import { type AdminGallery } from '../../src/contract/admin-gallery.js';
import { type CreditBreakdown } from '../../src/contract/credits.js';
import { type MonthClosing } from '../../src/contract/finance.js';
import { GrantBonusCredits, PurchaseCredits } from '../../src/credits/index.js';
import { AdjustCredits } from '../../src/credits/use-cases/adjust-credits.js';
import { ListAdminGenerations } from '../../src/gallery/reads/admin-generations.js';
import { GenerationWorker } from '../../src/generation/steps/generation-worker.js';
import { GenerationCleaner } from '../../src/generation/workers/clean-generations.js';
import { GenerationReconciler } from '../../src/generation/workers/reconcile-generations.js';
import { draftPayout } from '../../src/finance/payouts/decide.js';
import { PayoutStore } from '../../src/finance/payouts/payout-store.js';
import { referenceOf } from '../../src/finance/runs/payout-ids.js';
import { MonthCloser } from '../../src/finance/workers/month-closer.js';
import { PayoutRunner } from '../../src/finance/workers/payout-runner.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { PayoutCipher } from '../../src/creators/payout/payout-cipher.js';
import { systemActor } from '../../src/platform/acts/actor.js';
import { PaymentProblems } from '../../src/payments/payment-problems.js';
import { AdminRefunds } from '../../src/payments/use-cases/admin-refunds.js';
import { PaymentWorker } from '../../src/payments/workers/payment-worker.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { withLogContext } from '../../src/platform/logging/request-context.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { type ApiUser, signIn, signUp } from '../support/api-client.js';
import { freePort } from '../support/app-process.js';
import { asOwner, withTestDatabase, type TestDatabase } from '../support/database.js';
import { fillDatabase, LARGE_TABLES, SMALL_TABLES } from '../support/large-data.js';
import { paidSession } from '../support/paid-session.js';
import { type PlanNode } from '../support/query-plans.js';
import { controlProcessor } from '../support/sandbox-payments.js';
import { inBackground, recordStatements, type Statement, type StatementRecorder } from '../support/statements.js';

jest.setTimeout(600_000);

/** Maximum number of statements of one request. */
const MOST_STATEMENTS = 5;

/**
 * Routes that read more: every table of a person once, five times a day, the log of acts in pages of 1,000, and the
 * creators in pages of 200. The reconciliation as a file is the screen with all of its lists.
 */
const EXPORTS = new Set([
  'GET /exports/my-data.zip',
  'GET /exports/admin-acts.csv',
  'GET /exports/creator-liabilities.csv',
  'GET /exports/reconciliation.csv',
]);

/** The monitoring asks a few times a minute, and each context reads its own figures. */
const SCRAPE = 'GET /metrics';
const MOST_OF_A_SCRAPE = 9;

/** The health of the product has the lag of the projections of accounts, of payouts and of the processor. */
const HEALTH = 'POST /rest/v1/rpc/get_admin_health';
const MOST_OF_HEALTH = 7;

/** Decisions about images and payments change several contexts and the log of acts; few people make them. */
const DECISIONS = new Set(
  [
    ...['decide_moderation_case', 'undo_moderation_act', 'suspend_user_admin', 'lift_suspension_admin'],
    ...['retry_checkout_admin', 'dismiss_payment_problem'],
  ].map((name) => `POST /rest/v1/rpc/${name}`),
);
const MOST_OF_A_DECISION = 20;

/** A run reads the processor, appends to a stream and compares; few people start one. */
const RUN = 'POST /rest/v1/rpc/run_reconciliation';
const MOST_OF_A_RUN = 40;

/** A user's first visit also claims the sign-up bonus. */
const FIRST_VISIT = 'opens the account';
const MOST_OF_A_FIRST_VISIT = 6;
/** The frame has roles and what is open besides. */
const FRAME = 'POST /rest/v1/rpc/get_frame';
const MOST_OF_A_FIRST_FRAME = 8;

/** An act of an admin on the ledger is announced before it and ended after it. */
const ANNOUNCED_ACTS = new Set(
  ['grant_bonus_credits', 'adjust_credits', 'repair_account_clock', 'end_payout', 'close_book_month'].map(
    (name) => `POST /rest/v1/rpc/${name}`,
  ),
);
const MOST_OF_AN_ANNOUNCED_ACT = 7;

/** Statements that the process sends for many requests together: hints about new events, and snapshots in batches. */
const IN_BACKGROUND = /pg_notify\('event_appended'|insert into credit_account_snapshot/;

/** The begin and the end of a transaction read nothing, and are not counted. */
const TRANSACTION = /^(begin|commit|rollback)\b/i;

/** An act makes its entry in the log with one statement more. That of a gallery reads its order before. */
const ENTRY = /update admin_act_head set|update gallery set salt/;

/** Polls until a projection includes the caller's latest write, for at most two seconds. */
const WAITING =
  /from "projection_checkpoint" where "name" = \$1$|from event e\s+where (not starts_with\(e\.stream, 'creditAccount-'\) and )?\(\$1::text is null/;

/** The request id of statements of the test itself. */
const TEST = 'test';

interface Asked {
  readonly route: string;
  readonly variant: string;
  readonly statements: readonly Statement[];
}

interface Ask {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** The path through the call, where several exist. */
  readonly variant?: string;
  /** False: no earlier call has opened or loaded the caller's account. */
  readonly warm?: boolean;
}

let database: TestDatabase<unknown>;
let recorder: StatementRecorder;
let dataDir: string;
let app: RunningApp;
const asked: Asked[] = [];

let filledAt = 0;

const unheard = <T>(work: () => Promise<T>): Promise<T> => withLogContext({ requestId: TEST }, work);
const sql = (text: string, values: unknown[] = []): Promise<unknown> =>
  unheard(() => database.pool.query(text, values));

const asTheOwner = (text: string, values: unknown[]): Promise<unknown> =>
  unheard(() => asOwner(database).query(text, values));

/**
 * Sends a request and records its statements. By default, the process has seen the caller within the last minute and
 * has the caller's account in memory, as for most requests.
 */
async function ask<T>(route: string, user: ApiUser | null, options: Ask = {}): Promise<T> {
  const { path = route.split(' ')[1] ?? '', body, headers = {}, status = 200, variant = '', warm = true } = options;
  const [method = ''] = route.split(' ');
  await sql(`delete from rate_limit where key not like '%filled%'`);
  if (user) await user.rpc(warm ? 'grant_daily_credits_by_jwt' : 'check_admin_by_jwt');
  const response = await fetch(app.url + path, {
    method: method === 'ALL' ? 'POST' : method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(user ? { Authorization: `Bearer ${await user.token()}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${route} ${variant} answered ${response.status}: ${text}`);
  const requestId = response.headers.get('x-request-id') ?? '';
  const uncounted = [IN_BACKGROUND, WAITING, TRANSACTION, ENTRY];
  const own = recorder.ofRequest(requestId).filter(({ text }) => !uncounted.some((kind) => kind.test(text)));
  asked.push({ route, variant, statements: own });
  return (response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text) as T;
}
const rpc = <T>(name: string, user: ApiUser | null, body: object = {}, options: Ask = {}): Promise<T> =>
  ask<T>(`POST /rest/v1/rpc/${name}`, user, { ...options, body });
const fn = <T>(name: string, user: ApiUser | null, body: object = {}, options: Ask = {}): Promise<T> =>
  ask<T>(`POST /functions/v1/${name}`, user, { ...options, body });

/** Headers of a webhook with a Svix signature, as Clerk and Replicate send it. */
function svix(prefix: 'svix' | 'webhook', secret: string | null, body: string): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from((secret ?? '').replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: `v1,${signature}`,
    'Content-Type': 'application/json',
  };
}

/** Method and path of every handler of every controller. */
function routesOf({ context }: RunningApp): string[] {
  const scanner = new MetadataScanner();
  const routes = new Set<string>();
  for (const { controllers } of context.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, object>;
      const folder = String(Reflect.getMetadata(PATH_METADATA, metatype) ?? '');
      for (const name of scanner.getAllMethodNames(prototype)) {
        const path: unknown = Reflect.getMetadata(PATH_METADATA, prototype[name] ?? {});
        if (typeof path !== 'string') continue;
        const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, prototype[name] ?? {}) as RequestMethod];
        routes.add(
          `${method} /${[folder, path]
            .map((part) => part.replace(/^\/|\/$/g, ''))
            .filter(Boolean)
            .join('/')}`,
        );
      }
    }
  }
  return [...routes].sort();
}

/** Routes without a controller. */
const OTHER_ROUTES = ['GET /', 'GET /*', 'GET /metrics'];

beforeAll(async () => {
  database = await withTestDatabase();
  recorder = recordStatements();
  dataDir = await mkdtemp(join(tmpdir(), 'fanvas-cost-'));
  const port = String(await freePort());
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: port, SANDBOX_DRAW_MS: '600000' };
  app = await startFanvas(
    loadConfig({ PAYOUT_DETAILS_KEY: randomBytes(32).toString('base64'), ...settings, LOG_LEVEL: 'silent' }, '/'),
  );
  await unheard(() => fillDatabase(asOwner(database)));
  filledAt = recorder.all.length;
  await tour();
});
afterAll(async () => {
  await app?.stop();
  recorder?.stop();
  await database?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

describe('cost of requests', () => {
  it('covers every route', () => {
    const routes = new Set(asked.map(({ route }) => route));
    expect([...routes].sort()).toEqual([...routesOf(app), ...OTHER_ROUTES].sort());
  });

  it('stays within five statements per request', () => {
    const tooMany = asked
      .filter(({ route }) => !EXPORTS.has(route))
      .filter(({ route, variant, statements }) => {
        if (DECISIONS.has(route)) return statements.length > MOST_OF_A_DECISION;
        if (route === SCRAPE) return statements.length > MOST_OF_A_SCRAPE;
        if (route === RUN) return statements.length > MOST_OF_A_RUN;
        if (route === HEALTH) return statements.length > MOST_OF_HEALTH;
        if (ANNOUNCED_ACTS.has(route)) return statements.length > MOST_OF_AN_ANNOUNCED_ACT;
        if (route === FRAME && variant === FIRST_VISIT) return statements.length > MOST_OF_A_FIRST_FRAME;
        return statements.length > (variant === FIRST_VISIT ? MOST_OF_A_FIRST_VISIT : MOST_STATEMENTS);
      })
      .map(({ route, variant, statements }) => ({ call: `${route} ${variant}`, statements: statements.map(shortly) }));
    expect(tooMany).toEqual([]);
  });

  it('reads no table from end to end', async () => {
    const scans: string[] = [];
    const client = await database.pool.connect();
    try {
      for (const setting of LARGE_TABLES) await client.query(`set ${setting}`);
      // Older servers prefer a scan of this narrow table for a list of users.
      const older = (await majorOf(client)) < 16 ? ['verified_account'] : [];
      for (const statement of plannedStatements()) {
        for (const plan of await plansOf(client, statement)) {
          for (const table of scannedTables(plan)) {
            if (!(table in SMALL_TABLES) && !older.includes(table) && !ALL_OF_IT.test(statement.text))
              scans.push(`${table}: ${shortly(statement)}`);
          }
        }
      }
    } finally {
      client.release(true);
    }
    expect([...new Set(scans)]).toEqual([]);
  });
});

/**
 * Statements that read a full table on purpose: the public list and the admins' lists show all creators, and the list
 * of applications counts up to 10,000 of them. `creators-scale.spec.ts` explains it with more. The dashboard's
 * totals of the platform are read once a minute. The admins' lists of creators read at most 10,000 of them
 * which are all of these tables. The dashboard's queues count a few thousand rows. The verification of the
 * ledger compares all months, totals and refunds, and joins pages of generations with their creators. The names of the
 * admins are joined with few rows, and the export of the log reads it all. A search of texts chooses between the table
 * and its index of trigrams by their costs; on a small table it is often the table. The debts of creators need all
 * payouts of them.
 */
const ALL_OF_IT =
  /from "creator" where "creator_status" = \$1 and "is_visible" = \$2 and "withdrawn_at" is null order by "created_at", "id"$|as "applied_at" from "creator" left join lateral .* as "review" on true (where "creator_status" = \$\d+ and "is_visible" = \$\d+ )?order by "creator"."created_at", "creator"."id"$|as total_count\s+from page\s+join creator|select 'urgent_reports' as kind|as "creditsHeld"|select \* from creator_revenue_(month|total)$|with above as materialized|select page\.id, page\.total from|from creator where creator_status = 'active'\s+order by created_at desc, id desc limit 10000|order by created_at desc, id desc limit \$\d+\) as creator|from creator_activity_month m\)|from admin_refund r\s+where r\.actor_id <> r\.user_id|c\.clerk_id as creator_user_id|with recursive actor|0 as total\s+from \(\s*select act\.id|app_user\.email ilike|act_id from admin_act_personal\s+where reason ilike|with taken as materialized/;

const shortly = ({ text }: Statement): string => text.replace(/\s+/g, ' ').trim();

/**
 * Every statement since the tables were filled, including background work: up to three sets of values for each text.
 */
function plannedStatements(): Statement[] {
  const byText = new Map<string, Map<string, Statement>>();
  for (const statement of recorder.all.slice(filledAt)) {
    if (statement.requestId === TEST || /^\s*(begin|commit|rollback|listen|set|reset)\b/i.test(statement.text))
      continue;
    const samples = byText.get(statement.text) ?? new Map<string, Statement>();
    if (samples.size < 3) samples.set(JSON.stringify(statement.values), statement);
    byText.set(statement.text, samples);
  }
  return [...byText.values()].flatMap((samples) => [...samples.values()]);
}

/** The plan for the values sent. For a named statement also the generic plan, which Postgres 16 and newer can show. */
async function plansOf(client: PoolClient, { text, values, name }: Statement): Promise<PlanNode[]> {
  const explain = async (options: string, given: readonly unknown[]): Promise<PlanNode> => {
    const { rows } = await unheard(() =>
      client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json${options}) ${text}`, [...given]),
    );
    const [row] = rows;
    if (!row) throw new Error(`No plan for ${text}`);
    return row['QUERY PLAN'][0].Plan;
  };
  const plans = [await explain('', values)];
  if (name !== null && (await majorOf(client)) >= 16) plans.push(await explain(', generic_plan', []));
  return plans;
}

async function majorOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  );
  return rows[0]?.major ?? 0;
}

function scannedTables(plan: PlanNode): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? 'unknown'] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scannedTables)];
}

/** A creator of the filled tables. */
const filledCreator = createHash('md5')
  .update('creator1')
  .digest('hex')
  .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Applies as a creator, twice, and is reviewed. */
async function applications(admin: ApiUser): Promise<void> {
  const email = 'applicant@fans.test';
  const applicant = await signUp(app.url, email, 'correct-horse-9');
  const form = { p_email: email, p_name: 'Applicant', p_instagram: '@applicant', p_terms_agreed: true };
  const { creator_id: p_creator_id } = await rpc<{ creator_id: string }>('create_creator_by_jwt', applicant, form);
  await rpc('create_creator_by_jwt', applicant, form, { status: 409, variant: 'open application' });
  await rpc('reject_creator_admin_by_jwt', admin, { p_creator_id, p_reason: 'A test' });
  await asTheOwner(`update creator_decision set decided_at = now() - interval '91 days' where creator_id = $1`, [
    p_creator_id,
  ]);
  await rpc('get_creator_by_jwt', applicant);
  await rpc('create_creator_by_jwt', applicant, form, { variant: 'again' });
  const log = { user_id: applicant.userId, email, accepted_at: new Date().toISOString(), terms_version: 'v1.0' };
  const page = { terms_url: '/creator-terms', method_of_acceptance: 'x', accepted_text_snapshot: 'x' };
  await fn('log-terms-acceptance', applicant, { ...log, ...page });
  await asTheOwner(`delete from creator_consent where clerk_id = $1`, [applicant.userId]);
  await fn('log-terms-acceptance', applicant, { ...log, ...page }, { variant: 'without an acceptance' });
  const asked = await rpc<{ id: string }>('ask_applicant_admin', admin, { p_creator_id, p_question: 'Since when?' });
  await rpc('get_own_questions_by_jwt', applicant);
  await rpc('answer_own_question_by_jwt', applicant, { p_question_id: asked.id, p_answer: 'Since 2019' });
  for (const p_state of ['pending', 'waiting_for_model', 'approved', 'rejected']) {
    await rpc('list_applications_admin', admin, { p_state });
    for (const p_search of ['fi', 'filled', 'filled1234']) {
      await rpc('list_applications_admin', admin, { p_state, p_search }, { variant: p_search });
    }
  }
  const verified = { p_identity_verified: 'x', p_age_verified: 'x', p_instagram_verified: 'x' };
  await rpc('approve_creator_admin_by_jwt', admin, { p_creator_id, ...verified });
  const model = { p_deployment_name: 'fanvas/applicant' };
  await rpc('check_model_admin', admin, model);
  const drawing = { p_creator_id, ...model, p_prompt: 'A fox' };
  const { id: p_trial_id } = await rpc<{ id: string }>('draw_model_trial_admin', admin, drawing);
  await asTheOwner(
    `update generation set status = 'completed', credits_closed_at = now(), completed_at = now(),
       image = '{"url": "/media/trial/1.webp", "sources": []}' where id = $1`,
    [p_trial_id],
  );
  await rpc('get_model_trial_admin', admin, { p_trial_id });
  await rpc('assign_creator_model_admin_by_jwt', admin, { p_creator_id, ...model, p_trial_id });
  await rpc('get_application_admin', admin, { p_creator_id });
  for (const p_is_visible of [false, true, true]) {
    await rpc('toggle_creator_visibility', admin, { p_creator_id, p_is_visible });
  }
  for (const p_is_featured of [false, true])
    await rpc('toggle_creator_featured', admin, { p_creator_id, p_is_featured });
  await rpc('get_all_creators_admin_by_jwt', admin);
  await rpc('list_admin_acts', admin, { p_search: 'A test' }, { variant: 'search' });
  await rpc('list_admin_acts', admin, { p_about: admin.userId, p_kind: 'creator.' });
  await rpc('list_admin_actors', admin);
  await ask('GET /exports/admin-acts.csv', admin);
  await rpc('get_all_creators_including_archived_admin_by_jwt', admin);
  for (const name of ['get_admin_overview', 'get_admin_counts', 'get_admin_health']) await rpc(name, admin);
  await rpc('view_creator_admin', admin, { p_creator_id });
  for (const more of [
    {},
    { p_search: 'filled 77' },
    { p_search: 'fi' },
    { p_username: 'applicant' },
    { p_after: p_creator_id },
  ]) {
    await rpc('list_creators_admin', admin, { p_state: 'active', ...more }, { variant: JSON.stringify(more) });
  }
  for (const p_sort of ['all_time_revenue', 'month_revenue', 'paid_generations', 'total_generations', 'name', 'newest'])
    await rpc('list_revenue_creators_admin', admin, { p_sort }, { variant: p_sort });
  await rpc('get_platform_revenue_admin', admin);
}

/** Reads users as admins do. */
async function users(admin: ApiUser, fan: ApiUser, generationId: string): Promise<void> {
  const searches = {
    all: '',
    'rare text': 'fan@fanvas',

    'two letters': 'fa',
    nothing: 'zzzz',
  };
  for (const [variant, p_search] of Object.entries(searches)) {
    await rpc('search_users_admin', admin, { p_search }, { variant });
  }
  for (const p_search of [fan.userId, generationId])
    await rpc('search_users_admin', admin, { p_search }, { variant: 'id' });
  for (const p_filter of [null, 'owes', 'suspended', 'paid']) {
    for (const p_sort of ['joined', 'paid', 'spent']) {
      await rpc('search_users_admin', admin, { p_filter, p_sort }, { variant: `${p_filter} by ${p_sort}` });
    }
  }
  await rpc('search_users_admin', admin, { p_search: 'fan@fanvas', p_sort: 'spent' }, { variant: 'text by spent' });
  const p_user_id = fan.userId;
  await rpc('get_user_admin', admin, { p_user_id });
  await rpc('get_user_purchases_admin', admin, { p_user_id });
  await rpc('get_user_ledger_admin', admin, { p_user_id });
  await rpc('get_user_statement_admin', admin, { p_user_id });
  await rpc('get_user_images_admin', admin, { p_user_id });
  await rpc('get_user_reports_admin', admin, { p_user_id });
  await rpc('get_user_reports_admin', admin, { p_user_id, p_about: true }, { variant: 'about' });
  await rpc('get_ledger_event_admin', admin, { p_user_id, p_version: 1 });
  const p_proposal_id = randomUUID();
  const change = { p_user_id, p_kind: 'grant', p_amount: 5000, p_reason: 'A test' };
  await rpc('propose_credits_admin', admin, { p_proposal_id, ...change });
  await rpc('list_credit_proposals_admin', admin);
  await rpc('list_credit_proposals_admin', admin, { p_decided: true });
  await rpc('decide_credit_proposal_admin', admin, { p_proposal_id, p_approve: false }, { status: 403 });
  await rpc('list_stuck_checkouts_admin', admin);
}

/** Curates the gallery of a creator whose images are completed, and searches the images of a creator with many. */
async function curation(admin: ApiUser, p_creator_id: string, image: () => Promise<string>): Promise<void> {
  const { version, items } = await rpc<AdminGallery>('get_gallery_admin', admin, { p_creator_id });
  const listed = items.map(({ id }) => id);
  const save = { p_creator_id, p_gallery_order: [...listed, await image()].reverse() };
  await rpc('save_gallery_admin', admin, { ...save, p_expected_version: version });
  const late = { status: 409, variant: 'too late' };
  await rpc('save_gallery_admin', admin, { ...save, p_gallery_order: listed, p_expected_version: version }, late);
  const added = { p_creator_id, p_generation_id: await image() };
  await rpc('add_to_creator_gallery_admin_by_jwt', admin, added);
  await rpc('remove_from_creator_gallery_admin_by_jwt', admin, added);
  await rpc('update_gallery_order_admin_by_jwt', admin, { ...save, p_gallery_order: save.p_gallery_order.reverse() });
  await rpc('get_gallery_generations_admin_by_jwt', admin, { p_creator_id });
  const [p_generation_id = ''] = listed;
  await rpc('get_generation_admin', admin, { p_generation_id });
  for (const p_search of [null, p_generation_id, 'zebrafish', 'picture', 'pi', 'a fox', 'ÉTÉ d’été']) {
    await rpc('list_creator_generations_admin', admin, { p_creator_id, p_search }, { variant: p_search ?? 'all' });
    // The ids of filled creators are no valid UUIDs for a call. Their plans are tested, too.
    const ofFilled = { creatorId: filledCreator, search: p_search, limit: 12, offset: 0 };
    await app.context.get(QueryBus).execute(new ListAdminGenerations(ofFilled));
  }
}

/** Reads and decides cases, and suspends a user. */
async function cases(
  { admin, reporter, creatorId }: { admin: ApiUser; reporter: ApiUser; creatorId: string },
  image: () => Promise<string>,
): Promise<void> {
  const filters = [
    {},
    { p_kind: 'report' },
    { p_kind: 'take_down' },
    { p_reason: 'other' },
    { p_creator_id: creatorId },
    { p_offset: 500 },
  ];
  for (const p_decided of [false, true]) {
    for (const filter of filters) {
      await rpc('list_moderation_cases', admin, { ...filter, p_decided }, { variant: JSON.stringify(filter) });
    }
  }
  const more = { p_note: 'A test', p_block_prompt: true, p_suspend_days: 1, p_strike: true };
  for (const p_decision of ['keep', 'hide', 'take_down']) {
    const p_id = await image();
    await rpc('report_generation', reporter, { p_generation_id: p_id, p_reason: 'other' });
    const reported = { p_kind: 'report', p_id };
    await rpc('get_moderation_case', admin, reported);
    const decision = { ...reported, ...more, p_decision };
    const { act_id: p_act_id } = await rpc<{ act_id: string }>('decide_moderation_case', admin, decision, {
      variant: p_decision,
    });
    await rpc('decide_moderation_case', admin, decision, { status: 409, variant: 'decided' });
    await rpc('get_moderation_case', admin, reported, { variant: 'decided' });
    await rpc('undo_moderation_act', admin, { p_act_id }, { variant: p_decision });
  }
  const [refusal] = await rpc<{ id: string }[]>('list_moderation_cases', admin, { p_kind: 'refusal', p_limit: 1 });
  await rpc('get_moderation_case', admin, { p_kind: 'refusal', p_id: refusal?.id }, { variant: 'refusal' });
  const suspension = { p_user_id: 'user_filled2', p_reason: 'A test' };
  await rpc('suspend_user_admin', admin, suspension);
  await rpc('lift_suspension_admin', admin, suspension);
  // The maker is suspended by the decisions above.
  await rpc('get_own_suspension_by_jwt', reporter);
  await sql(`delete from generation_suspension where reason = 'A test'`);
  await sql(
    `delete from payment_suspended_buyer where user_id in (select id from app_user where email like '%@fans.test')`,
  );
}

/** Uses the controls of a creator, and the admins' calls that follow. */
async function controls(admin: ApiUser, creator: ApiUser, imageOfStyle: () => Promise<string>): Promise<void> {
  await rpc('get_own_consent_by_jwt', creator);
  for (const p_paused of [true, false]) await rpc('set_creator_paused_by_jwt', creator, { p_paused });
  await rpc('add_own_blocked_term_by_jwt', creator, { p_term: 'cigarette' });
  const { id } = await rpc<{ id: string }>('add_own_blocked_term_by_jwt', creator, { p_term: 'tattoo' });
  await rpc('get_own_blocked_terms_by_jwt', creator);
  await rpc('remove_own_blocked_term_by_jwt', creator, { p_term_id: id });
  const details = { p_legal_name: 'Tester', p_country: 'DE', p_tax_status: 'business' };
  for (const p_account of ['123456', '1234567']) {
    await rpc('save_own_payout_details_by_jwt', creator, { ...details, p_account }, { variant: p_account });
  }
  await rpc('get_own_payout_details_by_jwt', creator);

  const p_generation_id = await imageOfStyle();
  for (const p_hidden of [true, false])
    await rpc('hide_from_own_gallery_by_jwt', creator, { p_generation_id, p_hidden });
  for (const p_decision of [null, 'keep', 'take_down']) {
    const image = { p_generation_id: await imageOfStyle(), p_reason: 'A test' };
    const request = await rpc<{ request_id: string }>('request_take_down_by_jwt', creator, image);
    const { request_id: p_request_id } = request;
    const asked = { p_kind: 'take_down', p_id: p_request_id };
    await rpc('get_moderation_case', admin, asked, { variant: 'take-down' });
    const decision = { ...asked, p_decision, p_note: 'A test' };
    if (p_decision === null) await rpc('take_back_take_down_by_jwt', creator, { p_request_id });
    else await rpc('decide_moderation_case', admin, decision, { variant: `take-down: ${p_decision}` });
  }
  for (const p_only of [undefined, 'gallery', 'take_downs']) {
    await rpc('get_images_of_own_style_by_jwt', creator, { p_only }, { variant: p_only ?? 'all' });
  }
}

/** Reads payouts, and decides about them. */
async function payouts(finance: ApiUser, admin: ApiUser, p_creator_id: string): Promise<void> {
  await rpc('list_payout_runs', finance);
  await rpc('list_payout_runs', finance, { p_before: 5 }, { variant: 'second page' });
  // A run of the filled tables
  const p_run_id = '00000000-0000-4000-8000-000000000001';
  await rpc('get_payout_run', finance, { p_run_id });
  await rpc('list_payout_run_creators', finance, { p_run_id });
  await rpc('list_payout_run_creators', finance, { p_run_id, p_skipped: true }, { variant: 'without a payout' });
  await rpc('list_payout_files', finance, { p_run_id });
  await rpc('list_payout_files', finance, { p_run_id, p_before: 9_999 }, { variant: 'second page' });
  const ofCreator = { p_creator_id: filledCreator };
  await rpc('list_creator_payouts', finance, ofCreator);
  const p_before = `${new Date().toISOString()} payout9`;
  await rpc('list_creator_payouts', finance, { ...ofCreator, p_before }, { variant: 'second page' });

  // The worker would carry out the decisions during the requests.
  const runner = app.context.get(PayoutRunner);
  runner.wake = () => undefined;
  app.context.get(SchedulerRegistry).deleteInterval('payout-runner');
  const carryOut = (): Promise<unknown> => asTheOwner('update payout_run set working = false', []);
  const run = { p_run_id: randomUUID() };
  const reason = { p_reason: 'A test' };
  await rpc('draft_payout_run', finance, run);
  await rpc('draft_payout_run', finance, run, { variant: 'again' });
  for (const step of ['fix', 'check']) {
    await carryOut();
    await rpc(`${step}_payout_run`, admin, run);
  }
  await carryOut();
  await rpc('cancel_payout_run', admin, { ...run, ...reason });
  const p_file = `${referenceOf(randomUUID())},5.00,2026-01-02,SEPA-1`;
  const { report_id } = await rpc<{ report_id: string }>('record_transfers', admin, { p_file });
  await rpc('get_bank_report', finance, { p_report_id: report_id });
  const hold = { p_creator_id, p_until: new Date(Date.now() + 86_400_000).toISOString(), ...reason };
  await rpc('hold_payouts', admin, hold);
  await rpc('release_payouts', admin, { p_creator_id, ...reason });
  const payoutId = randomUUID();
  await unheard(async () => {
    const sums = { payableCents: 5_000, minimumCents: 1, draftedBy: null };
    const details = { changedAt: new Date(0), usableFrom: null };
    const draft = { payoutId, runId: randomUUID(), cutoff: new Date(0), ...sums, details };
    const origin = { actorId: 'system', causationId: payoutId, correlationId: payoutId };
    const { position } = await app.context
      .get(PayoutStore)
      .execute(p_creator_id, origin, (state, now) => draftPayout(state, draft, now).events);
    await app.context.get(ProjectionRunner).waitFor(position ?? '', { timeoutMs: 60_000, name: 'payouts' });
  });
  await rpc('end_payout', admin, { p_payout_id: payoutId, p_end: 'cancel', ...reason });

  const checked = randomUUID();
  const fields = { legal_name: 'Cost', country: 'DE', account: '123456', tax_status: 'business' } as const;
  const { keyId, sealed } = await app.context.get(PayoutCipher).seal(p_creator_id, fields, { mayCreateKey: true });
  for (const [text, values] of [
    [
      `insert into creator_payout_details (creator_id, key_id, sealed, changed_at) values ($1, $2, $3, '2026-01-01')`,
      [p_creator_id, keyId, sealed],
    ],
    [
      `insert into payout_run (id, number, cutoff, minimum_cents, step, working, drafted_at, draft_act)
       values ($1, 1000, now(), 1, 'check', false, now(), $1)`,
      [checked],
    ],
    [
      `insert into payout_run_creator (run_id, creator_id, payable_cents, paid_cents, payout_id)
       values ($1::uuid, $2, 50, 0, $1::uuid::text)`,
      [checked, p_creator_id],
    ],
    [
      `insert into payout (payout_id, creator_id, run_id, step, cutoff, payable_cents, paid_before_cents, amount_cents,
         minimum_cents, drafted_at, fixed_at)
       values ($1, $2, $1, 'checked', now(), 50, 0, 50, 1, now(), now())`,
      [checked, p_creator_id],
    ],
    [
      // The line that was payable.
      `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits, deduction_id,
         creator_id, payable_at)
       values ($1, 0, 0, 2100, 'DeductionSettled', '2026-01-01Z', -50, 0, $1, $2, '2026-01-31Z')`,
      [checked, p_creator_id],
    ],
  ] as const) {
    await asTheOwner(text, [...values]);
  }
  await rpc('list_payout_statements', finance, ofCreator);
  await rpc('list_payout_statements', finance, { ...ofCreator, p_before }, { variant: 'second page' });
  await rpc('get_payout_statement', finance, { p_payout_id: checked });
  const statement = 'GET /exports/payout-statement.csv';
  await ask(statement, finance, { path: `/exports/payout-statement.csv?payout_id=${checked}` });
  await rpc('make_payout_file', admin, { p_run_id: checked, p_file: 1 });
  await rpc('make_payout_file', admin, { p_run_id: checked, p_file: 1 }, { variant: 'again' });
  const file = 'GET /exports/payout-file.csv';
  await ask(file, admin, { path: `/exports/payout-file.csv?run_id=${checked}&file=1` });
  await rpc('take_back_payout_file', admin, { p_run_id: checked, p_file: 1, ...reason });
  await rpc('take_back_payout_file', admin, { p_run_id: checked, p_file: 1, ...reason }, { variant: 'again' });
}

/** Sends every call at least once, as the right user, on its most expensive paths. */
async function tour(): Promise<void> {
  const { url } = app;
  const commands = app.context.get(CommandBus);
  const generations = app.context.get(GenerationWorker);
  const payments = app.context.get(PaymentWorker);
  inBackground(generations, 'kick');
  inBackground(payments, 'wake');
  inBackground(app.context.get(MonthCloser), 'wake');
  const closings = app.context.get(ClosingWorker);
  inBackground(closings, 'wake');
  const continueClosings = closings.wake.bind(closings);
  // It would end the session of the user who closes the account.
  closings.wake = () => undefined;
  // The background work would otherwise process the same rows during the requests.
  for (const sweep of ['due-work', 'generation-cleaner', 'closing-reconciler'])
    app.context.get(SchedulerRegistry).deleteInterval(sweep);
  // The worker executes an ordered refund step by step and continues after a crash. The request waits for it.
  inBackground(app.context.get(AdminRefunds), 'drive');
  await controlProcessor(app.url, 'faults', { hold: true });
  // Only while no projection is behind: a lagging one costs another statement that counts its lag.
  for (const route of ['GET /readyz', 'GET /metrics']) await ask(route, null);
  const fan = await signUp(url, 'cost@fans.test', 'correct-horse-9');
  const newcomer = await signUp(url, 'newcomer@fans.test', 'correct-horse-9');
  const admin = await signIn(url, 'admin@fanvas.test', DEMO_PASSWORD);
  const finance = await signIn(url, 'finance@fanvas.test', DEMO_PASSWORD);
  const auditor = await signIn(url, 'auditor@fanvas.test', DEMO_PASSWORD);
  const deploymentName = 'fanvas/cost';
  const { creatorId, username } = await unheard(() =>
    commands.execute(
      new AddApprovedCreator({
        clerkId: 'user_cost',
        name: 'Cost',
        email: 'c@fanvas.test',
        instagram: '@cost',
        twitter: null,
        onlyfans: null,
        bio: '',
        style: null,
        profile: null,
        deploymentName,
      }),
    ),
  );
  await unheard(() =>
    commands.execute(
      new GrantBonusCredits({
        userId: fan.userId,
        grantId: 'cost',
        amount: 10_000,
        by: systemActor('user_admin'),
        reason: 'A test',
      }),
    ),
  );

  const image = { url: '/media/aaaaaaaaaaaaaaaa/640.webp', width: 64, height: 64, thumbhash: '', sources: [] };
  const stored = async (status: 'completed' | 'failed' | 'pending', userId = fan.userId): Promise<string> => {
    const id = v7();
    await sql(
      `insert into generation (id, user_id, creator_id, prompt, status, model, cost, prediction_id, image, error_message,
         refund_reason, credits_closed_at, not_before, completed_at, created_at, updated_at)
       values ($1, $2, $3, 'A fox', $4, 'm', 10, $5, $6, $7, $8, $9, now() + interval '1 hour', $10, now() - interval '1 minute', now())`,
      [
        ...[id, userId, creatorId, status, `p-${id}`, status === 'completed' ? JSON.stringify(image) : null],
        ...(status === 'failed' ? ['failed', 'generation_failed'] : [null, null]),
        ...(status === 'completed' ? [new Date(), new Date()] : [null, null]),
      ],
    );
    return id;
  };
  const inGallery = async (id: string): Promise<string> => {
    await sql(
      `insert into gallery (creator_id, updated_at, updated_by) values ($1, now(), 'x') on conflict do nothing`,
      [creatorId],
    );
    await sql(
      `insert into gallery_item (creator_id, place, generation_id)
       select $1, coalesce(max(place), 0) + 1, $2 from gallery_item where creator_id = $1`,
      [creatorId, id],
    );
    return id;
  };
  /** A generation in progress, old enough to be cancelled. */
  const drawing = async (p_request_id = randomUUID()): Promise<{ generation_id: string; prediction_id: string }> => {
    const started = await rpc<{ generation_id: string; prediction_id: string }>('start_generation_by_jwt', fan, {
      p_prompt: 'A fox',
      p_creator_id: creatorId,
      p_request_id,
    });
    await sql(`update generation set created_at = created_at - interval '1 minute' where id = $1`, [
      started.generation_id,
    ]);
    return started;
  };
  const tooOld = (id: string): Promise<unknown> =>
    sql(`update generation set created_at = now() - interval '1 hour', not_before = now() where id = $1`, [id]);
  const p_generation_id = await inGallery(await stored('completed'));

  // Public calls
  await rpc('get_public_creators', null);
  await rpc('get_public_creator_by_username', null, { p_username: username });
  await rpc('get_gallery_generations_public', null, { p_creator_id: creatorId });
  for (const p_text of ['fox', 'xylophone', 'zq', '狐狸']) {
    await rpc('search_pictures_public', null, { p_text }, { variant: p_text });
  }
  await rpc('get_creator_info_for_sharing', null, { p_creator_id: creatorId });
  await rpc('get_credit_bundles', null);
  await rpc('is_rate_limited', null, { p_operation: 'data_fetch' });
  await rpc('check_admin_by_jwt', admin);
  await rpc('get_own_roles_by_jwt', admin);
  for (const user of [fan, admin]) await rpc('get_frame', user);
  for (const p_area of ['admin', 'finance', 'audit']) await rpc('get_frame', admin, { p_area }, { variant: p_area });
  await rpc('get_generation_status_public', null, { p_prediction_id: 'filled-1-1' });
  for (const user of [null, fan, newcomer, admin]) await rpc('get_generation_by_id', user, { p_generation_id });
  const tables = '/rest/v1/generations?order=created_at.desc';
  for (const path of [
    tables,
    `${tables}&creator_id=eq.${creatorId}`,
    `/rest/v1/generations?id=eq.${p_generation_id}`,
  ]) {
    for (const user of [null, fan, admin]) await ask('GET /rest/v1/generations', user, { path, variant: path });
  }
  const filled = `${tables}&creator_id=eq.3a1e2a3a-0000-4000-8000-000000000000`;
  for (const filter of ['&status=eq.failed', '&prediction_id=eq.filled-1-1', '&status=eq.pending']) {
    await ask('GET /rest/v1/generations', admin, { path: tables + filter, variant: filter });
    await ask('GET /rest/v1/generations', fan, { path: filled + filter, variant: filter });
  }
  for (const filter of ['', '&username=eq.cost', `&id=eq.${creatorId}`, '&clerk_id=eq.user_filled1']) {
    const path = `/rest/v1/creators?order=created_at.asc${filter}`;
    for (const user of [null, fan, admin]) await ask('GET /rest/v1/creators', user, { path, variant: filter });
  }
  await ask('ALL /rest/v1/:table', fan, { path: '/rest/v1/generations_of_none', body: {}, status: 403 });
  for (const route of ['GET /healthz', 'GET /sitemap.xml', 'GET /robots.txt', 'GET /docs/api', 'GET /']) {
    await ask(route, null);
  }
  await ask('GET /ledger/public-key.pem', null);
  await ask('GET /ledger/key-rotations.ndjson', null);
  await ask('GET /ledger/checkpoint', null);
  await ask('GET /ledger/key', null);
  for (const [route, path, status] of [
    ['/:level/:a', '/1/000', 404],
    ['/:level/:a/:b', '/1/000.p/9', 200],
    ['/:level/:a/:b', '/0/000.p/9', 200],
    ['/:level/:a/:b', '/entries/000.p/9', 200],
    ['/:level/:a/:b/:c', '/entries/x001/000.p/1', 404],
    ['/:level/:a/:b/:c/:d', '/0/x001/x000/000.p/1', 404],
  ] as const) {
    await ask(`GET /ledger/tile${route}`, null, { path: `/ledger/tile${path}`, status, variant: path });
  }
  await ask('GET /docs/api/openapi.json', null);
  await ask('GET /media/:folder/:file', null, { path: '/media/aaaaaaaaaaaaaaaa/640.webp', status: 404 });
  for (const path of [`/${username}`, `/${username}/generate/${p_generation_id}`]) await ask('GET /*', null, { path });

  // Credits
  await rpc('get_user_credit_breakdown', fan);
  const fresh = await signUp(url, 'fresh@fans.test', 'correct-horse-9');
  await ask('POST /rest/v1/rpc/get_user_credit_breakdown', fresh, {
    body: {},
    variant: FIRST_VISIT,
    warm: false,
  });
  const newest = await signUp(url, 'newest@fans.test', 'correct-horse-9');
  await ask(FRAME, newest, { body: {}, variant: FIRST_VISIT, warm: false });
  await withoutBonus(creatorId);
  await rpc('grant_daily_credits_by_jwt', fan);
  await rpc('get_user_transactions_by_jwt', fan);
  await rpc('count_user_transactions_by_jwt', fan);

  // Creators
  for (const name of ['generation_request', 'info_for_generation']) {
    const call =
      name === 'generation_request' ? 'get_creator_for_generation_request_by_jwt' : `get_creator_${name}_by_jwt`;
    await rpc(call, fan, { p_creator_id: creatorId });
  }
  await rpc('get_terms_acceptance_status_by_jwt', fan, { p_terms_version: 'v1.0' });
  await applications(admin);

  // A generation's life
  await rpc('has_active_pending_generation_jwt', fan);
  const forbidden = { p_prompt: 'explicit porn', p_creator_id: creatorId };
  await rpc('start_generation_by_jwt', fan, forbidden, { status: 422, variant: 'refused' });
  const p_request_id = randomUUID();
  const first = await drawing(p_request_id);
  await rpc('start_generation_by_jwt', fan, { p_prediction_id: first.prediction_id }, { variant: 'started before' });
  const repeat = { p_prompt: 'A fox', p_creator_id: creatorId, p_request_id };
  await rpc('start_generation_by_jwt', fan, repeat, { variant: 'sent before' });
  await rpc('get_generation_by_prediction_id_jwt', fan, { p_prediction_id: first.prediction_id });
  await rpc('get_generation_by_prediction_id_jwt', admin, { p_prediction_id: first.prediction_id });
  await rpc('update_generation_status_by_jwt', fan, { p_prediction_id: first.prediction_id });
  await fn('replicate-api', fan, { path: 'status', id: first.prediction_id }, { variant: 'status' });
  await rpc('get_own_generation_images_by_jwt', fan, { p_generation_ids: [first.generation_id] });
  await rpc('get_own_generation_credits_by_jwt', fan, { p_generation_id: first.generation_id }, { status: 404 });
  await rpc('get_own_generation_credits_by_jwt', fan, { p_generation_id }, { variant: 'completed' });
  await rpc('cancel_generation_by_jwt', fan, { p_generation_id: first.generation_id });
  await rpc('process_automatic_refund_by_jwt', fan, { p_generation_id: first.generation_id });
  await fn('replicate-api', fan, { path: 'generate', prompt: 'A fox', deploymentName }, { variant: 'generate' });
  await sql(`update generation set created_at = created_at - interval '1 minute' where status = 'pending'`);
  const [second] = await ask<{ prediction_id: string }[]>('GET /rest/v1/generations', fan, {
    path: '/rest/v1/generations?status=eq.pending',
  });
  await fn('replicate-api', fan, { path: 'cancel', id: second?.prediction_id }, { variant: 'cancel' });
  const third = await drawing();
  await tooOld(third.generation_id);
  await rpc('process_generation_timeout_immediate', fan, { p_prediction_id: third.prediction_id });
  await tooOld((await drawing()).generation_id);
  await rpc('process_timeout_refunds_by_jwt', fan);
  await rpc('start_generation_by_jwt', fan, {
    p_prompt: 'A fox',
    p_creator_id: creatorId,
    p_prediction_id: 'test-cost',
  });
  await sql(`update generation set created_at = created_at - interval '1 minute' where status = 'pending'`);
  await rpc('cancel_generation_securely', fan, { p_prediction_id: 'test-cost' });
  await rpc('get_user_generations_by_jwt_paginated', fan);
  await rpc('get_user_generations_by_jwt_paginated', fan, { p_show: 'finished' });
  await rpc('get_user_generations_by_jwt_paginated', fan, { p_show: 'failed' });
  await follow(fan, p_generation_id);
  await follow(newcomer, p_generation_id);

  // Tests of a creator's own model
  const tester = await signUp(url, 'tester@fans.test', 'correct-horse-9');
  const { creatorId: ownStyle } = await unheard(() =>
    commands.execute(
      new AddApprovedCreator({
        clerkId: tester.userId,
        name: 'Tester',
        email: 'tester@fans.test',
        instagram: '@tester',
        twitter: null,
        onlyfans: null,
        bio: '',
        style: null,
        profile: null,
        deploymentName: 'fanvas/tests',
      }),
    ),
  );
  await rpc('start_test_generation_by_jwt', tester, { p_prompt: 'explicit porn' }, { status: 422, variant: 'refused' });
  const test = await rpc<{ generation_id: string }>('start_test_generation_by_jwt', tester, { p_prompt: 'A fox' });
  const pendingToo = { status: 409, variant: 'pending' };
  await rpc('start_test_generation_by_jwt', tester, { p_prompt: 'A fox' }, pendingToo);
  await sql(`update generation set created_at = created_at - interval '1 minute' where status = 'pending'`);
  await rpc('cancel_generation_by_jwt', tester, { p_generation_id: test.generation_id }, { variant: 'test' });
  await sql(
    `update generation set status = 'completed', image = $2, completed_at = now(), error_message = null, refund_reason = null
     where id = $1`,
    [test.generation_id, JSON.stringify(image)],
  );
  await rpc('rate_test_generation_by_jwt', tester, { p_generation_id: test.generation_id, p_rating: 'good' });
  await rpc('get_own_test_generations_by_jwt', tester);
  await rpc('get_test_allowance_by_jwt', tester);

  // Images and cases
  await rpc('hide_generation_by_jwt', fan, { p_generation_id: await inGallery(await stored('completed')) });
  await rpc('delete_generation_by_jwt', fan, { p_generation_id: await inGallery(await stored('completed')) });

  await curation(admin, creatorId, () => stored('completed'));
  await cases({ admin, reporter: newcomer, creatorId }, async () => inGallery(await stored('completed')));

  // A creator's own controls
  await controls(admin, tester, async () => {
    const id = await inGallery(await stored('completed'));
    await sql(`update generation set creator_id = $1 where id = $2`, [ownStyle, id]);
    await sql(
      `insert into gallery (creator_id, updated_at, updated_by) values ($1, now(), 'x') on conflict do nothing`,
      [ownStyle],
    );
    await sql(
      `update gallery_item set creator_id = $1,
         place = (select coalesce(max(place), 0) + 1 from gallery_item where creator_id = $1) where generation_id = $2`,
      [ownStyle, id],
    );
    return id;
  });
  const blocked = { p_prompt: 'a cigarette', p_creator_id: ownStyle };
  await rpc('start_generation_by_jwt', fan, blocked, { status: 422, variant: 'blocked word' });
  await rpc('withdraw_consent_by_jwt', tester, { p_confirmation: 'Tester' });
  await rpc('get_model_deletions', admin);
  await rpc('record_model_deletion', admin, { p_creator_id: ownStyle });
  await rpc('get_model_deletions', admin, { p_ended: true });
  const again = { user_id: tester.userId, email: 'tester@fans.test', accepted_at: new Date().toISOString() };
  const terms = { terms_version: 'v1.0', terms_url: '/creator-terms', method_of_acceptance: 'x' };
  await fn('log-terms-acceptance', tester, { ...again, ...terms, accepted_text_snapshot: 'x' }, { variant: 'again' });

  // Payments
  const order = {
    userEmail: 'x@y.test',
    bundleId: 'popular',
    bundleCredits: 250,
    bundlePrice: 25,
    successUrl: `${url}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${url}/payment-canceled`,
  };
  const checkout = await fn<{ url: string }>('create-checkout-session', fan, order);
  const sessionId = checkout.url.split('/').at(-1) ?? '';
  await fn('create-checkout-session', fan, order, { variant: 'asked again' });
  await fn('get-checkout-session', fan, { sessionId }, { variant: 'open' });
  await controlProcessor(app.url, 'pay', { session: sessionId, card: 'pays' });
  await fn('get-checkout-session', fan, { sessionId }, { variant: 'paid' });
  await fn('get-checkout-session', fan, { sessionId }, { variant: 'credited' });
  await rpc('get_user_purchases_by_jwt', fan);
  await rpc('get_payment_problems', admin);
  const refund = { p_session_id: sessionId, p_credits: 10, p_reason: 'A test', p_request_id: randomUUID() };
  await rpc('refund_purchase', admin, refund);
  await rpc('refund_purchase', admin, refund, { variant: 'again' });
  await rpc('preview_refund_admin', admin, { p_session_id: refund.p_session_id });
  await rpc('retry_checkout_admin', admin, { p_session_id: refund.p_session_id });
  await app.context.get(PaymentProblems).open(sessionId, 'wrong_amount', 'A test.');
  await rpc('dismiss_payment_problem', admin, { p_subject: sessionId, p_kind: 'wrong_amount', p_reason: 'A test' });

  // Closing an account
  const leaving = await signUp(url, 'leaving@fans.test', 'correct-horse-9');
  await rpc('get_account_closing', fan);
  const closing = { p_choice: 'refund', p_confirmation: 'CLOSE' };
  const { receipt_token: p_receipt_token } = await rpc<{ receipt_token: string }>('close_account', leaving, closing);
  await rpc('close_account', leaving, closing, { variant: 'again' });
  await rpc('get_account_closing', leaving, {}, { variant: 'closing' });
  await rpc('get_closing_receipt', null, { p_receipt_token });
  await rpc('get_account_closure', admin, { p_user_id: leaving.userId });

  const correction = { p_user_id: newcomer.userId, p_amount: 5, p_reason: 'A test' };
  await rpc('grant_bonus_credits', admin, { ...correction, p_grant_id: randomUUID() });
  await rpc('adjust_credits', admin, { ...correction, p_adjustment_id: randomUUID() });
  await rpc('repair_account_clock', admin, { p_user_id: newcomer.userId, p_reason: 'A test' });
  await users(admin, fan, first.generation_id);

  // Finance and audit
  const ofCreator = { p_creator_id: filledCreator };
  await rpc('get_trial_balance', finance);
  await rpc('list_revenue_months', finance);
  const { month: p_month, figures: p_figures } = await rpc<MonthClosing>('get_month_closing', finance);
  await rpc('close_book_month', finance, { p_month, p_figures });
  await rpc('get_deferred_revenue', finance);
  await rpc('list_creator_liabilities', finance);
  const today = { p_from: new Date(Date.now() - 86_400_000).toISOString(), p_to: new Date().toISOString() };
  await rpc('list_book_entries', finance, { p_accounts: [2000], ...today });
  await rpc('list_book_entries', finance, { p_accounts: [2100, 4000], ...today }, { variant: 'of two accounts' });
  const shares = { p_accounts: [2100], p_creator_id: filledCreator, ...today };
  await rpc('list_book_entries', finance, shares, { variant: 'of a creator' });
  const bought = { p_accounts: [2000], p_bought_month: '2026-01', p_from: '2026-01-01', p_to: '2026-02-01' };
  await rpc('list_book_entries', finance, bought, { variant: 'of a month of purchase' });
  await rpc('get_event_entries', finance, { p_user_id: 'user_filled1', p_version: 0 });
  const period = `from=${today.p_from}&to=${today.p_to}`;
  for (const file of ['trial-balance', 'revenue-months', 'deferred-revenue', 'creator-liabilities']) {
    await ask(`GET /exports/${file}.csv`, finance);
  }
  await ask('GET /exports/book-entries.csv', finance, { path: `/exports/book-entries.csv?account=2000&${period}` });
  await ask('GET /exports/journal.csv', finance, { path: `/exports/journal.csv?${period}` });
  await rpc('get_reconciliation', finance);
  await rpc('get_reconciliation', finance, { p_from: '2026-01-01' }, { variant: 'of a year' });
  const { next: lastDifference } = await rpc<{ next: string | null }>('list_differences', finance);
  const p_from = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  await rpc('list_differences', finance, { p_from, p_after: lastDifference ?? undefined }, { variant: 'second page' });
  await rpc('get_open_difference_count', finance);
  await rpc('run_reconciliation', finance);
  await ask('GET /exports/reconciliation.csv', finance);
  await payouts(finance, admin, creatorId);
  await rpc('get_creator_dashboard_analytics', finance, ofCreator);
  await rpc('get_creator_monthly_history', finance, ofCreator);
  await rpc('get_creator_earnings', finance, ofCreator);
  await rpc('get_creator_earnings', finance, { ...ofCreator, p_month: '2026-01' }, { variant: 'of a month' });
  await rpc('get_creator_statement', finance, { ...ofCreator, p_month: '2026-01' });
  const download = 'GET /exports/creator-earnings.csv';
  await ask(download, finance, { path: `/exports/creator-earnings.csv?creator_id=${filledCreator}` });
  await rpc('get_account_balance_at', auditor, { p_user_id: fan.userId });
  await rpc('get_account_statement', auditor, { p_user_id: fan.userId });
  await rpc('get_account_event', auditor, { p_user_id: fan.userId, p_version: 0 });
  const ordered = `select version from event where stream = $1 and type = 'CreditsDeducted' order by version limit 1`;
  const [deduction] = (
    await unheard(() => database.pool.query<{ version: number }>(ordered, [`creditAccount-${fan.userId}`]))
  ).rows;
  await rpc(
    'get_account_event',
    auditor,
    { p_user_id: fan.userId, p_version: deduction?.version },
    { variant: 'of an image' },
  );
  await rpc('export_ledger_events', auditor, { p_limit: 100 });
  await rpc('list_ledger_accounts', auditor, { p_limit: 100 });
  await rpc('find_ledger_events', auditor, { p_id: fan.userId });
  await rpc('get_ledger_verification', auditor);
  await rpc('list_ledger_seals', auditor);
  await rpc('request_ledger_verification', auditor);
  await rpc('list_verification_runs', auditor);
  await rpc('list_verification_runs', auditor, { p_after: 1 }, { variant: 'older' });
  await rpc('get_ledger_seal', auditor, { p_number: 1 });
  const filler = `select event_id as id from log_leaf where stream = 'creditAccount-logged1'`;
  const { rows } = await unheard(() => database.pool.query<{ id: string }>(filler));
  await ask('GET /ledger/proof/:eventId', auditor, { path: `/ledger/proof/${rows[0]?.id}` });
  await ask('GET /ledger/statement', fan, { status: 404 });
  await ask('GET /ledger/earnings-statement', tester, { status: 404 });
  await rpc('get_ledger_proof', auditor, { p_user_id: fan.userId }, { status: 404 });

  await ask('GET /exports/my-data.zip', fan);

  // Webhooks of providers
  const { clerk, replicate, stripe } = app.providers;
  const webhook = JSON.stringify({
    type: 'user.deleted',
    object: 'event',
    data: { id: 'user_filled1', deleted: true },
  });
  const clerkHeaders = svix('svix', clerk.webhookSecret, webhook);
  await ask('POST /webhooks/clerk', null, { body: webhook, headers: clerkHeaders });
  const drawn = await stored('pending', newcomer.userId);
  const prediction = {
    id: `p-${drawn}`,
    status: 'succeeded',
    output: ['https://replicate.delivery/x.png'],
    error: null,
  };
  const news = JSON.stringify({ ...prediction, version: 'v', input: {}, created_at: new Date().toISOString() });
  await ask('POST /webhooks/replicate', null, {
    path: `/webhooks/replicate?generation=${drawn}`,
    body: news,
    headers: svix('webhook', replicate.webhookSecret, news),
  });
  const event = JSON.stringify({
    id: 'evt_cost',
    object: 'event',
    type: 'charge.refunded',
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: 'ch_cost', payment_intent: 'pi_filled_1' } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: event, secret: stripe.webhookSecret ?? '' });
  await ask('POST /webhooks/stripe', null, {
    body: event,
    headers: { 'stripe-signature': signature, 'Content-Type': 'application/json' },
  });

  // Background work must not scan full tables either
  await app.context.get(GenerationReconciler).sweep();
  await app.context.get(GenerationCleaner).sweep();
  payments.wake();
  continueClosings();
  await Promise.all([generations.idle(), payments.idle(), closings.idle()]);
}

/** Calls of a user whose sign-up bonus another user of the same mailbox has, and who pays with bought credits. */
async function withoutBonus(creatorId: string): Promise<void> {
  const variant = 'without a bonus';
  const first = await signUp(app.url, 'cost@gmail.com', 'correct-horse-9');
  await first.rpc('get_user_credit_breakdown');
  const user = await signUp(app.url, 'c.ost@gmail.com', 'correct-horse-9');
  const { userId } = user;
  const commands = app.context.get(CommandBus);
  await unheard(() => commands.execute(new PurchaseCredits({ userId, ...paidSession({ sessionId: 'cs_cost' }) })));
  const answer = await rpc<CreditBreakdown>('get_user_credit_breakdown', user, {}, { variant });
  if (answer.sign_up_bonus !== 'taken') throw new Error(`The sign-up bonus is ${answer.sign_up_bonus}.`);
  await rpc('grant_daily_credits_by_jwt', user, {}, { variant });
  await unheard(() =>
    commands.execute(
      new AdjustCredits({
        userId,
        adjustmentId: 'cost',
        amount: 10,
        reason: 'A test',
        admin: systemActor('user_admin'),
      }),
    ),
  );
  await rpc('start_generation_by_jwt', user, { p_prompt: 'A fox', p_creator_id: creatorId }, { variant });
}

/** Reads the event stream of a generation up to the first event. The stream of a finished generation ends there. */
async function follow(user: ApiUser, id: string): Promise<void> {
  await ask('GET /events/generations/:id', user, { path: `/events/generations/${id}` });
}
