/** Folders that tests copy, made once for each build of the server and each day. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const SERVER = fileURLToPath(new URL('../../dist/server', import.meta.url));

/**
 * @param {string} kind the folder of the cache
 * @param {string} variant what the content depends on, in addition to the build and the day
 * @param {(draft: string) => Promise<void>} make fills an empty folder
 * @returns {Promise<string>} the folder
 */
export async function madeOnce(kind, variant, make) {
  const cache = join(CACHE, kind);
  mkdirSync(cache, { recursive: true });
  const name = `${new Date().toISOString().slice(0, 10)}-${fingerprint(variant)}`;
  const folder = join(cache, name);
  const known = readdirSync(cache);
  if (known.includes(name)) return folder;
  // Those of other days and builds. An unfinished one may belong to a run in progress.
  for (const old of known) if (!old.startsWith('unfinished-')) remove(join(cache, old));
  const draft = join(cache, `unfinished-${process.pid}`);
  remove(draft);
  try {
    await make(draft);
    renameSync(draft, folder);
  } catch (error) {
    // Another run may have been faster.
    if (!readdirSync(cache).includes(name)) throw error;
  } finally {
    remove(draft);
  }
  return folder;
}

/**
 * Fingerprint of the compiled server: its files determine the content of its databases.
 * @param {string} variant
 */
function fingerprint(variant) {
  const hash = createHash('sha256').update(`${process.version} ${variant}`);
  const names = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(SERVER, name)));
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} path */
function remove(path) {
  rmSync(path, { recursive: true, force: true });
}
