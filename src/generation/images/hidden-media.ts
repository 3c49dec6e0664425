import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { newImageFolder, renameImage } from '../../platform/media/images.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { ImageRows } from '../rows/image-rows.js';
import { type GenerationRow } from '../tables.js';
import { Retries } from './retries.js';

const REMOVALS_PER_RUN = 50;
/** Copies that belong to no image after this time were left by a crash. */
const COPY_TIMEOUT_MS = 600_000;
/** Pause before a file that could not be deleted is tried again. */
const REMOVAL_RETRY_MS = 300_000;

/** Where copies of the files of an image will be, until the image refers to them. */
export interface ScheduledCopies {
  readonly folder: string;
  readonly removeAt: Date;
}

type ConcealedImage = Pick<GenerationRow, 'id' | 'image' | 'media_moved_at'>;

/**
 * Gives the files of hidden images new addresses. Media addresses need no session, only the link, so a link that was
 * shared before must stop working when the owner hides the image, or its creator asks for a take-down or withdraws.
 */
@Injectable()
export class HiddenMedia {
  private readonly logger = new Logger(HiddenMedia.name);
  private readonly moves = new Retries<GenerationRow>(
    (limit, skip) => this.rows.withMediaToMove(limit, skip),
    (row) => this.retry(row),
  );

  constructor(
    private readonly storage: FileStorage,
    private readonly rows: ImageRows,
    private readonly clock: Clock,
  ) {}

  /**
   * Hides a completed generation of this user at once, and moves its files. `GenerationCleaner` retries a failed move.
   * @returns the row as it is now; undefined when there is none
   */
  async hide(id: string, userId: string): Promise<GenerationRow | undefined> {
    return this.conceal((copies) => this.rows.hide(id, userId, copies));
  }

  /**
   * Runs a change after which only the owner and admins see an image, and moves its files. The change schedules the
   * copies for deletion. `GenerationCleaner` retries a failed move.
   * @returns the image as it is now; undefined when there is none
   */
  async conceal<Row extends ConcealedImage>(
    change: (copies: ScheduledCopies) => Promise<Row | undefined>,
  ): Promise<Row | GenerationRow | undefined> {
    const folder = newImageFolder();
    const row = await change({ folder, removeAt: this.copyDeadline() });
    if (!row || row.media_moved_at !== null) return row;
    return (await this.moveTo(folder, row)) ?? row;
  }

  private copyDeadline(): Date {
    return new Date(this.clock.now().getTime() + COPY_TIMEOUT_MS);
  }

  /**
   * Copies the files into the folder and stores their addresses in the image. The copies are already scheduled for
   * deletion, in case of a crash before that.
   */
  private async moveTo(folder: string, row: Pick<GenerationRow, 'id' | 'image'>): Promise<GenerationRow | undefined> {
    if (row.image === null) return undefined;
    try {
      const { image, files } = renameImage(row.image, folder);
      await Promise.all(files.map(({ from, to, type }) => this.storage.copy(from, to, type)));
      const moved = await this.rows.moveMedia(row, image, files);
      // The next sweep removes the scheduled deletions of these files.
      if (moved) await Promise.all(files.map(({ from }) => this.storage.delete(from)));
      return moved;
    } catch (error) {
      this.logger.error({ message: 'Moving the files of a hidden image failed; it is retried.', id: row.id, error });
      return undefined;
    }
  }

  /**
   * Retries the moves and deletions that a crash or a failing storage has interrupted.
   * @param isStopping the process stops: the next sweep continues
   */
  async sweep(isStopping: () => boolean): Promise<void> {
    // A creator who withdraws may have thousands.
    await this.moves.sweep(isStopping);
    if (!isStopping()) await this.remove(await this.rows.dueRemovals(REMOVALS_PER_RUN));
  }

  /** Moves the files of a hidden image. False when that failed, or there is none. */
  async retry(row: Pick<GenerationRow, 'id' | 'image'>): Promise<boolean> {
    if (row.image === null) return false;
    const folder = newImageFolder();
    const copies = renameImage(row.image, folder).files.map(({ to }) => to);
    if (copies.length > 0) await this.rows.scheduleRemoval(copies, this.copyDeadline());
    return (await this.moveTo(folder, row)) !== undefined;
  }

  /** Deletes files, each alone: one that cannot be deleted is tried later, after the others. */
  private async remove(names: readonly string[]): Promise<void> {
    const ends = await Promise.allSettled(names.map((name) => this.storage.delete(name)));
    const failed = names.filter((_, index) => ends[index]?.status === 'rejected');
    await this.rows.clearRemovals(names.filter((name) => !failed.includes(name)));
    if (failed.length === 0) return;
    const error: unknown = ends.find((end) => end.status === 'rejected')?.reason;
    this.logger.error({ message: 'Deleting files failed; it is retried in five minutes.', names: failed, error });
    await this.rows.postponeRemovals(failed, new Date(this.clock.now().getTime() + REMOVAL_RETRY_MS));
  }
}
