import { type ProcessorReversal } from './providers/payment-processor.js';

const REFUND_STANDS: Readonly<Record<string, boolean>> = {
  succeeded: true,
  // The money is on its way; should it not arrive, the refund fails and is undone.
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
  // An inquiry: no money has moved.
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

/** Whether the money counts as gone; null for a state that this version does not know: then nothing is changed. */
export function stands({ kind, state }: Pick<ProcessorReversal, 'kind' | 'state'>): boolean | null {
  return (kind === 'refund' ? REFUND_STANDS : DISPUTE_STANDS)[state] ?? null;
}

/** States that will change; the reconciliation looks at them again until they do not. */
export const OPEN_STATES: readonly string[] = [...OPEN];
