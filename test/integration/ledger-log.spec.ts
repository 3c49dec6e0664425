import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type QueryResult } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openCheckpoint, type Checkpoint } from '../../src/audit/log/checkpoint.js';
import { InclusionProofs } from '../../src/audit/log/inclusion-proofs.js';
import {
  addCheckpoint,
  lastCheckpoint,
  lastCoveredLeaf,
  leafWithCheckpoint,
  LedgerLogError,
  logSize,
  readTiles,
} from '../../src/audit/log/log-store.js';
import { sequenceEvents } from '../../src/audit/log/sequence-events.js';
import { CHECKPOINT_FILE, rootAt, signCheckpoint } from '../../src/audit/log/sign-checkpoint.js';
import { verifierKey } from '../../src/audit/log/signed-note.js';
import { LogSchedule } from '../../src/audit/workers/log-schedule.js';
import { isIncluded } from '../../src/audit/seals/merkle-proof.js';
import { MerkleRoot, nodeHash } from '../../src/audit/seals/merkle-root.js';
import { migrations } from '../../src/composition/migrations.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { type EventStore, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { canonicalJson } from '../../src/platform/event-store/hash-chain.js';
import { LocalFileStorage } from '../../src/platform/storage/local-file-storage.js';
import { Records } from '../../src/platform/storage/records.js';
import { chained } from '../support/forged-events.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { logAllEvents } from '../support/log-all-events.js';
import { mirrorLog } from '../support/log-mirror.js';
import { seedLedger } from '../support/seed-ledger.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { approvedCreator } from '../support/payouts.js';
import { judgeStatement, runVerifier } from '../support/verifier.js';

jest.setTimeout(180_000);

const ORIGIN = 'localhost:3000/ledger';
const key = generateKeyPairSync('ed25519').privateKey;
const accepted = [createPublicKey(key)];

let ledger: LedgerApp;
let folder: string;

beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  await ledger.clear();
  folder = mkdtempSync(join(tmpdir(), 'fanvas-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, CHECKPOINT_FILE);
const sequence = (): Promise<number> => logAllEvents({ pool: ledger.database.pool, eventStore: ledger.eventStore });
const sign = (): Promise<Checkpoint | null> =>
  signCheckpoint({
    pool: ledger.database.pool,
    origin: ORIGIN,
    key,
    accepted,
    file: file(),
    now: () => ledger.clock.now(),
  });
const asTheOwner = async (...statements: string[]): Promise<void> => {
  const owner = asOwner(ledger.database);
  for (const statement of statements) await owner.query(statement);
};
interface LeafRow {
  readonly index: number;
  readonly stream: string;
  readonly version: number;
  readonly event_id: string;
  readonly hash: Buffer;
}
const leaves = async (): Promise<LeafRow[]> =>
  (await ledger.database.pool.query<LeafRow>('select * from log_leaf order by index')).rows;
const allEvents = (): Promise<StoredEvent[]> => ledger.eventStore.readAll({ after: null, limit: 10_000 });

describe('sequenceEvents', () => {
  it('gives every event one leaf, in the order of the store, and continues where it ended', async () => {
    await ledger.eventfulAccount('alice');
    expect(await sequence()).toBe((await allEvents()).length);
    await ledger.eventfulAccount('bob');
    await ledger.daily('alice');
    await sequence();
    expect(await sequence()).toBe(0);
    const logged = (await leaves()).map(({ index, stream, version, event_id: id, hash }) => [
      ...[index, stream, version, id, hash.toString('hex')],
    ]);
    const stored = (await allEvents()).map(({ stream, version, id, metadata }, index) => [
      ...[index, stream, version, id, metadata.hash],
    ]);
    expect(logged).toEqual(stored);
  });

  it('leaves out events that lie behind a running transaction, and logs them later', async () => {
    await ledger.gift('alice', 5);
    const running = await ledger.database.pool.connect();
    await running.query('begin');
    await running.query('select pg_current_xact_id()');
    try {
      await ledger.gift('bob', 5);
      await sequenceEvents({ pool: ledger.database.pool, eventStore: ledger.eventStore });
      expect((await leaves()).map(({ stream }) => stream)).not.toContain('creditAccount-bob');
    } finally {
      await running.query('rollback');
      running.release();
    }
    await sequence();
    expect((await leaves()).map(({ stream }) => stream)).toContain('creditAccount-bob');
  });

  it('logs each event once when two processes run at the same time', async () => {
    await seedLedger(ledger.database.pool, { accounts: 250, eventsEach: 12 });
    await Promise.allSettled([sequence(), sequence(), sequence()]);
    await sequence();
    expect((await leaves()).map(({ event_id: id }) => id)).toEqual((await allEvents()).map(({ id }) => id));
  });

  it('keeps complete pages when the process ends midway', async () => {
    await seedLedger(ledger.database.pool, { accounts: 250, eventsEach: 12 });
    let reads = 0;
    const dying = Object.create(ledger.eventStore, {
      readAll: {
        value: (options: Parameters<EventStore['readAll']>[0]) =>
          (reads += 1) === 3 ? Promise.reject(new Error('killed')) : ledger.eventStore.readAll(options),
      },
    }) as EventStore;
    await expect(sequenceEvents({ pool: ledger.database.pool, eventStore: dying })).rejects.toThrow('killed');
    expect(await logSize(ledger.database.pool)).toBe(2000);
    await sequence();
    const size = await logSize(ledger.database.pool);
    expect(size).toBe((await allEvents()).length);
    const inOneGo = await rootAt(ledger.database.pool, size);
    await asTheOwner('truncate log_leaf, log_node');
    await sequence();
    expect(await rootAt(ledger.database.pool, size)).toEqual(inOneGo);
  });

  it('stops when the event of the newest leaf is gone, or has another hash', async () => {
    await ledger.gift('alice', 5);
    await ledger.gift('alice', 6);
    await sequence();
    const id = (await ledger.eventStore.readStream('creditAccount-alice')).at(-1)?.id ?? '';
    await asTheOwner(`update event set metadata = metadata || '{"hash":"${'0'.repeat(64)}"}' where event_id = '${id}'`);
    await expect(sequence()).rejects.toThrow('The newest leaf of the log is event');
    await asTheOwner(`delete from event where event_id = '${id}'`);
    await expect(sequence()).rejects.toThrow(LedgerLogError);
  });

  it('stops at an event whose version does not follow', async () => {
    await ledger.gift('alice', 5);
    await sequence();
    await ledger.gift('bob', 5);
    await ledger.gift('bob', 6);
    await asTheOwner(`delete from event where stream = 'creditAccount-bob' and version = 0`);
    await expect(sequence()).rejects.toThrow('The log expects event 0 of creditAccount-bob next');
  });
});

describe('signCheckpoint', () => {
  it('signs the root of all leaves, keeps it next to the key, and signs nothing twice', async () => {
    await ledger.eventfulAccount('alice');
    await sequence();
    const signed = await sign();
    const { pool } = ledger.database;
    const size = await logSize(pool);
    expect(signed).toEqual({ origin: ORIGIN, size, root: await rootAt(pool, size) });
    const note = (await lastCheckpoint(pool))?.note ?? '';
    expect(openCheckpoint(note, accepted)).toEqual(signed);
    expect(readFileSync(file(), 'utf8')).toBe(note);
    expect(await sign()).toBeNull();
  });

  it('publishes after a crash between the file and the database', async () => {
    await ledger.gift('alice', 5);
    await sequence();
    await sign();
    await ledger.gift('alice', 5);
    await sequence();
    const signed = await sign();
    await asTheOwner(`delete from log_checkpoint where number = 2`);
    expect(await sign()).toEqual(signed);
    expect((await lastCheckpoint(ledger.database.pool))?.note).toBe(readFileSync(file(), 'utf8'));
  });

  it('replaces no file that another process has written since it was read', async () => {
    await ledger.gift('alice', 5);
    await sequence();
    await sign();
    await ledger.gift('alice', 5);
    await sequence();
    const { pool } = ledger.database;
    const slow = Object.create(pool) as typeof pool;
    // The size of the log is read after the file.
    slow.query = ((...args: Parameters<typeof pool.query>) => {
      if (String(args[0]).includes('from log_leaf order by index desc')) writeFileSync(file(), 'newer');
      return pool.query(...args);
    }) as typeof pool.query;
    const context = { origin: ORIGIN, key, accepted, file: file(), now: () => ledger.clock.now() };
    await expect(signCheckpoint({ ...context, pool: slow })).rejects.toThrow(
      `Another process has replaced ${file()} meanwhile. Nothing is signed.`,
    );
    expect(readFileSync(file(), 'utf8')).toBe('newer');
    expect(readdirSync(folder)).toEqual([CHECKPOINT_FILE]);
    expect((await lastCheckpoint(pool))?.size).toBeLessThan(await logSize(pool));
  });

  it('compares with the copy that all processes share, and refuses to sign less than it', async () => {
    const { pool } = ledger.database;
    const copies = new Records(new LocalFileStorage(join(folder, 'bucket')), 's3://bucket/ledger/');
    const context = { pool, origin: ORIGIN, key, accepted, copies, now: () => ledger.clock.now() };
    const at = (name: string): string => join(folder, name, CHECKPOINT_FILE);
    await ledger.eventfulAccount('alice');
    await sequence();
    const signed = await signCheckpoint({ ...context, file: at('one') });
    expect(signed?.size).toBeGreaterThan(0);
    // Another process has lost its folder, and the database is an older copy of itself.
    const note = (await copies.get(CHECKPOINT_FILE))?.toString('utf8');
    expect(note).toBe(readFileSync(at('one'), 'utf8'));
    await asTheOwner('truncate log_leaf, log_node, log_checkpoint');
    await expect(signCheckpoint({ ...context, file: at('two') })).rejects.toThrow(
      `The log has 0 leaves, but the last checkpoint in s3://bucket/ledger/ has ${signed?.size}`,
    );
    await sequence();
    expect(await signCheckpoint({ ...context, file: at('two') })).toEqual(signed);
    expect(readFileSync(at('two'), 'utf8')).toBe(note);
  });

  it('reads the ends of the tree, not its leaves', async () => {
    await seedLedger(ledger.database.pool, { accounts: 250, eventsEach: 12 });
    await sequence();
    const query = jest.spyOn(ledger.database.pool, 'query');
    await sign();
    const rows = await Promise.all(
      query.mock.results.map(async ({ value }) => ((await value) as QueryResult).rows.length),
    );
    query.mockRestore();
    expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThan(2 * 256);
  });

  describe('signCheckpoint and hostile edits', () => {
    beforeEach(async () => {
      await ledger.eventfulAccount('alice');
      await sequence();
      await sign();
    });

    it('signs nothing after the database was restored from an older copy', async () => {
      const before = await logSize(ledger.database.pool);
      await ledger.daily('bob');
      await sequence();
      await sign();
      await asTheOwner(
        `delete from log_leaf where index >= ${before}`,
        `delete from log_checkpoint where number = 2`,
        `delete from event where stream = 'creditAccount-bob'`,
      );
      await sequence();
      await expect(sign()).rejects.toThrow(/the last checkpoint in .* has \d+: the database was restored/);
      // Other events take the places of the lost ones.
      await ledger.eventfulAccount('zoe');
      await sequence();
      await expect(sign()).rejects.toThrow('are not those of the last checkpoint in');
      expect((await lastCheckpoint(ledger.database.pool))?.size).toBe(before);
    });

    it.each<[string, string, RegExp]>([
      ['a changed leaf', `update log_leaf set hash = sha256('x') where index = 1`, /are not those of the last/],
      ['a missing leaf', `delete from log_leaf where index = 1`, /The log lacks hash 1 of level 0/],
      ['a lost end', `delete from log_leaf where index > 1`, /The log has 2 leaves/],
      [
        'a changed checkpoint',
        `update log_checkpoint set note = replace(note, 'localhost', 'elsewhere')`,
        /No key of this ledger/,
      ],
      ['an empty log', 'truncate log_leaf', /The log has 0 leaves/],
    ])('signs nothing after %s', async (_, change, message) => {
      await asTheOwner(change);
      await ledger.database.pool.query('select 1');
      await expect(sign()).rejects.toThrow(message);
    });

    it('signs nothing when no key of the ledger has signed the checkpoint in the file', async () => {
      writeFileSync(file(), readFileSync(file(), 'utf8').replace('localhost', 'elsewhere'));
      await expect(sign()).rejects.toThrow('No key of this ledger has signed the last checkpoint in');
    });

    it('signs nothing when a node was changed', async () => {
      await seedLedger(ledger.database.pool, { accounts: 30, eventsEach: 12 });
      await sequence();
      await sign();
      await asTheOwner(`update log_node set hash = sha256('x') where level = 1 and index = 0`);
      await expect(sign()).rejects.toThrow('are not those of the last checkpoint');
    });
  });

  it('goes on with a key that replaced the old one', async () => {
    await ledger.gift('alice', 5);
    await sequence();
    await sign();
    const next = generateKeyPairSync('ed25519').privateKey;
    const context = {
      pool: ledger.database.pool,
      origin: ORIGIN,
      key: next,
      file: file(),
      now: () => ledger.clock.now(),
    };
    await expect(signCheckpoint({ ...context, accepted: [createPublicKey(next)] })).rejects.toThrow('No key of this');
    await signCheckpoint({ ...context, accepted: [...accepted, createPublicKey(next)] });
    const note = (await lastCheckpoint(ledger.database.pool))?.note ?? '';
    expect(openCheckpoint(note, [createPublicKey(next)])).not.toBeNull();
  });
});

describe('tables of the log', () => {
  it.each(['log_leaf', 'log_node', 'log_checkpoint'])("the app's database user cannot change %s", async (table) => {
    const { pool } = ledger.database;
    for (const text of [`update ${table} set hash = hash`, `delete from ${table}`, `truncate ${table}`]) {
      await expect(
        pool.query(text.replace('hash = hash', table === 'log_checkpoint' ? 'note = note' : 'hash = hash')),
      ).rejects.toThrow(/permission denied/);
    }
  });
});

describe('groups of the log', () => {
  const groups = async (): Promise<unknown[]> => {
    const { rows } = await ledger.database.pool.query<{ groups: Buffer }>(
      'select level, index, groups from log_node order by level, index',
    );
    return rows;
  };
  /** Brings the table back to its state before groups, and migrates it. */
  const migrateAgain = async (...before: string[]): Promise<string[]> => {
    const name = '0147_audit_log_groups';
    await asTheOwner('alter table log_node drop column groups', ...before);
    await asTheOwner(`delete from schema_migration where name = '${name}'`);
    return migrate(createDatabase<never>(asOwner(ledger.database)), migrations);
  };

  it('adds groups to the nodes of an existing log, which then goes on', async () => {
    await seedLedger(ledger.database.pool, { accounts: 50, eventsEach: 12 });
    await sequence();
    const before = await groups();
    expect(before).toHaveLength(2);
    expect(await migrateAgain()).toEqual(['0147_audit_log_groups']);
    expect(await groups()).toEqual(before);
    for (let n = 0; n < 200; n += 1) await ledger.gift('alice', 1);
    await sequence();
    expect(await groups()).toHaveLength(3);
    await sign();
    expect((await ledger.verify(undefined, { keys: accepted })).filter(({ kind }) => kind === 'log')).toEqual([]);
  });

  it('adds groups to higher nodes, and leaves them empty where hashes below them are missing', async () => {
    await migrateAgain(
      `insert into log_node (level, index, hash) select 1, n, sha256(n::text::bytea) from generate_series(0, 511) as n where n <> 300`,
      `insert into log_node (level, index, hash) values (2, 0, sha256('any')), (2, 1, sha256('any'))`,
    );
    const { rows } = await ledger.database.pool.query<{ groups: Buffer }>(
      'select groups from log_node order by level desc, index limit 3',
    );
    const nodes = Array.from({ length: 256 }, (_, n) => createHash('sha256').update(`${n}`).digest());
    const halved = (hashes: readonly Buffer[]): Buffer[] =>
      hashes.flatMap((hash, n) => (n % 2 ? [nodeHash(hashes[n - 1] as Buffer, hash)] : []));
    expect(rows.map((row) => row.groups)).toEqual([
      ...[Buffer.concat(halved(halved(halved(halved(nodes))))), Buffer.alloc(0), Buffer.alloc(0)],
    ]);
  });

  it('refuses a node without groups, which an older version of the app would add', async () => {
    const { pool } = ledger.database;
    const insert = `insert into log_node (level, index, hash) values (1, 0, sha256('x'))`;
    await expect(pool.query(insert)).rejects.toThrow(/null value in column "groups"/);
    await expect(
      pool.query(`insert into log_node (level, index, hash, groups) values (1, 0, sha256('x'), sha256('x'))`),
    ).rejects.toThrow(/violates check constraint/);
  });
});

describe('inclusion proofs', () => {
  const ids: string[] = [];
  const entries: Buffer[] = [];
  beforeEach(async () => {
    await seedLedger(ledger.database.pool, { accounts: 50, eventsEach: 12 });
    await sequence();
    const logged = await leaves();
    ids.splice(0, ids.length, ...logged.map(({ event_id: id }) => id));
    entries.splice(0, entries.length, ...logged.map(({ hash }) => hash));
  });

  const proofs = (): InclusionProofs => new InclusionProofs((tiles) => readTiles(ledger.database.pool, tiles));
  const publish = async (size: number): Promise<{ leaves: number; root: string }> => {
    const { pool } = ledger.database;
    const root = new MerkleRoot();
    for (const entry of entries.slice(0, size)) root.add(entry);
    await addCheckpoint(pool, {
      size,
      root: Buffer.from(root.root(), 'hex'),
      note: 'note',
      signedAt: ledger.clock.now(),
    });
    return { leaves: size, root: root.root() };
  };
  const pathOf = async (found: ReturnType<typeof leafWithCheckpoint>, made = proofs()): Promise<string[]> => {
    const covered = await found;
    if (!covered) throw new Error('There is no leaf.');
    return (await made.path(covered.leaf, covered.checkpoint.size)).map((hash) => hash.toString('hex'));
  };
  const proofOf = (index: number, made?: InclusionProofs): Promise<string[]> =>
    pathOf(leafWithCheckpoint(ledger.database.pool, ids[index] ?? ''), made);

  it('proves leaves everywhere in the tree, while the log is longer than the checkpoint', async () => {
    const made = proofs();
    for (const size of [1, 17, 255, 256, 257, 511, 512, 523, ids.length]) {
      const tree = await publish(size);
      for (const index of [0, 15, 16, 200, 255, 256, 271, 500, 511, 512, 522, size - 1].filter((n) => n < size)) {
        const path = await proofOf(index, made);
        expect({ size, index, is: isIncluded(entries[index] as Buffer, { index, path }, tree) }).toMatchObject({
          is: true,
        });
      }
    }
  });

  it('proves the newest leaf of a stream in a full tile, and at the end', async () => {
    const { pool } = ledger.database;
    const logged = await leaves();
    for (const size of [512, 300]) {
      const tree = await publish(size);
      const { index, stream } = logged.filter((leaf) => leaf.index < size).at(-1) as LeafRow;
      const path = await pathOf(lastCoveredLeaf(pool, stream));
      expect(isIncluded(entries[index] as Buffer, { index, path }, tree)).toBe(true);
    }
  });

  it('reads the sixteen leaves of a group in one statement, once the other tiles are known', async () => {
    await publish(600);
    const made = proofs();
    await proofOf(5, made);
    const query = jest.spyOn(ledger.database.pool, 'query');
    for (const index of [7, 300, 590]) await proofOf(index, made);
    expect(query).toHaveBeenCalledTimes(3);
    const [{ rows: [first] = [] }] = (await Promise.all(query.mock.results.map(({ value }) => value as unknown))) as [
      QueryResult<{ entries: Buffer; groups: Buffer }>,
    ];
    query.mockRestore();
    expect(first?.entries.equals(Buffer.concat(entries.slice(0, 16)))).toBe(true);
    expect(first?.groups).toHaveLength(512);
  });

  it.each<[string, string]>([
    ['a leaf of the group is missing', 'delete from log_leaf where index = 4'],
    ['the node of the tile is missing', 'delete from log_node where index = 0'],
    ['the node of another tile is missing', 'delete from log_node where index = 1'],
    ['the groups of the tile are missing', `update log_node set groups = ''`],
    ['a leaf at the end of the tree is missing', 'delete from log_leaf where index = 530'],
  ])('makes no proof when %s', async (_, change) => {
    await publish(600);
    await proofOf(3);
    await asTheOwner(change);
    await expect(proofOf(3)).rejects.toThrow(LedgerLogError);
  });
});

describe('public log', () => {
  let app: TestApp;

  beforeAll(async () => {
    await ledger.clear();
    const { clock, database, eventStore } = ledger;
    app = await startTestApp({ database, overrides: { clock, eventStore } });
    await app.get(LogSchedule).tick();
  });
  afterAll(() => app.close());

  const get = (path: string, token: string | null = null): Promise<Response> => app.read(`ledger/${path}`, token);

  it('serves a log that a stranger can mirror and verify', async () => {
    rmSync(join(app.dataDir, CHECKPOINT_FILE), { force: true });
    await seedLedger(ledger.database.pool, { accounts: 30, eventsEach: 12 });
    await app.get(LogSchedule).tick();
    const before = await mirrorLog(app.url);
    expect(before.entries).toEqual((await allEvents()).map(({ metadata }) => metadata.hash));
    await ledger.gift('user_alice', 5);
    await app.get(LogSchedule).tick();
    const after = await mirrorLog(app.url);
    expect(after.size).toBeGreaterThan(before.size);
    expect(after.entries.slice(0, before.size)).toEqual(before.entries);

    const checkpoint = await get('checkpoint');
    expect(checkpoint.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(checkpoint.headers.get('cache-control')).toBe('public, max-age=5');
    expect(await (await get('key')).text()).toMatch(/^[^+ ]+\/ledger\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}\n$/);
    const tile = await get('tile/0/000');
    expect(tile.headers.get('content-type')).toBe('application/octet-stream');
    expect(tile.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    // An earlier partial tile stays.
    expect((await get('tile/0/000.p/7')).status).toBe(200);
    for (const path of [
      'tile/0/001',
      'tile/0/x001/000',
      'tile/3/000.p/1',
      'tile/entries/999',
      'tile/x/000',
      'tile/0/0',
    ]) {
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 404 });
    }

    const [event] = await ledger.eventStore.readStream('creditAccount-user_alice');
    const proof = await get(`proof/${event?.id}`, 'user_alice');
    expect(proof.headers.get('content-disposition')).toBe(`attachment; filename="${event?.id}.tlog-proof"`);
    const [head = '', ...note] = (await proof.text()).split('\n\n');
    expect(`${note.join('\n\n')}`).toBe(await (await get('checkpoint')).text());
    const [format, index = '', ...path] = head.split('\n');
    expect(format).toBe('c2sp.org/tlog-proof@v1');
    const hex = path.map((hash) => Buffer.from(hash, 'base64').toString('hex'));
    const tree = { leaves: after.size, root: Buffer.from(after.root, 'base64').toString('hex') };
    const entry = Buffer.from(event?.metadata.hash as string, 'hex');
    expect(isIncluded(entry, { index: Number(index.slice('index '.length)), path: hex }, tree)).toBe(true);

    const statement = await get('statement', 'user_alice');
    expect(statement.headers.get('content-disposition')).toMatch(/^attachment; filename="fanvas-statement-.*ndjson"$/);
    expect(statement.headers.get('cache-control')).toBe('no-store');
    const lines = (await statement.text()).trimEnd().split('\n');
    expect(lines).toHaveLength((await ledger.eventStore.readStream('creditAccount-user_alice')).length + 2);
    const check = async (changed: readonly string[], ...keys: string[]): Promise<[number, string]> => {
      const file = join(folder, 'statement.ndjson');
      writeFileSync(file, `${changed.join('\n')}\n`);
      const { code, out } = await runVerifier('statement', file, ...keys);
      return [code, out.trimEnd().split('\n').at(-1) ?? ''];
    };
    writeFileSync(join(folder, 'key'), await (await get('key')).text());
    const own = ['--key', join(folder, 'key')];
    expect(await check(lines, ...own)).toEqual([
      0,
      `Yes: checkpoint ${after.size} of ${after.origin} covers it, by your key.`,
    ]);
    const no = [1, 'No: the statement is not true.'];
    const change = (from: string, to: string): string[] => lines.map((line) => line.replace(from, to));
    expect(await check(change('"amount":5', '"amount":6'), ...own)).toEqual(no);
    expect(await check([lines[0] ?? '', ...lines.slice(2)], ...own)).toEqual(no);
    expect(await check([...lines.slice(0, -2), lines.at(-1) ?? ''], ...own)).toEqual(no);
    expect(await check(change('user_alice', 'user_bob'), ...own)).toEqual(no);
    expect(await check(change('\\nindex ', '\\nindex 1'), ...own)).toEqual(no);
    writeFileSync(join(folder, 'other'), verifierKey(after.origin, generateKeyPairSync('ed25519').publicKey));
    expect(await check(lines, '--key', join(folder, 'other'))).toEqual(no);
    expect((await get('statement')).status).toBe(401);
    expect((await get('statement', 'user_bob')).status).toBe(404);

    expect((await get(`proof/${event?.id}`)).status).toBe(401);
    expect((await get(`proof/${event?.id}`, 'user_bob')).status).toBe(404);
    expect((await get(`proof/${event?.id}`, 'auditor_1')).status).toBe(200);
    for (const id of ['1', 'x'.repeat(36), '019cd6f9-7a80-7670-97c9-4e5137bedea5']) {
      expect((await get(`proof/${id}`, 'auditor_1')).status).toBe(404);
    }
  });

  it('gives creators their own earnings with a proof, without anything that identifies a fan', async () => {
    rmSync(join(app.dataDir, CHECKPOINT_FILE), { force: true });
    const creatorId = await approvedCreator(app, 'user_creator1');
    await approvedCreator(app, 'user_creator2');
    const refusal = async (token?: string): Promise<[number, string]> => {
      const response = await get('earnings-statement', token);
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    const early = [404, 'Your first earnings are not in the public log yet. Try again in a minute.'];
    expect(await refusal('user_creator1')).toEqual(early);
    await ledger.purchase('user_payer', 'cs_payer', 60);
    const image = { creatorId, ownGeneration: false };
    const deductionId = await ledger.generation('user_payer', 'delivered', 50, image);
    await ledger.reverse('user_payer', 'cs_payer', 60);
    // Pays half of the debt.
    await ledger.purchase('user_payer', 'cs_again', 10);
    await ledger.project();
    await sequence();
    await app.get(LogSchedule).tick();

    const response = await get('earnings-statement', 'user_creator1');
    expect({ status: response.status, text: await response.clone().text() }).toMatchObject({ status: 200 });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const name = /^attachment; filename="fanvas-earnings-statement-.*ndjson"$/;
    expect(response.headers.get('content-disposition')).toMatch(name);
    const text = await response.text();
    const sources = await ledger.eventStore.readStream('creditAccount-user_payer');
    const secrets = ['user_payer', 'cs_', 're_of', deductionId, 'priceCents', ...sources.map(({ id }) => id)];
    for (const secret of secrets) expect(text).not.toContain(secret);

    const key = await (await get('key')).text();
    writeFileSync(join(folder, 'earnings.ndjson'), text);
    writeFileSync(join(folder, 'key'), key);
    const { code, out } = await runVerifier('statement', join(folder, 'earnings.ndjson'), '--key', join(folder, 'key'));
    expect(code).toBe(0);
    expect(out).toMatch(/^Yes: checkpoint \d+ of \S+ covers it, by your key\.$/m);
    const lines = text.trimEnd().split('\n');
    const events = lines.slice(1, -1).map((line) => (JSON.parse(line) as { event: StoredEvent }).event);
    const sum = (kinds: string[]): number =>
      events.reduce(
        (total, { data }) => total + (kinds.includes(data['kind'] as string) ? Number(data['cents']) : 0),
        0,
      );
    const earned = sum(['earning']);
    const corrected = sum(['correction', 'restoration']);
    expect(corrected).toBeLessThan(0);
    const balance = {
      correctedCents: corrected,
      earnedCents: earned,
      payableCents: 0,
      pendingCents: earned + corrected,
    };
    expect(out).toMatch(/^creatorEarnings-\S+: \d+ events\. Balance as of \d{4}-\S+Z: /);
    expect(out).toContain(`Z: ${JSON.stringify(balance)}.`);
    expect((await judgeStatement(text, key)).code).toBe(0);

    // Every change of one field, also with new hashes.
    for (const part of ['data', 'metadata'] as const) {
      for (const [field, value] of Object.entries(events[0]?.[part] ?? {})) {
        const other = typeof value === 'number' ? value + 1 : `${JSON.stringify(value)}0`;
        const changed = events.map((event, index) =>
          index === 0 ? { ...event, [part]: { ...event[part], [field]: other } } : event,
        );
        // A changed hash is made right by new hashes.
        for (const forged of field === 'hash' ? [changed] : [changed, chained(changed)]) {
          const made = forged.map((event) => canonicalJson({ event: event as never }));
          const file = `${[lines[0], ...made, lines.at(-1)].join('\n')}\n`;
          expect({ field, code: (await judgeStatement(file, key)).code }).toEqual({ field, code: 1 });
        }
      }
    }

    expect(await refusal('user_creator2')).toEqual(early);
    expect(await refusal('user_alice')).toEqual([404, 'You are not a creator.']);
    for (const role of ['admin_1', 'finance_1', 'auditor_1']) {
      expect(await refusal(role)).toEqual([404, 'You are not a creator.']);
    }
    expect((await refusal())[0]).toBe(401);
    const statuses = async (id: string | undefined) =>
      Promise.all(
        ['user_creator1', 'user_creator2', 'user_payer', 'auditor_1'].map(
          async (who) => (await get(`proof/${id}`, who)).status,
        ),
      );
    expect(await statuses(events[0]?.id)).toEqual([200, 404, 404, 200]);
    expect(await statuses(sources[1]?.id)).toEqual([404, 404, 200, 200]);
  });
});
