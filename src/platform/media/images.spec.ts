import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { type FileStorage } from '../storage/file-storage.js';
import { decodeImage, isBlank, processImage, storeImage, UnreadableImageError } from './images.js';

const plain = (width: number, height: number, background = '#336699'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

const noisy = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .png()
    .toBuffer();

class MemoryStorage implements Pick<FileStorage, 'put' | 'get' | 'delete'> {
  readonly files = new Map<string, { bytes: Buffer; contentType: string }>();

  put(name: string, bytes: Buffer, contentType: string): Promise<void> {
    this.files.set(name, { bytes, contentType });
    return Promise.resolve();
  }

  get(name: string): Promise<Buffer | null> {
    return Promise.resolve(this.files.get(name)?.bytes ?? null);
  }

  delete(name: string): Promise<void> {
    this.files.delete(name);
    return Promise.resolve();
  }
}

describe('processImage', () => {
  it('makes every width in both formats, AVIF first, with the sizes that it reports', async () => {
    const image = await processImage(await plain(1024, 1024));
    const seen = await Promise.all(
      image.variants.map(async ({ width, format, bytes }) => {
        const metadata = await sharp(bytes).metadata();
        return [format, width, metadata.format, metadata.width];
      }),
    );
    expect(seen).toEqual([
      ['avif', 1024, 'heif', 1024],
      ['avif', 640, 'heif', 640],
      ['avif', 384, 'heif', 384],
      ['webp', 1024, 'webp', 1024],
      ['webp', 640, 'webp', 640],
      ['webp', 384, 'webp', 384],
    ]);
    expect(Buffer.from(image.thumbhash, 'base64').length).toBeGreaterThan(10);
  });

  it('draws the overlay in each size of the picture', async () => {
    const sizes: number[][] = [];
    const overlay = (width: number, height: number): Buffer => {
      sizes.push([width, height]);
      const white = `<rect x="${width - 100}" width="100" height="100" fill="#fff"/>`;
      return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${white}</svg>`);
    };
    const image = await processImage(await plain(2048, 2048), overlay);
    expect(sizes.map(([width]) => width).sort()).toEqual([1024, 384, 640]);
    const brightness = async (left: number): Promise<number> => {
      const part = await sharp(image.variants[0]?.bytes).extract({ left, top: 0, width: 90, height: 90 }).toBuffer();
      return (await sharp(part).stats()).channels[0]?.mean ?? 0;
    };
    expect(await brightness(930)).toBeGreaterThan(240);
    expect(await brightness(0)).toBeLessThan(80);
  });

  it('does not enlarge a small picture', async () => {
    const image = await processImage(await plain(500, 400));
    expect([image.width, image.height]).toEqual([500, 400]);
    expect(image.variants.map(({ width }) => width)).toEqual([500, 384, 500, 384]);
  });

  it('brings a large picture down to the largest width', async () => {
    const upright = await processImage(await plain(1500, 3000));
    expect([upright.width, upright.height]).toEqual([1024, 2048]);
    const wide = await processImage(await plain(3000, 1500));
    expect([wide.width, wide.height]).toEqual([1280, 640]);
    expect(wide.variants.map(({ width }) => width)).toEqual([1280, 640, 384, 1280, 640, 384]);
  });

  it('turns a photograph upright and removes its metadata', async () => {
    const sideways = await sharp(await plain(300, 200))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const image = await processImage(sideways);
    expect([image.width, image.height]).toEqual([200, 300]);
    expect((await sharp(image.variants[0]?.bytes).metadata()).exif).toBeUndefined();
  });

  it.each([
    ['text', Buffer.from('<html>not a picture</html>')],
    [
      'an SVG, which could fetch and hide things',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['nothing', Buffer.alloc(0)],
    ['a header without a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ])('refuses %s', async (_, bytes) => {
    await expect(processImage(bytes)).rejects.toThrow(UnreadableImageError);
  });

  it('refuses a truncated picture', async () => {
    const picture = await noisy(300, 300);
    await expect(processImage(picture.subarray(0, picture.length / 2))).rejects.toThrow(UnreadableImageError);
  });

  it('refuses a small file that unpacks to a huge picture', async () => {
    await expect(processImage(await plain(6000, 6000))).rejects.toThrow(UnreadableImageError);
  });
});

describe('storeImage', () => {
  it('stores each variant under the address that it returns, with its own content type', async () => {
    const storage = new MemoryStorage();
    const info = await storeImage(storage, await processImage(await plain(1024, 1280)));
    expect(info.url).toMatch(/^\/media\/[\w-]{24}\/1024\.webp$/);
    expect([info.width, info.height]).toEqual([1024, 1280]);
    const stored = [...storage.files].map(([name, file]) => [`/media/${name}`, file.contentType]);
    expect(info.sources.map(({ url, type }) => [url, type])).toEqual(stored);
  });

  it('gives every picture a new name, even when it is stored twice', async () => {
    const storage = new MemoryStorage();
    const image = await processImage(await plain(64, 64));
    const first = await storeImage(storage, image);
    const second = await storeImage(storage, image);
    expect(first.url).not.toBe(second.url);
  });
});

describe('isBlank', () => {
  const transparent = (alpha: number): Promise<Buffer> =>
    sharp({ create: { width: 9, height: 9, channels: 4, background: { r: 200, g: 30, b: 30, alpha: alpha / 255 } } })
      .png()
      .toBuffer();

  it('finds pictures of one pixel, and those that are white, black or transparent in every pixel', async () => {
    for (const colour of ['#fff', '#fdfdfd', '#000', '#020202'])
      expect(isBlank(await decodeImage(await plain(9, 9, colour)))).toBe(true);
    expect(isBlank(await decodeImage(await plain(1, 1)))).toBe(true);
    for (const alpha of [0, 2]) expect(isBlank(await decodeImage(await transparent(alpha)))).toBe(true);
  });

  it('accepts a picture in which one pixel differs, and a picture of one other colour', async () => {
    const dot = await sharp(await plain(9, 9, '#000'))
      .composite([{ input: await plain(1, 1, '#030303'), left: 4, top: 4 }])
      .png()
      .toBuffer();
    expect(isBlank(await decodeImage(dot))).toBe(false);
    expect(isBlank(await decodeImage(await plain(9, 9, '#030303')))).toBe(false);
    expect(isBlank(await decodeImage(await plain(9, 9)))).toBe(false);
    expect(isBlank(await decodeImage(await transparent(128)))).toBe(false);
  });
});
