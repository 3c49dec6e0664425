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
max_client_conn = 1000
`;

/**
 * Starts a PgBouncer (Debian's package) before a server. It ends with this process.
 * @param urls addresses on the server; the owner may read passwords
 * @param poolSize sessions on the server of a database and user
 * @returns the same addresses at the pooler
 */
export async function startPooler(
  urls: TestServer,
  mode: 'session' | 'transaction' | 'statement' = 'session',
  poolSize = 60,
): Promise<TestServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-pooler-'));
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const addresses = { url: urls.url, ownerUrl: urls.ownerUrl, auditUrl: urls.auditUrl };
  const users = Object.values(addresses).map((url) => {
    const { username, password } = new URL(url);
    return `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`;
  });
  const userFile = file('users.txt', users.join(''));
  const config = file(
    'pgbouncer.ini',
    `[databases]\n* = host=127.0.0.1 port=${new URL(urls.url).port}\n[pgbouncer]${SETTINGS}pool_mode = ${mode}\ndefault_pool_size = ${poolSize}\nlisten_port = ${port}\nauth_file = ${userFile}\nauth_user = ${userOf(urls.ownerUrl)}\n`,
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const pooler = spawn('/usr/sbin/pgbouncer', ['-q', config], { stdio: 'ignore', ...asNobody });
  pooler.unref();
  process.once('exit', () => pooler.kill('SIGKILL'));
  const atPooler = Object.fromEntries(
    Object.entries(addresses).map(([name, url]) => [name, atPort(url, port)]),
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

/** The same address at another port, by TCP. */
function atPort(url: string, port: number): string {
  const address = Object.assign(new URL(url), { port: String(port) });
  address.searchParams.delete('host');
  return address.href;
}
