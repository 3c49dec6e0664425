import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type RefundDeductionResult } from '../../credits/index.js';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { PredictionRows } from '../rows/prediction-rows.js';
import { MESSAGES } from '../messages.js';
import { nextStep } from '../steps/next-step.js';
import { isOwn } from '../images/visibility.js';
import { CreditCloser } from '../steps/close-credits.js';
import { GenerationWorker } from '../steps/generation-worker.js';

export interface TimedOutGeneration {
  readonly generationId: string;
  readonly refund: RefundDeductionResult;
}

export interface TimeOutGenerationInput {
  readonly userId: string;
  /** `pending`: the user's pending generation. */
  readonly target: { readonly predictionId: string } | 'pending';
}

/**
 * Ends the owner's generation and refunds it when it is past the timeout. The reconciler also does this on its own.
 * @throws DomainError notFound for another owner's generation; conflict when it is not past the timeout or was refunded
 */
export class TimeOutGeneration extends CommandOf<TimeOutGenerationInput, TimedOutGeneration> {}

@CommandHandler(TimeOutGeneration)
export class TimeOutGenerationHandler implements ICommandHandler<TimeOutGeneration> {
  constructor(
    private readonly rows: PredictionRows,
    private readonly credits: CreditCloser,
    private readonly worker: GenerationWorker,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId, target } }: TimeOutGeneration): Promise<TimedOutGeneration> {
    const row = await (target === 'pending'
      ? this.rows.findPending(userId)
      : this.rows.findByPrediction(target.predictionId));
    if (!isOwn(row, userId)) throw new DomainError('notFound', MESSAGES.notFound);
    if (row.refunded) throw new DomainError('conflict', MESSAGES.alreadyRefunded, { code: '55000' });
    const step = nextStep(row, this.clock.now());
    if (row.status !== 'pending' || step.kind !== 'fail' || step.failure.reason !== 'timeout') {
      throw new DomainError('conflict', MESSAGES.notTimedOut, { code: '55000' });
    }
    const failed = await this.rows.step('fail', () => this.rows.fail(row.id, step.failure, { revision: row.revision }));
    if (!failed) throw new DomainError('conflict', MESSAGES.notTimedOut, { code: '55000' });
    try {
      return { generationId: row.id, refund: await this.credits.refund(failed) };
    } finally {
      this.worker.kick(row.id);
    }
  }
}
