import { type Differences, type Reconciliation, type ReconciliationStarted } from '../reconciliation.js';
import { type Count, type Instant, type NoParameters } from '../scalars.js';
import { INSTANT_LENGTH, IsText, IsWhole, Optional } from './fields.js';

export class ReconciliationPeriod {
  @Optional(IsText(INSTANT_LENGTH))
  p_from?: Instant;

  @Optional(IsText(INSTANT_LENGTH))
  p_to?: Instant;
}

export class DifferencesRequest extends ReconciliationPeriod {
  @Optional(IsWhole(1, 200))
  p_limit?: Count;

  @Optional(IsText(400))
  p_after?: string;
}

export interface ReconciliationCalls {
  /**
   * Both sides from `p_from` (inclusive) to `p_to` (exclusive), which are UTC days. By default from the first day of
   * the current month, and to now.
   */
  get_reconciliation: { request: ReconciliationPeriod; response: Reconciliation };
  /** The differences of the same period, also those that have ended by themselves. 50 by default. */
  list_differences: { request: DifferencesRequest; response: Differences };
  /** The number of open differences. */
  get_open_difference_count: { request: NoParameters; response: { readonly open: Count } };
  /** Reads the processor now and compares. Copies facts only, and moves no money. */
  run_reconciliation: { request: NoParameters; response: ReconciliationStarted };
}
