import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, StepFailed } from './console.mjs';
import { root, run } from './run.mjs';

/**
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {string} [name] when the package has another name than its folder
 * @property {string} [resolved]
 * @property {boolean} [optional]
 * @property {boolean} [dev]
 * @property {Record<string, string>} [optionalDependencies]
 *
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

const LOCKFILE = join(root, 'package-lock.json');

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
 * The lockfile with the address of each package, by the paths that the npm registry and its mirrors use. Without
 * addresses, `npm ci` asks the registry for all versions of every package: two fifths of its time.
 * @param {Lock} lock
 * @param {string} registry its address
 * @returns {Lock}
 */
export function withAddresses(lock, registry) {
  const origin = registry.replace(/\/$/, '');
  /** @param {[string, LockEntry]} entry @returns {[string, LockEntry]} */
  const addressed = ([path, entry]) => {
    if (!entry.integrity) return [path, entry];
    const name = entry.name ?? path.split('node_modules/').at(-1) ?? '';
    const file = `${name.split('/').at(-1)}-${entry.version}.tgz`;
    return [path, { ...entry, resolved: `${origin}/${name}/-/${file}` }];
  };
  return { ...lock, packages: Object.fromEntries(Object.entries(lock.packages).map(addressed)) };
}

/**
 * Runs npm: the one that started this script, if it did.
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
function npm(args, options) {
  const path = process.env['npm_execpath'];
  return path && /\.c?js$/.test(path) ? run(process.execPath, [path, ...args], options) : run('npm', args, options);
}

/**
 * Installs all packages with their addresses, which npm reads from a file that has precedence over package-lock.json.
 * @param {string[]} args
 * @returns {Promise<number | null>} npm's exit code; null when the registry has other addresses, or is unknown
 */
async function installByAddress(args) {
  const { code: unknown, output: registry } = await npm(['config', 'get', 'registry'], { capture: true });
  if (unknown !== 0 || !URL.canParse(registry.trim())) return null;
  const file = join(root, 'npm-shrinkwrap.json');
  const remove = () => rmSync(file, { force: true });
  process.once('exit', remove);
  writeFileSync(file, JSON.stringify(withAddresses(readLock(LOCKFILE), registry.trim())));
  const { code, output } = await npm(['ci', ...args], { capture: true });
  remove();
  if (output.includes('E404')) return null;
  say(output.trim());
  return code;
}

/**
 * Installs missing packages. The check of a complete installation takes some milliseconds.
 * @throws {StepFailed} when npm cannot install
 */
export async function ensureDependencies() {
  const record = join(root, 'node_modules', '.package-lock.json');
  const fresh = !existsSync(record);
  if (!fresh && isInstalled(readLock(LOCKFILE), readLock(record))) return;

  say(fresh ? 'Installing packages (a minute or two)…' : 'Updating packages…');
  // The build needs development packages, also when NODE_ENV is production
  const args = ['--include=dev', '--loglevel=error'];
  const installed = fresh ? await installByAddress(args) : null;
  const code = installed ?? (await npm([fresh ? 'ci' : 'install', ...args])).code;
  if (code !== 0) {
    throw new StepFailed(
      `The packages could not be installed: npm ended with code ${code}, see its messages above. Installing needs the npm registry; later steps need no network.`,
    );
  }
}
