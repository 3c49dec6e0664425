import { Injectable, Logger } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
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
import { PaymentProblems } from '../reads/payment-problems.js';
import { PaymentProcessor, type ProcessorReversal, type ProcessorSession } from '../providers/payment-processor.js';
import { ReversalRows } from '../reversal-rows.js';
import { stands } from '../standing.js';
import { type CheckoutRow } from '../tables.js';

/** Somebody else works on this payment now; what they find may be older than what brought us here. */
export class PaymentBusyError extends Error {
  override readonly name = 'PaymentBusyError';
}

/**
 * Brings the ledger to what the processor says of a payment, whatever made us look: an event, the success page, the
 * reconciliation. It reads everything anew and does what is missing, each step by its own business id, so it can be done any
 * number of times, in any order, and be interrupted anywhere.
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
   * The purchase, then what went back of it. One at a time for each payment: an old reading must not overtake a newer one.
   * @throws PaymentBusyError, ProcessorUnavailableError, ProcessorRefusedError
   */
  async settle(sessionId: string): Promise<void> {
    const done = await this.locks.withLock(`payment:${sessionId}`, async () => {
      const session = await this.processor.session(sessionId);
      const row = await this.credit(session);
      if (row?.credited_at && session.paymentIntentId !== null) {
        await this.settleReversals(row, session, session.paymentIntentId);
      }
      return true;
    });
    if (!done) throw new PaymentBusyError(`Payment ${sessionId} is being worked on.`);
  }

  /**
   * Credits the session's purchase if it is paid and what we had offered, and writes down how it stands.
   * Needs no lock: what is paid stays paid.
   * @param session as just read, by itself, from the processor
   * @param known its checkout, where that was read before
   * @returns the checkout as it is then; null when it is none of ours
   */
  async credit(session: ProcessorSession, known?: CheckoutRow): Promise<CheckoutRow | null> {
    const row = known ?? (await this.rows.ofSession(session));
    if (!row) {
      if (session.paymentStatus === 'paid' && !(await this.wentBack(session))) {
        await this.problems.open(session.id, 'unknown_session', 'A paid session that no checkout of ours belongs to.');
      }
      return null;
    }
    const verdict = judgeSession(session, row);
    if (verdict.kind === 'unpaid') return this.unpaid(row, verdict.status);
    if (verdict.kind === 'mismatch') {
      if (await this.wentBack(session)) return this.unpaid(row, 'failed');
      await this.problems.open(session.id, verdict.problem, verdict.what);
      // It is not open any more: the fan can buy again.
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

  /** Whether all that was paid and not credited has been sent back: then nobody needs to look at it any more. */
  private async wentBack({ id, paymentIntentId, amountTotal }: ProcessorSession): Promise<boolean> {
    if (paymentIntentId === null) return false;
    const back = (await this.processor.reversalsOf(paymentIntentId)).filter((reversal) => stands(reversal));
    if (sumOf(back) < (amountTotal ?? 0)) return false;
    await this.problems.resolve(id);
    return true;
  }

  /** False when the ledger refuses it, which a person must look at. */
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
    return this.writing(session.id, async () => {
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
    const standing = new Set(purchase?.reversals);
    for (const reversal of found) await this.settleReversal(row, session.id, reversal, standing);
  }

  private async settleReversal(
    row: CheckoutRow,
    sessionId: string,
    reversal: ProcessorReversal,
    standing: ReadonlySet<string>,
  ): Promise<void> {
    const gone = stands(reversal);
    if (gone === null || reversal.currency !== row.currency) {
      const what = `A ${reversal.kind} that is ${reversal.state}, in ${reversal.currency}, cannot be judged.`;
      await this.problems.open(reversal.id, 'wrong_content', what);
      return;
    }
    const { user_id: userId } = row;
    const reversalId = await this.reversals.ledgerIdOf(sessionId, reversal);
    const { kind: cause, amountCents } = reversal;
    const written = await this.writing(reversal.id, async () => {
      if (gone && !standing.has(reversalId)) {
        const command = new ReversePurchase({ userId, sessionId, reversalId, cause, amountCents });
        const { recorded, revoked, debt } = await this.rows.step('reverse', () => this.commands.execute(command));
        if (!recorded) return this.requireStanding(userId, sessionId, reversalId);
        this.metrics.did('reverse', 'done');
        this.logger.log('A purchase was reversed.', { sessionId, userId, reversalId, cause, revoked, debt });
      } else if (!gone && standing.has(reversalId)) {
        const command = new ReinstatePurchase({ userId, sessionId, reversalId });
        const { recorded } = await this.rows.step('reinstate', () => this.commands.execute(command));
        if (!recorded) return;
        this.metrics.did('reinstate', 'done');
        this.logger.log('A purchase was reinstated.', { sessionId, userId, reversalId, cause });
      }
    });
    if (!written) return;
    await this.rows.step('store-reversal', () => this.reversals.store(sessionId, reversalId, reversal, gone));
    await this.problems.resolve(reversal.id);
  }

  /** The ledger takes a reversal back once. Should the processor change its mind again, that must not pass for done. */
  private async requireStanding(userId: string, sessionId: string, reversalId: string): Promise<void> {
    const purchase = await this.queries.execute(new GetPurchase({ userId, sessionId }));
    if (purchase?.reversals.includes(reversalId)) return;
    throw new PurchaseRefusedError(sessionId, `${reversalId} counts again, and the ledger has given it back for good.`);
  }

  /** What the ledger refuses for good is for a person; everything else is thrown, and tried again. */
  private async writing(subject: string, write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      if (!(error instanceof PurchaseRefusedError)) throw error;
      await this.problems.open(subject, 'ledger_refused', error.message);
      return false;
    }
  }
}

function sumOf(reversals: readonly ProcessorReversal[]): number {
  return reversals.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
