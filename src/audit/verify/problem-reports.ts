import { type LedgerProblem } from './stream-audit.js';

/** Problems reported for each stream: after one change, every later event can look wrong. */
export const REPORTED_PER_STREAM = 20;

export type Report = (problem: LedgerProblem) => void;

/** Counts all problems and reports the first ones of each stream. */
export class ProblemReports {
  /** All problems so far. */
  count = 0;

  constructor(private readonly onProblem: Report) {}

  /** The report of one stream. Differences from seals are all reported: they are few. */
  for(stream: string): Report {
    let found = 0;
    return (problem) => {
      this.count += 1;
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
