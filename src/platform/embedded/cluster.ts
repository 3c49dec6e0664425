import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type Binaries, type RunAs, databaseIdentity, findBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './errors.js';

/** Superuser of the cluster, which owns the database and its tables. */
export const USER = 'fanvas';

/** A role with fewer rights, which has a password file of its own. */
export type LimitedRole = 'fanvas_app' | 'fanvas_audit';

const LOG_LIMIT_BYTES = 5_000_000;
/** Writes a new file, and waits for the disk. */
const DURABLY = { mode: 0o600, flag: 'wx', flush: true };

/**
 * The files of an embedded Postgres: `server/` with `data/`, `port` and a password for each role, and `postgres.log`
 * next to it. `server/` is created under another name and then renamed into place.
 */
export class ClusterFolder {
  readonly server: string;
  readonly data: string;
  readonly logFile: string;
  /** User that runs the server; null for the user of this process. */
  readonly runAs: RunAs | null;
  readonly binaries: Binaries;

  /** @param nativeFolder the unpacked binaries, when not those of the npm package */
  constructor(
    private readonly folder: string,
    nativeFolder?: string,
  ) {
    if (process.platform === 'win32') {
      throw new EmbeddedPostgresError(
        'The embedded Postgres does not run on Windows; use WSL, or set DATABASE_URL.',
        '',
      );
    }
    this.server = path.join(folder, 'server');
    this.data = path.join(this.server, 'data');
    this.logFile = path.join(folder, 'postgres.log');
    this.runAs = databaseIdentity(this.data);
    mkdirSync(folder, { recursive: true });
    // As root: the server's user may enter the folder and may not write to it.
    chmodSync(folder, this.runAs ? 0o711 : 0o700);
    this.binaries = findBinaries(this.runAs, nativeFolder);
  }

  /**
   * Creates the cluster when there is none.
   * @param durable false: do not wait for the disk, for tests
   * @throws EmbeddedPostgresError when it cannot be created or read, or belongs to another major version
   */
  async ensure(durable: boolean): Promise<{ password: string; fresh: boolean }> {
    const fresh = !existsSync(this.server) && (await this.initialise(durable));
    let version: string;
    let password: string;
    try {
      version = readFileSync(path.join(this.data, 'PG_VERSION'), 'utf8').trim();
      password = readFileSync(path.join(this.server, 'password'), 'utf8').trim();
    } catch (error) {
      throw new EmbeddedPostgresError(`${this.server} is not a database that this process can read.`, String(error));
    }
    if (version !== this.binaries.majorVersion) {
      throw new EmbeddedPostgresError(
        `The database in ${this.server} was made by Postgres ${version}, but this is Postgres ${this.binaries.majorVersion}: dump it with the old version and restore it with this one.`,
        '',
      );
    }
    return { password, fresh };
  }

  /** Returns the password of a role. Creates it when there is none: call it in one process at a time. */
  passwordOf(role: LimitedRole): { password: string; fresh: boolean } {
    const file = path.join(this.server, `password-${role}`);
    if (existsSync(file)) return { password: readFileSync(file, 'utf8').trim(), fresh: false };
    const password = newPassword();
    const draft = `${file}.unfinished`;
    rmSync(draft, { force: true });
    writeFileSync(draft, `${password}\n`, DURABLY);
    renameSync(draft, file);
    syncFolder(this.server);
    return { password, fresh: true };
  }

  /**
   * Gives a child process of another user access to a folder. A clone may be below a folder that this user cannot enter
   * (/root, or a parent with mode 700). The child inherits an open handle of the folder and reaches it through /proc.
   */
  openFor(folder: string): { path: string; stdio: number[]; close(): void } {
    if (!this.runAs || !existsSync('/proc/self/fd')) return { path: folder, stdio: [], close: () => undefined };
    const handle = openSync(folder, 'r');
    return { path: '/proc/self/fd/3', stdio: [handle], close: () => closeSync(handle) };
  }

