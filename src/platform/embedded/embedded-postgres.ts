import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  fstatSync,
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
import { type Socket, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { type Binaries, type RunAs, databaseIdentity, findBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './errors.js';
import { isPostmasterOf } from './postmaster.js';

export { EmbeddedPostgresError } from './errors.js';

export interface EmbeddedPostgresOptions {
  /** Absolute folder for the cluster, its password, port and log; made when missing. */
  readonly folder: string;
  /** Database to create when it is missing. */
  readonly database: string;
  /** Further server settings (`postgres -c`), of the process that starts the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder of the unpacked binaries, when not those of the npm package. */
  readonly nativeFolder?: string;
  /** How long the server may take to accept connections; recovery after a crash takes its time. */
  readonly startTimeoutMs?: number;
}

export interface EmbeddedPostgres {
  /** Connection address, password included: for the pool, never for a log. */
  readonly url: string;
  readonly port: number;
  /** True when the cluster was made by this call. */
  readonly fresh: boolean;
  /** True when a server was already running on this folder: another process's, or left behind by a killed one. */
  readonly adopted: boolean;
  /**
   * Gives the server up; end your pool first. The last process that uses the server stops it, so that a second one on
   * the same folder keeps working.
   */
  stop(): Promise<void>;
}

const USER = 'fanvas';
/** Session advisory lock in the database `postgres`: shared by every process that uses the server, exclusive to stop it. */
const USERS_LOCK = [0x66616e76, 1];
const POLL_MS = 20;
const LOG_LIMIT_BYTES = 5_000_000;

/**
 * Starts Postgres on a folder, or joins the server that already runs on it. It listens on a free loopback port with a random
 * password; the port is kept from start to start while nobody else takes it. Commits wait for the disk.
 * @throws EmbeddedPostgresError with a sentence for the user and the server's last words
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return new Launcher(options).start();
}

/** What a try to start or to join came to. */
type Attempt = Connected | 'again';
interface Connected {
  readonly port: number;
  readonly adopted: boolean;
  /** Session that holds the shared lock. */
  readonly session: pg.Client;
  /** Null for a server that another process started. */
  readonly child: ChildProcess | null;
}

/** Layout: `server/` (made whole, then renamed into place) with `data/`, `password` and `port`; beside it `postgres.log`. */
class Launcher {
  private readonly logger = new Logger('EmbeddedPostgres');
  private readonly server: string;
  private readonly data: string;
  private readonly logFile: string;
  private readonly runAs: RunAs | null;
  private readonly binaries: Binaries;
  private fresh = false;
  private password = '';
  private lastProblem = '';
  private stopping: Promise<void> | null = null;

  constructor(private readonly options: EmbeddedPostgresOptions) {
    const { folder } = options;
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
    // As root: searchable for the identity that the server runs under, and not writable by it.
    chmodSync(folder, this.runAs ? 0o711 : 0o700);
    this.binaries = findBinaries(this.runAs, options.nativeFolder);
  }

  async start(): Promise<EmbeddedPostgres> {
    await this.ensureCluster();
    const deadline = performance.now() + (this.options.startTimeoutMs ?? 120_000);
    let connected: Attempt = 'again';
    while (connected === 'again') {
      connected = await this.join();
      if (connected === 'again') connected = await this.launch(deadline);
      if (connected === 'again') {
        if (performance.now() > deadline) {
          throw new EmbeddedPostgresError(
            `The embedded Postgres in ${this.options.folder} did not start in time.`,
            this.lastProblem,
          );
        }
        await delay(POLL_MS);
      }
    }
    await this.ensureDatabase(connected.session);
    // It must not keep a process alive that has nothing else to do.
    socketOf(connected.session).unref();
    return this.handle(connected);
  }

  private handle({ port, adopted, session, child }: Connected): EmbeddedPostgres {
    child?.once('exit', (code, signal) => {
      if (!this.stopping)
        this.logger.error('The embedded Postgres stopped by itself.', { code, signal, log: this.logFile });
    });
    return {
      url: `postgres://${USER}:${this.password}@127.0.0.1:${port}/${this.options.database}`,
      port,
      fresh: this.fresh,
      adopted,
      stop: () => (this.stopping ??= this.stop(session)),
    };
  }

  // --- the cluster

  private async ensureCluster(): Promise<void> {
    if (!existsSync(this.server)) await this.initialise();
    const versionFile = path.join(this.data, 'PG_VERSION');
    let version: string;
    try {
      version = readFileSync(versionFile, 'utf8').trim();
      this.password = readFileSync(path.join(this.server, 'password'), 'utf8').trim();
    } catch (error) {
      throw new EmbeddedPostgresError(`${this.server} is not a database that this process can read.`, String(error));
    }
    if (version !== this.binaries.majorVersion) {
      throw new EmbeddedPostgresError(
        `The database in ${this.server} was made by Postgres ${version}, and this is Postgres ${this.binaries.majorVersion}: dump it with the old version and restore it with this one.`,
        '',
      );
    }
  }

  /** Makes the cluster aside and renames it into place: a crash half-way leaves nothing that looks like a cluster. */
  private async initialise(): Promise<void> {
    const { folder } = this.options;
    this.sweepUnfinished();
    const draft = path.join(folder, `unfinished-${process.pid}-${randomBytes(4).toString('hex')}`);
    mkdirSync(draft, { mode: 0o711 });
    chmodSync(draft, this.runAs ? 0o711 : 0o700);
    const data = path.join(draft, 'data');
    mkdirSync(data, { mode: 0o700 });
    const password = randomBytes(24).toString('base64url');
    writeDurably(path.join(draft, 'password'), `${password}\n`);
    const forInitdb = path.join(draft, 'initdb-password');
    writeFileSync(forInitdb, `${password}\n`, { mode: 0o600 });
    if (this.runAs) for (const file of [data, forInitdb]) chownSync(file, this.runAs.uid, this.runAs.gid);
    try {
      await this.runInitdb(draft);
      rmSync(forInitdb);
      renameSync(draft, this.server);
      syncFolder(folder);
      this.fresh = true;
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      // Another process was faster: its cluster is as good as ours.
      if (!existsSync(this.server)) throw error;
    }
  }

  private async runInitdb(draft: string): Promise<void> {
    const seen = this.openFor(draft);
    try {
      const durable = this.options.settings?.['fsync'] !== 'off';
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

  /** Drafts of processes that are gone. */
  private sweepUnfinished(): void {
    for (const name of readdirSync(this.options.folder)) {
      const pid = /^unfinished-(\d+)-/.exec(name)?.[1];
      if (pid && !isAlive(Number(pid))) {
        rmSync(path.join(this.options.folder, name), { recursive: true, force: true });
      }
    }
  }

  // --- the server

  /** Joins the server that runs on our data, if one does. What `postmaster.pid` says is a hint, never a proof. */
  private async join(): Promise<Attempt> {
    const running = this.readPidFile();
    if (!running) return 'again';
    return (await this.connect(running.port, null)) ?? 'again';
  }

  private async launch(deadline: number): Promise<Attempt> {
    const running = this.readPidFile();
    // Starting, recovering or shutting down: it will answer or be gone soon.
    if (running && isPostmasterOf(running.pid, this.data)) return 'again';

    const port = await this.choosePort();
    this.rotateLog();
    const log = openSync(this.logFile, 'a', 0o600);
    const logStart = fstatSync(log).size;
    const seen = this.openFor(this.server);
    let child: ChildProcess;
    try {
      child = spawn(this.binaries.postgres, ['-D', path.join(seen.path, 'data'), ...this.serverArguments(port)], {
        // Its own process group: Ctrl-C in a terminal is for us, and we stop it in order.
        detached: true,
        stdio: ['ignore', log, log, ...seen.stdio],
        cwd: '/',
        env: serverEnvironment(),
        ...(this.runAs ?? {}),
      });
    } finally {
      closeSync(log);
      seen.close();
    }
    let ended: string | null = null;
    child.once('error', (error) => (ended = error.message));
    child.once('exit', (code, signal) => (ended ??= `postgres ended with ${code ?? signal}`));
    child.unref();

    while (ended === null && performance.now() < deadline) {
      const connected = await this.connect(port, child);
      if (connected) {
        this.keepPort(port);
        return connected;
      }
      await delay(POLL_MS);
    }
    const words = lastLines(this.readLog(logStart));
    if (ended === null) {
      child.kill('SIGINT');
      throw new EmbeddedPostgresError(`The embedded Postgres in ${this.options.folder} did not start in time.`, words);
    }
    this.lastProblem = `${words}\n${String(ended)}`.trim();
    if (/could not create any TCP\/IP sockets|could not bind/.test(words)) return this.forgetPort();
    if (/lock file "postmaster.pid" already exists/.test(words)) return this.clearStalePidFile();
    if (/pre-existing shared memory block/.test(words)) return 'again';
    throw new EmbeddedPostgresError(
      `The embedded Postgres in ${this.options.folder} stopped while starting.`,
      this.lastProblem,
    );
  }

  private serverArguments(port: number): string[] {
    const settings: Record<string, string> = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      synchronous_commit: 'on',
      max_connections: '200',
      timezone: 'UTC',
      log_timezone: 'UTC',
      log_checkpoints: 'off',
      // Statements may carry prompts and addresses: errors are logged without them.
      log_min_error_statement: 'panic',
      log_parameter_max_length_on_error: '0',
      ...this.options.settings,
    };
    return ['-p', String(port), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  }

  /** A session on our server, holding the users' lock; null when none answers there, or another one does. */
  private async connect(port: number, child: ChildProcess | null): Promise<Connected | null> {
    const session = new pg.Client({
      host: '127.0.0.1',
      port,
      user: USER,
      password: this.password,
      database: 'postgres',
      connectionTimeoutMillis: 5000,
      application_name: 'fanvas-launcher',
      keepAlive: true,
    });
    // A server that goes down ends the session: whoever uses the server notices on connections of its own.
    session.on('error', (error) => {
      if (!this.stopping) this.logger.debug('The launcher lost its session.', { reason: error.message });
    });
    try {
      await session.connect();
      if (await this.servesOurData(session)) {
        await session.query('select pg_advisory_lock_shared($1, $2)', USERS_LOCK);
        return { port, adopted: child === null, session, child };
      }
      this.lastProblem = `Another Postgres answers on port ${port}.`;
    } catch (error) {
      this.lastProblem = error instanceof Error ? error.message : String(error);
    }
    await endQuietly(session, this.logger);
    return null;
  }

  /** Proof by a secret that only a server on this very folder can read (a copied folder has the same ids and password). */
  private async servesOurData(session: pg.Client): Promise<boolean> {
    const name = `fanvas-proof-${randomBytes(8).toString('hex')}`;
    const secret = randomBytes(16).toString('hex');
    const file = path.join(this.data, name);
    writeFileSync(file, secret, { mode: 0o600 });
    try {
      if (this.runAs) chownSync(file, this.runAs.uid, this.runAs.gid);
      const answer = await session.query<{ secret: string | null }>('select pg_read_file($1, true) as secret', [name]);
      return answer.rows[0]?.secret === secret;
    } finally {
      rmSync(file, { force: true });
    }
  }

  private async ensureDatabase(session: pg.Client): Promise<void> {
    const { database } = this.options;
    const found = await session.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount) return;
    try {
      await session.query(`create database ${pg.escapeIdentifier(database)}`);
    } catch (error) {
      // Another process made it meanwhile.
      if (!['42P04', '23505'].includes((error as pg.DatabaseError).code ?? '')) throw error;
    }
  }

  private async stop(session: pg.Client): Promise<void> {
    socketOf(session).ref();
    let holder = session;
    try {
      let last = await this.isLastUser(holder);
      if (last === null) {
        // Our session was lost. The server may have been started anew since, by somebody who uses it.
        await endQuietly(holder, this.logger);
        const again = await this.join();
        if (again !== 'again') holder = again.session;
        last = again === 'again' || (await this.isLastUser(holder)) !== false;
      }
      if (last) await this.stopServer();
    } finally {
      await endQuietly(holder, this.logger);
    }
  }

  /** Whether nobody else uses the server; newcomers then wait until this session ends. Null when the session is broken. */
  private async isLastUser(session: pg.Client): Promise<boolean | null> {
    try {
      await session.query('select pg_advisory_unlock_shared($1, $2)', USERS_LOCK);
      const { rows } = await session.query<{ ok: boolean }>('select pg_try_advisory_lock($1, $2) as ok', USERS_LOCK);
      return rows[0]?.ok === true;
    } catch (error) {
      this.logger.debug('The server did not answer while stopping.', { reason: String(error) });
      return null;
    }
  }

  private async stopServer(): Promise<void> {
    const running = this.readPidFile();
    if (!running || !isPostmasterOf(running.pid, this.data)) return;
    // Fast shutdown; then, WAL makes an immediate one safe, only slow to recover from.
    await this.signalAndWait(running.pid, 'SIGINT', 20_000);
    if (isPostmasterOf(running.pid, this.data)) await this.signalAndWait(running.pid, 'SIGQUIT', 10_000);
    if (isPostmasterOf(running.pid, this.data)) {
      const words = lastLines(this.readLog(0));
      throw new EmbeddedPostgresError(`The embedded Postgres (process ${running.pid}) did not stop.`, words);
    }
  }

  private async signalAndWait(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
    process.kill(pid, signal);
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline && isPostmasterOf(pid, this.data)) await delay(POLL_MS);
  }

  // --- small files

  /** The process id (line 1) and port (line 4) that a server wrote into its data folder. */
  private readPidFile(): { pid: number; port: number } | null {
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

  /** Postgres respects the file while any process has that id; after a restart of the machine that may be a stranger's. */
  private clearStalePidFile(): 'again' {
    const running = this.readPidFile();
    if (running && !isPostmasterOf(running.pid, this.data))
      rmSync(path.join(this.data, 'postmaster.pid'), { force: true });
    return 'again';
  }

  private async choosePort(): Promise<number> {
    const file = path.join(this.server, 'port');
    if (existsSync(file)) {
      const kept = Number(readFileSync(file, 'utf8'));
      if (kept > 0 && kept < 65536 && (await listenOn(kept)) !== null) return kept;
    }
    const free = await listenOn(0);
    if (free === null)
      throw new EmbeddedPostgresError('There is no free port on 127.0.0.1 for the embedded Postgres.', '');
    return free;
  }

  private keepPort(port: number): void {
    writeFileSync(path.join(this.server, 'port'), `${port}\n`, { mode: 0o600 });
  }

  private forgetPort(): 'again' {
    rmSync(path.join(this.server, 'port'), { force: true });
    return 'again';
  }

  private rotateLog(): void {
    const size = statSync(this.logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size > LOG_LIMIT_BYTES) renameSync(this.logFile, `${this.logFile}.1`);
  }

  private readLog(from: number): string {
    if (!existsSync(this.logFile)) return '';
    const log = openSync(this.logFile, 'r');
    try {
      const start = Math.max(from, fstatSync(log).size - 16_384);
      const buffer = Buffer.alloc(Math.max(0, fstatSync(log).size - start));
      readSync(log, buffer, 0, buffer.length, start);
      return buffer.toString();
    } finally {
      closeSync(log);
    }
  }

  /**
   * How a child under another identity gets to a folder of ours. A clone may lie where that identity cannot go (/root, or a
   * parent with mode 700); a folder opened by us and inherited by the child is reached through /proc without passing there.
   */
  private openFor(folder: string): { path: string; stdio: number[]; close(): void } {
    if (!this.runAs || !existsSync('/proc/self/fd')) return { path: folder, stdio: [], close: () => undefined };
    const handle = openSync(folder, 'r');
    return { path: '/proc/self/fd/3', stdio: [handle], close: () => closeSync(handle) };
  }
}

/** Port that could be listened on just now; null when it is taken. */
function listenOn(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : null));
    });
  });
}

/** No PG* variable of the user's may change the server, and messages are matched in English. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => ['PATH', 'TMPDIR', 'HOME'].includes(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

/** Ends a session that may be broken already, within two seconds. */
async function endQuietly(session: pg.Client, logger: Logger): Promise<void> {
  const patience = new AbortController();
  try {
    const tooLong = delay(2_000, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([session.end(), tooLong]);
  } catch (error) {
    logger.debug('A session did not end well.', { reason: String(error) });
  } finally {
    patience.abort();
    socketOf(session).destroy();
  }
}

/** The socket beneath a session; `pg` has no public way to it on a client. */
function socketOf(session: pg.Client): Socket {
  return (session as unknown as { connection: { stream: Socket } }).connection.stream;
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
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
