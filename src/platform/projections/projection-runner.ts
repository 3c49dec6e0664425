import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Kysely, type Transaction, sql } from 'kysely';
import { type Pool } from 'pg';
import { PG_POOL } from '../database/database.js';
import { createDatabase } from '../database/pool.js';
import { EventStore, type StoredEvent } from '../event-store/event-store.js';
import { lockKey } from '../locks.js';
import { type Projection } from './projection.js';
import { Wakeable } from './wakeable.js';

/** Events applied in one transaction. Bounds memory, and how long followers of other writers are held back. */
const PAGE = 500;
/** Without a hint from the event store, look again after this. */
const POLL_MS = 1_000;
/** Stored, but an older transaction is still running: look again after this. */
const BEHIND_MS = 10;
const BACKOFF_FIRST_MS = 100;
const BACKOFF_MOST_MS = 30_000;
/** How long `catchUp` waits for transactions that hold followers back. */
const CATCH_UP_MS = 30_000;
/** How often `waitFor` looks at the checkpoint when another instance runs the projection. */
const WAIT_POLL_MS = 25;

interface CheckpointTables {
  projection_checkpoint: { name: string; version: number; position: string | null; updated_at: Date };
}

/** What a step came to: a full page (more may follow), nothing new, or somebody else's turn. */
type Step = 'more' | 'drained' | 'elsewhere';

/**
 * Applies events to the registered projections: in order, page by page, rows and checkpoint in one transaction. Of all
 * instances, one at a time runs a projection (an advisory lock for the length of the transaction); when it goes, the next
 * page is another's. The checkpoint is a compare-and-set besides, so that a lost lock cannot apply a page twice.
 */
@Injectable()
export class ProjectionRunner {
  private readonly logger = new Logger(ProjectionRunner.name);
  private readonly db: Kysely<CheckpointTables>;
  private readonly projections = new Map<string, Projection<unknown>>();
  /** Woken when new events may be there. */
  private readonly wakeables = new Map<string, Wakeable>();
  /** Woken when a checkpoint of this process moved. */
  private readonly progress = new Wakeable();
  private loops: Promise<void>[] = [];
  private running = false;
  private unsubscribe: (() => void) | null = null;

  constructor(
    @Inject(PG_POOL) pool: Pool,
    private readonly eventStore: EventStore,
  ) {
    this.db = createDatabase(pool);
  }

  /** To be called by a context's module while the app starts, once for each name. */
  register<Tables>(projection: Projection<Tables>): void {
    if (this.projections.has(projection.name)) throw new Error(`There are two projections named ${projection.name}.`);
    if (this.running) throw new Error(`The projection ${projection.name} was registered after the start.`);
    this.projections.set(projection.name, projection as Projection<unknown>);
    this.wakeables.set(projection.name, new Wakeable());
  }

  /** Runs all registered projections in the background until `stop`. After the migrations. */
  start(): void {
    if (this.running) return;
    this.running = true;
    this.unsubscribe = this.eventStore.onAppended(() => this.wakeAll());
    this.loops = [...this.projections.values()].map((projection) => this.loop(projection));
  }

  /** Lets the pages in work end. */
  async stop(): Promise<void> {
    this.running = false;
    this.unsubscribe?.();
    this.unsubscribe = null;
    this.wakeAll();
    this.progress.wake();
    await Promise.all(this.loops);
    this.loops = [];
  }

  /**
   * Applies now, in this call, all that was stored before it: of one projection, or of all. Waits for another instance's page
   * and, within 30 seconds, for transactions that hold followers back.
   * @throws what the projection throws; an Error when it could not be brought up to date in time
   */
  async catchUp(name?: string): Promise<void> {
    const chosen = [...this.projections.values()].filter((projection) => !name || projection.name === name);
    if (name && chosen.length === 0) throw new Error(`There is no projection named ${name}.`);
    for (const projection of chosen) {
      const target = await this.eventStore.lastPosition(projection.streamPrefix);
      const deadline = performance.now() + CATCH_UP_MS;
      for (;;) {
        const step = await this.step(projection, 'wait');
        if (step === 'more') continue;
        if (step === 'drained' && (target === null || (await this.hasReached(projection, target)))) break;
        if (performance.now() > deadline)
          throw new Error(`The projection ${projection.name} could not catch up in time.`);
        await delay(BEHIND_MS);
      }
    }
  }

