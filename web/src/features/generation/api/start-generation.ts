import { GENERATION_COST } from '../../../../../src/contract/prices.js';
import type { StartGenerationResponse } from '../../../../../src/contract/generation.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** Starts a generation and deducts its credits. */
export function startGeneration(
  { prompt, creatorId }: { readonly prompt: string; readonly creatorId: string },
  options: RpcOptions = {},
): Promise<StartGenerationResponse> {
  return rpc(
    'start_generation_by_jwt',
    { p_prompt: prompt, p_creator_id: creatorId, p_credit_cost: GENERATION_COST },
    options,
  );
}
