import { Logger } from '@nestjs/common';
import { createPool } from '../../platform/database/pool.js';
import { openEventStore } from '../../platform/event-store/open-event-store.js';
import { imagesOf } from './generation-charges.js';
import { type LedgerAddress } from './thread-messages.js';

/** The data of the ledger for a thread that only reads, with so many connections of its own. */
export async function openThreadSources(address: LedgerAddress, connections: number) {
  // Nest's logger writes to stdout, which holds the result only. Errors go to stderr.
  Logger.overrideLogger(['error', 'fatal']);
  const { databaseUrl: url, readOnly } = address;
  // With few connections, a read waits for the longest one.
  const pool = createPool(url, { max: connections, readOnly, connectMs: 60_000 });
  const eventStore = await openEventStore(address, pool, 'any positions');
  const close = async (): Promise<void> => {
    await eventStore.close();
    await pool.end();
  };
  return { pool, eventStore, images: await imagesOf(address.images), close };
}
