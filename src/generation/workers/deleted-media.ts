import { Injectable, Logger } from '@nestjs/common';
import { type ImageInfo } from '../../contract/media.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { GenerationRows } from '../generation-rows.js';
import { type GenerationRow } from '../tables.js';

const BATCH = 50;

/** Takes the files of deleted generations out of the storage. */
@Injectable()
export class DeletedMedia {
  private readonly logger = new Logger(DeletedMedia.name);

  constructor(
    private readonly storage: FileStorage,
    private readonly rows: GenerationRows,
  ) {}

  /** Deletes the files of one, and notes that they are gone; when that fails, the reconciler tries again. */
  async remove(row: Pick<GenerationRow, 'id' | 'image'>): Promise<void> {
    if (!(await this.removeFiles(row))) return;
    await this.rows.forgetImage(row.id).catch((error: unknown) => this.report(row.id, error));
  }

  /** Deletes the files of one now; that they are gone, the next sweep notes. False when there are none, or it did not work. */
  async removeFiles({ id, image }: Pick<GenerationRow, 'id' | 'image'>): Promise<boolean> {
    if (image === null) return false;
    try {
      await Promise.all(namesOf(image).map((name) => this.storage.delete(name)));
      return true;
    } catch (error) {
      this.report(id, error);
      return false;
    }
  }

  /** Goes on with what a crash or a failing storage has left. */
  async sweep(): Promise<void> {
    for (const row of await this.rows.withDeletedMedia(BATCH)) await this.remove(row);
  }

  private report(id: string, error: unknown): void {
    this.logger.error('The files of a deleted generation could not be deleted; tried again later.', { id, error });
  }
}

/** Names in the storage, each once. */
function namesOf(image: ImageInfo): string[] {
  const addresses = new Set([image.url, ...image.sources.map(({ url }) => url)]);
  return [...addresses].map((address) => address.replace(/^\/media\//, ''));
}
