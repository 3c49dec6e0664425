import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { type CreditTypeUsed } from '../../credits/index.js';
import { GenerationRows } from './generation-rows.js';

/** The deduction of an ended generation: settled or given back. */
@Injectable()
export class CreditRows extends GenerationRows {
  /** Records that the deduction was settled. */
  async closeSettled(id: string): Promise<void> {
    await this.update(id, { credits_closed_at: this.clock.now(), attempts: 0 })
      .where('status', '=', 'completed')
      .where('credits_closed_at', 'is', null)
      .execute();
  }

  /** Records that the deduction was refunded, or voided when `amount` is 0. */
  async closeRefunded(id: string, amount: number, creditType: CreditTypeUsed | null): Promise<void> {
    const now = this.clock.now();
    await this.update(id, {
      credits_closed_at: now,
      refunded: amount > 0,
      refund_amount: amount,
      refunded_at: amount > 0 ? now : null,
      updated_at: now,
      credit_type_used: sql<CreditTypeUsed | null>`coalesce(credit_type_used, ${creditType})`,
      not_before: now,
      attempts: 0,
    })
      .where('status', '=', 'failed')
      .where('credits_closed_at', 'is', null)
      .execute();
  }
}
