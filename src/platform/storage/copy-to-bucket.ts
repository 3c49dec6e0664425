import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { STORED_NAME } from './file-storage.js';
import { nullIfMissing } from './missing-file.js';
import { type S3FileStorage } from './s3-file-storage.js';

/** Files that are copied at the same time. */
const AT_ONCE = 8;

/** Progress of a copy. */
export interface Copied {
  /** Files that the bucket has, by size and hash. */
  files: number;
  /** Those that were not there before. */
  added: number;
  addedBytes: number;
}

/**
 * Copies the files of a folder to a bucket. Files that the bucket has are skipped, so an interrupted copy goes on. The
 * app may run meanwhile: a file that it deletes from the folder does not stay in the bucket.
 * @throws BucketError, Error when the bucket does not hold what was stored
 */
export async function copyToBucket(
  folder: string,
  bucket: Pick<S3FileStorage, 'delete' | 'holds' | 'put'>,
  onProgress: (copied: Readonly<Copied>) => void = () => undefined,
): Promise<Readonly<Copied>> {
  const copied: Copied = { files: 0, added: 0, addedBytes: 0 };
  const read = (name: string): Promise<Buffer | null> =>
    readFile(join(folder, name)).catch((error: unknown) => nullIfMissing(error));
  const names = await namesIn(folder);
  const copyNext = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const bytes = await read(name);
      if (!bytes) continue;
      if (!(await bucket.holds(name, bytes))) {
        await bucket.put(name, bytes, `image/${extname(name).slice(1)}`);
        if (!(await bucket.holds(name, bytes))) throw new Error(`The bucket does not hold ${name} as it was stored.`);
        copied.added += 1;
        copied.addedBytes += bytes.length;
      }
      if ((await read(name)) === null) await bucket.delete(name);
      else copied.files += 1;
      onProgress(copied);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
  return copied;
}

/** The stored files of a folder, without drafts. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) =>
    nullIfMissing(error),
  );
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter((name) => STORED_NAME.test(name));
}
