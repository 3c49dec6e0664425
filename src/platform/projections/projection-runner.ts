import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Kysely, type Transaction, sql } from 'kysely';
import { type Pool } from 'pg';
import { LeaseLostError } from '../database/lease-fence.js';
import { type Notifications } from '../database/notifications.js';
import { withSecondConnection } from '../database/one-connection.js';
import { createDatabase } from '../database/pool.js';
import { type EventStore } from '../event-store/event-store.js';
import { type Locks } from '../locks.js';
import { doublingDelay } from '../retry-delay.js';
import { traced } from '../tracing/spans.js';
import {
  type Checkpoint,
  type CheckpointTables,
  completeCheckpoint,
  MOVED_CHANNEL,
  moveCheckpoint,
  putCheckpoint,
  readCheckpoint,
  takeTurn,
  withinReach,
} from './checkpoint.js';
import { PageReader } from './page-reader.js';
import { EVENTS_PER_PAGE } from './page-size.js';
import { applyPage, type Projection } from './projection.js';
import { ProjectionRebuild } from './projection-rebuild.js';
import { type ProjectionPulse, type ProjectionStatus, pulseOf, statusOf } from './projection-status.js';
import { liveSchema } from './shadow-tables.js';
import { Wakeable } from './wakeable.js';

/**
 * Interval at which all projections are looked at without a notification from the event store: for events whose process
 * ended before it could notify.
 */
const LOOK_MS = 5_000;
/** Interval at which a process looks whether the one that runs the projections was killed. */
const CLAIM_MS = 2_000;
/** Channel on which a process says that it runs the projections no more. */
const FREE_CHANNEL = 'projections_free';
/** Interval at which a process looks whether another one has finished a rebuild. */
const REBUILD_POLL_MS = 1_000;
/** Poll interval while an older open transaction hides stored events. */
const BEHIND_MS = 10;
/** The error of the pool when no connection was free in time. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';
/** Failures of a projection after which another process may try; then four times as many, and so on. */
const FAILURES_BEFORE_HANDOVER = 6;
/** Failures for want of a connection that a busy machine may cause, as on the first start. More are an error. */
const BUSY_FAILURES = 3;
const backOffDelay = doublingDelay(100, 30_000);
/** Poll interval while a projection waits for the one that it follows, or for another instance that applies a page. */
const FOLLOWING_MS = 100;
/** Time limit of `catchUp` for open transactions that hide events. */
const CATCH_UP_MS = 30_000;
/** Interval at which `waitFor` reads the checkpoint while no notification of other processes arrives. */
const WAIT_POLL_MS = 25;
/** The interval while they arrive: for changes that are not announced, such as the switch to rebuilt tables. */
const NOTIFIED_POLL_MS = 1_000;

/** Interval at which a rebuild logs its progress. */
const PROGRESS_MS = 10_000;

/**
 * Result of a step. `more`: the page was full, more events may follow. `drained`: no more events. `elsewhere`: another
 * instance applies a page. `newer`: the live tables are newer. `outdated`: they are older and need a rebuild.
 */
type Step = 'more' | 'drained' | 'elsewhere' | 'newer' | 'outdated';

/** A registered projection and the work of this process on it. */
interface Entry {
  readonly projection: Projection<unknown>;
  readonly reader: PageReader;
  /** Woken when new events may have been stored. */
  readonly wakeable: Wakeable;
  /** Consecutive failures of pages or of a rebuild. */
  failures: number;
  /** How often this process has let another one try. */
  givenUp: number;
  rebuilding: Promise<void> | null;
}

/** Progress of a projection, and whether it fails in this process. */
export interface RunnerStatus extends ProjectionStatus {
  readonly failing: boolean;
}

/** Receives the results of a runner, for metrics. */
export interface ProjectionObserver {
  applied(projection: string, events: number, seconds: number): void;
  failed(projection: string): void;
}

/**
 * The lock of the process that runs these projections. Processes of another build may have other projections, or other
 * versions of them, so each build has a lock of its own.
 */
