import { verifyLedger } from '../../src/audit/index.js';
import { migrations } from '../../src/migrations.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { seedLedger } from '../support/seed-ledger.js';
import { bench } from './bench.js';

/** Events per read. */
const PAGE = 2000;

/**
 * Compares `ledger verify` with only reading the same events through the same port. `ledger verify` checks chains,
 * rules, all projections, all generations and checkouts. The ledger has accounts of a dozen events and one with a long
 * history. Also measures the memory of the process.
 */
await bench(async ({ pool, quick, compare, report }) => {
  await migrate(createDatabase<unknown>(pool), migrations);
  const eventStore = new PostgresEventStore(pool);
  const events =
    (await seedLedger(pool, { accounts: quick ? 20 : 10_000, eventsEach: 12, revenue: true })) +
    (await seedLedger(pool, { accounts: 1, eventsEach: quick ? 50 : 40_000, prefix: 'long', revenue: true }));

  const perSecond = async (work: () => Promise<number>): Promise<number> => {
    const start = performance.now();
    const done = await work();
    if (done !== events) throw new Error(`${done} of ${events} events were processed.`);
    return (done * 1000) / (performance.now() - start);
  };
  const read = async (): Promise<number> => {
    let seen = 0;
    let after: string | null = null;
    for (;;) {
      const page = await eventStore.readAll({ after, limit: PAGE });
      seen += page.length;
      after = page.at(-1)?.position ?? null;
      if (page.length < PAGE) return seen;
    }
  };
  let maxMb = 0;
  const verify = async (): Promise<number> => {
    const onProgress = (): void => {
      maxMb = Math.max(maxMb, process.memoryUsage.rss() / 2 ** 20);
    };
    const found = await verifyLedger(
      { pool, eventStore },
      { now: () => new Date(), onProgress, onProblem: ({ what: problem }) => fail(problem) },
    );
    return found.events;
  };
  await compare({
    name: 'verify, every check',
    unit: 'events/s',
    base: 'only reading the events',
    target: { atLeast: 0.2 },
    rounds: 5,
    run: () => perSecond(verify),
    runBase: () => perSecond(read),
  });
  report({
    name: 'verify, memory of the process',
    unit: 'MB',
    measured: maxMb,
    target: { atMost: 1 },
    base: '500 MB',
    baseMeasured: 500,
    ratio: maxMb / 500,
  });
  await eventStore.close();
});

function fail(problem: string): never {
  throw new Error(`The generated ledger has a problem: ${problem}`);
}
