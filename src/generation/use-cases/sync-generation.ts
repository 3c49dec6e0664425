import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '../../platform/http/api-error.js';
import { GenerationRows } from '../generation-rows.js';
import { GenerationWorker } from '../workers/generation-worker.js';
import { ImageProvider, PredictionNotFoundError, ProviderUnavailableError } from '../providers/image-provider.js';
import { MESSAGES } from '../messages.js';
import { PredictionRecorder } from './record-prediction.js';
import { type GenerationRow } from '../tables.js';
import { isTestPrediction } from '../providers/test-predictions.js';
import { isOwn } from '../reads/view.js';

/**
 * Asks the provider how the owner's generation stands and records the answer. What a browser claims about the status
 * is never used.
 */
export class SyncGeneration extends Command<GenerationRow> {
  constructor(
    readonly userId: string,
    readonly predictionId: string,
  ) {
    super();
  }
}

@CommandHandler(SyncGeneration)
export class SyncGenerationHandler implements ICommandHandler<SyncGeneration> {
  constructor(
    private readonly rows: GenerationRows,
    private readonly provider: ImageProvider,
    private readonly recorder: PredictionRecorder,
    private readonly worker: GenerationWorker,
  ) {}

  async execute({ userId, predictionId }: SyncGeneration): Promise<GenerationRow> {
    const row = await this.rows.findByPrediction(predictionId);
    if (!isOwn(row, userId)) throw new ApiError(404, MESSAGES.notFoundForPrediction(predictionId));
    if (row.status !== 'pending' || row.output_url !== null || isTestPrediction(predictionId)) return row;
    let recorded: GenerationRow;
    try {
      recorded = await this.recorder.record(row, await this.provider.get(predictionId));
    } catch (error) {
      if (error instanceof ProviderUnavailableError || error instanceof PredictionNotFoundError) {
        throw new ApiError(503, MESSAGES.statusUnknown, { retryAfterSeconds: 5, cause: error });
      }
      throw error;
    }
    this.worker.kick(row.id);
    return recorded;
  }
}
