import { useQuery } from '@tanstack/react-query';
import { generationKey } from '../../../lib/generation-key.js';
import { rpc } from '../../../lib/api.js';

/** Reads a generation. `useFollowedGeneration` also receives its changes until it has ended. */
export function useGenerationById(generationId: string) {
  return useQuery({
    queryKey: generationKey(generationId),
    queryFn: ({ signal }) => rpc('get_generation_by_id', { p_generation_id: generationId }, { signal }),
  });
}
