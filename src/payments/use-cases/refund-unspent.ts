import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { GetUnspentPurchases } from '../../credits/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { CheckoutRows } from '../checkout-rows.js';
import { PaymentProblems } from '../payment-problems.js';
import { type PaymentTables } from '../tables.js';
import { AdminRefunds, RefundUnderWayError } from './admin-refunds.js';
import { priceOf } from './refund-purchase.js';

/** Orders of one closing for one purchase, after which a person must act. */
const MAX_REFUSED = 3;

export interface UnspentRefund {
  /** Refunds ordered under this closing that the processor has accepted, their credits and cents. */
  readonly refunds: number;
  readonly credits: number;
  readonly cents: number;
  /** Refunds on their way to the processor. The payment worker continues with them. */
  readonly waiting: number;
  /** Purchases with unspent credits that the processor refused to refund. Admins see a payment problem. */
  readonly refused: number;
}

/**
 * Refunds all unspent purchases of a user who closed the account: the ledger takes the credits back, then the processor
 * returns the money. Repeating it continues: an order takes its credits once, so no purchase is refunded twice.
 */
export class RefundUnspent extends CommandOf<
  {
    readonly userId: string;
    /** Names the orders of this closing. */
    readonly reason: string;
  },
  UnspentRefund
> {}

@CommandHandler(RefundUnspent)
export class RefundUnspentHandler implements ICommandHandler<RefundUnspent> {
  private readonly logger = new Logger(RefundUnspentHandler.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly checkouts: CheckoutRows,
    private readonly refunds: AdminRefunds,
    private readonly problems: PaymentProblems,
    private readonly queries: QueryBus,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input }: RefundUnspent): Promise<UnspentRefund> {
    const { purchases } = await this.queries.execute(new GetUnspentPurchases({ userId: input.userId }));
    let refused = 0;
    for (const purchase of purchases) {
      if (await this.isRefused(purchase.sessionId, input.reason)) {
        refused += 1;
        const description = 'The processor refuses to refund a purchase of a closed account.';
        await this.problems.open(purchase.sessionId, 'refund_refused', description);
        continue;
      }
      const order = {
        id: this.ids.next(),
        session_id: purchase.sessionId,
        user_id: input.userId,
        credits: purchase.remaining,
        amount_cents: priceOf(purchase.remaining, purchase),
        actor_id: input.userId,
        reason: input.reason,
        act_id: null,
      };
      try {
        const row = await this.checkouts.step('record-refund', () => this.refunds.insert(order));
        await this.refunds.drive(row);
      } catch (error) {
        // An order that an admin or an interrupted attempt began: the payment worker ends it.
        if (!(error instanceof RefundUnderWayError)) throw error;
      }
    }
    return { ...(await this.sums(input)), refused };
  }

  private async isRefused(sessionId: string, reason: string): Promise<boolean> {
    const { count } = await this.db
      .selectFrom('admin_refund')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('session_id', '=', sessionId)
      .where('reason', '=', reason)
      .where('status', 'in', ['released', 'refused'])
      .executeTakeFirstOrThrow();
    return count >= MAX_REFUSED;
  }

  private async sums({ userId, reason }: RefundUnspent['input']): Promise<Omit<UnspentRefund, 'refused'>> {
    const { purchases } = await this.queries.execute(new GetUnspentPurchases({ userId }));
    const orders = await this.db
      .selectFrom('admin_refund')
      .innerJoin('checkout', 'checkout.session_id', 'admin_refund.session_id')
      .select(['admin_refund.status', 'admin_refund.credits', 'admin_refund.amount_cents', 'admin_refund.reason'])
      .select('admin_refund.session_id')
      .where('checkout.user_id', '=', userId)
      .execute();
    const open = orders.filter(({ status }) => ['reserving', 'reserved', 'releasing'].includes(status));
    const done = orders.filter((order) => order.status === 'refunded' && order.reason === reason);
    // Refunded, or taken back by an admin who returned the money another way.
    for (const sessionId of new Set(orders.map((order) => order.session_id))) {
      if (!purchases.some((purchase) => purchase.sessionId === sessionId)) await this.problems.resolve(sessionId);
    }
    this.logger.log('Unspent credits of a closed account are refunded.', { refunds: done.length, open: open.length });
    return {
      refunds: done.length,
      credits: done.reduce((sum, { credits }) => sum + credits, 0),
      cents: done.reduce((sum, { amount_cents: cents }) => sum + cents, 0),
      // Credits that are left will be ordered by the next attempt.
      waiting: Math.max(open.length, purchases.length),
    };
  }
}
