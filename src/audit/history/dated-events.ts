import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventsOf } from '../../platform/event-store/read-events.js';
import { RECORDED_WITHIN_MS } from '../verify/event-times.js';
import { timeOf } from '../verify/read-account.js';

/** An event with the instant from which it counts, epoch milliseconds. */
export interface DatedEvent {
  readonly stored: StoredEvent;
  readonly at: number;
}

/**
 * The events of an account in order. An event from the future counts from the repair of the account's time that follows
 * it; without one, from its own time. So the instants never go back.
 * @throws StreamDeletedError
 */
export async function* datedEvents(eventStore: EventStore, stream: string): AsyncGenerator<DatedEvent> {
  let repair: StoredEvent | null = null;
  let isLastKnown = false;
  for await (const stored of eventsOf(eventStore, stream)) {
    const isCovered = repair !== null && repair.version > stored.version;
    if (isAhead(stored) && !isCovered && !isLastKnown) {
      repair = await repairAfter(eventStore, stored);
      isLastKnown = repair === null;
    }
    const at = timeOf(stored);
    yield { stored, at: repair && repair.version > stored.version ? Math.min(at, timeOf(repair)) : at };
  }
}

/** The next repair by a clock that was right; null when there is none. */
async function repairAfter(eventStore: EventStore, { stream, version }: StoredEvent): Promise<StoredEvent | null> {
  for await (const stored of eventsOf(eventStore, stream, version + 1)) {
    if (stored.type === 'ClockRepaired' && !isAhead(stored)) return stored;
  }
  return null;
}

function isAhead(stored: StoredEvent): boolean {
  return timeOf(stored) - stored.recordedAt.getTime() > RECORDED_WITHIN_MS;
}
