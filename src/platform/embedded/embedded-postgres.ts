import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, rmSync, writeFileSync } from 'node:fs';
import { type Socket, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { ClusterFolder, type LimitedRole, USER, serverEnvironment } from './cluster.js';
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
  /**
   * True for a command next to the app: it stops only a server that it has started itself, and does not start a server
   * again that died.
   */
  readonly guest?: boolean;
  /** Called when the server died and could not be started again. Without it the error is only logged. */
  readonly onLost?: (error: EmbeddedPostgresError) => void;
}

export interface EmbeddedPostgres {
  /** Connection address of the app's role, password included: for the pool, never for a log. */
  readonly url: string;
  /** The address of the superuser, who owns the tables and runs migrations. */
  readonly ownerUrl: string;
  /** The address of the role that only reads. */
  readonly auditUrl: string;
  readonly port: number;
  /** True when this call has created the cluster. */
  readonly fresh: boolean;
  /** True when a server was already running on this folder: of another process, or left by a killed one. */
  readonly adopted: boolean;
  /**
   * Releases the server; end your pool first. The last process that uses the server stops it, so that a second one on
   * the same folder keeps working. A guest stops only what it has started.
   */
  stop(): Promise<void>;
}

/**
 * Session advisory lock in the database `postgres`: shared by every process that uses the server, exclusive to stop it.
 */
const USERS_LOCK = [0x66616e76, 1];
/** Advisory lock in the database `postgres`, for the time in which one process creates the roles. */
const ROLES_LOCK = [0x66616e76, 3];
const POLL_MS = 20;
/** How long the server may take to accept connections; recovery after a crash takes longer. */
const START_MS = 120_000;
/** The longest pause between two attempts to start a server again that died. */
const MAX_PAUSE_MS = 2_000;

/**
 * Starts Postgres on a folder, or joins the server that already runs on it. It listens on a free loopback port with a
 * random password and reuses the port at the next start if it is still free. Commits wait for the disk.
 * @throws EmbeddedPostgresError with a sentence for the user and the last lines of the server's log
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return new Launcher(options).start();
}

/** Result of an attempt to start a server or to join one. */
type Attempt = Connected | 'again';
interface Connected {
  readonly port: number;
  readonly adopted: boolean;
  /** Session that holds the shared lock. */
  readonly session: pg.Client;
  /** Null for a server that another process started. */
  readonly child: ChildProcess | null;
}

class Launcher {
  private readonly logger = new Logger('EmbeddedPostgres');
  private readonly cluster: ClusterFolder;
  private password = '';
  private limited: Readonly<Record<LimitedRole, string>> = { fanvas_app: '', fanvas_audit: '' };
  private lastProblem = '';
  private stopping: Promise<void> | null = null;
  private recovering: Promise<void> | null = null;

  constructor(private readonly options: EmbeddedPostgresOptions) {
    this.cluster = new ClusterFolder(options.folder, options.nativeFolder);
  }

  async start(): Promise<EmbeddedPostgres> {
    const { password, fresh } = await this.cluster.ensure(this.options.settings?.['fsync'] !== 'off');
    this.password = password;
    const deadline = performance.now() + START_MS;
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
    await this.ensureRoles(connected.session);
    // The session must not keep an idle process alive.
    socketOf(connected.session).unref();
    return this.handle(connected, fresh);
  }

  private handle(connected: Connected, fresh: boolean): EmbeddedPostgres {
    const { port, adopted } = connected;
    let current = connected;
    const watch = (): void => {
      const { session } = current;
      session.once('end', () => {
        if (this.stopping) return;
        this.logger.warn('The launcher lost its session with the embedded Postgres.', { log: this.cluster.logFile });
        this.recovering = this.recover(current).then(
          (again) => {
            if (!again) return;
            current = again;
            watch();
          },
          (error: unknown) => this.reportLoss(error),
        );
      });
    };
    watch();
    const addressOf = (user: string, password: string): string =>
      `postgres://${user}:${password}@127.0.0.1:${port}/${this.options.database}`;
    return {
      url: addressOf('fanvas_app', this.limited.fanvas_app),
      ownerUrl: addressOf(USER, this.password),
      auditUrl: addressOf('fanvas_audit', this.limited.fanvas_audit),
      port,
      fresh,
      adopted,
      stop: () => (this.stopping ??= this.stop(() => current)),
    };
  }

