import { createHash, randomUUID, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Pool } from 'pg';
import { inPages } from '../../platform/database/in-pages.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { type Records, RecordsError } from '../../platform/storage/records.js';
import { createWholeFile, draftOf } from '../../platform/whole-files.js';
import { type LedgerProblem } from '../verify/account-audit.js';
import { acceptKeys, newKeyOf, rotationProblem, type KeyRotation } from './key-rotation.js';
import { parseSeal, sealHash, sealTimeOf, writeSeal, type ProvenSeal, type SealManifest } from './seal-file.js';
import {
  adoptNextKey,
  findSigningKey,
  fingerprintOf,
  signingKeyLocation,
  signingKey,
  SigningKeyError,
  type SigningKeySource,
} from './signing-key.js';
import {
  lastLineIn,
  lastLineOf,
  LedgerFileError,
  linesOf,
  parseObject,
  signatureProblem,
  tailIn,
  writeLines,
} from './signed-file.js';
import { nullIfMissing } from '../../platform/storage/missing-file.js';

/** Time limit for uploading a seal to an archive, milliseconds. */
const UPLOAD_TIMEOUT_MS = 60_000;
/** Rows of the chain read at once. */
const ROWS_PER_READ = 500;

/** A seal could not be made or published. The message is a sentence. */
export class SealError extends Error {}

/** Name of the lock that must be held while a seal is made. */
export const SEAL_LOCK = 'ledger-seal';
/** Folder of the app's own copies of seals, in the data folder. */
export const SEAL_FOLDER = 'ledger-seals';

/** Targets of seals, in addition to the folder of the app. */
export interface SealTargets {
  /** A folder, or null. */
  readonly dir: string | null;
  /** Base URL for uploads, or null. */
  readonly url: string | null;
  readonly token: string | null;
}

export interface SealRow {
  readonly number: number;
  /** The signed last line of the file, verbatim. */
  readonly line: string;
  readonly hash: string;
  readonly sealed_at: Date;
  /** When every target had it; null before. */
  readonly published_at: Date | null;
}

/** File name of a seal, in every folder and archive. */
export function sealFileName(number: number): string {
  return `ledger-seal-${String(number).padStart(6, '0')}.ndjson`;
}

export interface SealContext {
  readonly pool: Pool;
  readonly eventStore: EventStore;
  readonly key: KeyObject;
  /** Replaces the key: it signs from the next seal on. */
  readonly nextKey?: KeyObject;
  readonly now: () => Date;
  /** The app's own folder of seals. */
  readonly folder: string;
  /** Has copies of the seals that all processes share; null or missing: there are none. */
  readonly copies?: Records | null;
}

/** The next seals after a number, the oldest first. */
export async function sealsAfter(pool: Pool, number: number, limit: number): Promise<SealRow[]> {
  const { rows } = await pool.query<SealRow>('select * from ledger_seal where number > $1 order by number limit $2', [
    number,
    limit,
  ]);
  return rows;
}

/** The seals before a number, the newest first. @param number null for the newest seals of all */
export async function sealsBefore(pool: Pool, number: number | null, limit: number): Promise<SealRow[]> {
  const { rows } = await pool.query<SealRow>(
    'select * from ledger_seal where number < coalesce($1::integer, 2147483647) order by number desc limit $2',
    [number, limit],
  );
  return rows;
}

/** The newest seal; null before the first. */
export async function lastSeal(pool: Pool): Promise<SealRow | null> {
  const { rows } = await pool.query<SealRow>('select * from ledger_seal order by number desc limit 1');
  return rows[0] ?? null;
}

/** A seal that was just made. */
interface NewSeal {
  readonly manifest: SealManifest;
  readonly file: string;
  /** Streams of accounts that are not included, because their events were deleted in the event store. */
  readonly missing: readonly string[];
}

/** The fingerprint of the key that must sign the next seal; null before the first one. */
export async function requiredKey(pool: Pool): Promise<string | null> {
  const last = await lastSeal(pool);
  const manifest = last && parseSeal(last.line)?.manifest;
  if (!manifest) return null;
  const { rotation, keyFingerprint } = manifest;
  return rotation && rotationProblem(manifest) === null ? fingerprintOf(newKeyOf(rotation)) : keyFingerprint;
}

