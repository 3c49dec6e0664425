import { useQuery } from '@tanstack/react-query';
import { rpc } from '../../lib/api.js';
import { useViewer } from '../../lib/auth.js';
import { POLL_INTERVAL_MS } from './status-check.js';
import { queryClient } from '../../lib/query.js';
import { retryAfterMs } from '../../lib/retry.js';

const KEY = 'active-generation';

/** Whether the signed-in fan has a generation running; asked again until it is over. False when nobody knows. */
export function useActiveGeneration({ enabled }: { enabled: boolean }): boolean {
  const { status, user } = useViewer();
  const query = useQuery({
    queryKey: [KEY, user?.id],
    queryFn: ({ signal }) => rpc<boolean>('has_active_pending_generation_jwt', {}, { signal }),
    enabled: enabled && status === 'signed-in',
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data === true ? Math.max(POLL_INTERVAL_MS, retryAfterMs(state.error)) : false,
  });
  // What an earlier page knew is no answer: this one may have just seen that generation end.
  return enabled && query.isFetchedAfterMount && query.data === true;
}

/** The fan's one generation is over: known here and now, before the server is asked again. */
export function noteGenerationEnded(): void {
  queryClient.setQueriesData({ queryKey: [KEY] }, false);
  refreshActiveGeneration();
}

/** Asks again, also for the lists of generations: one has started, ended, or nobody knows. */
export function refreshActiveGeneration(): void {
  void queryClient.invalidateQueries({ queryKey: [KEY] });
  void queryClient.invalidateQueries({ queryKey: ['creations'] });
}