export function lockOfProjections(projections: readonly Pick<Projection<unknown>, 'name' | 'version'>[]): string {
  const names = projections.map(({ name, version }) => `${name}:${version}`).sort();
  return `projections-${createHash('sha256').update(names.join()).digest('hex').slice(0, 8)}`;
}

/**
 * Applies events to the registered projections in order and page by page. Of the processes with the same projections,
 * one runs them all until it stops (`Locks`); another one follows at once, within two seconds of a kill, or when a
 * projection keeps failing. One transaction stores the rows and the checkpoint of a page. It holds an advisory lock,
 * since an older build or `catchUp` may work at the same time. The checkpoint update is a compare-and-set: no page is
 * applied twice, even if a lock is lost.
 *
 * If the live tables have an older version, `ProjectionRebuild` builds new tables next to them and then swaps them.
 */
export class ProjectionRunner {
  private readonly logger = new Logger(ProjectionRunner.name);
  private readonly db: Kysely<CheckpointTables>;
  private readonly lookMs: number;
  private readonly claimMs: number;
  private readonly entries = new Map<string, Entry>();
  /** Woken when a checkpoint has moved. */
  private readonly progress = new Wakeable();
  /** Woken when another process runs the projections no more, and by `stop`. */
  private readonly free = new Wakeable();
  private running = false;
  /** Ends the present run of all projections in this process. */
  private letGo: (reason: 'lost' | 'givenUp') => void = () => undefined;
  private work: Promise<void> = Promise.resolve();
  private stopping = new AbortController();
  private waitPollMs = WAIT_POLL_MS;
  private observer: ProjectionObserver | null = null;
  private unsubscribe: (() => void) | null = null;

  constructor(
    pool: Pool,
    private readonly eventStore: EventStore,
    { lookMs = LOOK_MS, claimMs = CLAIM_MS } = {},
  ) {
    this.lookMs = lookMs;
    this.claimMs = claimMs;
    this.db = createDatabase(pool);
  }

