import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../platform/domain-error.js';
import { GenerationRows } from '../rows/generation-rows.js';
import { MESSAGES } from '../messages.js';
import { ImageProvider, PredictionNotFoundError, ProviderUnavailableError } from '../providers/image-provider.js';
import { isTestPrediction } from '../providers/test-predictions.js';
import { type GenerationRow } from '../tables.js';
import { isOwn } from '../images/visibility.js';
import { GenerationWorker } from '../steps/generation-worker.js';
import { PredictionRecorder } from '../predictions/record-prediction.js';

/**
 * Asks the provider for the state of the owner's generation, records the answer and returns the row. The status that a
 * browser sends is never used.
 * @throws DomainError notFound for another owner's generation, unavailable when the provider does not answer
 */
export class SyncGeneration extends Command<GenerationRow> {
  constructor(readonly input: { readonly userId: string; readonly predictionId: string }) {
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

  async execute({ input: { userId, predictionId } }: SyncGeneration): Promise<GenerationRow> {
    const row = await this.rows.findByPrediction(predictionId);
    if (!isOwn(row, userId)) throw new DomainError('notFound', MESSAGES.notFoundForPrediction(predictionId));
    if (row.status !== 'pending' || row.output_url !== null || isTestPrediction(predictionId)) return row;
    let recorded: GenerationRow;
    try {
      recorded = await this.recorder.record(row, await this.provider.get(predictionId));
    } catch (error) {
      if (error instanceof ProviderUnavailableError || error instanceof PredictionNotFoundError) {
        throw new DomainError('unavailable', MESSAGES.statusUnknown, { retryAfterSeconds: 5, cause: error });
      }
      throw error;
    }
    this.worker.kick(row.id);
    return recorded;
  }
}
