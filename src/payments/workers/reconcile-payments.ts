import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/durations.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { Locks } from '../../platform/locks.js';
import { doublingDelay } from '../../platform/retry-delay.js';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { CheckoutRows } from '../checkout-rows.js';
import { PaymentInbox } from './payment-inbox.js';
import { PaymentMetrics } from './payment-metrics.js';
import { PaymentOwners } from '../payment-owners.js';
import {
  checkoutIdOf,
  PaymentProcessor,
  type ProcessorReversal,
  type ProcessorSession,
  ProcessorForbiddenError,
  ProcessorNotFoundError,
  ProcessorUnavailableError,
  describeError,
} from '../providers/payment-processor.js';
import { ReversalRows } from '../reversal-rows.js';
import { PaymentBusyError, PaymentSettler } from '../use-cases/settle-payment.js';
import { stands } from '../standing.js';
import { type PaymentTables } from '../tables.js';
import { UnreadablePayments } from '../unreadable-payments.js';

/** Each run lists the sessions since this time before the last successful run. */
const SESSIONS_MS = 3 * DAY_MS;
/** The first run lists the sessions of this time. */
const FIRST_RUN_MS = 30 * DAY_MS;

/** Refunds can fail a month after they were made, and disputes stay open for weeks. */
const REVERSALS_MS = 35 * DAY_MS;

/** Time after the expiry of an offer when it is settled without a webhook. */
const OVERDUE_MS = 10 * MINUTE_MS;

/** Rows or reversals of one batch. */
const ROWS_PER_BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const EVENTS_KEPT_MS = 90 * DAY_MS;

/** Pause after runs that missed payments: a payment that cannot be settled must not list all sessions each minute. */
const pauseAfter = doublingDelay(MINUTE_MS, HOUR_MS);
const NAME = 'payments';

/**
 * Finds payments whose webhooks never arrived: at start and every hour, on one instance at a time. It lists the
 * processor's sessions and reversals and settles every payment that differs from our records. It runs again in a minute
 * after a run that failed, or that another process may not have completed, and later after each further failure.
 */
