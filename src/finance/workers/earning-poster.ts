import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { ACCOUNT_STREAM_PREFIX } from '../../credits/index.js';
import { inPages } from '../../platform/database/in-pages.js';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { DATABASE } from '../../platform/database/database.js';
import { replaceRows } from '../../platform/database/projected-table.js';
import {
  DuplicateEventError,
  EventStore,
  EventStoreUnavailableError,
  NO_STREAM,
  type StoredEvent,
  StreamDeletedError,
} from '../../platform/event-store/event-store.js';
import { type StreamHead } from '../../platform/event-store/chain-events.js';
import { FaultPoints } from '../../platform/fault-points.js';
import { Clock } from '../../platform/clock.js';
import { Locks } from '../../platform/locks.js';
import { postingsOf } from '../../revenue/index.js';
import { EarningStore } from '../earnings/earning-store.js';
import { type EarningEvent } from '../earnings/events.js';
import { sharesOf } from '../earnings/shares.js';
import { booksProjection } from '../reads/books-projection.js';
import { EARNING_HEAD, type EarningHeadTable, type EarningPositionTable, type FinanceTables } from '../tables.js';

const INTERVAL_MS = 15_000;
const LOCK = 'earning-poster';
/** Events of accounts that are read, and whose shares are recorded together. */
const EVENTS_PER_READ = 1000;
/** Creators whose records are appended at the same time; the store commits them together. */
const CREATORS_TOGETHER = 100;
/** Streams whose ends are read at once. */
const STREAMS_PER_READ = 1000;

/** The creators whose records the store refused in a run, each with the error. */
type Refusals = Map<string, EventStoreUnavailableError>;

/** The store refused the records of some creators. Those of all others were recorded. */
class EarningsRefusedError extends Error {
  override readonly name = 'EarningsRefusedError';

  constructor(refusals: Refusals) {
    const [first = '', cause] = [...refusals].at(0) ?? [];
    super(`The event store refused the earnings of ${refusals.size} creators, such as ${first}.`, { cause });
  }
}

/** The records of a creator that the store has refused are tried again after this time. Milliseconds. */
const REFUSED_AGAIN_MS = 600_000;

/** Where the last run stopped. */
interface Progress {
  /** Null before the first event. */
  readonly row: EarningPositionTable | null;
  readonly position: string | null;
}

/**
 * Records what revenue has posted for creators as `EarningPosted` in their streams, some seconds after the books have
 * it, on one instance. It follows the events of accounts in pages, and never passes the books. A page is recorded
 * before the position moves, so a crash repeats one page at most, and a repeated record changes nothing.
 *
 * The store refuses the records of a creator whose stream ends in the future, until that time has come: its clock was
 * ahead. The others go on, and the stored position waits before the first refused record.
 */
