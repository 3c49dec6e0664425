import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';

/** Events read at once. */
const PAGE = 1000;

/** The events of one stream in order, read a page at a time. @throws StreamDeletedError */
export async function* eventsOf(eventStore: EventStore, stream: string, fromVersion = 0): AsyncGenerator<StoredEvent> {
  let next = fromVersion;
  for (;;) {
    const page = await eventStore.readStream(stream, { fromVersion: next, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    next = last.version + 1;
  }
}

/**
 * The events of several streams, one stream after the other, in non-empty pages. Skips deleted streams.
 * @param streams in byte order
 */
export async function* eventsOfStreams(
  eventStore: EventStore,
  streams: readonly string[],
): AsyncGenerator<StoredEvent[]> {
  let last: StoredEvent | null = null;
  for (;;) {
    const page: StoredEvent[] = await eventStore.readStreams(streams, { after: last, limit: PAGE });
    if (page.length > 0) yield page;
    last = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

/** The text of the last event and its instant: every check asks for the time of the same event. */
let lastText = '';
let lastTime = NaN;

/** The instant of an event in epoch milliseconds; NaN when the event has none. */
export function timeOf({ metadata: { occurredAt } }: StoredEvent): number {
  if (typeof occurredAt !== 'string') return NaN;
  if (occurredAt !== lastText) {
    lastText = occurredAt;
    lastTime = Date.parse(occurredAt);
  }
  return lastTime;
}
