import { booksProjection } from '../../src/finance/reads/books-projection.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { revenueProjection } from '../../src/revenue/index.js';
import { bench } from './bench.js';
import { compareProjecting } from './projecting.js';

/** 240,000 events. */
const ACCOUNTS = 20_000;

await bench(async (tools) => {
  /** The same lines in every round, and a sum of zero. */
  let lines: number | null = null;
  await compareProjecting(tools, {
    projection: booksProjection as unknown as Projection<unknown>,
    accounts: ACCOUNTS,
    prepare: async (eventStore) => {
      const earlier = new ProjectionRunner(tools.pool, eventStore);
      earlier.register(revenueProjection(() => Promise.resolve({ cumulativeFrom: new Date(0) })));
      await earlier.catchUp();
    },
    check: async (pool) => {
      const { rows } = await pool.query<{ lines: number; cents: number }>(
        'select count(*)::int as lines, sum(cents)::int as cents from book_entry',
      );
      lines ??= rows[0]?.lines ?? 0;
      if (lines === 0 || rows[0]?.lines !== lines || rows[0].cents !== 0) {
        throw new Error(`The books have ${rows[0]?.lines} lines of ${rows[0]?.cents} cents.`);
      }
    },
    atLeast: 0.25,
    names: {
      fromNothing: (size) => `the books of ${size}`,
      nextToLive: 'rebuilding the books next to the live tables',
    },
  });
});
