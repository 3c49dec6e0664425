import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Kysely, type Transaction } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { PredictionRows } from '../rows/prediction-rows.js';
import { ImageProvider, type Prediction } from '../providers/image-provider.js';
import { judgePrediction, type Judgement } from './judge-prediction.js';
import { outputUrl } from '../providers/output-url.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';

/**
 * Records a prediction's state in its generation. Webhooks, polls and `SyncGeneration` share it, so it is a service and
 * not a command. It is quick: `GenerationWorker` does the work that follows.
 */
@Injectable()
export class PredictionRecorder {
  private readonly logger = new Logger(PredictionRecorder.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly rows: PredictionRows,
    private readonly provider: ImageProvider,
    private readonly clock: Clock,
  ) {}

  /**
   * @param row as it was read; if it has changed meanwhile, it is read and judged again
   * @param deliveryId the webhook's delivery; each delivery is recorded once
   * @returns the row after the change
   */
  async record(row: GenerationRow, prediction: Prediction, deliveryId?: string): Promise<GenerationRow> {
    const recorded = await this.rows.step('record-outcome', () =>
      deliveryId === undefined
        ? this.apply(this.db, row, prediction)
        : this.db
            .transaction()
            .execute(async (db) =>
              (await this.isNewDelivery(db, deliveryId)) ? this.apply(db, row, prediction) : null,
            ),
    );
    if (recorded?.judgement.kind === 'stray') await this.dismiss(row.id, prediction.id, recorded.judgement);
    return recorded?.row ?? row;
  }

  private async apply(
    db: Kysely<GenerationTables>,
    read: GenerationRow,
    prediction: Prediction,
  ): Promise<{ readonly row: GenerationRow; readonly judgement: Judgement }> {
    let row = read;
    for (;;) {
      const judgement = judgePrediction(row, prediction, outputUrl(prediction.output), this.clock.now());
      if (judgement.kind === 'nothing' || judgement.kind === 'stray') return { row, judgement };
      const changed = await this.write(db, row, prediction.id, judgement);
      if (changed) return { row: changed, judgement };
      // Another writer was first, so the row is judged again.
      row = await db.selectFrom('generation').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
    }
  }

  /** Undefined when the state of the row no longer allows the change. */
  private async write(
    db: Kysely<GenerationTables>,
    row: GenerationRow,
    predictionId: string,
    judgement: Exclude<Judgement, { kind: 'nothing' | 'stray' }>,
  ): Promise<GenerationRow | undefined> {
    switch (judgement.kind) {
      case 'progress':
        return this.rows.recordProgress(db, row, predictionId, judgement.drawingAt);
      case 'succeeded':
        return this.rows.recordOutput(db, row, predictionId, judgement.outputUrl, judgement.drawingAt);
      case 'failed':
        return this.rows.recordFailure(db, row, predictionId, judgement.failure);
    }
  }

  /** Cancels an unwanted prediction, so that it causes no more costs. */
  private async dismiss(
    generationId: string,
    predictionId: string,
    stray: Extract<Judgement, { kind: 'stray' }>,
  ): Promise<void> {
    if (!stray.running) return;
    this.logger.warn('An unwanted prediction is running.', { generationId, predictionId });
    // Once stored in the row, the worker retries the cancel. A prediction without a row gets one attempt; otherwise its
    // own deadline ends it.
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
