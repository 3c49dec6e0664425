import { type EventStore } from '../event-store/event-store.js';
import { type Metrics } from './metrics.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Outcomes by the names of the port's errors; anything else is an `error`. */
const OUTCOMES: Readonly<Record<string, string>> = {
  WrongExpectedVersionError: 'conflict',
  UnknownOutcomeError: 'unknown',
  EventStoreUnavailableError: 'unavailable',
  DuplicateEventError: 'duplicate',
  InvalidEventError: 'invalid',
};

/** From now on counts what becomes of each append to this store, and how long it takes. Any adapter: only the port is touched. */
export function countAppends(eventStore: EventStore, metrics: Metrics): void {
  const outcomes = metrics.histogram({
    name: 'fanvas_event_store_append_duration_seconds',
    help: 'Time of one append, by what became of it: stored, conflict, unknown, unavailable, duplicate, invalid or error.',
    labels: ['outcome'],
    buckets: SECONDS,
  });
  const events = metrics.counter({
    name: 'fanvas_event_store_events_appended_total',
    help: 'Events that this process has stored.',
  });
  const append = eventStore.append.bind(eventStore);
  eventStore.append = async (stream, expectedVersion, batch) => {
    const end = outcomes.startTimer();
    try {
      const result = await append(stream, expectedVersion, batch);
      end({ outcome: 'stored' });
      events.inc(batch.length);
      return result;
    } catch (error) {
      end({ outcome: OUTCOMES[error instanceof Error ? error.name : ''] ?? 'error' });
      throw error;
    }
  };
}
