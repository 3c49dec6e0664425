import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { GetPurchase, type PurchaseStatus } from '../../credits/index.js';
import { ApiError } from '../../platform/http/api-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { AdminRefunds, type NewAdminRefund, RefundUnderWayError } from './admin-refunds.js';
import { CheckoutRows } from '../checkout-rows.js';
import { MESSAGES } from '../messages.js';
import { type AdminRefundRow, type CheckoutRow } from '../tables.js';

/**
 * An admin's refund of paid credits that are not spent: takes them back, then sends the money back.
 * @throws ApiError with the reason for every refusal; then neither has happened
 */
export class RefundPurchase extends Command<AdminRefundRow> {
  constructor(
    readonly actorId: string,
    readonly sessionId: string,
    /** Null: all that is unspent. */
    readonly credits: number | null,
    readonly reason: string,
    /** The same id again is the same refund; null makes a new one. */
    readonly requestId: string | null,
  ) {
    super();
  }
}

@CommandHandler(RefundPurchase)
export class RefundPurchaseHandler implements ICommandHandler<RefundPurchase> {
  constructor(
    private readonly checkouts: CheckoutRows,
    private readonly refunds: AdminRefunds,
    private readonly queries: QueryBus,
    private readonly ids: IdGenerator,
  ) {}

  async execute(command: RefundPurchase): Promise<AdminRefundRow> {
    const { checkout, earlier } = await this.refunds.look(command.sessionId, command.requestId);
    const row = earlier ?? (await this.record(await this.order(command, checkout)));
    if (row.session_id !== command.sessionId) throw new ApiError(409, MESSAGES.refundUnderWay);
    const driven = earlier ? row : await this.refunds.drive(row);
    if (driven.status === 'refused') throw new ApiError(409, MESSAGES.nothingToRefund);
    if (driven.status === 'released') {
      // Without an error it was our own doing: some of it had been spent meanwhile.
      if (driven.last_error === null) throw new ApiError(409, MESSAGES.spentMeanwhile);
      throw new ApiError(502, MESSAGES.refundRefused, { code: 'P0502' });
    }
    return driven;
  }

  private async record(order: NewAdminRefund): Promise<AdminRefundRow> {
    try {
      return await this.checkouts.step('record-refund', () => this.refunds.insert(order));
    } catch (error) {
      if (error instanceof RefundUnderWayError) throw new ApiError(409, MESSAGES.refundUnderWay, { cause: error });
      throw error;
    }
  }

  private async order(
    { actorId, sessionId, credits, reason, requestId }: RefundPurchase,
    checkout: Pick<CheckoutRow, 'user_id'> | null,
  ): Promise<NewAdminRefund> {
    const purchase = checkout && (await this.queries.execute(new GetPurchase({ userId: checkout.user_id, sessionId })));
    if (!checkout || !purchase) throw new ApiError(404, MESSAGES.purchaseNotFound);
    if (purchase.remaining === 0) throw new ApiError(409, MESSAGES.nothingToRefund);
    const wanted = credits ?? purchase.remaining;
    if (wanted > purchase.remaining) throw new ApiError(409, MESSAGES.refundTooLarge(purchase.remaining));
    return {
      id: requestId ?? this.ids.next(),
      session_id: sessionId,
      user_id: checkout.user_id,
      credits: wanted,
      amount_cents: priceOf(wanted, purchase),
      actor_id: actorId,
      reason,
    };
  }
}

/**
 * The smallest amount for which the ledger takes back so many more credits of the purchase: it rounds credits down over all
 * that went back of it.
 */
export function priceOf(
  credits: number,
  purchase: Pick<PurchaseStatus, 'credits' | 'amountCents' | 'reversedCredits' | 'reversedCents'>,
): number {
  const upTo = purchase.reversedCredits + credits;
  return Math.ceil((upTo * purchase.amountCents) / purchase.credits) - purchase.reversedCents;
}
