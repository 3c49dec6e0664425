import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import {
  chainEvents,
  EMPTY_HEAD,
  headOf,
  type StreamHead,
  timeAfter,
} from '../../platform/event-store/chain-events.js';
import {
  DuplicateEventError,
  EventStore,
  NO_STREAM,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from '../../platform/event-store/event-store.js';
import { AHEAD_MS } from '../../platform/event-store/store-time.js';
import { eventsOf } from '../../platform/event-store/read-events.js';
import { IdGenerator } from '../../platform/ids.js';
import { earningEventId, type EarningEvent, earningsStream } from './events.js';

/** Maximum number of attempts to append. Each one after the first follows a write of another process. */
const MAX_ATTEMPTS = 10;

/** Some records of one creator, in the order of their sources. */
interface DueEarnings {
  readonly creatorId: string;
  readonly events: readonly EarningEvent[];
  /** The version up to which the stream has nothing but earlier records. It may lie beyond the end of the stream. */
  readonly earlier: number;
  /** The end of the stream, as it was read a moment ago. */
  readonly head: StreamHead;
}

/** Appends to the streams of earnings. Their only writer. */
@Injectable()
export class EarningStore {
  constructor(
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /** The ends of some creators' streams, in one read. */
  async heads(creatorIds: readonly string[]): Promise<ReadonlyMap<string, StreamHead>> {
    const heads = new Map(creatorIds.map((creatorId) => [earningsStream(creatorId), EMPTY_HEAD]));
    for (const last of await this.eventStore.lastEvents([...heads.keys()])) heads.set(last.stream, headOf(last));
    return new Map(creatorIds.map((creatorId) => [creatorId, heads.get(earningsStream(creatorId)) ?? EMPTY_HEAD]));
  }

  /**
   * Appends those of the records that the stream does not have. Repeating it appends nothing.
   * @returns the version of the last one of them
   * @throws WrongExpectedVersionError when others kept writing, UnknownOutcomeError, EventStoreUnavailableError,
   *   StreamDeletedError, DuplicateEventError when another stream has a record
   */
  async post({ creatorId, events, earlier, head: last }: DueEarnings): Promise<number> {
    // A stream that ends earlier has lost events: nothing of it is known.
    let from = earlier > last.version ? NO_STREAM : earlier;
    let head = last;
    for (let attempts = 1; ; attempts += 1) {
      const found = attempts === 1 && head.version === from ? NOTHING_FOUND : await this.find(creatorId, events, from);
      head = found.head ?? head;
      const missing = events.filter((event) => !found.ids.has(earningEventId(event)));
      if (missing.length === 0) return found.last;
      try {
        const { version } = await this.append(creatorId, head, missing);
        return version;
      } catch (error) {
        const isElsewhere = error instanceof DuplicateEventError;
        const isRepeatable = error instanceof WrongExpectedVersionError || error instanceof UnknownOutcomeError;
        if (!(isElsewhere || isRepeatable) || attempts === MAX_ATTEMPTS) throw error;
        if (!isElsewhere) continue;
        // The whole stream was read already: another stream has the id.
        if (attempts > 1 && from === NO_STREAM) throw error;
        from = NO_STREAM;
      }
    }
  }

  /** Looks for records behind a version. */
  private async find(creatorId: string, events: readonly EarningEvent[], from: number): Promise<FoundEarnings> {
    const wanted = new Set(events.map(earningEventId));
    const ids = new Set<string>();
    let head: StreamHead | null = null;
    let last = from;
    for await (const stored of eventsOf(this.eventStore, earningsStream(creatorId), from + 1)) {
      head = headOf(stored);
      if (!wanted.has(stored.id)) continue;
      ids.add(stored.id);
      last = stored.version;
    }
    if (head || from === NO_STREAM) return { ids, last, head: head ?? EMPTY_HEAD };
    const [end] = (await this.heads([creatorId])).values();
    return { ids, last, head: end ?? EMPTY_HEAD };
  }

  private append(creatorId: string, head: StreamHead, events: readonly EarningEvent[]) {
    const stream = earningsStream(creatorId);
    const causationId = this.ids.next();
    const at = timeAfter(head, recordedAt(events, this.clock.now()));
    const withIds = events.map((event) => ({ id: earningEventId(event), ...event }));
    const origin = { actorId: 'system', causationId, correlationId: causationId, at };
    return this.eventStore.append(stream, head.version, chainEvents(stream, head, withIds, origin));
  }
}

/** The clock of a fan's event may be ahead. Its record is not older than it, as long as the store accepts that. */
function recordedAt(events: readonly EarningEvent[], now: Date): Date {
  const earnedAt = Math.max(...events.map(({ data }) => Date.parse(data.earnedAt)));
  return earnedAt <= now.getTime() + AHEAD_MS ? timeAfter({ lastEventAt: earnedAt }, now) : now;
}

/** Records that a stream has already. */
interface FoundEarnings {
  readonly ids: ReadonlySet<string>;
  /** Version of the last one of them, or the version from which they were looked for. */
  readonly last: number;
  /** The end of the stream; null when it was not read. */
  readonly head: StreamHead | null;
}

const NOTHING_FOUND: FoundEarnings = { ids: new Set(), last: NO_STREAM, head: null };
