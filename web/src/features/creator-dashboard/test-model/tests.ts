import { useRpc } from '../../../lib/use-rpc.js';

export const TESTS_PER_PAGE = 12;

/** The calls whose answers a new or ended test changes. */
export const TEST_READS = ['get_own_test_generations_by_jwt', 'get_test_allowance_by_jwt'] as const;

/** A page of the creator's tests, newest first. @param page 1-based */
export function useTests(page: number) {
  return useRpc('get_own_test_generations_by_jwt', {
    p_limit: TESTS_PER_PAGE,
    p_offset: (page - 1) * TESTS_PER_PAGE,
  });
}
