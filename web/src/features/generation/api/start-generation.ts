import type { AspectRatio } from '../../../../../src/contract/aspect-ratios.js';
import type { PublicCreator } from '../../../../../src/contract/gallery.js';
import type { StartGenerationResponse } from '../../../../../src/contract/generation.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/**
 * Starts a generation and deducts its credits. Refused when the creator's price is not the one shown.
 * @param requestId the same one for a repeat after a lost answer, which then starts nothing more
 */
export function startGeneration(
  { prompt, aspectRatio }: { readonly prompt: string; readonly aspectRatio: AspectRatio },
  creator: Pick<PublicCreator, 'id' | 'credit_cost'>,
  requestId: string,
  options: RpcOptions = {},
): Promise<StartGenerationResponse> {
  return rpc(
    'start_generation_by_jwt',
    {
      p_prompt: prompt,
      p_creator_id: creator.id,
      p_credit_cost: creator.credit_cost,
      p_aspect_ratio: aspectRatio,
      p_request_id: requestId,
    },
    options,
  );
}
