import { AccountSnapshots } from '../../src/credits/ledger/account-snapshots.js';
import { type SettleDeduction } from '../../src/credits/use-cases/settle-deduction.js';
import type { CreditTables } from '../../src/credits/tables.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { bench, medianTime } from './bench.js';
import { ledgerOn } from './ledger-commands.js';

/** Number of pictures in one phase. Each one is a deduction and a settlement, both on a cold account. */
const PICTURES = 40;
const ROUNDS = 7;

await bench(async ({ pool, quick, compare }) => {
  const db = createDatabase<CreditTables>(pool);
  const eventStore = new PostgresEventStore(pool);
  const snapshots = new AccountSnapshots(db);

  /** Creates an account with two grants, then a deduction and a settlement for each picture. */
  const account = async (pictures: number): Promise<string> => {
    const ledger = ledgerOn(eventStore, snapshots);
    const [userId = ''] = await ledger.openAccounts(1);
    for (let from = 0; from < pictures; from += 250) {
      const some = Array.from({ length: Math.min(250, pictures - from) }, () => ledger.deduct(userId));
      await Promise.all((await Promise.all(some)).map(ledger.settle));
    }
    return userId;
  };
  const phase = (nextUser: () => string): Promise<number> => {
    let settlement: SettleDeduction | null = null;
    return medianTime(2 * (quick ? 3 : PICTURES), async () => {
      // An empty cache for each command, as in a new process. Connections are open in both measurements.
      const cold = ledgerOn(eventStore, snapshots);
      if (settlement) await cold.settle(settlement);
      settlement = settlement ? null : await cold.deduct(nextUser());
    });
  };

  // The worst case: all deductions are younger than thirty days, so the account state contains the outcome of each one.
  const long = await account(quick ? 500 : 50_000);
  const short: string[] = [];
  for (let n = 0; n < (quick ? 10 : PICTURES * (ROUNDS + 1)); n += 1) short.push(await account(4));
  await snapshots.flush();
  await pool.query('vacuum analyze event');
  await compare({
    name: 'a command on a cold account of 100,000 events',
    unit: 'ms',
    target: { atMost: 1.5 },
    rounds: ROUNDS,
    run: () => phase(() => long),
    base: 'the same with 10 events',
    runBase: () => phase(() => short.pop() ?? ''),
  });
  await snapshots.onModuleDestroy();
  await eventStore.close();
});
