import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { appRights } from '../../src/app-rights.js';
import { migrations } from '../../src/migrations.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, userOf } from '../../src/platform/database/pool.js';
import { grantRights } from '../../src/platform/database/rights.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { createOwnerPool } from '../support/database.js';
import { seedLedger } from '../support/seed-ledger.js';

jest.setTimeout(180_000);

const CLI = fileURLToPath(new URL('../../dist/server/cli/ledger.js', import.meta.url));
const USER = 'user_0000000';

let folder: string;
let dataDir: string;
let app: AppProcess;
let postgres: EmbeddedPostgres;
let pool: ReturnType<typeof createOwnerPool>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fanvas-cli-'));
  dataDir = join(folder, 'data');
  postgres = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), database: 'fanvas' });
  pool = createOwnerPool(postgres.ownerUrl);
  const db = createDatabase<unknown>(pool);
  await migrate(db, migrations);
  await grantRights(db, { app: userOf(postgres.url), audit: userOf(postgres.auditUrl) }, appRights);
  // A seal of the time before these accounts were stored.
  expect(await run(['seal', '--out', 'empty.ndjson'])).toMatchObject({ code: 0 });
  // Before the app starts: its own projections would apply the same events.
  await seedLedger(pool, { accounts: 40, eventsEach: 50, revenue: true });
  app = await startApp({ dataDir, port: await freePort(), env: { SANDBOX_DEMO: 'none', LOG_LEVEL: 'fatal' } });
  await run(['export', '--out', 'ledger.ndjson']);
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a verb while the app runs; `onSpawn` receives the process. */
const run = async (args: string[], onSpawn?: (child: ReturnType<typeof spawn>) => void): Promise<Answer> => {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
  onSpawn?.(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
};
const json = (text: string): Record<string, never>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>);

