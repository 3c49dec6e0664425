import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, StepFailed } from './console.mjs';
import { root, run } from './run.mjs';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockEntry
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
