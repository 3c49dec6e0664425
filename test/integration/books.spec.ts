import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { accountStream } from '../../src/credits/index.js';
import { MonthClosing } from '../../src/finance/closing/month-closing.js';
import { sumsOf } from '../../src/finance/reads/book-sums.js';
import { booksProjection } from '../../src/finance/reads/books-projection.js';
import {
  BOOK_CREATOR_SUM,
  BOOK_DEFERRED_MONTH,
  BOOK_SUM,
  type BookEntryTable,
  type FinanceTables,
} from '../../src/finance/tables.js';
import { ManualClock } from '../../src/platform/clock.js';
import { summedRows } from '../../src/platform/database/projected-table.js';
import { createPool } from '../../src/platform/database/pool.js';
import { NO_STREAM, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { compareWithFresh } from '../../src/platform/projections/compare-with-fresh.js';
import { type CheckpointTables } from '../../src/platform/projections/checkpoint.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { ProjectionRebuild } from '../../src/platform/projections/projection-rebuild.js';
import {
  addMonths,
  monthOf,
  REVENUE_PROJECTION,
  revenueProjection,
  type RevenueRules,
} from '../../src/revenue/index.js';
import {
  type BookEntries,
  type BookEntry,
  type CreatorLiabilities,
  type DeferredRevenue,
  type RevenueMonths,
  type TrialBalance,
} from '../../src/contract/finance.js';
import { accountCommands, accountHistory, type HistoryEvent } from '../support/account-histories.js';
import { entriesOf } from '../support/book-entries.js';
import { asOwner } from '../support/database.js';
import { adoptPolicy } from '../support/policy.js';
import { type Answer, startTestApp, type TestApp } from '../support/test-app.js';
import { pagesOf } from '../support/pages.js';
import { cellsOf } from '../support/csv.js';

jest.setTimeout(60_000);

const NOW = new Date('2027-03-10T09:00:00Z');
const NEW_RULES: RevenueRules = { cumulativeFrom: new Date(0) };

let app: TestApp;
const clock = new ManualClock(NOW);
/** Generated histories by user: the same ones in every run. */
const histories = new Map<string, HistoryEvent[]>(
  fc
    .sample(accountCommands, { numRuns: 60, seed: 20261123 })
    .map((commands, index): [string, HistoryEvent[]] => [`user_${index}`, accountHistory(commands)])
    .filter(([, events]) => events.length > 10)
    .slice(0, 16),
);

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
});
afterAll(() => app.close());
/** Begins with an empty ledger. */
async function clear(): Promise<void> {
  const tables = [...REVENUE_PROJECTION.tables, ...booksProjection.tables];
  await asOwner(app).query(`truncate event, projection_checkpoint, ${tables.join(', ')}`);
  await asOwner(app).query('update credit_bundle set policy_version = null');
  await adoptPolicy(app.eventStore, clock);
}

/** Appends all histories, with some events of each user in turn. */
async function appendHistories(): Promise<void> {
  const longest = Math.max(...[...histories.values()].map(({ length }) => length));
  for (let from = 0; from < longest; from += 5) {
    for (const [user, events] of histories) {
      const made = events.slice(from, from + 5).map(({ type, data, metadata: { occurredAt } }) => {
        const id = v7();
        const metadata = { eventId: id, correlationId: id, causationId: id, actorId: user, occurredAt };
        return { id, type, data, metadata };
      });
      if (made.length > 0) await app.eventStore.append(accountStream(user), from === 0 ? NO_STREAM : from - 1, made);
    }
  }
}

const storedEvents = (): Promise<StoredEvent[]> =>
  app.eventStore.readAll({ after: null, limit: 10_000, streamPrefix: booksProjection.streamPrefix });

const linesOf = (rules: RevenueRules): BookEntryTable[] =>
  [...histories].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([user, events]) => [...entriesOf(user, events, rules)]);

const inOrder = <Row extends object>(rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) =>
    JSON.stringify(a, Object.keys(a).sort()) < JSON.stringify(b, Object.keys(a).sort()) ? -1 : 1,
  );

