import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import { LogSchedule } from '../../src/audit/workers/log-schedule.js';
import {
  type BookEntries,
  type BookEntry,
  type MonthClose,
  type MonthClosing,
  type CreatorLiabilities,
  type TrialBalance,
} from '../../src/contract/finance.js';
import { type MonthClosed, MonthCloser, PROCESSOR_STREAM, processorEventId } from '../../src/finance/index.js';
import { ManualClock } from '../../src/platform/clock.js';
import { NO_STREAM, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { compareWithFresh } from '../../src/platform/projections/compare-with-fresh.js';
import { projectionsOf } from '../../src/composition/projections.js';
import { appendForged } from '../support/forged-events.js';
import { rpc } from '../support/api-client.js';
import { asOwner } from '../support/database.js';
import { expectMonthEnds } from '../support/month-ends.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { runVerifier, type VerifiedBalance, type VerifiedParts } from '../support/verifier.js';
import { verifiedLedger } from '../support/verified-ledger.js';
import { pagesOf } from '../support/pages.js';

jest.setTimeout(180_000);

/**
 * An export of the program before rule 2 of the books, with its key. March to May 2026 are closed by rule 1. Ada got
 * 549 cents in April, and the transfer came back in June. A chargeback took 517 of them back. Bob was paid 329 cents in
 * May, and 220 in June. The processor was read from May on.
 */
const ARCHIVE = fileURLToPath(new URL('../support/archives/2026-11-months-of-rule-1.ndjson', import.meta.url));
const KEY = ARCHIVE.replace('.ndjson', '.pem');
const RULE_2_BEGINS = '2026-06-01T00:00:00.000Z';
const END_OF_MAY = '2026-05-31T23:59:59.999Z';
/** The app begins when the archived one did: the policy that it writes at its start adopts the same rule of revenue. */
const clock = new ManualClock(new Date('2026-03-01T00:00:00Z'));

let app: TestApp;
const events = readFileSync(ARCHIVE, 'utf8')
  .trimEnd()
  .split('\n')
  .flatMap((line) => (JSON.parse(line) as { event?: StoredEvent }).event ?? []);
const closes = events.flatMap(({ type, data }) => (type === 'MonthClosed' ? [data as unknown as MonthClosed] : []));

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  clock.set(new Date('2026-06-30T09:00:00Z'));
  for (const stream of new Set(events.map((event) => event.stream))) {
    if (stream === 'policy') continue;
    const own = events.filter((event) => event.stream === stream);
    await app.eventStore.append(stream, NO_STREAM, own);
  }
  await app.project();
});
afterAll(() => app.close());

/** Each call is by another person, because of the limits of one. */
const call = async <T>(name: string, body: object = {}): Promise<T> => {
  const answer = await rpc<T>(app.url, name, body, `finance_${v7()}`);
  expect(answer.status).toBe(200);
  return answer.body;
};

const sidesOf = ({ accounts }: Pick<TrialBalance, 'accounts'>): Map<number, number | null> =>
  new Map(
    accounts.map(({ account, debit_cents: debit, credit_cents: credit }) => {
      return [account, debit === null || credit === null ? null : debit - credit];
    }),
  );

const balanceAt = async (instant: string): Promise<Map<number, number | null>> =>
  sidesOf(await call<TrialBalance>('get_trial_balance', { p_at: instant }));

async function fileOf(name: string): Promise<string> {
  const response = await app.read(`exports/${name}`, `finance_${v7()}`);
  expect(response.status).toBe(200);
  return response.text();
}

/** Problems of the books: rows of payments, images and acts are not in an export. */
async function problemsOfBooks(): Promise<string[]> {
  const { problems } = await verifiedLedger(app, () => clock.now());
  const ofBooks: readonly string[] = ['chain', 'version', 'event', 'rules', 'payout', 'processor', 'projection'];
  return problems
    .filter(({ kind }) => ofBooks.includes(kind))
    .map((problem) => `${String(problem.version)}: ${problem.what}`);
}

