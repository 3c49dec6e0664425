import { v7 } from 'uuid';
import { accountStream } from '../../src/credits/account/events.js';
import { type EventStore, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { eventHash, type HashedEvent } from '../../src/platform/event-store/hash-chain.js';
import { type accountHistory } from './account-histories.js';
import { asOwner } from './database.js';

/** The events with hashes that hold. @param before hash of the event before the first one */
export function chained<Event extends HashedEvent>(events: readonly Event[], before: string | null = null): Event[] {
  let last = before;
  return events.map((event) => {
    last = eventHash(last, event);
    return { ...event, metadata: { ...event.metadata, hash: last } };
  });
}

/** A history of an account with ids and hashes. */
export function chainedHistory(user: string, history: ReturnType<typeof accountHistory>): HashedEvent[] {
  const stream = accountStream(user);
  const events = history.map(({ version, type, data, metadata: { occurredAt } }) => {
    const id = v7({ msecs: Date.parse(occurredAt), seq: version });
    const metadata = { eventId: id, correlationId: id, causationId: id, actorId: user, occurredAt };
    return { stream, version, id, type, data, metadata };
  });
  return chained(events);
}

/** Changes events of a stream past the store, and makes the hashes of all of them again. */
export async function rewriteStream(
  eventStore: EventStore,
  database: Parameters<typeof asOwner>[0],
  stream: string,
  change: (event: StoredEvent) => StoredEvent = (event) => event,
): Promise<void> {
  for (const { version, data, metadata } of chained((await eventStore.readStream(stream)).map(change))) {
    const update = 'update event set data = $3, metadata = $4 where stream = $1 and version = $2';
    await asOwner(database).query(update, [stream, version, data, metadata]);
  }
}

/** Appends an event with a right hash, as someone with the password of the database could. */
export async function appendForged(
  eventStore: EventStore,
  last: StoredEvent,
  event: Pick<StoredEvent, 'id' | 'type' | 'data' | 'metadata'>,
): Promise<void> {
  const { stream, version } = last;
  const metadata = { ...event.metadata, eventId: event.id };
  const made = { ...event, stream, version: version + 1, metadata };
  await eventStore.append(stream, version, chained([made], last.metadata['hash'] as string));
}
