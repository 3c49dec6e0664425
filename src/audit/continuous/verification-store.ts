import { type Pool, type PoolClient } from 'pg';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type LedgerProblem } from '../verify/account-audit.js';
import { type AgedCursor } from '../verify/generation-charges.js';

/** How far the continuous verification has come. */
export interface VerificationProgress {
  /** Position of the last verified event; null before the first. */
  readonly position: string | null;
  /** That event: it must still be at this position. */
  readonly stream: string | null;
  readonly version: number | null;
  readonly event_id: string | null;
  /** Events verified since the beginning. */
  readonly events: number;
  /** Everything that was stored before this instant is verified. */
  readonly verified_until: Date | null;
  /** End of the last run. */
  readonly succeeded_at: Date | null;
  readonly charges_until: Date | null;
  readonly charges_until_id: string | null;
  readonly purchases_until: Date | null;
  readonly purchases_until_id: string | null;
}

/** A verified account. */
export interface VerifiedRow {
  readonly user_id: string;
  readonly version: number;
  /** `AccountState` as JSON; null: the account must be verified completely. */
  readonly state: string | null;
  /** Since when the projected balance could not be compared; null when it was compared. */
  readonly pending_since: Date | null;
}

/** A problem that the last check found. */
export interface KnownProblem extends LedgerProblem {
  readonly foundAt: Date;
}

type Client = Pick<Pool | PoolClient, 'query'>;

/** Subject of problems that the check of an account cannot find. */
export const WHOLE_LEDGER = '*';
/** Start of the subject of problems that no later check can find again. The user follows. */
export const REWRITTEN = 'rewritten:';

/** The row of an empty table has null in each column, as before the first run. */
export async function readProgress(client: Client): Promise<VerificationProgress> {
  const { rows } = await client.query<VerificationProgress>(
    `select position, stream, version, event_id, coalesce(events, 0)::float8 as events, verified_until, succeeded_at,
       charges_until, charges_until_id, purchases_until, purchases_until_id
     from (values (true)) as always (one) left join ledger_verification using (one)`,
  );
  if (!rows[0]) throw new Error('A left join with one row has answered none.');
  return rows[0];
}

/** Inserts the row that the updates of a run expect: an operator may have emptied the tables. */
export async function ensureProgress(client: Client): Promise<void> {
  await client.query('insert into ledger_verification default values on conflict do nothing');
}

export async function readAccounts(client: Client, users: readonly string[]): Promise<Map<string, VerifiedRow>> {
  const { rows } = await client.query<VerifiedRow>(
    'select user_id, version, state, pending_since from verified_account where user_id = any($1::text[])',
    [users],
  );
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** Stores accounts, and the event up to which everything is verified, in one transaction. */
export async function saveAccounts(
  pool: Pool,
  rows: readonly VerifiedRow[],
  reached?: { readonly last: StoredEvent; readonly events: number },
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into verified_account (user_id, version, state, pending_since)
       select * from unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[])
       on conflict (user_id) do update
       set version = excluded.version, state = excluded.state, pending_since = excluded.pending_since`,
      [
        rows.map((row) => row.user_id),
        rows.map(({ version }) => version),
        rows.map(({ state }) => state),
        rows.map((row) => row.pending_since),
      ],
    );
    if (reached) {
      const { position, stream, version, id } = reached.last;
      await client.query(
        `update ledger_verification set position = $1, stream = $2, version = $3, event_id = $4, events = events + $5`,
        [position, stream, version, id, reached.events],
      );
    }
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/** Replaces the known problems of a subject. Those that remain keep the time at which they were found. */
export async function replaceProblems(
  client: Client,
  subject: string,
  problems: readonly LedgerProblem[],
  now: Date,
): Promise<void> {
  await client.query(
    `with known as (delete from ledger_problem where subject = $1 returning *)
     insert into ledger_problem (subject, place, stream, version, kind, what, found_at)
     select $1, found.place, found.stream, found.version, found.kind, found.what,
       coalesce((select min(found_at) from known k where k.stream = found.stream and k.what = found.what), $6)
     from unnest($2::text[], $3::int[], $4::text[], $5::text[]) with ordinality
       as found (stream, version, kind, what, place)`,
    [
      subject,
      problems.map(({ stream }) => stream),
      problems.map(({ version }) => version),
      problems.map(({ kind }) => kind),
      problems.map((problem) => problem.what),
      now,
    ],
  );
}

/** Forgets everything: the next run starts at the first event. Known problems stay until their accounts are checked. */
export async function startAgain(pool: Pool): Promise<void> {
  await pool.query(`
    with accounts as (
      delete from verified_account a where not exists (select from ledger_problem p where p.subject = a.user_id)
    )
    update ledger_verification set position = null, stream = null, version = null, event_id = null, events = 0,
      charges_until = null, charges_until_id = null, purchases_until = null, purchases_until_id = null`);
}

/** The last generation or checkout that was compared; null before the first one. */
export function cursorOf(progress: VerificationProgress, name: 'charges' | 'purchases'): AgedCursor | null {
  const at = progress[`${name}_until`];
  const id = progress[`${name}_until_id`];
  return at && id !== null ? { at, id } : null;
}
