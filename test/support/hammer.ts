import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { AccountSnapshots } from '../../src/credits/ledger/account-snapshots.js';
import {
  DeductCredits,
  DeductionRefusedError,
  GrantBonusCredits,
  RefundDeduction,
  SettleDeduction,
} from '../../src/credits/use-cases/commands.js';
import {
  deductCredits,
  grantBonusCredits,
  refundDeduction,
  settleDeduction,
} from '../../src/credits/account/decide.js';
import type { CreditTables } from '../../src/credits/tables.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';

/** An instance of the ledger as a process: executes deductions and their ends, all at once, and prints what it was told. */
interface Plan {
  readonly users: readonly string[];
  readonly ids: readonly { readonly user: string; readonly id: string }[];
}

const [url = '', json = '{}'] = process.argv.slice(2);
const { users, ids } = JSON.parse(json) as Plan;
const pool = createPool(url);
const store = new PostgresEventStore(pool);
const snapshots = new AccountSnapshots(createDatabase<CreditTables>(pool));
const accounts = new AccountStore(store, new SystemClock(), new UuidGenerator(), snapshots);
const said: object[] = [];

async function tell(what: string, user: string, id: string, events: Promise<{ events: readonly object[] }>) {
  const outcome = await events.then(
    (execution) => (execution.events.length > 0 ? 'done' : 'repeat'),
    (error: unknown) => (error instanceof DeductionRefusedError ? 'refused' : `failed`),
  );
  said.push({ what, user, id, outcome });
}

for (const user of users) {
  const gift = new GrantBonusCredits(user, 'gift', 100_000, 'admin_1', 'Contest');
  await accounts.execute(user, { actorId: 'admin_1' }, (state, now) => grantBonusCredits(gift, state, now));
}
const queue = [...ids];
await Promise.all(
  Array.from({ length: 24 }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { user, id } = next;
      const deduct = new DeductCredits(user, id, 1, 'creator_1');
      await tell(
        'deduct',
        user,
        id,
        accounts.execute(user, { actorId: user }, (state, now) => deductCredits(deduct, state, now)),
      );
      const [settle, refund] = [new SettleDeduction(user, id), new RefundDeduction(user, id, 'generation_failed')];
      await Promise.all([
        tell(
          'settle',
          user,
          id,
          accounts.execute(user, { actorId: 'system' }, (state, now) => settleDeduction(settle, state, now)),
        ),
        tell(
          'refund',
          user,
          id,
          accounts.execute(user, { actorId: 'system' }, (state, now) => refundDeduction(refund, state, now)),
        ),
      ]);
    }
  }),
);
await snapshots.onModuleDestroy();
await store.close();
await pool.end();
process.stdout.write(JSON.stringify(said));
