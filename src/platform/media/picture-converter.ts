import { Injectable } from '@nestjs/common';
import sharp from 'sharp';
import { ApiError } from '../http/api-error.js';

/** Formats that are made when they are requested: many programs outside of browsers read no WebP. */
export type ConvertedFormat = 'jpg' | 'png';

/** Conversions that run at once; sharp has the threads of all pictures of the process. */
const AT_ONCE = 2;
/** Conversions that wait. More requests than that get an error. */
const MAX_WAITING = 50;

const JPEG = { quality: 88, chromaSubsampling: '4:4:4' } as const;
const PNG = { compressionLevel: 6 } as const;

/**
 * Converts stored pictures to JPEG and PNG, for link previews and downloads. Results are not stored: a deleted or
 * hidden picture has no copy.
 */
@Injectable()
export class PictureConverter {
  private readonly pending = new Map<string, Promise<Buffer | null>>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /**
   * Requests for the same picture at the same time share one conversion.
   * @param read returns the stored picture, or null when there is none
   * @returns null when there is no such picture
   * @throws ApiError 503 when too many requests wait
   */
  convert(name: string, format: ConvertedFormat, read: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const key = `${name}.${format}`;
    const shared = this.pending.get(key);
    if (shared) return shared;
    const conversion = this.inTurn(async () => {
      const bytes = await read();
      if (!bytes) return null;
      const picture = sharp(bytes);
      return (format === 'jpg' ? picture.jpeg(JPEG) : picture.png(PNG)).toBuffer();
    }).finally(() => this.pending.delete(key));
    this.pending.set(key, conversion);
    return conversion;
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= AT_ONCE) {
      if (this.waiting.length >= MAX_WAITING) {
        throw new ApiError(503, 'Too many images are converted at the moment. Please try again.', {
          retryAfterSeconds: 5,
        });
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      // The next one takes over the place.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
