import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LogSchedule } from '../../src/audit/workers/log-schedule.js';
import { asOwner, type TestDatabase, withTestDatabase } from '../support/database.js';
import { seedLedger } from '../support/seed-ledger.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

jest.setTimeout(300_000);

/** Where Debian's package golang-golang-x-mod-dev has its sources. */
const GOPATH = '/usr/share/gocode';
const SOURCE = fileURLToPath(new URL('../interop/read-log.go', import.meta.url));

/** Runs only where Go and these sources are installed (jest.config.mjs). */
describe("Go's sumdb and the public log", () => {
  let app: TestApp;
  let database: TestDatabase<unknown>;
  let folder: string;
  let program: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fanvas-go-'));
    program = join(folder, 'read-log');
    const env = { ...process.env, GO111MODULE: 'off', GOPATH, GOCACHE: join(tmpdir(), 'fanvas-go-cache') };
    const { status, stderr } = spawnSync('/usr/bin/go', ['build', '-o', program, SOURCE], { env });
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
  });
  beforeAll(async () => {
    database = await withTestDatabase();
    app = await startTestApp({ database });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = (...kept: string[]): Promise<{ readonly code: number; readonly output: string }> =>
    new Promise((resolve) => {
      execFile(program, [app.url, ...kept], (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : 1, output: stdout + stderr });
      });
    });

  it('reads the served log, proves every entry, and proves that it continues an earlier checkpoint', async () => {
    const { pool } = database;
    await seedLedger(pool, { accounts: 30, eventsEach: 12, prefix: 'first' });
    await app.get(LogSchedule).tick();
    const kept = join(folder, 'checkpoint');
    writeFileSync(kept, await (await fetch(`${app.url}/ledger/checkpoint`)).text());
    await seedLedger(pool, { accounts: 40, eventsEach: 12, prefix: 'second' });
    await app.get(LogSchedule).tick();
    const { code, output } = await read(kept);
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/^\d{3} entries are in the tree .*\nThe log continues the earlier checkpoint/),
    });
    await asOwner(database).query(`update log_leaf set hash = sha256('x') where index = 300`);
    expect(await read()).toMatchObject({ code: 1 });
  });
});