async function expectBooks(rules: RevenueRules): Promise<void> {
  const tables = app.tables<FinanceTables>();
  const due = linesOf(rules);
  const found = await tables.selectFrom('book_entry').selectAll().execute();
  const place = (row: BookEntryTable): string =>
    `${row.user_id} ${String(row.version).padStart(5, '0')} ${String(row.line).padStart(3, '0')}`;
  expect(found.sort((a, b) => (place(a) < place(b) ? -1 : 1))).toEqual(
    due.sort((a, b) => (place(a) < place(b) ? -1 : 1)),
  );
  const { accounts, creators, deferred } = sumsOf(due);
  expect(inOrder(await tables.selectFrom('book_sum').selectAll().execute())).toEqual(
    inOrder(summedRows(BOOK_SUM, accounts)),
  );
  expect(inOrder(await tables.selectFrom('book_creator_sum').selectAll().execute())).toEqual(
    inOrder(summedRows(BOOK_CREATOR_SUM, creators)),
  );
  expect(inOrder(await tables.selectFrom('book_deferred_month').selectAll().execute())).toEqual(
    inOrder(summedRows(BOOK_DEFERRED_MONTH, deferred)),
  );
}

describe('booksProjection', () => {
  beforeEach(clear);

  it.each<[string, number, RevenueRules]>([
    ['of 1 event under the new rules', 1, NEW_RULES],
    ['of 7 events under rules that change in between', 7, { cumulativeFrom: new Date('2026-05-01T00:00:00Z') }],
    ['of 1000 events under the old rules', 1000, { cumulativeFrom: null }],
  ])('writes the same lines and sums as the pure fold, in pages %s', async (_pages, size, rules) => {
    await appendHistories();
    const events = await storedEvents();
    expect(events.length).toBeGreaterThan(200);
    const revenue = revenueProjection(() => Promise.resolve(rules));
    for (let start = 0; start < events.length; start += size) {
      await app
        .tables<FinanceTables>()
        .transaction()
        .execute(async (trx) => {
          const page = events.slice(start, start + size);
          await revenue.apply(page, trx as never);
          await booksProjection.apply(page, trx);
        });
    }
    await expectBooks(rules);
    const accounts = new Set(linesOf(rules).map(({ account }) => account));
    expect(accounts.size).toBeGreaterThan(8);
  });

  it('sums to zero at any instant, as projected by the app', async () => {
    await appendHistories();
    await app.project();
    await expectBooks(NEW_RULES);
    const { rows } = await app.pool.query<{ cents: number }>(
      `select sum(sum(cents)) over (order by occurred_at) as cents from book_entry group by occurred_at`,
    );
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter(({ cents }) => Number(cents) !== 0)).toEqual([]);
    const { rows: sums } = await app.pool.query<{ cents: number }>(
      `select sum(cents) as cents from book_sum where account <> 2120 group by unit, starts_at`,
    );
    expect(sums.filter(({ cents }) => Number(cents) !== 0)).toEqual([]);
  });

  it('has the same shares of creators by month as the projection of revenue', async () => {
    await appendHistories();
    await app.project();
    const { rows } = await app.pool.query(
      `select coalesce(creator_id, creator) as creator_id from creator_revenue_month m
       full join (
         select creator_id as creator, to_char(starts_at at time zone 'UTC', 'YYYY-MM') as month, cents
         from book_creator_sum where unit = 'month' and account = 2100
       ) as s on s.creator = m.creator_id and s.month = m.month
       where coalesce(m.creator_cents, 0) <> -coalesce(s.cents, 0)`,
    );
    expect(rows).toEqual([]);
    const { rows: months } = await app.pool.query(
      `select month from platform_revenue_month m
       join book_sum s on s.unit = 'month' and s.account = 4000
         and to_char(s.starts_at at time zone 'UTC', 'YYYY-MM') = m.month
       where m.platform_cents <> -s.cents`,
    );
    expect(months).toEqual([]);
  });

  it('makes the same rows when it is rebuilt next to the live tables', async () => {
    await appendHistories();
    await app.project();
    const pool = createPool(String(app.pool.options.connectionString), { max: 4, statementTimeoutMs: 0 });
    const projection = booksProjection as unknown as Projection<unknown>;
    const compared = await compareWithFresh({ pool, eventStore: app.eventStore }, projection);
    expect(compared).toMatchObject({ differences: 0, liveVersion: booksProjection.version });
    expect(compared.rows).toBeGreaterThan(500);
    await pool.end();
    const next = { ...projection, version: booksProjection.version + 1 };
    const rebuild = new ProjectionRebuild(app.tables<CheckpointTables>(), app.eventStore, next);
    expect(await rebuild.run()).toBe('switched');
    await expectBooks(NEW_RULES);
  });
});

