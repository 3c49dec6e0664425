import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { type PaymentTables } from '../tables.js';

/** Refuses further checkouts of a user whose account is closed. Repeating it changes nothing. */
export class CloseBuyer extends CommandOf<{ readonly userId: string }, void> {}

@CommandHandler(CloseBuyer)
export class CloseBuyerHandler implements ICommandHandler<CloseBuyer> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId } }: CloseBuyer): Promise<void> {
    await this.db
      .insertInto('payment_closed_buyer')
      .values({ user_id: userId, closed_at: this.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
