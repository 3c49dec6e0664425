import { type TestCardName } from '../../src/sandbox/stripe/index.js';
import { type PurchaseStatus } from '../../src/credits/index.js';
import {
  type LedgerDifference,
  reconcileLedger,
  type ReconcileSummary,
} from '../../src/payments/workers/reconcile-ledger.js';
import { type PaymentsApp } from './payments-app.js';
import { seededRandom } from './random.js';

const CARDS: readonly TestCardName[] = [
  ...(['pays', 'pays', 'pays', 'mastercard', 'declines', 'settlesLater', 'failsLater'] as const),
  ...(['disputed', 'refundPending', 'refundFails', 'noFunds'] as const),
];
const BUNDLES = ['basic', 'popular', 'premium'] as const;
const HOUR_MS = 3_600_000;

export interface ChaosResult {
  readonly sessions: number;
  readonly summary: ReconcileSummary;
  readonly differences: readonly LedgerDifference[];
  /** Balances that differ from the purchases. */
  readonly wrongBalances: readonly string[];
}

/**
 * Makes purchases under random faults: API errors, rate limits, cut connections, lost responses and timeouts; missing,
 * duplicate and late webhooks; crashes of the app. Some purchases are disputed, or refunded by the processor or by an
 * admin. Then ends the faults, advances the clock, and compares the ledger with the processor.
 * @param purchases the number of purchases
 */
export async function buyInChaos(app: PaymentsApp, purchases: number, seed: number): Promise<ChaosResult> {
  const from = new Date(app.clock.now().getTime() - 1_000);
  app.sandbox.faults.plan({
    seed,
    api: { error: 0.06, 'rate-limit': 0.03, cut: 0.03, lost: 0.05, timeout: 0.004 },
    webhooks: { missing: 0.25, duplicate: 0.2, delayed: 0.2 },
    delayMs: 60_000,
  });
  const series = Array.from({ length: PARALLEL }, (_, index) => new PurchaseSeries(app, seed * PARALLEL + index));
  let left = purchases;
  await Promise.all(
    series.map(async (each) => {
      while (left > 0) {
        left -= 1;
        await each.buy();
      }
    }),
  );
  await endFaults(app);
  return compareLedger(
    app,
    from,
    series.flatMap((each) => [...each.users]),
  );
}

/** Number of purchase series that run at the same time. */
const PARALLEL = 8;

/** Makes one purchase after another, each for a new fan or for an earlier fan of the series. */
class PurchaseSeries {
  readonly users = new Set<string>();
  private readonly random: () => number;

  constructor(
    private readonly app: PaymentsApp,
    seed: number,
  ) {
    this.random = seededRandom(seed);
  }

  async buy(): Promise<void> {
    const { app } = this;
    const user = this.users.size > 1 && this.random() < 0.3 ? this.pick([...this.users]) : app.newUser();
    this.users.add(user);
    if (this.random() < 0.15) app.faults.crashAt(this.pick(POINTS), this.below(2) + 1);
    const session = await this.checkout(user, this.pick(BUNDLES));
    if (session !== null) {
      if (this.random() < 0.07) await app.sandbox.expire(session);
      else await this.pay(session, user);
    }
    app.clock.advance(this.below(20_000));
    app.worker.wake();
    if (this.random() < 0.3) await app.worker.idle();
    if (app.faults.crashed || this.random() < 0.1) {
      await app.worker.idle();
      app.faults.restart();
    }
  }

  /** Repeats the checkout after an error, like a fan who presses the button again. */
  private async checkout(user: string, bundle: string): Promise<string | null> {
    for (let click = 0; click < 4; click += 1) {
      const { status, body } = await this.app.createCheckout(user, bundle);
      if (status === 200) return body.url.split('/').at(-1) ?? null;
      if (this.app.faults.crashed) this.app.faults.restart();
    }
    return null;
  }

  private async pay(session: string, user: string): Promise<void> {
    const { sandbox } = this.app;
    const card = this.pick(CARDS);
    if ((await sandbox.pay(session, card)) !== null) return;
    if (this.random() < 0.5) await this.app.lookUp(user, session);
    if (card === 'settlesLater' || card === 'failsLater') {
      if (this.random() < 0.7) await (card === 'settlesLater' ? sandbox.settle(session) : sandbox.fail(session));
      return;
    }
    await this.reverseSome(session, user, card);
  }

  /** Refunds or disputes some of the payments, and spends credits of some others. */
  private async reverseSome(session: string, user: string, card: TestCardName): Promise<void> {
    const { app } = this;
    const order = { p_session_id: session, p_reason: 'chaos' };
    const admin = `admin_${user}_${this.below(1e9)}`;
    const draw = this.random();
    if (draw < 0.15) await app.sandbox.refund(session, { amount: 100 + this.below(800) });
    else if (draw < 0.25) await app.rpc('refund_purchase', admin, { ...order, p_credits: 20 });
    else if (draw < 0.3) await app.rpc('refund_purchase', admin, order);
    else if (draw < 0.4 && card !== 'disputed') {
      const { id } = await app.sandbox.dispute(session);
      if (this.random() < 0.6) await app.sandbox.closeDispute(id, this.random() < 0.5 ? 'won' : 'lost');
    } else if (draw < 0.55 && (await app.row(session)).status === 'credited')
      await app.spend(user, 10).catch(ignoreRefusal);
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }
}

/** Ignores the error when the fan has too few credits left. */
function ignoreRefusal(error: unknown): void {
  if ((error as Error).name !== 'InsufficientCreditsError') throw error;
}

const POINTS = [
  ...(['payments.create-session.after', 'payments.store-session.before', 'payments.claim-event.after'] as const),
  ...(['payments.credit.before', 'payments.credit.after', 'payments.store-credited.after'] as const),
  ...(['payments.reverse.after', 'payments.store-reversal.before', 'payments.store-handled.before'] as const),
  ...(['payments.reserve.after', 'payments.create-refund.after', 'payments.store-event.after'] as const),
];

/** Ends all faults and advances the clock past the slowest retry and the delayed payments. */
async function endFaults(app: PaymentsApp): Promise<void> {
  await app.worker.idle();
  app.faults.restart();
  app.sandbox.faults.plan(null);
  for (let hour = 0; hour < 4; hour += 1) {
    app.clock.advance(HOUR_MS);
    await app.sandbox.webhooksDone();
    await app.settleDown();
    await app.reconciler.reconcile();
  }
}

async function compareLedger(app: PaymentsApp, from: Date, users: readonly string[]): Promise<ChaosResult> {
  const differences: LedgerDifference[] = [];
  const { db, eventStore, processor } = app;
  const period = { from, to: new Date(app.clock.now().getTime() + 1_000) };
  const summary = await reconcileLedger({ db, eventStore, processor }, period, {
    onDifference: (difference) => differences.push(difference),
  });
  const rows = await db
    .selectFrom('checkout')
    .select(['user_id', 'session_id'])
    .where('user_id', 'in', users)
    .execute();
  const wrongBalances: string[] = [];
  for (const user of users) {
    const sessions = rows.filter((row) => row.user_id === user).map((row) => row.session_id ?? '');
    const bought = await Promise.all(sessions.map((session) => app.purchase(user, session)));
    const left = bought
      .filter((each) => each !== null)
      .reduce((sum: number, each: PurchaseStatus) => sum + each.remaining, 0);
    const { paid } = await app.balances(user);
    if (paid !== left) wrongBalances.push(`${user} has ${paid} paid credits, but its purchases have ${left} left.`);
  }
  return { sessions: rows.filter((row) => row.session_id !== null).length, summary, differences, wrongBalances };
}
