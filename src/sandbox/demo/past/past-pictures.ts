import { linkSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  newImageFolder,
  processImage,
  renameImage,
  storeImage,
  type RenamedFile,
} from '../../../platform/media/images.js';
import { type ImageInfo } from '../../../contract/media.js';
import { type FileStorage } from '../../../platform/storage/file-storage.js';
import {
  ImageProvider,
  type OutputCopier,
  type Prediction,
  PredictionNotFoundError,
  watermark,
} from '../../../generation/index.js';
import { renderArt, renderPortrait } from '../../art/index.js';
import { seedOf } from '../../art/random.js';
import { type DemoCreator } from '../demo-roster.js';

/** Pixels of a picture; the image provider's default. */
const PICTURE_PX = 1024;
/** Pictures that are drawn at once: enough to keep two cores busy. */
const AT_ONCE = 4;
/** Addresses below it are never fetched. */
const ORIGIN = 'https://past.fanvas.test/';

type PredictionRequest = Parameters<ImageProvider['create']>[0];

/** Draws the pictures of the past, each once, in the background. */
export class PastPictures implements Pick<OutputCopier, 'fetch' | 'store'> {
  private readonly pictures = new Map<string, Promise<ImageInfo>>();
  private readonly portraits = new Map<string, Promise<ImageInfo>>();
  /** Pictures whose first files belong to no image. */
  private readonly unowned = new Set<string>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /**
   * @param mediaDir folder of the storage
   * @param longest pixels of the longer side of a picture, at most
   */
  constructor(
    private readonly storage: FileStorage,
    private readonly mediaDir: string,
    private readonly longest: number,
  ) {}

  /** Draws a creator's portrait, after what was asked for before. */
  beginPortrait(creator: DemoCreator): void {
    const portrait = this.inTurn(async () => {
      const portrait = await renderPortrait(creator.username, creator.portrait, this.longest);
      return storeImage(this.storage, await processImage(portrait));
    });
    this.portraits.set(creator.username, portrait);
  }

  /** Draws a picture, after what was asked for before. @param onDrawn is called when it is stored */
  begin(creator: DemoCreator, prompt: string, onDrawn: () => void): void {
    const key = keyOf(creator.deploymentName, prompt);
    this.unowned.add(key);
    const picture = this.inTurn(async () => {
      const request = {
        style: creator.artStyle,
        prompt,
        seed: seedOf(key) % 1_000_000,
        width: PICTURE_PX,
        height: PICTURE_PX,
      };
      const picture = await renderArt(request, this.longest);
      const image = await storeImage(this.storage, await processImage(picture, watermark));
      onDrawn();
      return image;
    });
    this.pictures.set(key, picture);
  }

  async portrait(creator: DemoCreator): Promise<ImageInfo> {
    const image = await this.portraits.get(creator.username);
    if (!image) throw new Error(`There is no portrait of ${creator.name}.`);
    return image;
  }

  /** Waits until the picture is drawn. The bytes stand for it. */
  async fetch(url: string): Promise<Buffer> {
    const key = decodeURIComponent(url.slice(ORIGIN.length));
    await this.pictures.get(key);
    return Buffer.from(key);
  }

  /** The first image gets the files of the picture, and each other one its own names for them. */
  async store(bytes: Buffer): Promise<ImageInfo> {
    const key = bytes.toString();
    const original = await this.pictures.get(key);
    if (!original) throw new Error(`There is no picture ${key}.`);
    if (this.unowned.delete(key)) return original;
    const { image, files } = renameImage(original, newImageFolder());
    for (const file of files) {
      if (!this.link(file)) await this.storage.copy(file.from, file.to, file.type);
    }
    return image;
  }

  /**
   * Gives a file a second name, at once: in the thread pool, the call would wait for the pictures that are being drawn.
   * False when the file system has no links.
   */
  private link({ from, to }: RenamedFile): boolean {
    const target = join(this.mediaDir, to);
    try {
      mkdirSync(dirname(target), { recursive: true });
      linkSync(join(this.mediaDir, from), target);
      return true;
    } catch {
      return false;
    }
  }

  private inTurn<T>(draw: () => Promise<T>): Promise<T> {
    const picture = this.whenFree(draw);
    // The image that needs the picture gets the error.
    picture.catch(() => undefined);
    return picture;
  }

  private async whenFree<T>(draw: () => Promise<T>): Promise<T> {
    if (this.running === AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await draw();
    } finally {
      const next = this.waiting.shift();
      // It takes over the place.
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** An image provider that knows every picture already. It answers at once and sends no webhook. */
export class PastProvider extends ImageProvider {
  private readonly predictions = new Map<string, Prediction>();
  /** The error of the next predictions; null: they succeed. */
  nextError: string | null = null;

  constructor(
    private readonly now: () => Date,
    private readonly newId: () => string,
  ) {
    super();
  }

  override async create({ model, prompt }: PredictionRequest): Promise<Prediction> {
    const id = this.newId().replaceAll('-', '');
    const done = {
      id,
      error: this.nextError,
      startedAt: this.now(),
      completedAt: null,
      output: this.nextError === null ? ORIGIN + encodeURIComponent(keyOf(model.deploymentName ?? '', prompt)) : null,
    };
    this.predictions.set(id, { ...done, status: this.nextError === null ? 'succeeded' : 'failed' });
    return Promise.resolve({ ...done, status: 'starting', output: null, error: null, startedAt: null });
  }

  override async get(predictionId: string): Promise<Prediction> {
    const prediction = this.predictions.get(predictionId);
    // A prediction of an interrupted start: the generation fails and is refunded.
    if (!prediction) throw new PredictionNotFoundError('The prediction was lost with its process.');
    return Promise.resolve(prediction);
  }

  override async hasModel(): Promise<boolean> {
    return Promise.resolve(true);
  }

  override async cancel(): Promise<void> {
    return Promise.resolve();
  }

  override async verifyWebhook(): Promise<null> {
    return Promise.resolve(null);
  }
}

function keyOf(deploymentName: string, prompt: string): string {
  return `${deploymentName}|${prompt}`;
}
