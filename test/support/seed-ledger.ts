import { type Pool } from 'pg';
import { v7 } from 'uuid';
import { booksProjection, EarningPoster, EARNINGS_STREAM_PREFIX } from '../../src/finance/index.js';
import { EarningStore } from '../../src/finance/earnings/earning-store.js';
import { type FinanceTables } from '../../src/finance/tables.js';
import { emptyAccount, evolve } from '../../src/credits/account/state.js';
import { accountProjection } from '../../src/credits/reads/account-projection.js';
import { DEFAULT_CREDIT_SETTINGS } from '../../src/credits/account/constants.js';
import {
  deductCredits,
  grantDailyCredits,
  refundDeduction,
  settleDeduction,
} from '../../src/credits/account/decide.js';
import { purchaseCredits } from '../../src/credits/account/decide-purchases.js';
import { accountStream, type CreditEvent } from '../../src/credits/account/events.js';
import { DAY_MS } from '../../src/contract/durations.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { FaultPoints } from '../../src/platform/fault-points.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { Locks } from '../../src/platform/locks.js';
import { eventHash } from '../../src/platform/event-store/hash-chain.js';
import { type JsonObject } from '../../src/platform/json.js';
import {
  ACTIVITY_PROJECTION,
  activityProjection,
  REVENUE_PROJECTION,
  revenueProjection,
  type RevenueRules,
} from '../../src/revenue/index.js';
import { paidSession } from './paid-session.js';

/** Rows of one INSERT. */
const BATCH = 5000;
/** Purchased credits of each account; no account uses them up. */
const BOUGHT = 10_000_000;
const CREATORS = ['creator_1', 'creator_2', 'creator_3'];

interface GenerationRow {
  readonly id: string;
  readonly user_id: string;
  readonly creator_id: string;
  readonly status: 'completed' | 'failed';
  readonly at: Date;
}

/**
 * Fills an empty, migrated database with a correct ledger: chained events by the product's own rules, their
 * projections, their generations and checkouts. Four in five generations are delivered.
 * @param size `from`: the first instant of the first account. `revenue`: projects the revenue of creators and the
 *   books, and records the shares of creators, too; otherwise a running app projects them
 * @returns the number of events
 */
export async function seedLedger(
  pool: Pool,
  size: {
    readonly accounts: number;
    readonly eventsEach: number;
    readonly from?: Date;
    readonly prefix?: string;
    readonly revenue?: boolean;
  },
): Promise<number> {
  const from = size.from ?? new Date('2026-03-10T09:00:00Z');
  const schedule = scheduleOf(size.accounts, size.eventsEach, from);
  // The app adopts the new rules later than all events of its store.
  const rules = (): Promise<RevenueRules> => Promise.resolve({ cumulativeFrom: null });
  const projections = [revenueProjection(rules), activityProjection(rules), booksProjection];
  let events: StoredEvent[] = [];
  let generations: GenerationRow[] = [];
  let written = 0;
  const write = async (page: readonly StoredEvent[], rows: readonly GenerationRow[]): Promise<void> => {
    written += page.length;
    await Promise.all([insertEvents(pool, page), insertGenerations(pool, rows)]);
    if (page.length === 0) return;
    await createDatabase<never>(pool)
      .transaction()
      .execute(async (trx) => {
        await accountProjection.apply(page, trx as never);
        if (!size.revenue) return;
        for (const projection of projections) await projection.apply(page, trx as never);
      });
  };
  // The next page is made while Postgres writes this one.
  let writing = Promise.resolve();
  const flush = async (): Promise<void> => {
    await writing;
    writing = write(events, generations);
    events = [];
    generations = [];
  };
  for (let first = 0; first < size.accounts; first += schedule.together) {
    let open = Array.from({ length: Math.min(schedule.together, size.accounts - first) }, (_, index) => {
      const account = first + index;
      return historyOf(userOf(size.prefix, account), size.eventsEach, schedule.startOf(account), schedule.turnsADay);
    });
    while (open.length > 0) {
      const going: typeof open = [];
      for (const history of open) {
        const { value: turn } = history.next();
        if (!turn) continue;
        going.push(history);
        for (const made of turn) {
          if ('stream' in made) events.push(made);
          else generations.push(made);
        }
        if (events.length >= BATCH) await flush();
      }
      open = going;
    }
  }
  await flush();
  await writing;
  const bought = Array.from({ length: size.accounts }, (_, account) => new Date(schedule.startOf(account)));
  await insertCheckouts(pool, size.prefix, bought);
  const projected = [
    accountProjection,
    ...(size.revenue ? [REVENUE_PROJECTION, ACTIVITY_PROJECTION, booksProjection] : []),
  ];
  for (const { name, version } of projected) {
    await pool.query(
      `insert into projection_checkpoint (name, version, position)
       select $1, $2, xid::text || '/' || position::text from event order by xid desc, position desc limit 1
       on conflict (name) do update set version = excluded.version, position = excluded.position`,
      [name, version],
    );
  }
  // Without statistics, each page of events that the earnings are read from costs a scan.
  await pool.query('analyze');
  if (size.revenue) {
    written += await postEarnings(pool);
    await pool.query('analyze');
  }
  return written;
}

