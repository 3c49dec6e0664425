import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import type { CreationFilter } from '../../../../../src/contract/generation.js';
import { rpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { refreshQueries } from '../../../lib/query.js';

const PENDING_POLL_MS = 5000;

/** One page (from 1) of the signed-in fan's generations, newest first; polls while one of them is pending. */
export function useCreations(page: number, show: CreationFilter) {
  const { user } = useViewer();
  return useQuery({
    queryKey: ['creations', user?.id, show, page],
    queryFn: ({ signal }) =>
      rpc(
        'get_user_generations_by_jwt_paginated',
        {
          p_limit: PAGE_SIZES.generations,
          p_offset: (page - 1) * PAGE_SIZES.generations,
          ...(show === 'all' ? {} : { p_show: show }),
        },
        { signal },
      ),
    enabled: user !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: (query) =>
      query.state.data?.some(({ generation }) => generation.status === 'pending') ? PENDING_POLL_MS : false,
  });
}

/** Fetches the fan's lists of generations again. */
export function refreshCreations(): void {
  void refreshQueries('creations');
}
