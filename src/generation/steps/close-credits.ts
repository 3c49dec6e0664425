import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  DeductionRefusedError,
  GetDeductionStatus,
  RefundDeduction,
  type RefundDeductionResult,
  SettleDeduction,
} from '../../credits/index.js';
import { CreditRows } from '../rows/credit-rows.js';
import { type GenerationRow } from '../tables.js';

type SettledRow = Pick<GenerationRow, 'id' | 'user_id' | 'image_hash' | 'prompt_hash'>;
type RefundedRow = Pick<GenerationRow, 'id' | 'user_id' | 'refund_reason' | 'is_test'>;

/** Closes the deduction of an ended generation: settles a completed one, refunds a failed one. */
@Injectable()
export class CreditCloser {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly rows: CreditRows,
  ) {}

  /** Settles the deduction. Repeating it changes nothing. */
  async settle(row: SettledRow): Promise<void> {
    await this.rows.step('settle', () => this.settleOnce(row));
    await this.rows.step('close-credits', () => this.rows.closeSettled(row.id));
  }

  /** Refunds exactly what was deducted, once: nothing for a test. Repeating it returns the first result. */
  async refund(row: RefundedRow): Promise<RefundDeductionResult> {
    if (row.is_test) return this.nothing(row);
    const refund = await this.rows.step('refund', () => this.refundOnce(row));
    await this.rows.step('close-credits', () =>
      this.rows.closeRefunded(row.id, refund.amount, refund.originalCreditType),
    );
    return refund;
  }

  /** A test has no deduction, and its row says so since it ended. Only the balances are read. */
  private async nothing({ id, user_id: userId }: RefundedRow): Promise<RefundDeductionResult> {
    const { balances } = await this.queries.execute(new GetDeductionStatus({ userId, deductionId: id }));
    return { amount: 0, originalCreditType: null, alreadyRefunded: false, balances };
  }

  private async settleOnce({
    id,
    user_id: userId,
    image_hash: imageHash,
    prompt_hash: promptHash,
  }: SettledRow): Promise<void> {
    try {
      const image = { imageHash, promptHash };
      await this.commands.execute(new SettleDeduction({ userId, deductionId: id, image }));
    } catch (error) {
      if (!(error instanceof DeductionRefusedError)) throw error;
      // The ledger refuses ids that are too old, but its stream still holds the outcome.
      const { state } = await this.queries.execute(new GetDeductionStatus({ userId, deductionId: id }));
      if (state !== 'settled') {
        throw new Error(`Deduction ${id} of a delivered image is ${state} in the ledger.`, { cause: error });
      }
    }
  }

  private async refundOnce({
    id,
    user_id: userId,
    refund_reason: reason,
  }: RefundedRow): Promise<RefundDeductionResult> {
    if (reason === null) throw new Error(`Generation ${id} has not failed: there is nothing to refund.`);
    try {
      return await this.commands.execute(new RefundDeduction({ userId, deductionId: id, reason }));
    } catch (error) {
      if (!(error instanceof DeductionRefusedError)) throw error;
      const known = await this.queries.execute(new GetDeductionStatus({ userId, deductionId: id }));
      if (known.state === 'open' || known.state === 'settled') {
        throw new Error(`Deduction ${id} of a failed generation is ${known.state} in the ledger.`, { cause: error });
      }
      // The deduction ended long ago, or it was never made and the ledger now refuses its id permanently.
      return {
        amount: known.amount,
        originalCreditType: known.creditTypeUsed,
        alreadyRefunded: known.state === 'refunded',
        balances: known.balances,
      };
    }
  }
}
