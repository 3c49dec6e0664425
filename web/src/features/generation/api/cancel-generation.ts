import type { CancelGenerationResponse } from '../../../../../src/contract/generation.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** Cancels the fan's pending generation. */
export function cancelGeneration(generationId: string, options: RpcOptions = {}): Promise<CancelGenerationResponse> {
  return rpc(
    'cancel_generation_by_jwt',
    { p_generation_id: generationId, p_reason: 'Generation canceled by user' },
    options,
  );
}
