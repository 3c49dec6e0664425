import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { DeductCreditsHandler, DeductCredits } from '../../src/credits/use-cases/deduct-credits.js';
import { SettleDeductionHandler, SettleDeduction } from '../../src/credits/use-cases/settle-deduction.js';
import { grantBonusCredits, openAccount } from '../../src/credits/account/decide.js';
import { migrations } from '../../src/migrations.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { type Phase, bench, insertBaseline, keepInFlight, median, quantile } from './bench.js';

const IN_FLIGHT = 64;

await bench(async ({ pool, quick, compare }) => {
  await migrate(createDatabase<unknown>(pool), migrations);
  const lanes = process.env['BENCH_LANES'];
  const eventStore = new PostgresEventStore(pool, lanes ? { lanes: Number(lanes) } : {});
  const ids = new UuidGenerator();
  const accounts = new AccountStore(eventStore, new SystemClock(), ids);
  const deducts = new DeductCreditsHandler(accounts);
  const settles = new SettleDeductionHandler(accounts);

  /** Ledger work for a paid picture: a deduction and its settlement on an account that can pay. */
  const open = async (userId: string): Promise<void> => {
    const gift = { grantId: 'gift', amount: 1_000_000_000, reason: 'For the benchmark' };
    await accounts.execute(userId, { actorId: userId }, openAccount);
    await accounts.execute(userId, { actorId: 'admin_1' }, (state, now) => grantBonusCredits(gift, state, now));
  };
  const commands = (userIds: readonly string[]): (() => Promise<unknown>) => {
    const unsettled: SettleDeduction[] = [];
    let turn = 0;
    return () => {
      turn += 1;
      const settle = turn % 2 === 0 ? unsettled.shift() : undefined;
      if (settle) return settles.execute(settle);
      const userId = userIds[Math.floor(Math.random() * userIds.length)] ?? '';
      const deduction = ids.next();
      const done = deducts.execute(
        new DeductCredits({ userId, deductionId: deduction, amount: 1, creatorId: 'creator_1' }),
      );
      return done.then(() => unsettled.push(new SettleDeduction({ userId, deductionId: deduction })));
    };
  };

  const many = Array.from({ length: quick ? 100 : 10_000 }, () => `user_${ids.next()}`);
  const queue = [...many];
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (let userId = queue.pop(); userId; userId = queue.pop()) await open(userId);
    }),
  );
  await commands(many.slice(0, 1))();
  const { rows } = await pool.query<{ data: object; metadata: object }>(
    `select data, metadata from event where type = 'CreditsDeducted' limit 1`,
  );
  const insert = await insertBaseline(pool, rows[0] ?? {});
  await pool.query('vacuum analyze event');
  const phase = (inFlight: number, work: () => Promise<unknown>): Promise<Phase> =>
    keepInFlight(inFlight, quick ? 50 : Number(process.env['BENCH_PHASE_MS'] ?? '1000'), work);

  const everywhere = commands(many);
  await compare({
    name: 'commands over 10,000 accounts, 64 in flight',
    unit: 'commands/s',
    target: { atLeast: 1.6 },
    run: async () => (await phase(IN_FLIGHT, everywhere)).perSecond,
    base: 'INSERT, 64 clients',
    runBase: async () => (await phase(IN_FLIGHT, insert)).perSecond,
  });
  await compare({
    name: 'the same, slowest of a hundred',
    unit: 'ms',
    target: { atMost: 1 },
    run: async () => quantile((await phase(IN_FLIGHT, everywhere)).latencies, 0.99),
    base: 'INSERT, 64 clients',
    runBase: async () => quantile((await phase(IN_FLIGHT, insert)).latencies, 0.99),
  });
  const hot = commands(many.slice(0, 1));
  await compare({
    name: 'one hot account, 64 in flight',
    unit: 'commands/s',
    target: { atLeast: 2.5 },
    run: async () => (await phase(IN_FLIGHT, hot)).perSecond,
    base: 'INSERT, 64 clients',
    runBase: async () => (await phase(IN_FLIGHT, insert)).perSecond,
  });
  const alone = commands(many.slice(0, 100));
  await compare({
    name: 'one command alone, median latency',
    unit: 'ms',
    target: { atMost: 1.5 },
    run: async () => median((await phase(1, alone)).latencies),
    base: 'INSERT, 1 client',
    runBase: async () => median((await phase(1, insert)).latencies),
  });
  await eventStore.close();
});
