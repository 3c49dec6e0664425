import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureServerBuilt } from '../../scripts/lib/build.mjs';
import { verifyLedger } from '../../src/audit/index.js';
import { CHECKPOINT_FILE, signCheckpoint } from '../../src/audit/log/sign-checkpoint.js';
import { sequenceEvents } from '../../src/audit/log/sequence-events.js';
import { type Pool } from 'pg';
import { type EventStore } from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { VERIFY_THREAD } from '../support/compiled-threads.js';
import { seedLedger } from '../support/seed-ledger.js';
import { bench, type Result } from './bench.js';
import { readEvents } from './projecting.js';

/** Accounts at first, and those that are added to measure a larger ledger. Each has a dozen events. */
const ACCOUNTS = 10_000;
const MORE_ACCOUNTS = 40_000;
/** Events per read. */
const PAGE = 2000;
/** Milliseconds between two measurements of memory. */
const SAMPLED_EACH_MS = 10;

/**
 * Compares `ledger verify`, with all its threads, with only reading the same events through the same port, in one
 * thread. `ledger verify` checks chains, rules, all projections, all generations and checkouts, the leaves, the tree
 * and a checkpoint of the public log. The ledger has accounts of a dozen events and one with a long history. It is
 * measured in two sizes: a thread compiles its code first, which takes the same time in each. Also compares the threads
 * with one thread, and measures the memory of the process with all its threads.
 */
await bench(async ({ pool, databaseUrl, quick, compare, report }) => {
  await ensureServerBuilt();
  const eventStore = new PostgresEventStore(pool);
  const key = generateKeyPairSync('ed25519').privateKey;
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-bench-'));
  let events = 0;
  const fill = async (size: Parameters<typeof seedLedger>[1]): Promise<void> => {
    events += await seedLedger(pool, { ...size, revenue: true });
  };
  const ready = async (): Promise<void> => {
    await publish(pool, eventStore, key, join(folder, CHECKPOINT_FILE));
    await pool.query('analyze');
  };
  await fill({ accounts: quick ? 20 : ACCOUNTS, eventsEach: 12 });
  await fill({ accounts: 1, eventsEach: quick ? 50 : 40_000, prefix: 'long' });
  await ready();

  const perSecond = async (work: () => Promise<number>): Promise<number> => {
    const start = performance.now();
    const done = await work();
    if (done !== events) throw new Error(`${done} of ${events} events were processed.`);
    return (done * 1000) / (performance.now() - start);
  };
  const address = { databaseUrl, readOnly: true, eventStoreUrl: null, images: null };
  let maxMb = 0;
  const measureMemory = (): void => {
    maxMb = Math.max(maxMb, process.memoryUsage.rss() / 2 ** 20);
  };
  /** @param count threads; undefined for as many as the machine has cores, as the command line uses */
  const verify = async (count?: number): Promise<number> => {
    const sampling = count === undefined ? setInterval(measureMemory, SAMPLED_EACH_MS) : undefined;
    try {
      const found = await verifyLedger(
        {
          pool,
          eventStore,
          keys: [createPublicKey(key)],
          threads: { address, worker: VERIFY_THREAD, ...(count ? { count } : {}), ...(quick ? { fromEvents: 1 } : {}) },
        },
        { now: () => new Date(), onProblem: ({ what: problem }) => fail(problem) },
      );
      if (found.log.leaves !== events) throw new Error(`${found.log.leaves} of ${events} leaves were compared.`);
      return found.events + found.earningEvents;
    } finally {
      clearInterval(sampling);
    }
  };
  const compareWithReading = (rounds: number): Promise<Result> =>
    compare({
      name: `verify, every check, ${events.toLocaleString('en')} events`,
      unit: 'events/s',
      base: 'only reading the events',
      target: { atLeast: 0.2 },
      rounds,
      run: () => perSecond(() => verify()),
      runBase: () => perSecond(() => readEvents(eventStore, { limit: PAGE })),
    });
  await compareWithReading(5);
  await compare({
    name: 'verify in a thread for each core',
    unit: 'events/s',
    base: 'in one thread',
    target: { atLeast: 1 },
    rounds: 3,
    run: () => perSecond(() => verify()),
    runBase: () => perSecond(() => verify(1)),
  });
  if (!quick) {
    await fill({ accounts: MORE_ACCOUNTS, eventsEach: 12, prefix: 'more' });
    await ready();
    await compareWithReading(3);
  }
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
  rmSync(folder, { recursive: true });
});

/** Gives each new event a leaf of the public log, and signs a checkpoint of all. */
async function publish(pool: Pool, eventStore: EventStore, key: KeyObject, file: string): Promise<void> {
  await sequenceEvents({ pool, eventStore });
  await signCheckpoint({
    pool,
    key,
    accepted: [createPublicKey(key)],
    origin: 'fanvas.example/ledger',
    file,
    now: () => new Date(),
  });
}

function fail(problem: string): never {
  throw new Error(`The generated ledger has a problem: ${problem}`);
}
