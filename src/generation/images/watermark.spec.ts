import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { processImage } from '../../platform/media/images.js';
import { watermark } from './watermark.js';

const plain = (width: number, height: number, background = '#336699'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

/** The WebP files of a plain image with a watermark, the largest first. */
async function files(background: string): Promise<Buffer[]> {
  const image = await processImage(await plain(1024, 1024, background), watermark);
  return image.variants.filter(({ format }) => format === 'webp').map(({ bytes }) => bytes);
}

/** Width of an image. Darkest and brightest value, 0 to 255, of the part that starts at a share of width and height. */
async function range(bytes: Buffer, left: number, top: number): Promise<{ width: number; min: number; max: number }> {
  const { width } = await sharp(bytes).metadata();
  const from = (share: number): number => Math.round(share * width);
  const part = await sharp(bytes)
    .extract({ left: from(left), top: from(top), width: width - from(left), height: width - from(top) })
    .greyscale()
    .png()
    .toBuffer();
  const [grey] = (await sharp(part).stats()).channels;
  return { width, min: grey?.min ?? 0, max: grey?.max ?? 0 };
}

describe('watermark', () => {
  it.each([
    ['white', '#ffffff'],
    ['cream', '#efe6d4'],
    ['grey', '#808080'],
    ['black', '#000000'],
  ])('stays legible on a %s image in all its sizes', async (_, background) => {
    const found = await Promise.all((await files(background)).map((bytes) => range(bytes, 0.88, 0.88)));
    // White letters on a dark plate.
    const legible = found.map(({ width, min, max }) => [width, max > 225, min < 120]);
    expect(legible).toEqual([1024, 640, 384].map((width) => [width, true, true]));
  });

  it('leaves the rest of the image unchanged', async () => {
    const { width, height } = { width: 400, height: 400 };
    const [largest] = await files('#336699');
    const corner = await sharp(largest).extract({ left: 0, top: 0, width, height }).png().toBuffer();
    expect(Math.max(...(await sharp(corner).stats()).channels.map(({ stdev }) => stdev))).toBeLessThan(1);
  });

  it('has the word on pages and the stamp alone on thumbnails', () => {
    const paths = (width: number): number => watermark(width, width).toString().split('<path').length - 1;
    expect([1024, 640, 384].map(paths)).toEqual([3, 3, 2]);
  });

  it.each([
    ['portrait', 832, 1216],
    ['landscape', 1216, 832],
  ])('stays out of the square in the middle of a %s, in all its sizes', (_, width, height) => {
    for (const scale of [1, 640 / width, 384 / width]) {
      const w = width * scale;
      const h = height * scale;
      const [, x, y] = /translate\((\S+) (\S+)\) scale/.exec(watermark(w, h).toString()) ?? [];
      const outside = w > h ? Number(x) > (w + h) / 2 : Number(y) > (w + h) / 2;
      expect([scale, outside]).toEqual([scale, true]);
    }
  });

  it('fits an image that is narrower than the mark', async () => {
    expect((await processImage(await plain(24, 16), watermark)).variants).toHaveLength(2);
  });
});
