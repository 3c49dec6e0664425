import { type Pool } from 'pg';
import { type VerificationResult } from '../../contract/audit.js';

/** A full verification that was requested. */
export interface StoredRun {
  readonly id: number;
  readonly requested_at: Date;
  /** Id of the auditor. */
  readonly requested_by: string;
  /** Null without a name, and when the account is closed. */
  readonly requested_by_name: string | null;
  readonly started_at: Date | null;
  /** How often it was started: more than once after interruptions. */
  readonly starts: number;
  readonly ended_at: Date | null;
  /** Events verified so far. */
  readonly events: number;
  readonly problems: number;
  /** Null until it has ended, and when it failed. */
  readonly result: VerificationResult | null;
  readonly failure: string | null;
}

/** The end of a run: its result, or why it failed. */
export type RunEnd = { readonly result: VerificationResult; readonly problems: number } | { readonly failure: string };

/** Older runs are deleted. */
const KEPT = 1_000;

/** The fields of a stored run, of a row of `verification_run`. */
const FIELDS = `verification_run.*, (select name from app_user where id = verification_run.requested_by and deleted_at is null)
  as requested_by_name`;

/**
 * Stores the request for a run, unless one waits or is in progress.
 * @returns that run
 */
export async function requestRun(pool: Pool, requestedBy: string, now: Date): Promise<StoredRun> {
  for (;;) {
    const { rows: inserted } = await pool.query<StoredRun>(
      `insert into verification_run (requested_at, requested_by) values ($1, $2)
       on conflict ((true)) where ended_at is null do nothing returning ${FIELDS}`,
      [now, requestedBy],
    );
    const run = inserted[0] ?? (await openRun(pool));
    // The run in the way can have ended in between.
    if (run) return run;
  }
}

/** The run that waits or is in progress; null without one. */
export async function openRun(pool: Pool): Promise<StoredRun | null> {
  const { rows } = await pool.query<StoredRun>(`select ${FIELDS} from verification_run where ended_at is null`);
  return rows[0] ?? null;
}

/** Runs before an id, the newest first. @param before null for the newest runs of all */
export async function runsBefore(pool: Pool, before: number | null, limit: number): Promise<StoredRun[]> {
  const { rows } = await pool.query<StoredRun>(
    `select ${FIELDS} from verification_run where id < coalesce($1::bigint, 9223372036854775807) order by id desc limit $2`,
    [before, limit],
  );
  return rows;
}

/** Marks the start of a run, also of one that was interrupted. */
export async function startRun(pool: Pool, id: number, now: Date): Promise<void> {
  await pool.query('update verification_run set started_at = $2, starts = starts + 1, events = 0 where id = $1', [
    id,
    now,
  ]);
}

/** Stores how many events are verified. */
export async function saveProgress(pool: Pool, id: number, events: number): Promise<void> {
  await pool.query('update verification_run set events = $2 where id = $1 and ended_at is null', [id, events]);
}

/** Stores the end of a run, and deletes the oldest runs. The first end counts. */
export async function endRun(pool: Pool, id: number, end: RunEnd, now: Date): Promise<void> {
  const { result, problems, failure } = { result: null, problems: 0, failure: null, ...end };
  await pool.query(
    `update verification_run set ended_at = $2, result = $3, problems = $4, failure = $5, events = coalesce($6, events)
     where id = $1 and ended_at is null`,
    [id, now, result && JSON.stringify(result), problems, failure, result?.compared.events ?? null],
  );
  await pool.query(
    'delete from verification_run where id <= (select id from verification_run order by id desc offset $1 limit 1)',
    [KEPT],
  );
}