describe('calls about the books', () => {
  const lines = linesOf(NEW_RULES);
  const first = Math.min(...lines.map(({ occurred_at: at }) => at.getTime()));
  const last = Math.max(...lines.map(({ occurred_at: at }) => at.getTime()));
  const sum = (some: readonly BookEntryTable[], value: (line: BookEntryTable) => number): number =>
    some.reduce((total, line) => total + value(line), 0);
  const cents = (some: readonly BookEntryTable[]): number => sum(some, (line) => line.cents);
  const on = (...accounts: number[]): BookEntryTable[] => lines.filter(({ account }) => accounts.includes(account));
  /** Another caller each time, because calls are limited by caller. */
  let callers = 0;
  const someone = (): string => `finance_${(callers += 1)}`;
  const call = <T>(name: string, body: object = {}, token = someone()): Promise<Answer<T>> =>
    app.rpc<T>(name, token, body);

  beforeAll(async () => {
    await clear();
    await appendHistories();
    await app.project();
  });

  it('answers a trial balance of any instant with the lines up to then', async () => {
    const edges = [first, first + 1, last - 1, last, Date.parse('2026-04-01T00:00:00Z'), NOW.getTime()];
    const between = Array.from({ length: 6 }, (_, n) => first + Math.floor(((last - first) * (2 * n + 1)) / 13));
    for (const instant of [...edges, ...between].filter((at) => at >= first)) {
      const at = new Date(instant);
      const { status, body } = await call<TrialBalance>('get_trial_balance', { p_at: at.toISOString() });
      expect(status).toBe(200);
      expect(body.debit_cents).toBe(body.credit_cents);
      expect(body.begins_at).toBe(new Date(first).toISOString());
      const upTo = (account: number): BookEntryTable[] => on(account).filter((line) => line.occurred_at <= at);
      const payable = 0 - cents(on(2100).filter((line) => line.payable_at !== null && line.payable_at <= at));
      const found = new Map(body.accounts.map((account) => [account.account, account]));
      for (const [account, balance] of found) {
        let due: number | null = cents(upTo(account));
        if ([1015, 1040, 1050, 1060, 2300, 2310, 5300].includes(account)) due = null;
        const { debit_cents: debit, credit_cents: credit } = balance;
        expect([account, debit === null || credit === null ? null : debit - credit]).toEqual([account, due]);
      }
      const pending = 0 - cents(upTo(2100)) - payable;
      expect(body.creator_share).toEqual({ pending_cents: pending, payable_cents: payable, debt_cents: 0 });
      expect(found.get(2050)?.credits).toBe(0 - sum(upTo(2050), ({ credits }) => credits));
      expect(found.get(2000)?.credits).toBe(0 - sum(upTo(2000), ({ credits }) => credits));
    }
  });

  it('lists revenue by month, and deferred revenue at the end of each by the age of its purchases', async () => {
    const { body } = await call<RevenueMonths>('list_revenue_months');
    const months: string[] = [];
    for (let month = monthOf(new Date(first)); month <= monthOf(NOW); month = addMonths(month, 1))
      months.unshift(month);
    expect(body.at).toBe(NOW.toISOString());
    expect(body.months.map(({ month }) => month)).toEqual(months);
    expect(body.month_count).toBe(months.length);
    for (const found of body.months) {
      const inMonth = (...accounts: number[]): BookEntryTable[] =>
        on(...accounts).filter(({ occurred_at: at }) => at.toISOString().startsWith(found.month));
      const credit = (...accounts: number[]): number => 0 - cents(inMonth(...accounts));
      const unspent = on(2000).filter(({ occurred_at: at }) => at.toISOString().slice(0, 7) <= found.month);
      expect(found).toEqual({
        month: found.month,
        closed_at: null,
        closed_by: null,
        closed_by_name: null,
        opening_cents: 0 - cents(on(2000).filter(({ occurred_at: at }) => at.toISOString().slice(0, 7) < found.month)),
        sold_cents: cents(inMonth(1010)),
        recognised_cents: credit(2100, 4000),
        recognised_credits: 0 - sum(inMonth(4000), ({ credits }) => credits),
        creator_cents: credit(2100),
        platform_cents: credit(4000),
        refunded_cents: credit(1020),
        charged_back_cents: credit(1030),
        other_income_cents: credit(4100, 4200),
        loss_cents: cents(inMonth(5100, 5200)),
        deferred_cents: 0 - cents(unspent),
        deferred_credits: 0 - sum(unspent, ({ credits }) => credits),
      });
      const back = found.refunded_cents + found.charged_back_cents - found.loss_cents;
      const earned = found.recognised_cents + found.other_income_cents;
      expect(found.opening_cents + found.sold_cents - back - earned).toBe(found.deferred_cents);
      const deferred = (await call<DeferredRevenue>('get_deferred_revenue', { p_month: found.month })).body;
      expect([deferred.cents, deferred.credits]).toEqual([found.deferred_cents, found.deferred_credits]);
      for (const age of deferred.ages) {
        const ofAge = unspent.filter((line) => line.bought_month === age.bought_month);
        expect(age.cents).toBe(0 - cents(ofAge));
        const [year = 0, month = 0] = age.bought_month.split('-').map(Number);
        const [endYear = 0, endMonth = 0] = found.month.split('-').map(Number);
        expect(age.age_months).toBe((endYear - year) * 12 + endMonth - month);
      }
    }
    const [second, third] = body.months.slice(1);
    const page = await call<RevenueMonths>('list_revenue_months', { p_limit: 2, p_before: months[0] });
    expect(page.body).toMatchObject({ at: NOW.toISOString(), months: [second, third], month_count: months.length });
  });

  it('lets no month be closed while one of the projections is rebuilt from its beginning', async () => {
    const closing = app.get(MonthClosing);
    const names = ['books', 'payouts', 'processor'];
    await app.project();
    expect((await closing.state()).outdated).toEqual([]);
    for (const name of names) {
      const moveVersion = (by: number): Promise<unknown> =>
        app.pool.query('update projection_checkpoint set version = version + $1 where name = $2', [by, name]);
      await moveVersion(-1);
      expect((await closing.state()).outdated).toEqual([name]);
      await moveVersion(1);
    }
  });

  it('lists the liabilities of each creator, page by page', async () => {
    const middle = new Date(first + (last - first) / 2);
    for (const at of [middle, NOW]) {
      const page = { p_at: at.toISOString(), p_limit: 1 };
      const pages = await pagesOf(
        async (p_after) => (await call<CreatorLiabilities>('list_creator_liabilities', { ...page, p_after })).body,
      );
      const posted = cents(on(2100).filter((line) => line.occurred_at <= at));
      for (const { pending_cents: pending, payable_cents: payable } of pages)
        expect(pending + payable).toBe(0 - posted);
      const creators = pages.flatMap((each) => each.creators);
      expect(creators.map(({ creator_id: id }) => id)).toEqual(['ada', 'bob']);
      for (const { creator_id: id, pending_cents: pending, payable_cents: payable, ...rest } of creators) {
        const own = on(2100).filter((line) => line.creator_id === id);
        expect(pending + payable).toBe(0 - cents(own.filter((line) => line.occurred_at <= at)));
        expect(payable).toBe(0 - cents(own.filter((line) => line.payable_at !== null && line.payable_at <= at)));
        expect(rest).toEqual({
          name: null,
          username: null,
          earned_cents: pending + payable,
          under_way_cents: 0,
          paid_cents: 0,
          debt_cents: 0,
        });
      }
    }
  });

  it('lists the entries of an account in pages, and those of an event', async () => {
    const period = { p_from: new Date(first).toISOString(), p_to: NOW.toISOString() };
    for (const [p_accounts, creator] of [
      [[2000], null],
      [[2100], 'ada'],
      [[5200], null],
      [[2100, 4000], null],
    ] as const) {
      const page = { ...period, p_accounts, p_limit: 17, p_creator_id: creator ?? undefined };
      const pages = await pagesOf(
        async (p_after) => (await call<BookEntries>('list_book_entries', { ...page, p_after })).body,
      );
      for (const { accounts } of pages) expect(accounts.map(({ account }) => account)).toEqual(p_accounts);
      const found = pages.flatMap(({ entries }) => entries);
      const due = on(...p_accounts).filter((line) => creator === null || line.creator_id === creator);
      expect(found.map((entry) => [entry.user_id, entry.version, entry.line]).sort()).toEqual(
        due.map((line) => [line.user_id, line.version, line.line]).sort(),
      );
      expect(found.map(({ occurred_at: at }) => at)).toEqual(found.map(({ occurred_at: at }) => at).sort());
      expect(found.reduce((total, entry) => total + entry.debit_cents - entry.credit_cents, 0)).toBe(cents(due));
    }
    const [settled] = on(4000) as [BookEntryTable];
    const { user_id: p_user_id, version: p_version } = settled;
    const { body } = await call<BookEntry[]>('get_event_entries', { p_user_id, p_version });
    expect(body.map(({ line }) => line)).toEqual(body.map((_, index) => index));
    expect(body.reduce((total, entry) => total + entry.debit_cents - entry.credit_cents, 0)).toBe(0);
    expect(body.find(({ account }) => account === 4000)).toMatchObject({
      event_type: 'DeductionSettled',
      generation_id: settled.deduction_id,
      session_id: settled.lot_id,
    });
    expect((await call('get_event_entries', { p_user_id: 'nobody', p_version: 0 })).body).toEqual([]);
  });

  it('answers with the sum of all entries of a period, of a creator and of a month of purchase', async () => {
    const edges = [first, Math.floor((2 * first + last) / 3), Math.floor((first + 2 * last) / 3), last, NOW.getTime()];
    for (const [p_accounts, creator] of [
      [[1010], null],
      [[4000, 2100], null],
      [[2000], null],
      [[2100], 'bob'],
    ] as const) {
      for (const from of edges) {
        for (const to of edges.filter((edge) => edge >= from)) {
          const { body } = await call<BookEntries>('list_book_entries', {
            p_accounts,
            p_limit: 1,
            p_from: new Date(from).toISOString(),
            p_to: new Date(to).toISOString(),
            ...(creator === null ? {} : { p_creator_id: creator }),
          });
          const due = on(...p_accounts).filter(
            ({ occurred_at: at, creator_id: by }) =>
              at.getTime() >= from && at.getTime() < to && (creator === null || by === creator),
          );
          expect([body.cents, body.credits]).toEqual([cents(due), sum(due, ({ credits }) => credits)]);
        }
      }
    }
    const bought = [...new Set(on(2000).map((line) => line.bought_month))];
    expect(bought.length).toBeGreaterThan(1);
    for (const month of bought) {
      const { body } = await call<BookEntries>('list_book_entries', {
        p_accounts: [2000],
        p_bought_month: month,
        p_from: '2026-01-01',
        p_to: '2026-06-01',
        p_limit: 500,
      });
      const due = on(2000).filter(
        (line) => line.bought_month === month && line.occurred_at < new Date('2026-06-01T00:00:00Z'),
      );
      expect([body.cents, body.credits]).toEqual([cents(due), sum(due, ({ credits }) => credits)]);
      expect(body.entries.map((entry) => entry.bought_month)).toEqual(due.map(() => month));
    }
  });

  const download = (path: string) => app.download(path, someone());
  const toCents = (text: string | undefined): number => Math.round(Number(text) * 100);

  it('makes files that add up, and in which no name is a formula', async () => {
    const creatorId = '0190a000-0000-7000-8000-000000000001';
    await asOwner(app).query(
      `insert into creator (id, clerk_id, username, name, email, instagram, creator_status, created_at, updated_at)
       values ($1, 'user_c', 'cmd', '=cmd|calc', 'c@x.test', '@cmd', 'active', now(), now()) on conflict do nothing`,
      [creatorId],
    );
    await app.pool.query(
      `insert into book_creator_sum (creator_id, account, unit, starts_at, cents) values ($1, 2100, 'month', '2026-04-01Z', -5)`,
      [creatorId],
    );
    const liabilities = await download('creator-liabilities.csv');
    expect(liabilities.text).toContain(`,${creatorId},'=cmd|calc,cmd,0.05,0.00,0.00,0.00,0.00,0.05\r\n`);

    const period = `from=${new Date(first).toISOString()}&to=${NOW.toISOString()}`;
    const [header, ...journal] = cellsOf((await download(`journal.csv?${period}`)).text);
    expect(header?.slice(0, 7)).toEqual([
      'date',
      'entry',
      'line',
      'account',
      'account_name',
      'debit_usd',
      'credit_usd',
    ]);
    expect(journal).toHaveLength(lines.filter((line) => line.cents !== 0).length);
    const byEntry = new Map<string, number>();
    for (const [, entry = '', , , , debit, credit] of journal) {
      byEntry.set(entry, (byEntry.get(entry) ?? 0) + toCents(debit) - toCents(credit));
    }
    expect([...byEntry.values()].filter((total) => total !== 0)).toEqual([]);

    const entries = cellsOf((await download(`book-entries.csv?account=1010&${period}`)).text).slice(1);
    expect(entries).toHaveLength(on(1010).length);
    const balance = (await download('trial-balance.csv')).text;
    expect(balance).toContain('1040,Processor cash: fees withheld,asset,unknown,unknown,\r\n');
    const [total = [], ...parts] = cellsOf(balance).slice(-4);
    expect([total[2], total[4]]).toEqual(['Total', total[5]]);
    expect(parts.map(([, account, name]) => [account, name])).toEqual([
      ['', 'Of 2100: pending'],
      ['', 'Of 2100: payable'],
      ['', 'Of 2100: debt'],
    ]);
    const side = ([, , , , debit, credit]: readonly string[]): number => toCents(debit) - toCents(credit);
    const share = cellsOf(balance).find(([, account]) => account === '2100') ?? [];
    expect(parts.reduce((sum, part) => sum + side(part), 0)).toBe(side(share));
    const both = cellsOf((await download(`book-entries.csv?account=4000,2100&${period}`)).text).slice(1);
    expect(both).toHaveLength(on(4000, 2100).length);
    const months = cellsOf((await download('revenue-months.csv')).text).slice(1);
    expect(months.reduce((all, [, , sold]) => all + toCents(sold), 0)).toBe(cents(on(1010)));
    const page = cellsOf((await download(`revenue-months.csv?limit=2&before=${months[0]?.[0]}`)).text).slice(1);
    expect(page).toEqual(months.slice(1, 3));
    const deferred = cellsOf((await download('deferred-revenue.csv')).text).slice(1);
    expect(deferred.reduce((all, row) => all + toCents(row[3]), 0)).toBe(0 - cents(on(2000)));
  });

  it.each<[string, object, string]>([
    ['get_trial_balance', { p_at: '2027-03-10T09:00:00.001Z' }, 'The instant must not be in the future.'],
    ['get_trial_balance', { p_at: '2020-01-01' }, 'The books begin at '],
    ['get_trial_balance', { p_at: '2026-02-30' }, 'p_at must be a day or an instant'],
    ['get_deferred_revenue', { p_month: '2027-04' }, 'The month must not be in the future.'],
    ['get_deferred_revenue', { p_month: '2026-02' }, 'The books begin at '],
    ['get_deferred_revenue', { p_month: '2026-13' }, 'p_month must be a month such as 2026-10'],
    ['list_revenue_months', { p_before: 'March' }, 'p_before must be a month such as 2026-10'],
    ['list_creator_liabilities', { p_at: '2028-01-01' }, 'The instant must not be in the future.'],
    [
      'list_book_entries',
      { p_accounts: [2120], p_from: '2026-03-10', p_to: '2026-03-11' },
      'The entries of account 2120',
    ],
    ['list_book_entries', { p_accounts: [7], p_from: '2026-03-10', p_to: '2026-03-11' }, 'There is no account 7.'],
    ['list_book_entries', { p_accounts: [2000], p_from: '2026-03-11', p_to: '2026-03-10' }, 'The period must not end'],
    [
      'list_book_entries',
      { p_accounts: [2000], p_from: '2028-03-10', p_to: '2028-03-11' },
      'The period must not begin',
    ],
    [
      'list_book_entries',
      { p_accounts: [2000], p_from: '2026-03-10', p_to: '2026-03-11', p_creator_id: 'ada' },
      'Only accounts 1100, 2100, 2130, 2140',
    ],
    [
      'list_book_entries',
      { p_accounts: [2000], p_from: '2026-03-10', p_to: '2026-03-11', p_after: 'x' },
      'p_after must be the id of an entry',
    ],
    [
      'list_book_entries',
      { p_accounts: [2000], p_from: '2026-03-10', p_to: '2026-03-11', p_after: '2026-03-10T09:00:00Z/0/0/\0' },
      'p_after must be the id of an entry',
    ],
    [
      'list_book_entries',
      { p_accounts: [2100], p_from: '2026-03-10', p_to: '2026-03-11', p_creator_id: 'ada\0' },
      'p_creator_id must be the id of a creator',
    ],
    [
      'list_book_entries',
      { p_accounts: [], p_from: '2026-03-10', p_to: '2026-03-11' },
      'Missing or not valid: p_accounts',
    ],
    [
      'list_book_entries',
      { p_accounts: [2000], p_from: '2026-03-01', p_to: '2026-03-11', p_bought_month: '2026-03' },
      'the period must begin and end with a month',
    ],
    [
      'list_book_entries',
      { p_accounts: [4000], p_from: '2026-03-01', p_to: '2026-04-01', p_bought_month: '2026-03' },
      'Only account 2000 has entries by month of purchase.',
    ],
    ['list_creator_liabilities', { p_after: '\0' }, 'p_after must be the id of a creator'],
    ['list_creator_liabilities', { p_limit: 201 }, 'Missing or not valid: p_limit'],
    ['get_event_entries', { p_user_id: '\0', p_version: 0 }, 'p_user_id must be the id of a user'],
    ['get_event_entries', { p_user_id: 'user_1', p_version: -1 }, 'Missing or not valid: p_version'],
  ])('refuses %s with %j', async (name, body, message) => {
    const answer = await call<{ code: string; message: string; details: string | null }>(name, body);
    expect([answer.status, answer.body.code]).toEqual([400, '22023']);
    expect(`${answer.body.message} ${answer.body.details}`).toContain(message);
  });

  it.each([
    ['trial-balance.csv?at=2028-01-01', 'The instant must not be in the future.'],
    ['trial-balance.csv?at=2020-01-01', 'The books begin at '],
    ['trial-balance.csv?at=2026-03-10T09:00', 'at must be a day or an instant'],
    ['revenue-months.csv?limit=0', 'limit must be a number of months'],
    ['revenue-months.csv?before=March', 'before must be a month such as 2026-10'],
    ['book-entries.csv?account=2000,2000&from=2026-03-10&to=2026-03-11', 'account must be the number of an account'],
    ['book-entries.csv?account=2000&bought_month=3&from=2026-03-01&to=2026-04-01', 'bought_month must be a month'],
    ['deferred-revenue.csv?month=March', 'month must be a month such as 2026-10'],
    ['creator-liabilities.csv?at=2028-01-01', 'The instant must not be in the future.'],
    ['creator-liabilities.csv?at=2026-03-10&at=2026-03-11', 'at must be a day or an instant'],
    ['book-entries.csv?account=1&from=2026-03-10&to=2026-03-11', 'account must be the number of an account'],
    ['book-entries.csv?account=2110&from=2026-03-10&to=2026-03-11', 'The entries of account 2110'],
    ['book-entries.csv?account=2100&creator_id=%00&from=2026-03-10&to=2026-03-11', 'creator_id must be the id'],
    ['journal.csv?from=2026-03-10', 'to must be a day or an instant'],
    ['journal.csv?from=2026-03-11&to=2026-03-10', 'The period must not end before it begins.'],
  ])('refuses the file %s', async (path, message) => {
    const { status, text } = await download(path);
    expect([status, JSON.parse(text)]).toMatchObject([400, { code: '22023' }]);
    expect(text).toContain(message);
  });

  it('answers zeros while there is no entry', async () => {
    await asOwner(app).query(`truncate ${booksProjection.tables.join(', ')}`);
    const { body } = await call<TrialBalance>('get_trial_balance', { p_at: '2020-01-01' });
    expect(body).toMatchObject({ begins_at: null, debit_cents: 0, credit_cents: 0 });
    const none = { at: NOW.toISOString(), months: [], month_count: 0, next_to_close: null, closing: null };
    expect((await call('list_revenue_months')).body).toEqual(none);
    expect((await call('get_deferred_revenue')).body).toMatchObject({ cents: 0, credits: 0, ages: [] });
    expect((await call('list_creator_liabilities')).body).toMatchObject({ creators: [], next: null });
  });
});
