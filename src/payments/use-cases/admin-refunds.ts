import { Inject, Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type ActEvent, Acts } from '../../platform/acts/acts.js';
import { type ActValues } from '../../contract/acts.js';
import { PurchaseRefusedError, ReinstatePurchase, ReversePurchase } from '../../credits/index.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type DueCondition } from '../../platform/due-work.js';
import { CheckoutRows } from '../checkout-rows.js';
import { retryDelay } from '../workers/payment-inbox.js';
import { PaymentMetrics } from '../workers/payment-metrics.js';
import {
  PaymentProcessor,
  type ProcessorReversal,
  ProcessorRefusedError,
  describeError,
} from '../providers/payment-processor.js';
import { type PaymentStep } from '../payment-steps.js';
import { PaymentBusyError, PaymentSettler } from './settle-payment.js';
import { type AdminRefundRow, type AdminRefundStatus, type PaymentTables } from '../tables.js';

/** Lease of the worker that processes a refund. */
const LEASE_MS = 60_000;
const REFUNDS_PER_RUN = 20;

/** Upper bound of steps in one run. It only guards against an endless loop. */
const MAX_STEPS = 6;

const OPEN: readonly AdminRefundStatus[] = ['reserving', 'reserved', 'releasing'];

/** Whether {@link AdminRefunds.driveDue} has something to do. */
export const refundIsDue: DueCondition = (now) =>
  sql<boolean>`exists (select from admin_refund where status in (${sql.join(OPEN)}) and not_before <= ${now})`;

/** Another refund of the purchase is in progress. */
export class RefundUnderWayError extends Error {
  override readonly name = 'RefundUnderWayError';
}

export type NewAdminRefund = Pick<
  AdminRefundRow,
  'id' | 'session_id' | 'user_id' | 'credits' | 'amount_cents' | 'actor_id' | 'reason' | 'act_id'
>;

/** Effect of one run of a refund on the ledger. */
interface Progress {
  before: ActValues;
  after: ActValues;
  events: readonly ActEvent[];
}

/**
 * Refunds that admins ordered. The credits are taken back first, so they cannot be spent meanwhile.
 * Then the processor returns the money. The row stores the progress, so any worker can continue after a crash.
 */
@Injectable()
export class AdminRefunds {
  private readonly logger = new Logger(AdminRefunds.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly checkouts: CheckoutRows,
    private readonly processor: PaymentProcessor,
    private readonly settler: PaymentSettler,
    private readonly metrics: PaymentMetrics,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly acts: Acts,
  ) {}

