import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './app-process.js';
import { until } from './until.js';

const run = promisify(execFile);
const VERSIONS = '/usr/lib/postgresql';

/** Runs a program of Debian's Postgres as its user, who owns the files. @returns its output */
async function asPostgres(program: string, ...args: string[]): Promise<string> {
  const [version = ''] = readdirSync(VERSIONS).sort().reverse();
  const path = join(VERSIONS, version, 'bin', program);
  const { stdout } = await run('runuser', ['-u', 'postgres', '--', path, ...args], { cwd: '/' });
  return stdout;
}

/** Servers of Debian's Postgres with an archive of their log, for rehearsals of a restore. Needs root. */
export class DebianPostgres {
  private constructor(
    readonly folder: string,
    private readonly data: string,
    private readonly port: number,
    private readonly stopServer: () => Promise<void>,
  ) {}

  /** A new server that archives its log. */
  static async create(): Promise<DebianPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'fanvas-restore-'));
    const { stdout } = await run('id', ['-u', 'postgres']);
    chownSync(folder, Number(stdout), 0);
    chmodSync(folder, 0o755);
    for (const name of ['archive', 'base']) {
      mkdirSync(join(folder, name));
      chownSync(join(folder, name), Number(stdout), 0);
    }
    const data = join(folder, 'data');
    await asPostgres('initdb', '--pgdata', data, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync');
    writeFileSync(
      join(data, 'postgresql.auto.conf'),
      `archive_mode = on\narchive_command = 'cp %p ${join(folder, 'archive')}/%f'\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`,
    );
    return DebianPostgres.start(folder, data);
  }

  private static async start(folder: string, data: string, isReplica = false): Promise<DebianPostgres> {
    const port = await freePort();
    const [version = ''] = readdirSync(VERSIONS).sort().reverse();
    const server = spawn(
      'runuser',
      ['-u', 'postgres', '--', join(VERSIONS, version, 'bin', 'postgres'), '-D', data, '-p', String(port)],
      { stdio: 'ignore', cwd: '/' },
    );
    const stop = async (): Promise<void> => {
      await asPostgres('pg_ctl', 'stop', '--pgdata', data, '--mode=fast');
      if (server.exitCode === null) await once(server, 'exit');
    };
    const postgres = new DebianPostgres(folder, data, port, stop);
    await until(
      async () => {
        const state = await postgres.query('postgres', 'select pg_is_in_recovery() as replica').catch(() => []);
        return state[0]?.['replica'] === isReplica;
      },
      'the server',
      60_000,
    );
    return postgres;
  }

  url(database: string, user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  async query(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(this.url(database));
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** `pg_dump` and `pg_restore` into a new database of this server. */
  async dumpInto(from: string, to: string): Promise<void> {
    const file = join(this.folder, 'base', 'database.dump');
    await asPostgres('pg_dump', '--format=custom', `--file=${file}`, this.url(from));
    await this.query('postgres', `create database ${to} template template0 encoding 'UTF8'`);
    await asPostgres(
      'pg_restore',
      '--no-owner',
      '--no-privileges',
      '--exit-on-error',
      `--dbname=${this.url(to)}`,
      file,
    );
  }

  baseBackup(): Promise<string> {
    return asPostgres(
      'pg_basebackup',
      `--pgdata=${join(this.folder, 'base', 'data')}`,
      '--checkpoint=fast',
      '--no-sync',
      `--dbname=${this.url('postgres')}`,
    );
  }

  /** A server that follows this one and only reads. */
  async replica(): Promise<DebianPostgres> {
    const data = join(this.folder, 'base', 'replica');
    const options = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await asPostgres('pg_basebackup', `--pgdata=${data}`, ...options, `--dbname=${this.url('postgres')}`);
    return DebianPostgres.start(this.folder, data, true);
  }

  /** A server from the base backup and the archive, as of an instant. This one must be stopped. */
  async restore(until: string): Promise<DebianPostgres> {
    const data = join(this.folder, 'base', 'data');
    const settings = `restore_command = 'cp ${join(this.folder, 'archive')}/%f %p'\nrecovery_target_time = '${until}'\nrecovery_target_action = 'promote'\narchive_mode = off\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`;
    writeFileSync(join(data, 'postgresql.auto.conf'), settings);
    await asPostgres('pg_ctl', '--version');
    await run('runuser', ['-u', 'postgres', '--', 'touch', join(data, 'recovery.signal')]);
    return DebianPostgres.start(this.folder, data);
  }

  stop(): Promise<void> {
    return this.stopServer();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
