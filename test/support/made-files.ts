import { v7 } from 'uuid';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { chainEvent } from '../../src/platform/event-store/hash-chain.js';
import { type JsonObject } from '../../src/platform/json.js';

/** An event before it has its place: type, data, and time (ISO 8601). */
export type MadeEvent = readonly [type: string, data: JsonObject, occurredAt: string];

/** The events of a stream with their ids and hashes, as a store would have them. */
export function madeStream(stream: string, events: readonly MadeEvent[]): StoredEvent[] {
  let last: string | null = null;
  return events.map(([type, data, occurredAt], version) => {
    const id = v7({ msecs: Date.parse(occurredAt), seq: version });
    const metadata: JsonObject = { eventId: id, correlationId: id, causationId: id, actorId: 'system', occurredAt };
    const event = { stream, version, id, type, data: { schemaVersion: 1, ...data }, metadata };
    last = chainEvent(last, event).hash;
    return { ...event, position: `${version}`, recordedAt: new Date(occurredAt) };
  });
}
