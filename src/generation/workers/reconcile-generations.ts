import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { type Kysely } from 'kysely';
import { UNDO_HOURS } from '../../contract/moderation.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { Locks } from '../../platform/locks.js';
import { DeletedMedia } from './deleted-media.js';
import { GenerationRows } from '../generation-rows.js';
import { HiddenMedia } from './hidden-media.js';
import { GenerationWorker } from './generation-worker.js';
import { type GenerationTables } from '../tables.js';

const INTERVAL_MS = 2_000;
const BATCH = 200;
const DELIVERIES_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Finds generations with work left and no holder: failed and not refunded, completed and not settled, pending without
 * a prediction, pending too long, lost webhook, interrupted work. Runs at the start and every two seconds, on one
 * instance at a time.
 */
@Injectable()
export class GenerationReconciler implements OnApplicationBootstrap {
  private readonly logger = new Logger(GenerationReconciler.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly rows: GenerationRows,
    private readonly worker: GenerationWorker,
    private readonly deletedMedia: DeletedMedia,
    private readonly hiddenMedia: HiddenMedia,
    private readonly locks: Locks,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    void this.tick();
  }

  @Interval('generation-reconciler', INTERVAL_MS)
  async tick(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.error('Reconciling generations failed; it is retried in two seconds.', { error });
    }
  }

  /**
   * Hands all due rows to the worker, deletes images a day after they were taken down, and deletes remaining files and
   * old delivery records.
   */
  async sweep(): Promise<void> {
    await this.locks.withLock('generation-reconciler', async () => {
      for (const id of await this.rows.due(BATCH)) this.worker.kick(id);
      await this.rows.removeTakenDown(new Date(this.clock.now().getTime() - UNDO_HOURS * 3_600_000), BATCH);
      await this.deletedMedia.sweep();
      await this.hiddenMedia.sweep();
      await this.db
        .deleteFrom('generation_webhook')
        .where('received_at', '<', new Date(this.clock.now().getTime() - DELIVERIES_KEPT_MS))
        .execute();
    });
  }
}
