import { Injectable, Logger } from '@nestjs/common';
import { type ImageInfo } from '../platform/media/wire.js';
import { FileStorage } from '../platform/storage/file-storage.js';
import { GenerationRows } from './generation-rows.js';
import { type GenerationRow } from './tables.js';

const BATCH = 50;

/** Takes the files of deleted generations out of the storage. */
@Injectable()
export class DeletedMedia {
  private readonly logger = new Logger(DeletedMedia.name);

  constructor(
    private readonly storage: FileStorage,
    private readonly rows: GenerationRows,
  ) {}

  /** Deletes the files of one; when that fails, the reconciler tries again. */
  async remove({ id, image }: Pick<GenerationRow, 'id' | 'image'>): Promise<void> {
    if (image === null) return;
    try {
      await Promise.all(namesOf(image).map((name) => this.storage.delete(name)));
      await this.rows.forgetImage(id);
    } catch (error) {
      this.logger.error('The files of a deleted generation could not be deleted; tried again later.', { id, error });
    }
  }

  /** Goes on with what a crash or a failing storage has left. */
  async sweep(): Promise<void> {
    for (const row of await this.rows.withDeletedMedia(BATCH)) await this.remove(row);
  }
}

/** Names in the storage, each once. */
function namesOf(image: ImageInfo): string[] {
  const addresses = new Set([image.url, ...image.sources.map(({ url }) => url)]);
  return [...addresses].map((address) => address.replace(/^\/media\//, ''));
}
