import { type ControlledTransaction, type Kysely, type Transaction, sql } from 'kysely';
import { type Pool } from 'pg';
import { withSecondConnection } from '../database/one-connection.js';
import { createDatabase } from '../database/pool.js';
import { type EventStore } from '../event-store/event-store.js';
import { type Checkpoint, type CheckpointTables, readCheckpoint, takeTurn } from './checkpoint.js';
import { PageReader } from './page-reader.js';
import { applyPage, type Projection } from './projection.js';
import { EVENTS_PER_PAGE } from './page-size.js';
import { liveSchema, ShadowTables, TEMPORARY_SCHEMA } from './shadow-tables.js';

/** A row that exists only in the live tables or only in the fresh ones. A changed row gives one of each. */
export interface RowDifference {
  readonly table: string;
  readonly only: 'live' | 'fresh';
  /** The row as JSON text. */
  readonly row: string;
}

export interface FreshComparison {
  /** Events stored, in all. */
  readonly events: number;
  /** Those of them that the live tables had not applied yet: they were not compared. */
  readonly unapplied: number;
  /** Position up to which both were compared; null when nothing was ever projected. */
  readonly position: string | null;
  /** Version of the live tables; null when nothing was projected. Only the projection's version can be compared. */
  readonly liveVersion: number | null;
  readonly rows: number;
  readonly differences: number;
}

export interface CompareOptions {
  /** Maximum number of differences to report; all are counted. 20 by default. */
  readonly named?: number;
  readonly onDifference?: (difference: RowDifference) => void;
  readonly onProgress?: (soFar: { readonly events: number; readonly total: number }) => void;
  /** Aborts the comparison; the fresh tables are dropped. */
  readonly signal?: AbortSignal;
}

/**
 * Builds a projection into temporary tables from all events, then compares these with the live ones row by row, both as
 * of one position. Works while the app runs; the app waits for at most a page of events while the position is fixed.
 * Constant memory; each page is its own transaction. The user of the pool needs to read only: a session that is
 * read-only by default may write to its own temporary tables.
 * @param pool without a statement timeout (`statementTimeoutMs: 0`), with at least three connections
 * @throws ProjectionError when the events cannot be applied; ShadowTablesError; the signal's reason
 */
export async function compareWithFresh<Tables>(
  { pool, eventStore }: { readonly pool: Pool; readonly eventStore: EventStore },
  projection: Projection<Tables>,
  options: CompareOptions = {},
): Promise<FreshComparison> {
  const db = createDatabase<CheckpointTables>(pool);
  const checkpoint = await readCheckpoint(db, projection.name);
  const none = { events: 0, unapplied: 0, rows: 0, differences: 0 };
  if (!checkpoint) return { ...none, position: null, liveVersion: null };
  if (checkpoint.version !== projection.version) {
    return { ...none, position: checkpoint.position, liveVersion: checkpoint.version };
  }
  return db.connection().execute(async (session) => {
    const shadow = new ShadowTables(TEMPORARY_SCHEMA, projection.tables);
    await session
      .transaction()
      .setAccessMode('read write')
      .execute((trx) => shadow.create(trx as unknown as Transaction<unknown>));
    try {
      return await new Comparison(db, session, eventStore, projection as Projection<unknown>, options).run();
    } finally {
      await sql`discard temp`.execute(session);
    }
  });
}

class Comparison {
  private readonly reader: PageReader;
  private position: string | null = null;
  private events = 0;

  /** @param session the connection with the temporary tables */
  constructor(
    private readonly db: Kysely<CheckpointTables>,
    private readonly session: Kysely<CheckpointTables>,
    private readonly eventStore: EventStore,
    private readonly projection: Projection<unknown>,
    private readonly options: CompareOptions,
  ) {
    this.reader = new PageReader(eventStore, projection.streamPrefix, EVENTS_PER_PAGE);
  }

