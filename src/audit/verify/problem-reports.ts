import { type ProblemKind } from '../../contract/audit.js';
import { type LedgerProblem } from './stream-audit.js';

/** Problems reported for each stream: after one change, every later event can look wrong. */
export const REPORTED_PER_STREAM = 20;
/** Rows that one check in SQL names: the first differences of a table, or the first rows of one kind of problem. */
export const REPORTED_PER_CHECK = 20;

export type Report = (problem: LedgerProblem) => void;

/** Numbers of problems by kind. A kind without problems is missing. */
export type ProblemCounts = Partial<Record<ProblemKind, number>>;

/** Counts all problems and reports the first ones of each stream. */
export class ProblemReports {
  /** All problems so far, by kind. */
  readonly counts: ProblemCounts = {};

  constructor(private readonly onProblem: Report) {}

  /** The report of one stream. Differences from seals are all reported: they are few. */
  for(stream: string): Report {
    let found = 0;
    return (problem) => {
      addProblems(this.counts, { [problem.kind]: 1 });
      if (problem.kind === 'seal') {
        this.onProblem(problem);
        return;
      }
      found += 1;
      if (found <= REPORTED_PER_STREAM) this.onProblem(problem);
      if (found === REPORTED_PER_STREAM + 1) {
        const sentence = 'Further problems are counted but not listed.';
        this.onProblem({ stream, version: null, kind: problem.kind, what: sentence });
      }
    };
  }
}

/** Adds numbers of problems to those of the same kind. */
export function addProblems(sum: ProblemCounts, counts: Readonly<ProblemCounts>): void {
  for (const [kind, count] of Object.entries(counts) as [ProblemKind, number][]) sum[kind] = (sum[kind] ?? 0) + count;
}
