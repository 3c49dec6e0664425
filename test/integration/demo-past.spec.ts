import { createPublicKey } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RunningApp } from '../../src/composition/compose.js';
import { startFanvas } from '../../src/composition/compose.js';
import { type RevenueMonths } from '../../src/contract/finance.js';
import { type Purchase } from '../../src/contract/payments.js';
import { type CreatorEarning } from '../../src/contract/revenue.js';
import { createStripe, reconcileLedger, StripePaymentProcessor } from '../../src/payments/index.js';
import { type PaymentTables } from '../../src/payments/tables.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { PastBusyError } from '../../src/platform/config/sandboxes.js';
import { EventStore } from '../../src/platform/event-store/event-store.js';
import { FolderTakenError } from '../../src/platform/folder-owner.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { expectAgreement } from '../support/agreement.js';
import { signIn, type ApiUser } from '../support/api-client.js';
import { freePort } from '../support/app-process.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { PICTURE_PX } from '../support/picture-px.mjs';
import { until } from '../support/until.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(300_000);

/** Enough for earnings that are payable in the past. */
const MONTHS = 4;
/** Images of four months of the small demo. */
const IMAGES = 80;

let database: TestDatabase<PaymentTables>;
let dataDir: string;
let app: RunningApp;

async function newInstallation(): Promise<void> {
  database = await withTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'fanvas-past-'));
}

async function removeInstallation(): Promise<void> {
  await app?.stop();
  await database?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
}

/** @param remembered may throw, as if the process ended there */
async function start(
  months: number,
  remembered: (done: number) => void = () => undefined,
  size: 'small' | 'none' = 'small',
  folder = dataDir,
): Promise<RunningApp> {
  const FANVAS_MASTER_KEY = '7'.repeat(64);
  const port = String(await freePort());
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder, PORT: port, FANVAS_MASTER_KEY };
  const sandbox = { SANDBOX_DEMO: size, SANDBOX_PAST_MONTHS: String(months), SANDBOX_PICTURE_PX: String(PICTURE_PX) };
  const demo = { ...sandbox, LOG_LEVEL: 'silent' };
  const past = { drawn: () => undefined, waiting: () => undefined, remembered };
  return startFanvas(loadConfig({ ...settings, ...demo }, '/'), { past });
}

beforeAll(newInstallation);
afterAll(removeInstallation);

async function count(query: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(query);
  return Number(rows[0]?.count);
}

/** Completes the demo, as a start does once the app listens. */
const seedDemo = async (): Promise<void> =>
  app.sandboxes?.seedDemo(app.context, {
    drawn: () => undefined,
    waiting: () => undefined,
    remembered: () => undefined,
  });

const signInAs = (name: string): Promise<ApiUser> => signIn(app.url, `${name}@fanvas.test`, DEMO_PASSWORD);

