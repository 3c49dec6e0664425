import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  type Dirent,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
} from 'node:fs';
import { chmodSync, chownSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from '../../src/platform/embedded/embedded-postgres.js';
import { type ChildScript, runScript } from '../support/child-script.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

const CHILD = `
  import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
  const postgres = await startEmbeddedPostgres({ folder: process.argv[2], database: 'fanvas' });
  console.log(JSON.stringify({ port: postgres.port, fresh: postgres.fresh, adopted: postgres.adopted }));
  process.on('SIGTERM', () => postgres.stop().then(() => process.exit(0)));
  setInterval(() => {}, 60_000);
`;

describe('the embedded Postgres', () => {
  let home: string;
  let folder: string;
  let count = 0;
  const running = new Set<EmbeddedPostgres>();
  const children = new Set<ChildScript>();

  beforeAll(() => {
    home = mkdtempSync(path.join(tmpdir(), 'fanvas-embedded-'));
    // Like /root or a home folder: other users cannot enter.
    chmodSync(home, 0o700);
  });

  afterEach(async () => {
    for (const child of children) {
      if (child.process.exitCode === null && child.process.signalCode === null) child.process.kill('SIGTERM');
      await child.ended;
    }
    children.clear();
    for (const postgres of running) await postgres.stop();
    running.clear();
    if (existsSync(path.join(folder, 'server'))) {
      // A server that a killed process has left.
      const left = await startEmbeddedPostgres({ folder, database: 'fanvas' }).catch(() => null);
      await left?.stop();
    }
  });

  afterAll(() => {
    rmSync(home, { recursive: true, force: true });
  });

  const freshFolder = (): string => (folder = path.join(home, `${(count += 1)}`, 'postgres'));

  /** Copies a folder with its owners. */
  function copyFolder(from: string, to: string): void {
    mkdirSync(path.dirname(to), { recursive: true });
    expect(spawnSync('cp', ['-a', from, to]).status).toBe(0);
  }

  /** A folder that an earlier start has filled: creating one takes seconds. */
  async function usedFolder(): Promise<void> {
    const used = path.join(home, 'used', 'postgres');
    if (!existsSync(used)) await (await startEmbeddedPostgres({ folder: used, database: 'fanvas' })).stop();
    copyFolder(used, freshFolder());
  }

  async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ folder, database: 'fanvas', ...options });
    running.add(postgres);
    return postgres;
  }

  function startChild(): ChildScript {
    const child = runScript(CHILD, folder);
    children.add(child);
    return child;
  }

  async function ask(postgres: EmbeddedPostgres, sql: string): Promise<unknown> {
    const client = new pg.Client(postgres.ownerUrl);
    await client.connect();
    try {
      const { rows } = await client.query<{ answer: unknown }>(sql);
      return rows[0]?.answer;
    } finally {
      await client.end();
    }
  }

  /** Null while the server is down, starts or recovers. */
  function askIfUp(postgres: EmbeddedPostgres, sql: string): Promise<unknown> {
    return ask(postgres, sql).catch((error: NodeJS.ErrnoException) => {
      const isDown = /^(ECONN|57P)/.test(error.code ?? '') || error.message.startsWith('Connection terminated');
      if (!isDown) throw error;
      return null;
    });
  }

  const pidFile = (): string => path.join(folder, 'server', 'data', 'postmaster.pid');
  const postmaster = (): number => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

  it('starts in a folder that only its owner can enter, root or not, and keeps its secrets', async () => {
    freshFolder();
    const postgres = await start();
    expect(postgres).toMatchObject({ fresh: true, adopted: false });
    expect(await ask(postgres, 'select current_database() as answer')).toBe('fanvas');
    expect(await ask(postgres, `select current_setting('synchronous_commit') as answer`)).toBe('on');
    expect(await ask(postgres, `select current_setting('fsync') as answer`)).toBe('on');
    expect(await ask(postgres, `select current_setting('listen_addresses') as answer`)).toBe('127.0.0.1');
    for (const name of ['password', 'password-fanvas_app', 'password-fanvas_audit']) {
      expect(statSync(path.join(folder, 'server', name)).mode & 0o777).toBe(0o600);
    }
    const data = statSync(path.join(folder, 'server', 'data'));
    expect(data.mode & 0o777).toBe(0o700);
    expect(data.uid).not.toBe(0);
    for (const url of [postgres.url, postgres.ownerUrl, postgres.auditUrl]) {
      expect(new URL(url).password.length).toBeGreaterThanOrEqual(32);
    }
    const stranger = new pg.Client({
      port: postgres.port,
      host: '127.0.0.1',
      user: 'fanvas',
      password: 'x',
      database: 'fanvas',
    });
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' });
  });

  it('keeps its data, password and port from start to start, and stops cleanly', async () => {
    await usedFolder();
    const first = await start();
    await ask(first, 'create table kept as select 42 as answer');
    await first.stop();
    expect(existsSync(pidFile())).toBe(false);
    const second = await start();
    expect(second).toMatchObject({ url: first.url, fresh: false, adopted: false });
    expect(await ask(second, 'select answer from kept')).toBe(42);
    await second.stop();
    expect(readFileSync(path.join(folder, 'postgres.log'), 'utf8')).not.toMatch(/not properly shut down|interrupted/);
  });

  it('adds the roles with fewer rights to a folder of an older build, and replaces a lost password', async () => {
    await usedFolder();
    const old = await start();
    await ask(old, 'drop role fanvas_app');
    await old.stop();
    for (const role of ['fanvas_app', 'fanvas_audit']) rmSync(path.join(folder, 'server', `password-${role}`));
    const now = await start();
    expect(now.ownerUrl).toBe(old.ownerUrl);
    for (const url of [now.url, now.auditUrl]) {
      const client = new pg.Client(url);
      await client.connect();
      expect((await client.query('select current_user as name')).rows).toEqual([{ name: new URL(url).username }]);
      await client.end();
    }
  });

  it('takes another port when its own was taken meanwhile', async () => {
    await usedFolder();
    const first = await start();
    await first.stop();
    const thief = createServer().listen(first.port, '127.0.0.1');
    await once(thief, 'listening');
    try {
      const second = await start();
      expect(second.port).not.toBe(first.port);
      expect(await ask(second, 'select 1 as answer')).toBe(1);
    } finally {
      thief.close();
    }
  });

  it('adopts the server that a killed process left behind, with its committed data', async () => {
    await usedFolder();
    const child = startChild();
    const { port } = JSON.parse(await child.line()) as { port: number };
    const pid = postmaster();
    child.process.kill('SIGKILL');
    await child.ended;
    const postgres = await start();
    expect(postgres).toMatchObject({ port, fresh: false, adopted: true });
    expect(postmaster()).toBe(pid);
    await postgres.stop();
    expect(existsSync(pidFile())).toBe(false);
  });

  it('recovers when the server was killed as well', async () => {
    await usedFolder();
    const child = startChild();
    await child.line();
    // A guest does not start the server again by itself.
    const client = await start({ guest: true });
    await ask(client, 'create table kept as select 42 as answer');
    process.kill(postmaster(), 'SIGKILL');
    child.process.kill('SIGKILL');
    await child.ended;
    const postgres = await start();
    expect(postgres.adopted).toBe(false);
    expect(await ask(postgres, 'select answer from kept')).toBe(42);
  });

  it('creates the database again when the first start was killed half-way', async () => {
    freshFolder();
    mkdirSync(folder, { recursive: true });
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const watcher = watch(folder, (_event, name) => {
      if (name?.startsWith('unfinished-')) begin();
    });
    const child = startChild();
    try {
      await Promise.race([begun, child.line()]);
    } finally {
      watcher.close();
    }
    child.process.kill('SIGKILL');
    await child.ended;
    expect(existsSync(path.join(folder, 'server'))).toBe(false);
    const postgres = await start();
    expect(postgres.fresh).toBe(true);
    expect(await ask(postgres, 'select 1 as answer')).toBe(1);
  });

  it('starts one server for processes that start at once, and the last of them stops it', async () => {
    freshFolder();
    const a = startChild();
    const b = startChild();
    const own = await start();
    const others = [await a.line(), await b.line()].map((line) => JSON.parse(line) as EmbeddedPostgres);
    expect(others.map(({ port }) => port)).toEqual([own.port, own.port]);
    expect([own, ...others].filter(({ fresh }) => fresh).length).toBeGreaterThanOrEqual(1);
    expect([own, ...others].filter(({ adopted }) => !adopted)).toHaveLength(1);
    a.process.kill('SIGTERM');
    await a.ended;
    expect(await ask(own, 'select 1 as answer')).toBe(1);
    await own.stop();
    expect(existsSync(pidFile())).toBe(true);
    b.process.kill('SIGTERM');
    await b.ended;
    expect(existsSync(pidFile())).toBe(false);
  });

  it('keeps running after a guest, although the app had lost the session that shows its use', async () => {
    await usedFolder();
    const app = await start();
    const guest = await start({ guest: true });
    await ask(
      app,
      `select count(pg_terminate_backend(pid)) as answer from pg_stat_activity where application_name = 'fanvas-launcher'`,
    );
    await guest.stop();
    expect(await ask(app, 'select 1 as answer')).toBe(1);
    // The app holds the lock again, so another process does not stop the server either.
    const locks = `select count(*)::int as answer from pg_locks where locktype = 'advisory' and mode = 'ShareLock'`;
    await until(async () => (await ask(app, locks)) === 1, 'the lock of the app');
    const other = await start();
    await other.stop();
    expect(await ask(app, 'select 1 as answer')).toBe(1);
    await app.stop();
    expect(existsSync(pidFile())).toBe(false);
  });

  it('stops with the guest that has started it', async () => {
    await usedFolder();
    const guest = await start({ guest: true });
    await guest.stop();
    expect(existsSync(pidFile())).toBe(false);
  });

  it('starts again on its port after the server died, with its committed data', async () => {
    await usedFolder();
    const app = await start();
    await ask(app, 'create table kept as select 7 as answer');
    const died = postmaster();
    process.kill(died, 'SIGKILL');
    await until(async () => (await askIfUp(app, 'select answer from kept')) === 7, 'the server');
    expect(postmaster()).not.toBe(died);
    await app.stop();
    expect(existsSync(pidFile())).toBe(false);
  });

  it('reports that a server which died cannot be started again', async () => {
    await usedFolder();
    const lost: string[] = [];
    const app = await start({ onLost: (error) => lost.push(error.message) });
    const config = path.join(folder, 'server', 'data', 'postgresql.conf');
    writeFileSync(config, 'not = a [ configuration');
    process.kill(postmaster(), 'SIGKILL');
    await until(() => Promise.resolve(lost.length > 0), 'the report');
    expect(lost[0]).toContain('The embedded Postgres in');
    await app.stop();
  });

  it('does not join the server of the original folder from a copied folder', async () => {
    await usedFolder();
    const original = await start();
    await ask(original, 'create table who as select 1 as answer');
    const copy = path.join(home, 'copy', 'postgres');
    copyFolder(folder, copy);
    const copied = await start({ folder: copy });
    expect(copied.adopted).toBe(false);
    expect(copied.port).not.toBe(original.port);
    await ask(copied, 'drop table if exists who');
    expect(await ask(original, 'select answer from who')).toBe(1);
  });

  it('clears a pid file whose number now belongs to another process', async () => {
    await usedFolder();
    const first = await start();
    const left = readFileSync(pidFile(), 'utf8').split('\n');
    const { uid, gid } = statSync(pidFile());
    await first.stop();
    // A process of the server's user: Postgres would treat it as a running server.
    const stranger = spawn('sleep', ['60'], { uid, gid });
    try {
      writeFileSync(pidFile(), [stranger.pid, ...left.slice(1)].join('\n'), { mode: 0o600 });
      chownSync(pidFile(), uid, gid);
      const second = await start();
      expect(second.adopted).toBe(false);
      expect(await ask(second, 'select 1 as answer')).toBe(1);
      expect(stranger.exitCode).toBeNull();
    } finally {
      stranger.kill();
    }
  });

  it('clears a pid file that a crash left empty', async () => {
    await usedFolder();
    const first = await start();
    const { uid, gid } = statSync(pidFile());
    await first.stop();
    writeFileSync(pidFile(), '', { mode: 0o600 });
    chownSync(pidFile(), uid, gid);
    utimesSync(pidFile(), 1_700_000_000, 1_700_000_000);
    expect(await ask(await start(), 'select 1 as answer')).toBe(1);
  });

  it('runs binaries from a folder that the server cannot enter, without links and executable bits', async () => {
    freshFolder();
    const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const native = path.resolve(path.dirname(createRequire(launcher).resolve(platform)), '..', 'native');
    const copy = path.join(home, 'binaries', 'native');
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    for (const entry of entriesOf(copy)) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink()) rmSync(file);
      else if (entry.isFile()) chmodSync(file, 0o644);
    }
    // Reachable for the server's identity, unlike the binaries themselves.
    const cache = mkdtempSync(path.join(tmpdir(), 'fanvas-cache-'));
    chmodSync(cache, 0o755);
    const before = process.env['XDG_CACHE_HOME'];
    process.env['XDG_CACHE_HOME'] = cache;
    try {
      const postgres = await start({ nativeFolder: copy });
      expect(await ask(postgres, 'select 1 as answer')).toBe(1);
      await postgres.stop();
    } finally {
      if (before === undefined) delete process.env['XDG_CACHE_HOME'];
      else process.env['XDG_CACHE_HOME'] = before;
      rmSync(cache, { recursive: true, force: true });
    }
  });

  it('reports a problem of its data in one sentence, with the messages of Postgres as details', async () => {
    await usedFolder();
    await (await start()).stop();
    const version = path.join(folder, 'server', 'data', 'PG_VERSION');
    const text = readFileSync(version, 'utf8');
    writeFileSync(version, '9\n');
    await expect(start()).rejects.toThrow(/was made by Postgres 9, but this is Postgres \d+/);
    writeFileSync(version, text);
    rmSync(path.join(folder, 'server', 'data', 'global', 'pg_control'));
    const error: unknown = await start().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect((error as EmbeddedPostgresError).message).toContain('stopped while starting.');
    expect((error as EmbeddedPostgresError).details).toMatch(/pg_control|could not find the database system/);
    rmSync(folder, { recursive: true });
  });
});

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}
