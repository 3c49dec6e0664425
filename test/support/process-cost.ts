import { setTimeout as delay } from 'node:timers/promises';
import { type Pool } from 'pg';
import { ProcessTree } from '../../scripts/lib/processor-time.mjs';
import { freePort } from './app-process.js';
import { type ProxiedInstallation } from './proxied-installation.js';
import { until } from './until.js';

/** Sweeps have had their first runs after this time, and V8 has collected what the start left, which it does once. */
const SETTLE_MS = 90_000;
const IDLE_MS = 60_000;

export interface ProcessCost {
  readonly roles: string;
  /** Processor time until it was ready. */
  readonly startSeconds: number;
  /** Transactions of the database while it was idle. */
  readonly transactionsPerSecond: number;
  /** Processor time while it was idle, of one core. */
  readonly corePercent: number;
}

/** Lets a worker do what load has left, until the ledger is verified up to its end and no account is suspect. */
const FINISH_MS = 900_000;

/** Lets a worker do what load has left, until the ledger and its suspect accounts are verified up to the last event. */
export async function finishWork(installation: ProxiedInstallation): Promise<void> {
  await installation.startProcess(await freePort(), { FANVAS_ROLES: 'worker' });
  const isDone = async (): Promise<boolean> => {
    const { rows } = await installation.database.pool.query<{ done: boolean }>(
      `select verified_until > (select max(recorded_at) from event)
         and not exists (select from verified_account where state is null or pending_since is not null) as done
       from ledger_verification`,
    );
    return rows[0]?.done === true;
  };
  await until(isDone, 'the verification of what is new', FINISH_MS, 1_000);
  await installation.stop();
}

/** Starts a process with these roles on an installation that no other process serves, and lets it idle for a minute. */
export async function measureIdleProcess(installation: ProxiedInstallation, roles: string): Promise<ProcessCost> {
  const { pid } = await installation.startProcess(await freePort(), { FANVAS_ROLES: roles });
  const tree = new ProcessTree([pid]);
  const startSeconds = tree.seconds();
  await delay(SETTLE_MS);
  const { pool } = installation.database;
  const transactions = await transactionsOf(pool);
  const seconds = tree.seconds();
  await delay(IDLE_MS);
  const ended = await transactionsOf(pool);
  const spent = tree.seconds() - seconds;
  await installation.stop();
  return {
    roles,
    startSeconds,
    transactionsPerSecond: (1_000 * (ended - transactions)) / IDLE_MS,
    corePercent: (100_000 * spent) / IDLE_MS,
  };
}

async function transactionsOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ transactions: number }>(
    `select (xact_commit + xact_rollback)::int as transactions from pg_stat_database where datname = current_database()`,
  );
  return rows[0]?.transactions ?? 0;
}
