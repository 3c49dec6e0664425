import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { accountStream } from '../../src/credits/index.js';
import { entriesOf } from '../../src/finance/account-books.js';
import { sumsOf } from '../../src/finance/reads/book-sums.js';
import { BOOKS_PROJECTION, booksProjection } from '../../src/finance/reads/books-projection.js';
import { type BookEntryTable, type FinanceTables } from '../../src/finance/tables.js';
import { ManualClock } from '../../src/platform/clock.js';
import { createPool } from '../../src/platform/database/pool.js';
import { NO_STREAM, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { compareWithFresh } from '../../src/platform/projections/compare-with-fresh.js';
import { type CheckpointTables } from '../../src/platform/projections/checkpoint.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { ProjectionRebuild } from '../../src/platform/projections/projection-rebuild.js';
import { type RevenueRules } from '../../src/revenue/index.js';
import { accountCommands, accountHistory, type HistoryEvent } from '../support/account-histories.js';
import { asOwner } from '../support/database.js';
import { adoptPolicy } from '../support/policy.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

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
beforeEach(async () => {
  await asOwner(app).query(`truncate event, projection_checkpoint, ${BOOKS_PROJECTION.tables.join(', ')}`);
  await asOwner(app).query('update credit_bundle set policy_version = null');
  await adoptPolicy(app.eventStore, clock);
});

/** Appends all histories, with some events of each user in turn. */
async function appendHistories(): Promise<void> {
  const longest = Math.max(...[...histories.values()].map(({ length }) => length));
  for (let from = 0; from < longest; from += 5) {
    for (const [user, events] of histories) {
      const made = events.slice(from, from + 5).map(({ type, data, metadata: { occurredAt } }) => {
        const id = v7();
        const metadata = { eventId: id, correlationId: id, causationId: id, actorId: user, occurredAt };
        return { id, type, data: data, metadata };
      });
      if (made.length > 0) await app.eventStore.append(accountStream(user), from === 0 ? NO_STREAM : from - 1, made);
    }
  }
}

const storedEvents = (): Promise<StoredEvent[]> =>
  app.eventStore.readAll({ after: null, limit: 10_000, streamPrefix: BOOKS_PROJECTION.streamPrefix });

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
  const sums = sumsOf(due);
  expect(inOrder(await tables.selectFrom('book_sum').selectAll().execute())).toEqual(inOrder(sums.accounts));
  expect(inOrder(await tables.selectFrom('book_creator_sum').selectAll().execute())).toEqual(inOrder(sums.creators));
  expect(inOrder(await tables.selectFrom('book_deferred_month').selectAll().execute())).toEqual(inOrder(sums.deferred));
}

describe('booksProjection', () => {
  it.each<[string, number, RevenueRules]>([
    ['of 1 event under the new rules', 1, NEW_RULES],
    ['of 7 events under rules that change in between', 7, { cumulativeFrom: new Date('2026-05-01T00:00:00Z') }],
    ['of 1000 events under the old rules', 1000, { cumulativeFrom: null }],
  ])('writes the same lines and sums as the pure fold, in pages %s', async (_pages, size, rules) => {
    await appendHistories();
    const events = await storedEvents();
    expect(events.length).toBeGreaterThan(200);
    const projection = booksProjection(() => Promise.resolve(rules));
    for (let start = 0; start < events.length; start += size) {
      await app
        .tables<FinanceTables>()
        .transaction()
        .execute((trx) => projection.apply(events.slice(start, start + size), trx));
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
    const projection = booksProjection(() => Promise.resolve(NEW_RULES)) as unknown as Projection<unknown>;
    const compared = await compareWithFresh({ pool, eventStore: app.eventStore }, projection);
    expect(compared).toMatchObject({ differences: 0, liveVersion: BOOKS_PROJECTION.version });
    expect(compared.rows).toBeGreaterThan(500);
    await pool.end();
    const next = { ...projection, version: BOOKS_PROJECTION.version + 1 };
    const rebuild = new ProjectionRebuild(app.tables<CheckpointTables>(), app.eventStore, next);
    expect(await rebuild.run()).toBe('switched');
    await expectBooks(NEW_RULES);
  });
});
