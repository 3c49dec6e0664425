import { proveSeal, verifyExport, type LedgerProblem } from '../../src/audit/index.js';
import { createPublicKey, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import { v7 } from 'uuid';
import { coveringSeals } from '../../src/audit/seals/covering-seal.js';
import { checkHeadProof } from '../../src/audit/seals/head-proof.js';
import { sealFileName } from '../../src/audit/seals/ledger-seals.js';
import { LogSchedule } from '../../src/audit/workers/log-schedule.js';
import { VerificationSchedule } from '../../src/audit/workers/verification-schedule.js';
import { SealSchedule } from '../../src/audit/workers/seal-schedule.js';
import {
  type AccountBalanceAt,
  type AccountEvent,
  type AccountStatement,
  type LedgerAccountsPage,
  type LedgerEventsPage,
  type LedgerExportPage,
  type LedgerProof,
  type LedgerSealPart,
  type LedgerSealsPage,
  type LedgerVerification,
} from '../../src/contract/audit.js';
import { RATE_LIMITS } from '../../src/contract/rate-limits.js';
import { createPool } from '../../src/platform/database/pool.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { recordStatements } from '../support/statements.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { pagesOf } from '../support/pages.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

let ledger: LedgerApp;
let jobs: Pool;
let app: TestApp;
let outside: string;
let sealDir: string;
let auditor = 'auditor_0';

beforeAll(async () => {
  ledger = await startLedger();
  outside = mkdtempSync(join(tmpdir(), 'fanvas-auditor-'));
  sealDir = join(outside, 'seals');
  await ledger.eventfulAccount('alice');
  await ledger.eventfulAccount('bob');
  const { clock, database, eventStore } = ledger;
  jobs = createPool(database.url);
  const settings = { LEDGER_SEAL_DIR: sealDir };
  app = await startTestApp({ database, jobs, settings, overrides: { clock, eventStore } });
  // The app makes it at its start, perhaps between two reads that a test compares.
  await until(async () => (await database.pool.query('select 1 from ledger_seal')).rowCount, 'the first seal');
});
afterAll(async () => {
  await app.close();
  await jobs.end();
  await ledger.close();
  rmSync(outside, { recursive: true, force: true });
});
beforeEach(() => {
  auditor = `auditor_${Math.random()}`;
});

const post = async <T>(name: string, body: object) => app.postJson<T>(`rest/v1/rpc/${name}`, auditor, body);
const ask = <T>(name: string, body: object): Promise<T> => app.ok(name, auditor, body);

describe('calls of the auditor', () => {
  it('returns the balance at an instant', async () => {
    const at = (p_at: string): Promise<AccountBalanceAt> => ask('get_account_balance_at', { p_user_id: 'alice', p_at });
    expect(await at('2026-03-10T08:59:59.999Z')).toMatchObject({ version: -1, head: null, balance: { total: 0 } });
    // 30 sign-up, 10 daily and 25 granted credits; 15 are settled, and 12 are refunded later
    expect(await at('2026-03-10T10:00:00+01:00')).toMatchObject({ balance: { bonus: 38, total: 38 }, problems: [] });
    const now = await ask<AccountBalanceAt>('get_account_balance_at', { p_user_id: 'alice' });
    const last = (await ledger.eventStore.readStream('creditAccount-alice')).at(-1);
    expect(now).toMatchObject({ open: 20, owed: 0, version: last?.version, head: last?.metadata.hash });
  });

  it('returns a statement in pages that add up', async () => {
    const read = (p_offset: number, p_limit: number): Promise<AccountStatement> =>
      ask('get_account_statement', { p_user_id: 'alice', p_from: '2026-03-10', p_limit, p_offset });
    const complete = await read(0, 500);
    expect(complete.lines).toHaveLength(complete.total_lines);
    expect(complete.lines.reduce((sum, { amount }) => sum + amount, complete.opening.total)).toBe(
      complete.closing.total,
    );
    const lines = [];
    for (let offset = 0; offset < complete.total_lines; offset += 4) lines.push(...(await read(offset, 4)).lines);
    expect(lines).toEqual(complete.lines);
    expect((await read(complete.total_lines, 4)).lines).toEqual([]);
  });

  it('returns the lines of a statement with the newest first, in pages', async () => {
    const read = (more: object): Promise<AccountStatement> =>
      ask('get_account_statement', { p_user_id: 'alice', ...more });
    const { lines: oldestFirst, total_lines: total } = await read({ p_limit: 500 });
    const lines = [];
    for (let offset = 0; offset < total; offset += 4) {
      const page = await read({ p_limit: 4, p_offset: offset, p_newest_first: true });
      expect(page.total_lines).toBe(total);
      lines.push(...page.lines);
    }
    expect(lines).toEqual([...oldestFirst].reverse());
    expect((await read({ p_limit: 4, p_offset: total, p_newest_first: true })).lines).toEqual([]);
  });

  it('returns an event with its neighbours in the chain, and its leaf once the event is logged', async () => {
    const stored = await ledger.eventStore.readStream('creditAccount-alice');
    const read = (p_version: number): Promise<AccountEvent> =>
      ask('get_account_event', { p_user_id: 'alice', p_version });
    for (const version of [0, 1, stored.length - 1]) {
      const hashAt = (at: number): unknown => stored[at]?.metadata.hash ?? null;
      expect(await read(version)).toMatchObject({
        event: { version, event_id: stored[version]?.id, data: stored[version]?.data },
        hash: hashAt(version),
        previous_hash: hashAt(version - 1),
        next_hash: hashAt(version + 1),
        intact: true,
        leaf: null,
      });
    }
    await app.get(LogSchedule).tick();
    const { leaf } = await read(1);
    expect(leaf).toMatchObject({ covered: true });
    expect(leaf?.index).toBeLessThan(leaf?.checkpoint_size ?? 0);
  });

  it('says of a changed event that it is not intact', async () => {
    const set = (amount: number): Promise<unknown> =>
      asOwner(ledger.database).query(
        `update event set data = jsonb_set(data, '{amount}', $1) where stream = 'creditAccount-bob' and version = 1`,
        [String(amount)],
      );
    await set(50);
    const read = (p_version: number): Promise<AccountEvent> =>
      ask('get_account_event', { p_user_id: 'bob', p_version });
    expect(await read(1)).toMatchObject({ intact: false });
    expect(await read(0)).toMatchObject({ intact: true });
    await set(10);
    expect(await read(1)).toMatchObject({ intact: true });
  });

  it('ends a statement at the current instant', async () => {
    const { to } = await ask<AccountStatement>('get_account_statement', { p_user_id: 'alice', p_to: '2999-01-01' });
    expect(to).toBe(ledger.clock.now().toISOString());
  });

  it('reports problems of a stream', async () => {
    await asOwner(ledger.database).query(
      `update event set data = jsonb_set(data, '{amount}', '50') where stream = 'creditAccount-bob' and version = 1`,
    );
    const broken = await ask<AccountBalanceAt>('get_account_balance_at', { p_user_id: 'bob' });
    expect(broken.problems).toContainEqual(expect.objectContaining({ version: 1, kind: 'chain' }));
    await asOwner(ledger.database).query(
      `update event set data = jsonb_set(data, '{amount}', '10') where stream = 'creditAccount-bob' and version = 1`,
    );
    expect(await ask('get_account_balance_at', { p_user_id: 'bob' })).toMatchObject({ problems: [] });
  });

  it.each<[string, object, number]>([
    ['get_account_balance_at', {}, 400],
    ['get_account_balance_at', { p_user_id: 'a b' }, 400],
    ['get_account_balance_at', { p_user_id: 7 }, 400],
    ['get_account_balance_at', { p_user_id: 'x'.repeat(201) }, 400],
    ['get_account_balance_at', { p_user_id: 'nobody' }, 404],
    ['get_account_balance_at', { p_user_id: 'alice', p_at: '2026-02-30' }, 400],
    ['get_account_balance_at', { p_user_id: 'alice', p_at: '2026-03-10T09:00' }, 400],
    ['get_account_statement', { p_user_id: 'nobody' }, 404],
    ['get_account_statement', { p_user_id: 'alice', p_newest_first: 'yes' }, 400],
    ['get_account_event', { p_user_id: 'alice' }, 400],
    ['get_account_event', { p_user_id: 'alice', p_version: -1 }, 400],
    ['get_account_event', { p_user_id: 'alice', p_version: 1_000_000 }, 404],
    ['get_account_event', { p_user_id: 'nobody', p_version: 0 }, 404],
    ['get_account_statement', { p_user_id: 'alice', p_from: '2026-03-12', p_to: '2026-03-11' }, 400],
    ['get_account_statement', { p_user_id: 'alice', p_limit: 501 }, 400],
    ['get_account_statement', { p_user_id: 'alice', p_offset: -1 }, 400],
    ['export_ledger_events', { p_limit: 1001 }, 400],
    ['list_ledger_accounts', { p_limit: 501 }, 400],
    ['find_ledger_events', {}, 400],
    ['find_ledger_events', { p_id: 'a b' }, 400],
    ['find_ledger_events', { p_id: 'system', p_after: 'x' }, 400],
    ['export_ledger_events', { p_cursor: 'x' }, 400],
    ['export_ledger_events', { p_cursor: 'e30.e30' }, 400],
  ])('refuses %s with %j', async (name, body, status) => {
    const answer = await post(name, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  });

  it('lists the accounts in pages', async () => {
    const pages = await pagesOf((p_after) => ask<LedgerAccountsPage>('list_ledger_accounts', { p_limit: 1, p_after }));
    expect(pages.flatMap((page) => page.accounts.map(({ user_id }) => user_id))).toEqual(['alice', 'bob']);
    const { accounts } = await ask<LedgerAccountsPage>('list_ledger_accounts', {});
    const last = (await ledger.eventStore.readStream('creditAccount-alice')).at(-1);
    const now = await ask<AccountBalanceAt>('get_account_balance_at', { p_user_id: 'alice' });
    expect(accounts[0]).toEqual({
      user_id: 'alice',
      version: last?.version,
      head: last?.metadata.hash,
      last_event_at: last?.metadata.occurredAt,
      balance: now.balance,
      owed: 0,
      balance_version: last?.version,
    });
  });

  it('finds events by their id, actor, correlation, lot and generation', async () => {
    const events = await ledger.eventStore.readStream('creditAccount-alice');
    const deduction = events.find(({ type }) => type === 'CreditsRefunded');
    const find = async (p_id: unknown): Promise<LedgerEventsPage> => ask('find_ledger_events', { p_id });
    const idsOf = ({ events: found }: LedgerEventsPage): string[] => found.map(({ event_id }) => event_id);
    const generation = await find(deduction?.data['deductionId']);
    expect(generation.events.map(({ type }) => type)).toEqual(['CreditsDeducted', 'CreditsRefunded']);
    expect(idsOf(await find(deduction?.id.toUpperCase()))).toEqual([deduction?.id]);
    expect(idsOf(await find(deduction?.metadata['correlationId']))).toContain(deduction?.id);
    const grant = events.find(({ data }) => data['source'] === 'admin');
    expect((await find(grant?.data['lotId'])).events).toEqual([
      {
        stream: grant?.stream,
        version: grant?.version,
        type: 'CreditsGranted',
        at: grant?.metadata.occurredAt,
        event_id: grant?.id,
        data: grant?.data,
        metadata: grant?.metadata,
      },
    ]);
    expect(await find('nothing-has-this-id')).toEqual({ events: [], next: null, complete: true });
  });

  it('returns found events in pages', async () => {
    const { rows } = await ledger.database.pool.query<{ id: string }>(
      `select event_id as id from event where metadata->>'actorId' = 'system' order by xid, position`,
    );
    const pages = await pagesOf((p_after) => {
      auditor = `auditor_find_${p_after}`;
      return ask<LedgerEventsPage>('find_ledger_events', { p_id: 'system', p_limit: 5, p_after });
    });
    const found = pages.flatMap(({ events }) => events.map(({ event_id }) => event_id));
    expect(found.length).toBeGreaterThan(20);
    expect(found).toEqual(rows.map(({ id }) => id));
  });

  it('searches by small indexes', async () => {
    const statements = recordStatements();
    await ask('find_ledger_events', { p_id: v7() });
    statements.stop();
    const search = statements.all.find(({ text }) => text.includes(`metadata->>'correlationId'`));
    // So few events would all be read in order. Without that index, the plan is the one of a large store.
    const text = search?.text.replace(
      '(e.xid, e.position) > ($1::text::xid8, $2::bigint)',
      '($1::text, $2::text) is not null',
    );
    const client = await ledger.database.pool.connect();
    try {
      await client.query('begin; set local enable_seqscan = off; set local enable_indexscan = off');
      const { rows } = await client.query<Record<'QUERY PLAN', string>>(`explain ${text}`, [...(search?.values ?? [])]);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      for (const name of ['actor', 'correlation', 'lot', 'subject']) expect(plan).toContain(`event_search_${name}`);
      expect(plan).not.toContain('Seq Scan');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('limits the rate of reading accounts', async () => {
    const body = { p_user_id: 'alice', p_at: '2026-03-01' };
    for (let call = 0; call < RATE_LIMITS.audit.max; call += 1) {
      expect((await post('get_account_balance_at', body)).status).toBe(200);
    }
    const limited = await post('get_account_balance_at', body);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it.each([1, 3, 1000])('returns pages of %i events that form a provable export', async (limit) => {
    const lines: string[] = [];
    let p_cursor: string | null = null;
    do {
      // Another caller for each page, because the rate limit is not tested here.
      auditor = `auditor_${lines.length}_${limit}`;
      const page: LedgerExportPage = await ask('export_ledger_events', {
        p_limit: limit,
        ...(p_cursor === null ? {} : { p_cursor }),
      });
      lines.push(...page.lines);
      p_cursor = page.next_cursor;
    } while (p_cursor !== null);
    const file = join(app.dataDir, `export-${limit}.ndjson`);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    const pem = await (await fetch(`${app.url}/ledger/public-key.pem`)).text();
    const problems: LedgerProblem[] = [];
    const balances: Record<string, number> = {};
    const found = await verifyExport(
      file,
      [createPublicKey(pem)],
      (problem) => problems.push(problem),
      ({ userId, balance }) => (balances[userId] = balance.total),
    );
    expect(problems).toEqual([]);
    expect(found.accounts).toBe(2);
    expect(balances['alice']).toBe(
      (await ask<AccountBalanceAt>('get_account_balance_at', { p_user_id: 'alice' })).balance.total,
    );
  });

  it('refuses a changed cursor', async () => {
    const { next_cursor } = await ask<LedgerExportPage>('export_ledger_events', { p_limit: 1 });
    const [state = '', code = ''] = (next_cursor ?? '').split('.');
    const changed = Buffer.from(Buffer.from(state, 'base64url').toString().replace('"events":1', '"events":2'));
    const forged = await post('export_ledger_events', { p_cursor: `${changed.toString('base64url')}.${code}` });
    expect(forged.status).toBe(400);
  });
});

describe('VerificationSchedule', () => {
  const metric = async (name: string): Promise<string | undefined> =>
    (await app.metrics.text()).body.split('\n').find((line) => line.startsWith(`${name} `));

  it('verifies new events, logs a problem, and shows it in metrics and to auditors', async () => {
    await ledger.gift('alice', 5);
    await ledger.project();
    const change = (amount: number): Promise<unknown> =>
      asOwner(ledger.database).query(
        `update event set data = jsonb_set(data, '{amount}', to_jsonb($1::int)) where stream = 'creditAccount-alice'
         and version = (select max(version) from event where stream = 'creditAccount-alice')`,
        [amount],
      );
    await change(50);
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await app.get(VerificationSchedule).tick();
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: 'The ledger has problems.' }));
    logged.mockRestore();
    const found = await ask<LedgerVerification>('get_ledger_verification', {});
    const now = ledger.clock.now().toISOString();
    expect(found).toMatchObject({ verified_until: now, succeeded_at: now });
    expect(found.first).toContainEqual(
      expect.objectContaining({ stream: 'creditAccount-alice', kind: 'chain', found_at: now }),
    );
    expect(await metric('fanvas_ledger_problems')).toBe(`fanvas_ledger_problems ${found.problems}`);
    await change(5);
    ledger.clock.advance(60_000);
    // The limit of a request is too short for checks of whole tables of a large ledger.
    const asked = jest.spyOn(jobs, 'query');
    await app.get(VerificationSchedule).tick();
    const texts = asked.mock.calls.map(([text]) => String(text));
    expect(texts).toContainEqual(expect.stringContaining('verified_prefix'));
    expect(texts).not.toContainEqual(expect.stringContaining('verified_account'));
    expect(await metric('fanvas_ledger_problems')).toBe('fanvas_ledger_problems 0');
    ledger.clock.advance(30_000);
    expect(await metric('fanvas_ledger_verified_age_seconds')).toBe('fanvas_ledger_verified_age_seconds 30');
    expect(await ask('get_ledger_verification', {})).toMatchObject({ problems: 0, first: [] });
  });
});

describe('SealSchedule', () => {
  const lastNumber = async (): Promise<number | undefined> =>
    (await ledger.database.pool.query<{ number: number }>('select max(number) as number from ledger_seal')).rows[0]
      ?.number;
  const files = (): string[] => (existsSync(sealDir) ? readdirSync(sealDir).sort() : []);

  it('makes and publishes one seal a day', async () => {
    const schedule = app.get(SealSchedule);
    await schedule.tick();
    await schedule.tick();
    expect(files()).toEqual(['ledger-seal-000001.ndjson']);
    ledger.clock.advance(86_400_000);
    await schedule.tick();
    expect(files()).toEqual(['ledger-seal-000001.ndjson', 'ledger-seal-000002.ndjson']);
    const pem = await (await fetch(`${app.url}/ledger/public-key.pem`)).text();
    const complaints: string[] = [];
    const proven = await proveSeal(join(sealDir, files()[1] ?? ''), [createPublicKey(pem)], (sentence) =>
      complaints.push(sentence),
    );
    expect(complaints).toEqual([]);
    expect(proven?.manifest).toMatchObject({ number: 2, streams: 3 });
    expect((await app.metrics.text()).body).toContain('fanvas_ledger_seal_age_seconds 0');
  });

  it('serves the seals, their files, and a proof that holds offline', async () => {
    const { seals } = await ask<LedgerSealsPage>('list_ledger_seals', {});
    const { seals: second, next } = await ask<LedgerSealsPage>('list_ledger_seals', { p_after: 1, p_limit: 1 });
    expect(second).toEqual([seals[1]]);
    expect(next).toBe(2);
    const newestFirst = async (more: object): Promise<LedgerSealsPage> =>
      ask('list_ledger_seals', { p_newest_first: true, ...more });
    expect((await newestFirst({})).seals).toEqual([...seals].reverse());
    expect(await newestFirst({ p_limit: 1 })).toEqual({ seals: [seals[1]], next: 2 });
    expect((await newestFirst({ p_after: 2 })).seals).toEqual([seals[0]]);
    const part = await ask<LedgerSealPart>('get_ledger_seal', { p_number: 2 });
    expect(part.next_offset).toBeNull();
    expect(part.lines.map((line) => `${line}\n`).join('')).toBe(readFileSync(join(sealDir, files()[1] ?? ''), 'utf8'));
    expect((await post('get_ledger_seal', { p_number: 99 })).status).toBe(404);
    const pem = createPublicKey(await (await fetch(`${app.url}/ledger/public-key.pem`)).text());
    const proof = await ask<LedgerProof>('get_ledger_proof', { p_user_id: 'bob' });
    const head = (await ledger.eventStore.readStream('creditAccount-bob')).at(-1);
    expect(checkHeadProof(JSON.stringify(proof), [pem])).toMatchObject({
      head: { stream: 'creditAccount-bob', version: head?.version, hash: head?.metadata.hash },
      manifest: { number: 2 },
    });
    const other = await ask<LedgerProof>('get_ledger_proof', { p_user_id: 'alice', p_number: 1 });
    for (const [forged, reason] of [
      [{ ...proof, head: other.head }, 'does not contain this head'],
      [{ ...proof, seal: other.seal.replace('"number":1', '"number":3') }, 'manifest was changed'],
      [{ ...proof, path: ['x'] }, 'not a proof'],
    ] as const) {
      expect(checkHeadProof(JSON.stringify(forged), [pem])).toContain(reason);
    }
    expect((await post('get_ledger_proof', { p_user_id: 'nobody' })).status).toBe(404);
  });

  it('names the first seal that began after an event was stored', async () => {
    const { seals } = await ask<LedgerSealsPage>('list_ledger_seals', {});
    const [first, second] = seals.map(({ line }) => {
      return new Date((JSON.parse(line) as { manifest: { startedAt: string } }).manifest.startedAt);
    });
    const before = new Date(first!.getTime() - 1);
    const found = await coveringSeals(ledger.database.pool, [before, first!, second!]);
    expect(found).toEqual([{ number: 1, startedAt: first }, { number: 2, startedAt: second }, null]);
    const { lines } = await ask<AccountStatement>('get_account_statement', { p_user_id: 'alice', p_limit: 500 });
    const events = await ledger.eventStore.readStream('creditAccount-alice');
    expect(lines.some(({ version }) => version === null)).toBe(true);
    for (const { version, hash, seal } of lines) {
      const event = version === null ? undefined : events[version];
      const expected = event && (event.recordedAt < first! ? 1 : 2);
      expect([hash, seal]).toEqual([event?.metadata.hash ?? null, expected ?? null]);
    }
    expect(lines[0]?.seal).toBe(1);
    expect(await ask('get_account_event', { p_user_id: 'alice', p_version: 0 })).toMatchObject({
      seal: { number: 1, started_at: first?.toISOString() },
    });
  });

  it('publishes a failed seal later and makes no second one that day', async () => {
    ledger.clock.advance(86_400_000);
    rmSync(sealDir, { recursive: true });
    writeFileSync(sealDir, 'a file in the way');
    const schedule = app.get(SealSchedule);
    await schedule.tick();
    await schedule.tick();
    const unpublished = async (): Promise<number> =>
      (await ledger.database.pool.query('select 1 from ledger_seal where published_at is null')).rowCount ?? -1;
    expect(await unpublished()).toBe(1);
    rmSync(sealDir);
    await schedule.tick();
    expect(files()).toEqual(['ledger-seal-000003.ndjson']);
    expect(await unpublished()).toBe(0);
  });

  it('seals each day while publishing fails, and publishes all seals later', async () => {
    rmSync(sealDir, { recursive: true });
    writeFileSync(sealDir, 'a file in the way');
    const before = (await lastNumber()) ?? 0;
    for (const _day of [1, 2]) {
      ledger.clock.advance(86_400_000);
      await app.get(SealSchedule).tick();
    }
    expect(await lastNumber()).toBe(before + 2);
    rmSync(sealDir);
    mkdirSync(sealDir);
    // The newest is tried first. A name that is taken keeps no other seal from the folder.
    const taken = join(sealDir, sealFileName(before + 2));
    writeFileSync(taken, 'another file');
    await app.get(SealSchedule).tick();
    expect(files()).toEqual([sealFileName(before + 1), sealFileName(before + 2)]);
    rmSync(taken);
    await app.get(SealSchedule).tick();
    expect(files()).toHaveLength(2);
  });

  it('seals again when the newest file is lost before it was published', async () => {
    const number = (await lastNumber()) ?? 0;
    await ledger.database.pool.query('update ledger_seal set published_at = null where number >= $1', [number - 1]);
    // An older seal that cannot be published does not hide that the newest is lost.
    writeFileSync(join(sealDir, sealFileName(number - 1)), 'another file');
    rmSync(join(app.dataDir, 'ledger-seals', sealFileName(number)));
    await app.get(SealSchedule).tick();
    expect(files()).toContain(sealFileName(number + 1));
  });
});

// Last, because the tests before count streams and problems.
describe('get_account_event', () => {
  it('returns the picture of an event and its shares of the books, and nothing of a picture that is not public', async () => {
    await ledger.purchase('alice', 'cs_shares', 100);
    const id = await ledger.generation('alice', 'delivered', 90);
    await ledger.project();
    const stored = await ledger.eventStore.readStream('creditAccount-alice');
    const settled = stored.filter(({ type }) => type === 'DeductionSettled').at(-1);
    const found = await ask<AccountEvent>('get_account_event', { p_user_id: 'alice', p_version: settled?.version });
    const picture = { id, status: 'completed', creator_name: null, path: null, image: null, prompt: null };
    expect(found.picture).toEqual(picture);
    const [share] = found.earned;
    expect(share).toMatchObject({ creator_id: 'creator_1', creator_name: null });
    expect(share?.cents).toBeGreaterThan(0);
    expect(share?.cents).toBe(found.platform_cents);
    const { rows } = await ledger.database.pool.query<{ cents: number }>(
      'select sum(-cents)::int as cents from book_entry where user_id = $1 and version = $2 and account = 2100',
      ['alice', settled?.version],
    );
    expect(share?.cents).toBe(rows[0]?.cents);
    const first = await ask<AccountEvent>('get_account_event', { p_user_id: 'alice', p_version: 0 });
    expect(first).toMatchObject({ picture: null, earned: [], platform_cents: 0 });
  });

  it.each([
    ['hidden by its owner', `update generation set hidden_at = now() where id = $1`],
    ['taken down', `update generation set taken_down_at = now() where id = $1`],
    ['deleted', `update generation set deleted_at = now() where id = $1`],
    ['of a creator without a page', `update creator set is_visible = false`],
  ])('shows a public picture with its page, and nothing of it once it is %s', async (_case, conceal) => {
    const { pool } = ledger.database;
    const creatorId = randomUUID();
    await pool.query('delete from creator');
    await pool.query(
      `insert into creator (id, clerk_id, username, name, email, instagram, bio, creator_status, is_visible, created_at, updated_at)
       values ($1, 'bea', 'bea', 'Bea', 'b@fanvas.test', '@b', '', 'active', true, now(), now())`,
      [creatorId],
    );
    await ledger.gift('alice', 10);
    const id = await ledger.generation('alice', 'delivered', 10, { creatorId, ownGeneration: false });
    await ledger.project();
    const settled = (await ledger.eventStore.readStream('creditAccount-alice')).at(-1);
    const picture = async (): Promise<AccountEvent['picture']> =>
      (await ask<AccountEvent>('get_account_event', { p_user_id: 'alice', p_version: settled?.version })).picture;
    const image = { url: '/media/cat/1024.webp', width: 1024, height: 1024, thumbhash: 'cat', sources: [] };
    await pool.query('update generation set image = $2 where id = $1', [id, image]);
    const shown = { path: `/bea/generate/${id}`, prompt: 'A fox', image };
    expect(await picture()).toEqual({ id, status: 'completed', creator_name: 'Bea', ...shown });
    await pool.query(conceal, conceal.includes('$1') ? [id] : []);
    expect(JSON.stringify(await picture())).not.toMatch(/A fox|\/bea\/|\/media\//);
  });
});