  /** The process id (line 1) and port (line 4) that a server wrote into its data folder. */
  readPidFile(): { pid: number; port: number } | null {
    let text: string;
    try {
      text = readFileSync(path.join(this.data, 'postmaster.pid'), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    const lines = text.split('\n');
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    return Number.isInteger(pid) && pid > 0 ? { pid, port } : null;
  }

  /** A crash can leave an empty pid file. One that is younger than two seconds may still be being written. */
  hasEmptyPidFile(): boolean {
    const file = statSync(path.join(this.data, 'postmaster.pid'), { throwIfNoEntry: false });
    return file !== undefined && file.size === 0 && Date.now() - file.mtimeMs > 2_000;
  }

  removePidFile(): void {
    rmSync(path.join(this.data, 'postmaster.pid'), { force: true });
  }

  /** The port of the last start, null when there is none. */
  readPort(): number | null {
    const file = path.join(this.server, 'port');
    const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    return Number.isInteger(port) && port > 0 && port < 65536 ? port : null;
  }

  keepPort(port: number): void {
    writeFileSync(path.join(this.server, 'port'), `${port}\n`, { mode: 0o600 });
  }

  forgetPort(): void {
    rmSync(path.join(this.server, 'port'), { force: true });
  }

  /** Opens the log for the server to append to. The caller closes it. */
  openLog(): { handle: number; size: number } {
    const before = statSync(this.logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (before > LOG_LIMIT_BYTES) renameSync(this.logFile, `${this.logFile}.1`);
    const handle = openSync(this.logFile, 'a', 0o600);
    return { handle, size: fstatSync(handle).size };
  }

  /** Returns the last lines of the log after this offset. */
  logTail(from = 0): string {
    if (!existsSync(this.logFile)) return '';
    const log = openSync(this.logFile, 'r');
    try {
      const { size } = fstatSync(log);
      const start = Math.max(Math.min(from, size), size - 16_384);
      const buffer = Buffer.alloc(size - start);
      readSync(log, buffer, 0, buffer.length, start);
      return lastLines(buffer.toString());
    } finally {
      closeSync(log);
    }
  }

  /** Creates the cluster under another name and renames it into place, so that a crash leaves no partial cluster. */
  private async initialise(durable: boolean): Promise<boolean> {
    const { folder } = this;
    this.sweepUnfinished();
    const draft = path.join(folder, `unfinished-${process.pid}-${randomBytes(4).toString('hex')}`);
    mkdirSync(draft, { mode: 0o711 });
    chmodSync(draft, this.runAs ? 0o711 : 0o700);
    const data = path.join(draft, 'data');
    mkdirSync(data, { mode: 0o700 });
    const password = newPassword();
    writeFileSync(path.join(draft, 'password'), `${password}\n`, DURABLY);
    const forInitdb = path.join(draft, 'initdb-password');
    writeFileSync(forInitdb, `${password}\n`, { mode: 0o600 });
    if (this.runAs) for (const file of [data, forInitdb]) chownSync(file, this.runAs.uid, this.runAs.gid);
    try {
      await this.runInitdb(draft, durable);
      rmSync(forInitdb);
      renameSync(draft, this.server);
      syncFolder(folder);
      return true;
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      // Another process has created the cluster meanwhile: use that one.
      if (!existsSync(this.server)) throw error;
      return false;
    }
  }

  private async runInitdb(draft: string, durable: boolean): Promise<void> {
    const seen = this.openFor(draft);
    try {
      const child = spawn(
        this.binaries.initdb,
        [
          ...['-D', path.join(seen.path, 'data'), '-U', USER, '-A', 'scram-sha-256'],
          ...[`--pwfile=${path.join(seen.path, 'initdb-password')}`, '-E', 'UTF8', '--locale=C', '--no-instructions'],
          ...(durable ? [] : ['--no-sync']),
        ],
        { stdio: ['ignore', 'pipe', 'pipe', ...seen.stdio], cwd: '/', env: serverEnvironment(), ...(this.runAs ?? {}) },
      );
      const output: Buffer[] = [];
      child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
      child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
      const failed = await new Promise<string | null>((resolve) => {
        child.once('error', (error) => resolve(error.message));
        child.once('close', (code, signal) => resolve(code === 0 ? null : `initdb ended with ${code ?? signal}`));
      });
      if (failed) {
        const words = lastLines(Buffer.concat(output).toString());
        throw new EmbeddedPostgresError(
          'The embedded Postgres could not make its database.',
          `${words}\n${failed}`.trim(),
        );
      }
    } finally {
      seen.close();
    }
  }

  /** Removes drafts of processes that have ended. */
  private sweepUnfinished(): void {
    for (const name of readdirSync(this.folder)) {
      const pid = /^unfinished-(\d+)-/.exec(name)?.[1];
      if (pid && !isAlive(Number(pid))) {
        // The server's own tool may outlive the killed process for a moment and still write.
        rmSync(path.join(this.folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      }
    }
  }
}

/** No PG* variable of the user's may change the server, and messages are matched in English. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => ['PATH', 'TMPDIR', 'HOME'].includes(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-12).join('\n');
}
