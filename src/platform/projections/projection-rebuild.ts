import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Kysely, type Transaction } from 'kysely';
import { withSecondConnection } from '../database/one-connection.js';
import { type EventStore, type StoredEvent } from '../event-store/event-store.js';
import {
  type CheckpointTables,
  type RebuildRow,
  putCheckpoint,
  readCheckpoint,
  readRebuild,
  takeTurn,
  withinReach,
} from './checkpoint.js';
import { PageReader } from './page-reader.js';
import { EVENTS_PER_PAGE } from './page-size.js';
import { applyPage, type Projection } from './projection.js';
import { ShadowTables, TablesBusyError } from './shadow-tables.js';

/** Pause when another instance applies the page, or open transactions hold events back. */
const WAIT_MS = 100;
/** First pause before the switch is retried while readers use the live tables; it grows with each attempt. */
const BUSY_FIRST_MS = 100;
const BUSY_MAX_MS = 5_000;

export interface RebuildProgress {
  /** Applied so far. */
  readonly events: number;
  /** Stored when it began; never less than `events`. As much as `events` when it could not be counted. */
  readonly total: number;
  readonly eventsPerSecond: number;
  /** Until all is applied; null before there is a rate. */
  readonly etaSeconds: number | null;
}

export interface RebuildOptions {
  /** Start again instead of resuming an interrupted rebuild of this version. */
  readonly fresh?: boolean;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Called each time that readers block the switch. */
  readonly onBusy?: (attempts: number) => void;
  /** Stops between two pages; the new tables remain, and the next rebuild resumes there. */
  readonly signal?: AbortSignal;
}

/**
 * `switched`: this call made the new tables live. `elsewhere`: another process completed the rebuild or started one of
 * a newer version. `interrupted`: the signal stopped the rebuild.
 */
export type RebuildEnd = 'switched' | 'elsewhere' | 'interrupted';

/**
 * Rebuilds the tables of a projection in a schema next to the live ones, then switches to them in one short
 * transaction. Until then the live tables are not touched. Each page commits with its checkpoint, so that no long
 * transaction holds followers back, and another process or a later one can continue at any time.
 */
export class ProjectionRebuild {
  private readonly logger = new Logger(ProjectionRebuild.name);
  private readonly reader: PageReader;
  private readonly schema: string;
  private readonly shadow: ShadowTables;

  constructor(
    private readonly db: Kysely<CheckpointTables>,
    private readonly eventStore: EventStore,
    private readonly projection: Projection<unknown>,
  ) {
    this.reader = new PageReader(eventStore, projection.streamPrefix, EVENTS_PER_PAGE);
    this.schema = `projection_${projection.name}_v${projection.version}`;
    this.shadow = new ShadowTables(this.schema, projection.tables);
  }

  /**
   * Builds and switches. Several processes may run it at once: they take turns.
   * @throws ProjectionError when an event cannot be applied, ShadowTablesError, and errors of the database. The new
   *   tables remain.
   */
  async run(options: RebuildOptions = {}): Promise<RebuildEnd> {
    const { signal } = options;
    if (!(await this.begin(await this.total(), options.fresh ?? false))) return 'elsewhere';
    let analyzed = false;
    for (let busy = 0; !signal?.aborted;) {
      const step = await this.step();
      if (step === 'gone') return 'elsewhere';
      if (step === 'more') options.onProgress?.(progressOf(await readRebuild(this.db, this.projection.name)));
      if (step === 'elsewhere') await delay(WAIT_MS);
      if (step !== 'drained') continue;
      if (!analyzed) await this.shadow.analyze(this.db as unknown as Kysely<unknown>);
      analyzed = true;
      const turn = await this.switch();
      if (turn === 'switched' || turn === 'gone') return turn === 'switched' ? turn : 'elsewhere';
      if (turn === 'busy') {
        busy += 1;
        options.onBusy?.(busy);
      }
      await delay(turn === 'busy' ? Math.min(BUSY_FIRST_MS * busy, BUSY_MAX_MS) : WAIT_MS);
    }
    return 'interrupted';
  }

  /** Drops the tables of an unfinished rebuild. @returns false when there is none */
  async abandon(): Promise<boolean> {
    return this.waitForTurn(async (trx) => {
      const row = await readRebuild(trx, this.projection.name);
      if (row) await this.discard(trx, row);
      return row !== null;
    });
  }

  /** The holder of the turn may need a second connection, so this waits with the place of such a worker, too. */
  private waitForTurn<T>(work: (trx: Transaction<CheckpointTables>) => Promise<T>): Promise<T> {
    return withSecondConnection(() =>
      this.db.transaction().execute(async (trx) => {
        await takeTurn(trx, 'rebuild', this.projection.name, 'wait');
        return work(trx);
      }),
    );
  }

  /** Counts the events for the estimate. A failure must not stop the rebuild. */
  private async total(): Promise<number> {
    const { name, streamPrefix } = this.projection;
    return this.eventStore.countAfter(null, { streamPrefix }).catch((error: unknown) => {
      this.logger.warn({ message: 'A rebuild has no estimate.', projection: name, error });
      return 0;
    });
  }

