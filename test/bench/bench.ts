import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { createPool } from '../../src/platform/database/pool.js';

/** Tools for a benchmark file. */
export interface Bench {
  /** A new, migrated database for this file on a real Postgres. Commits wait for the disk. */
  readonly databaseUrl: string;
  /** Pool of that database, with a connection for each concurrent operation; in a smoke test with fewer. */
  readonly pool: pg.Pool;
  /** True in a smoke test: run only a few operations. The timings then mean nothing. */
  readonly quick: boolean;
  /** `vacuum analyze` of all tables; in a smoke test only of the table `event`. */
  vacuum(pool: pg.Pool): Promise<void>;
  /** Measures `measured` and `base` in turns and reports how they compare. */
  compare(comparison: Comparison): Promise<Result>;
  /** Reports a result that `compare` cannot measure: a figure with its own ratio or target. */
  report(result: Omit<Result, 'met'>): Result;
}

/** One row of the table. */
export interface Result {
  readonly name: string;
  /** The figure itself, and its unit: `commands/s`, `ms`, `events/s`, `MB`. */
  readonly measured: number;
  readonly unit: string;
  /** `measured` divided by `baseMeasured`. Without it the target applies to `measured`, in its unit. */
  readonly ratio?: number;
  /** The base and its figure. */
  readonly base?: string;
  readonly baseMeasured?: number;
  readonly target: Target;
  readonly met: boolean;
}

/** `at least` for speeds, `at most` for times and sizes. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly target: Target;
  /** Label of the base in the table. */
  readonly base: string;
  /** Runs one phase of about a second and returns its figure in `unit`. */
  readonly run: () => Promise<number>;
  readonly runBase: () => Promise<number>;
  /** Pairs of phases; 7 by default. */
  readonly rounds?: number;
}

/**
 * Runs the body of a benchmark file. Rows go to the process that started it (`npm run bench`), or to stdout when it is
 * started by hand with a migrated database in `BENCH_DATABASE_URL`.
 */
export async function bench(body: (bench: Bench) => Promise<void>): Promise<void> {
  const databaseUrl = process.env['BENCH_DATABASE_URL'];
  if (!databaseUrl) throw new Error('Run benchmarks with `npm run bench -- <name>`.');
  const quick = process.env['BENCH_QUICK'] === '1';
  Logger.overrideLogger(['error', 'warn', 'fatal']);
  const pool = createPool(databaseUrl, { max: quick ? 8 : 64 });
  const report = (result: Omit<Result, 'met'>): Result => {
    const { target, measured, ratio = measured } = result;
    const met = 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
    const row = { ...result, met };
    if (process.send) process.send(row);
    else process.stdout.write(`${JSON.stringify(row)}\n`);
    return row;
  };
  try {
    await body({
      databaseUrl,
      pool,
      quick,
      vacuum: async (filled) => void (await filled.query(quick ? 'vacuum analyze event' : 'vacuum analyze')),
      report,
      compare: async (one) => report(await measureInTurns(one, quick)),
    });
  } finally {
    await pool.end();
  }
}

/** Measures A and B in turns, after one unmeasured pair. The ratio is the median of all pairs, to cancel other load. */
async function measureInTurns(comparison: Comparison, quick: boolean): Promise<Omit<Result, 'met'>> {
  const { name, unit, target, base, run, runBase } = comparison;
  const rounds = quick ? 1 : Number(process.env['BENCH_ROUNDS']) || (comparison.rounds ?? 7);
  const measured: number[] = [];
  const baseMeasured: number[] = [];
  if (!quick) {
    await runBase();
    await run();
  }
  for (let round = 0; round < rounds; round += 1) {
    // The second measurement runs with the caches of the first, so the order alternates.
    if (round % 2 === 0) baseMeasured.push(await runBase());
    measured.push(await run());
    if (round % 2 === 1) baseMeasured.push(await runBase());
  }
  const ratio = median(measured.map((figure, index) => figure / (baseMeasured[index] ?? NaN)));
  return { name, unit, target, base, measured: median(measured), baseMeasured: median(baseMeasured), ratio };
}

/** Median of a non-empty list; the upper one of two middle values. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** The smallest figure that is not below this share of them (0 to 1). */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Median duration of so many calls, one after the other, in milliseconds. */
export async function medianTime(calls: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Result of a phase of work. */
export interface Phase {
  readonly perSecond: number;
  /** Duration of each call, milliseconds. */
  readonly latencies: readonly number[];
}

/** Keeps `inFlight` calls of `work` in flight for `ms` milliseconds. Throws the first error. */
export async function keepInFlight(inFlight: number, ms: number, work: () => Promise<unknown>): Promise<Phase> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + ms;
  const worker = async (): Promise<void> => {
    for (let from = performance.now(); from < end;) {
      await work();
      const to = performance.now();
      latencies.push(to - from);
      from = to;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return { perSecond: (latencies.length * 1000) / (performance.now() - start), latencies };
}

/**
 * The unit of all ratios: plain single-row INSERTs through the same driver, one statement and one commit each.
 * @param row about as wide as the rows that the measured work writes
 */
export async function insertBaseline(pool: pg.Pool, row: object): Promise<() => Promise<unknown>> {
  await pool.query(
    `create table if not exists bench_insert (id bigint generated always as identity primary key, key text not null, data jsonb not null)`,
  );
  const data = JSON.stringify(row);
  let rows = 0;
  const text = 'insert into bench_insert (key, data) values ($1, $2)';
  return () => pool.query({ name: 'bench-insert', text, values: [`account-${(rows += 1) % 10_000}`, data] });
}
