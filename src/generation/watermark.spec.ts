import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { processImage } from '../platform/media/images.js';
import { watermark } from './watermark.js';

const plain = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();

describe('watermark', () => {
  it('draws the mark at the bottom right and leaves the rest unchanged', async () => {
    const image = await processImage(await plain(1024, 1024), watermark);
    const largest = image.variants.find(({ width, format }) => width === 1024 && format === 'webp')?.bytes;
    const spread = async (left: number, top: number): Promise<number> => {
      const part = await sharp(largest).extract({ left, top, width: 200, height: 80 }).png().toBuffer();
      return Math.max(...(await sharp(part).stats()).channels.map(({ stdev }) => stdev));
    };
    expect(await spread(824, 944)).toBeGreaterThan(10);
    expect(await spread(0, 0)).toBeLessThan(1);
  });

  it('fits an image that is narrower than the mark', async () => {
    expect((await processImage(await plain(24, 16), watermark)).variants).toHaveLength(2);
  });
});
