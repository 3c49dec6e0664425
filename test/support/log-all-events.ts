import { type Pool } from 'pg';
import { sequenceEvents } from '../../src/audit/log/sequence-events.js';
import { type EventStore } from '../../src/platform/event-store/event-store.js';
import { until } from './until.js';

/**
 * Gives every event its leaf. First waits for open transactions of the server, which hide newer events.
 * @returns the number of new leaves
 */
export async function logAllEvents(sources: { readonly pool: Pool; readonly eventStore: EventStore }): Promise<number> {
  const hidden = 'select from event where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1';
  await until(async () => (await sources.pool.query(hidden)).rows.length === 0, 'older transactions to end', 60_000);
  return (await sequenceEvents(sources)).added;
}
