import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './app-process.js';
import { userOf } from '../../src/platform/database/pool.js';
import { type TestServer } from './database.js';
import { until } from './until.js';

/** Settings of Debian's file, with those of docs/runbooks/poolers.md. */
const SETTINGS = `
listen_addr = 127.0.0.1
unix_socket_dir =
auth_type = scram-sha-256
auth_query = select usename, passwd from pg_shadow where usename = $1
pool_mode = session
default_pool_size = 60
max_client_conn = 1000
`;

/**
 * Starts a PgBouncer (Debian's package) in session mode before a server. It ends with this process.
 * @param urls addresses on the server; the owner may read passwords
 * @returns the same addresses at the pooler
 */
export async function startPooler(urls: TestServer): Promise<TestServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-pooler-'));
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const users = Object.values(urls).map((url) => {
    const { username, password } = new URL(url);
    return `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`;
  });
  const userFile = file('users.txt', users.join(''));
  const config = file(
    'pgbouncer.ini',
    `[databases]\n* = host=127.0.0.1 port=${new URL(urls.url).port}\n[pgbouncer]${SETTINGS}listen_port = ${port}\nauth_file = ${userFile}\nauth_user = ${userOf(urls.ownerUrl)}\n`,
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const pooler = spawn('/usr/sbin/pgbouncer', ['-q', config], { stdio: 'ignore', ...asNobody });
  pooler.unref();
  process.once('exit', () => pooler.kill('SIGKILL'));
  const atPooler = Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, Object.assign(new URL(url), { port: String(port) }).href]),
  ) as TestServer;
  await until(async () => {
    // Its connection stays open, and a template must have none.
    const client = new pg.Client(Object.assign(new URL(atPooler.url), { pathname: '/postgres' }).href);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  });
  return atPooler;
}
