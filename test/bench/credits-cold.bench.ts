import { AccountSnapshots } from '../../src/credits/ledger/account-snapshots.js';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { SignUpBonus } from '../../src/credits/ledger/sign-up-bonus.js';
import { DeductCreditsHandler, DeductCredits } from '../../src/credits/use-cases/deduct-credits.js';
import { SettleDeductionHandler, SettleDeduction } from '../../src/credits/use-cases/settle-deduction.js';
import { grantBonusCredits } from '../../src/credits/account/decide.js';
import type { CreditTables } from '../../src/credits/tables.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { EveryUserIsAPerson } from '../support/once-per-person.js';
import { bench, median } from './bench.js';

/** Number of pictures in one phase. Each one is a deduction and a settlement, both on a cold account. */
const PICTURES = 40;
const ROUNDS = 7;

await bench(async ({ pool, quick, compare }) => {
  const db = createDatabase<CreditTables>(pool);
  const eventStore = new PostgresEventStore(pool);
  const ids = new UuidGenerator();
  const snapshots = new AccountSnapshots(db);
  const bonus = new SignUpBonus(new EveryUserIsAPerson(), new SystemClock());
  /** A store with an empty cache, as in a new process. Connections are open in both measurements. */
  const cold = (): AccountStore => new AccountStore(eventStore, new SystemClock(), ids, snapshots);

  /** Creates an account with two grants, then a deduction and a settlement for each picture. */
  const account = async (pictures: number): Promise<string> => {
    const userId = `user_${ids.next()}`;
    const accounts = cold();
    const gift = { grantId: 'gift', amount: 1_000_000, reason: 'For the benchmark' };
    await accounts.execute(userId, { actorId: 'admin_1' }, (state, now) => grantBonusCredits(gift, state, now));
    const deducts = new DeductCreditsHandler(accounts, bonus);
    const settles = new SettleDeductionHandler(accounts);
    for (let from = 0; from < pictures; from += 250) {
      const some = Array.from({ length: Math.min(250, pictures - from) }, () => ids.next());
      await Promise.all(
        some.map((id) =>
          deducts.execute(
            new DeductCredits({ userId, deductionId: id, amount: 1, creatorId: 'creator_1', ownGeneration: false }),
          ),
        ),
      );
      await Promise.all(some.map((id) => settles.execute(new SettleDeduction({ userId, deductionId: id }))));
    }
    return userId;
  };
  const phase = async (nextUser: () => string): Promise<number> => {
    const latencies: number[] = [];
    const timed = async (command: Promise<unknown>, start = performance.now()): Promise<void> => {
      await command;
      latencies.push(performance.now() - start);
    };
    for (let n = 0; n < (quick ? 3 : PICTURES); n += 1) {
      const userId = nextUser();
      const id = ids.next();
      await timed(
        new DeductCreditsHandler(cold(), bonus).execute(
          new DeductCredits({ userId, deductionId: id, amount: 1, creatorId: 'creator_1', ownGeneration: false }),
        ),
      );
      await timed(new SettleDeductionHandler(cold()).execute(new SettleDeduction({ userId, deductionId: id })));
    }
    return median(latencies);
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
