import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Kysely, type Transaction } from 'kysely';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { GenerationRows } from './generation-rows.js';
import { ImageProvider, type Prediction } from './image-provider.js';
import { judgePrediction, type Judgement } from './judge-prediction.js';
import { outputUrl } from './output-url.js';
import { type GenerationRow, type GenerationTables } from './tables.js';

/**
 * Writes down what the provider says about a generation, whoever heard it: webhook, poll or a browser's request to look.
 * Quick: what follows from it is done afterwards (`GenerationWorker`).
 */
@Injectable()
export class PredictionRecorder {
  private readonly logger = new Logger(PredictionRecorder.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly rows: GenerationRows,
    private readonly provider: ImageProvider,
    private readonly clock: Clock,
  ) {}

  /** @param deliveryId of a webhook: the same delivery is recorded once */
  async record(generationId: string, prediction: Prediction, deliveryId?: string): Promise<void> {
    const judgement = await this.rows.step('record-outcome', () =>
      this.db.transaction().execute(async (db) => {
        if (deliveryId !== undefined && !(await this.isNewDelivery(db, deliveryId))) return null;
        const row = await db
          .selectFrom('generation')
          .selectAll()
          .where('id', '=', generationId)
          .forUpdate()
          .executeTakeFirst();
        if (!row) {
          this.logger.warn('A prediction came for an unknown generation.', {
            generationId,
            predictionId: prediction.id,
          });
          return null;
        }
        const verdict = judgePrediction(row, prediction, outputUrl(prediction.output), this.clock.now());
        await this.apply(db, row, prediction.id, verdict);
        return verdict;
      }),
    );
    if (judgement?.kind === 'stray') await this.dismiss(generationId, prediction.id, judgement);
  }

  private async apply(
    db: Transaction<GenerationTables>,
    row: GenerationRow,
    predictionId: string,
    judgement: Judgement,
  ): Promise<void> {
    switch (judgement.kind) {
      case 'progress':
        await this.rows.recordProgress(db, row, predictionId, judgement.drawingAt);
        return;
      case 'succeeded':
        await this.rows.recordOutput(db, row, predictionId, judgement.outputUrl, judgement.drawingAt);
        return;
      case 'failed':
        await this.rows.recordFailure(db, row, predictionId, judgement.failure);
        return;
      case 'stray':
      case 'nothing':
        return;
    }
  }

  /** Nobody waits for this prediction: it should not cost anything more. */
  private async dismiss(
    generationId: string,
    predictionId: string,
    stray: Extract<Judgement, { kind: 'stray' }>,
  ): Promise<void> {
    if (!stray.running) return;
    this.logger.warn('A prediction runs for which nobody waits.', { generationId, predictionId });
    // On the row it is cancelled until the provider says yes; one that has no place on the row gets one try, and has a
    // deadline of its own.
    if (stray.bind && (await this.rows.storePrediction(generationId, predictionId))) return;
    await this.provider.cancel(predictionId).catch((error: unknown) => {
      this.logger.warn('A stray prediction could not be cancelled.', { generationId, predictionId, error });
    });
  }

  private async isNewDelivery(db: Transaction<GenerationTables>, deliveryId: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('generation_webhook')
      .values({ delivery_id: deliveryId, received_at: this.clock.now() })
      .onConflict((conflict) => conflict.column('delivery_id').doNothing())
      .executeTakeFirstOrThrow();
    return Boolean(numInsertedOrUpdatedRows);
  }
}
