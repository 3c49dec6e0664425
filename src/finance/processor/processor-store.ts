import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { type ActEvent } from '../../platform/acts/acts.js';
import {
  chainEvents,
  EMPTY_HEAD,
  headOf,
  type StreamHead,
  timeAfter,
} from '../../platform/event-store/chain-events.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { IdGenerator } from '../../platform/ids.js';
import { processorEventId, PROCESSOR_STREAM, type ProcessorEvent } from './events.js';

/** The end of the stream. */
export interface ProcessorHead extends StreamHead {
  /** Position of the last event; null before the first. */
  readonly position: string | null;
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
    return last ? { ...headOf(last), position: last.position } : { ...EMPTY_HEAD, position: null };
  }

  /**
   * Appends events behind this head.
   * @param origin the app itself by default
   * @throws WrongExpectedVersionError when another process wrote first, UnknownOutcomeError, EventStoreUnavailableError
   */
  async append(
    head: ProcessorHead,
    events: readonly ProcessorEvent[],
    origin?: ProcessorOrigin,
  ): Promise<ProcessorAppended> {
    const at = timeAfter(head, this.clock.now());
    const { version } = head;
    const { actorId, causationId } = origin ?? { actorId: 'system', causationId: this.ids.next() };
    const withIds = events.map((event) => ({ id: processorEventId(event), ...event }));
    const made = chainEvents(PROCESSOR_STREAM, head, withIds, { actorId, causationId, correlationId: causationId, at });
    const { position } = await this.eventStore.append(PROCESSOR_STREAM, version, made);
    const stored = made.map(({ id }, index) => ({ stream: PROCESSOR_STREAM, version: version + 1 + index, id }));
    return { events: stored, position, at };
  }
}
