import { type LedgerProblem, type LedgerSources, type LedgerSummary, verifyLedger } from '../../src/audit/index.js';

/** Verifies the ledger of an app. @param more further sources, such as keys */
export async function verifiedLedger(
  { pool, eventStore }: Pick<LedgerSources, 'pool' | 'eventStore'>,
  now: () => Date,
  more: Partial<LedgerSources> = {},
): Promise<{ readonly problems: LedgerProblem[]; readonly summary: LedgerSummary }> {
  const problems: LedgerProblem[] = [];
  const onProblem = (problem: LedgerProblem): void => void problems.push(problem);
  const summary = await verifyLedger({ pool, eventStore, ...more }, { now, onProblem });
  return { problems, summary };
}