  /** Finds or creates the new tables. @returns false when a newer build has started with a newer version */
  private async begin(total: number, fresh: boolean): Promise<boolean> {
    const { name, version, tables } = this.projection;
    return this.waitForTurn(async (trx) => {
      const row = await readRebuild(trx, name);
      const live = await readCheckpoint(trx, name);
      if ((row?.version ?? 0) > version || (live?.version ?? 0) > version) return false;
      const untyped = trx as unknown as Transaction<unknown>;
      if (row && !fresh && row.version === version && (await this.shadow.matchLive(untyped))) {
        this.logger.log({ message: 'The rebuild of a projection continues.', projection: name, ...progressOf(row) });
        return true;
      }
      if (row) await this.discard(trx, row);
      // A leftover schema without a record must not block the rebuild.
      await this.shadow.drop(untyped);
      await this.shadow.create(untyped);
      const started = { events: 0, total, busy_ms: 0, started_at: new Date(), position: null };
      await trx
        .insertInto('projection_rebuild')
        .values({ name, version, schema: this.schema, ...started })
        .execute();
      const was = live?.version ?? null;
      this.logger.log({
        message: 'The rebuild of a projection starts next to the live tables.',
        projection: name,
        version,
        was,
        total,
        tables,
      });
      return true;
    });
  }

  private async discard(trx: Transaction<CheckpointTables>, row: RebuildRow): Promise<void> {
    await new ShadowTables(row.schema, this.projection.tables).drop(trx as unknown as Transaction<unknown>);
    await trx.deleteFrom('projection_rebuild').where('name', '=', row.name).execute();
  }

  private async step(): Promise<'more' | 'drained' | 'elsewhere' | 'gone'> {
    const seen = await this.own(this.db);
    if (!seen) return 'gone';
    // A transaction that waits for its events would be ended when that takes long.
    const read = await this.reader.read(seen.position);
    return withSecondConnection(() =>
      this.db.transaction().execute(async (trx) => {
        if (!(await takeTurn(trx, 'rebuild', this.projection.name, 'try'))) return 'elsewhere';
        const row = await this.own(trx);
        if (!row) return 'gone';
        // Another instance has applied the page.
        return row.position === seen.position ? this.applyNext(trx, row, read) : 'more';
      }),
    );
  }

  private async own(trx: Kysely<CheckpointTables> | Transaction<CheckpointTables>): Promise<RebuildRow | null> {
    const row = await readRebuild(trx, this.projection.name);
    return row?.version === this.projection.version ? row : null;
  }

  private async applyNext(
    trx: Transaction<CheckpointTables>,
    row: RebuildRow,
    read: readonly StoredEvent[],
  ): Promise<'more' | 'drained'> {
    const started = performance.now();
    const page = await withinReach(read, this.projection, this.eventStore, trx);
    const last = page.at(-1);
    if (!last) return 'drained';
    await applyPage(this.projection, page, trx as unknown as Transaction<unknown>, row.schema);
    await trx
      .updateTable('projection_rebuild')
      .set({
        position: last.position,
        events: row.events + page.length,
        busy_ms: row.busy_ms + Math.max(1, Math.round(performance.now() - started)),
      })
      .where('name', '=', row.name)
      .execute();
    return page.length === this.reader.size ? 'more' : 'drained';
  }

  /**
   * Switches to the new tables. While both locks are held, applies the events that the live tables have applied already
   * (at most one page), then replaces the live tables. `behind`: more than one page is missing.
   */
  private async switch(): Promise<'switched' | 'behind' | 'busy' | 'gone'> {
    const { name, version } = this.projection;
    try {
      return await withSecondConnection(() =>
        this.db.transaction().execute(async (trx) => {
          await takeTurn(trx, 'rebuild', name, 'wait');
          await takeTurn(trx, 'projection', name, 'wait');
          const live = await readCheckpoint(trx, name);
          let row = await this.own(trx);
          if (!row) return 'gone';
          if (this.isBehind(row, live?.position ?? null)) {
            await this.applyNext(trx, row, await this.reader.read(row.position));
            row = (await this.own(trx)) ?? row;
            if (this.isBehind(row, live?.position ?? null)) return 'behind';
          }
          await this.shadow.takeOver(trx as unknown as Transaction<unknown>);
          await putCheckpoint(trx, name, { version, position: row.position, complete: true });
          await trx.deleteFrom('projection_rebuild').where('name', '=', name).execute();
          this.logger.log({ message: 'A projection was switched to its rebuilt tables.', projection: name, version });
          return 'switched';
        }),
      );
    } catch (error) {
      if (error instanceof TablesBusyError) return 'busy';
      throw error;
    }
  }

  private isBehind({ position }: RebuildRow, live: string | null): boolean {
    if (live === null) return false;
    return position === null || this.eventStore.comparePositions(position, live) < 0;
  }
}

/** Returns the progress of a rebuild and its estimated end, from the time that its pages took so far. */
export function progressOf(row: RebuildRow | null): RebuildProgress {
  if (!row) return { events: 0, total: 0, eventsPerSecond: 0, etaSeconds: null };
  const { events } = row;
  const total = Math.max(row.total, events);
  const eventsPerSecond = row.busy_ms > 0 ? Math.round((events * 1000) / row.busy_ms) : 0;
  const etaSeconds = eventsPerSecond > 0 && row.total > 0 ? Math.ceil((total - events) / eventsPerSecond) : null;
  return { events, total, eventsPerSecond, etaSeconds };
}