  /**
   * Takes the users' lock again after its session ended: joins the server, or starts it when it died. Null when this
   * process stops meanwhile.
   * @throws EmbeddedPostgresError when the server is not back on its port in time: every address in use names the port
   */
  private async recover(lost: Connected): Promise<Connected | null> {
    const deadline = performance.now() + START_MS;
    for (let pause = POLL_MS; !this.stopping; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      let again = await this.join();
      if (again === 'again' && !this.options.guest) again = await this.launch(deadline);
      if (again !== 'again') {
        if (again.port === lost.port && !this.stopping) {
          socketOf(again.session).unref();
          // A server that was joined again may still be the one that this process has started.
          const survivor = lost.child?.exitCode === null && lost.child.signalCode === null ? lost.child : null;
          return { ...again, child: again.child ?? survivor };
        }
        await endQuietly(again.session, this.logger);
        if (!this.stopping) throw this.lostError('is back on another port');
      }
      if (performance.now() > deadline) throw this.lostError('died and could not be started again');
      await delay(pause, undefined, { ref: false });
    }
    return null;
  }

  private lostError(reason: string): EmbeddedPostgresError {
    return new EmbeddedPostgresError(
      `The embedded Postgres in ${this.options.folder} ${reason}. Start the app again.`,
      this.lastProblem,
    );
  }

  private reportLoss(error: unknown): void {
    if (this.stopping) return;
    this.logger.error('The embedded Postgres is lost.', { error });
    if (error instanceof EmbeddedPostgresError) this.options.onLost?.(error);
  }

  /** Joins the server that runs on this folder, if there is one. `postmaster.pid` is only a hint. */
  private async join(): Promise<Attempt> {
    const running = this.cluster.readPidFile();
    if (!running) return 'again';
    return (await this.connect(running.port, null)) ?? 'again';
  }

  private async launch(deadline: number): Promise<Attempt> {
    const running = this.cluster.readPidFile();
    // Starting, recovering or shutting down: it will answer or end soon.
    if (running && isPostmasterOf(running.pid, this.cluster.data)) return 'again';

    const port = await this.choosePort();
    const log = this.cluster.openLog();
    const seen = this.cluster.openFor(this.cluster.server);
    let child: ChildProcess;
    try {
      child = spawn(
        this.cluster.binaries.postgres,
        ['-D', path.join(seen.path, 'data'), ...this.serverArguments(port)],
        {
          // A separate process group: Ctrl-C in a terminal must reach this process only, which then stops the server.
          detached: true,
          stdio: ['ignore', log.handle, log.handle, ...seen.stdio],
          cwd: '/',
          env: serverEnvironment(),
          ...(this.cluster.runAs ?? {}),
        },
      );
    } finally {
      closeSync(log.handle);
      seen.close();
    }
    let ended: string | null = null;
    child.once('error', (error) => (ended = error.message));
    child.once('exit', (code, signal) => (ended ??= `postgres ended with ${code ?? signal}`));
    child.unref();

    while (ended === null && performance.now() < deadline) {
      const connected = await this.connect(port, child);
      if (connected) {
        this.cluster.keepPort(port);
        return connected;
      }
      await delay(POLL_MS);
    }
    const words = this.cluster.logTail(log.size);
    if (ended === null) {
      child.kill('SIGINT');
      this.lastProblem = words;
      return 'again';
    }
    this.lastProblem = `${words}\n${String(ended)}`.trim();
    if (/could not create any TCP\/IP sockets|could not bind/.test(words)) {
      this.cluster.forgetPort();
    } else if (/lock file "postmaster.pid" (already exists|is empty)/.test(words)) {
      this.clearStalePidFile();
    } else if (!/pre-existing shared memory block/.test(words)) {
      const message = `The embedded Postgres in ${this.options.folder} stopped while starting.`;
      throw new EmbeddedPostgresError(message, this.lastProblem);
    }
    return 'again';
  }

  /**
   * Postgres refuses to start while any process has the id in the file. After a reboot that may be an unrelated
   * process.
   */
  private clearStalePidFile(): void {
    const running = this.cluster.readPidFile();
    if (running ? !isPostmasterOf(running.pid, this.cluster.data) : this.cluster.hasEmptyPidFile()) {
      this.cluster.removePidFile();
    }
  }

  private async choosePort(): Promise<number> {
    const kept = this.cluster.readPort();
    if (kept !== null && (await listenOn(kept)) !== null) return kept;
    const free = await listenOn(0);
    if (free !== null) return free;
    throw new EmbeddedPostgresError('There is no free port on 127.0.0.1 for the embedded Postgres.', '');
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
      // Statements may contain prompts and addresses: errors are logged without them.
      log_min_error_statement: 'panic',
      log_parameter_max_length_on_error: '0',
      ...this.options.settings,
    };
    return ['-p', String(port), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  }

