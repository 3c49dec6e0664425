import { type Kysely } from 'kysely';
import { type LedgerSources, type LedgerProblem } from '../../src/audit/index.js';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { RepairAccountClock, RepairAccountClockHandler } from '../../src/credits/use-cases/repair-account-clock.js';
import { accountProjection } from '../../src/credits/reads/account-projection.js';
import {
  deductCredits,
  grantBonusCredits,
  grantDailyCredits,
  refundDeduction,
  settleDeduction,
} from '../../src/credits/account/decide.js';
import { purchaseCredits, reversePurchase } from '../../src/credits/account/decide-purchases.js';
import { DEFAULT_CREDIT_SETTINGS } from '../../src/credits/account/constants.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { type ActTables } from '../../src/platform/acts/tables.js';
import { type GenerationTables } from '../../src/generation/tables.js';
import { ManualClock } from '../../src/platform/clock.js';
import { type EventStore } from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { v7 } from 'uuid';
import { booksProjection, EarningPoster, payoutsProjection, processorProjection } from '../../src/finance/index.js';
import { EarningStore } from '../../src/finance/earnings/earning-store.js';
import { type FinanceTables } from '../../src/finance/tables.js';
import { FaultPoints } from '../../src/platform/fault-points.js';
import { Locks } from '../../src/platform/locks.js';
import {
  ACTIVITY_PROJECTION,
  activityProjection,
  policyRules,
  REVENUE_PROJECTION,
  revenueProjection,
} from '../../src/revenue/index.js';
import { asOwner, emptyTables, keepRows, withTestDatabase, type TestDatabase } from './database.js';
import { paidSession } from './paid-session.js';
import { storeGeneration } from './stored-generation.js';
import { verifiedLedger } from './verified-ledger.js';

/** First instant of the clock. */
const NOW = new Date('2026-03-10T09:00:00Z');

const REVENUE_PROJECTIONS = [
  REVENUE_PROJECTION,
  ACTIVITY_PROJECTION,
  booksProjection,
  payoutsProjection,
  processorProjection,
].flatMap(({ tables }) => tables);

/** The tables of the projections of revenue, for a statement. */
export const REVENUE_TABLES = REVENUE_PROJECTIONS.join(', ');

/** The tables that a ledger fills. `clear` sets the head of the log of acts and the numbers of checkpoints back. */
export const LEDGER_TABLES = [
  ...['event', 'generation', 'checkout', 'projection_checkpoint', 'verified_account', 'verified_stream'],
  ...['verified_prefix', 'ledger_problem', 'earning_position', 'earning_head'],
  ...['admin_act_personal', 'admin_act', 'ledger_seal', 'log_leaf', 'log_node'],
  ...accountProjection.tables,
  ...REVENUE_PROJECTIONS,
];

