import { type Transaction, sql } from 'kysely';
import type { StoredEvent } from '../event-store/event-store.js';

/**
 * Derives rows from events. A context registers it with the `ProjectionRunner`, which applies every event of the
 * streams with this prefix exactly once, in order.
 */
export interface Projection<Tables> {
  /** Lower-case letters, digits and `_`, at most 40. Must never change: it is the key of the checkpoint. */
  readonly name: string;
  /** Raise it to rebuild the rows: new tables are built next to the live ones and then replace them. */
  readonly version: number;
  readonly streamPrefix: string;
  /**
   * Its tables. Nothing else may write them. A rebuild copies their definitions, so nothing may depend on them: no
   * view, foreign key, trigger or `serial` column (`generated … as identity` is allowed).
   */
  readonly tables: readonly string[];
  /**
   * Older versions whose live tables `apply` may continue to update during a rebuild, because it writes valid rows for
   * them. Otherwise the old tables do not advance, unless an instance of the older build still runs.
   */
  readonly keepsUp?: readonly number[];
  /** The projection of the same streams whose live rows `apply` reads. No page goes beyond what they contain. */
  readonly follows?: Pick<Projection<unknown>, 'name' | 'version'>;
  /**
   * Applies a page of events. Rows and checkpoint commit together: use only this transaction, and do nothing that
   * cannot be rolled back. Name tables without a schema: the search path selects the live tables or those of a rebuild.
   * After an error, the same page is applied again; no page is skipped.
   */
  apply(events: readonly StoredEvent[], trx: Transaction<Tables>): Promise<void>;
}

/** A page could not be applied. The message names its positions; the cause is the projection's error. */
export class ProjectionError extends Error {
  constructor(name: string, events: readonly StoredEvent[], cause: unknown) {
    const range = `${events[0]?.position} to ${events.at(-1)?.position}`;
    super(`The projection ${name} could not apply the events at ${range}.`, { cause });
    this.name = 'ProjectionError';
  }
}

/**
 * Applies a page to the live tables, or to those in `schema`.
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
