import { type PageAfter } from '../../platform/messages.js';
import { validate as isUuid } from 'uuid';
import { accountStream, SEARCHED_FIELDS } from '../../credits/index.js';
import { type Mentions, mentions, type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventsIfAny } from '../../platform/event-store/read-events.js';
import { type LedgerStores } from '../verify/read-account.js';

/** A page of found events. */
export interface FoundEvents {
  readonly events: readonly StoredEvent[];
  /** Position after which the next page begins; null after the last page. */
  readonly next: string | null;
  /** False: the event store has no index, so only the account to which the id belongs was searched. */
  readonly complete: boolean;
}

/**
 * A page of the events that mention an id: an event, an actor, a correlation, a checkout session or another lot, a
 * generation, a reversal, an adjustment. Without an index in the event store (EventStoreDB), it searches only the
 * account of this user, checkout session or generation.
 * @param after a position that an earlier page returned
 */
export async function findEvents(
  { pool, eventStore }: LedgerStores,
  id: string,
  { after, limit }: PageAfter<string>,
): Promise<FoundEvents> {
  const found: StoredEvent[] = [];
  const pages = eventStore.indexesIds
    ? eventStore.mentioning({ id, fields: SEARCHED_FIELDS, after, limit: limit + 1 })
    : mentionsInAccount({ pool, eventStore }, id, after);
  for await (const { events } of pages) {
    found.push(...events.slice(0, limit + 1 - found.length));
    if (found.length > limit) break;
  }
  const events = found.slice(0, limit);
  const next = found.length > limit ? (events.at(-1)?.position ?? null) : null;
  return { events, next, complete: eventStore.indexesIds };
}

/** All events that mention an id, in pages. Without an index it reads every event of the store. */
export function mentionsOf({ eventStore }: LedgerStores, id: string): AsyncIterable<Mentions> {
  return eventStore.mentioning({ id, fields: SEARCHED_FIELDS, after: null, limit: 500 });
}

async function* mentionsInAccount(
  { pool, eventStore }: LedgerStores,
  id: string,
  after: string | null,
): AsyncGenerator<Mentions> {
  const { rows } = await pool.query<{ user_id: string }>(
    `select user_id from checkout where session_id = $1
     union select user_id from generation where id = $2::uuid
     union select user_id from credit_balance where user_id = $1`,
    [id, isUuid(id) ? id : null],
  );
  for (const { user_id: userId } of rows) {
    for await (const event of eventsIfAny(eventStore, accountStream(userId))) {
      const isNew = after === null || eventStore.comparePositions(event.position, after) > 0;
      if (isNew && mentions(event, id, SEARCHED_FIELDS)) yield { events: [event], read: 1 };
    }
  }
}