/** Every replacement of the key that the database knows, the oldest first. */
export async function rotationsOf(pool: Pool): Promise<KeyRotation[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select line from ledger_seal where position('"rotation":{' in line) > 0 order by number`,
  );
  return rows.flatMap(({ line }) => parseSeal(line)?.manifest.rotation ?? []);
}

/** The replacements of keys in a file of lines, as the app serves it. Lines of another kind are ignored. */
export async function readRotations(file: string): Promise<KeyRotation[]> {
  const found: KeyRotation[] = [];
  for await (const line of linesOf(file)) {
    const parsed = parseObject(line.toString('utf8')) as Partial<KeyRotation> | null;
    if (parsed?.format === 'fanvas-ledger-key-rotation') found.push(parsed as KeyRotation);
  }
  return found;
}

/** The replacements of keys in these seal files. Reads their last lines. */
export async function rotationsIn(files: readonly string[]): Promise<KeyRotation[]> {
  const found: KeyRotation[] = [];
  for (const file of files) {
    const rotation = parseSeal(await lastLineOf(file))?.manifest.rotation;
    if (rotation) found.push(rotation);
  }
  return found;
}

/**
 * The signing key of a ledger (see {@link signingKey}). A key is only generated for a ledger without seals. Completes a
 * rotation that was interrupted.
 * @throws SigningKeyError when the ledger has seals and the key that must sign the next one is missing
 */
export async function signingKeyOf(pool: Pool, source: SigningKeySource): Promise<KeyObject> {
  const required = await requiredKey(pool);
  if (required === null) return signingKey(source);
  const { configuredKey, keys, dataDir } = source;
  if (configuredKey === null) await adoptNextKey(keys, required);
  const key = configuredKey ?? (await findSigningKey(keys));
  const location = signingKeyLocation(source);
  if (key === null) {
    throw new SigningKeyError(
      `The ledger has seals, and the key that signs them is missing: set LEDGER_SIGNING_KEY, or restore ${location}.`,
    );
  }
  if (required !== fingerprintOf(key) && !(await isSuccessor(key, required, dataDir))) {
    throw new SigningKeyError(
      `The next seal must be signed with the key ${required}, but ${location} has another one: set the right key and start again. npm run ledger -- rotate-key replaces a key.`,
    );
  }
  return signingKey(source);
}

/** Whether a database that was restored from before a rotation meets the new key: its folder has the rotation. */
async function isSuccessor(key: KeyObject, fingerprint: string, dataDir: string): Promise<boolean> {
  const rotations = await rotationsIn(await sealFilesIn(join(dataDir, SEAL_FOLDER)));
  return acceptKeys([key], rotations, () => undefined).replaced.has(fingerprint);
}

/**
 * Seals the heads of all streams: writes the file to the app's own folder and its signed line to `ledger_seal`. The
 * file is written first, under a temporary name, and renamed after the row is inserted. So every row has a file.
 * @throws SealError when another process made a seal at the same time, or when the folder has a seal with that number
 *   that the table lacks: the row was removed, and the file may be the only proof
 */
export async function makeSeal(
  { pool, eventStore, key, nextKey, now, folder, copies = null }: SealContext,
  onProgress?: (soFar: { accounts: number; events: number }) => void,
): Promise<NewSeal> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = await lastSeal(pool);
  const required = await requiredKey(pool);
  if (required !== null && required !== fingerprintOf(key)) {
    throw new SealError(`The next seal must be signed with the key ${required}, not with this one.`);
  }
  const number = (before?.number ?? 0) + 1;
  const file = join(folder, sealFileName(number));
  if (await exists(file)) throw lostRow(file, number);
  // Without an answer the copy is compared when the seal is published; archives refuse a second one, too.
  const isCopied = await copies?.has(sealFileName(number)).catch(falseIfUnavailable);
  if (copies && isCopied) throw lostRow(copies.location + sealFileName(number), number);
  const waiting = `${file}.waiting-${randomUUID()}`;
  // Before the streams: an act is announced before its events.
  const { rows } = await pool.query<{ number: number; hash: string }>('select number, hash from admin_act_head');
  const missing: string[] = [];
  const onMissing = (stream: string): void => void missing.push(stream);
  const options = {
    number,
    previous: before?.hash ?? null,
    key,
    now,
    onMissing,
    ...(rows[0] ? { acts: rows[0] } : {}),
    ...(nextKey ? { nextKey } : {}),
    ...(onProgress ? { onProgress } : {}),
  };
  const line = await writeLines(waiting, (write) => writeSeal(eventStore, write, options));
  const { rowCount } = await pool.query(
    'insert into ledger_seal (number, line, hash, sealed_at) values ($1, $2, $3, $4) on conflict do nothing',
    [number, line, sealHash(line), now()],
  );
  if (rowCount !== 1) {
    await rm(waiting, { force: true });
    throw new SealError(`Seal ${number} was made by another process at the same time.`);
  }
  await nameSeal(waiting, file);
  await rm(waiting, { force: true });
  const signed = parseSeal(line);
  if (!signed) throw new Error('The seal that was just written cannot be read.');
  return { manifest: signed.manifest, file, missing };
}

function lostRow(file: string, number: number): SealError {
  return new SealError(
    `${file} exists, but the database has no seal ${number}: it has lost the row, is an older copy, or the file is of another installation.`,
  );
}

function falseIfUnavailable(error: unknown): false {
  if (error instanceof RecordsError) return false;
  throw error;
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(nullIfMissing)) !== null;
}

/**
 * The file of a seal in the app's own folder, which takes it from the shared copies when another instance made it.
 * @returns null when it is in neither
 */
export async function findSealFile(
  { folder, copies = null }: Pick<SealContext, 'folder' | 'copies'>,
  { number, hash }: Pick<SealRow, 'number' | 'hash'>,
): Promise<string | null> {
  const name = sealFileName(number);
  const names = (await readdir(folder).catch(nullIfMissing)) ?? [];
  // A process that died after inserting the row left the temporary name, or both names.
  for (const each of names.filter((other) => other === name || other.startsWith(`${name}.waiting-`))) {
    if (sealHash(await lastLineOf(join(folder, each))) !== hash) continue;
    if (each !== name) {
      await nameSeal(join(folder, each), join(folder, name));
      await rm(join(folder, each), { force: true });
    }
    return join(folder, name);
  }
  const copy = copies && (await copies.get(name));
  if (!copy || sealHash(lastLineIn(tailIn(copy))) !== hash) return null;
  const file = join(folder, name);
  createWholeFile(file, copy);
  return file;
}

/**
 * Copies a seal to all targets and records it. May be repeated. A target that fails keeps no other from the seal.
 * @throws SealError that names the first target that failed
 */
export async function publishSeal(
  { pool, now, copies = null }: Pick<SealContext, 'pool' | 'now' | 'copies'>,
  number: number,
  file: string,
  targets: SealTargets,
): Promise<void> {
  const name = sealFileName(number);
  const { dir, url, token } = targets;
  const ends = await Promise.allSettled([
    dir === null ? null : copySeal(file, join(dir, name), dir),
    url === null ? null : uploadSeal(file, `${url}/${name}`, token),
    copies === null ? null : shareSeal(file, copies),
  ]);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  await pool.query('update ledger_seal set published_at = $2 where number = $1 and published_at is null', [
    number,
    now(),
  ]);
}

/** Stores the copy of a seal that all processes share. An existing copy must be the same seal. @throws SealError */
export async function shareSeal(file: string, copies: Records): Promise<void> {
  const name = basename(file);
  let isKept: boolean;
  try {
    isKept = await copies.keep(name, await readFile(file), 'application/x-ndjson');
  } catch (error) {
    throw error instanceof RecordsError ? new SealError(error.message, { cause: error }) : error;
  }
  if (!isKept) throw notWritten(copies.location + name, new Error('another file has that name'));
}

/** Copies a seal. An existing file is kept and must be the same seal. @throws SealError */
export async function copySeal(file: string, to: string, folder: string): Promise<void> {
  const partial = draftOf(to);
  try {
    await mkdir(folder, { recursive: true });
    try {
      await copyFile(file, partial);
      await nameSeal(partial, to);
    } finally {
      await rm(partial, { force: true });
    }
  } catch (error) {
    throw error instanceof SealError ? error : notWritten(to, error as Error);
  }
}

/** Links a complete file to its final name. Never replaces another seal. @throws SealError */
async function nameSeal(file: string, name: string): Promise<void> {
  try {
    await link(file, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notWritten(name, error as Error);
    if ((await lastLineOf(name)) === (await lastLineOf(file))) return;
    throw notWritten(name, new Error('another file has that name'));
  }
}

function notWritten(name: string, cause: Error): SealError {
  return new SealError(`The seal could not be written to ${name}: ${cause.message}.`, { cause });
}

/**
 * Uploads a seal with one PUT. Redirects and statuses other than 2xx are failures. 412 is a success when the archive
 * has the same file.
 * @throws SealError
 */
async function uploadSeal(file: string, url: string, token: string | null): Promise<void> {
  const { size } = await stat(file);
  const authorization: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const headers = {
    'Content-Type': 'application/x-ndjson',
    'Content-Length': size,
    // The archive must not replace a file.
    'If-None-Match': '*',
    ...authorization,
  };
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  try {
    const request = send(url, { method: 'PUT', headers, signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) });
    const answered = new Promise<number>((resolve, reject) => {
      request.once('error', reject);
      request.once('response', (response) => {
        response.once('error', reject).resume();
        resolve(response.statusCode ?? 0);
      });
    });
    // An archive may respond before it has read everything. Its response decides.
    const [sent, status] = await Promise.allSettled([pipeline(createReadStream(file), request), answered]);
    if (status.status === 'rejected') throw status.reason;
    // The name exists: it is this file, uploaded by an attempt whose response was lost, or another file.
    if (status.value === 412) return await expectArchived(file, url, authorization);
    if (status.value < 200 || status.value > 299) throw new Error(`it answered ${status.value}`);
    if (sent.status === 'rejected') throw sent.reason;
  } catch (error) {
    const { host } = new URL(url);
    throw new SealError(`The seal could not be sent to ${host}: ${(error as Error).message}.`, { cause: error });
  }
}

/** Requires that the archive has the same file. A 4xx response is accepted: the archive may be write-only. */
async function expectArchived(file: string, url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) });
  if (response.status === 200 && response.body) {
    const [archived, ours] = await Promise.all([sha256Of(response.body), sha256Of(createReadStream(file))]);
    if (archived !== ours) throw new Error('another file has that name');
    return;
  }
  await response.body?.cancel();
  if (response.status < 400 || response.status > 499) {
    throw new Error(`it has a file of that name, and answered ${response.status} when asked for it`);
  }
}

async function sha256Of(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Checks the chain of seals in the database: numbers without gaps, signatures, and each seal's link to the previous
 * one. The chain must also contain the given seals, which were proven from their files.
 * @returns the number of the last seal
 */
export async function verifySealChain(
  pool: Pool,
  publicKeys: readonly KeyObject[],
  seals: readonly ProvenSeal[],
  onProblem: (problem: LedgerProblem) => void,
): Promise<number> {
  const complain = (sentence: string): void => onProblem({ stream: '*', version: null, kind: 'seal', what: sentence });
  const files = new Map(seals.map((seal) => [seal.manifest.number, seal]));
  const replaced = new ReplacedKeys();
  let number = 0;
  let previous: string | null = null;
  const pages = inPages<SealRow>(ROWS_PER_READ, (last, limit) => sealsAfter(pool, last?.number ?? 0, limit));
  for await (const rows of pages) {
    for (const row of rows) {
      if (row.number !== number + 1) complain(`Seals ${number + 1} to ${row.number - 1} are missing in the database.`);
      const problem = rowProblem(row, row.number === number + 1 ? previous : undefined, publicKeys);
      if (problem !== null) complain(`Seal ${row.number} in the database ${problem}`);
      const late = replaced.add(parseSeal(row.line)?.manifest);
      if (late !== null) complain(`Seal ${row.number} in the database ${late}`);
      const file = files.get(row.number);
      if (file && file.hash !== sealHash(row.line))
        complain(`The database has another seal ${row.number} than ${file.file}.`);
      files.delete(row.number);
      number = row.number;
      previous = sealHash(row.line);
    }
  }
  for (const [missing, { file }] of files) complain(`The database has no seal ${missing}, but ${file} exists.`);
  sealChainProblems(seals, complain);
  return number;
}

function rowProblem(
  { number, line, hash }: SealRow,
  previous: string | null | undefined,
  publicKeys: readonly KeyObject[],
): string | null {
  const signed = parseSeal(line);
  if (!signed || signed.manifest.number !== number) return 'is not what was signed.';
  const wrong = signatureProblem(signed, publicKeys);
  if (wrong !== null) return `is not valid: ${wrong}`;
  const unlinked = rotationProblem(signed.manifest);
  if (unlinked !== null) return `is not valid: ${unlinked}`;
  if (hash !== sealHash(line)) return 'has another hash than its line.';
  const linked = previous === undefined || signed.manifest.previous === previous;
  return linked ? null : 'does not follow from the one before it.';
}

/** Checks proven seals without the database: consecutive seals must be linked, and no number may occur twice. */
export function sealChainProblems(seals: readonly ProvenSeal[], complain: (sentence: string) => void): void {
  const byNumber = new Map<number, ProvenSeal>();
  for (const seal of seals) {
    const { number } = seal.manifest;
    const other = byNumber.get(number);
    if (other && other.hash !== seal.hash)
      complain(`${other.file} and ${seal.file} are two different seals ${number}.`);
    byNumber.set(number, seal);
  }
  const replaced = new ReplacedKeys();
  for (const [number, { manifest, file }] of [...byNumber].sort(([a], [b]) => a - b)) {
    const late = replaced.add(manifest);
    if (late !== null) complain(`${file} ${late}`);
    const before = byNumber.get(number - 1);
    if (before && (manifest.acts?.number ?? 0) < (before.manifest.acts?.number ?? 0)) {
      complain(`${file} covers fewer acts of admins than ${before.file}.`);
    }
    if (before && before.hash !== manifest.previous) complain(`${file} does not follow from ${before.file}.`);
  }
}

/** Finds seals that are signed with a key after its replacement. Seals must be added in order of their numbers. */
class ReplacedKeys {
  /** Number of the seal that replaced a key, by the fingerprint of the key. */
  private readonly replacedBy = new Map<string, number>();

  /** @returns the problem of the seal, for the end of a sentence; null when there is none */
  add(manifest: SealManifest | undefined): string | null {
    if (!manifest) return null;
    const { number, keyFingerprint, rotation } = manifest;
    const by = this.replacedBy.get(keyFingerprint);
    if (rotation && by === undefined) this.replacedBy.set(keyFingerprint, number);
    return by === undefined ? null : `is signed with a key that seal ${by} had replaced.`;
  }
}

/** The seals at a path: the file itself, or all seals in a folder, the oldest first. @throws LedgerFileError */
export async function sealFilesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new LedgerFileError(`There is no seal at ${path}.`, { cause: error });
  });
  if (!found.isDirectory()) return [path];
  const files = await sealFilesIn(path);
  if (files.length === 0) throw new LedgerFileError(`There is no seal in ${path}.`);
  return files;
}

/** The seals in a folder, the oldest first; none when there is no folder. */
export async function sealFilesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(nullIfMissing)) ?? [];
  const seals = names.filter((name) => name.endsWith('.ndjson')).sort();
  return seals.map((name) => join(folder, name));
}

/**
 * The earliest of these seals that closed the time of an instant: it states every event that had occurred by then.
 * Reads only the last line of each file; the seal must still be proven.
 * @returns null when no seal was made after the instant
 */
export async function closingSealFile(files: readonly string[], at: Date): Promise<string | null> {
  let found: { readonly file: string; readonly closedUntil: number } | null = null;
  for (const file of files) {
    const signed = parseSeal(await lastLineOf(file));
    if (!signed) continue;
    const { closedUntil } = sealTimeOf(signed.manifest);
    if (closedUntil >= at.getTime() && (!found || closedUntil < found.closedUntil)) found = { file, closedUntil };
  }
  return found?.file ?? null;
}
