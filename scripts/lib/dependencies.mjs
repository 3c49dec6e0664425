import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, StepFailed } from './console.mjs';
import { root, run } from './run.mjs';

/**
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [dev]
 * @property {Record<string, string>} [optionalDependencies]
 *
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

/**
 * @param {string} path
 * @returns {Lock}
 */
function readLock(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * True when node_modules holds the packages of package-lock.json. Reads npm's record of the installation,
 * node_modules/.package-lock.json. npm writes it last, so an interrupted install has none. Optional packages for other
 * systems may be missing.
 * @param {Lock} wanted
 * @param {Lock} installed
 */
export function isInstalled(wanted, installed) {
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed.packages[path];
    if (!found) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * The optional packages that a package of the lockfile requires and the lockfile lacks; `npm ci` refuses such a
 * lockfile.
 * @param {Lock} lock
 */
export function missingOptional(lock) {
  /** @type {{ name: string, version: string, dev: boolean }[]} */
  const missing = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const candidates = [`${path}/node_modules/${name}`];
      for (let at = path.lastIndexOf('node_modules/'); at >= 0; at = path.lastIndexOf('node_modules/', at - 1)) {
        candidates.push(`${path.slice(0, at)}node_modules/${name}`);
        if (at === 0) break;
      }
      if (!candidates.some((candidate) => candidate in lock.packages))
        missing.push({ name, version, dev: entry.dev === true });
    }
  }
  return missing;
}

/**
 * Installs missing packages. The check of a complete installation takes some milliseconds.
 * @throws {StepFailed} when npm cannot install
 */
export async function ensureDependencies() {
  const record = join(root, 'node_modules', '.package-lock.json');
  const fresh = !existsSync(record);
  if (!fresh && isInstalled(readLock(join(root, 'package-lock.json')), readLock(record))) return;

  say(fresh ? 'Installing packages (a minute or two)…' : 'Updating packages…');
  // The build needs development packages, also when NODE_ENV is production
  const args = [fresh ? 'ci' : 'install', '--include=dev', '--loglevel=error'];
  const npm = process.env['npm_execpath'];
  const { code } = npm && /\.c?js$/.test(npm) ? await run(process.execPath, [npm, ...args]) : await run('npm', args);
  if (code !== 0) {
    throw new StepFailed(
      `The packages could not be installed: npm ended with code ${code}, see its messages above. Installing needs the npm registry; later steps need no network.`,
    );
  }
}
