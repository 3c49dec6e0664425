import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';

/** Events of one stream read at once. */
const PAGE = 1000;
/** Events of several streams read at once: usually all of a group of accounts, since each query costs a round trip. */
const GROUP_PAGE = 2000;

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
    const page: StoredEvent[] = await eventStore.readStreams(streams, { after: last, limit: GROUP_PAGE });
    if (page.length > 0) yield page;
    last = page.at(-1) ?? null;
    if (page.length < GROUP_PAGE) return;
  }
}

/** Every check asks for the time of the same event, so the last answers are kept. */
let lastText = '';
let lastTime = NaN;
let lastInstant = NaN;
let lastWritten = '';

/** The instant of an event in epoch milliseconds; NaN when the event has none. */
export function timeOf({ metadata: { occurredAt } }: StoredEvent): number {
  if (typeof occurredAt !== 'string') return NaN;
  if (occurredAt !== lastText) {
    lastText = occurredAt;
    lastTime = Date.parse(occurredAt);
  }
  return lastTime;
}

/** Writes an instant (epoch milliseconds) as the ledger writes times. @throws RangeError for NaN */
export function textOf(at: number): string {
  if (at !== lastInstant) {
    lastWritten = new Date(at).toISOString();
    lastInstant = at;
  }
  return lastWritten;
}
