import { useQuery } from '@tanstack/react-query';
import { rpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { frameFirst } from '../../../lib/frame.js';
import { queryClient, refreshQueries } from '../../../lib/query.js';
import { retryAfterMs } from '../../../lib/retry.js';
import { POLL_INTERVAL_MS } from '../../../lib/status-check.js';
import { refreshCreations } from './get-user-generations.js';

const KEY = 'active-generation';
/** How long the answer that none is running is used again, milliseconds. What this tab starts is noted at once. */
const NONE_FRESH_MS = 30_000;

/** Whether the signed-in fan has a generation running; polls until it has ended. False while that is unknown. */
export function useActiveGeneration({ enabled }: { enabled: boolean }): boolean {
  const { status, user } = useViewer();
  const query = useQuery({
    queryKey: [KEY, user?.id],
    queryFn: ({ signal }) =>
      frameFirst('has_active_pending_generation_jwt', () => rpc('has_active_pending_generation_jwt', {}, { signal })),
    enabled: enabled && status === 'signed-in',
    // One that runs is asked for again; after none, only when another tab may have started one.
    staleTime: ({ state }) => (state.data === false ? NONE_FRESH_MS : 0),
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) =>
      state.data === true ? Math.max(POLL_INTERVAL_MS, retryAfterMs(state.error)) : false,
  });
  // A cached answer may be older than the end of that generation.
  return enabled && query.isFetchedAfterMount && query.data === true;
}

/** Records that the fan's one generation has ended, before the server is asked again. */
export function noteGenerationEnded(): void {
  queryClient.setQueriesData({ queryKey: [KEY] }, false);
  refreshActiveGeneration();
}

/** Asks again whether a generation runs, and fetches the lists of generations again. */
export function refreshActiveGeneration(): void {
  void refreshQueries(KEY);
  refreshCreations();
}