/** A ledger with its projections and generations, without the rest of the app. */
export interface LedgerApp {
  readonly database: TestDatabase<GenerationTables>;
  readonly eventStore: EventStore;
  readonly clock: ManualClock;
  /** Applies all events to the projections, and records the shares of creators in their streams. */
  project(): Promise<void>;
  /** Applies all events to the projections, and records no shares. */
  catchUp(): Promise<void>;
  /** A worker that records shares. Each call makes another one, as on another instance. */
  earningPoster(faults?: FaultPoints, locks?: Locks): EarningPoster;
  daily(user: string): Promise<unknown>;
  gift(user: string, amount: number): Promise<unknown>;
  /** Pays ten cents a credit. */
  purchase(user: string, sessionId: string, credits: number): Promise<unknown>;
  /** Sets the account's time back to now, as an admin. */
  repairClock(user: string): Promise<unknown>;
  /** Inserts the row of a checkout that was paid and credited, ten cents a credit. */
  creditedCheckout(user: string, sessionId: string, credits: number): Promise<unknown>;
  /** Reverses a purchase completely. */
  reverse(user: string, sessionId: string, credits: number): Promise<unknown>;
  /** Creates a generation and its deduction, and ends both as `end` says. @returns the id of both */
  generation(
    user: string,
    end: 'delivered' | 'returned' | 'open',
    cost?: number,
    creator?: { readonly creatorId: string; readonly ownGeneration: boolean },
  ): Promise<string>;
  /** Creates an account with daily grants, a gift, a picture, refunds and a pending generation, and projects it. */
  eventfulAccount(user: string): Promise<void>;
  /**
   * @param now by default the time of the clock
   * @param log keys and kept checkpoints of the public log
   */
  verify(now?: Date, log?: Pick<LedgerSources, 'keys' | 'keptCheckpoints'>): Promise<LedgerProblem[]>;
  /** Deletes all events, rows and projections, and resets the clock. */
  clear(): Promise<void>;
  /**
   * Keeps what `clear` deletes, for a history without acts and checkpoints.
   * @returns puts it back, in place of what was added or changed since
   */
  keep(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** @param otherStore stores the events; by default the database does. `close` closes it. */
export async function startLedger(otherStore?: EventStore): Promise<LedgerApp> {
  const database = await withTestDatabase<GenerationTables>();
  const { pool, db } = database;
  const clock = new ManualClock(NOW);
  const eventStore = otherStore ?? new PostgresEventStore(pool, { now: () => clock.now() });
  const accounts = new AccountStore(eventStore, clock, new UuidGenerator());
  const acts = new Acts(db as unknown as Kysely<ActTables>, clock, new UuidGenerator());
  const projections = new ProjectionRunner(pool, eventStore);
  projections.register(accountProjection);
  // Reads the policy for each page, because `clear` deletes it.
  projections.register(revenueProjection(() => policyRules(eventStore)()));
  projections.register(activityProjection(() => policyRules(eventStore)()));
  projections.register(booksProjection);
  projections.register(payoutsProjection);
  projections.register(processorProjection);
  const system = { actorId: 'system' };
  const earningPoster = (faults = new FaultPoints(), locks = new Locks(pool)): EarningPoster => {
    const earnings = new EarningStore(eventStore, clock, new UuidGenerator());
    return new EarningPoster(db as unknown as Kysely<FinanceTables>, eventStore, earnings, locks, clock, faults);
  };

  const app: LedgerApp = {
    database,
    eventStore,
    clock,
    catchUp: () => projections.catchUp(),
    async project() {
      await projections.catchUp();
      await earningPoster().runOnce();
    },
    earningPoster,
    daily: (user) =>
      accounts.execute(user, system, (state, now) => grantDailyCredits(state, now, DEFAULT_CREDIT_SETTINGS, 'due')),
    gift: (user, amount) => {
      const command = { grantId: v7(), amount, reason: 'Contest' };
      return accounts.execute(user, system, (state, now) => grantBonusCredits(command, state, now));
    },
    purchase: (user, sessionId, credits) => {
      const command = paidSession({ sessionId, credits });
      return accounts.execute(user, system, (state, now) => purchaseCredits(command, state, now));
    },
    repairClock: (user) => {
      const admin = { userId: 'admin_1', role: 'admin', requestId: null, address: null } as const;
      const input = { userId: user, admin, reason: 'The clock of a server was ahead' };
      return new RepairAccountClockHandler(accounts, acts).execute(new RepairAccountClock(input));
    },
    creditedCheckout: (user, sessionId, credits) =>
      pool.query(
        `insert into checkout (id, user_id, session_id, bundle_id, bundle_name, credits, amount_cents, currency, status,
           payment_intent_id, return_origin, expires_at, created_at, updated_at, credited_at)
         values (gen_random_uuid(), $1, $2, 'basic', 'Basic', $3, $4, 'usd', 'credited', $6, 'x', $5, $5, $5, $5)`,
        [user, sessionId, credits, credits * 10, clock.now(), paidSession({ sessionId }).paymentIntentId],
      ),
    reverse: (user, sessionId, credits) => {
      const command = {
        sessionId,
        reversalId: `re_of_${sessionId}`,
        cause: 'refund',
        amountCents: credits * 10,
      } as const;
      return accounts.execute(user, system, (state, now) => reversePurchase(command, state, now));
    },
    async generation(user, end, cost = 10, creator = { creatorId: 'creator_1', ownGeneration: false }) {
      const id = v7({ msecs: clock.now().getTime() });
      const deduct = { deductionId: id, amount: cost, ...creator };
      await accounts.execute(user, system, (state, now) => deductCredits(deduct, state, now, 'due'));
      const settle = { deductionId: id };
      const refund = { deductionId: id, reason: 'generation_failed' } as const;
      if (end === 'delivered')
        await accounts.execute(user, system, (state, now) => settleDeduction(settle, state, now));
      if (end === 'returned') {
        clock.advance(15 * 3_600_000);
        await accounts.execute(user, system, (state, now) => refundDeduction(refund, state, now));
      }
      return storeGeneration(pool, {
        id,
        user_id: user,
        creator_id: creator.creatorId,
        cost,
        status: ({ open: 'pending', delivered: 'completed', returned: 'failed' } as const)[end],
        refunded: end === 'returned',
      });
    },
    async eventfulAccount(user) {
      await app.daily(user);
      await app.gift(user, 25);
      await app.generation(user, 'delivered', 15);
      await app.generation(user, 'returned', 12);
      clock.advance(86_400_000);
      await app.daily(user);
      await app.generation(user, 'returned', 15);
      clock.advance(86_400_000);
      await app.generation(user, 'open', 20);
      await app.project();
    },
    async verify(now, log) {
      const { problems, summary } = await verifiedLedger({ pool, eventStore }, () => now ?? clock.now(), log);
      if (summary.problems < problems.length) throw new Error('More problems were reported than counted.');
      return problems;
    },
    async clear() {
      await emptyTables(database, LEDGER_TABLES);
      const owner = asOwner(database);
      await owner.query('truncate log_checkpoint restart identity');
      await owner.query(`update admin_act_head set number = 0, hash = ''`);
      clock.set(NOW);
    },
    async keep() {
      const putBack = await keepRows(database, LEDGER_TABLES);
      const now = clock.now();
      return async () => {
        await app.clear();
        await putBack();
        clock.set(now);
      };
    },
    async close() {
      await eventStore.close();
      await database.close();
    },
  };
  return app;
}
