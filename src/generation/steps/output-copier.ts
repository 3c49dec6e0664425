import { Inject, Injectable } from '@nestjs/common';
import { type ImageInfo } from '../../contract/media.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { decodeImage, encodeImage, isBlank, storeImage, UnreadableImageError } from '../../platform/media/images.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { FETCH_TIMEOUT_MS, MAX_OUTPUT_BYTES } from '../limits.js';
import { fetchOutput } from '../providers/fetch-output.js';
import { watermark } from '../images/watermark.js';

/** Copies an image of the provider into our storage. The demo's past replaces it by one that knows its pictures. */
@Injectable()
export class OutputCopier {
  constructor(
    @Inject(PROVIDER_SETTINGS) private readonly providers: Pick<ProviderSettings, 'replicate'>,
    private readonly storage: FileStorage,
  ) {}

  /** @throws OutputUnusableError, OutputUnavailableError */
  fetch(url: string): Promise<Buffer> {
    return fetchOutput(url, {
      allowedHosts: this.providers.replicate.outputHosts,
      maxBytes: MAX_OUTPUT_BYTES,
      timeoutMs: FETCH_TIMEOUT_MS,
    });
  }

  /**
   * Stores the watermarked image in all sizes.
   * @throws UnreadableImageError, also for an image without content
   */
  async store(bytes: Buffer): Promise<ImageInfo> {
    const picture = await decodeImage(bytes);
    if (isBlank(picture)) throw new UnreadableImageError('The picture is blank.');
    return storeImage(this.storage, await encodeImage(picture, watermark));
  }
}
