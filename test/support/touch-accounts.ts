import { AccountStore } from '../../src/credits/account-store.js';
import { openAccount } from '../../src/credits/decide.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createPool } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';

/**
 * Opens so many accounts, and asks the first one again at the end. Prints what it then keeps in memory. For a process of its own
 * with a small heap: `node --expose-gc --max-old-space-size=... touch-accounts.ts <database> <accounts> [<cache bytes>]`.
 */
const [url = '', count = '0', cacheBytes] = process.argv.slice(2);
const pool = createPool(url);
const store = new PostgresEventStore(pool);
const settings = cacheBytes === undefined ? {} : { cacheBytes: Number(cacheBytes) };
const accounts = new AccountStore(store, new SystemClock(), new UuidGenerator(), undefined, settings);
const touch = (n: number) => accounts.execute(`user_${n}`, { actorId: `user_${n}` }, openAccount);
const heap = (): number => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
};

const before = heap();
let next = 0;
await Promise.all(
  Array.from({ length: 64 }, async () => {
    while (next < Number(count)) await touch(next++);
  }),
);
await new Promise(setImmediate);
const cached = accounts.cached;
const bytes = heap() - before;
const again = await touch(0);
await store.close();
await pool.end();
process.stdout.write(JSON.stringify({ cached, bytes, repeats: again.events.length === 0 }));
