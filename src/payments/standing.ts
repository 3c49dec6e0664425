import { type ProcessorReversal } from './providers/payment-processor.js';

const REFUND_STANDS: Readonly<Record<string, boolean>> = {
  succeeded: true,
  // The money is on its way. If it does not arrive, the refund fails and is undone.
  pending: true,
  requires_action: true,
  failed: false,
  canceled: false,
};

const DISPUTE_STANDS: Readonly<Record<string, boolean>> = {
  needs_response: true,
  under_review: true,
  lost: true,
  appeal_needs_response: true,
  appeal_under_review: true,
  won: false,
  prevented: false,
  // An inquiry. No money has moved.
  warning_needs_response: false,
  warning_under_review: false,
  warning_closed: false,
};

const OPEN = new Set([
  'pending',
  'requires_action',
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'warning_needs_response',
  'warning_under_review',
]);

/**
 * Returns true when the money of a reversal counts as returned to the buyer. Returns null for an unknown state; the
 * caller must then change nothing.
 */
export function stands({ kind, state }: Pick<ProcessorReversal, 'kind' | 'state'>): boolean | null {
  return (kind === 'refund' ? REFUND_STANDS : DISPUTE_STANDS)[state] ?? null;
}

/** States that can still change. The reconciliation reads such reversals again. */
export const OPEN_STATES: readonly string[] = [...OPEN];
