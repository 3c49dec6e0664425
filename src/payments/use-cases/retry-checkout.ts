import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Actor } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { CheckoutRows } from '../checkout-rows.js';
import { MESSAGES } from '../messages.js';
import { PaymentBusyError, PaymentSettler } from './settle-payment.js';
import { ProcessorRefusedError, ProcessorUnavailableError } from '../providers/payment-processor.js';

/**
 * Settles a payment again at an admin's word, as the reconciliation does.
 * @returns the checkout's status afterwards
 * @throws DomainError notFound for an unknown session; unavailable while the processor does not answer, or another
 * worker holds the payment; upstreamFailed when the processor refuses
 */
export class RetryCheckout extends CommandOf<{ readonly sessionId: string; readonly admin: Actor }, string> {}

@CommandHandler(RetryCheckout)
export class RetryCheckoutHandler implements ICommandHandler<RetryCheckout> {
  constructor(
    private readonly checkouts: CheckoutRows,
    private readonly settler: PaymentSettler,
    private readonly acts: Acts,
  ) {}

  async execute({ input: { sessionId, admin } }: RetryCheckout): Promise<string> {
    const before = await this.checkouts.findBySessionId(sessionId);
    if (!before) throw new DomainError('notFound', MESSAGES.purchaseNotFound);
    const act = await this.acts.announce({
      kind: 'payment_problem.resolved',
      actor: admin,
      subject: { kind: 'purchase', id: sessionId },
      userId: before.user_id,
      before: { status: before.status },
    });
    try {
      await this.settler.settle(sessionId);
    } catch (error) {
      await this.acts.end(act, { state: 'refused', before: { status: before.status } });
      throw refusalOf(error);
    }
    const status = (await this.checkouts.findBySessionId(sessionId))?.status ?? before.status;
    await this.acts.end(act, { state: 'done', before: { status: before.status }, after: { status } });
    return status;
  }
}

function refusalOf(cause: unknown): unknown {
  if (cause instanceof PaymentBusyError || cause instanceof ProcessorUnavailableError) {
    return new DomainError('unavailable', MESSAGES.fetchFailed, { retryAfterSeconds: 5, cause });
  }
  if (cause instanceof ProcessorRefusedError) return new DomainError('upstreamFailed', MESSAGES.fetchFailed, { cause });
  return cause;
}
