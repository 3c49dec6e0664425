import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { CommandBus } from '@nestjs/cqrs';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { type PoolClient } from 'pg';
import { type RunningApp } from '../../src/composition/compose.js';
import { ClosingWorker } from '../../src/privacy/closing/workers/closing-worker.js';
import { startFanvas } from '../../src/composition/compose.js';
import { GrantBonusCredits } from '../../src/credits/index.js';
import { GenerationWorker } from '../../src/generation/steps/generation-worker.js';
import { GenerationCleaner } from '../../src/generation/workers/clean-generations.js';
import { GenerationReconciler } from '../../src/generation/workers/reconcile-generations.js';
import { EarningPoster } from '../../src/finance/workers/earning-poster.js';
import { MonthCloser } from '../../src/finance/workers/month-closer.js';
import { ProcessorReader } from '../../src/finance/workers/processor-reader.js';
import { systemActor } from '../../src/platform/acts/actor.js';
import { AdminRefunds } from '../../src/payments/use-cases/admin-refunds.js';
import { PaymentWorker } from '../../src/payments/workers/payment-worker.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { addingCreator } from '../support/adding-creator.js';
import { signIn, signUp } from '../support/api-client.js';
import { freePort } from '../support/app-process.js';
import { asOwner, withTestDatabase, type TestDatabase } from '../support/database.js';
import { fillDatabase, LARGE_TABLES, SMALL_TABLES } from '../support/large-data.js';
import { type PlanNode } from '../support/query-plans.js';
import { applicationRequests } from '../support/request-tour/applications.js';
import { auditRequests } from '../support/request-tour/audit.js';
import { closingRequests } from '../support/request-tour/closing.js';
import { controlRequests } from '../support/request-tour/controls.js';
import { creditRequests, FIRST_VISIT } from '../support/request-tour/credits.js';
import { financeRequests } from '../support/request-tour/finance.js';
import { caseRequests, galleryRequests } from '../support/request-tour/galleries-and-cases.js';
import { generationRequests, testRequests } from '../support/request-tour/generations.js';
import { paymentRequests } from '../support/request-tour/payments.js';
import { publicRequests } from '../support/request-tour/public-requests.js';
import { RequestTour, TEST, ToursImages } from '../support/request-tour/request-tour.js';
import { userRequests } from '../support/request-tour/users.js';
import { webhookRequests } from '../support/request-tour/webhooks.js';
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

let database: TestDatabase<unknown>;
let recorder: StatementRecorder;
let dataDir: string;
let app: RunningApp;
let tour: RequestTour;
/** Statements before this one filled the tables. */
let filledAt = 0;

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
  tour = new RequestTour(app, database, recorder);
  await tour.unheard(() => fillDatabase(asOwner(database)));
  filledAt = recorder.all.length;
  await sendEveryRequest(tour);
});
afterAll(async () => {
  await app?.stop();
  recorder?.stop();
  await database?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

describe('cost of requests', () => {
  it('covers every route', () => {
    const routes = new Set(tour.asked.map(({ route }) => route));
    expect([...routes].sort()).toEqual([...routesOf(app), ...OTHER_ROUTES].sort());
  });

  it('stays within five statements per request', () => {
    const tooMany = tour.asked
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
    const { rows } = await tour.unheard(() =>
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

/** Sends every call at least once, as the right user, on its most expensive paths. */
async function sendEveryRequest(tour: RequestTour): Promise<void> {
  const { ask, rpc, fn, sql, unheard } = tour;
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
  // The background work would otherwise process the same rows during the requests, or append events in one statement
  // with a request.
  for (const sweep of ['due-work', 'generation-cleaner', 'closing-reconciler', 'earning-poster', 'processor-reader'])
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
  const { creatorId, username } = await unheard(() => commands.execute(addingCreator('cost')));
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

  const people = { fan, newcomer, admin, finance, auditor };
  const creator = { creatorId, username, deploymentName: 'fanvas/cost' };
  const images = new ToursImages(tour, fan, creatorId);
  const { stored, inGallery } = images;
  const pictureInGallery = async (): Promise<string> => inGallery(await stored('completed'));
  const p_generation_id = await pictureInGallery();

  await publicRequests(tour, people, creator, p_generation_id);
  await creditRequests(tour, fan, creatorId);
  await applicationRequests(tour, fan, admin, creatorId);
  const generationId = await generationRequests(tour, people, creator, images, p_generation_id);
  const { tester, ownStyle } = await testRequests(tour);

  await rpc('hide_generation_by_jwt', fan, { p_generation_id: await pictureInGallery() });
  await rpc('delete_generation_by_jwt', fan, { p_generation_id: await pictureInGallery() });
  await galleryRequests(tour, admin, creatorId, () => stored('completed'));
  await caseRequests(tour, { admin, reporter: newcomer, creatorId }, pictureInGallery);

  await controlRequests(tour, admin, tester, async () => {
    const id = await pictureInGallery();
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

  await paymentRequests(tour, fan, admin);
  await closingRequests(tour, fan, admin);

  const correction = { p_user_id: newcomer.userId, p_amount: 5, p_reason: 'A test' };
  await rpc('grant_bonus_credits', admin, { ...correction, p_grant_id: randomUUID() });
  await rpc('adjust_credits', admin, { ...correction, p_adjustment_id: randomUUID() });
  await rpc('repair_account_clock', admin, { p_user_id: newcomer.userId, p_reason: 'A test' });
  await userRequests(tour, admin, fan, generationId);
  await financeRequests(tour, people, creatorId);
  await app.context.get(EarningPoster).runOnce();
  await auditRequests(tour, people, tester);
  await ask('GET /exports/my-data.zip', fan);
  await webhookRequests(tour, await stored('pending', newcomer.userId));

  // Background work must not scan full tables either
  await app.context.get(GenerationReconciler).sweep();
  await app.context.get(GenerationCleaner).sweep();
  await app.context.get(ProcessorReader).tick();
  payments.wake();
  continueClosings();
  await Promise.all([generations.idle(), payments.idle(), closings.idle()]);
}
