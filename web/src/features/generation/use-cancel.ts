import { useState } from 'react';
import type { CancelGenerationResponse, GenerationView } from '../../../../src/contract/generation.js';
import { toast } from '../../components/toast.js';
import { ApiError, rpc } from '../../lib/api.js';
import { CANCEL_FAILED_TEXT } from './generation-view.js';
import type { FollowedGeneration } from '../../lib/use-followed-generation.js';
import { problemOf } from '../../lib/problem-of.js';

/** Cancels the followed generation and shows it as cancelled at once, before the server's next row arrives. */
export function useCancel(
  generationId: string,
  { row, show, checkNow }: FollowedGeneration,
): {
  readonly cancelling: boolean;
  readonly cancel: () => Promise<void>;
} {
  const [cancelling, setCancelling] = useState(false);

  const cancel = async (): Promise<void> => {
    if (cancelling) return;
    setCancelling(true);
    try {
      const result = await rpc('cancel_generation_by_jwt', {
        p_generation_id: generationId,
        p_reason: 'Generation canceled by user',
      });
      if (row) show(cancelledRow(row, result));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast({ kind: 'error', title: cancelProblem(error) });
    } finally {
      setCancelling(false);
      checkNow();
    }
  };

  return { cancelling, cancel };
}

/** The row as the server will send it, in case the next check fails. */
function cancelledRow(row: GenerationView, result: CancelGenerationResponse): GenerationView {
  return {
    ...row,
    status: 'failed',
    phase: null,
    cancelled: true,
    cancellable_at: null,
    error_message: 'Cancelled by user',
    refund_reason: 'user_cancelled',
    refunded: result.credit_refunded > 0,
  };
}

/** Text for a failed cancel (fan spec, section 8); the server's message when it gives a reason. */
function cancelProblem(error: ApiError): string {
  if (error.status === 401) return 'Authentication error. Please try again.';
  if (error.status === 404) return 'Unable to cancel: generation record not found';
  const message = problemOf(error);
  if (/^Please wait|already canceled/.test(message)) return message;
  return error.details && error.status === 409 ? `${CANCEL_FAILED_TEXT} ${error.details}` : CANCEL_FAILED_TEXT;
}
