import { type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { ACCOUNT_STREAM_PREFIX, POLICY_STREAM } from '../../credits/index.js';
import { ImportedHistory } from '../imports/imported-history.js';
import { type LedgerProblem } from '../verify/account-audit.js';
import { EventTimes } from '../verify/event-times.js';
import { auditPolicy } from '../verify/policy-check.js';
import { REPORTED_PER_CHECK } from '../verify/problem-reports.js';
import { type LedgerStores, timeOf } from '../verify/read-account.js';
import { replaceProblems, WHOLE_LEDGER } from './verification-store.js';

export interface ContinuousSources extends LedgerStores {
  /** For statements that read whole tables, which take longer than those of requests may. By default `pool`. */
  readonly slowPool?: Pool;
  /** Trusted public keys, for the records of imports. */
  readonly keys?: readonly KeyObject[];
}

/** Stores problems of the policy and of imports, and events beyond the end of the store: no projection reads them. */
export async function checkWholeLedger(sources: ContinuousSources, now: () => Date): Promise<void> {
  const { pool, eventStore } = sources;
  const found = await eventStore.misplacedEvents({ limit: REPORTED_PER_CHECK });
  const sentence = 'The position of this event lies beyond the end of the store: no projection reads the event.';
  const problems = found.map(({ stream, version }): LedgerProblem => ({
    stream,
    version,
    kind: 'position',
    what: sentence,
  }));
  const onProblem = (problem: LedgerProblem): void => void problems.push(problem);
  const times = new EventTimes(POLICY_STREAM, now, onProblem);
  let hasImports = false;
  const policy = await auditPolicy(eventStore, onProblem, (stored) => {
    times.add(stored);
    hasImports ||= stored.type === 'HistoryImported';
  });
  times.end();
  const [first] = await eventStore.readAll({ after: null, limit: 1, streamPrefix: ACCOUNT_STREAM_PREFIX });
  policy.endAll(first ? timeOf(first) : Number.POSITIVE_INFINITY);
  if (hasImports) await ImportedHistory.read(sources, sources.keys ?? [], onProblem);
  await replaceProblems(pool, WHOLE_LEDGER, problems, now());
}
