import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Kysely } from 'kysely';
import { type Pool } from 'pg';
import { adoptNextKey, fingerprintOf, nextKey, publicPem, signingKey } from '../../src/audit/index.js';
import { KEYS_PROGRAM } from '../../src/cli/keys/keys-program.js';
import { type RunningApp, startFanvas } from '../../src/composition/compose.js';
import { PayoutCipher } from '../../src/creators/payout/payout-cipher.js';
import { claimKey } from '../../src/identity/bonus/claim-key.js';
import { type IdentityTables } from '../../src/identity/tables.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createPool } from '../../src/platform/database/pool.js';
import { DatabaseKeys } from '../../src/platform/keys/database-keys.js';
import { FolderKeys } from '../../src/platform/keys/folder-keys.js';
import { KeyError } from '../../src/platform/keys/installation-keys.js';
import { becomeOnlyProcess } from '../../src/platform/keys/only-process.js';
import { openKeys } from '../../src/platform/keys/open-keys.js';
import { Locks } from '../../src/platform/locks.js';
import { freePort } from '../support/app-process.js';
import { asOwner, type TestDatabase, withTestDatabase } from '../support/database.js';
import { keyInFolder } from '../support/folder-key.js';
import { until } from '../support/until.js';
import { runHere } from '../support/run-here.js';

jest.setTimeout(60_000);

const NOW = new Date('2026-03-10T09:00:00Z');
const FIELDS = { legal_name: 'Juno Abara', country: 'DE', account: '123456789', tax_status: 'business' } as const;
const MASTER = randomBytes(32);
const OTHER = randomBytes(32);

let database: TestDatabase<IdentityTables>;
let secondPool: Pool;
let folder: string;
const warn = jest.fn<(sentence: string) => void>();

beforeAll(async () => {
  database = await withTestDatabase();
  secondPool = createPool(database.url, { max: 4 });
  // A row of payout details without its creator.
  await asOwner(database).query(
    'alter table creator_payout_details drop constraint creator_payout_details_creator_id_fkey',
  );
});
afterAll(async () => {
  await secondPool?.end();
  await database?.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fanvas-keys-'));
  warn.mockClear();
});
afterEach(async () => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
  await database.pool.query('delete from installation_key');
  await database.pool.query('delete from bonus_claim_key');
  await database.pool.query('delete from creator_payout_details');
});

/** The keys of a process that has its own connections, and a data folder of this name. */
const keysOf = (pool: Pool, data = 'empty', master = MASTER): DatabaseKeys =>
  new DatabaseKeys(pool, master, new FolderKeys(join(folder, data)), warn);
const settings = (more: Record<string, string> = {}) =>
  loadConfig({ DATABASE_URL: database.url, DATA_DIR: folder, ...more }, '/');
const warnings = (): string => warn.mock.calls.flat().join('\n');
const namesInDatabase = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ name: string }>('select name from installation_key order by name');
  return rows.map(({ name }) => name);
};

