import { type Pool } from 'pg';
import { type KnownProblem, readProgress } from './verification-store.js';

/** State of the continuous verification. */
export interface VerificationState {
  /** Everything that was stored before this instant is verified; null before the first run. */
  readonly verifiedUntil: Date | null;
  /** End of the last run that succeeded; null before the first. */
  readonly succeededAt: Date | null;
  /** Events verified since the beginning. */
  readonly events: number;
  /** Known problems, and the first of them. */
  readonly problems: number;
  readonly first: readonly KnownProblem[];
}

/** @param shown problems to return; all are counted */
export async function readVerificationState(pool: Pool, shown: number): Promise<VerificationState> {
  const { verified_until: verifiedUntil, succeeded_at: succeededAt, events } = await readProgress(pool);
  const { rows } = await pool.query<KnownProblem & { readonly total: number }>(
    `select stream, version, kind, what, found_at as "foundAt", (count(*) over ())::int as total from ledger_problem
     order by found_at, subject, place limit $1`,
    [shown],
  );
  const first = rows.map(({ total: _total, ...problem }) => problem);
  return { verifiedUntil, succeededAt, events, problems: rows[0]?.total ?? 0, first };
}
