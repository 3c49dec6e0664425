import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type AccountClosing, CLOSING_CONFIRMATION } from '../../../contract/closing.js';
import { GetOwnCreator } from '../../../creators/index.js';
import { HasPendingGeneration } from '../../../generation/index.js';
import { GetRefundable } from '../../../payments/index.js';
import { QueryOf } from '../../../platform/messages.js';
import { ClosureRows } from '../closure-rows.js';
import { toReceipt } from '../receipt.js';

/** A preview of closing the account of a user, and the state of its closure. */
export class GetAccountClosing extends QueryOf<{ readonly userId: string }, AccountClosing> {}

@QueryHandler(GetAccountClosing)
export class GetAccountClosingHandler implements IQueryHandler<GetAccountClosing> {
  constructor(
    private readonly rows: ClosureRows,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input: { userId } }: GetAccountClosing): Promise<AccountClosing> {
    const [closure, { balances, purchases }, isPending, creator] = await Promise.all([
      this.rows.findByUser(userId),
      this.queries.execute(new GetRefundable({ userId })),
      this.queries.execute(new HasPendingGeneration({ userId })),
      this.queries.execute(new GetOwnCreator({ userId })),
    ]);
    return {
      paid_credits: balances.paid,
      paid_cents: purchases.reduce((sum, { refund_cents: cents }) => sum + cents, 0),
      purchases,
      free_credits: balances.daily + balances.bonus,
      pending_images: isPending ? 1 : 0,
      creator: creator && { id: creator.id, username: creator.username, name: creator.name },
      confirmation: CLOSING_CONFIRMATION,
      closure: closure && toReceipt(closure),
    };
  }
}
