import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { type ActEvent } from '../../platform/acts/acts.js';
import { EventStore, type NewEvent, NO_STREAM } from '../../platform/event-store/event-store.js';
import { chainEvent } from '../../platform/event-store/hash-chain.js';
import { IdGenerator } from '../../platform/ids.js';
import { type JsonObject } from '../../platform/json.js';
import { processorEventId, PROCESSOR_STREAM, type ProcessorEvent } from './events.js';

/** The end of the stream. */
export interface ProcessorHead {
  /** Version of the last event; -1 before the first. */
  readonly version: number;
  /** Position of the last event; null before the first. */
  readonly position: string | null;
  readonly hash: string | null;
  /** Time of the last event, ms. */
  readonly lastEventAt: number;
}

/** The person and the act that cause events. */
export interface ProcessorOrigin {
  readonly actorId: string;
  /** Id of the act. */
  readonly causationId: string;
}

/** The events that an append has stored. */
export interface ProcessorAppended {
  readonly events: readonly ActEvent[];
  /** Position of the last event. */
  readonly position: string;
  /** The time of the events. */
  readonly at: Date;
}

/** Reads the end of the stream `processor` and appends to it. Its only writer. */
@Injectable()
export class ProcessorStore {
  constructor(
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /** @throws EventStoreUnavailableError */
  async head(): Promise<ProcessorHead> {
    const [last] = await this.eventStore.lastEvents([PROCESSOR_STREAM]);
    if (!last) return { version: NO_STREAM, position: null, hash: null, lastEventAt: 0 };
    const { hash, occurredAt } = last.metadata;
    return {
      ...{ version: last.version, position: last.position, hash: typeof hash === 'string' ? hash : null },
      lastEventAt: Date.parse(occurredAt as string),
    };
  }

  /**
   * Appends events behind this head.
   * @param origin the app itself by default
   * @throws WrongExpectedVersionError when another process wrote first, UnknownOutcomeError, EventStoreUnavailableError
   */
  async append(
    { version, hash: last, lastEventAt }: ProcessorHead,
    events: readonly ProcessorEvent[],
    origin?: ProcessorOrigin,
  ): Promise<ProcessorAppended> {
    // No earlier than the last event, as in every stream.
    const now = new Date(Math.max(this.clock.now().getTime(), lastEventAt));
    const { actorId, causationId } = origin ?? { actorId: 'system', causationId: this.ids.next() };
    let previous = last;
    const made = events.map((event, index): NewEvent => {
      const { type, data } = event;
      const id = processorEventId(event);
      const metadata: JsonObject = {
        ...{ actorId, causationId, correlationId: causationId },
        ...{ eventId: id, occurredAt: now.toISOString() },
      };
      const place = { stream: PROCESSOR_STREAM, version: version + 1 + index };
      const { hash, json } = chainEvent(previous, { ...place, id, type, data, metadata });
      previous = hash;
      return { id, type, data, metadata, json };
    });
    const { position } = await this.eventStore.append(PROCESSOR_STREAM, version, made);
    const stored = made.map(({ id }, index) => ({ stream: PROCESSOR_STREAM, version: version + 1 + index, id }));
    return { events: stored, position, at: now };
  }
}