@Injectable()
@Scheduled('earning-poster', INTERVAL_MS, { fromStart: true })
export class EarningPoster extends ScheduledWorker {
  protected override readonly failure =
    'Earnings could not be recorded in the streams of creators. The next run tries again.';
  /** Whether the streams were found to have what was recorded before. */
  private checked = false;
  /** While the store refuses creators: how far the others are recorded, and until when (ms) they alone are tried. */
  private waiting: { readonly refusals: Refusals; readonly progress: Progress; readonly until: number } | null = null;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly eventStore: EventStore,
    private readonly store: EarningStore,
    private readonly locks: Locks,
    private readonly clock: Clock,
    private readonly faults: FaultPoints,
  ) {
    super();
  }

  protected override work(): Promise<void> {
    return this.runOnce();
  }

  /** Records all shares that the books have. @throws the error of the first page that fails, or EarningsRefusedError */
  async runOnce(): Promise<void> {
    await this.locks.withLock(LOCK, async () => {
      const now = this.clock.now().getTime();
      const waiting = this.waiting !== null && now < this.waiting.until ? this.waiting : null;
      const refusals: Refusals = waiting?.refusals ?? new Map();
      const progress = await this.recordAll(refusals, waiting?.progress ?? (await this.progress()));
      const until = waiting?.until ?? now + REFUSED_AGAIN_MS;
      this.waiting = refusals.size === 0 ? null : { refusals, progress, until };
      if (refusals.size > 0) throw new EarningsRefusedError(refusals);
    });
  }

  /** @returns how far it has read */
  private async recordAll(refusals: Refusals, from: Progress): Promise<Progress> {
    let progress = from;
    for (;;) {
      const until = await this.booked();
      if (until === null || this.stopped) return progress;
      const page = await this.eventStore.readAll({
        after: progress.position,
        limit: EVENTS_PER_READ,
        streamPrefix: ACCOUNT_STREAM_PREFIX,
      });
      const booked = page.filter(({ position }) => this.eventStore.comparePositions(position, until) <= 0);
      const last = booked.at(-1);
      if (!last) return progress;
      const heads = await this.record(booked, refusals);
      this.faults.reach('earnings.page-appended');
      const row = { only_row: true as const, stream: last.stream, version: last.version, event_id: last.id };
      if (refusals.size === 0 && !(await this.move(progress.row, row, heads))) return progress;
      progress = { row, position: last.position };
      if (booked.length < EVENTS_PER_READ) return progress;
    }
  }

  /**
   * Where the last run stopped. Its event is looked up, because positions change when a dump is restored. A store that
   * lacks the event, or records of before, is another one: then all events are read again.
   */
  private async progress(): Promise<Progress> {
    const row = (await this.db.selectFrom('earning_position').selectAll().executeTakeFirst()) ?? null;
    if (!row) return { row, position: null };
    const [event] = await this.eventStore
      .readStream(row.stream, { fromVersion: row.version, limit: 1 })
      .catch((error: unknown) => {
        if (error instanceof StreamDeletedError) return [];
        throw error;
      });
    const isThere = event?.version === row.version && event.id === row.event_id;
    this.checked ||= isThere && (await this.hasAllRecords());
    if (isThere && this.checked) return { row, position: event.position };
    this.logger.warn('The event store was restored: all earnings are compared with the streams of creators again.');
    await this.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('earning_position').execute();
      await transaction.deleteFrom('earning_head').execute();
    });
    return { row: null, position: null };
  }

  /** Whether each stream is as long as it was. Reads the last event of each. */
  private async hasAllRecords(): Promise<boolean> {
    const pages = inPages<EarningHeadTable>(STREAMS_PER_READ, (last, limit) =>
      this.db
        .selectFrom('earning_head')
        .selectAll()
        .where('creator_id', '>', last?.creator_id ?? '')
        .orderBy('creator_id')
        .limit(limit)
        .execute(),
    );
    for await (const rows of pages) {
      const heads = await this.store.heads(rows.map(({ creator_id: creatorId }) => creatorId));
      if (rows.some(({ creator_id: id, version }) => (heads.get(id)?.version ?? NO_STREAM) < version)) return false;
    }
    return true;
  }

  /** The position up to which the books have all events; null when they have none. */
  private async booked(): Promise<string | null> {
    const { rows } = await sql<{ position: string | null }>`
      select position from projection_checkpoint where name = ${booksProjection.name}`.execute(this.db);
    return rows[0]?.position ?? null;
  }

  /** Records the shares that these events make. @returns where the records of each creator end */
  private async record(events: readonly StoredEvent[], refusals: Refusals): Promise<EarningHeadTable[]> {
    const shares = await this.sharesIn(events);
    // Later records of a creator wait for the refused ones.
    const creatorIds = [...shares.keys()].filter((creatorId) => !refusals.has(creatorId));
    if (creatorIds.length === 0) return [];
    const known = await this.db.selectFrom('earning_head').selectAll().where('creator_id', 'in', creatorIds).execute();
    const earlier = new Map(known.map(({ creator_id: creatorId, version }) => [creatorId, version]));
    const heads = await this.store.heads(creatorIds);
    const ends: EarningHeadTable[] = [];
    for (let from = 0; from < creatorIds.length; from += CREATORS_TOGETHER) {
      const group = creatorIds.slice(from, from + CREATORS_TOGETHER).map(async (creatorId) => {
        const version = await this.post(creatorId, shares.get(creatorId) ?? [], {
          earlier: earlier.get(creatorId) ?? NO_STREAM,
          head: heads.get(creatorId),
          refusals,
        });
        if (version !== null) ends.push({ creator_id: creatorId, version });
      });
      await Promise.all(group);
    }
    return ends;
  }

  /** @returns null when the event store refuses these records now, or can never take them */
  private async post(
    creatorId: string,
    events: readonly EarningEvent[],
    {
      earlier,
      head,
      refusals,
    }: { readonly earlier: number; readonly head: StreamHead | undefined; readonly refusals: Refusals },
  ): Promise<number | null> {
    if (!head) throw new Error(`The stream of ${creatorId} was not read.`);
    try {
      return await this.store.post({ creatorId, events, earlier, head });
    } catch (error) {
      if (error instanceof EventStoreUnavailableError) {
        refusals.set(creatorId, error);
        return null;
      }
      if (!(error instanceof StreamDeletedError || error instanceof DuplicateEventError)) throw error;
      // Others must not wait for it. The verification of the ledger reports what is missing.
      this.logger.error({ message: 'The earnings of a creator cannot be recorded.', creatorId, error });
      return null;
    }
  }

  /** The records of the shares of these events, by creator, in the order of the events. */
  private async sharesIn(events: readonly StoredEvent[]): Promise<ReadonlyMap<string, EarningEvent[]>> {
    const postings = await postingsOf(events, this.db);
    const shares = new Map<string, EarningEvent[]>();
    for (const stored of events) {
      for (const { creatorId, event } of sharesOf(stored.id, postings(stored))) {
        const others = shares.get(creatorId);
        if (others) others.push(event);
        else shares.set(creatorId, [event]);
      }
    }
    return shares;
  }

  /** Moves the position. @returns false when another instance has moved it */
  private async move(
    from: EarningPositionTable | null,
    to: EarningPositionTable,
    ends: readonly EarningHeadTable[],
  ): Promise<boolean> {
    return this.db.transaction().execute(async (transaction) => {
      const { numAffectedRows: moved } = await (
        from
          ? sql`
              update earning_position set stream = ${to.stream}, version = ${to.version}, event_id = ${to.event_id}
              where event_id = ${from.event_id}`
          : sql`
              insert into earning_position (stream, version, event_id)
              values (${to.stream}, ${to.version}, ${to.event_id}) on conflict do nothing`
      ).execute(transaction);
      if (moved === 0n) return false;
      await replaceRows(EARNING_HEAD, ends, transaction);
      return true;
    });
  }
}
