import type { RpcResponse } from '../../../../../src/contract/calls.js';
import { useRpc } from '../../../lib/use-rpc.js';

export const TESTS_PER_PAGE = 12;

/** The calls whose answers a new or ended test changes. */
export const TEST_READS = ['get_own_test_generations_by_jwt', 'get_test_allowance_by_jwt'] as const;

/** Wait before the tests of the next day are asked for again, when this clock is ahead of the server's, ms. */
const ASK_AGAIN_MS = 10_000;
const DAY_MS = 86_400_000;

/** How many tests the creator may start today. It is asked for again when the next day of UTC begins. */
export function useTestAllowance() {
  return useRpc(
    'get_test_allowance_by_jwt',
    {},
    {
      refetchInterval: ({ state }) => {
        const allowance = state.data as RpcResponse<'get_test_allowance_by_jwt'> | undefined;
        return allowance !== undefined && Math.max(ASK_AGAIN_MS, Date.parse(allowance.resets_at) - Date.now());
      },
      // A tab in the background does not ask at midnight.
      refetchOnWindowFocus: ({ state }) => dayOf(state.dataUpdatedAt) !== dayOf(Date.now()),
    },
  );
}

/** The number of a day of UTC. @param at ms since the epoch */
const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** A page of the creator's tests, newest first. @param page 1-based */
export function useTests(page: number) {
  return useRpc('get_own_test_generations_by_jwt', {
    p_limit: TESTS_PER_PAGE,
    p_offset: (page - 1) * TESTS_PER_PAGE,
  });
}
