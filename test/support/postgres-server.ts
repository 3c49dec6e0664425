import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestServer } from './database.js';
import { startPooler } from './pooler.js';
import { servePostgres } from './serve-postgres.js';

/** For a socket in a folder: a statement takes a quarter less processor time than over TCP. */
const sockets = mkdtempSync(join(tmpdir(), 'pg-'));
// Postgres runs as another user when this one is root.
chmodSync(sockets, 0o1777);

/**
 * Postgres does not wait for the disk. A transaction of autovacuum would hide the events that follow it from readers.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  autovacuum: 'off',
  unix_socket_directories: sockets,
};

/** Libraries and programs of Postgres prefer this host to the one before the port. */
function bySocket(url: string): string {
  const address = new URL(url);
  address.searchParams.set('host', sockets);
  return address.href;
}

const template = process.argv[2];
if (!template) throw new Error('Name the folder of the template (`postgres-template.ts`).');

/** The Postgres of a test run. Its migrated database is the template for the databases of the suites. */
await servePostgres(
  'fanvas-test-postgres-',
  SETTINGS,
  async ({ url, ownerUrl, auditUrl }) => {
    if (process.env['TEST_POSTGRES_POOLER']) return startPooler({ url, ownerUrl, auditUrl });
    return { url: bySocket(url), ownerUrl: bySocket(ownerUrl), auditUrl: bySocket(auditUrl) } satisfies TestServer;
  },
  template,
);
rmSync(sockets, { recursive: true, force: true });
