import { bench, insertBaseline, keepInFlight } from './bench.js';

/** Compares the baseline with itself: shows how far a ratio of 1 deviates on this machine. */
await bench(async ({ pool, quick, compare }) => {
  const insert = await insertBaseline(pool, { account: 'user_1', amount: 10, reason: 'x'.repeat(500) });
  const phase = async (): Promise<number> => (await keepInFlight(64, quick ? 20 : 1000, insert)).perSecond;
  await compare({
    name: 'the baseline against itself',
    unit: 'rows/s',
    base: 'INSERT, 64 clients',
    target: { atLeast: 0.9 },
    run: phase,
    runBase: phase,
  });
});
