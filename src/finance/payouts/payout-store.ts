import { Injectable } from '@nestjs/common';
import { type ActEvent } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import {
  chainEvents,
  EMPTY_HEAD,
  headOf,
  type StreamHead,
  timeAfter,
} from '../../platform/event-store/chain-events.js';
import {
  EventStore,
  type StoredEvent,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from '../../platform/event-store/event-store.js';
import { eventsOf, eventsOfStreams } from '../../platform/event-store/read-events.js';
import { IdGenerator } from '../../platform/ids.js';
import { creatorOfStream, type PayoutEvent, payoutStream, readPayoutEvent } from './events.js';
import { evolve, NO_PAYOUTS, type PayoutState } from './state.js';

/** Maximum number of decisions of one command. Each one after the first follows a write of another process. */
const MAX_DECISIONS = 10;

/** The stream of a creator, as it was read. */
export interface LoadedPayouts extends StreamHead {
  readonly state: PayoutState;
}

/** The person and the act that cause events. */
export interface PayoutOrigin {
  readonly actorId: string;
  /** Id of the act. Events that an earlier attempt of the same act has stored count as those of this one. */
  readonly causationId: string;
  /** Id of the run, or of the act. */
  readonly correlationId: string;
}

/** The events of a command, of this attempt or an earlier one. */
export interface PayoutExecution {
  readonly events: readonly ActEvent[];
  /** Position of the last event; null when the command has changed nothing. */
  readonly position: string | null;
}

/** Decides which events follow; none when there is nothing to do. Throws to refuse. */
export type DecidePayouts = (state: PayoutState, now: Date) => readonly PayoutEvent[];

const NOTHING_LOADED: LoadedPayouts = { ...EMPTY_HEAD, state: NO_PAYOUTS };

/** Reads and writes the streams of payouts. The only writer of these streams. */
@Injectable()
export class PayoutStore {
  constructor(
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /** The payouts of a creator. @throws UnreadableEventError, StreamDeletedError */
  async load(creatorId: string): Promise<LoadedPayouts> {
    return (await this.read(creatorId)).loaded;
  }

  /** The payouts of several creators, in few reads. Creators without an event are in it too. */
  async loadAll(creatorIds: readonly string[]): Promise<ReadonlyMap<string, LoadedPayouts>> {
    const loaded = new Map(creatorIds.map((creatorId) => [creatorId, NOTHING_LOADED]));
    // Creator ids are ASCII, so their order by code units is that of bytes.
    const streams = [...loaded.keys()].map(payoutStream).sort();
    for await (const page of eventsOfStreams(this.eventStore, streams)) {
      for (const stored of page) {
        const creatorId = creatorOfStream(stored.stream);
        loaded.set(creatorId, next(loaded.get(creatorId) ?? NOTHING_LOADED, stored));
      }
    }
    return loaded;
  }

  /**
   * Decides on the payouts of a creator and appends the events. When another process wrote first, it decides again on
   * what that process has left, so each change is stored once.
   * @param known the payouts as they were read a moment ago; read now by default
   * @throws any error of `decide`; PayoutRefusedError among them
   * @throws WrongExpectedVersionError when others kept writing, UnknownOutcomeError; the command may be repeated
   */
  async execute(
    creatorId: string,
    origin: PayoutOrigin,
    decide: DecidePayouts,
    known?: LoadedPayouts,
  ): Promise<PayoutExecution> {
    for (let decisions = 1; ; decisions += 1) {
      const { loaded, own } =
        known && decisions === 1 ? { loaded: known, own: [] } : await this.read(creatorId, origin.causationId);
      const now = timeAfter(loaded, this.clock.now());
      const made = decide(loaded.state, now);
      if (made.length === 0) return { events: own.map(actEventOf), position: own.at(-1)?.position ?? null };
      const withIds = made.map((event) => ({ id: this.ids.next(), ...event }));
      const events = chainEvents(payoutStream(creatorId), loaded, withIds, { ...origin, at: now });
      try {
        const { position } = await this.eventStore.append(payoutStream(creatorId), loaded.version, events);
        const madeEvents = events.map(({ id }, index) => ({
          stream: payoutStream(creatorId),
          version: loaded.version + 1 + index,
          id,
        }));
        return { events: [...own.map(actEventOf), ...madeEvents], position };
      } catch (error) {
        // If the events were stored, the next decision has nothing to add.
        const isRepeatable = error instanceof WrongExpectedVersionError || error instanceof UnknownOutcomeError;
        if (!isRepeatable || decisions === MAX_DECISIONS) throw error;
      }
    }
  }

  /** @param causationId its events are returned as well */
  private async read(
    creatorId: string,
    causationId?: string,
  ): Promise<{ readonly loaded: LoadedPayouts; readonly own: readonly StoredEvent[] }> {
    let loaded = NOTHING_LOADED;
    const own: StoredEvent[] = [];
    for await (const stored of eventsOf(this.eventStore, payoutStream(creatorId))) {
      loaded = next(loaded, stored);
      if (causationId !== undefined && stored.metadata['causationId'] === causationId) own.push(stored);
    }
    return { loaded, own };
  }
}

function next({ state }: LoadedPayouts, stored: StoredEvent): LoadedPayouts {
  const head = headOf(stored);
  return { ...head, state: evolve(state, readPayoutEvent(stored), head.lastEventAt) };
}

function actEventOf({ stream, version, id }: StoredEvent): ActEvent {
  return { stream, version, id };
}
