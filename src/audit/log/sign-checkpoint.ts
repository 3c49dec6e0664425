import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { draftOf } from '../../platform/whole-files.js';
import { type Checkpoint, openCheckpoint, signedCheckpoint } from './checkpoint.js';
import { addCheckpoint, lastCheckpoint, LedgerLogError, logSize, readHashes } from './log-store.js';
import { rangesOfRoot, rootOf } from './tree-hashes.js';
import { type Records } from '../../platform/storage/records.js';
import { nullIfMissing } from '../../platform/storage/missing-file.js';

/** File next to the signing key with the last checkpoint that this folder's app signed. */
export const CHECKPOINT_FILE = 'ledger-checkpoint.txt';

interface SigningContext {
  readonly pool: Pool;
  readonly origin: string;
  /** The key that signs now. */
  readonly key: KeyObject;
  /** Public keys whose checkpoints are ours: this one and those that rotations connect with it. */
  readonly accepted: readonly KeyObject[];
  /** The path of {@link CHECKPOINT_FILE}. */
  readonly file: string;
  /** Has a copy of the file that all processes share; null or missing: there is none. */
  readonly copies?: Records | null;
  readonly now: () => Date;
}

/**
 * Signs a checkpoint of the whole log, unless the last one says the same. The tree must continue every checkpoint that
 * is known: the last published one, and those in the file and in its shared copy, which a restored database does not
 * have. The cost depends on the depth of the tree. File and copy are written before the checkpoint is published.
 * @returns the new checkpoint; null when there is nothing new
 * @throws LedgerLogError when the tree does not continue a known checkpoint: nothing is signed
 */
export async function signCheckpoint(context: SigningContext): Promise<Checkpoint | null> {
  const { pool, origin, key, accepted, file, copies = null, now } = context;
  const published = await lastCheckpoint(pool);
  const kept = await readFile(file, 'utf8').catch(nullIfMissing);
  const shared = copies && (await readCopy(copies));
  // After the checkpoints: they then cannot be ahead of it.
  const size = await logSize(pool);
  for (const [note, location] of [
    [published?.note, 'the database'],
    [kept, file],
    [shared, copies?.location ?? ''],
  ] as const) {
    if (note === undefined || note === null) continue;
    const checkpoint = openCheckpoint(note, accepted);
    if (!checkpoint) throw new LedgerLogError(`No key of this ledger has signed the last checkpoint in ${location}.`);
    await requireContinuation(pool, size, checkpoint, location);
  }
  const checkpoint = { origin, size, root: await rootAt(pool, size) };
  const note = signedCheckpoint(checkpoint, key);
  // A key always makes the same signature, so equal notes have the same origin, size, root and key.
  if (kept !== note) await replaceFile(file, kept, note);
  if (copies && shared !== note && !(await copies.replace(CHECKPOINT_FILE, shared, note))) {
    throw new LedgerLogError(`Another process has replaced the checkpoint in ${copies.location} meanwhile.`);
  }
  if (published?.note === note) return null;
  await addCheckpoint(pool, { size, root: checkpoint.root, note, signedAt: now() });
  return checkpoint;
}

/** @throws LedgerLogError when the log does not continue the tree of a signed checkpoint */
async function requireContinuation(
  pool: Pool,
  size: number,
  { size: signed, root }: Checkpoint,
  location: string,
): Promise<void> {
  if (signed > size) {
    const sentence = `The log has ${size} leaves, but the last checkpoint in ${location} has ${signed}: the database was restored or changed, or they are of another installation. Nothing is signed.`;
    throw new LedgerLogError(sentence);
  }
  if (root.equals(await rootAt(pool, signed))) return;
  const sentence = `The first ${signed} leaves of the log are not those of the last checkpoint in ${location}: the database was restored or changed, or they are of another installation. Nothing is signed.`;
  throw new LedgerLogError(sentence);
}

/** The root of the log's first leaves. */
export async function rootAt(pool: Pool, size: number): Promise<Buffer> {
  return rootOf(size, await readHashes(pool, rangesOfRoot(size)));
}

/** The checkpoint that all processes share; null when there is none. */
export async function readCopy(copies: Records): Promise<string | null> {
  return (await copies.get(CHECKPOINT_FILE))?.toString('utf8') ?? null;
}

/**
 * Replaces a file so that a crash leaves the old or the new content, on the disk.
 * @param before its content when this run began; null: there was no file
 * @throws LedgerLogError when a process that has taken the lock meanwhile has written a newer checkpoint
 */
async function replaceFile(file: string, before: string | null, text: string): Promise<void> {
  const partial = draftOf(file);
  await mkdir(dirname(file), { recursive: true });
  try {
    const handle = await open(partial, 'w', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if ((await readFile(file, 'utf8').catch(nullIfMissing)) !== before) {
      throw new LedgerLogError(`Another process has replaced ${file} meanwhile. Nothing is signed.`);
    }
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
