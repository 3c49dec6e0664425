import { randomBytes } from 'node:crypto';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { type FileStorage } from '../storage/file-storage.js';
import { type ImageInfo, type ImageSource } from '../../contract/media.js';

/** Width of the largest stored file; a smaller picture is never enlarged. */
const MAX_WIDTH = 1024;
/** The same for pictures that are wider than high. */
const MAX_WIDTH_WIDE = 1280;
const MAX_HEIGHT = 2048;
/** Widths of the other files. */
const SMALLER_WIDTHS = [640, 384] as const;

/** Stops a small file that unpacks to a giant picture. */
const MAX_INPUT_PIXELS = 25_000_000;
const FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp', 'heif', 'gif', 'tiff']);

const WEBP = { quality: 82, effort: 1 } as const;
/** Effort 2 takes twice the time of 1 and saves nothing on grainy pictures; above, it takes seconds. */
const AVIF = { quality: 58, effort: 1, chromaSubsampling: '4:2:0' } as const;

/** A ThumbHash takes at most 100 by 100 pixels; it keeps far less detail than that. */
const THUMB_SIZE = 48;

/** 18 random bytes give 24 characters: a name cannot be guessed. */
const NAME_BYTES = 18;

/** The bytes are not a picture that can be shown. A retry does not help. */
export class UnreadableImageError extends Error {
  override readonly name = 'UnreadableImageError';
}

export interface ImageVariant {
  readonly width: number;
  readonly format: 'avif' | 'webp';
  readonly bytes: Buffer;
}

export interface ProcessedImage {
  /** Width of the largest variant in pixels. */
  readonly width: number;
  readonly height: number;
  readonly thumbhash: string;
  /** AVIF before WebP, large before small: the order in which a browser should choose. */
  readonly variants: readonly ImageVariant[];
}

/** The pixels of a picture: upright, sRGB, without transparency, at most as large as the largest stored file. */
export interface Pixels {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 };
}

/** Reads the format from the bytes themselves. File names and headers are not trusted. @throws UnreadableImageError */
export async function inspectImage(bytes: Buffer): Promise<Metadata> {
  try {
    const metadata = await open(bytes).metadata();
    if (FORMATS.has(metadata.format)) return metadata;
  } catch (error) {
    throw new UnreadableImageError('The bytes are not a picture.', { cause: error });
  }
  throw new UnreadableImageError('The format of the picture is not supported.');
}

/** Differences of a channel that no one sees. */
const UNSEEN_DIFFERENCE = 2;

/** Whether a picture shows nothing: it is one pixel, or white, black or transparent in every pixel. */
export function isBlank({ data, info }: Pixels): boolean {
  if (info.width === 1 && info.height === 1) return true;
  return data.every((value) => value <= UNSEEN_DIFFERENCE) || data.every((value) => value >= 255 - UNSEEN_DIFFERENCE);
}

/** Renders an SVG of this size in pixels, to be laid over a picture. */
export type Overlay = (width: number, height: number) => Buffer;

/**
 * Decodes a picture of any common format: at most 1024 wide, 1280 when it is wider than high.
 * @throws UnreadableImageError when the bytes cannot be decoded completely
 */
export async function decodeImage(bytes: Buffer): Promise<Pixels> {
  const { autoOrient: upright } = await inspectImage(bytes);
  return normalise(bytes, upright.width > upright.height ? MAX_WIDTH_WIDE : MAX_WIDTH);
}

/** Decodes a picture and encodes it. @throws UnreadableImageError when the bytes cannot be decoded completely */
export async function processImage(bytes: Buffer, overlay?: Overlay): Promise<ProcessedImage> {
  return encodeImage(await decodeImage(bytes), overlay);
}

/**
 * Makes the files that the product stores: without metadata, as AVIF and WebP in three widths, with a blur placeholder.
 * @param overlay is drawn over the picture in each of its sizes, for example a watermark
 */
