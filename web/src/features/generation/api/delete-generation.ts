import type { DeleteGenerationResponse } from '../../../../../src/contract/generation.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** Deletes the fan's own generation with its image. */
export function deleteGeneration(generationId: string, options: RpcOptions = {}): Promise<DeleteGenerationResponse> {
  return rpc('delete_generation_by_jwt', { p_generation_id: generationId }, options);
}
