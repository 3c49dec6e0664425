import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CANCELLABLE_AFTER_MS } from '../../contract/limits.js';
import { type RefundDeductionResult } from '../../credits/index.js';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/domain-error.js';
import { PredictionRows } from '../rows/prediction-rows.js';
import { type GenerationTarget } from '../rows/generation-rows.js';
import { type Failure } from '../predictions/judge-prediction.js';
import { MESSAGES } from '../messages.js';
import { type GenerationRow } from '../tables.js';
import { isCancelled, isOwn } from '../images/visibility.js';
import { CreditCloser } from '../steps/close-credits.js';
import { GenerationWorker } from '../steps/generation-worker.js';

export interface CancelledGeneration {
  readonly generationId: string;
  readonly predictionId: string | null;
  /** The amount is 0 for a test. */
  readonly refund: RefundDeductionResult;
  readonly isTest: boolean;
}

/**
 * Ends a pending generation for its owner and refunds its credits.
 * @throws DomainError notFound for another owner's generation; conflict when it is too young or has ended
 */
export class CancelGeneration extends Command<CancelledGeneration> {
  constructor(readonly input: { readonly userId: string; readonly target: GenerationTarget }) {
    super();
  }
}

const CANCELLED: Failure = { message: MESSAGES.cancelledByUser, reason: 'user_cancelled' };

@CommandHandler(CancelGeneration)
export class CancelGenerationHandler implements ICommandHandler<CancelGeneration> {
  constructor(
    private readonly rows: PredictionRows,
    private readonly credits: CreditCloser,
    private readonly worker: GenerationWorker,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId, target } }: CancelGeneration): Promise<CancelledGeneration> {
    const row = await ('generationId' in target
      ? this.rows.find(target.generationId)
      : this.rows.findByPrediction(target.predictionId));
    if (!isOwn(row, userId)) throw new DomainError('notFound', MESSAGES.notFound);
    requirePending(row);
    this.requireOldEnough(row);

    const cancelled = await this.rows.step('fail', () => this.rows.fail(row.id, CANCELLED));
    if (!cancelled) {
      const ended = await this.rows.find(row.id);
      if (ended) requirePending(ended);
      throw new DomainError('conflict', MESSAGES.cancelFailed);
    }
    try {
      const refund = await this.credits.refund(cancelled);
      return { generationId: row.id, predictionId: cancelled.prediction_id, refund, isTest: row.is_test };
    } finally {
      // In the background: cancels the prediction at the provider, and retries a refund that failed here.
      this.worker.kick(row.id);
    }
  }

  private requireOldEnough(row: GenerationRow): void {
    const wait = row.created_at.getTime() + CANCELLABLE_AFTER_MS - this.clock.now().getTime();
    if (wait <= 0) return;
    const seconds = Math.ceil(wait / 1000);
    throw new DomainError('conflict', MESSAGES.cancelTooEarly(seconds), { code: '55000', retryAfterSeconds: seconds });
  }
}

function requirePending(row: GenerationRow): void {
  if (row.status === 'pending') return;
  if (isCancelled(row)) throw new DomainError('conflict', MESSAGES.alreadyCancelled, { code: '55000' });
  throw new DomainError('conflict', MESSAGES.cancelFailed, {
    code: '55000',
    details: row.status === 'completed' ? 'The image is finished.' : 'The generation has ended.',
  });
}
