import { Injectable, Logger } from '@nestjs/common';
import { newSalt } from '../../platform/acts/sealed-rows.js';
import { saltedHash } from '../../platform/acts/acts.js';
import { IdGenerator } from '../../platform/ids.js';
import { UnreadableImageError } from '../../platform/media/images.js';
import { type ImageInfo } from '../../contract/media.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { OutputUnusableError } from '../providers/fetch-output.js';
import { PredictionRows, type HashColumns } from '../rows/prediction-rows.js';
import { type Failure } from '../predictions/judge-prediction.js';
import { MESSAGES } from '../messages.js';
import { type GenerationRow } from '../tables.js';
import { OutputCopier } from './output-copier.js';

const OUTPUT_LOST: Failure = { message: MESSAGES.outputLost, reason: 'generation_failed' };

/**
 * Copies the provider's image into our storage. The provider deletes its files after an hour, so a generation completes
 * only when our copy is stored.
 */
@Injectable()
export class GenerationFinisher {
  private readonly logger = new Logger(GenerationFinisher.name);

  constructor(
    private readonly rows: PredictionRows,
    private readonly storage: FileStorage,
    private readonly ids: IdGenerator,
    private readonly outputs: OutputCopier,
  ) {}

  /** Completes the generation, fails it when its image is lost, or schedules a retry. */
  async finish(row: GenerationRow): Promise<void> {
    const holder = this.ids.next();
    const claimed = await this.rows.step('claim', () => this.rows.claim(row.id, holder));
    if (!claimed?.output_url) return;
    try {
      await this.copy(claimed, holder, claimed.output_url);
    } catch (error) {
      if (isLost(error)) {
        this.logger.error('The image of a generation is lost; it is refunded.', { generationId: row.id, error });
        await this.rows.step('fail', () => this.rows.fail(row.id, OUTPUT_LOST, { holder }));
        return;
      }
      this.logger.warn('Copying the image of a generation failed; it is retried.', {
        generationId: row.id,
        attempts: claimed.attempts + 1,
        error,
      });
      await this.rows.release(claimed, holder);
    }
  }

  private async copy({ id, prompt }: GenerationRow, holder: string, url: string): Promise<void> {
    const bytes = await this.rows.step('fetch', () => this.outputs.fetch(url));
    // It was cancelled or timed out meanwhile: the rest of the work would be wasted.
    if (!(await this.rows.renew(id, holder))) return;
    const image = await this.rows.step('store-media', () => this.outputs.store(bytes));
    const hashes = await this.hashesOf(image, prompt);
    const completed = await this.rows.step('complete', () => this.rows.complete(id, holder, { image, ...hashes }));
    if (!completed) await this.discard(id, image);
  }

  /** Hashes what was stored, as it is read: the settlement fixes it. @throws Error when the file is gone */
  private async hashesOf({ url }: ImageInfo, prompt: string): Promise<HashColumns> {
    const bytes = await this.storage.get(url.slice('/media/'.length));
    if (!bytes) throw new Error('The stored image is gone.');
    const salt = newSalt();
    return { salt, image_hash: saltedHash(salt, bytes), prompt_hash: saltedHash(salt, prompt) };
  }

  /** The generation ended while its image was being stored. No one may see the image, so it is deleted. */
  private async discard(id: string, image: ImageInfo): Promise<void> {
    this.logger.log('An image came too late and is discarded.', { generationId: id });
    for (const { url } of image.sources) await this.storage.delete(url.slice('/media/'.length));
  }
}

/** True when a retry does not help. */
function isLost(error: unknown): boolean {
  return error instanceof OutputUnusableError || error instanceof UnreadableImageError;
}
