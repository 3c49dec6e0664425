import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { LEDGER_PROGRAM } from '../../src/cli/ledger/ledger-program.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { projectionsOf } from '../../src/composition/projections.js';
import { asOwner, type TestDatabase, withTestDatabase } from '../support/database.js';
import { seedLedger } from '../support/seed-ledger.js';
import { runHere } from '../support/run-here.js';

jest.setTimeout(60_000);

const USER = 'user_0000000';

let folder: string;
let database: TestDatabase<unknown>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fanvas-cli-'));
  database = await withTestDatabase();
  // A seal of the time before these accounts were stored.
  expect(await run('seal', '--out', file('empty.ndjson'))).toMatchObject({ code: 0 });
  await seedLedger(asOwner(database), { accounts: 8, eventsEach: 20, revenue: true });
  const eventStore = new PostgresEventStore(database.pool, { now: () => new Date() });
  const runner = new ProjectionRunner(database.pool, eventStore);
  for (const projection of projectionsOf(eventStore)) runner.register(projection);
  await runner.catchUp();
  expect(await run('seal', '--out', file('seal.ndjson'))).toMatchObject({ code: 0 });
  expect(await run('export', '--out', file('ledger.ndjson'))).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string): string => join(folder, name);

/** Runs a verb as the process of `npm run ledger` does. */
const run = (...args: string[]): ReturnType<typeof runHere> =>
  runHere(LEDGER_PROGRAM, args, {
    DATA_DIR: file('data'),
    DATABASE_URL: database.url,
    DATABASE_AUDIT_URL: database.auditUrl,
  });
const json = (text: string): Record<string, never>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>);

