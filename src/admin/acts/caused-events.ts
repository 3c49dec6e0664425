import { type EventStore, type StoredEvent, StreamDeletedError } from '../../platform/event-store/event-store.js';

/** Events of one read. */
const EVENTS_PER_READ = 200;
/** Clocks of instances may differ by this much. Milliseconds. */
const TOLERANCE_MS = 10 * 60_000;

/**
 * The events of a stream that an act has caused. Reads the stream backwards, to the time of the act: both event
 * stores can do that, and an act is young when it is looked for.
 */
export async function eventsCausedBy(
  eventStore: EventStore,
  { id, stream, atMs }: { readonly id: string; readonly stream: string; readonly atMs: number },
): Promise<StoredEvent[]> {
  const [last] = await eventStore.lastEvents([stream]);
  const found: StoredEvent[] = [];
  try {
    for (let end = (last?.version ?? -1) + 1; end > 0; end -= EVENTS_PER_READ) {
      const fromVersion = Math.max(0, end - EVENTS_PER_READ);
      const page = await eventStore.readStream(stream, { fromVersion, limit: end - fromVersion });
      found.unshift(...page.filter(({ metadata }) => metadata['causationId'] === id));
      const occurredAt = page[0]?.metadata['occurredAt'];
      if (typeof occurredAt !== 'string' || Date.parse(occurredAt) < atMs - TOLERANCE_MS) break;
    }
  } catch (error) {
    if (!(error instanceof StreamDeletedError)) throw error;
  }
  return found;
}
