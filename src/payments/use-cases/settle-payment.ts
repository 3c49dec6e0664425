import { Injectable, Logger } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  AccountDeletedError,
  GetPurchase,
  PurchaseCredits,
  PurchaseRefusedError,
  ReinstatePurchase,
  ReversePurchase,
} from '../../credits/index.js';
import { Locks } from '../../platform/locks.js';
import { CheckoutRows } from '../checkout-rows.js';
import { judgeSession } from '../judge-session.js';
import { PaymentMetrics } from '../workers/payment-metrics.js';
import { PaymentProblems } from '../payment-problems.js';
import {
  checkoutIdOf,
  PaymentProcessor,
  type ProcessorReversal,
  type ProcessorSession,
} from '../providers/payment-processor.js';
import { ReversalRows } from '../reversal-rows.js';
import { stands } from '../standing.js';
import { type CheckoutRow } from '../tables.js';

/** Another worker holds this payment. Its read may be older than the cause of this call, so try again later. */
export class PaymentBusyError extends Error {
  override readonly name = 'PaymentBusyError';
}

/**
 * Brings the ledger in line with the processor's state of a payment. Webhooks, the success page and the reconciliation
 * call it. It reads the whole state from the processor and does what is missing. Each step is idempotent by its
 * business id, so settling may repeat, run in any order and stop anywhere.
 */
@Injectable()
export class PaymentSettler {
  private readonly logger = new Logger(PaymentSettler.name);

