/** Folders that tests copy, made once for each build of the server. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const SERVER = fileURLToPath(new URL('../../dist/server', import.meta.url));
/** Names the packages, such as that of the programs of Postgres. */
const LOCK_FILE = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const UNFINISHED = 'unfinished-';
const DAY_MS = 86_400_000;

/**
 * @param {string} kind the folder of the cache
 * @param {string} variant what the content depends on, in addition to the build
 * @param {(folder: string) => Promise<void>} make makes this folder
 * @returns {Promise<string>} the folder
 */
export async function madeOnce(kind, variant, make) {
  const cache = join(CACHE, kind);
  mkdirSync(cache, { recursive: true });
  const name = fingerprint(variant);
  const folder = join(cache, name);
  removeOthers(cache, name);
  if (!existsSync(folder)) {
    const draft = join(cache, UNFINISHED + process.pid);
    try {
      await make(draft);
      renameSync(draft, folder);
    } catch (error) {
      // Another run may have made it: then this error does not matter.
      if (!existsSync(folder)) throw error;
    } finally {
      remove(draft);
    }
  }
  utimesSync(folder, new Date(), new Date());
  return folder;
}

/**
 * Removes the folders that no run has used for a day, and what killed runs have left. Another run may be about to copy
 * a newer one.
 * @param {string} cache
 * @param {string} name of the folder that stays
 */
function removeOthers(cache, name) {
  const draft = UNFINISHED + process.pid;
  remove(join(cache, draft));
  for (const other of readdirSync(cache)) {
    if (other === name) continue;
    const path = join(cache, other);
    if (other.startsWith(UNFINISHED)) {
      if (!isRunning(Number(other.slice(UNFINISHED.length)))) remove(path);
      continue;
    }
    // The dates of a run may be shifted (`npm run test:dates`). Another run may remove the same folder first.
    const state = statSync(path, { throwIfNoEntry: false });
    if (!state || Math.abs(Date.now() - state.mtimeMs) < DAY_MS) continue;
    // Half of a folder must not have its name.
    if (takeAway(path, join(cache, draft))) remove(join(cache, draft));
  }
}

/**
 * Fingerprint of the compiled server, whose files determine the content of its databases, and of its user, who may be
 * the only one to read them.
 * @param {string} variant
 */
function fingerprint(variant) {
  const hash = createHash('sha256').update(`${process.version} ${process.getuid?.()} ${variant}`);
  hash.update(readFileSync(LOCK_FILE));
  const names = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(SERVER, name)));
  return hash.digest('hex').slice(0, 16);
}

/**
 * @param {string} path
 * @param {string} target
 * @returns {boolean} false: another run was faster
 */
function takeAway(path, target) {
  try {
    renameSync(path, target);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return false;
    throw error;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // it has ended
  }
}

/** @param {string} path */
function remove(path) {
  rmSync(path, { recursive: true, force: true });
}
