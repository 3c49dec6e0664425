import { createPool } from '../../src/platform/database/pool.js';
import { eventStoreMigrations } from '../../src/platform/event-store/migrations.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { withTestDatabase } from '../support/database.js';
import { describeEventStore } from './event-store.js';

describeEventStore('Postgres', async () => {
  const database = await withTestDatabase<unknown>();
  await database.migrate(eventStoreMigrations);
  const closers: (() => Promise<void>)[] = [];
  return {
    open: () => {
      const pool = createPool(database.url);
      const store = new PostgresEventStore(pool);
      closers.push(
        () => store.close(),
        () => pool.end(),
      );
      return Promise.resolve(store);
    },
    close: async () => {
      for (const close of closers) await close();
      await database.close();
    },
  };
});
