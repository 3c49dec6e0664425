import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { deductCredits, openAccount, settleDeduction } from '../../src/credits/account/decide.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createPool } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';

/**
 * Opens the given number of accounts, each with the given number of ended deductions, and reads the first one again at
 * the end. Then prints the memory that it uses. Run it in its own process with a small heap:
 * `node --expose-gc --max-old-space-size=... touch-accounts.ts <database> <accounts> <deductions> [<cache bytes>]`.
 */
const [url = '', count = '0', deductions = '0', cacheBytes] = process.argv.slice(2);
const pool = createPool(url);
const store = new PostgresEventStore(pool);
const settings = cacheBytes === undefined ? {} : { cacheBytes: Number(cacheBytes) };
const ids = new UuidGenerator();
const accounts = new AccountStore(store, new SystemClock(), ids, undefined, settings);
const touch = (n: number) => accounts.execute(`user_${n}`, { actorId: `user_${n}` }, openAccount);
const deductAndSettle = async (userId: string): Promise<void> => {
  const deduction = ids.next();
  const deduct = { deductionId: deduction, amount: 1, creatorId: `user_${ids.next()}`, ownGeneration: false };
  await accounts.execute(userId, { actorId: userId }, (state, now) => deductCredits(deduct, state, now, 'due'));
  const settle = { deductionId: deduction };
  await accounts.execute(userId, { actorId: 'system' }, (state, now) => settleDeduction(settle, state, now));
};
const heap = (): number => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
};

const before = heap();
let next = 0;
await Promise.all(
  Array.from({ length: 64 }, async () => {
    while (next < Number(count)) {
      const n = next++;
      await touch(n);
      for (let done = 0; done < Number(deductions); done += 1) await deductAndSettle(`user_${n}`);
    }
  }),
);
await new Promise(setImmediate);
const cached = accounts.cached;
const bytes = heap() - before;
const again = await touch(0);
await store.close();
await pool.end();
process.stdout.write(JSON.stringify({ cached, bytes, repeats: again.events.length === 0 }));
