import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKPOINT_FILE, SEAL_FOLDER, sealFilesIn, shareSeal } from '../../audit/index.js';
import { type Config } from '../../platform/config/config.js';
import { copyToBucket } from '../../platform/storage/copy-to-bucket.js';
import { mediaFolder, openBucket, openRecords } from '../../platform/storage/open-storage.js';
import { count, progress, say } from '../output.js';
import { type AddVerb, UsageError } from '../program.js';

/** `copy`: the pictures of the data folder, to the bucket. */
export const addCopy: AddVerb = (program, run) => {
  program
    .command('copy')
    .description('copies the pictures of the data folder to the bucket of MEDIA_URL; goes on where it was interrupted')
    .action(() => run(({ config }) => copy(config)));
};

/** Seals and the checkpoint of the log that were made before there was a bucket. */
async function copyRecords(dataDir: string, media: Config['media']): Promise<void> {
  const records = await openRecords({ media });
  if (!records) return;
  const seals = await sealFilesIn(join(dataDir, SEAL_FOLDER));
  for (const file of seals) await shareSeal(file, records);
  const checkpoint = join(dataDir, CHECKPOINT_FILE);
  if (existsSync(checkpoint) && !(await records.has(CHECKPOINT_FILE))) {
    await records.replace(CHECKPOINT_FILE, null, await readFile(checkpoint, 'utf8'));
  }
  say(`${records.location} has the checkpoint of the log and all ${count(seals.length)} seals of this folder.`);
}

async function copy({ dataDir, media }: Config): Promise<boolean> {
  if (!media.bucket) throw new UsageError('Set MEDIA_URL to the bucket.');
  const bucket = await openBucket(media.bucket, media.delivery);
  const showProgress = progress(
    ({ files, added }: { files: number; added: number }) =>
      `${count(files)} files are in the bucket, ${count(added)} of them new…`,
  );
  const { files, added, addedBytes } = await copyToBucket(mediaFolder(dataDir), bucket, showProgress);
  say(`The bucket has all ${count(files)} files; ${count(added)} were new (${count(addedBytes)} bytes).`);
  await copyRecords(dataDir, media);
  say(`When every process of the app runs with MEDIA_URL, ${mediaFolder(dataDir)} is no longer needed.`);
  return true;
}