describe('npm run ledger', () => {
  it('reports a valid or broken ledger with its exit code', async () => {
    const asked = jest.spyOn(pg.Client.prototype, 'query');
    const valid = await run('verify');
    // A sum over a whole table takes as long as the table is large.
    const limits = asked.mock.calls.flatMap(([text]) => /'statement_timeout', '(\d+)'/.exec(String(text))?.[1] ?? []);
    asked.mockRestore();
    expect([...new Set(limits)]).toEqual(['0']);
    expect(valid).toMatchObject({ code: 0, out: expect.stringMatching(/^8 accounts, [^]*No problems found\./) });
    expect(valid.out).toContain(`not compared with their hashes: there is no folder ${file('data/media')}.`);

    const event = `stream = 'creditAccount-${USER}' and version = 1`;
    const owner = asOwner(database);
    await owner.query(`update event set data = jsonb_set(data, '{amount}', '11') where ${event}`);
    const broken = await run('verify');
    expect(broken.code).toBe(1);
    expect(broken.out).toContain(`creditAccount-${USER} @ 1: chain: `);
    const problems = json((await run('verify', '--json')).out);
    expect(problems[0]).toMatchObject({ problem: { stream: `creditAccount-${USER}`, version: 1, kind: 'chain' } });
    await owner.query(`update event set data = jsonb_set(data, '{amount}', '10') where ${event}`);
  });

  it('replays the projections, and names a row that differs from the events', async () => {
    expect(await run('replay')).toMatchObject({ code: 0, out: expect.stringContaining('no difference') });
    await database.pool.query(`update credit_balance set bonus = bonus + 1 where user_id = $1`, [USER]);
    const odd = await run('replay', 'credit_account');
    expect(odd.code).toBe(1);
    expect(odd.out).toContain('only in the live table');
    expect(odd.out).toContain(USER);
    await database.pool.query(`update credit_balance set bonus = bonus - 1 where user_id = $1`, [USER]);
    expect(await run('replay', 'nonsense')).toMatchObject({ code: 2 });
    const { rows } = await database.pool.query(`select nspname from pg_namespace where nspname like 'replay%'`);
    expect(rows).toEqual([]);
  });

  it('prints a balance and a statement, and rejects an unknown user', async () => {
    const at = ['balance', USER, '--at', '2026-03-10T09:00:00Z', '--json'];
    const unknown = await run(...at, '--against', file('empty.ndjson'));
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toMatch(
      /Seal 1 of \S+ does not contain user_0000000, so the balance at \S+ cannot be verified\./,
    );
    const balance = await run(...at, '--against', file('seal.ndjson'));
    expect(balance.code).toBe(0);
    expect(json(balance.out)[0]).toMatchObject({ userId: USER, balance: { daily: 10, bonus: 30 }, problems: 0 });
    writeFileSync(file('changed.ndjson'), readFileSync(file('seal.ndjson'), 'utf8').replace(USER, 'user_x'));
    const changed = await run(...at, '--against', file('changed.ndjson'));
    expect(changed).toMatchObject({ code: 1, err: expect.not.stringContaining('No seal was made') });
    renameSync(file('data/ledger-seals'), file('aside'));
    mkdirSync(file('data/ledger-seals'));
    const unsealed = await run(...at);
    rmSync(file('data/ledger-seals'), { recursive: true });
    renameSync(file('aside'), file('data/ledger-seals'));
    expect(unsealed).toMatchObject({ code: 0, err: expect.stringContaining('No seal was made') });
    const statement = await run('statement', USER, '--from', '2026-03-10', '--to', '2026-03-11');
    expect(statement).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Opening balance: 0 credits[^]*Closing balance/),
    });
    for (const verb of ['balance', 'statement']) {
      expect(await run(verb, 'nobody')).toEqual({ code: 1, out: '', err: 'There is no account of nobody.\n' });
    }
  });

  it('verifies an export, and rejects a changed one and an existing file', async () => {
    expect((await run('export', '--out', file('ledger.ndjson'))).err).toContain('exists already');
    expect(await run('verify-export', file('ledger.ndjson'))).toMatchObject({ code: 0 });
    const text = readFileSync(file('ledger.ndjson'), 'utf8');
    writeFileSync(file('tampered.ndjson'), text.replace('"amount":10', '"amount":11'));
    const tampered = await run('verify-export', file('tampered.ndjson'));
    expect(tampered.code).toBe(1);
    expect(tampered.out).toContain('Merkle root');
    expect(await run('verify-export', file('nothing.ndjson'))).toMatchObject({ code: 1, out: '' });
  });

  it('verifies the ledger and its exports against a seal', async () => {
    const seal = file('seal.ndjson');
    expect((await run('verify-seal', seal)).code).toBe(0);
    expect((await run('verify-seal', join(file('data'), 'ledger-seals'))).code).toBe(0);
    const against = await run('verify', '--against', seal, '--json');
    // The streams of the accounts, and the one of the earnings of a creator.
    expect(json(against.out)[0]).toMatchObject({
      summary: {
        imagesCompared: false,
        sealedStreams: 9,
        unsealedEvents: 0,
        problems: 0,
        newest: { keyFingerprint: expect.any(String) },
      },
    });
    expect((await run('verify-export', file('ledger.ndjson'), '--against', seal)).code).toBe(0);

    const lines = readFileSync(file('ledger.ndjson'), 'utf8').split('\n');
    const without = lines.filter((line) => !line.includes(`creditAccount-${USER}"`));
    writeFileSync(file('without.ndjson'), without.join('\n'));
    const lost = await run('verify-export', file('without.ndjson'), '--against', seal);
    expect(lost.code).toBe(1);
    expect(lost.out).toContain(`creditAccount-${USER} @ `);

    const forged = file('forged.ndjson');
    writeFileSync(forged, readFileSync(seal, 'utf8').replace(USER, 'user_x'));
    expect(await run('verify', '--against', forged)).toMatchObject({ code: 1 });
    expect(await run('verify-seal', forged)).toMatchObject({ code: 1 });
    expect(await run('verify-seal', file('nothing.ndjson'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no seal'),
    });
  });

  it('refuses an audit of another event store than the one of the projections', async () => {
    const other = `insert into projection_checkpoint (name, version, position) values ('other', 1, 'esdb:100/100')`;
    await database.pool.query(other);
    const refused = await run('verify');
    await database.pool.query(`delete from projection_checkpoint where name = 'other'`);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('follow another kind of event store');
    expect(refused.err).not.toMatch(/^ +at /m);
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
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
  });
});