  constructor(
    private readonly processor: PaymentProcessor,
    private readonly rows: CheckoutRows,
    private readonly reversals: ReversalRows,
    private readonly problems: PaymentProblems,
    private readonly metrics: PaymentMetrics,
    private readonly locks: Locks,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Settles the purchase and then its reversals. A lock per payment keeps an old read from overtaking a newer one.
   * @throws PaymentBusyError, ProcessorUnavailableError, ProcessorRefusedError
   */
  async settle(sessionId: string): Promise<void> {
    const done = await this.locks.withLock(`payment:${sessionId}`, async () => {
      const session = await this.processor.session(sessionId);
      const row = await this.credit(session);
      const { paymentIntentId } = session;
      if (row?.credited_at && paymentIntentId !== null) {
        await this.recordRefusals(session.id, () => this.settleReversals(row, session, paymentIntentId));
      }
      return true;
    });
    if (!done) throw new PaymentBusyError(`Payment ${sessionId} is locked by another worker.`);
  }

  /**
   * Credits the purchase of a session that is paid as offered, and stores the checkout's state. Needs no lock, because
   * a paid session stays paid.
   * @param session just read from the processor, not from a list
   * @param known its checkout, if the caller has read it
   * @returns the checkout as stored; null for a session without a checkout
   */
  async credit(session: ProcessorSession, known?: CheckoutRow): Promise<CheckoutRow | null> {
    const row = known ?? (await this.rows.findBySession(session));
    if (!row) {
      // Another shop may use the same account. Its sessions name no checkout.
      const isOurs = checkoutIdOf(session) !== null;
      if (isOurs && session.paymentStatus === 'paid' && !(await this.wasReturned(session))) {
        await this.problems.open(session.id, 'unknown_session', 'A paid session without a checkout.');
      }
      return null;
    }
    const verdict = judgeSession(session, row);
    if (verdict.kind === 'unpaid') return this.unpaid(row, verdict.status);
    if (verdict.kind === 'mismatch') {
      if (await this.wasReturned(session)) return this.unpaid(row, 'failed');
      await this.problems.open(session.id, verdict.problem, verdict.description);
      // The checkout must not stay open, so that the fan can buy again.
      return this.unpaid(row, 'processing');
    }
    if (!(await this.purchase(row, session))) return row;
    if (row.credited_at && (row.receipt_url !== null || session.receiptUrl === null)) return row;
    return this.rows.step('store-credited', () => this.rows.storeCredited(row.id, session));
  }

  private async unpaid(row: CheckoutRow, status: 'open' | 'processing' | 'failed' | 'expired'): Promise<CheckoutRow> {
    await this.rows.storeUnpaid(row.id, status);
    return row.credited_at ? row : { ...row, status };
  }

  /** Whether the whole uncredited payment was returned. Then its problem is resolved. */
  private async wasReturned({ id, paymentIntentId, amountTotal }: ProcessorSession): Promise<boolean> {
    if (paymentIntentId === null) return false;
    const returned = (await this.processor.reversalsOf(paymentIntentId)).filter((reversal) => stands(reversal));
    if (totalCents(returned) < (amountTotal ?? 0)) return false;
    await this.problems.resolve(id);
    return true;
  }

  /** False when the ledger refuses the purchase, which opens a problem for admins. */
  private async purchase(row: CheckoutRow, session: ProcessorSession): Promise<boolean> {
    const { user_id: userId, bundle_id: bundleId, credits, amount_cents: cents } = row;
    const command = new PurchaseCredits({
      userId,
      sessionId: session.id,
      bundleId,
      credits,
      amountCents: cents,
      paymentIntentId: session.paymentIntentId,
    });
    return this.recordRefusals(session.id, async () => {
      const { recorded } = await this.rows.step('credit', () => this.commands.execute(command));
      if (recorded) {
        this.metrics.did('credit', 'done');
        this.logger.log('A purchase was credited.', { sessionId: session.id, userId, credits });
      }
      if (!row.credited_at) await this.problems.resolve(session.id);
    });
  }

  private async settleReversals(row: CheckoutRow, session: ProcessorSession, paymentIntentId: string): Promise<void> {
    const found = await this.processor.reversalsOf(paymentIntentId);
    if (found.length === 0) return;
    const purchase = await this.queries.execute(new GetPurchase({ userId: row.user_id, sessionId: session.id }));
    const recordedIds = new Set(purchase?.reversals);
    for (const reversal of found) await this.settleReversal(row, session.id, reversal, recordedIds);
  }

  private async settleReversal(
    row: CheckoutRow,
    sessionId: string,
    reversal: ProcessorReversal,
    recordedIds: ReadonlySet<string>,
  ): Promise<void> {
    const returned = stands(reversal);
    if (returned === null || reversal.currency !== row.currency) {
      const description = `A ${reversal.kind} that is ${reversal.state}, in ${reversal.currency}, cannot be judged.`;
      await this.problems.open(reversal.id, 'wrong_content', description);
      return;
    }
    const { user_id: userId } = row;
    const reversalId = await this.reversals.ledgerId(sessionId, reversal);
    const { kind: cause, amountCents } = reversal;
    const written = await this.recordRefusals(reversal.id, async () => {
      if (returned && !recordedIds.has(reversalId)) {
        const command = new ReversePurchase({ userId, sessionId, reversalId, cause, amountCents });
        const { recorded, revoked, debt } = await this.rows.step('reverse', () => this.commands.execute(command));
        if (!recorded) return this.requireStanding(userId, sessionId, reversalId);
        this.metrics.did('reverse', 'done');
        this.logger.log('A purchase was reversed.', { sessionId, userId, reversalId, cause, revoked, debt });
      } else if (!returned && recordedIds.has(reversalId)) {
        const command = new ReinstatePurchase({ userId, sessionId, reversalId });
        const { recorded } = await this.rows.step('reinstate', () => this.commands.execute(command));
        if (!recorded) return;
        this.metrics.did('reinstate', 'done');
        this.logger.log('A purchase was reinstated.', { sessionId, userId, reversalId, cause });
      }
    });
    if (!written) return;
    await this.rows.step('store-reversal', () => this.reversals.store(sessionId, reversalId, reversal, returned));
    await this.problems.resolve(reversal.id);
  }

  /** The ledger reinstates a reversal once. If the processor reverses it again, this must become a problem. */
  private async requireStanding(userId: string, sessionId: string, reversalId: string): Promise<void> {
    const purchase = await this.queries.execute(new GetPurchase({ userId, sessionId }));
    if (purchase?.reversals.includes(reversalId)) return;
    throw new PurchaseRefusedError(
      sessionId,
      `${reversalId} was reversed again, but the ledger has already reinstated it.`,
    );
  }

  /** Runs a ledger write. A permanent refusal becomes a problem for admins; other errors are thrown and retried. */
  private async recordRefusals(subject: string, write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      const deleted = error instanceof AccountDeletedError;
      if (!deleted && !(error instanceof PurchaseRefusedError)) throw error;
      const sentence = deleted ? 'The account of the fan was deleted in the event store.' : error.message;
      await this.problems.open(subject, 'ledger_refused', sentence);
      return false;
    }
  }
}

function totalCents(reversals: readonly ProcessorReversal[]): number {
  return reversals.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
