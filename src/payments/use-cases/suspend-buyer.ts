import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Transaction } from 'kysely';
import { CommandOf } from '../../platform/messages.js';
import { type PaymentTables } from '../tables.js';

/** Refuses checkouts of a suspended user, or allows them again, in the caller's transaction. */
export class SuspendBuyer extends CommandOf<
  {
    readonly transaction: Transaction<PaymentTables>;
    readonly userId: string;
    /** Null for no suspension. */
    readonly suspension: { readonly until: Date | null } | null;
  },
  void
> {}

@CommandHandler(SuspendBuyer)
export class SuspendBuyerHandler implements ICommandHandler<SuspendBuyer> {
  async execute({ input: { transaction, userId, suspension } }: SuspendBuyer): Promise<void> {
    if (suspension === null) {
      await transaction.deleteFrom('payment_suspended_buyer').where('user_id', '=', userId).execute();
      return;
    }
    const { until } = suspension;
    await transaction
      .insertInto('payment_suspended_buyer')
      .values({ user_id: userId, until })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ until }))
      .execute();
  }
}
