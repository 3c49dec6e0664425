import { type JsonObject } from '../json.js';
import { type NewEvent, NO_STREAM, type StoredEvent } from './event-store.js';
import { chainEvent } from './hash-chain.js';

/** The end of a stream. */
export interface StreamHead {
  /** Version of its last event; -1 before the first. */
  readonly version: number;
  /** Hash of its last event; null before the first. */
  readonly hash: string | null;
  /** Time of its last event, ms; 0 before the first. */
  readonly lastEventAt: number;
}

/** The end of a stream without events. */
export const EMPTY_HEAD: StreamHead = { version: NO_STREAM, hash: null, lastEventAt: 0 };

/** The end of a stream whose last event is this one. */
export function headOf({ version, metadata: { hash, occurredAt } }: StoredEvent): StreamHead {
  return { version, hash: typeof hash === 'string' ? hash : null, lastEventAt: Date.parse(occurredAt as string) };
}

/** The time of an event that is made now: no earlier than the last one of its stream. */
export function timeAfter({ lastEventAt }: Pick<StreamHead, 'lastEventAt'>, now: Date): Date {
  return new Date(Math.max(now.getTime(), lastEventAt));
}

/** The cause of events, and their time. */
export interface EventOrigin {
  readonly actorId: string;
  readonly causationId: string;
  readonly correlationId: string;
  readonly at: Date;
}

/** The new events behind the end of a stream, each with the hash of the one before it. */
export function chainEvents(
  stream: string,
  { version, hash }: Pick<StreamHead, 'version' | 'hash'>,
  events: readonly { readonly id: string; readonly type: string; readonly data: JsonObject }[],
  { actorId, causationId, correlationId, at }: EventOrigin,
): NewEvent[] {
  const occurredAt = at.toISOString();
  let previous = hash;
  return events.map(({ id, type, data }, index) => {
    const metadata: JsonObject = { actorId, causationId, correlationId, eventId: id, occurredAt };
    const address = { stream, version: version + 1 + index };
    const chained = chainEvent(previous, { ...address, id, type, data, metadata });
    previous = chained.hash;
    return { id, type, data, metadata, json: chained.json };
  });
}
