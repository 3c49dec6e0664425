import { Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../platform/domain-error.js';
import { CheckoutRows } from '../checkout-rows.js';
import { MESSAGES } from '../messages.js';
import { PaymentProcessor, type ProcessorSession, describeError } from '../providers/payment-processor.js';
import { PaymentSettler } from './settle-payment.js';
import { type CheckoutRow } from '../tables.js';
import { type CheckoutSession } from '../../contract/payments.js';

/**
 * Reads the state of a user's own checkout. Credits a paid checkout before it answers, so the success page shows the
 * credits even when the webhook has not arrived.
 * @throws DomainError notFound for unknown sessions and those of other users; unavailable when the processor does not
 *   answer
 */
export class LookUpCheckout extends Command<CheckoutSession> {
  constructor(readonly input: { readonly userId: string; readonly sessionId: string }) {
    super();
  }
}

@CommandHandler(LookUpCheckout)
export class LookUpCheckoutHandler implements ICommandHandler<LookUpCheckout> {
  private readonly logger = new Logger(LookUpCheckoutHandler.name);

  constructor(
    private readonly rows: CheckoutRows,
    private readonly processor: PaymentProcessor,
    private readonly settler: PaymentSettler,
  ) {}

  async execute({ input: { userId, sessionId } }: LookUpCheckout): Promise<CheckoutSession> {
    const row = await this.rows.findBySessionId(sessionId);
    if (row?.user_id !== userId) throw new DomainError('notFound', MESSAGES.fetchFailed);
    if (row.credited_at) return toCheckoutSession(row, { status: 'complete', paymentStatus: 'paid' });
    const session = await this.read(sessionId);
    return toCheckoutSession((await this.credit(session, row)) ?? row, session);
  }

  private async read(sessionId: string): Promise<ProcessorSession> {
    try {
      return await this.processor.session(sessionId);
    } catch (error) {
      throw new DomainError('unavailable', MESSAGES.fetchFailed, { retryAfterSeconds: 5, cause: error });
    }
  }

  /** A failing ledger must not fail the answer: the webhook or the reconciliation credits the purchase later. */
  private async credit(session: ProcessorSession, row: CheckoutRow): Promise<CheckoutRow | null> {
    try {
      return await this.settler.credit(session, row);
    } catch (error) {
      this.logger.error(
        'The look-up of a checkout could not credit its payment. The webhook or the reconciliation retries it.',
        {
          sessionId: session.id,
          reason: describeError(error),
          error,
        },
      );
      return null;
    }
  }
}

function toCheckoutSession(
  row: CheckoutRow,
  session: Pick<ProcessorSession, 'status' | 'paymentStatus'>,
): CheckoutSession {
  // A session stays complete when its delayed payment fails. Report it as expired: the fan can no longer pay it.
  const over = row.status === 'failed';
  const status = over ? 'expired' : toStatus(session.status);
  const paymentStatus = over ? 'unpaid' : toPaymentStatus(session.paymentStatus);
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

function toStatus(status: string): CheckoutSession['status'] {
  return status === 'complete' || status === 'expired' ? status : 'open';
}

function toPaymentStatus(status: string): CheckoutSession['payment_status'] {
  return status === 'paid' || status === 'no_payment_required' ? status : 'unpaid';
}