  /**
   * Stores the order, leased to the caller. An existing order with this id is returned unchanged.
   * @throws RefundUnderWayError
   */
  async insert(order: NewAdminRefund): Promise<AdminRefundRow> {
    const now = this.clock.now();
    const inserted = await this.db
      .insertInto('admin_refund')
      .values({ ...order, status: 'reserving', not_before: this.in(LEASE_MS), created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    const row = inserted ?? (await this.findOrder(order.id));
    if (row?.session_id !== order.session_id) throw new RefundUnderWayError('A refund of this purchase is under way.');
    return row;
  }

  /** The buyer of a session, and the order with this id if it exists. One statement. */
  async find(
    sessionId: string,
    id: string | null,
  ): Promise<{ checkout: { readonly user_id: string } | null; earlier: AdminRefundRow | null }> {
    const { owner, ...order } = await this.db
      .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('question'))
      .leftJoin('checkout', (join) => join.on('checkout.session_id', '=', sessionId))
      .leftJoin('admin_refund', (join) => join.on('admin_refund.id', '=', id))
      .selectAll('admin_refund')
      .select('checkout.user_id as owner')
      .executeTakeFirstOrThrow();
    return {
      checkout: owner === null ? null : { user_id: owner },
      earlier: order.id === null ? null : (order as AdminRefundRow),
    };
  }

  private async findOrder(id: string): Promise<AdminRefundRow | undefined> {
    return this.db.selectFrom('admin_refund').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Continues all open refunds whose lease has expired. */
  async driveDue(): Promise<void> {
    const now = this.clock.now();
    const dueRefunds = await this.db
      .updateTable('admin_refund')
      .set({ not_before: this.in(LEASE_MS) })
      .where('id', 'in', (query) =>
        query
          .selectFrom('admin_refund')
          .select('id')
          .where('status', 'in', [...OPEN])
          .where('not_before', '<=', now)
          .orderBy('not_before')
          .limit(REFUNDS_PER_RUN)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .execute();
    for (const row of dueRefunds) await this.drive(row);
  }

  /** Runs the remaining steps of a refund and ends its act. A failing step is retried later. */
  async drive(row: AdminRefundRow): Promise<AdminRefundRow> {
    let current = row;
    const progress: Progress = { before: {}, after: {}, events: [] };
    try {
      for (let count = 0; count < MAX_STEPS && OPEN.includes(current.status); count += 1) {
        current = await this.advance(current, progress);
      }
      if (row.status === 'reserving') await this.endAct(current, progress);
    } catch (error) {
      const reason = describeError(error);
      this.metrics.did('refund', 'failed');
      this.logger.warn('A step of a refund failed. It is retried.', { adminRefundId: row.id, reason });
      await this.postpone(current, reason);
    }
    return current;
  }

  /** Ends the act when this run has seen all its events. Otherwise the reconciler of acts does. */
  private async endAct({ act_id: actId, status, credits, amount_cents }: AdminRefundRow, run: Progress): Promise<void> {
    if (actId === null || OPEN.includes(status)) return;
    const { before, after, events } = run;
    const expected = { refunded: 1, released: 2 }[status as string] ?? 0;
    if (events.length < expected) return;
    const state = status === 'refunded' ? 'done' : 'refused';
    await this.acts.end(actId, { state, before, after: { credits, amount_cents, ...after }, events });
  }

  private async advance(row: AdminRefundRow, progress: Progress): Promise<AdminRefundRow> {
    switch (row.status) {
      case 'reserving':
        return this.reserve(row, progress);
      case 'reserved':
        return this.refund(row);
      default:
        return this.release(row, progress);
    }
  }

  /**
   * Takes the credits back. When some were spent meanwhile, nothing is refunded, because only unspent credits may be.
   */
  private async reserve(row: AdminRefundRow, progress: Progress): Promise<AdminRefundRow> {
    const command = new ReversePurchase({
      userId: row.user_id,
      sessionId: row.session_id,
      reversalId: row.id,
      cause: 'refund',
      amountCents: row.amount_cents,
      causationId: row.act_id ?? undefined,
    });
    let status: AdminRefundStatus;
    try {
      const { debt, before, balances, addresses } = await this.step('reserve', () => this.commands.execute(command));
      Object.assign(progress, { before: { ...before }, after: { ...balances }, events: addresses });
      status = debt > 0 ? 'releasing' : 'reserved';
    } catch (error) {
      if (!(error instanceof PurchaseRefusedError)) throw error;
      status = 'refused';
    }
    return this.step('store-reserved', () => this.store(row, status));
  }

  private async refund(row: AdminRefundRow): Promise<AdminRefundRow> {
    const checkout = await this.checkouts.findBySessionId(row.session_id);
    const paymentIntentId = checkout?.payment_intent_id;
    if (!paymentIntentId) return this.store(row, 'releasing');
    let refund: ProcessorReversal;
    try {
      // The processor keeps our idempotency key for a day. An older refund is found by our own id in its metadata.
      const earlier = await this.processor.reversalsOf(paymentIntentId);
      const order = { adminRefundId: row.id, paymentIntentId, amountCents: row.amount_cents };
      refund =
        earlier.find(({ adminRefundId }) => adminRefundId === row.id) ??
        (await this.step('create-refund', () => this.processor.refund(order)));
    } catch (error) {
      if (!(error instanceof ProcessorRefusedError)) throw error;
      this.logger.error('The payment processor refused a refund.', {
        adminRefundId: row.id,
        reason: describeError(error),
      });
      return this.store(row, 'releasing', { last_error: describeError(error) });
    }
    const stored = await this.step('store-refunded', () => this.store(row, 'refunded', { refund_id: refund.id }));
    this.metrics.did('refund', 'done');
    await this.showInReceipt(row);
    return stored;
  }

  private async release(row: AdminRefundRow, progress: Progress): Promise<AdminRefundRow> {
    const { user_id: userId, session_id: sessionId, id: reversalId, act_id: actId } = row;
    const command = new ReinstatePurchase({ userId, sessionId, reversalId, causationId: actId ?? undefined });
    const { balances, addresses } = await this.step('release', () => this.commands.execute(command));
    progress.after = { ...balances };
    progress.events = [...progress.events, ...addresses];
    return this.step('store-released', () => this.store(row, 'released', { last_error: row.last_error }));
  }

  /** Shows the refund in the receipt at once. The refund's own webhook would do the same later. */
  private async showInReceipt(row: AdminRefundRow): Promise<void> {
    try {
      await this.settler.settle(row.session_id);
    } catch (error) {
      if (error instanceof PaymentBusyError) return;
      this.logger.warn('A refund is not in the receipt yet. Its webhook or the reconciliation adds it.', {
        adminRefundId: row.id,
        reason: describeError(error),
      });
    }
  }

  private async store(
    row: AdminRefundRow,
    status: AdminRefundStatus,
    more: { readonly refund_id?: string; readonly last_error?: string | null } = {},
  ): Promise<AdminRefundRow> {
    const changed = await this.db
      .updateTable('admin_refund')
      .set({ status, updated_at: this.clock.now(), attempts: 0, last_error: null, ...more })
      .where('id', '=', row.id)
      .where('status', '=', row.status)
      .returningAll()
      .executeTakeFirst();
    return changed ?? this.db.selectFrom('admin_refund').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
  }

  private async postpone(row: AdminRefundRow, reason: string): Promise<void> {
    await this.db
      .updateTable('admin_refund')
      .set({ attempts: row.attempts + 1, not_before: this.in(retryDelay(row.attempts)), last_error: reason })
      .where('id', '=', row.id)
      .where('status', '=', row.status)
      .execute();
  }

  private step<T>(step: PaymentStep, work: () => Promise<T>): Promise<T> {
    return this.checkouts.step(step, work);
  }

  private in(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}
