import { inPages } from '../database/in-pages.js';
import { type EventStore, StreamDeletedError, type StoredEvent } from './event-store.js';

/** Events of one stream read at once. */
const EVENTS_PER_READ = 1000;
/** Events of several streams read at once: usually all of a group of accounts, since each query costs a round trip. */
export const GROUP_PAGE = 2000;

/** The events of one stream in order, read a page at a time. @throws StreamDeletedError */
export async function* eventsOf(
  eventStore: Pick<EventStore, 'readStream'>,
  stream: string,
  fromVersion = 0,
): AsyncGenerator<StoredEvent> {
  const pages = inPages<StoredEvent>(EVENTS_PER_READ, (last, limit) =>
    eventStore.readStream(stream, { fromVersion: last ? last.version + 1 : fromVersion, limit }),
  );
  for await (const page of pages) yield* page;
}

/** Like {@link eventsOf}, but a deleted stream has no events. */
export async function* eventsIfAny(
  eventStore: Pick<EventStore, 'readStream'>,
  stream: string,
  fromVersion = 0,
): AsyncGenerator<StoredEvent> {
  try {
    yield* eventsOf(eventStore, stream, fromVersion);
  } catch (error) {
    if (!(error instanceof StreamDeletedError)) throw error;
  }
}

/**
 * The events of several streams, one stream after the other, in non-empty pages. Skips deleted streams.
 * @param streams in byte order
 */
export function eventsOfStreams(
  eventStore: EventStore,
  streams: readonly string[],
): AsyncGenerator<readonly StoredEvent[]> {
  return inPages<StoredEvent>(GROUP_PAGE, (after, limit) => eventStore.readStreams(streams, { after, limit }));
}
