import { Logger } from '@nestjs/common';
import { createPool } from '../../platform/database/pool.js';
import { openEventStore } from '../../platform/event-store/open-event-store.js';
import { imagesOf } from './generation-charges.js';
import { type LedgerAddress } from './thread-messages.js';

/** Connections: each of the groups in progress reads three tables at once. */
const CONNECTIONS = 6;

/** The data of the ledger for a thread that only reads, with connections of its own. */
export async function openThreadSources(address: LedgerAddress) {
  // Nest's logger writes to stdout, which holds the result only. Errors go to stderr.
  Logger.overrideLogger(['error', 'fatal']);
  const pool = createPool(address.databaseUrl, { max: CONNECTIONS, readOnly: address.readOnly });
  const eventStore = await openEventStore(address, pool, 'any positions');
  const close = async (): Promise<void> => {
    await eventStore.close();
    await pool.end();
  };
  return { pool, eventStore, images: await imagesOf(address.images), close };
}