describe('DatabaseKeys', () => {
  it('gives two processes that start at once the same keys', async () => {
    const stores = [keysOf(database.pool, 'one'), keysOf(secondPool, 'two')];
    const start = async (keys: DatabaseKeys): Promise<string[]> => {
      await keys.check();
      const claims = await claimKey(database.db, null, keys, NOW);
      const signing = await signingKey({ configuredKey: null, keys, dataDir: folder });
      return [claims.toString('hex'), fingerprintOf(signing), (await keys.keepBytes('third')).toString('hex')];
    };
    const [one, two] = await Promise.all(stores.map(start));
    expect(one).toEqual(two);
    const names = ['bonus-claim-key', 'ledger-signing-key.pem', 'master-key-check', 'third'];
    expect(await namesInDatabase()).toEqual(names);
    const { rows } = await database.pool.query(`select encode(sealed, 'escape') as text from installation_key`);
    expect(JSON.stringify(rows)).not.toMatch(/PRIVATE KEY/);
  });

  it('imports the keys of a folder once, and none that the database was not used with', async () => {
    const old = new FolderKeys(join(folder, 'old'));
    const claims = await claimKey(database.db, null, old, NOW);
    const signing = await signingKey(keyInFolder(join(folder, 'old')));
    const details = await new PayoutCipher(null, old).seal('creator', FIELDS, { mayCreateKey: true });
    await database.pool.query(
      `insert into creator_payout_details (creator_id, key_id, sealed, changed_at) values (gen_random_uuid(), $1, $2, $3)`,
      [details.keyId, details.sealed, NOW],
    );
    const foreign = new FolderKeys(join(folder, 'foreign'));
    for (const name of ['bonus-claim-key', 'payout-details-key']) await foreign.keepBytes(name);
    const checkPayouts = (keys: DatabaseKeys, given: Buffer | null = null): Promise<void> =>
      new PayoutCipher(given, keys).checkKey(database.db as Kysely<unknown>);

    const wrong = keysOf(database.pool, 'foreign');
    await expect(claimKey(database.db, null, wrong, NOW)).rejects.toThrow('claimed under another key');
    const otherKey = 'The payout details of this database are encrypted with another key. Set PAYOUT_DETAILS_KEY';
    await expect(checkPayouts(wrong)).rejects.toThrow(otherKey);
    await expect(checkPayouts(keysOf(database.pool), randomBytes(32))).rejects.toThrow(otherKey);
    expect(await namesInDatabase()).toEqual([]);

    const right = keysOf(database.pool, 'old');
    await claimKey(database.db, null, right, NOW);
    await signingKey({ configuredKey: null, keys: right, dataDir: folder });
    await checkPayouts(right);
    expect(warnings().match(/is now in the database, encrypted under FANVAS_MASTER_KEY/g)).toHaveLength(3);
    // Another machine has no folder, or one of something else.
    for (const data of ['empty', 'foreign']) {
      const keys = keysOf(secondPool, data);
      expect(await claimKey(database.db, null, keys, NOW)).toEqual(claims);
      expect((await signingKey({ configuredKey: null, keys, dataDir: folder })).equals(signing)).toBe(true);
      expect(await new PayoutCipher(null, keys).open('creator', details)).toEqual(FIELDS);
    }
    expect(warn).toHaveBeenCalledTimes(3);
  });

  it('refuses another master key, and a row that was changed or has another name', async () => {
    const keys = keysOf(database.pool);
    const first = await keys.keepBytes('first');
    await keys.keepBytes('second');
    const other = keysOf(secondPool, 'empty', OTHER);
    for (const work of [other.check(), other.find('first'), other.keep('third', 'text'), other.move('first', 'x')]) {
      await expect(work).rejects.toThrow(/^The keys of this database are encrypted under the master key \w{16}, and/);
    }
    expect(await keys.findBytes('first')).toEqual(first);
    await database.pool.query(
      `update installation_key set sealed = (select sealed from installation_key where name = 'second') where name = 'first'`,
    );
    await expect(keys.find('first')).rejects.toThrow('The key first in the table installation_key was changed');
  });

  it('accepts one of two processes that start with different master keys', async () => {
    const starts = [MASTER, OTHER].map((master, index) =>
      keysOf(index === 0 ? database.pool : secondPool, 'empty', master).keepBytes('first'),
    );
    const results = await Promise.allSettled(starts);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('stores no key under a master key that is being replaced', async () => {
    const keys = keysOf(secondPool);
    await keys.keepBytes('first');
    const rotation = await database.pool.connect();
    await rotation.query('begin');
    await rotation.query(`update installation_key set master_key_id = 'next' where name = 'master-key-check'`);
    const late = expect(keys.keepBytes('late')).rejects.toThrow('under the master key next');
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await rotation.query(waiting)).rowCount === 1, 'the process to wait for the rotation');
    await rotation.query('commit');
    rotation.release();
    await late;
    expect(await namesInDatabase()).toEqual(['first', 'master-key-check']);
  });

  it('replaces the signing key once when two processes complete its rotation', async () => {
    const stores = [keysOf(database.pool), keysOf(secondPool)];
    const [keys] = stores as [DatabaseKeys];
    const old = await signingKey({ configuredKey: null, keys, dataDir: folder });
    const [next, same] = await Promise.all(stores.map(nextKey));
    expect(next!.equals(same!)).toBe(true);
    await adoptNextKey(keys, fingerprintOf(old));
    await Promise.all(stores.map((store) => adoptNextKey(store, fingerprintOf(next!))));
    expect((await signingKey({ configuredKey: null, keys, dataDir: folder })).equals(next!)).toBe(true);
    expect(await namesInDatabase()).toEqual(['ledger-signing-key.pem', 'master-key-check']);
    await keys.move('missing', 'ledger-signing-key.pem');
    expect((await nextKey(keys)).equals(next!)).toBe(false);
  });
});