describe('the books after months of rule 1', () => {
  it('shows closed months with the accounts of rule 1 and the figures of their events', async () => {
    expect(closes.map(({ month, schemaVersion }) => [month, schemaVersion])).toEqual([
      ['2026-03', 1],
      ['2026-04', 1],
      ['2026-05', 1],
    ]);
    for (const { month, balances } of closes) {
      const [year = 0, number = 0] = month.split('-').map(Number);
      const found = await balanceAt(new Date(Date.UTC(year, number, 1) - 1).toISOString());
      const known = [...found].filter(([, cents]) => cents !== null);
      expect([month, known]).toEqual([month, balances.map(({ account, cents }) => [account, cents])]);
    }
  });

  it('shows everything that payouts moved on the accounts of rule 2 afterwards', async () => {
    const before = await balanceAt(END_OF_MAY);
    // Ada owes 517 cents of 549. Bob's 329 cents are paid, and 220 are pending. 400 cents came from the processor.
    expect([1100, 1200, 2110, 2120, 2130, 2140].map((account) => before.get(account))).toEqual([
      ...[400, 517, -220, 0, 0, -878],
    ]);
    const after = await call<TrialBalance>('get_trial_balance', { p_at: RULE_2_BEGINS });
    const balances = sidesOf(after);
    expect([1100, 2100, 2130].map((account) => balances.get(account))).toEqual([400 - 878, 517 - 220, 0]);
    expect([1200, 2110, 2120, 2140].filter((account) => balances.has(account))).toEqual([]);
    expect(after.creator_share).toEqual({ pending_cents: 220, payable_cents: 0, debt_cents: 517 });
    // Ada's transfer came back, so 32 cents of 549 are payable. Bob got 220 more.
    const now = await call<TrialBalance>('get_trial_balance');
    const present = sidesOf(now);
    expect([1100, 2100, 2130].map((account) => present.get(account))).toEqual([500 - 329 - 220, -32, 0]);
    expect(now.creator_share).toEqual({ pending_cents: 0, payable_cents: 32, debt_cents: 0 });
  });

  it('posts a correction by creator at the first instant of rule 2, as entries of the last close', async () => {
    const { version = 0 } = events.filter(({ type }) => type === 'MonthClosed').at(-1) ?? {};
    const lines = await call<BookEntry[]>('get_event_entries', { p_user_id: PROCESSOR_STREAM, p_version: version });
    expect(
      lines.map((line) => [line.account, line.creator_id, line.debit_cents - line.credit_cents, line.occurred_at]),
    ).toEqual([
      [1100, 'ada', -549, RULE_2_BEGINS],
      [2100, 'ada', 549, RULE_2_BEGINS],
      [2120, 'ada', -549, RULE_2_BEGINS],
      [2140, 'ada', 549, RULE_2_BEGINS],
      [1100, 'bob', -329, RULE_2_BEGINS],
      [2100, 'bob', 329, RULE_2_BEGINS],
      [2120, 'bob', -329, RULE_2_BEGINS],
      [2140, 'bob', 329, RULE_2_BEGINS],
    ]);
  });

  it.each([
    [[1100], null, [-549, -329, 100, 549, -220]],
    [[2100], null, [549, 329, -549, 220]],
    [[2140], null, [549, 329]],
    [[2130], null, [-220, 220]],
    [[2100, 1100], 'ada', [-549, 549, 549, -549]],
    [[2100, 2130], 'bob', [329, 220, -220, 220]],
  ] as const)(
    'shows entries of %j by creator %s with their sum, in pages of any size',
    async (accounts, creator, due) => {
      const period = { p_from: RULE_2_BEGINS, p_to: '2026-06-30T09:00:00Z' };
      const ofCreator = creator === null ? {} : { p_creator_id: creator };
      const asked = { p_accounts: accounts, ...period, ...ofCreator };
      const centsOf = ({ entries }: BookEntries): number[] =>
        entries.map((line) => line.debit_cents - line.credit_cents);
      const found = await call<BookEntries>('list_book_entries', asked);
      expect([centsOf(found), found.cents]).toEqual([due, due.reduce((sum: number, each) => sum + each, 0)]);
      const pages = await pagesOf((p_after) =>
        call<BookEntries>('list_book_entries', { ...asked, p_limit: 1, p_after }),
      );
      expect(pages.flatMap(centsOf)).toEqual(due);
    },
  );

  it('names the account of the rule that has what was paid', async () => {
    for (const [at, account] of [[END_OF_MAY, 2140] as const, [RULE_2_BEGINS, 1100] as const]) {
      const owed = await call<CreatorLiabilities>('list_creator_liabilities', { p_at: at });
      expect([owed.paid_cents, owed.debt_cents, owed.paid_account]).toEqual([878, 517, account]);
    }
  });

  it('exports a journal with the trial balance of every month end, also for an accounting program', async () => {
    const journal = await fileOf('journal.csv?from=2026-01-01&to=2026-07-01');
    expect(await expectMonthEnds(journal, ['2026-03', '2026-04', '2026-05'], balanceAt)).toBe(3);
    // Up to now, which is in June.
    const now = clock.now().toISOString();
    expect(await expectMonthEnds(journal, ['2026-06'], () => balanceAt(now))).toBe(1);
  });

  it('holds in the audit, in the public verifier and in a rebuild', async () => {
    expect(await problemsOfBooks()).toEqual([]);
    const { code, out, err } = await runVerifier('export', ARCHIVE, '--key', KEY, '--without-log', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const verified = JSON.parse(out) as { trialBalance: VerifiedBalance[]; creatorShare: VerifiedParts };
    const { accounts, creator_share: parts } = await call<TrialBalance>('get_trial_balance');
    expect(new Map(verified.trialBalance.map(({ account, cents }) => [account, cents]))).toEqual(sidesOf({ accounts }));
    expect(Object.values(verified.creatorShare)).toEqual(Object.values(parts ?? {}));
    const ofBooks = projectionsOf(app.eventStore).filter(({ name }) =>
      ['books', 'payouts', 'processor'].includes(name),
    );
    for (const projection of ofBooks) {
      const { differences } = await compareWithFresh({ pool: app.pool, eventStore: app.eventStore }, projection);
      expect([projection.name, differences]).toEqual([projection.name, 0]);
    }
  });

  it('closes the next month by rule 2, and names a later close by rule 1', async () => {
    clock.set(new Date('2026-07-01T00:20:00Z'));
    await app.get(LogSchedule).tick();
    const { figures: p_figures } = await call<MonthClosing>('get_month_closing');
    const close = (): Promise<MonthClose> => call('close_book_month', { p_month: '2026-06', p_figures });
    await close();
    await app.get(MonthCloser).tick();
    expect(await close()).toMatchObject({ month: '2026-06', state: 'closed' });
    await app.project();
    const stored = await app.eventStore.readStream(PROCESSOR_STREAM);
    const last = stored.at(-1);
    const { schemaVersion, balances, creatorShare } = last!.data as unknown as MonthClosed;
    expect([schemaVersion, creatorShare]).toEqual([2, { pendingCents: 0, payableCents: 32, debtCents: 0 }]);
    expect(balances.find(({ account }) => account === 2100)?.cents).toBe(-32);
    expect(await problemsOfBooks()).toEqual([]);

    // An older program closes July.
    clock.set(new Date('2026-08-01T00:20:00Z'));
    const data = { schemaVersion: 1, month: '2026-07', balances: balances.filter(({ cents }) => cents !== 0) };
    const id = processorEventId({ type: 'MonthClosed', data: { ...data, schemaVersion: 2, creatorShare: null } });
    const occurredAt = clock.now().toISOString();
    const metadata = { correlationId: id, causationId: id, actorId: 'fay', occurredAt };
    await appendForged(app.eventStore, last!, { id, type: 'MonthClosed', data, metadata });
    await app.project();
    expect(await problemsOfBooks()).toContainEqual(
      expect.stringContaining('2026-07 was closed by rule 1 of the books after a month of rule 2.'),
    );
  });

  it('names closed months with an edited or a deleted row', async () => {
    await asOwner(app).query(
      `update book_closed_month set creator_share = '{"pendingCents": 1}' where month = '2026-03'`,
    );
    await asOwner(app).query(`delete from book_closed_month where month = '2026-04'`);
    const found = await problemsOfBooks();
    expect(found).toContain('null: book_closed_month has 2026-03 otherwise than the events.');
    expect(found).toContain('null: book_closed_month lacks 2026-04.');
  });
});
