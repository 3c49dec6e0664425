import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Kysely, type Transaction } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { GenerationRows } from '../generation-rows.js';
import { ImageProvider, type Prediction } from '../providers/image-provider.js';
import { judgePrediction, type Judgement } from '../judge-prediction.js';
import { outputUrl } from '../providers/output-url.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';

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

  /**
   * @param row as it was read; should it have changed meanwhile, it is read and judged again
   * @param deliveryId of a webhook: the same delivery is recorded once
   * @returns the row as it is then
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
      // Somebody else was first with a change that this one must not follow.
      row = await db.selectFrom('generation').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
    }
  }

  /** Undefined when the row is no longer in a state in which this may happen. */
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
