import 'reflect-metadata';
import { type QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type Pool } from 'pg';
import { v7 } from 'uuid';
import { type GetPayoutDetailsDates } from '../../src/creators/index.js';
import { GetPayoutDetailsDatesHandler } from '../../src/creators/reads/get-payout-details.js';
import { type CreatorTables } from '../../src/creators/tables.js';
import { PayoutStore } from '../../src/finance/payouts/payout-store.js';
import { booksProjection } from '../../src/finance/reads/books-projection.js';
import { revenueProjection } from '../../src/revenue/index.js';
import { payoutsProjection } from '../../src/finance/reads/payouts-projection.js';
import { payoutIdOf, referenceOf } from '../../src/finance/runs/payout-ids.js';
import { type FinanceTables } from '../../src/finance/tables.js';
import { AdvancePayoutRun, AdvancePayoutRunHandler } from '../../src/finance/use-cases/advance-payout-run.js';
import { DraftPayoutRun, DraftPayoutRunHandler } from '../../src/finance/use-cases/draft-payout-run.js';
import { MakePayoutFile, MakePayoutFileHandler } from '../../src/finance/use-cases/make-payout-file.js';
import { RecordTransfers, RecordTransfersHandler } from '../../src/finance/use-cases/record-transfers.js';
import { PayoutRunner } from '../../src/finance/workers/payout-runner.js';
import { type Actor } from '../../src/platform/acts/actor.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { ManualClock } from '../../src/platform/clock.js';
import { type Config } from '../../src/platform/config/config.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { FaultPoints } from '../../src/platform/fault-points.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { Locks } from '../../src/platform/locks.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { bench, insertBaseline, keepInFlight } from './bench.js';

const DAY_MS = 86_400_000;
const CENTS = 12_345;
const AMOUNT = '123.45';
const IN_FLIGHT = 64;
/** The base is measured for so many milliseconds. */
const PHASE_MS = 2_000;
const person = (userId: string, role: Actor['role']): Actor => ({ userId, role, requestId: null, address: null });
const FINANCE = person('finance_1', 'finance');
const ADMIN = person('admin_1', 'admin');

/**
 * Runs of payouts, from the draft to the transfers that the bank reports, against plain INSERTs. Both count rows: those
 * that a run writes are its events, its lines of the journal, and the rows of payouts, creators and the bank's file.
 */
