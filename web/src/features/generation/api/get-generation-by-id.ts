import { queryOptions, useQuery } from '@tanstack/react-query';
import type { GenerationView } from '../../../../../src/contract/generation.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** A generation as the caller may see it. */
export function getGenerationById(generationId: string, options: RpcOptions = {}): Promise<GenerationView> {
  return rpc('get_generation_by_id', { p_generation_id: generationId }, options);
}

export function generationQuery(generationId: string) {
  return queryOptions({
    queryKey: ['generation', generationId],
    queryFn: ({ signal }) => getGenerationById(generationId, { signal }),
  });
}

/** Reads a generation. `useFollowedGeneration` also receives its changes until it has ended. */
export function useGenerationById(generationId: string) {
  return useQuery(generationQuery(generationId));
}
