import { constants, setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { type EncodeTask, type Encoded } from './picture-encoder.js';

/**
 * The process that encodes pictures for `PictureEncoder`. Its priority is the lowest, so that it takes only processor
 * time that the app leaves. It ends with its parent; signals to both are for the parent, which may still wait for it.
 */

const ENCODINGS = {
  jpg: (picture: Sharp) => picture.jpeg({ quality: 88, chromaSubsampling: '4:4:4' }),
  png: (picture: Sharp) => picture.png({ compressionLevel: 6 }),
} as const;

async function encode({ id, picture, format, file }: EncodeTask): Promise<Encoded> {
  try {
    await ENCODINGS[format](sharp(picture)).toFile(file);
    return { id, error: null };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

setPriority(constants.priority.PRIORITY_LOW);
sharp.concurrency(1);
sharp.cache(false);
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('message', (task: EncodeTask) => {
  void encode(task).then((encoded) => process.send?.(encoded));
});