/** Records the shares of creators in their streams, as a running app does. @returns the number of events */
async function postEarnings(pool: Pool): Promise<number> {
  const count = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from event where starts_with(stream, $1)',
      [EARNINGS_STREAM_PREFIX],
    );
    return rows[0]?.count ?? 0;
  };
  const before = await count();
  const eventStore = new PostgresEventStore(pool);
  const clock = new SystemClock();
  const store = new EarningStore(eventStore, clock, new UuidGenerator());
  const db = createDatabase<FinanceTables>(pool);
  await new EarningPoster(db, eventStore, store, new Locks(pool), clock, new FaultPoints()).runOnce();
  await eventStore.close();
  return (await count()) - before;
}

interface Schedule {
  readonly turnsADay: number;
  /** Histories of this many accounts overlap. The next ones begin when they have ended. */
  readonly together: number;
  /** The first instant of an account, by its number: a millisecond after that of the account before. */
  readonly startOf: (account: number) => number;
}

/**
 * Spreads the accounts over the time up to the present, so that events are stored in the order of their times, as a
 * running app stores them: the continuous verification relies on it.
 */
function scheduleOf(accounts: number, eventsEach: number, from: Date): Schedule {
  const days = Math.floor((Date.now() - from.getTime()) / DAY_MS) - 1;
  // Long histories have busier days, so that they end before the present. A generation makes two events.
  const turnsADay = Math.max(4, Math.ceil(eventsEach / 2 / days));
  const daysEach = Math.ceil(eventsEach / 2 / turnsADay) + 1;
  const together = Math.ceil(accounts / Math.max(1, Math.floor(days / daysEach)));
  const startOf = (account: number): number =>
    from.getTime() + Math.floor(account / together) * daysEach * DAY_MS + (account % together);
  return { turnsADay, together, startOf };
}

function userOf(prefix = 'user', account: number): string {
  return `${prefix}_${String(account).padStart(7, '0')}`;
}

/**
 * One account's events with their hashes, and its generations, by the instant. Ends after `wanted` events or one more.
 */
