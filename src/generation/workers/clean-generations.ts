import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { UNDO_HOURS } from '../../contract/moderation.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { Locks } from '../../platform/locks.js';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { ImageRows } from '../rows/image-rows.js';
import { type GenerationTables } from '../tables.js';
import { DeletedMedia } from '../images/deleted-media.js';
import { HiddenMedia } from '../images/hidden-media.js';
import { RefusalLog } from '../moderation/refusal-log.js';

const INTERVAL_MS = 30_000;
const GENERATIONS_PER_RUN = 200;
const REFUSALS_PER_RUN = 500;
const DELIVERIES_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what is not needed any more: images a day after they were taken down, refused prompts, files that a crash or
 * a failing storage has left, and old records of deliveries. Runs at the start and every 30 seconds, on one instance at
 * a time.
 */
@Injectable()
@Scheduled('generation-cleaner', INTERVAL_MS, { fromStart: true })
export class GenerationCleaner extends ScheduledWorker {
  protected override readonly failure = 'Removing old images and records failed; it is retried in 30 seconds.';

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly rows: ImageRows,
    private readonly deletedMedia: DeletedMedia,
    private readonly hiddenMedia: HiddenMedia,
    private readonly refusals: RefusalLog,
    private readonly locks: Locks,
    private readonly clock: Clock,
  ) {
    super();
  }

  protected override work(): Promise<void> {
    return this.sweep();
  }

  async sweep(): Promise<void> {
    await this.locks.withLock('generation-cleaner', async () => {
      await this.rows.removeTakenDown(
        new Date(this.clock.now().getTime() - UNDO_HOURS * 3_600_000),
        GENERATIONS_PER_RUN,
      );
      await this.refusals.deleteExpired(REFUSALS_PER_RUN);
      await this.deletedMedia.sweep(() => this.stopped);
      await this.hiddenMedia.sweep(() => this.stopped);
      if (this.stopped) return;
      await this.db
        .deleteFrom('generation_webhook')
        .where('received_at', '<', new Date(this.clock.now().getTime() - DELIVERIES_KEPT_MS))
        .execute();
    });
  }
}
