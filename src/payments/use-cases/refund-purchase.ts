import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { GetPurchase, OwnAccountError, type PurchaseStatus } from '../../credits/index.js';
import { type Actor } from '../../platform/acts/actor.js';
import { actIdOf, Acts } from '../../platform/acts/acts.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { AdminRefunds, type NewAdminRefund, RefundUnderWayError } from './admin-refunds.js';
import { CheckoutRows } from '../checkout-rows.js';
import { MESSAGES } from '../messages.js';
import { type AdminRefundRow, type CheckoutRow } from '../tables.js';

/**
 * An admin's refund of unspent paid credits. It takes the credits back first and then sends the money back.
 * @throws DomainError with the reason for a refusal, which changes neither credits nor money
 */
export class RefundPurchase extends CommandOf<
  {
    readonly admin: Actor;
    readonly sessionId: string;
    /** Null: all unspent credits. */
    readonly credits: number | null;
    readonly reason: string;
    /** Idempotency key: repeating an id returns the same refund. Null: always a new refund. */
    readonly requestId: string | null;
  },
  AdminRefundRow
> {}

@CommandHandler(RefundPurchase)
export class RefundPurchaseHandler implements ICommandHandler<RefundPurchase> {
  constructor(
    private readonly checkouts: CheckoutRows,
    private readonly refunds: AdminRefunds,
    private readonly queries: QueryBus,
    private readonly ids: IdGenerator,
    private readonly acts: Acts,
  ) {}

  async execute({ input }: RefundPurchase): Promise<AdminRefundRow> {
    const { checkout, earlier } = await this.refunds.find(input.sessionId, input.requestId);
    if (checkout?.user_id === input.admin.userId) throw new OwnAccountError();
    const row = earlier ?? (await this.record(input.admin, await this.order(input, checkout)));
    if (row.session_id !== input.sessionId) throw new DomainError('conflict', MESSAGES.refundUnderWay);
    const driven = earlier ? row : await this.refunds.drive(row);
    if (driven.status === 'refused') throw new DomainError('conflict', MESSAGES.nothingToRefund);
    if (driven.status === 'released') {
      // Released without an error: the fan spent the credits while the refund began.
      if (driven.last_error === null) throw new DomainError('conflict', MESSAGES.spentMeanwhile);
      throw new DomainError('upstreamFailed', MESSAGES.refundRefused, { code: 'P0502' });
    }
    return driven;
  }

  /** Announces the act and stores the order, which the payment worker continues and ends. */
  private async record(admin: Actor, order: Omit<NewAdminRefund, 'act_id'>): Promise<AdminRefundRow> {
    const { id, session_id: sessionId, user_id: userId, credits, amount_cents, reason } = order;
    const act_id = await this.acts.announce(
      {
        kind: 'purchase.refunded',
        actor: admin,
        subject: { kind: 'purchase', id: sessionId },
        userId,
        after: { credits, amount_cents },
        reason,
      },
      actIdOf('purchase.refunded', id, admin.userId, credits, reason),
    );
    try {
      return await this.checkouts.step('record-refund', () => this.refunds.insert({ ...order, act_id }));
    } catch (error) {
      if (!(error instanceof RefundUnderWayError)) throw error;
      await this.acts.end(act_id, { state: 'refused' });
      throw new DomainError('conflict', MESSAGES.refundUnderWay, { cause: error });
    }
  }

  private async order(
    { admin, sessionId, credits, reason, requestId }: RefundPurchase['input'],
    checkout: Pick<CheckoutRow, 'user_id'> | null,
  ): Promise<Omit<NewAdminRefund, 'act_id'>> {
    const purchase = checkout && (await this.queries.execute(new GetPurchase({ userId: checkout.user_id, sessionId })));
    if (!checkout || !purchase) throw new DomainError('notFound', MESSAGES.purchaseNotFound);
    if (purchase.remaining === 0) throw new DomainError('conflict', MESSAGES.nothingToRefund);
    const wanted = credits ?? purchase.remaining;
    if (wanted > purchase.remaining) throw new DomainError('conflict', MESSAGES.refundTooLarge(purchase.remaining));
    return {
      id: requestId ?? this.ids.next(),
      session_id: sessionId,
      user_id: checkout.user_id,
      credits: wanted,
      amount_cents: priceOf(wanted, purchase),
      actor_id: admin.userId,
      reason,
    };
  }
}

/**
 * Returns the smallest amount in cents for which the ledger takes back `credits` more credits. The ledger computes the
 * credits of a purchase from its total reversed amount, rounded down.
 */
export function priceOf(
  credits: number,
  purchase: Pick<PurchaseStatus, 'credits' | 'amountCents' | 'reversedCredits' | 'reversedCents'>,
): number {
  const reversedAfter = purchase.reversedCredits + credits;
  return Math.ceil((reversedAfter * purchase.amountCents) / purchase.credits) - purchase.reversedCents;
}
