import { type Transaction, sql } from 'kysely';
import type { StoredEvent } from '../event-store/event-store.js';

/**
 * Rows made from events. A context registers it with the `ProjectionRunner`, which applies every event of the streams with
 * this prefix exactly once, in order.
 */
export interface Projection<Tables> {
  /** Lower-case letters, digits and `_`, at most 40. Never changes: the checkpoint is kept under it. */
  readonly name: string;
  /** Raised when the rows must be made anew: they are built beside the live ones, which then give way to them. */
  readonly version: number;
  readonly streamPrefix: string;
  /**
   * Its tables, which nobody else writes. They are made anew as copies of the live ones' definitions, so nothing may hang on
   * them: no view, foreign key, trigger or `serial` column (`generated … as identity` is fine).
   */
  readonly tables: readonly string[];
  /**
   * Older versions whose live tables `apply` may go on with while the new ones are built, because its rows there are as good as
   * those versions' own. Without it the old tables stand still, unless an instance of the older build still runs.
   */
  readonly keepsUp?: readonly number[];
  /**
   * Applies a page of events. The rows and the checkpoint commit together: use the given transaction only, and nothing that
   * cannot be rolled back. Name tables without a schema: the search path says whether the live ones or those in the making are
   * meant. An error is logged and the same page comes again; nothing is skipped.
   */
  apply(events: readonly StoredEvent[], trx: Transaction<Tables>): Promise<void>;
}

/** A page could not be applied. Says where; the cause is the projection's own. */
export class ProjectionError extends Error {
  constructor(name: string, events: readonly StoredEvent[], cause: unknown) {
    const place = `${events[0]?.position} to ${events.at(-1)?.position}`;
    super(`The projection ${name} could not apply the events at ${place}.`, { cause });
    this.name = 'ProjectionError';
  }
}

/**
 * Applies a page to the live tables, or to their namesakes in `schema`.
 * @throws ProjectionError
 */
export async function applyPage<Tables>(
  projection: Projection<Tables>,
  events: readonly StoredEvent[],
  trx: Transaction<unknown>,
  schema?: string,
): Promise<void> {
  try {
    if (schema !== undefined) {
      await sql`select set_config('search_path', quote_ident(${schema}) || ', ' || current_setting('search_path'), true)`.execute(
        trx,
      );
    }
    await projection.apply(events, trx as unknown as Transaction<Tables>);
  } catch (error) {
    throw new ProjectionError(projection.name, events, error);
  }
}