  /** Opens a session that holds the users' lock; null when no server answers on the port, or an unrelated one does. */
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
    // A server that stops ends this session. Users of the server notice on their own connections.
    session.on('error', (error) => {
      if (!this.stopping) this.logger.debug('The launcher lost its session.', { reason: error.message });
    });
    try {
      await session.connect();
      if (await this.servesOurData(session)) {
        await session.query('select pg_advisory_lock_shared($1, $2)', USERS_LOCK);
        // The server of another process may have taken the same port first.
        const own = child !== null && child.pid === this.cluster.readPidFile()?.pid;
        return { port, adopted: !own, session, child: own ? child : null };
      }
      this.lastProblem = `Another Postgres answers on port ${port}.`;
    } catch (error) {
      this.lastProblem = error instanceof Error ? error.message : String(error);
    }
    await endQuietly(session, this.logger);
    return null;
  }

  /** Verifies that the server reads a secret file in this folder: a copied folder has the same ids and password. */
  private async servesOurData(session: pg.Client): Promise<boolean> {
    const name = `fanvas-proof-${randomBytes(8).toString('hex')}`;
    const secret = randomBytes(16).toString('hex');
    const file = path.join(this.cluster.data, name);
    writeFileSync(file, secret, { mode: 0o600 });
    try {
      if (this.cluster.runAs) chownSync(file, this.cluster.runAs.uid, this.cluster.runAs.gid);
      // The shorter form with two arguments exists from Postgres 16 on.
      const read = 'select pg_read_file($1, 0, $2, true) as secret';
      const answer = await session.query<{ secret: string | null }>(read, [name, secret.length]);
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
      // Another process has created it meanwhile.
      if (!['42P04', '23505'].includes((error as pg.DatabaseError).code ?? '')) throw error;
    }
  }

  /** Creates the roles with fewer rights, also on a folder of an older build. `grantRights` gives them their rights. */
  private async ensureRoles(session: pg.Client): Promise<void> {
    await session.query('select pg_advisory_lock($1, $2)', ROLES_LOCK);
    try {
      this.limited = {
        fanvas_app: await this.ensureRole(session, 'fanvas_app'),
        fanvas_audit: await this.ensureRole(session, 'fanvas_audit'),
      };
    } finally {
      await session.query('select pg_advisory_unlock($1, $2)', ROLES_LOCK);
    }
  }

  /** @returns the password of the role */
  private async ensureRole(session: pg.Client, role: LimitedRole): Promise<string> {
    const { password, fresh } = this.cluster.passwordOf(role);
    const found = await session.query('select 1 from pg_roles where rolname = $1', [role]);
    if (!found.rowCount || fresh) {
      const verb = found.rowCount ? 'alter' : 'create';
      await session.query(`${verb} role ${role} login password ${pg.escapeLiteral(password)}`);
    }
    return password;
  }

  private async stop(current: () => Connected): Promise<void> {
    await this.recovering;
    const { session, child } = current();
    socketOf(session).ref();
    let holder = session;
    try {
      if (this.options.guest && child === null) return;
      let last = await this.isLastUser(holder);
      if (last === null) {
        // The session was lost. Another process may have restarted the server since, and may be using it.
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

  /**
   * Whether no other process uses the server; new ones then wait until this session ends. Null when the session is
   * broken.
   */
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
    const running = this.cluster.readPidFile();
    if (!running || !isPostmasterOf(running.pid, this.cluster.data)) return;
    // Fast shutdown first. An immediate shutdown is safe because of the WAL, but the next start must recover.
    await this.signalAndWait(running.pid, 'SIGINT', 20_000);
    if (isPostmasterOf(running.pid, this.cluster.data)) await this.signalAndWait(running.pid, 'SIGQUIT', 10_000);
    if (isPostmasterOf(running.pid, this.cluster.data)) {
      const words = this.cluster.logTail();
      throw new EmbeddedPostgresError(`The embedded Postgres (process ${running.pid}) did not stop.`, words);
    }
  }

  private async signalAndWait(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
    process.kill(pid, signal);
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline && isPostmasterOf(pid, this.cluster.data)) await delay(POLL_MS);
  }
}

/** Returns the port if it is free at the moment; null when it is taken. */
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

/** Ends a session within two seconds, even if it is broken. */
async function endQuietly(session: pg.Client, logger: Logger): Promise<void> {
  const patience = new AbortController();
  try {
    const tooLong = delay(2_000, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([session.end(), tooLong]);
  } catch (error) {
    logger.debug('A session did not close cleanly.', { reason: String(error) });
  } finally {
    patience.abort();
    socketOf(session).destroy();
  }
}

/** Returns the socket of a session; `pg` has no public access to it. */
function socketOf(session: pg.Client): Socket {
  return (session as unknown as { connection: { stream: Socket } }).connection.stream;
}
