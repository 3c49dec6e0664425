import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import type { CreationFilter, PaginatedGeneration } from '../../../../../src/contract/generation.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { refreshQueries } from '../../../lib/query.js';

const PENDING_POLL_MS = 5000;

/** One page (from 1) of the fan's generations, newest first. */
export function getUserGenerations(
  page: number,
  show: CreationFilter,
  options: RpcOptions = {},
): Promise<PaginatedGeneration[]> {
  return rpc(
    'get_user_generations_by_jwt_paginated',
    {
      p_limit: PAGE_SIZES.generations,
      p_offset: (page - 1) * PAGE_SIZES.generations,
      ...(show === 'all' ? {} : { p_show: show }),
    },
    options,
  );
}

export function creationsQuery(userId: string | undefined, page: number, show: CreationFilter = 'all') {
  return queryOptions({
    queryKey: ['creations', userId, show, page],
    queryFn: ({ signal }) => getUserGenerations(page, show, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: (query) =>
      query.state.data?.some(({ generation }) => generation.status === 'pending') ? PENDING_POLL_MS : false,
  });
}

/** One page of the signed-in fan's generations; polls while one of them is pending. */
export function useCreations(page: number, show: CreationFilter) {
  const { user } = useViewer();
  return useQuery({ ...creationsQuery(user?.id, page, show), enabled: user !== null });
}

/** Fetches the fan's lists of generations again. */
export function refreshCreations(): void {
  void refreshQueries('creations');
}