  /** Registers a projection. Modules of contexts call it while the app starts, once for each name. */
  register<Tables>(projection: Projection<Tables>): void {
    const { name, streamPrefix } = projection;
    if (this.entries.has(name)) throw new Error(`There are two projections named ${name}.`);
    if (this.running) throw new Error(`The projection ${name} was registered after the start.`);
    if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) throw new Error(`'${name}' is not a valid name of a projection.`);
    this.entries.set(name, {
      projection: projection as Projection<unknown>,
      reader: new PageReader(this.eventStore, streamPrefix, EVENTS_PER_PAGE),
      wakeable: new Wakeable(),
      failures: 0,
      givenUp: 0,
      rebuilding: null,
    });
  }

  /** Reports applied pages and failures to `observer` from now on. */
  observe(observer: ProjectionObserver): void {
    this.observer = observer;
  }

  /** Lets waiting readers follow the projections that other processes run. */
  async followOthers(notifications: Notifications): Promise<void> {
    await notifications.listen(MOVED_CHANNEL, {
      notified: () => this.progress.wake(),
      follow: (following) => {
        this.waitPollMs = following ? NOTIFIED_POLL_MS : WAIT_POLL_MS;
        this.progress.wake();
      },
    });
    await notifications.listen(FREE_CHANNEL, { notified: () => this.free.wake() });
  }

  /**
   * Runs all registered projections in the background until `stop`, whenever no other process with the same ones does.
   * Call it after the migrations.
   */
  start(locks: Locks): void {
    if (this.running) return;
    this.running = true;
    this.stopping = new AbortController();
    this.unsubscribe = this.eventStore.onAppended(() => this.wakeAll());
    this.work = this.takeTurns(locks);
  }

  /** Stops after the current pages. */
  async stop(): Promise<void> {
    this.running = false;
    this.stopping.abort();
    this.unsubscribe?.();
    this.unsubscribe = null;
    this.free.wake();
    this.progress.wake();
    await this.work;
  }

  /** Returns the progress of every projection. */
  async status(): Promise<RunnerStatus[]> {
    const projections = [...this.entries.values()].map(({ projection }) => projection);
    const all = await statusOf(this.db, this.eventStore, projections);
    return all.map((status) => ({ ...status, failing: (this.entries.get(status.name)?.failures ?? 0) > 0 }));
  }

  /** Returns the progress of all projections together, and those that fail in this process. */
  async pulse(): Promise<ProjectionPulse & { readonly failing: readonly string[] }> {
    const entries = [...this.entries.values()];
    const projections = entries.map(({ projection }) => projection);
    const failing = entries.filter(({ failures }) => failures > 0).map(({ projection }) => projection.name);
    return { ...(await pulseOf(this.db, this.eventStore, projections)), failing };
  }

  /**
   * Applies all events that were stored before the call, to one projection or to all. Waits while another instance
   * applies a page, and up to 30 seconds for open transactions that hide events.
   * @throws the error of the projection; an Error when it could not catch up in time
   */
  async catchUp(name?: string): Promise<void> {
    const named = [...this.entries.values()].filter(({ projection }) => !name || projection.name === name);
    if (name && named.length === 0) throw new Error(`There is no projection named ${name}.`);
    const followed = named.map(({ projection }) => this.entries.get(projection.follows?.name ?? ''));
    for (const entry of new Set([...followed, ...named])) {
      if (!entry) continue;
      const { projection } = entry;
      const target = await this.eventStore.lastPosition(projection.streamPrefix);
      if (await this.isOutdated(projection)) await new ProjectionRebuild(this.db, this.eventStore, projection).run();
      const deadline = performance.now() + CATCH_UP_MS;
      for (;;) {
        const step = await this.step(entry, 'wait');
        if (step === 'more') continue;
        if (step === 'drained' && (target === null || (await this.hasReached(projection, target)))) break;
        if (performance.now() > deadline)
          throw new Error(`The projection ${projection.name} could not catch up in time.`);
        await delay(BEHIND_MS);
      }
    }
  }

  /**
   * Read your own writes: waits until every projection, or the named one, has applied its events up to this position.
   * @returns false on a timeout
   */
  async waitFor(position: string, { timeoutMs, name }: { timeoutMs: number; name?: string }): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    let missing = [...this.entries.values()]
      .map(({ projection }) => projection)
      .filter((projection) => !name || projection.name === name);
    for (;;) {
      const moved = this.progress.next();
      const reached = await Promise.all(missing.map((projection) => this.hasReached(projection, position)));
      missing = missing.filter((_, index) => !reached[index]);
      const remainingMs = deadline - performance.now();
      if (missing.length === 0 || remainingMs <= 0) return missing.length === 0;
      await moved.within(Math.min(remainingMs, this.waitPollMs));
    }
  }

  private wakeAll(): void {
    for (const { wakeable } of this.entries.values()) wakeable.wake();
  }

  private async takeTurns(locks: Locks): Promise<void> {
    const lock = lockOfProjections([...this.entries.values()].map(({ projection }) => projection));
    while (this.running) {
      const freed = this.free.next();
      try {
        const ran = await locks.whileHeld(lock, (lost) => this.run(lost));
        if (ran === 'lost') continue;
        if (ran !== undefined) {
          await this.sayFree();
          // The others ask now, and this process after them.
          if (this.running) await this.pause(this.claimMs, this.stopping.signal);
          continue;
        }
      } catch (error) {
        this.logger.warn({ message: 'The lock of the projections could not be requested; it is retried.', error });
      }
      if (this.running) await freed.within(this.claimMs);
    }
  }

  /**
   * Runs all projections.
   * @returns why it ended: `lost` with the lock or its lease; `givenUp`, so that another process may try; or `stopped`
   */
  private async run(lost: AbortSignal): Promise<'lost' | 'givenUp' | 'stopped'> {
    const entries = [...this.entries.values()];
    const own = new AbortController();
    const ended = AbortSignal.any([lost, this.stopping.signal, own.signal]);
    setMaxListeners(0, ended); // a pause of each projection and of each rebuild
    ended.addEventListener('abort', () => this.wakeAll(), { once: true });
    this.letGo = (reason) => own.abort(reason);
    await Promise.all([...entries.map((entry) => this.loop(entry, ended)), this.wakeRegularly(ended)]);
    for (const { rebuilding } of entries) await rebuilding;
    // They are the failures of the next process now.
    for (const entry of entries) entry.failures = 0;
    if (!this.running) return 'stopped';
    return own.signal.reason === 'givenUp' ? 'givenUp' : 'lost';
  }

  /** Lets another process take over at once. Without it, the others look regularly. */
  private async sayFree(): Promise<void> {
    await sql`select pg_notify(${FREE_CHANNEL}, '')`
      .execute(this.db)
      .catch((error: unknown) =>
        this.logger.debug({ message: 'The end of the projections was not announced.', error }),
      );
  }

  /** Wakes the projections that have not applied all events. One look costs less than a step of each. */
  private async wakeRegularly(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await delay(this.lookMs, undefined, { signal: ended }).catch(() => undefined); // aborted at the end
      if (ended.aborted) return;
      try {
        for (const { name, state } of await this.status()) {
          if (state !== 'current') this.entries.get(name)?.wakeable.wake();
        }
      } catch (error) {
        this.logger.warn({ message: 'The progress of the projections could not be read; it is retried.', error });
      }
    }
  }

  private async loop(entry: Entry, ended: AbortSignal): Promise<void> {
    const { projection, wakeable } = entry;
    while (!ended.aborted) {
      const woken = wakeable.next();
      let pauseMs = Infinity;
      try {
        const step = await this.step(entry, 'try', ended);
        if (!entry.rebuilding) Object.assign(entry, { failures: 0, givenUp: 0 });
        if (step === 'more') continue;
        if (step === 'elsewhere') pauseMs = FOLLOWING_MS;
        if (step === 'drained' && (await this.isBehind(projection)))
          pauseMs = projection.follows ? FOLLOWING_MS : BEHIND_MS;
      } catch (error) {
        await this.backOff(entry, ended, 'A projection failed; it will be retried.', error);
        continue;
      }
      if (!ended.aborted) await woken.within(pauseMs);
    }
  }

  private async backOff(entry: Entry, ended: AbortSignal, message: string, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) {
      if (!ended.aborted) this.letGo('lost');
      return;
    }
    const pauseMs = backOffDelay(entry.failures);
    entry.failures += 1;
    this.observer?.failed(entry.projection.name);
    const isBusy = error instanceof Error && error.message === NO_CONNECTION && entry.failures <= BUSY_FAILURES;
    const details = { projection: entry.projection.name, failures: entry.failures, pauseMs, error };
    this.logger[isBusy ? 'warn' : 'error'](message, details);
    if (entry.failures >= FAILURES_BEFORE_HANDOVER * 4 ** entry.givenUp) {
      entry.givenUp += 1;
      this.letGo('givenUp');
    }
    await this.pause(pauseMs, ended);
  }

  /** Rebuilds outdated live tables in the background. The old tables stay in use until the switch. */
  private startRebuild(entry: Entry, ended: AbortSignal): void {
    entry.rebuilding ??= this.rebuild(entry, ended).finally(() => {
      entry.rebuilding = null;
      entry.wakeable.wake();
      this.progress.wake();
    });
  }

  private async rebuild(entry: Entry, ended: AbortSignal): Promise<void> {
    const { projection } = entry;
    let reportedAt = performance.now();
    while (!ended.aborted) {
      try {
        const end = await new ProjectionRebuild(this.db, this.eventStore, projection).run({
          signal: ended,
          onProgress: (progress) => {
            if (performance.now() - reportedAt < PROGRESS_MS) return;
            reportedAt = performance.now();
            this.logger.log({ message: 'A projection is being rebuilt.', projection: projection.name, ...progress });
          },
          onBusy: (attempts) => {
            if (attempts % 10 !== 0) return;
            const message = 'Readers block the switch to the rebuilt tables of a projection; it will be retried.';
            this.logger.warn({ message, projection: projection.name, attempts });
          },
        });
        if (end !== 'interrupted') entry.failures = 0;
        if (end !== 'elsewhere' || !(await this.isOutdated(projection))) return;
        await this.pause(REBUILD_POLL_MS, ended);
      } catch (error) {
        await this.backOff(entry, ended, 'A projection could not be rebuilt; it will be retried.', error);
      }
    }
  }

  private async isOutdated({ name, version }: Projection<unknown>): Promise<boolean> {
    const live = await readCheckpoint(this.db, name);
    return live !== null && live.version < version;
  }

  /** Waits for `ms`. New events do not end the wait early. */
  private async pause(ms: number, ended: AbortSignal): Promise<void> {
    await delay(ms, undefined, { signal: ended }).catch(() => undefined); // aborted at the end
  }

  /** Applies one page to the live tables. @param ended lets outdated tables be rebuilt in the background until then */
  private async step(entry: Entry, turn: 'try' | 'wait', ended?: AbortSignal): Promise<Step> {
    const { projection, reader } = entry;
    const started = performance.now();
    // Most steps find nothing new, and then need no transaction.
    const seen = await readCheckpoint(this.db, projection.name);
    const read = await reader.read(seen?.position ?? null);
    if (read.length === 0 && seen?.complete && seen.version === projection.version) return 'drained';
    let events = 0;
    const applied = (): Promise<Step> =>
      this.db.transaction().execute(async (trx): Promise<Step> => {
        if (!(await takeTurn(trx, 'projection', projection.name, turn))) return 'elsewhere';
        const checkpoint = await this.liveCheckpoint(projection, trx);
        if (checkpoint.version > projection.version) return 'newer';
        if (checkpoint.version < projection.version) {
          if (ended && !ended.aborted) this.startRebuild(entry, ended);
          if (!projection.keepsUp?.includes(checkpoint.version)) return 'outdated';
        }
        // Another instance has applied the page.
        if (checkpoint.position !== (seen?.position ?? null)) return 'more';
        const page = await withinReach(read, projection, this.eventStore, trx);
        const last = page.at(-1);
        if (!last) {
          if (read.length === 0 && !checkpoint.complete) await completeCheckpoint(trx, projection.name);
          return 'drained';
        }
        await applyPage(projection, page, trx as unknown as Transaction<unknown>);
        await moveCheckpoint(trx, projection.name, checkpoint, last.position);
        events = page.length;
        return events === reader.size ? 'more' : 'drained';
      });
    const span = { root: true, attributes: { 'fanvas.events.read': read.length } };
    const step = await traced(`projection ${projection.name}`, span, () => withSecondConnection(applied));
    if (events > 0) {
      this.observer?.applied(projection.name, events, (performance.now() - started) / 1000);
      for (const other of this.entries.values())
        if (other.projection.follows?.name === projection.name) other.wakeable.wake();
    }
    this.progress.wake();
    return step;
  }

  /** Reads the checkpoint of the live tables. If there is none, truncates the tables and creates a checkpoint. */
  private async liveCheckpoint(
    projection: Projection<unknown>,
    trx: Transaction<CheckpointTables>,
  ): Promise<Checkpoint> {
    const { name, version, tables } = projection;
    const found = await readCheckpoint(trx, name);
    if (found) return found;
    const schema = await liveSchema(trx as unknown as Transaction<unknown>);
    for (const table of tables) await sql`truncate ${sql.id(schema, table)}`.execute(trx);
    const first = { version, position: null, complete: false };
    await putCheckpoint(trx, name, first);
    return first;
  }

  private async isBehind(projection: Projection<unknown>): Promise<boolean> {
    const last = await this.eventStore.lastPosition(projection.streamPrefix);
    return last !== null && !(await this.hasReached(projection, last));
  }

  /** Returns true when the checkpoint has reached the position, or when all events of the projection are applied. */
  private async hasReached(projection: Projection<unknown>, position: string): Promise<boolean> {
    // Reads use the live tables, regardless of their version.
    const reached = (await readCheckpoint(this.db, projection.name))?.position ?? null;
    if (reached !== null && this.eventStore.comparePositions(reached, position) >= 0) return true;
    const last = await this.eventStore.lastPosition(projection.streamPrefix);
    if (last === null) return true;
    return reached !== null && this.eventStore.comparePositions(reached, last) >= 0;
  }
}
