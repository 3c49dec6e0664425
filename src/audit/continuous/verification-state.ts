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

/** The figures that monitoring reads. */
interface VerificationFigures extends Pick<VerificationState, 'verifiedUntil' | 'succeededAt' | 'problems'> {
  /** Problems that the newest full verification with a result found; null before the first one. */
  readonly runProblems: number | null;
}

/** One statement. */
export async function readVerificationFigures(pool: Pool): Promise<VerificationFigures> {
  const { rows } = await pool.query<VerificationFigures>(
    `select (select verified_until from ledger_verification) as "verifiedUntil",
       (select succeeded_at from ledger_verification) as "succeededAt",
       (select count(*)::int from ledger_problem) as problems,
       (select problems from verification_run where result is not null order by id desc limit 1) as "runProblems"`,
  );
  return rows[0] ?? { verifiedUntil: null, succeededAt: null, problems: 0, runProblems: null };
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
