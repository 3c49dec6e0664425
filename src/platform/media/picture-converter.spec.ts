import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { PictureConverter } from './picture-converter.js';

const webp = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: '#d96f32' } })
    .webp()
    .toBuffer();

describe('PictureConverter', () => {
  it.each([
    ['jpg', 'jpeg'],
    ['png', 'png'],
  ] as const)('converts a stored picture to %s in its size', async (format, name) => {
    const bytes = await new PictureConverter().convert('a/8', format, webp);
    expect(await sharp(bytes ?? Buffer.alloc(0)).metadata()).toMatchObject({ format: name, width: 8, height: 6 });
  });

  it('returns null when there is no such picture', async () => {
    expect(await new PictureConverter().convert('a/8', 'jpg', () => Promise.resolve(null))).toBeNull();
  });

  it('converts once for requests at the same time, and again for a later one', async () => {
    const converter = new PictureConverter();
    let reads = 0;
    const convert = () =>
      converter.convert('a/8', 'jpg', () => {
        reads += 1;
        return webp();
      });
    const [first, second] = await Promise.all([convert(), convert()]);
    expect([reads, first === second]).toEqual([1, true]);
    await convert();
    expect(reads).toBe(2);
  });

  it('runs two conversions at once, lets fifty wait, and refuses more', async () => {
    const converter = new PictureConverter();
    const running: (() => void)[] = [];
    const read = () => new Promise<null>((resolve) => running.push(() => resolve(null)));
    const all = Array.from({ length: 52 }, (_, index) => converter.convert(`a/${index}`, 'png', read));
    await expect(converter.convert('a/more', 'png', read)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
    expect(running).toHaveLength(2);
    for (const [index, conversion] of all.entries()) {
      running[index]?.();
      expect(await conversion).toBeNull();
    }
    const later = converter.convert('a/later', 'png', () => Promise.resolve(null));
    expect(await later).toBeNull();
  });

  it('frees its place when a picture cannot be read', async () => {
    const converter = new PictureConverter();
    for (let round = 0; round < 3; round += 1) {
      await expect(converter.convert('a/8', 'jpg', () => Promise.reject(new Error('no disk')))).rejects.toThrow(
        'no disk',
      );
    }
    expect(await converter.convert('a/8', 'jpg', webp)).not.toBeNull();
  });
});