describe('npm run ledger', () => {
  it('reports a valid or broken ledger with its exit code', async () => {
    const sound = await run(['verify']);
    expect(sound).toMatchObject({ code: 0, out: expect.stringMatching(/^40 accounts, [^]*No problems found\./) });

    const event = `stream = 'creditAccount-${USER}' and version = 1`;
    await pool.query(`update event set data = jsonb_set(data, '{amount}', '11') where ${event}`);
    const unsound = await run(['verify']);
    expect(unsound.code).toBe(1);
    expect(unsound.out).toContain(`creditAccount-${USER} @ 1: chain: `);
    const problems = json((await run(['verify', '--json'])).out);
    expect(problems[0]).toMatchObject({ problem: { stream: `creditAccount-${USER}`, version: 1, kind: 'chain' } });
    await pool.query(`update event set data = jsonb_set(data, '{amount}', '10') where ${event}`);
  });

  it('replays the projections, and names a row that differs from the events', async () => {
    expect(await run(['replay'])).toMatchObject({ code: 0, out: expect.stringContaining('no difference') });
    await pool.query(`update credit_balance set bonus = bonus + 1 where user_id = $1`, [USER]);
    const odd = await run(['replay', 'credit_account']);
    expect(odd.code).toBe(1);
    expect(odd.out).toContain('only in the live table');
    expect(odd.out).toContain(USER);
    await pool.query(`update credit_balance set bonus = bonus - 1 where user_id = $1`, [USER]);
    expect(await run(['replay', 'nonsense'])).toMatchObject({ code: 2 });
    const { rows } = await pool.query(`select nspname from pg_namespace where nspname like 'replay%'`);
    expect(rows).toEqual([]);
  });

  it('prints a balance and a statement, and rejects an unknown user', async () => {
    const at = ['balance', USER, '--at', '2026-03-10T09:00:00Z', '--json'];
    const unknown = await run([...at, '--against', 'empty.ndjson']);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toMatch(
      /Seal 1 of \S+ does not contain user_0000000, so the balance at \S+ cannot be verified\./,
    );
    expect((await run(['seal', '--out', 'later.ndjson'])).code).toBe(0);
    const balance = await run([...at, '--against', 'later.ndjson']);
    expect(balance.code).toBe(0);
    expect(json(balance.out)[0]).toMatchObject({ userId: USER, balance: { daily: 10, bonus: 30 }, problems: 0 });
    const statement = await run(['statement', USER, '--from', '2026-03-10', '--to', '2026-03-11']);
    expect(statement).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Opening balance: 0 credits[^]*Closing balance/),
    });
    for (const verb of ['balance', 'statement']) {
      expect(await run([verb, 'nobody'])).toEqual({ code: 1, out: '', err: 'There is no account of nobody.\n' });
    }
  });

  it('exports the ledger, verifies the export, and rejects a changed one', async () => {
    expect((await run(['export', '--out', 'export.ndjson'])).code).toBe(0);
    expect((await run(['export', '--out', 'export.ndjson'])).err).toContain('exists already');
    expect(await run(['verify-export', 'export.ndjson'])).toMatchObject({ code: 0 });
    const text = readFileSync(join(folder, 'export.ndjson'), 'utf8');
    writeFileSync(join(folder, 'tampered.ndjson'), text.replace('"amount":10', '"amount":11'));
    const tampered = await run(['verify-export', 'tampered.ndjson']);
    expect(tampered.code).toBe(1);
    expect(tampered.out).toContain('Merkle root');
    expect(await run(['verify-export', 'nothing.ndjson'])).toMatchObject({ code: 1, out: '' });
  });

  it('seals the ledger, and verifies the ledger and its exports against the seal', async () => {
    expect((await run(['seal', '--out', 'seal.ndjson'])).code).toBe(0);
    expect((await run(['verify-seal', 'seal.ndjson'])).code).toBe(0);
    expect((await run(['verify-seal', join(dataDir, 'ledger-seals')])).code).toBe(0);
    const against = await run(['verify', '--against', 'seal.ndjson', '--json']);
    // The streams of the accounts, those of the earnings of three creators, and the one of the policy.
    expect(json(against.out)[0]).toMatchObject({
      summary: { sealedStreams: 44, unsealedEvents: 0, problems: 0, newest: { keyFingerprint: expect.any(String) } },
    });
    expect((await run(['verify-export', 'ledger.ndjson', '--against', 'seal.ndjson'])).code).toBe(0);

    const lines = readFileSync(join(folder, 'ledger.ndjson'), 'utf8').split('\n');
    const without = lines.filter((line) => !line.includes(`creditAccount-${USER}"`));
    writeFileSync(join(folder, 'without.ndjson'), without.join('\n'));
    const lost = await run(['verify-export', 'without.ndjson', '--against', 'seal.ndjson']);
    expect(lost.code).toBe(1);
    expect(lost.out).toContain(`creditAccount-${USER} @ `);

    writeFileSync(
      join(folder, 'forged.ndjson'),
      readFileSync(join(folder, 'seal.ndjson'), 'utf8').replace(USER, 'user_x'),
    );
    expect(await run(['verify', '--against', 'forged.ndjson'])).toMatchObject({ code: 1 });
    expect(await run(['verify-seal', 'forged.ndjson'])).toMatchObject({ code: 1 });
    expect(await run(['verify-seal', 'nothing.ndjson'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no seal'),
    });
  });

  it('prints the public key that the app publishes', async () => {
    const { out, code } = await run(['public-key']);
    expect(code).toBe(0);
    expect(await (await fetch(`${app.url}/ledger/public-key.pem`)).text()).toBe(out);
  });

  it.each([
    [[], 'Usage: npm run ledger'],
    [['bogus'], "unknown command 'bogus'"],
    [['verify', '--at', '2026-03-10'], "unknown option '--at'"],
    [['rotate-key', '--out', 'x.pem'], '--out is for LEDGER_SIGNING_KEY'],
    [['balance'], "missing required argument 'user'"],
    [['balance', USER, '--at', '2026-02-30'], 'It must be an instant'],
    [['statement', USER, '--from', '2026-03-11', '--to', '2026-03-10'], '--from must be before --to.'],
    [['export'], "required option '--out <file>' not specified"],
  ])('rejects the arguments %j with a sentence', async (args, sentence) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('%s: ends at once, and leaves no partial file', async (signal) => {
    const until = (text: RegExp) => (child: ReturnType<typeof spawn>) => {
      const watch = setInterval(() => {
        const begun = readdirSync(folder).some((name) => text.test(name));
        if (!begun && child.exitCode === null) return;
        clearInterval(watch);
        child.kill(signal);
      }, 2);
    };
    // A lock blocks the export, so that the signal arrives during the export.
    const holder = await pool.connect();
    try {
      await holder.query('begin; lock table event in access exclusive mode');
      const { code, out } = await run(['export', '--out', 'early.ndjson'], until(/^early\.ndjson\.partial/));
      expect({ code, out }).toEqual({ code: signal === 'SIGINT' ? 130 : 143, out: '' });
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('early'))).toEqual([]);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
  });

  it('ends without an error when its output pipe is closed', async () => {
    const { err } = await run(['verify-export', 'ledger.ndjson', '--json'], (child) => child.stdout?.destroy());
    // A slow run reports its progress there.
    expect(err).not.toMatch(/error|EPIPE|^\s+at /im);
  });

  it('finds no ledger in an empty folder', async () => {
    const kept = dataDir;
    dataDir = join(folder, 'elsewhere');
    try {
      expect(await run(['verify'])).toMatchObject({ code: 2, err: expect.stringContaining('There is no ledger in') });
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    } finally {
      dataDir = kept;
    }
  });
});
