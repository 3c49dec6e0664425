import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RefundDeduction, type RefundDeductionResult, SettleDeduction } from '../credits/index.js';
import { GenerationRows } from './generation-rows.js';
import { type GenerationRow } from './tables.js';

/** Ends the deduction of a generation that has ended: settled when the picture is there, else given back. */
@Injectable()
export class CreditCloser {
  constructor(
    private readonly commands: CommandBus,
    private readonly rows: GenerationRows,
  ) {}

  /** Repeating it changes nothing. */
  async settle(row: Pick<GenerationRow, 'id' | 'user_id'>): Promise<void> {
    await this.rows.step('settle', () => this.commands.execute(new SettleDeduction(row.user_id, row.id)));
    await this.rows.step('close-credits', () => this.rows.closeSettled(row.id));
  }

  /** Gives back exactly what was taken, once; repeating it answers as the first time. */
  async refund(row: Pick<GenerationRow, 'id' | 'user_id' | 'refund_reason'>): Promise<RefundDeductionResult> {
    const { refund_reason: reason } = row;
    if (reason === null) throw new Error(`Generation ${row.id} has not failed: there is nothing to refund.`);
    const refund = await this.rows.step('refund', () =>
      this.commands.execute(new RefundDeduction(row.user_id, row.id, reason)),
    );
    await this.rows.step('close-credits', () =>
      this.rows.closeRefunded(row.id, refund.amount, refund.originalCreditType),
    );
    return refund;
  }
}
