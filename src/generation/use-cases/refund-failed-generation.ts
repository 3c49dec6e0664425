import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type RefundDeductionResult } from '../../credits/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { GenerationRows } from '../rows/generation-rows.js';
import { MESSAGES } from '../messages.js';
import { isOwn } from '../images/visibility.js';
import { CreditCloser } from '../steps/close-credits.js';

/**
 * Refunds the owner's failed generation now, unless the server has done so already. The request never decides whether a
 * generation failed.
 * @throws DomainError notFound for another owner's generation, conflict when it has not failed
 */
export class RefundFailedGeneration extends Command<RefundDeductionResult> {
  constructor(readonly input: { readonly userId: string; readonly generationId: string }) {
    super();
  }
}

@CommandHandler(RefundFailedGeneration)
export class RefundFailedGenerationHandler implements ICommandHandler<RefundFailedGeneration> {
  constructor(
    private readonly rows: GenerationRows,
    private readonly credits: CreditCloser,
  ) {}

  async execute({ input: { userId, generationId } }: RefundFailedGeneration): Promise<RefundDeductionResult> {
    const row = await this.rows.find(generationId);
    if (!isOwn(row, userId)) throw new DomainError('notFound', MESSAGES.notFound);
    if (row.status !== 'failed') throw new DomainError('conflict', MESSAGES.onlyFailedRefunded, { code: '55000' });
    return this.credits.refund(row);
  }
}