await bench(async ({ pool, quick, compare }) => {
  const db = createDatabase<FinanceTables>(pool);
  // The days of the runs lie in the past: the store refuses events of the future.
  const clock = new ManualClock(new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 40 * DAY_MS + DAY_MS / 2));
  const eventStore = new PostgresEventStore(pool, { now: () => clock.now() });
  const app = partsOf(db, pool, eventStore, clock);
  // Earnings without events, and creators without rows of their own. The books are not read again from the beginning.
  await app.projections.catchUp();
  await pool.query('alter table creator_payout_details drop constraint creator_payout_details_creator_id_fkey');
  await pool.query(
    `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits)
     values ('fan', 0, 0, 1010, 'CreditsPurchased', $1, 0, 0)`,
    [new Date(clock.now().getTime() - 30 * DAY_MS)],
  );
  const creators = Array.from({ length: quick ? 20 : 10_000 }, () => v7());
  await pool.query(
    `insert into creator_payout_details (creator_id, key_id, sealed, changed_at)
     select id, 'k', '\\x00', $2::timestamptz from unnest($1::uuid[]) as id`,
    [creators, new Date(clock.now().getTime() - 30 * DAY_MS)],
  );

  const earn = async (): Promise<void> => {
    clock.advance(DAY_MS);
    await pool.query(
      `insert into book_creator_sum (creator_id, account, unit, starts_at, cents)
       select id, account, unit, date_trunc(unit, $2::timestamptz, 'UTC'), $3::bigint
       from unnest($1::text[]) as id, unnest(array[2100, 2120]) as account, unnest(array['day', 'month']) as unit
       on conflict (unit, account, creator_id, starts_at) do update set cents = book_creator_sum.cents + excluded.cents`,
      [creators, new Date(clock.now().getTime() - 35 * DAY_MS), -CENTS],
    );
  };
  const carryOut = async (): Promise<void> => {
    // The first tick may have begun before the decision.
    await app.runner.tick();
    await app.runner.tick();
  };
  const rowCount = async (): Promise<number> => {
    const tables = ['event', 'payout', 'payout_entry', 'payout_run_creator', 'bank_report_line'];
    const counts = tables.map((table) => `(select count(*) from ${table})`).join(' + ');
    const { rows } = await pool.query<{ count: number }>(`select (${counts})::float8 as count`);
    return rows[0]?.count ?? 0;
  };
  const payAll = async (): Promise<void> => {
    const runId = v7();
    await app.draft.execute(new DraftPayoutRun({ runId, cutoff: null, by: FINANCE }));
    await carryOut();
    await app.advance.execute(new AdvancePayoutRun({ runId, step: 'fix', by: FINANCE, reason: null }));
    await carryOut();
    await app.advance.execute(new AdvancePayoutRun({ runId, step: 'check', by: ADMIN, reason: null }));
    await carryOut();
    const { payouts } = await app.makeFile.execute(new MakePayoutFile({ runId, file: 1, by: ADMIN }));
    const day = clock.now().toISOString().slice(0, 10);
    const lines = creators.map((id, index) => `${referenceOf(payoutIdOf(runId, id))},${AMOUNT},${day},T-${index}`);
    await app.record.execute(new RecordTransfers({ file: lines.join('\n'), by: ADMIN }));
    await carryOut();
    const { rows } = await pool.query<{ paid: number }>(
      `select count(*)::int as paid from payout where run_id = $1 and step = 'paid' and amount_cents = $2`,
      [runId, CENTS],
    );
    if (payouts !== creators.length || rows[0]?.paid !== payouts) {
      throw new Error(`Of ${creators.length} creators, ${payouts} were in the file and ${rows[0]?.paid} were paid.`);
    }
  };
  const insert = await insertBaseline(pool, {
    type: 'PayoutFixed',
    id: v7(),
    previous: 'x'.repeat(64),
    more: 'x'.repeat(200),
  });
  await compare({
    name: `a payout run over ${creators.length.toLocaleString('en')} creators`,
    unit: 'rows/s',
    base: 'INSERT, 64 clients',
    target: { atLeast: 0.5 },
    rounds: 3,
    run: async () => {
      await earn();
      const before = await rowCount();
      const start = performance.now();
      await payAll();
      const seconds = (performance.now() - start) / 1000;
      return ((await rowCount()) - before) / seconds;
    },
    runBase: async () => (await keepInFlight(IN_FLIGHT, quick ? 20 : PHASE_MS, insert)).perSecond,
  });
  await app.projections.stop();
  await eventStore.close();
});

/** The handlers of a run, without HTTP. The benchmark calls the worker itself. */
function partsOf(db: Kysely<FinanceTables>, pool: Pool, eventStore: PostgresEventStore, clock: ManualClock) {
  const ids = new UuidGenerator();
  const acts = new Acts(createDatabase(pool), clock, ids);
  const projections = new ProjectionRunner(pool, eventStore);
  projections.register(revenueProjection(() => Promise.resolve({ cumulativeFrom: new Date(0) })));
  projections.register(booksProjection);
  projections.register(payoutsProjection);
  const details = new GetPayoutDetailsDatesHandler(createDatabase<CreatorTables>(pool), clock, {} as QueryBus);
  const queries = { execute: (query: GetPayoutDetailsDates) => details.execute(query) } as unknown as QueryBus;
  const store = new PayoutStore(eventStore, clock, ids);
  const runner = new PayoutRunner(db, store, projections, queries, new Locks(pool), new FaultPoints());
  const config = { payoutMinimumCents: 2_000 } as Config;
  const parts = [db, acts, clock, ids, queries, runner, eventStore, projections, config] as const;
  return {
    projections,
    runner,
    draft: new DraftPayoutRunHandler(...parts),
    advance: new AdvancePayoutRunHandler(...parts),
    makeFile: new MakePayoutFileHandler(...parts),
    record: new RecordTransfersHandler(...parts),
  };
}
