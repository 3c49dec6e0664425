import { Logger } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiError } from '../../platform/http/api-error.js';
import { CheckoutRows } from '../checkout-rows.js';
import { MESSAGES } from '../messages.js';
import { PaymentProcessor, type ProcessorSession, wordsOfError } from '../providers/payment-processor.js';
import { PaymentSettler } from '../use-cases/settle-payment.js';
import { type CheckoutRow } from '../tables.js';
import { type CheckoutSession } from '../../contract/payments.js';

/**
 * How a user's own checkout stands. A paid one is credited before the answer, so that the page after the payment shows the
 * credits whether or not the webhook has come.
 * @throws ApiError 404 for sessions of others and for unknown ones alike; 503 when the processor cannot be asked
 */
export class LookUpCheckout extends Query<CheckoutSession> {
  constructor(
    readonly userId: string,
    readonly sessionId: string,
  ) {
    super();
  }
}

@QueryHandler(LookUpCheckout)
export class LookUpCheckoutHandler implements IQueryHandler<LookUpCheckout> {
  private readonly logger = new Logger(LookUpCheckoutHandler.name);

  constructor(
    private readonly rows: CheckoutRows,
    private readonly processor: PaymentProcessor,
    private readonly settler: PaymentSettler,
  ) {}

  async execute({ userId, sessionId }: LookUpCheckout): Promise<CheckoutSession> {
    const row = await this.rows.bySession(sessionId);
    if (row?.user_id !== userId) throw new ApiError(404, MESSAGES.fetchFailed);
    if (row.credited_at) return viewOf(row, { status: 'complete', paymentStatus: 'paid' });
    const session = await this.read(sessionId);
    return viewOf((await this.credit(session, row)) ?? row, session);
  }

  private async read(sessionId: string): Promise<ProcessorSession> {
    try {
      return await this.processor.session(sessionId);
    } catch (error) {
      throw new ApiError(503, MESSAGES.fetchFailed, { retryAfterSeconds: 5, cause: error });
    }
  }

  /** The answer must not depend on the ledger: the webhook or the reconciliation will do what does not work now. */
  private async credit(session: ProcessorSession, row: CheckoutRow): Promise<CheckoutRow | null> {
    try {
      return await this.settler.credit(session, row);
    } catch (error) {
      this.logger.error('A payment could not be credited from its page; it will be.', {
        sessionId: session.id,
        reason: wordsOfError(error),
        error,
      });
      return null;
    }
  }
}

function viewOf(row: CheckoutRow, session: Pick<ProcessorSession, 'status' | 'paymentStatus'>): CheckoutSession {
  // A delayed payment that did not come leaves its session complete; for the fan it is over.
  const over = row.status === 'failed';
  const status = over ? 'expired' : statusOf(session.status);
  const paymentStatus = over ? 'unpaid' : paymentStatusOf(session.paymentStatus);
  return {
    id: row.session_id ?? '',
    is_paid: paymentStatus === 'paid',
    is_complete: status === 'complete',
    payment_status: paymentStatus,
    status,
    amount_total: row.amount_cents,
    currency: row.currency,
    metadata: { bundleId: row.bundle_id, bundleCredits: String(row.credits) },
    credited: row.credited_at !== null,
  };
}

function statusOf(status: string): CheckoutSession['status'] {
  return status === 'complete' || status === 'expired' ? status : 'open';
}

function paymentStatusOf(status: string): CheckoutSession['payment_status'] {
  return status === 'paid' || status === 'no_payment_required' ? status : 'unpaid';
}