@Injectable()
@Scheduled('payment-reconciler', MINUTE_MS, { fromStart: true })
export class PaymentReconciler extends ScheduledWorker {
  protected override readonly failure = 'Payments could not be reconciled. The next run is in a minute.';
  private notBefore = new Date(0);
  /** Runs without a break that have missed payments. */
  private failedRuns = 0;
  /** Whether the run of the start was made, by this process or by the one that then held the lock. */
  private started = false;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly processor: PaymentProcessor,
    private readonly checkouts: CheckoutRows,
    private readonly reversals: ReversalRows,
    private readonly owners: PaymentOwners,
    private readonly unreadable: UnreadablePayments,
    private readonly settler: PaymentSettler,
    private readonly inbox: PaymentInbox,
    private readonly metrics: PaymentMetrics,
    private readonly locks: Locks,
    private readonly clock: Clock,
  ) {
    super();
  }

  protected override async work(): Promise<void> {
    const now = this.clock.now();
    if (now < this.notBefore) return;
    const after = (from: Date, ms: number): Date => new Date(from.getTime() + ms);
    const last = await this.lastSuccess();
    if (this.started && last && after(last, HOUR_MS) > now) {
      this.notBefore = after(last, HOUR_MS);
      return;
    }
    const outcome = await this.reconcile();
    if (outcome !== 'failed') this.started = true;
    const pause = outcome === 'done' ? HOUR_MS : pauseAfter(this.failedRuns);
    this.notBefore = after(now, pause);
    this.failedRuns = outcome === 'failed' ? this.failedRuns + 1 : 0;
    if (outcome) this.metrics.did('reconcile', outcome);
  }

  protected override failed(error: unknown): void {
    this.notBefore = new Date(this.clock.now().getTime() + MINUTE_MS);
    this.metrics.did('reconcile', 'failed');
    if (error instanceof ProcessorUnavailableError) this.logger.warn(this.failure, { reason: describeError(error) });
    else super.failed(error);
  }

  /**
   * @returns `failed` when payments failed, each of which is logged; null when another process is doing it, or this
   *   one stops
   * @throws ProcessorUnavailableError when the processor does not answer; payments that were settled before stay so
   */
  async reconcile(): Promise<'done' | 'failed' | null> {
    const outcome = await this.locks.withLock('payment-reconciler', async () => {
      const startedAt = this.clock.now();
      const missed = { failures: 0, forbidden: 0 };
      const from = await this.windowStart(startedAt);
      for await (const page of this.processor.sessions({ from })) {
        if (this.stopped) return null;
        for (const session of await this.unsettled(page)) await this.settle(session.id, missed);
      }
      const since = new Date(Math.min(from.getTime(), startedAt.getTime() - REVERSALS_MS));
      await this.settleReversals(since, missed);
      for (const sessionId of await this.reversals.openSessions()) await this.settle(sessionId, missed);
      await this.settleOverdue(startedAt, missed);
      if (this.stopped) return null;
      await this.inbox.deleteHandledBefore(new Date(startedAt.getTime() - EVENTS_KEPT_MS));
      // A missed payment leaves the window as it is, so the next run covers the same time again.
      if (missed.failures + missed.forbidden === 0) await this.markSucceeded(startedAt);
      return missed.failures === 0 ? 'done' : 'failed';
    });
    return outcome ?? null;
  }

  private async lastSuccess(): Promise<Date | null> {
    const last = await this.db
      .selectFrom('payment_reconciliation')
      .select('succeeded_at')
      .where('name', '=', NAME)
      .executeTakeFirst();
    return last?.succeeded_at ?? null;
  }

  private async windowStart(now: Date): Promise<Date> {
    const last = await this.lastSuccess();
    const reach = last ? now.getTime() - last.getTime() + SESSIONS_MS : FIRST_RUN_MS;
    return new Date(now.getTime() - reach);
  }

  /** The sessions of a page whose stored state differs from the processor's. */
  private async unsettled(page: readonly ProcessorSession[]): Promise<ProcessorSession[]> {
    const rows = await this.db
      .selectFrom('checkout')
      .select(['session_id', 'status'])
      .where(
        'session_id',
        'in',
        page.map((session) => session.id),
      )
      .execute();
    const known = new Map(rows.map((row) => [row.session_id, row.status]));
    return page.filter((session) => {
      const status = known.get(session.id);
      if (status === undefined) return checkoutIdOf(session) !== null;
      if (session.paymentStatus === 'paid') return status !== 'credited';
      if (session.status === 'open') return false;
      return session.status === 'expired' ? status !== 'expired' : status !== 'processing' && status !== 'failed';
    });
  }

  private async settleReversals(from: Date, missed: Missed): Promise<void> {
    let batch: ProcessorReversal[] = [];
    for await (const reversal of this.processor.reversals({ from })) {
      if (this.stopped) return;
      batch.push(reversal);
      if (batch.length === ROWS_PER_BATCH) {
        await this.settleBatch(batch, missed);
        batch = [];
      }
    }
    await this.settleBatch(batch, missed);
  }

  private async settleBatch(batch: readonly ProcessorReversal[], missed: Missed): Promise<void> {
    const known = await this.reversals.findKnown(batch.map((reversal) => reversal.id));
    for (const reversal of batch) {
      const row = known.get(reversal.id);
      if (row?.state === reversal.state && row.stands === stands(reversal)) continue;
      if (reversal.paymentIntentId === null) continue;
      const sessionId = await this.sessionOf(reversal.paymentIntentId, missed);
      if (sessionId !== null) await this.settle(sessionId, missed);
    }
  }

  private async sessionOf(paymentIntentId: string, missed: Missed): Promise<string | null> {
    if (this.stopped) return null;
    try {
      return (await this.unreadable.try(paymentIntentId, () => this.owners.sessionOf(paymentIntentId))) ?? null;
    } catch (error) {
      this.miss('payment', paymentIntentId, error, missed);
      return null;
    }
  }

  /** Settles expired offers and delayed payments, page by page. */
  private async settleOverdue(now: Date, missed: Missed): Promise<void> {
    let after: { readonly id: string; readonly expires_at: Date } = { id: FIRST_ID, expires_at: new Date(0) };
    for (;;) {
      const rows = await this.db
        .selectFrom('checkout')
        .select(['id', 'session_id', 'expires_at'])
        .where('status', 'in', ['creating', 'open', 'processing'])
        .where('expires_at', '<', new Date(now.getTime() - OVERDUE_MS))
        .where((row) => row.eb(row.refTuple('expires_at', 'id'), '>', row.tuple(after.expires_at, after.id)))
        .orderBy('expires_at')
        .orderBy('id')
        .limit(ROWS_PER_BATCH)
        .execute();
      for (const row of rows) {
        // If the processor had created a session, `reconcile` would have listed it before.
        if (row.session_id === null) await this.checkouts.storeUnpaid(row.id, 'expired');
        else await this.settle(row.session_id, missed);
      }
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_PER_BATCH) return;
      after = last;
    }
  }

  private async settle(sessionId: string, missed: Missed): Promise<void> {
    if (this.stopped) return;
    try {
      await this.unreadable.try(sessionId, () => this.settler.settle(sessionId));
    } catch (error) {
      // Another worker is settling this session, with data from the processor that is at least as new.
      if (error instanceof PaymentBusyError) return;
      this.miss('session', sessionId, error, missed);
    }
  }

  private miss(kind: 'session' | 'payment', id: string, error: unknown, missed: Missed): void {
    if (error instanceof ProcessorForbiddenError) missed.forbidden += 1;
    else if (!(error instanceof ProcessorNotFoundError)) missed.failures += 1;
    this.logger.warn('A payment could not be reconciled. The next run retries it.', {
      [kind]: id,
      reason: describeError(error),
    });
  }

  private async markSucceeded(at: Date): Promise<void> {
    await this.db
      .insertInto('payment_reconciliation')
      .values({ name: NAME, succeeded_at: at })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ succeeded_at: at }))
      .execute();
  }
}

/** Numbers of payments that a run could not settle. */
interface Missed {
  failures: number;
  /** Our key may not read them: they may be of another shop. */
  forbidden: number;
}
