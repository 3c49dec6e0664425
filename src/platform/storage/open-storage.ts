import { join } from 'node:path';
import { type Config, type MediaSettings } from '../config/config.js';
import { type FileStorage } from './file-storage.js';
import { Records } from './records.js';
import { LocalFileStorage } from './local-file-storage.js';
import { MovingStorage } from './moving-storage.js';
import { type S3Address } from './s3-address.js';
import { type S3FileStorage, type S3Times } from './s3-file-storage.js';

/** The settings that say where stored pictures are. They can be sent to a thread. */
export type PictureSettings = Pick<Config, 'dataDir' | 'media'>;

/**
 * Opens the storage of pictures. Results of conversions stay in the data folder.
 * @throws ConfigError when the bucket cannot be used
 */
export async function openStorage({ dataDir, media }: PictureSettings): Promise<FileStorage> {
  const folder = mediaFolder(dataDir);
  const converted = join(dataDir, 'converted-media');
  if (!media.bucket) return new LocalFileStorage(folder, converted);
  return new MovingStorage(await openBucket(media.bucket, media.delivery), new LocalFileStorage(folder), converted);
}

/**
 * Opens the place of files that guard the database, below the pictures of the bucket.
 * @returns null without a bucket: they are in the data folder only
 * @throws ConfigError when the bucket cannot be used
 */
export async function openRecords({ media: { bucket } }: Pick<Config, 'media'>): Promise<Records | null> {
  if (!bucket) return null;
  const { RECORD_TIMES, RECORDS_FOLDER } = await import('./s3-file-storage.js');
  const prefix = `${bucket.prefix}${RECORDS_FOLDER}/`;
  return new Records(await openBucket({ ...bucket, prefix }, 'app', RECORD_TIMES), `s3://${bucket.bucket}/${prefix}`);
}

/** @throws ConfigError when the bucket cannot be used */
export async function openBucket(
  bucket: S3Address,
  delivery: MediaSettings['delivery'],
  times?: S3Times,
): Promise<S3FileStorage> {
  // Fanvas runs on Node 20 too, as this version of the client does.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  // The client is large, and most installations have no bucket.
  const { S3FileStorage } = await import('./s3-file-storage.js');
  const storage = new S3FileStorage(bucket, delivery, times);
  await storage.check();
  return storage;
}

/** The folder of pictures in a data folder. */
export function mediaFolder(dataDir: string): string {
  return join(dataDir, 'media');
}
