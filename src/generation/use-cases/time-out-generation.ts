import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type RefundDeductionResult } from '../../credits/index.js';
import { Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/http/api-error.js';
import { CreditCloser } from '../workers/close-credits.js';
import { GenerationRows } from '../generation-rows.js';
import { GenerationWorker } from '../workers/generation-worker.js';
import { MESSAGES } from '../messages.js';
import { nextStep } from '../next-step.js';
import { isOwn } from '../reads/view.js';

/**
 * Ends the owner's generation if it is past the timeout; the reconciler does the same without being asked.
 * @throws ApiError when it is not theirs, not past the timeout, or already refunded
 */
export class TimeOutGeneration extends Command<{
  readonly generationId: string;
  readonly refund: RefundDeductionResult;
}> {
  constructor(
    readonly userId: string,
    /** `pending`: the one that is being made. */
    readonly target: { readonly predictionId: string } | 'pending',
  ) {
    super();
  }
}

@CommandHandler(TimeOutGeneration)
export class TimeOutGenerationHandler implements ICommandHandler<TimeOutGeneration> {
  constructor(
    private readonly rows: GenerationRows,
    private readonly credits: CreditCloser,
    private readonly worker: GenerationWorker,
    private readonly clock: Clock,
  ) {}

  async execute({
    userId,
    target,
  }: TimeOutGeneration): Promise<{ generationId: string; refund: RefundDeductionResult }> {
    const row = await (target === 'pending'
      ? this.rows.findPending(userId)
      : this.rows.findByPrediction(target.predictionId));
    if (!isOwn(row, userId)) throw new ApiError(404, MESSAGES.notFound);
    if (row.refunded) throw new ApiError(409, MESSAGES.alreadyRefunded, { code: '55000' });
    const step = nextStep(row, this.clock.now());
    if (row.status !== 'pending' || step.kind !== 'fail' || step.failure.reason !== 'timeout') {
      throw new ApiError(409, MESSAGES.notTimedOut, { code: '55000' });
    }
    const failed = await this.rows.step('fail', () => this.rows.fail(row.id, step.failure, { revision: row.revision }));
    if (!failed) throw new ApiError(409, MESSAGES.notTimedOut, { code: '55000' });
    try {
      return { generationId: row.id, refund: await this.credits.refund(failed) };
    } finally {
      this.worker.kick(row.id);
    }
  }
}
