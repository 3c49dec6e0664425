import { Injectable, Logger } from '@nestjs/common';
import { type ImageInfo } from '../../contract/media.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { ImageRows } from '../rows/image-rows.js';
import { type GenerationRow } from '../tables.js';

const IMAGES_PER_RUN = 50;

/** Deletes the files of deleted generations. */
@Injectable()
export class DeletedMedia {
  private readonly logger = new Logger(DeletedMedia.name);

  constructor(
    private readonly storage: FileStorage,
    private readonly rows: ImageRows,
  ) {}

  /** Deletes the files and records it. `GenerationCleaner` retries a failure. */
  async remove(row: Pick<GenerationRow, 'id' | 'image'>): Promise<void> {
    if (!(await this.removeFiles(row))) return;
    await this.rows.clearImage(row.id).catch((error: unknown) => this.report(row.id, error));
  }

  /** Deletes the files; the next sweep records it. False when there are none or deleting failed. */
  async removeFiles({ id, image }: Pick<GenerationRow, 'id' | 'image'>): Promise<boolean> {
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
  async sweep(): Promise<void> {
    for (const row of await this.rows.withDeletedMedia(IMAGES_PER_RUN)) await this.remove(row);
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