  /**
   * Read your own writes: waits until every projection, or the named one, has applied what it is to apply up to this position.
   * @returns false when that did not happen within `timeoutMs`
   */
  async waitFor(position: string, { timeoutMs, name }: { timeoutMs: number; name?: string }): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    let missing = [...this.projections.values()].filter((projection) => !name || projection.name === name);
    for (;;) {
      const moved = this.progress.next();
      const reached = await Promise.all(missing.map((projection) => this.hasReached(projection, position)));
      missing = missing.filter((_, index) => !reached[index]);
      const left = deadline - performance.now();
      if (missing.length === 0 || left <= 0) return missing.length === 0;
      await moved.within(Math.min(left, WAIT_POLL_MS));
    }
  }

  private wakeAll(): void {
    for (const wakeable of this.wakeables.values()) wakeable.wake();
  }

  private async loop(projection: Projection<unknown>): Promise<void> {
    const wakeable = this.wakeables.get(projection.name) ?? new Wakeable();
    let failures = 0;
    while (this.running) {
      const woken = wakeable.next();
      let pauseMs = POLL_MS;
      try {
        const step = await this.step(projection, 'try');
        failures = 0;
        if (step === 'more') continue;
        if (step === 'drained' && (await this.isBehind(projection))) pauseMs = BEHIND_MS;
      } catch (error) {
        pauseMs = Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MOST_MS);
        failures += 1;
        this.logger.error('A projection failed; it is tried again.', {
          projection: projection.name,
          failures,
          pauseMs,
          error,
        });
        if (this.running) await this.stopOr(pauseMs);
        continue;
      }
      if (this.running) await woken.within(pauseMs);
    }
  }

  /** A back-off is not cut short by new events, only by `stop`. */
  private async stopOr(ms: number): Promise<void> {
    const until = performance.now() + ms;
    for (let left = ms; this.running && left > 0; left = until - performance.now()) {
      await delay(Math.min(left, POLL_MS));
    }
  }

  /** Applies one page. */
  private async step(projection: Projection<unknown>, turn: 'try' | 'wait'): Promise<Step> {
    const step = await this.db.transaction().execute(async (trx): Promise<Step> => {
      if (!(await takeTurn(trx, projection.name, turn))) return 'elsewhere';
      const checkpoint = await this.checkpointOf(projection, trx);
      if (!checkpoint) return 'elsewhere';
      const events = await this.eventStore.readAll({
        after: checkpoint.position,
        limit: PAGE,
        streamPrefix: projection.streamPrefix,
      });
      const last = events.at(-1);
      if (!last) return 'drained';
      await this.apply(projection, events, trx);
      await moveCheckpoint(trx, projection, checkpoint.position, last.position);
      return events.length === PAGE ? 'more' : 'drained';
    });
    this.progress.wake();
    return step;
  }

  private async apply(
    projection: Projection<unknown>,
    events: StoredEvent[],
    trx: Transaction<CheckpointTables>,
  ): Promise<void> {
    try {
      await projection.apply(events, trx as unknown as Transaction<unknown>);
    } catch (error) {
      const place = `${events[0]?.position} to ${events.at(-1)?.position}`;
      throw new Error(`The projection ${projection.name} could not apply the events at ${place}.`, { cause: error });
    }
  }

  /** Where the projection stands; first makes it anew when its version was raised. Null: a newer build has taken it over. */
  private async checkpointOf(
    projection: Projection<unknown>,
    trx: Transaction<CheckpointTables>,
  ): Promise<{ position: string | null } | null> {
    const { name, version } = projection;
    const found = await trx.selectFrom('projection_checkpoint').selectAll().where('name', '=', name).executeTakeFirst();
    if (found && found.version > version) return null;
    if (found?.version === version) return { position: found.position };
    if (found) {
      this.logger.log('A projection is made anew from all events.', { projection: name, version, was: found.version });
    }
    await projection.reset(trx as unknown as Transaction<unknown>);
    const fresh = { version, position: null, updated_at: sql<Date>`now()` };
    await trx
      .insertInto('projection_checkpoint')
      .values({ name, ...fresh })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(fresh))
      .execute();
    return { position: null };
  }

  private async isBehind(projection: Projection<unknown>): Promise<boolean> {
    const last = await this.eventStore.lastPosition(projection.streamPrefix);
    return last !== null && !(await this.hasReached(projection, last));
  }

  /** True as well when nothing that this projection is to see is left before the position. */
  private async hasReached(projection: Projection<unknown>, position: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('projection_checkpoint')
      .select(['position', 'version'])
      .where('name', '=', projection.name)
      .executeTakeFirst();
    const reached = row && row.version >= projection.version ? row.position : null;
    if (reached !== null && this.eventStore.comparePositions(reached, position) >= 0) return true;
    const last = await this.eventStore.lastPosition(projection.streamPrefix);
    if (last === null) return true;
    return reached !== null && this.eventStore.comparePositions(reached, last) >= 0;
  }
}

async function takeTurn(trx: Transaction<CheckpointTables>, name: string, turn: 'try' | 'wait'): Promise<boolean> {
  const key = lockKey(`projection:${name}`);
  if (turn === 'wait') {
    await sql`select pg_advisory_xact_lock(${key})`.execute(trx);
    return true;
  }
  const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${key}) as held`.execute(trx);
  return rows[0]?.held === true;
}

async function moveCheckpoint(
  trx: Transaction<CheckpointTables>,
  { name, version }: Projection<unknown>,
  from: string | null,
  to: string,
): Promise<void> {
  const moved = await trx
    .updateTable('projection_checkpoint')
    .set({ position: to, updated_at: sql<Date>`now()` })
    .where('name', '=', name)
    .where('version', '=', version)
    .where('position', 'is not distinct from', from)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new Error(`Somebody else moved the checkpoint of ${name}.`);
}
