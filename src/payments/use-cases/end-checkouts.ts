import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { CheckoutRows } from '../checkout-rows.js';
import { PaymentProcessor, ProcessorRefusedError } from '../providers/payment-processor.js';
import { type PaymentTables } from '../tables.js';
import { PaymentSettler } from './settle-payment.js';

/**
 * Ends the open checkouts of a user at the processor. One that was paid meanwhile is credited. A payment that is on its
 * way cannot be stopped and is credited when it arrives. Returns the number of checkouts that were ended.
 * @throws ProcessorUnavailableError
 */
export class EndCheckouts extends CommandOf<{ readonly userId: string }, number> {}

@CommandHandler(EndCheckouts)
export class EndCheckoutsHandler implements ICommandHandler<EndCheckouts> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly checkouts: CheckoutRows,
    private readonly processor: PaymentProcessor,
    private readonly settler: PaymentSettler,
  ) {}

  async execute({ input: { userId } }: EndCheckouts): Promise<number> {
    const open = await this.db
      .selectFrom('checkout')
      .select(['id', 'session_id'])
      .where('user_id', '=', userId)
      .where('status', 'in', ['creating', 'open'])
      .execute();
    for (const { id, session_id: sessionId } of open) {
      // If a session exists nevertheless, the reconciliation finds it by its metadata.
      if (sessionId === null) await this.checkouts.storeUnpaid(id, 'expired');
      else await this.end(sessionId);
    }
    return open.length;
  }

  private async end(sessionId: string): Promise<void> {
    try {
      await this.processor.expireSession(sessionId);
    } catch (error) {
      // It was paid or has expired meanwhile: settling stores which.
      if (!(error instanceof ProcessorRefusedError)) throw error;
    }
    await this.settler.settle(sessionId);
  }
}
