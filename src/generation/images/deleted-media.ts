import { Injectable, Logger } from '@nestjs/common';
import { type ImageInfo } from '../../contract/media.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { ImageRows } from '../rows/image-rows.js';
import { type GenerationRow } from '../tables.js';
import { Retries } from './retries.js';

type DeletedImage = Pick<GenerationRow, 'id' | 'image'>;

/** Deletes the files of deleted generations. */
@Injectable()
export class DeletedMedia {
  private readonly logger = new Logger(DeletedMedia.name);
  private readonly retries = new Retries<DeletedImage>(
    (limit, skip) => this.rows.withDeletedMedia(limit, skip),
    (row) => this.remove(row),
  );

  constructor(
    private readonly storage: FileStorage,
    private readonly rows: ImageRows,
  ) {}

  /** Deletes the files and records it. False when that failed: `GenerationCleaner` retries it. */
  async remove(row: DeletedImage): Promise<boolean> {
    if (!(await this.removeFiles(row))) return false;
    try {
      await this.rows.clearImage(row.id);
      return true;
    } catch (error) {
      this.report(row.id, error);
      return false;
    }
  }

  /** Deletes the files; the next sweep records it. False when there are none or deleting failed. */
  async removeFiles({ id, image }: DeletedImage): Promise<boolean> {
    if (image === null) return false;
    try {
      await Promise.all(fileNames(image).map((name) => this.storage.delete(name)));
      return true;
    } catch (error) {
      this.report(id, error);
      return false;
    }
  }

  /** Retries what a crash or a failing storage has left. */
  async sweep(isStopping: () => boolean): Promise<void> {
    await this.retries.sweep(isStopping);
  }

  private report(id: string, error: unknown): void {
    this.logger.error('Deleting the files of a deleted generation failed; it is retried.', { id, error });
  }
}

/** The distinct file names of an image in the storage. */
function fileNames(image: ImageInfo): string[] {
  const addresses = new Set([image.url, ...image.sources.map(({ url }) => url)]);
  return [...addresses].map((address) => address.replace(/^\/media\//, ''));
}