describe('past of the demo', () => {
  it('continues after an interruption, regardless of the settings then, and refuses a second process', async () => {
    const end = (done: number): void => {
      if (done === 60) throw new Error('The machine lost power.');
    };
    await expect(start(MONTHS, end)).rejects.toThrow('lost power');
    expect(await count(`select count(*) from event where type = 'HistoryImported'`)).toBe(0);
    const copy = `${dataDir}-copy`;
    await cp(dataDir, copy, { recursive: true });
    const errorOf = (folder: string): Promise<unknown> =>
      start(0, undefined, 'small', folder).then(
        (other) => other.stop(),
        (error: unknown) => error,
      );
    let others: Promise<unknown[]> | undefined;
    app = await start(0, () => {
      others ??= Promise.all([errorOf(dataDir), errorOf(copy)]);
    });
    // A second process must not write to the same files, nor to the same ledger.
    expect(await others).toEqual([expect.any(FolderTakenError), expect.any(PastBusyError)]);
    await rm(copy, { recursive: true });
    expect(await count(`select count(*) from event where type = 'HistoryImported'`)).toBe(1);
    const images = await count('select count(*) from generation');
    expect(images).toBeLessThanOrEqual(IMAGES);
    expect(images).toBeGreaterThan(IMAGES - 10);
    expect(await count(`select count(*) from generation where status = 'pending'`)).toBe(0);
  });

  it('leaves a ledger without problems', async () => {
    await app.context.get(ProjectionRunner).catchUp();
    const key = createPublicKey(await readFile(join(dataDir, 'ledger-public-key.pem')));
    const stores = { pool: database.pool, eventStore: app.context.get(EventStore) };
    const { problems, summary } = await verifiedLedger(stores, () => new Date(), { keys: [key] });
    expect(problems).toEqual([]);
    expect(summary.payoutEvents).toBeGreaterThan(3);
    expect(summary.generations).toBe(await count('select count(*) from generation'));
    // The operator's decisions are of today: only accounts have a past.
    expect(
      await count(`select count(*) from event where stream = 'policy' and recorded_at > now() - interval '1 hour'
      and metadata->>'occurredAt' < to_char(now() - interval '1 hour', 'YYYY-MM-DD')`),
    ).toBe(0);
  });

  it('has a payout run that was paid, and one that waits for its check', async () => {
    const { rows } = await database.pool.query<{ step: string; people: number; states: string[] }>(
      `select step, (drafted_by <> checked_by)::int as people,
         array(select distinct p.step from payout p where p.run_id = r.id::text) as states
       from payout_run r order by number`,
    );
    expect(rows.map(({ step }) => step)).toEqual(['check', 'check', 'fix']);
    // The earnings of the small demo become payable before the second run.
    expect(rows[1]).toEqual({ step: 'check', people: 1, states: ['paid'] });
    // The processor has no past: its worker begins today.
    expect(await count(`select count(*) from event where stream = 'processor'`)).toBe(0);
    expect(await count(`select count(*) from admin_act where kind = 'payout.recorded'`)).toBe(1);
  });

  it('agrees with the payment processor to the cent', async () => {
    const { db } = database;
    const processor = new StripePaymentProcessor(createStripe(app.providers.stripe));
    const sources = { db, eventStore: app.context.get(EventStore), processor, isImported: () => false };
    const period = { from: new Date(Date.now() - 100 * 86_400_000), to: new Date() };
    const onDifference = (difference: unknown): never => {
      throw new Error(JSON.stringify(difference));
    };
    const summary = await reconcileLedger(sources, period, { onDifference, onProgress: () => undefined });
    expect(summary).toMatchObject({ differences: 0, importedCents: 0 });
    expect(summary.sessions).toBeGreaterThanOrEqual(3);
    // A refund and a lost dispute.
    expect(summary.returnedCents).toBeGreaterThan(1000);
    expect(await count(`select count(*) from event where type = 'PurchaseReinstated'`)).toBe(1);
  });

  it('shows a creator the causes of the earnings, and a fan every purchase', async () => {
    const { rows } = await database.pool.query<{ id: string; cents: number }>(
      `select c.id, sum(e.creator_cents)::int as cents from creator c
       join creator_earning e on e.creator_id::text = c.id::text where c.username = 'junoabara' group by c.id`,
    );
    const creator = await signInAs('creator');
    const all = { p_creator_id: rows[0]?.id, p_limit: 100 };
    const { body: earnings } = await creator.rpc<CreatorEarning[]>('get_creator_earnings', all);
    expect(earnings.reduce((sum, earning) => sum + earning.creator_cents, 0)).toBe(rows[0]?.cents);
    expect(new Set(earnings.map(({ cause }) => cause))).toEqual(new Set([null, 'dispute', 'dispute_won']));
    const fan = await signInAs('fan');
    const purchases = await fan.rpc<Purchase[]>('get_user_purchases_by_jwt');
    expect(purchases.body).toHaveLength(await count(`select count(*) from checkout where user_id = '${fan.userId}'`));
  });

  it('closes its months as the finance person, except the last one that has ended', async () => {
    await seedDemo();
    const finance = await signInAs('finance');
    const { body } = await finance.rpc<RevenueMonths>('list_revenue_months', { p_limit: 120 });
    const [current, ended, ...before] = body.months;
    expect([current?.closed_at, ended?.closed_at, body.next_to_close]).toEqual([null, null, ended?.month]);
    expect(before.length).toBeGreaterThan(MONTHS - 3);
    expect(new Set(before.map(({ closed_by }) => closed_by))).toEqual(new Set([finance.userId]));
    expect(await count(`select count(*) from event where type = 'MonthClosed'`)).toBe(before.length);
    expect(await count(`select count(*) from admin_act where kind = 'books.month_closed' and closes is null`)).toBe(
      before.length,
    );
    // The balance at the processor was read before: its fees are in their months.
    const { rows } = await database.pool.query<{ cents: number }>(
      `select (each->>'cents')::int as cents from book_closed_month, jsonb_array_elements(balances::jsonb) as each
       where (each->>'account')::int = 5300 order by month desc limit 1`,
    );
    expect(rows[0]?.cents).toBeGreaterThan(0);
  });

  it('states every cent alike in journal, balances, dashboards and files, and to the independent verifier', async () => {
    const { creators, entries, months, closed, creatorCents } = await expectAgreement(app, dataDir, database);
    expect(creators).toBe(2);
    expect(months).toBeGreaterThan(MONTHS - 1);
    expect(closed).toBeGreaterThan(MONTHS - 2);
    expect(entries).toBeGreaterThan(20);
    expect(creatorCents).toBeGreaterThan(100);
  });

  it('knows the names of the people who made the payouts', async () => {
    const unnamed = `select count(*) from app_user u right join (
        select drafted_by as id from payout_run union select checked_by from payout_run where checked_by is not null
      ) as actor on actor.id = u.id where u.name is null`;
    expect(await count('select count(*) from payout_run where checked_by is not null')).toBeGreaterThan(0);
    expect(await count(unnamed)).toBe(0);
  });

  it('makes nothing again at the next start', async () => {
    const events = await count('select count(*) from event');
    expect(await count('select count(*) from verification_run')).toBe(1);
    await app.stop();
    app = await start(MONTHS);
    await seedDemo();
    expect(await count('select count(*) from event')).toBe(events);
    expect(await count('select count(*) from verification_run')).toBe(1);
  });

  it('does not begin in a ledger that has a seal', async () => {
    await removeInstallation();
    await newInstallation();
    app = await start(0, undefined, 'none');
    await until(async () => (await count('select count(*) from ledger_seal')) === 1, 'the first seal');
    await app.stop();
    app = await start(MONTHS);
    expect(await count(`select count(*) from event where type = 'HistoryImported'`)).toBe(0);
  });
});
