import { type Kysely, sql } from 'kysely';
import { type Pool } from 'pg';
import { type VerificationResult, type VerificationRun } from '../../contract/audit.js';
import { SYSTEM_ACTOR } from '../../platform/acts/actor.js';
import { type Acts } from '../../platform/acts/acts.js';
import { newSalt, sealRow, type SealedTable } from '../../platform/acts/sealed-rows.js';

/** A full verification that was requested. */
export interface StoredRun extends Omit<VerificationRun, 'requested_at' | 'started_at' | 'ended_at'> {
  readonly requested_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  /** How often it was started: more than once after interruptions. */
  readonly starts: number;
}

/** The end of a run: its result, or why it failed. */
export type RunEnd = { readonly result: VerificationResult; readonly problems: number } | { readonly failure: string };

/** The end of a run, as its entry in the log of acts fixes it. */
export const SEALED_RUN = {
  table: 'verification_run',
  id: 'id',
  columns: ['id', 'requested_at', 'requested_by', 'started_at', 'ended_at', 'events', 'problems', 'result', 'failure'],
} as const satisfies SealedTable;

type SealedRun = Record<(typeof SEALED_RUN.columns)[number], unknown>;

/** Older runs are deleted. */
const RUNS_KEPT = 1_000;

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

/** Stores the end of a run with its entry in the log of acts, and deletes the oldest runs. The first end counts. */
export async function endRun(
  { db, acts }: { readonly db: Kysely<object>; readonly acts: Acts },
  id: number,
  end: RunEnd,
  now: Date,
): Promise<void> {
  const { result, problems, failure } = { result: null, problems: 0, failure: null, ...end };
  const salt = newSalt();
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<SealedRun>`
      update verification_run set ended_at = ${now}, result = ${result && JSON.stringify(result)}::jsonb,
        problems = ${problems}, failure = ${failure}, events = coalesce(${result?.compared.events ?? null}, events),
        salt = ${salt}
      where id = ${id} and ended_at is null returning *`.execute(transaction);
    if (!rows[0]) return;
    await sql`
      delete from verification_run where id <= (
        select id from verification_run order by id desc offset ${RUNS_KEPT} limit 1)`.execute(transaction);
    await acts.record(transaction, {
      kind: 'ledger.verified',
      actor: SYSTEM_ACTOR,
      subject: { kind: 'verification', id: String(id) },
      after: { problems, failed: failure !== null },
      rows: sealRow(SEALED_RUN, rows[0], salt),
    });
  });
}
