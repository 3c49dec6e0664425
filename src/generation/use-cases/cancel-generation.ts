import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CANCELLABLE_AFTER_MS } from '../../contract/limits.js';
import { type RefundDeductionResult } from '../../credits/index.js';
import { Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/http/api-error.js';
import { CreditCloser } from '../workers/close-credits.js';
import { isCancelled, isOwn } from '../reads/view.js';
import { GenerationRows } from '../generation-rows.js';
import { GenerationWorker } from '../workers/generation-worker.js';
import { type Failure } from '../judge-prediction.js';
import { MESSAGES } from '../messages.js';
import { type GenerationRow } from '../tables.js';

export interface CancelledGeneration {
  readonly generationId: string;
  readonly predictionId: string | null;
  readonly refund: RefundDeductionResult;
}

/**
 * Ends a pending generation for its owner and gives the credits back.
 * @throws ApiError when it is not theirs, too young, or has ended
 */
export class CancelGeneration extends Command<CancelledGeneration> {
  constructor(
    readonly userId: string,
    readonly target: { readonly generationId: string } | { readonly predictionId: string },
  ) {
    super();
  }
}

const CANCELLED: Failure = { message: MESSAGES.cancelledByUser, reason: 'user_cancelled' };

@CommandHandler(CancelGeneration)
export class CancelGenerationHandler implements ICommandHandler<CancelGeneration> {
  constructor(
    private readonly rows: GenerationRows,
    private readonly credits: CreditCloser,
    private readonly worker: GenerationWorker,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, target }: CancelGeneration): Promise<CancelledGeneration> {
    const row = await ('generationId' in target
      ? this.rows.find(target.generationId)
      : this.rows.findByPrediction(target.predictionId));
    if (!isOwn(row, userId)) throw new ApiError(404, MESSAGES.notFound);
    refuseWhenEnded(row);
    this.refuseWhenTooYoung(row);

    const cancelled = await this.rows.step('fail', () => this.rows.fail(row.id, CANCELLED));
    if (!cancelled) {
      const ended = await this.rows.find(row.id);
      if (ended) refuseWhenEnded(ended);
      throw new ApiError(409, MESSAGES.cancelFailed);
    }
    try {
      const refund = await this.credits.refund(cancelled);
      return { generationId: row.id, predictionId: cancelled.prediction_id, refund };
    } finally {
      // Cancels the prediction at the provider, which the fan need not wait for, and the refund if it did not work now.
      this.worker.kick(row.id);
    }
  }

  private refuseWhenTooYoung(row: GenerationRow): void {
    const wait = row.created_at.getTime() + CANCELLABLE_AFTER_MS - this.clock.now().getTime();
    if (wait <= 0) return;
    const seconds = Math.ceil(wait / 1000);
    throw new ApiError(409, MESSAGES.cancelTooEarly(seconds), { code: '55000', retryAfterSeconds: seconds });
  }
}

function refuseWhenEnded(row: GenerationRow): void {
  if (row.status === 'pending') return;
  if (isCancelled(row)) throw new ApiError(409, MESSAGES.alreadyCancelled, { code: '55000' });
  throw new ApiError(409, MESSAGES.cancelFailed, {
    code: '55000',
    details: row.status === 'completed' ? 'The image is finished.' : 'The generation has ended.',
  });
}
