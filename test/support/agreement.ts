import { createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { exportLedger, publicPem, signingKeyOf } from '../../src/audit/index.js';
import { LogSchedule } from '../../src/audit/workers/log-schedule.js';
import { type RunningApp } from '../../src/composition/compose.js';
import { type MonthClosing, type RevenueMonths } from '../../src/contract/finance.js';
import { type PayoutStatement, type PayoutStatements } from '../../src/contract/payouts.js';
import {
  type CreatorAnalytics,
  type CreatorMonthlyHistory,
  type CreatorStatement,
} from '../../src/contract/revenue.js';
import { MonthCloser } from '../../src/finance/index.js';
import { type MonthClosed } from '../../src/finance/processor/events.js';
import { EventStore } from '../../src/platform/event-store/event-store.js';
import { InstallationKeys } from '../../src/platform/keys/installation-keys.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { signIn, type ApiUser } from './api-client.js';
import { asOwner } from './database.js';
import { rowsOf } from './csv.js';
import { expectMonthEnds } from './month-ends.js';
import { runVerifier, type VerifiedBalance, type VerifiedCreator } from './verifier.js';
import { verifiedLedger } from './verified-ledger.js';

/** A row of a CSV file by its columns. */
type Row = Readonly<Record<string, string>>;

/** The result of the independent verifier for an export. */
interface Verified {
  /** The instant of its balances, epoch milliseconds. */
  readonly until: number;
  readonly problems: number;
  readonly events: number;
  readonly creators: readonly VerifiedCreator[];
  readonly trialBalance: readonly VerifiedBalance[];
}

/** Counts of what was compared, so that a caller can see that it was something. */
export interface Agreement {
  readonly events: number;
  readonly months: number;
  /** Months that are closed. */
  readonly closed: number;
  readonly creators: number;
  readonly entries: number;
  readonly creatorCents: number;
}

/**
 * Compares everything that states money, to the cent: the journal, the trial balance, the revenue by month, deferred
 * revenue, what creators are owed, their dashboards and monthly statements, `ledger verify`, and the independent
 * verifier, which has only an export, the public log, the key and its one file.
 * @param database that of the app: limits of calls are emptied in it
 */
export async function expectAgreement(
  app: RunningApp,
  dataDir: string,
  database: Parameters<typeof asOwner>[0],
): Promise<Agreement> {
  const folder = await mkdtemp(join(tmpdir(), 'fanvas-agreement-'));
  try {
    const person = await signIn(app.url, 'finance@fanvas.test', DEMO_PASSWORD);
    // A person does not ask for all of this within a minute.
    const beforeCall = async (): Promise<unknown> => asOwner(database).query('truncate rate_limit');
    const finance: ApiUser = {
      ...person,
      rpc: async (name, body) => {
        await beforeCall();
        return person.rpc(name, body);
      },
      token: async () => {
        await beforeCall();
        return person.token();
      },
    };
    await app.context.get(ProjectionRunner).catchUp();
    const closed = await closeMonths(app, finance);
    await app.context.get(ProjectionRunner).catchUp();
    const verified = await verifyFromOutside(app, dataDir, folder);
    const books = new Books(app.url, finance, new Date(verified.until));
    const balances = await expectTrialBalance(books, verified);
    const entries = await expectJournal(books, balances);
    const months = await expectMonths(books, verified);
    await expectJournalByMonth(books);
    await expectClosed(app, books, closed);
    await expectCreators(books, verified);
    await expectVerified(app, dataDir);
    const creatorCents = verified.creators.reduce((sum, { cents }) => sum + cents, 0);
    return {
      events: verified.events,
      months,
      closed: closed.length,
      creators: verified.creators.length,
      entries,
      creatorCents,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Closes every month that ended a day ago, as a person of finance does. @returns them, the oldest first */
async function closeMonths(app: RunningApp, finance: ApiUser): Promise<readonly string[]> {
  await logAll(app);
  await finance.verifyAgain(DEMO_PASSWORD);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 7);
  const { body } = await finance.rpc<RevenueMonths>('list_revenue_months', { p_limit: 120 });
  const ended = body.months.map(({ month }) => month).filter((month) => month < yesterday);
  for (const month of [...ended].reverse()) {
    const { figures } = (await finance.rpc<MonthClosing>('get_month_closing', {})).body;
    const close = () => finance.rpc('close_book_month', { p_month: month, p_figures: figures || '1010:0:0' });
    await close();
    await app.context.get(MonthCloser, { strict: false }).tick();
    expect(await close()).toMatchObject({ status: 200, body: { month, state: 'closed' } });
  }
  return ended;
}

/** The figures of each closed month are those of the trial balance at its end. */
async function expectClosed(app: RunningApp, books: Books, closed: readonly string[]): Promise<void> {
  const events = await app.context.get(EventStore).readStream('processor', { limit: 10_000 });
  const fixed = events.flatMap(({ type, data }) => (type === 'MonthClosed' ? [data as unknown as MonthClosed] : []));
  expect(fixed.map(({ month }) => month).sort()).toEqual([...closed].sort());
  for (const { month, balances } of fixed) {
    const end = new Date(Date.parse(startOfNext(month)) - 1).toISOString();
    const rows = await books.rows(`trial-balance.csv?at=${end}`);
    const due = rows.filter(({ account, debit_usd: debit }) => account !== '' && debit !== 'unknown');
    expect({ month, balances: balances.map(({ account, cents: balance }) => [account, balance]) }).toEqual({
      month,
      balances: due.map((row) => [Number(row['account']), sideOf(row)]),
    });
  }
}

function startOfNext(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString();
}

/** Logs all events and signs a checkpoint. The first call may return a run that began before the last event. */
async function logAll(app: RunningApp): Promise<void> {
  for (let run = 0; run < 2; run += 1) await app.context.get(LogSchedule, { strict: false }).tick();
}

/** Exports the ledger, and gives the verifier the file, the key and the address of the log. */
async function verifyFromOutside(app: RunningApp, dataDir: string, folder: string): Promise<Verified> {
  const { pool } = app;
  const key = await signingKeyOf(pool, { configuredKey: null, keys: app.context.get(InstallationKeys), dataDir });
  await writeFile(join(folder, 'key.pem'), publicPem(createPublicKey(key)));
  const file = join(folder, 'ledger.ndjson');
  const onProblem = (problem: unknown): never => {
    throw new Error(JSON.stringify(problem));
  };
  await exportLedger({ eventStore: app.context.get(EventStore) }, file, { key, now: () => new Date(), onProblem });
  await logAll(app);
  const words = [file, '--key', join(folder, 'key.pem'), '--log', `${app.url}/ledger`, '--json'];
  const { code, out, err } = await runVerifier('export', ...words);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Verified;
}

/** The calls and files of finance at an instant. */
class Books {
  constructor(
    private readonly url: string,
    readonly finance: ApiUser,
    readonly at: Date,
  ) {}

  async rows(file: string): Promise<readonly Row[]> {
    return rowsOf(await this.text(file));
  }

  async text(file: string): Promise<string> {
    const response = await fetch(`${this.url}/exports/${file}`, {
      headers: { Authorization: `Bearer ${await this.finance.token()}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${file}: ${response.status} ${text}`);
    return text;
  }
}

const cents = (dollars = ''): number => Math.round(Number(dollars) * 100);
const sum = <T>(rows: readonly T[], valueOf: (row: T) => number): number =>
  rows.reduce((total, row) => total + valueOf(row), 0);
const sideOf = (row: Row): number => cents(row['debit_usd']) - cents(row['credit_usd']);

/** The trial balance of an instant by account. */
async function balancesAt(books: Books, instant: string): Promise<ReadonlyMap<number, number | null>> {
  const rows = await books.rows(`trial-balance.csv?at=${instant}`);
  const accounts = rows.filter(({ account }) => account !== '');
  return new Map(accounts.map((row) => [Number(row['account']), row['debit_usd'] === 'unknown' ? null : sideOf(row)]));
}

/** The journal gives the trial balance of the end of every month that is over, also in an accounting program. */
async function expectJournalByMonth(books: Books): Promise<void> {
  const journal = await books.text(`journal.csv?from=2020-01-01&to=${books.at.toISOString()}`);
  const rows = await books.rows('revenue-months.csv');
  const months = rows.map(({ month = '' }) => month).filter((month) => startOfNext(month) <= books.at.toISOString());
  // The first months of a small demo have images of the bonus only.
  expect(await expectMonthEnds(journal, months, (instant) => balancesAt(books, instant))).toBeGreaterThan(0);
}

/** @returns the balances of finance, US cents, also those that only the processor knows; null: unknown */
async function expectTrialBalance(
  books: Books,
  { trialBalance }: Verified,
): Promise<ReadonlyMap<number, number | null>> {
  const rows = await books.rows(`trial-balance.csv?at=${books.at.toISOString()}`);
  const accounts = rows.filter(({ account }) => account !== '');
  const found = accounts.map((row) => {
    const balance = row['debit_usd'] === 'unknown' ? null : sideOf(row);
    return { account: Number(row['account']), name: row['name'], cents: balance };
  });
  expect(found).toEqual(trialBalance);
  for (const balances of [found, trialBalance]) expect(sum(balances, (balance) => balance.cents ?? 0)).toBe(0);
  return new Map(found.map(({ account, cents: balance }) => [account, balance]));
}

/** Entries sum to zero each, and their accounts to the trial balance. @returns the number of entries */
async function expectJournal(books: Books, trialBalance: ReadonlyMap<number, number | null>): Promise<number> {
  const lines = await books.rows(`journal.csv?from=2020-01-01&to=${books.at.toISOString()}`);
  const entries = new Map<string, number>();
  const accounts = new Map<number, number>();
  for (const line of lines) {
    const account = Number(line['account']);
    const entry = line['entry'] ?? '';
    entries.set(entry, (entries.get(entry) ?? 0) + sideOf(line));
    accounts.set(account, (accounts.get(account) ?? 0) + sideOf(line));
  }
  expect([...entries].filter(([, total]) => total !== 0)).toEqual([]);
  const filled = (sums: ReadonlyMap<number, number | null>): [number, number | null][] =>
    [...sums].filter(([, total]) => total).sort(([a], [b]) => a - b);
  expect(filled(accounts)).toEqual(filled(trialBalance));
  return entries.size;
}

/** Each month leads from its opening to its closing balance. @returns the number of months */
async function expectMonths(books: Books, { creators, trialBalance }: Verified): Promise<number> {
  const rows = [...(await books.rows('revenue-months.csv'))].reverse();
  const dollarsOf = (row: Row, name: string): number => cents(row[`${name}_usd`]);
  const balance = (account: number): number => trialBalance.find((each) => each.account === account)?.cents ?? 0;
  let closing = 0;
  for (const row of rows) {
    const { month = '' } = row;
    expect({ month, opening: dollarsOf(row, 'opening') }).toEqual({ month, opening: closing });
    const out =
      dollarsOf(row, 'refunded') +
      dollarsOf(row, 'charged_back') +
      dollarsOf(row, 'recognised') +
      dollarsOf(row, 'other_income');
    closing += dollarsOf(row, 'sold') - out + dollarsOf(row, 'loss');
    expect({ month, deferred: dollarsOf(row, 'deferred') }).toEqual({ month, deferred: closing });
    expect(dollarsOf(row, 'recognised')).toBe(dollarsOf(row, 'creator') + dollarsOf(row, 'platform'));
    const ages = await books.rows(`deferred-revenue.csv?month=${month}`);
    expect({ month, deferred: sum(ages, (age) => dollarsOf(age, 'deferred')) }).toEqual({ month, deferred: closing });
    const shares = sum(creators, ({ months }) => months[month] ?? 0);
    expect({ month, shares }).toEqual({ month, shares: dollarsOf(row, 'creator') });
  }
  expect(closing).toBe(-balance(2000));
  expect(sum(rows, (row) => dollarsOf(row, 'platform'))).toBe(-balance(4000));
  return rows.length;
}

/** The creators of the verifier, of finance, and of their own dashboards. */
async function expectCreators(books: Books, { creators }: Verified): Promise<void> {
  const { finance, at } = books;
  const rows = await books.rows(`creator-liabilities.csv?at=${at.toISOString()}`);
  const dollarsOf = (row: Row, name: string): number => cents(row[`${name}_usd`]);
  const owed = rows.map((row) => ({
    creatorId: row['creator_id'],
    cents:
      dollarsOf(row, 'pending') +
      dollarsOf(row, 'payable') +
      dollarsOf(row, 'under_way') +
      dollarsOf(row, 'paid') -
      dollarsOf(row, 'debt'),
    payoutCents: dollarsOf(row, 'under_way') + dollarsOf(row, 'paid'),
  }));
  const due = creators.map(({ creatorId, cents: earned, payoutCents }) => ({ creatorId, cents: earned, payoutCents }));
  const byId = (a: { creatorId?: string | undefined }, b: { creatorId?: string | undefined }): number =>
    (a.creatorId ?? '').localeCompare(b.creatorId ?? '');
  expect(owed.filter((each) => each.cents !== 0 || each.payoutCents !== 0).sort(byId)).toEqual(
    due.filter((each) => each.cents !== 0 || each.payoutCents !== 0).sort(byId),
  );
  for (const creator of creators) {
    const states = rows.find((row) => row['creator_id'] === creator.creatorId);
    await expectDashboard(finance, creator, states ?? {});
    await expectStatements(books, creator);
  }
}

/** The self-billed statements of a creator: their sums, their files, and that all of them together are the payouts. */
async function expectStatements(books: Books, { creatorId, payoutCents }: VerifiedCreator): Promise<void> {
  const { body: listed } = await books.finance.rpc<PayoutStatements>('list_payout_statements', {
    p_creator_id: creatorId,
  });
  let total = 0;
  for (const { payout_id: payoutId, state, amount_cents: amount } of listed.statements) {
    const { body: made } = await books.finance.rpc<PayoutStatement>('get_payout_statement', { p_payout_id: payoutId });
    const { opening_cents: opening, earnings, corrections, restorations, paid_cents: paid } = made;
    expect(opening + earnings.cents + corrections.cents + restorations.cents - paid).toBe(amount);
    const lines = await books.rows(`payout-statement.csv?payout_id=${payoutId}`);
    const stated = lines.filter(({ kind }) => kind !== 'amount');
    expect(sum(stated, (line) => cents(line['amount_usd']))).toBe(amount);
    if (state === 'fixed' || state === 'checked' || state === 'paid') total += amount;
  }
  expect({ creatorId, total }).toEqual({ creatorId, total: payoutCents });
}

/** The figures of a creator's dashboard and of every monthly statement. `states`: what finance sees of the creator. */
async function expectDashboard(
  finance: ApiUser,
  { creatorId, cents: earned, months }: VerifiedCreator,
  states: Row,
): Promise<void> {
  const asked = { p_creator_id: creatorId };
  const { body: analytics } = await finance.rpc<CreatorAnalytics>('get_creator_dashboard_analytics', asked);
  const { body: history } = await finance.rpc<CreatorMonthlyHistory>('get_creator_monthly_history', asked);
  expect(Math.round(analytics.revenue.all_time_earnings * 100)).toBe(earned);
  for (const state of ['pending', 'payable', 'under_way', 'paid', 'debt'] as const) {
    expect({ creatorId, state, cents: analytics.revenue[`${state}_cents`] }).toEqual({
      creatorId,
      state,
      cents: cents(states[`${state}_usd`]),
    });
  }
  for (const { month, creator_earnings: dollars } of [analytics.this_month, ...history.monthly_breakdown]) {
    const due = { month, cents: months[month] ?? 0 };
    expect({ month, cents: Math.round(dollars * 100) }).toEqual(due);
    const { body: statement } = await finance.rpc<CreatorStatement>('get_creator_statement', {
      ...asked,
      p_month: month,
    });
    expect({ month, cents: statement.total_cents }).toEqual(due);
    expect(sum(statement.days, (day) => day.earnings_cents + day.corrections_cents + day.restorations_cents)).toBe(
      due.cents,
    );
  }
}

/** The product's own audit finds nothing. */
async function expectVerified(app: RunningApp, dataDir: string): Promise<void> {
  const key = createPublicKey(await readFile(join(dataDir, 'ledger-public-key.pem')));
  const stores = { pool: app.pool, eventStore: app.context.get(EventStore) };
  const { problems } = await verifiedLedger(stores, () => new Date(), { keys: [key] });
  expect(problems).toEqual([]);
}