export async function encodeImage(picture: Pixels, overlay?: Overlay): Promise<ProcessedImage> {
  const { width, height } = picture.info;
  const widths = [width, ...SMALLER_WIDTHS.filter((smaller) => smaller < width)];
  const thumbhash = await blurOf(picture);
  const sizes = await Promise.all(
    widths.map(async (w) => {
      const pixels = await sized(picture, w);
      return overlay ? compose(pixels, overlay) : pixels;
    }),
  );
  const encode = (format: ImageVariant['format']): Promise<ImageVariant[]> =>
    Promise.all(
      sizes.map(async (pixels) => ({
        width: pixels.info.width,
        format,
        bytes: await encoded(raw(pixels), format).toBuffer(),
      })),
    );
  return { width, height, thumbhash, variants: [...(await encode('avif')), ...(await encode('webp'))] };
}

/**
 * Stores the files under a new, unguessable name and describes them for the browser.
 * @returns addresses `/media/<24 random characters>/<width>.<ext>`, all on our own origin
 */
export async function storeImage(storage: Pick<FileStorage, 'put'>, image: ProcessedImage): Promise<ImageInfo> {
  const folder = newImageFolder();
  const typeOf = (file: ImageVariant): ImageSource['type'] => `image/${file.format}`;
  const nameOf = (file: ImageVariant): string => `${folder}/${file.width}.${file.format}`;
  await Promise.all(image.variants.map((file) => storage.put(nameOf(file), file.bytes, typeOf(file))));
  const addressOf = (file: ImageVariant): string => `/media/${nameOf(file)}`;
  const largest = image.variants.find((file) => file.format === 'webp' && file.width === image.width);
  if (!largest) throw new RangeError('A processed image has a WebP of its full width');
  return {
    url: addressOf(largest),
    width: image.width,
    height: image.height,
    thumbhash: image.thumbhash,
    sources: image.variants.map((file) => ({ type: typeOf(file), url: addressOf(file), width: file.width })),
  };
}

/** A file of an image that gets a new name. Names are those of the file storage. */
export interface RenamedFile {
  readonly from: string;
  readonly to: string;
  readonly type: ImageSource['type'];
}

/** An unguessable name for the files of one image. */
export function newImageFolder(): string {
  return randomBytes(NAME_BYTES).toString('base64url');
}

/** The image in another folder, and the files to copy for it. */
export function renameImage(
  image: ImageInfo,
  folder: string,
): { readonly image: ImageInfo; readonly files: readonly RenamedFile[] } {
  const renamed = (url: string): string => `/media/${folder}/${url.split('/').at(-1) ?? ''}`;
  const sources = image.sources.map((source) => ({ ...source, url: renamed(source.url) }));
  const nameOf = (url: string): string => url.slice('/media/'.length);
  const files = image.sources.map(({ url, type }) => ({ from: nameOf(url), to: nameOf(renamed(url)), type }));
  return { image: { ...image, url: renamed(image.url), sources }, files };
}

const open = (bytes: Buffer): Sharp => sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error', pages: 1 });

async function normalise(bytes: Buffer, maxWidth: number): Promise<Pixels> {
  try {
    return await open(bytes)
      .autoOrient()
      .resize({ width: maxWidth, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    throw new UnreadableImageError('The picture cannot be decoded.', { cause: error });
  }
}

/** A separate pass, since within one pass sharp composes before it resizes. */
async function compose(pixels: Pixels, overlay: Overlay): Promise<Pixels> {
  const { width, height } = pixels.info;
  return raw(pixels)
    .composite([{ input: overlay(width, height) }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
}

const raw = ({ data, info }: Pixels): Sharp =>
  sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });

async function sized(pixels: Pixels, width: number): Promise<Pixels> {
  if (width === pixels.info.width) return pixels;
  return raw(pixels).resize({ width }).raw().toBuffer({ resolveWithObject: true });
}

const encoded = (image: Sharp, format: ImageVariant['format']): Sharp =>
  format === 'avif' ? image.avif(AVIF) : image.webp(WEBP);

async function blurOf(pixels: Pixels): Promise<string> {
  const { data, info } = await raw(pixels)
    .resize(THUMB_SIZE, THUMB_SIZE, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