function* historyOf(
  user: string,
  wanted: number,
  from: number,
  turnsADay: number,
): Generator<readonly (StoredEvent | GenerationRow)[], void> {
  const stream = accountStream(user);
  const state = emptyAccount();
  let version = -1;
  let hash: string | null = null;
  let at = from;
  const store = (decided: readonly CreditEvent[]): StoredEvent[] =>
    decided.map(({ type, data }) => {
      const id = v7({ msecs: at });
      const occurredAt = new Date(at);
      const common: JsonObject = {
        eventId: id,
        correlationId: id,
        causationId: id,
        actorId: user,
        occurredAt: occurredAt.toISOString(),
      };
      version += 1;
      hash = eventHash(hash, { stream, version, id, type, data, metadata: common });
      evolve(state, { type, data } as CreditEvent, occurredAt);
      return { stream, version, id, type, data, metadata: { ...common, hash }, position: '', recordedAt: occurredAt };
    });
  const session = paidSession({ sessionId: `cs_${user}`, bundleId: 'large', credits: BOUGHT });
  yield [
    ...store(grantDailyCredits(state, new Date(at), DEFAULT_CREDIT_SETTINGS, 'due')),
    ...store(purchaseCredits(session, state, new Date(at))),
  ];
  for (let turn = 0; version + 1 < wanted; turn += 1) {
    const nextDay = turn % turnsADay === turnsADay - 1;
    at = nextDay ? from + ((turn + 1) / turnsADay) * DAY_MS : at + 60_000;
    const now = new Date(at);
    const id = v7({ msecs: at });
    const creator = CREATORS[turn % CREATORS.length] ?? '';
    const failed = turn % 5 === 4;
    const deduction = { deductionId: id, amount: 10, creatorId: creator, ownGeneration: false };
    yield [
      ...(nextDay ? store(grantDailyCredits(state, now, DEFAULT_CREDIT_SETTINGS, 'due')) : []),
      ...store(deductCredits(deduction, state, now, 'due')),
      ...store(
        failed
          ? refundDeduction({ deductionId: id, reason: 'generation_failed' }, state, now)
          : settleDeduction({ deductionId: id }, state, now),
      ),
      { id, user_id: user, creator_id: creator, status: failed ? 'failed' : 'completed', at: now },
    ];
  }
}

async function insertEvents(pool: Pool, events: readonly StoredEvent[]): Promise<void> {
  await pool.query(
    `insert into event (stream, version, event_id, type, data, metadata, recorded_at)
     select * from unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], $5::jsonb[], $6::jsonb[], $7::timestamptz[])`,
    [
      events.map(({ stream }) => stream),
      events.map(({ version }) => version),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
      events.map(({ metadata }) => JSON.stringify(metadata)),
      events.map(({ recordedAt }) => recordedAt),
    ],
  );
}

/** Inserts one checkout per account. @param at by the number of the account */
async function insertCheckouts(pool: Pool, prefix: string | undefined, at: readonly Date[]): Promise<void> {
  await pool.query(
    `insert into checkout (id, user_id, bundle_id, bundle_name, credits, amount_cents, currency, status, return_origin, session_id,
       payment_intent_id, expires_at, created_at, updated_at, credited_at)
     select gen_random_uuid(), user_id, 'large', 'Large', $3, $4, 'usd', 'credited', 'http://localhost', 'cs_' || user_id,
       'pi_of_cs_' || user_id, at, at, at, at
     from unnest($1::text[], $2::timestamptz[]) as bought (user_id, at)`,
    [at.map((_, account) => userOf(prefix, account)), at, BOUGHT, BOUGHT * 10],
  );
}

async function insertGenerations(pool: Pool, rows: readonly GenerationRow[]): Promise<void> {
  await pool.query(
    `insert into generation (id, user_id, creator_id, prompt, status, model, cost, image, error_message, refund_reason, refunded,
       credits_closed_at, not_before, completed_at, created_at, updated_at)
     select g.id, g.user_id, g.creator_id, 'a cat', g.status, 'm', 10, case when done then '{}'::jsonb end,
       case when not done then 'no' end, case when not done then 'generation_failed' end, not done,
       g.at, g.at, case when done then g.at end, g.at, g.at
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[]) as g (id, user_id, creator_id, status, at)
     cross join lateral (select g.status = 'completed' as done) as outcome`,
    [
      rows.map(({ id }) => id),
      rows.map((row) => row.user_id),
      rows.map((row) => row.creator_id),
      rows.map(({ status }) => status),
      rows.map(({ at }) => at),
    ],
  );
}
