import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RpcName, RpcRequest, RpcResponse } from '../../../src/contract/calls.js';
import { callRpc } from './api.js';
import { useViewer } from './auth.js';
import { frameFirst } from './frame.js';
import { refreshQueries } from './query.js';

/** When an answer is fetched again, in milliseconds. */
export interface QueryTimings {
  readonly staleTime?: number;
  readonly refetchInterval?:
    | number
    | ((query: { readonly state: { readonly dataUpdateCount: number; readonly data: unknown } }) => number | false);
  readonly refetchOnWindowFocus?:
    | boolean
    | ((query: { readonly state: { readonly dataUpdatedAt: number } }) => boolean);
  readonly retry?: boolean | ((failures: number, error: unknown) => boolean);
  readonly retryDelay?: number;
  /** False: nothing is fetched. */
  readonly enabled?: boolean;
}

/**
 * The answer of a read for the signed-in person; idle for visitors. While a new request loads, returns the answer to
 * the previous one.
 * @param timings when to fetch again, if not the app's own
 */
export function useRpc<Name extends RpcName>(name: Name, request: RpcRequest<Name>, timings?: QueryTimings) {
  const { user } = useViewer();
  return useQuery<RpcResponse<Name>>({
    queryKey: [name, user?.id, request],
    queryFn: ({ signal }) => frameFirst(name, () => callRpc(name, request, { signal })),
    placeholderData: keepPreviousData,
    ...timings,
    enabled: user !== null && (timings?.enabled ?? true),
  });
}

/** Refetches the answers to these calls that pages read with {@link useRpc}. */
export function refreshRpc(...names: readonly RpcName[]): void {
  void refreshQueries(...names);
}
