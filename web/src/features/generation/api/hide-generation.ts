import type { HideGenerationResponse } from '../../../../../src/contract/generation.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** Hides the fan's own image from others, or shows it again. */
export function hideGeneration(
  { generationId, hidden }: { readonly generationId: string; readonly hidden: boolean },
  options: RpcOptions = {},
): Promise<HideGenerationResponse> {
  return rpc('hide_generation_by_jwt', { p_generation_id: generationId, p_hidden: hidden }, options);
}