  async run(): Promise<FreshComparison> {
    const total = await this.eventStore.countAfter(null, { streamPrefix: this.projection.streamPrefix });
    // The target moves: the app keeps applying events. The last ones are applied while the app is paused.
    for (let more = true; more;) {
      more = await this.applyUpTo((await readCheckpoint(this.db, this.projection.name))?.position ?? null);
      this.options.onProgress?.({ events: this.events, total: Math.max(total, this.events) });
    }
    const { snapshot, live } = await this.snapshotAtOnePosition();
    try {
      return await this.compareIn(snapshot, live);
    } finally {
      await snapshot.rollback().execute();
    }
  }

  /** Applies one page of events up to `target`. @returns whether more may follow */
  private async applyUpTo(target: string | null): Promise<boolean> {
    this.options.signal?.throwIfAborted();
    if (target === null) return false;
    if (this.position !== null && this.eventStore.comparePositions(this.position, target) >= 0) return false;
    const page = await this.reader.read(this.position);
    const upToTarget = page.filter(({ position }) => this.eventStore.comparePositions(position, target) <= 0);
    const last = upToTarget.at(-1);
    if (!last) return false;
    await withSecondConnection(() =>
      this.session.transaction().execute(async (trx) => {
        await applyPage(this.projection, upToTarget, trx as unknown as Transaction<unknown>, TEMPORARY_SCHEMA);
      }),
    );
    this.position = last.position;
    this.events += upToTarget.length;
    return upToTarget.length === page.length;
  }

  /** Takes a snapshot with live and fresh tables at the same position. The app waits meanwhile. */
  private async snapshotAtOnePosition(): Promise<{
    readonly snapshot: ControlledTransaction<CheckpointTables>;
    readonly live: Checkpoint | null;
  }> {
    const { name } = this.projection;
    return withSecondConnection(() =>
      this.db.transaction().execute(async (pause) => {
        await takeTurn(pause, 'projection', name, 'wait');
        const live = await readCheckpoint(pause, name);
        while (await this.applyUpTo(live?.position ?? null));
        const snapshot = await this.session.startTransaction().setIsolationLevel('repeatable read').execute();
        // The first query takes the snapshot.
        await sql`select 1`.execute(snapshot);
        return { snapshot, live };
      }),
    );
  }

  private async compareIn(snapshot: Transaction<CheckpointTables>, live: Checkpoint | null): Promise<FreshComparison> {
    const position = live?.position ?? null;
    const { streamPrefix } = this.projection;
    const unapplied = await this.eventStore.countAfter(position, { streamPrefix });
    const counted = { events: this.events + unapplied, unapplied };
    const result = { ...counted, position, liveVersion: live?.version ?? null };
    if (live?.version !== this.projection.version) return { ...result, rows: 0, differences: 0 };
    const schema = await liveSchema(snapshot as unknown as Kysely<unknown>);
    let rows = 0;
    let differences = 0;
    for (const table of this.projection.tables) {
      const own = sql.id(schema, table);
      const fresh = sql.id(TEMPORARY_SCHEMA, table);
      const size = await sql<{ count: number }>`select count(*)::float8 as count from ${own}`.execute(snapshot);
      rows += size.rows[0]?.count ?? 0;
      for (const [only, from, without] of [
        ['live', own, fresh],
        ['fresh', fresh, own],
      ] as const) {
        const remainingNames = Math.max(0, (this.options.named ?? 20) - differences);
        const found = await sql<{ row: string; count: number }>`
          with odd as materialized (select * from ${from} except all select * from ${without})
          select to_jsonb(odd)::text as row, (select count(*)::float8 from odd) as count from odd limit ${Math.max(remainingNames, 1)}`.execute(
          snapshot,
        );
        for (const { row } of found.rows.slice(0, remainingNames)) this.options.onDifference?.({ table, only, row });
        differences += found.rows[0]?.count ?? 0;
      }
    }
    return { ...result, rows, differences };
  }
}
