import { useEffect, useRef } from 'react';
import type { VerificationRunsPage } from '../../../../../src/contract/audit.js';
import { toast } from '../../../components/toast.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { refreshRpc, useRpc } from '../../../lib/use-rpc.js';
import { openRunOf, problemsText } from './verification-text.js';

/** Pause between two questions while a run is open, milliseconds. */
const WATCH_MS = 2_000;

/** The newest runs, asked for often while one is open. Announces the end of a run. */
export function useRuns() {
  const query = useRpc(
    'list_verification_runs',
    {},
    {
      ...liveTimings,
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && openRunOf((data as VerificationRunsPage).runs) ? WATCH_MS : liveTimings.refetchInterval,
    },
  );
  const runs = query.data?.runs;
  const open = useRef<number | null>(null);
  useEffect(() => {
    if (runs === undefined) return;
    const ended = runs.find(({ id, ended_at: endedAt }) => id === open.current && endedAt !== null);
    open.current = openRunOf(runs)?.id ?? null;
    if (!ended) return;
    refreshRpc('get_ledger_verification', 'list_ledger_seals');
    if (ended.failure !== null) toast({ kind: 'error', title: 'The verification failed.', description: ended.failure });
    else {
      const title = `The verification has ended: ${problemsText(ended.problems).toLowerCase()}.`;
      toast({ kind: ended.problems === 0 ? 'success' : 'error', title });
    }
  }, [runs]);
  return query;
}
