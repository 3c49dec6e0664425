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
 * Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed
 * (node_modules/.package-lock.json, which npm writes last, so an interrupted install has none). Optional packages may
 * be absent: they are for other systems.
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
 * The optional packages that the lockfile wants somewhere and names nowhere; `npm ci` refuses such a lockfile.
 * @param {Lock} lock
 */
export function missingOptional(lock) {
  /** @type {{ name: string, version: string, dev: boolean }[]} */
  const missing = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const places = [`${path}/node_modules/${name}`];
      for (let at = path.lastIndexOf('node_modules/'); at >= 0; at = path.lastIndexOf('node_modules/', at - 1)) {
        places.push(`${path.slice(0, at)}node_modules/${name}`);
        if (at === 0) break;
      }
      if (!places.some((place) => place in lock.packages)) missing.push({ name, version, dev: entry.dev === true });
    }
  }
  return missing;
}

/**
 * Installs what is missing, and only then: a check of an installed tree takes some milliseconds.
 * @throws {StepFailed} when npm cannot install
 */
export async function ensureDependencies() {
  const record = join(root, 'node_modules', '.package-lock.json');
  const fresh = !existsSync(record);
  if (!fresh && isInstalled(readLock(join(root, 'package-lock.json')), readLock(record))) return;

  say(fresh ? 'Installing packages (a minute or two)…' : 'Updating packages…');
  // Development packages are needed to build, also where NODE_ENV says production.
  const args = [fresh ? 'ci' : 'install', '--include=dev', '--loglevel=error'];
  const npm = process.env['npm_execpath'];
  const { code } = npm && /\.c?js$/.test(npm) ? await run(process.execPath, [npm, ...args]) : await run('npm', args);
  if (code !== 0) {
    throw new StepFailed(
      `The packages could not be installed: npm ended with code ${code}, its messages stand above. Installing needs the npm registry; nothing after it needs a network.`,
    );
  }
}
