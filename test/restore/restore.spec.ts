import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { type ApiUser, signIn } from '../support/api-client.js';
import { DebianPostgres } from '../support/debian-postgres.js';
import { runCommandLine } from '../support/ledger-cli.js';
import { createImage, FAN_PASSWORD } from '../support/running-app.js';
import { until } from '../support/until.js';

jest.setTimeout(600_000);

/** The steps of docs/runbooks/backup.md, with Debian's Postgres and its own tools. */
describe('A restored installation', () => {
  const FANVAS_MASTER_KEY = randomBytes(32).toString('hex');
  let postgres: DebianPostgres;
  let folder: string;
  let app: AppProcess;

  const settingsFor = (url: string): Record<string, string> => ({
    DATABASE_URL: url,
    FANVAS_MASTER_KEY,
    SANDBOX_DEMO: 'small',
    SANDBOX_PAST_MONTHS: '0',
    SANDBOX_DRAW_MS: '50',
    LOG_LEVEL: 'warn',
  });
  const start = async (url: string, dataDir: string): Promise<AppProcess> =>
    startApp({ dataDir, port: await freePort(), env: settingsFor(url) });
  const images = async (fan: ApiUser): Promise<number> => {
    const { body } = await fan.rpc<unknown[]>('get_user_generations_by_jwt_paginated');
    return body.length;
  };
  /** Its programs find nothing wrong, and the fans have what they had. */
  const expectWhole = async (
    url: string,
    dataDir: string,
    expected: Readonly<Record<string, number>>,
  ): Promise<void> => {
    const restored = await start(url, dataDir);
    try {
      const found: Record<string, number> = {};
      for (const name of Object.keys(expected)) {
        const fan = await signIn(restored.url, `${name}@running.test`, FAN_PASSWORD);
        found[name] = await images(fan);
      }
      expect(found).toEqual(expected);
      await createImage(restored.url, `after-${Object.keys(expected).length}`);
      for (const [program, verb] of [
        ['ledger', 'verify'],
        ['doctor', 'check'],
      ] as const) {
        const { code, output } = await runCommandLine(program, [verb], { DATA_DIR: dataDir, ...settingsFor(url) });
        expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
      }
    } finally {
      await restored.stop();
    }
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fanvas-restored-'));
    postgres = await DebianPostgres.create();
    await postgres.query('postgres', 'create database fanvas');
    app = await start(postgres.url('fanvas'), join(folder, 'first'));
    await createImage(app.url, 'one');
  });
  afterAll(async () => {
    postgres?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has all of a dump, after the command that follows a restore', async () => {
    await postgres.dumpInto('fanvas', 'copy');
    cpSync(join(folder, 'first'), join(folder, 'dumped'), { recursive: true });
    const url = postgres.url('copy');
    const reposition = await runCommandLine('projections', ['reposition'], {
      DATA_DIR: join(folder, 'dumped'),
      ...settingsFor(url),
    });
    expect(reposition).toMatchObject({ code: 0 });
    await expectWhole(url, join(folder, 'dumped'), { one: 1 });
  });

  it('agrees with its ledger on a replica, by a user who only reads', async () => {
    await postgres.query('postgres', 'create role auditor login in role pg_read_all_data');
    const replica = await postgres.replica();
    try {
      const [written] = await postgres.query('fanvas', 'select pg_current_wal_lsn()::text as lsn');
      const reached = `select pg_last_wal_replay_lsn() >= '${String(written?.['lsn'])}' as reached`;
      await until(async () => (await replica.query('fanvas', reached))[0]?.['reached'] === true, 'the replica');
      const settings = { ...settingsFor(postgres.url('fanvas')), DATABASE_AUDIT_URL: replica.url('fanvas', 'auditor') };
      const ledger = (...args: string[]): ReturnType<typeof runCommandLine> =>
        runCommandLine('ledger', args, { DATA_DIR: join(folder, 'first'), ...settings });
      for (const args of [['verify'], ['status'], ['export', '--out', join(folder, 'replica.jsonl')]]) {
        const { code, output } = await ledger(...args);
        expect({ args, code, output: code === 0 ? '' : output }).toEqual({ args, code: 0, output: '' });
      }
      const refused = await ledger('replay');
      expect(refused.output).toContain('`replay` makes temporary tables: run it with the primary server');
    } finally {
      await replica.stop();
    }
  });

  it('has what was there at an instant, from a base backup and the archived log, without a command', async () => {
    await postgres.baseBackup();
    await createImage(app.url, 'two');
    const [instant] = await postgres.query('fanvas', 'select clock_timestamp()::text as at');
    await createImage(app.url, 'three');
    // The last segment of the log reaches the archive.
    await postgres.query('fanvas', 'select pg_switch_wal()');
    await app.stop();
    await postgres.stop();
    // Pictures of after the instant do no harm. The checkpoint of the log would.
    cpSync(join(folder, 'first'), join(folder, 'second'), { recursive: true });
    rmSync(join(folder, 'second', 'ledger-checkpoint.txt'));
    const restored = await postgres.restore(String(instant?.['at']));
    try {
      await expectWhole(restored.url('fanvas'), join(folder, 'second'), { one: 1, two: 1 });
      const later = `select count(*)::int as users from app_user where email = 'three@running.test'`;
      expect(await restored.query('fanvas', later)).toEqual([{ users: 0 }]);
    } finally {
      await restored.stop();
    }
  });
});
