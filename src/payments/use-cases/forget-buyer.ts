import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { PaymentProcessor, ProcessorNotFoundError } from '../providers/payment-processor.js';
import { type PaymentTables } from '../tables.js';

/** Sessions read at once. */
const AT_ONCE = 4;

export interface ForgottenBuyer {
  /** Customer records deleted at the processor by this call. */
  readonly customers: number;
  /** Links to receipts erased by this call. */
  readonly receipts: number;
}

/**
 * Deletes the customer records of a user at the processor, the links to receipts, whose pages show an address, and the
 * row of a suspension. Our checkouts create no customer records; an operator or a setting at the processor can. The
 * payments themselves stay at the processor. Repeating it changes nothing.
 * @throws ProcessorUnavailableError
 */
export class ForgetBuyer extends CommandOf<{ readonly userId: string }, ForgottenBuyer> {}

@CommandHandler(ForgetBuyer)
export class ForgetBuyerHandler implements ICommandHandler<ForgetBuyer> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly processor: PaymentProcessor,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId } }: ForgetBuyer): Promise<ForgottenBuyer> {
    const checkouts = await this.db
      .selectFrom('checkout')
      .select('session_id')
      .where('user_id', '=', userId)
      .where('session_id', 'is not', null)
      .execute();
    const customers = new Set<string>();
    for (let next = 0; next < checkouts.length; next += AT_ONCE) {
      const page = checkouts.slice(next, next + AT_ONCE);
      for (const customer of await Promise.all(page.map(({ session_id: id }) => this.customerOf(id ?? '')))) {
        if (customer !== null) customers.add(customer);
      }
    }
    for (const customer of customers) await this.processor.deleteCustomer(customer);
    // A closed account opens no checkout anyway.
    await this.db.deleteFrom('payment_suspended_buyer').where('user_id', '=', userId).execute();
    const { numUpdatedRows } = await this.db
      .updateTable('checkout')
      .set({ receipt_url: null, updated_at: this.clock.now() })
      .where('user_id', '=', userId)
      // As in the partial index. A checkout without a session has no receipt.
      .where('session_id', 'is not', null)
      .where('receipt_url', 'is not', null)
      .executeTakeFirstOrThrow();
    return { customers: customers.size, receipts: Number(numUpdatedRows) };
  }

  private async customerOf(sessionId: string): Promise<string | null> {
    try {
      return await this.processor.customerOf(sessionId);
    } catch (error) {
      if (error instanceof ProcessorNotFoundError) return null;
      throw error;
    }
  }
}
