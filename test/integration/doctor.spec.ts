import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCTOR_PROGRAM } from '../../src/cli/doctor/doctor-program.js';
import { SANDBOXES_PATH } from '../../src/platform/config/sandboxes.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { projectionsOf } from '../../src/composition/projections.js';
import { asOwner, type TestDatabase, withTestDatabase } from '../support/database.js';
import { runHere } from '../support/run-here.js';

const MASTER_KEY = 'c'.repeat(64);

let database: TestDatabase<unknown>;
let folder: string;
let providers: Server;
/** Status of all answers of the providers. */
let status = 200;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fanvas-doctor-'));
  database = await withTestDatabase();
  const eventStore = new PostgresEventStore(database.pool);
  const runner = new ProjectionRunner(database.pool, eventStore);
  for (const projection of projectionsOf(eventStore)) runner.register(projection);
  await runner.catchUp();
  await eventStore.close();
  providers = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const settings = {
      clerk: { publishableKey: 'pk_test_Y2xlcmsudGVzdCQ', secretKey: 'sk_test_hush', apiUrl: origin },
      replicate: { apiToken: 'r8_hush', webhookSecret: null, baseUrl: `${origin}/v1`, outputHosts: [] },
      stripe: { secretKey: 'sk_test_hush', webhookSecret: null, baseUrl: origin },
    };
    const isSandboxes = request.url === SANDBOXES_PATH;
    response.writeHead(isSandboxes ? 200 : status, { 'Content-Type': 'application/json' });
    const refusal = status === 200 ? {} : { error: { message: 'hush', type: 'invalid_request_error' } };
    const answer = { total_count: 0, ...refusal };
    response.end(JSON.stringify(isSandboxes ? { settings, demoAccounts: null, prefixes: [] } : answer));
  }).listen(0, '127.0.0.1');
  await once(providers, 'listening');
});
afterAll(async () => {
  providers?.close();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `npm run doctor`. @returns its exit code, and its lines by their names */
async function examine(settings: Readonly<Record<string, string>> = {}) {
  const own = { DATABASE_URL: database.url, DATA_DIR: folder, FANVAS_MASTER_KEY: MASTER_KEY };
  const sandboxes = { SANDBOXES_URL: `http://127.0.0.1:${(providers.address() as AddressInfo).port}` };
  const { code, out: printed } = await runHere(DOCTOR_PROGRAM, [], { ...own, ...sandboxes, ...settings });
  const lines = [...printed.matchAll(/^(ok|note|PROBLEM) +([\w ]+): (.+)$/gm)];
  return { code, printed, lines: new Map(lines.map(([, kind, name = '', text]) => [name, `${kind} ${text}`])) };
}

describe('npm run doctor', () => {
  it('finds nothing wrong with an installation that works', async () => {
    const { code, printed, lines } = await examine();
    expect(printed).not.toContain('PROBLEM');
    expect(code).toBe(0);
    expect([...lines.keys()]).toEqual([
      ...['settings', 'data folder', 'database', 'other addresses', 'connections', 'clock', 'event store'],
      ...['projections', 'keys', 'pictures', 'Clerk', 'Replicate', 'Stripe'],
    ]);
    expect(printed).not.toMatch(/hush|cccc/);
  });

  it('names each thing that is wrong with a sentence, and no key', async () => {
    status = 401;
    await asOwner(database).query(
      `update schema_migration set name = '9999_newer' where name = (select max(name) from schema_migration)`,
    );
    await database.pool.query('update projection_checkpoint set version = 0 where name = $1', ['books']);
    const { code, printed, lines } = await examine({ FANVAS_MASTER_KEY: '', DATABASE_CONNECTIONS: '999' });
    expect(code).toBe(1);
    expect(lines.get('database')).toBe('PROBLEM A newer version of Fanvas has migrated it (9999_newer).');
    expect(lines.get('connections')).toMatch(/^note \d+ of \d+ are used, and a process needs 999/);
    expect(lines.get('projections')).toBe('note books is outdated; a worker builds them.');
    expect(lines.get('keys')).toMatch(/^note they are in the data folder, so only one process can run/);
    for (const name of ['Clerk', 'Replicate', 'Stripe'])
      expect(lines.get(name)).toBe(`PROBLEM ${name} refuses the key.`);
    expect(printed).not.toContain('hush');
  });

  it('goes on without a database, and says what needed it', async () => {
    const { code, lines } = await examine({ DATABASE_URL: 'postgres://a:b@127.0.0.1:9/none' });
    expect(code).toBe(1);
    expect(lines.get('database')).toBe(
      'PROBLEM The database at 127.0.0.1:9 does not accept connections; check DATABASE_URL.',
    );
    expect(lines.get('keys')).toBe('PROBLEM This needs the database.');
    expect(lines.get('pictures')).toMatch(/^ok/);
    // It changes nothing.
    expect(readdirSync(folder)).toEqual([]);
  });
});
