import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type Pool } from 'pg';
import { type Config } from '../platform/config/config.js';
import { checkDatabase, createPool } from '../platform/database/pool.js';
import { startEmbeddedPostgres } from '../platform/embedded/embedded-postgres.js';
import { type EventStore } from '../platform/event-store/event-store.js';
import { openEventStore } from '../platform/event-store/open-event-store.js';
import { atEnd, isInterrupted, UsageError } from './program.js';

/** Open connections to the data. They are closed at the end of the program. */
export interface Sources {
  readonly pool: Pool;
  readonly eventStore: EventStore;
}

/**
 * Opens the data of the settings. That is the database of the running app, or a server that this program starts on the
 * same folder and stops at its end.
 * @param options.tables tables that must exist
 * @param options.noStatementTimeout lets statements run without a time limit
 * @throws UsageError when the app was never started on the database
 */
export async function openSources(
  config: Config,
  options: { readonly tables: readonly string[]; readonly noStatementTimeout?: boolean },
): Promise<Sources> {
  const url = config.databaseUrl ?? (await joinOwnPostgres(config));
  const pool = createPool(url, { max: 6, ...(options.noStatementTimeout ? { statementTimeoutMs: 0 } : {}) });
  const clients = new Set<Client>();
  pool.on('connect', (client) => clients.add(client as unknown as Client));
  pool.on('remove', (client) => clients.delete(client as unknown as Client));
  atEnd(async () => {
    // An interruption does not wait for running statements.
    if (isInterrupted()) await Promise.allSettled([...clients].map((client) => client.end()));
    await pool.end();
  });
  await checkDatabase(pool, url);
  const { rows } = await pool.query<{ missing: string }>(
    'select name as missing from unnest($1::text[]) as name where to_regclass(name) is null limit 1',
    [options.tables],
  );
  if (rows[0])
    throw new UsageError('There is no ledger of this version in this database yet: start the app on it once.');
  const eventStore = await openEventStore(config, pool, 'any positions');
  atEnd(() => eventStore.close());
  return { pool, eventStore };
}

async function joinOwnPostgres(config: Config): Promise<string> {
  const folder = join(config.dataDir, 'postgres');
  if (!existsSync(folder)) {
    throw new UsageError(
      `There is no ledger in ${config.dataDir} yet: start the app once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const postgres = await startEmbeddedPostgres({ folder, database: 'fanvas', guest: true });
  atEnd(() => postgres.stop());
  return postgres.url;
}
