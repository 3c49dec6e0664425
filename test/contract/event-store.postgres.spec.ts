import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { eventStoreMigrations } from '../../src/platform/event-store/migrations.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { withTestDatabase } from '../support/database.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { describeEventStoreFaults } from './event-store-faults.js';
import { describeEventStore, type EventStoreHarness } from './event-store.js';

jest.setTimeout(60_000);

describeEventStore('Postgres', async () => {
  const database = await withTestDatabase<unknown>();
  const { open, close } = storesIn(database.url);
  return {
    open,
    close: async () => {
      await close();
      await database.close();
    },
  };
});

describeEventStoreFaults('Postgres', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fanvas-faults-'));
  const start = () => startEmbeddedPostgres({ folder: join(folder, 'postgres'), database: 'fanvas' });
  let server = await start();
  const pool = createPool(server.ownerUrl, { max: 1 });
  await migrate(createDatabase<unknown>(pool), eventStoreMigrations);
  await pool.end();
  const proxy = await startTcpProxy(server.ownerUrl);
  const { open, close } = storesIn(proxy.url);
  return {
    open,
    loseAnswerTo: (eventId) => proxy.loseAnswerTo(eventId),
    fail: () => proxy.fail(),
    recover: () => proxy.listen(),
    restart: async () => {
      await proxy.fail();
      await server.stop();
      server = await start();
      await proxy.listen(server.ownerUrl);
    },
    close: async () => {
      await close();
      await proxy.fail();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
});

function storesIn(url: string): EventStoreHarness {
  const closers: (() => Promise<void>)[] = [];
  return {
    open: () => {
      const pool = createPool(url);
      const store = new PostgresEventStore(pool);
      closers.push(
        () => store.close(),
        () => pool.end(),
      );
      return Promise.resolve(store);
    },
    close: async () => {
      for (const close of closers) await close();
    },
  };
}
