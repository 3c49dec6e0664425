import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { AccountSnapshots } from '../../src/credits/ledger/account-snapshots.js';
import { DeductionRefusedError } from '../../src/credits/account/errors.js';
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

/**
 * Runs one ledger instance in its own process: grants credits to `users`, runs the deductions `ids` concurrently, each
 * followed by a settlement and a refund at the same time, and prints the outcomes.
 */
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
const answers: object[] = [];

async function recordAnswer(command: string, user: string, id: string, events: Promise<{ events: readonly object[] }>) {
  const outcome = await events.then(
    (execution) => (execution.events.length > 0 ? 'done' : 'repeat'),
    (error: unknown) => (error instanceof DeductionRefusedError ? 'refused' : 'failed'),
  );
  answers.push({ command, user, id, outcome });
}

for (const user of users) {
  const gift = { grantId: 'gift', amount: 100_000, reason: 'Contest' };
  await accounts.execute(user, { actorId: 'admin_1' }, (state, now) => grantBonusCredits(gift, state, now));
}
const queue = [...ids];
await Promise.all(
  Array.from({ length: 24 }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { user, id } = next;
      const deduct = { deductionId: id, amount: 1, creatorId: 'creator_1', ownGeneration: false };
      await recordAnswer(
        'deduct',
        user,
        id,
        accounts.execute(user, { actorId: user }, (state, now) => deductCredits(deduct, state, now, 'due')),
      );
      const settle = { deductionId: id };
      const refund = { deductionId: id, reason: 'generation_failed' } as const;
      await Promise.all([
        recordAnswer(
          'settle',
          user,
          id,
          accounts.execute(user, { actorId: 'system' }, (state, now) => settleDeduction(settle, state, now)),
        ),
        recordAnswer(
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
process.stdout.write(JSON.stringify(answers));
