import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type RefundDeductionResult } from '../../credits/index.js';
import { ApiError } from '../../platform/http/api-error.js';
import { CreditCloser } from '../workers/close-credits.js';
import { GenerationRows } from '../generation-rows.js';
import { MESSAGES } from '../messages.js';
import { isOwn } from '../reads/view.js';

/**
 * Gives the credits of the owner's failed generation back now, if the server has not yet. Asking never decides that a
 * generation failed, and a reason that is sent along is not used.
 * @throws ApiError when it is not theirs or has not failed
 */
export class RefundFailedGeneration extends Command<RefundDeductionResult> {
  constructor(
    readonly userId: string,
    readonly generationId: string,
  ) {
    super();
  }
}

@CommandHandler(RefundFailedGeneration)
export class RefundFailedGenerationHandler implements ICommandHandler<RefundFailedGeneration> {
  constructor(
    private readonly rows: GenerationRows,
    private readonly credits: CreditCloser,
  ) {}

  async execute({ userId, generationId }: RefundFailedGeneration): Promise<RefundDeductionResult> {
    const row = await this.rows.find(generationId);
    if (!isOwn(row, userId)) throw new ApiError(404, MESSAGES.notFound);
    if (row.status !== 'failed') throw new ApiError(409, MESSAGES.onlyFailedRefunded, { code: '55000' });
    return this.credits.refund(row);
  }
}
