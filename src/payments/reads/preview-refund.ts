import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type RefundPreview } from '../../contract/admin-users.js';
import { GetPurchase, GetUnspentPurchases } from '../../credits/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { QueryOf } from '../../platform/messages.js';
import { CheckoutRows } from '../checkout-rows.js';
import { MESSAGES } from '../messages.js';
import { priceOf } from '../use-cases/refund-purchase.js';

/**
 * Computes a refund without ordering it, with the rules of `RefundPurchase`.
 * @throws DomainError notFound for an unknown purchase
 */
export class PreviewRefund extends QueryOf<
  {
    readonly sessionId: string;
    /** Null: all unspent credits. */
    readonly credits: number | null;
  },
  RefundPreview
> {}

@QueryHandler(PreviewRefund)
export class PreviewRefundHandler implements IQueryHandler<PreviewRefund> {
  constructor(
    private readonly checkouts: CheckoutRows,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input: { sessionId, credits: asked } }: PreviewRefund): Promise<RefundPreview> {
    const checkout = await this.checkouts.findBySessionId(sessionId);
    const userId = checkout?.user_id;
    const purchase = userId === undefined ? null : await this.queries.execute(new GetPurchase({ userId, sessionId }));
    if (userId === undefined || !purchase) throw new DomainError('notFound', MESSAGES.purchaseNotFound);
    const { balances } = await this.queries.execute(new GetUnspentPurchases({ userId }));
    const { remaining: unspent } = purchase;
    const credits = asked ?? unspent;
    const refused =
      unspent === 0 ? MESSAGES.nothingToRefund : credits > unspent ? MESSAGES.refundTooLarge(unspent) : null;
    return {
      session_id: sessionId,
      credits,
      amount_cents: refused === null ? priceOf(credits, purchase) : 0,
      unspent,
      balance_before: balances.total,
      balance_after: refused === null ? balances.total - credits : balances.total,
      spent: Math.max(0, purchase.credits - purchase.reversedCredits - unspent),
      // Only unspent credits are refunded, and they have earned nothing.
      creators: [],
      refused,
    };
  }
}
