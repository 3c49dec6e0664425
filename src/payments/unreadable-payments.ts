import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { isUnreadable } from './providers/payment-processor.js';
import { type PaymentTables } from './tables.js';

/** Time after which no one tries again to read an object that our key cannot read (milliseconds). */
export const UNREADABLE_MS = 3 * 86_400_000;

/** Sessions and payments that the reconciliation could not read, each since its first failure. */
@Injectable()
export class UnreadablePayments {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads a session or payment, unless our key could not for three days.
   * @returns undefined when it is not tried
   * @throws what `read` throws; once it says that our key cannot read, this is noted
   */
  async try<T>(objectId: string, read: () => Promise<T>): Promise<T | undefined> {
    const noted = await this.db
      .selectFrom('payment_unreadable')
      .select('since')
      .where('object_id', '=', objectId)
      .executeTakeFirst();
    if (noted && this.clock.now().getTime() - noted.since.getTime() >= UNREADABLE_MS) return undefined;
    try {
      const result = await read();
      if (noted) await this.db.deleteFrom('payment_unreadable').where('object_id', '=', objectId).execute();
      return result;
    } catch (error) {
      if (!noted && isUnreadable(error)) await this.note(objectId);
      throw error;
    }
  }

  private async note(objectId: string): Promise<void> {
    await this.db
      .insertInto('payment_unreadable')
      .values({ object_id: objectId, since: this.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
