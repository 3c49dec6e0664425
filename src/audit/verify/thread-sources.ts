import { Logger } from '@nestjs/common';
import { createPool } from '../../platform/database/pool.js';
import { openEventStore } from '../../platform/event-store/open-event-store.js';
import { imagesOf } from './generation-charges.js';
import { type LedgerAddress } from './thread-messages.js';

/** How long a read may take, milliseconds. */
const PATIENCE_MS = 60_000;
/** How long the sums of a whole table may take, milliseconds. It ends a wait for a connection that was lost. */
const SUMS_MS = 3_600_000;

/**
 * The data of the ledger for a thread that only reads, with so many connections of its own.
 */
export async function openThreadSources(address: LedgerAddress, connections: number) {
  // Nest's logger writes to stdout, which holds the result only. Errors go to stderr.
  Logger.overrideLogger(['error', 'fatal']);
  const { databaseUrl: url, readOnly } = address;
  // With few connections, a read waits for the longest one.
  const pool = createPool(url, { max: connections, readOnly, connectMs: PATIENCE_MS, statementTimeoutMs: SUMS_MS });
  const eventStore = await openEventStore(address, pool, { positions: 'any positions', deadlineMs: PATIENCE_MS });
  const close = async (): Promise<void> => {
    await eventStore.close();
    await pool.end();
  };
  return { pool, eventStore, images: await imagesOf(address.images), close };
}
