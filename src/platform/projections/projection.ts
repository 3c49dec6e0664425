import { type Transaction } from 'kysely';
import type { StoredEvent } from '../event-store/event-store.js';

/**
 * Rows made from events. A context registers it with the `ProjectionRunner`, which applies every event of the streams with
 * this prefix exactly once, in order.
 */
export interface Projection<Tables> {
  /** Never changes: the checkpoint is kept under it. */
  readonly name: string;
  /** Raised when the rows must be made anew: at the next start they are reset and all events are applied again. */
  readonly version: number;
  readonly streamPrefix: string;
  /**
   * Applies a page of events. The rows and the checkpoint commit together: use the given transaction only, and nothing that
   * cannot be rolled back. An error is logged and the same page comes again; nothing is skipped.
   */
  apply(events: readonly StoredEvent[], trx: Transaction<Tables>): Promise<void>;
  /** Empties the projection's tables, before a rebuild. */
  reset(trx: Transaction<Tables>): Promise<void>;
}
