import type { ReportGenerationResponse, ReportReason } from '../../../../../src/contract/generation.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

interface Report {
  readonly generationId: string;
  readonly reason: ReportReason;
  readonly note: string;
}

/** Reports another fan's image to the admins. */
export function reportGeneration(
  { generationId, reason, note }: Report,
  options: RpcOptions = {},
): Promise<ReportGenerationResponse> {
  return rpc('report_generation', { p_generation_id: generationId, p_reason: reason, p_note: note }, options);
}