describe('npm run keys', () => {
  /** Runs a verb as its process does. */
  async function run(verb: string, master: Buffer | null, next: Buffer | null = null): Promise<[number, string]> {
    const addresses = { DATABASE_URL: database.url, DATABASE_AUDIT_URL: database.auditUrl, DATA_DIR: folder };
    const [FANVAS_MASTER_KEY, FANVAS_NEXT_MASTER_KEY] = [master, next].map((key) => key?.toString('base64'));
    const env = { ...addresses, FANVAS_MASTER_KEY, FANVAS_NEXT_MASTER_KEY };
    const { code, out, err } = await runHere(KEYS_PROGRAM, [verb], env);
    return [code, out + err];
  }

  it('replaces the master key while a process of the old one goes on, and never shows a key', async () => {
    const running = keysOf(database.pool);
    const secret = await running.keepBytes('payout-details-key');
    expect(await run('rotate', MASTER)).toEqual([2, expect.stringContaining('Set FANVAS_NEXT_MASTER_KEY')]);
    expect(await run('rotate', OTHER, randomBytes(32))).toEqual([1, expect.stringMatching(/^The keys of this .*\n$/)]);
    expect(await run('rotate', MASTER, OTHER)).toEqual([0, expect.stringContaining('1 key is encrypted under')]);
    expect(await run('rotate', MASTER, OTHER)).toEqual([0, expect.stringContaining('already')]);
    // The process of the old master key stores nothing that the others cannot read.
    await expect(running.keepBytes('another')).rejects.toThrow(KeyError);
    expect(await keysOf(secondPool, 'empty', OTHER).findBytes('payout-details-key')).toEqual(secret);
    const [code, text] = await run('list', OTHER);
    expect(code).toBe(0);
    expect(text).toMatch(/^payout-details-key since \S+: can be decrypted\n$/);
    expect(await run('list', MASTER)).toEqual([1, expect.stringContaining('cannot be decrypted')]);
    expect(await run('list', null)).toEqual([2, expect.stringContaining('Set FANVAS_MASTER_KEY')]);
  });

  it('keeps every key when a rotation meets a changed row', async () => {
    const keys = keysOf(database.pool);
    const secret = await keys.keepBytes('first');
    await keys.keepBytes('second');
    await database.pool.query(`update installation_key set sealed = '\\x00' where name = 'second'`);
    expect(await run('rotate', MASTER, OTHER)).toEqual([1, expect.stringContaining('The key second in the table')]);
    expect(await keys.findBytes('first')).toEqual(secret);
  });
});

describe('openKeys', () => {
  it('uses the folder without a master key, until the database has keys', async () => {
    expect(await openKeys(settings(), database.pool, warn)).toBeInstanceOf(FolderKeys);
    const FANVAS_MASTER_KEY = MASTER.toString('hex');
    await (await openKeys(settings({ FANVAS_MASTER_KEY }), database.pool, warn)).keepBytes('first');
    const refused = openKeys(settings(), database.pool, warn);
    await expect(refused).rejects.toThrow('are encrypted under a master key: set FANVAS_MASTER_KEY to it.');
    await expect(openKeys(settings({ FANVAS_MASTER_KEY: OTHER.toString('hex') }), secondPool, warn)).rejects.toThrow(
      KeyError,
    );
  });
});

describe('becomeOnlyProcess', () => {
  it('keeps a second process out, also after the first one has lost its connection', async () => {
    const sentence = 'so only one process may use its database: set FANVAS_MASTER_KEY';
    const leave = await becomeOnlyProcess(new Locks(database.pool), warn);
    expect(warnings()).toContain(sentence);
    const second = () => becomeOnlyProcess(new Locks(secondPool), warn, { waitMs: 0 });
    await expect(second()).rejects.toThrow(sentence);
    const held = `select pid from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`;
    const holder = async (): Promise<number | undefined> =>
      (await secondPool.query<{ pid: number }>(held)).rows[0]?.pid;
    const before = await holder();
    await secondPool.query('select pg_terminate_backend($1)', [before]);
    await until(async () => {
      const now = await holder();
      return now !== undefined && now !== before;
    }, 'the lock to be taken again');
    await expect(second()).rejects.toThrow(sentence);
    await leave();
    const leaveAgain = await second();
    await leaveAgain();
  });
});

describe('startFanvas', () => {
  it('refuses an app next to a process with keys of its own, and shares the keys of its folder with a master key', async () => {
    const start = async (data: string, more: Record<string, string> = {}): Promise<RunningApp> => {
      const app = { DATA_DIR: join(folder, data), PORT: String(await freePort()), SANDBOX_DEMO: 'none' };
      return startFanvas(settings({ ...app, LOG_LEVEL: 'silent', ...more }));
    };
    const key = await signingKey(keyInFolder(join(folder, 'one')));
    const leave = await becomeOnlyProcess(new Locks(secondPool), warn);
    await expect(start('two')).rejects.toThrow('so only one process may use its database');
    await leave();
    const app = await start('one', { FANVAS_MASTER_KEY: MASTER.toString('hex') });
    try {
      expect(await (await fetch(`${app.url}/ledger/public-key.pem`)).text()).toBe(publicPem(key));
      const keys = keysOf(secondPool);
      expect((await signingKey({ configuredKey: null, keys, dataDir: folder })).equals(key)).toBe(true);
      await expect(start('two')).rejects.toThrow('set FANVAS_MASTER_KEY to it.');
    } finally {
      await app.stop();
    }
  });
});
