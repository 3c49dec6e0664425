import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { HOUR_MS } from '../../contract/durations.js';
import { Clock } from '../../platform/clock.js';
import { JOB_DATABASE } from '../../platform/database/database.js';
import { Notifications } from '../../platform/database/notifications.js';
import { WithheldPictures } from '../../platform/media/withheld-pictures.js';
import { WITHHELD_CHANNEL } from '../migrations.js';

/** Pause before a failed read is repeated, milliseconds. */
const RETRY_MS = 2_000;

/**
 * Lets every process withhold an image from the moment in which it is hidden, taken down or deleted, or its owner's
 * account is closed. Its files are moved or deleted a moment later, or as soon as the storage can. A trigger announces
 * each change (migration 0176).
 */
@Injectable()
export class WithheldMedia implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WithheldMedia.name);
  private readonly stopping = new AbortController();
  /** Changes that were announced since the read in progress began; null without one. */
  private meanwhile: string[] | null = null;
  private reading: Promise<void> = Promise.resolve();
  private readonly timer = setInterval(() => void this.read(), HOUR_MS).unref();

  constructor(
    private readonly pictures: WithheldPictures,
    @Inject(JOB_DATABASE) private readonly db: Kysely<unknown>,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.notifications.listen(WITHHELD_CHANNEL, {
      notified: (change) => {
        this.apply(change);
        this.meanwhile?.push(change);
      },
      follow: (following) => {
        if (following) void this.read();
      },
    });
    await this.reading;
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.stopping.abort();
  }

  private apply(change: string): void {
    const folder = change.slice(1);
    if (change.startsWith('-')) this.pictures.serveAgain(folder);
    else this.pictures.withhold(folder);
  }

  /** Reads all, after a read in progress: what was announced while this process did not listen, and what has ended. */
  private read(): Promise<void> {
    this.reading = this.reading.then(async () => {
      while (!this.stopping.signal.aborted) {
        try {
          this.meanwhile = [];
          this.pictures.replace(await this.folders());
          for (const change of this.meanwhile) this.apply(change);
          return;
        } catch (error) {
          this.logger.error('The images that are to be withheld could not be read; it is retried.', { error });
          // The end of the process aborts it.
          await delay(RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
        } finally {
          this.meanwhile = null;
        }
      }
    });
    return this.reading;
  }

  /** The folders of images that must not be seen at their present address. */
  private async folders(): Promise<string[]> {
    const { rows } = await sql<{ folder: string }>`
      select split_part(image ->> 'url', '/', 3) as folder from generation
      where least(hidden_at, taken_down_at, withheld_at, moderated_at) is not null and media_moved_at is null
        and deleted_at is null and image is not null
      union all
      select split_part(image ->> 'url', '/', 3) from generation where deleted_at is not null and image is not null
      union all
      select split_part(g.image ->> 'url', '/', 3) from generation_closed_owner c
      join generation g on g.user_id = c.user_id where c.erased_at is null and g.image is not null
      union all
      select split_part(name, '/', 1) from generation_media_removal where remove_at <= ${this.clock.now()}`.execute(
      this.db,
    );
    return rows.map(({ folder }) => folder);
  }
}
