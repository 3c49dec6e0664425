import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type ImageInfo } from '../../contract/media.js';
import { Notifications } from '../../platform/database/notifications.js';
import { WithheldPictures } from '../../platform/media/withheld-pictures.js';
import { GenerationRows } from '../generation-rows.js';
import { WITHHELD_CHANNEL } from '../migrations.js';

/** Images that a process reads when it begins to follow. There are more only after hours without a storage. */
const MOST = 10_000;

/**
 * Lets every process withhold an image from the moment in which it is hidden, taken down or deleted. Its files are
 * moved or deleted a moment later, or as soon as the storage can. A trigger announces each change (migration 0176).
 */
@Injectable()
export class WithheldMedia implements OnApplicationBootstrap {
  private readonly logger = new Logger(WithheldMedia.name);
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly pictures: WithheldPictures,
    private readonly rows: GenerationRows,
    private readonly notifications: Notifications,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.notifications.listen(WITHHELD_CHANNEL, {
      notified: (change) => this.apply(change),
      follow: (following) => {
        if (following) this.reading = this.read();
      },
    });
    await this.reading;
  }

  private apply(change: string): void {
    const folder = change.slice(1);
    if (change.startsWith('-')) this.pictures.serveAgain(folder);
    else this.pictures.withhold(folder);
  }

  /** Reads what was announced while this process did not listen. */
  private async read(): Promise<void> {
    try {
      const [moving, deleted, removals] = await Promise.all([
        this.rows.withMediaToMove(MOST),
        this.rows.withDeletedMedia(MOST),
        this.rows.dueRemovals(MOST),
      ]);
      for (const { image } of [...moving, ...deleted]) if (image) this.pictures.withhold(folderOf(image));
      for (const name of removals) this.pictures.withhold(name.split('/')[0] ?? '');
    } catch (error) {
      this.logger.error('The images that are to be withheld could not be read.', { error });
    }
  }
}

function folderOf({ url }: ImageInfo): string {
  return url.split('/')[2] ?? '';
}
