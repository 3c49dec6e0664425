import {
  acceptKeys,
  balanceAt,
  closingSealFile,
  fingerprintOf,
  makeSeal,
  nextKey,
  proveSeal,
  publicPem,
  publishSeal,
  readRotations,
  rotationsIn,
  rotationsOf,
  SEAL_FOLDER,
  sealChainProblems,
  sealedHeadOf,
  SealedHeads,
  sealFilesAt,
  signingKeyOf,
  verifyLedger,
  verifySealChain,
  type LedgerProblem,
  type ProvenSeal,
} from '../../src/audit/index.js';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { LedgerKeys } from '../../src/audit/seals/ledger-keys.js';
import { findSealFile, lastSeal, type SealContext } from '../../src/audit/seals/ledger-seals.js';
import { signRotation } from '../../src/audit/seals/key-rotation.js';
import { parseSeal, sealHash } from '../../src/audit/seals/seal-file.js';
import { signedLine } from '../../src/audit/seals/signed-file.js';
import { eventHash } from '../../src/platform/event-store/hash-chain.js';
import { type JsonObject } from '../../src/platform/json.js';
import { FolderKeys } from '../../src/platform/keys/folder-keys.js';
import { LocalFileStorage } from '../../src/platform/storage/local-file-storage.js';
import { Records } from '../../src/platform/storage/records.js';
import { rewriteStream } from '../support/forged-events.js';
import { asOwner, withoutTimeBound } from '../support/database.js';
import { keyInFolder } from '../support/folder-key.js';
import { REVENUE_TABLES, startLedger, type LedgerApp } from '../support/ledger-app.js';

jest.setTimeout(180_000);

const STREAM = 'creditAccount-mallory';
const key = generateKeyPairSync('ed25519').privateKey;
const publicKeys = [createPublicKey(key)];

let ledger: LedgerApp;
let restore: () => Promise<void>;
let folder: string;

beforeAll(async () => {
  ledger = await startLedger();
  for (const user of ['alice', 'mallory', 'zoe']) await ledger.eventfulAccount(user);
  restore = await ledger.keep();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fanvas-seal-'));
  await restore();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const query = async (text: string, ...values: unknown[]): Promise<void> => {
  await asOwner(ledger.database).query(text, values);
};
const seal = async (): Promise<string> => {
  const { pool } = ledger.database;
  const now = (): Date => ledger.clock.now();
  return (await makeSeal({ pool, eventStore: ledger.eventStore, key, now, folder })).file;
};
const prove = async (file: string): Promise<{ proven: ProvenSeal | null; complaints: string[] }> => {
  const complaints: string[] = [];
  const proven = await proveSeal(file, publicKeys, (sentence) => complaints.push(sentence));
  return { proven, complaints };
};
/** The problems that `verify --against` reports for these files. */
const verifyAgainst = async (...files: string[]): Promise<LedgerProblem[]> => {
  const problems: LedgerProblem[] = [];
  const onProblem = (problem: LedgerProblem): void => void problems.push(problem);
  const seals: ProvenSeal[] = [];
  for (const file of files) {
    const { proven, complaints } = await prove(file);
    if (!proven) throw new Error(complaints.join(' '));
    seals.push(proven);
  }
  const { pool } = ledger.database;
  await verifySealChain(pool, publicKeys, seals, onProblem);
  const sources = { pool, eventStore: ledger.eventStore, sealed: await SealedHeads.open(seals) };
  await verifyLedger(sources, { now: () => ledger.clock.now(), onProblem });
  return problems;
};
const headOf = async (stream: string): Promise<number> => (await ledger.eventStore.readStream(stream)).length - 1;

/** Recomputes hashes and projections like a forger with full write access. */
const coverUp = async (): Promise<void> => {
  await rewriteStream(ledger.eventStore, ledger.database, STREAM);
  await query(`truncate credit_balance, credit_transaction, credits_held, projection_checkpoint, ${REVENUE_TABLES}`);
  await ledger.project();
};

describe('makeSeal and proveSeal', () => {
  it('covers every stream, links to the previous seal, and reports no problem in a valid ledger', async () => {
    const first = await seal();
    await ledger.gift('bob', 5);
    await ledger.gift('mallory', 5);
    const second = await seal();
    const { proven } = await prove(second);
    expect(proven?.manifest).toMatchObject({ number: 2, streams: 4, previous: (await prove(first)).proven?.hash });
    await ledger.gift('carol', 5);
    await ledger.gift('alice', 5);
    expect(await verifyAgainst(first, second)).toEqual([]);
    expect(await verifyAgainst(first)).toEqual([]);
    expect(await sealFilesAt(folder)).toEqual([first, second]);
  });

  it('proves a seal of an empty ledger', async () => {
    await ledger.clear();
    const { proven } = await prove(await seal());
    expect(proven?.manifest).toMatchObject({ streams: 0, events: 0 });
  });

  it.each<[string, (lines: string[]) => string[], string]>([
    ['another version', ([a = '', ...rest]) => [a.replace('"version":', '"version":1'), ...rest], 'Merkle root|counts'],
    ['another hash', ([a = '', ...rest]) => [a.replace(/"hash":"./, '"hash":"_'), ...rest], 'Merkle root'],
    ['a missing head', ([, ...rest]) => rest, 'counts'],
    ['heads in another order', ([a = '', b = '', ...rest]) => [b, a, ...rest], 'wrong place'],
    ['a head twice', ([a = '', ...rest]) => [a, a, ...rest], 'appears twice'],
    ['a line that is not a head', ([a = '', ...rest]) => [a, '{"note":1}', ...rest], 'not the head'],
    ['a missing last line', (lines) => lines.slice(0, -1), 'does not end with a manifest'],
    ['lines after the manifest', (lines) => [...lines, lines[0] ?? ''], 'does not end with a manifest'],
    ['another number', (lines) => lines.map((line) => line.replace('"number":1', '"number":2')), 'does not match'],
  ])('rejects a seal with %s', async (_case, change, words) => {
    const file = await seal();
    writeFileSync(file, `${change(readFileSync(file, 'utf8').trimEnd().split('\n')).join('\n')}\n`);
    const { proven, complaints } = await prove(file);
    expect(proven).toBeNull();
    expect(complaints.join(' ')).toMatch(new RegExp(words));
  });

  it('rejects a seal that was signed with another key', async () => {
    const complaints: string[] = [];
    const others = [generateKeyPairSync('ed25519').publicKey];
    expect(await proveSeal(await seal(), others, (sentence) => complaints.push(sentence))).toBeNull();
    expect(complaints.join(' ')).toContain('is from another key');
  });
});

describe('verify --against', () => {
  let file: string;
  let head: number;
  beforeEach(async () => {
    file = await seal();
    head = await headOf(STREAM);
  });

  it('names a stream that was rewritten with its projections', async () => {
    await query(
      `update event set data = jsonb_set(data, '{amount}', '400') where stream = $1 and data->>'source' = 'admin'`,
      STREAM,
    );
    await coverUp();
    expect(await ledger.verify()).toEqual([]);
    expect(await verifyAgainst(file)).toEqual([
      expect.objectContaining({ stream: STREAM, version: head, kind: 'seal' }),
    ]);
  });

  it('counts the events beyond the newest seal', async () => {
    await ledger.gift('mallory', 5);
    const newer = await seal();
    await ledger.gift('alice', 5);
    await ledger.gift('newcomer', 5);
    const { pool } = ledger.database;
    const seals = [(await prove(newer)).proven!, (await prove(file)).proven!];
    const sources = { pool, eventStore: ledger.eventStore, sealed: await SealedHeads.open(seals) };
    const summary = await verifyLedger(sources, { now: () => ledger.clock.now(), onProblem: () => undefined });
    expect(summary.unsealedEvents).toBe(2);
  });

  it('names the sealed head after many other problems of the stream', async () => {
    for (let gift = 0; gift < 30; gift += 1) await ledger.gift('mallory', 1);
    const file = await seal();
    await query(`update event set metadata = metadata - 'hash' where stream = 'creditAccount-mallory'`);
    const problems = await verifyAgainst(file);
    expect(problems.filter(({ kind }) => kind === 'chain').length).toBeGreaterThan(10);
    expect(problems.filter(({ kind }) => kind === 'seal')).toHaveLength(1);
  });

  it('names a lost tail whose traces were removed', async () => {
    await query(`delete from event where stream = $1 and version >= $2`, STREAM, head);
    await query(`delete from generation where user_id = 'mallory' and status = 'pending'`);
    await coverUp();
    expect(await ledger.verify()).toEqual([]);
    expect(await verifyAgainst(file)).toEqual([
      expect.objectContaining({ stream: STREAM, version: head, kind: 'seal' }),
    ]);
  });

  it.each(['alice', 'mallory', 'zoe'])(
    'names the stream of %s when it is dropped with all its traces',
    async (user) => {
      await query(`delete from event where stream = $1`, `creditAccount-${user}`);
      await query(`delete from generation where user_id = $1`, user);
      await coverUp();
      expect(await ledger.verify()).toEqual([]);
      expect(await verifyAgainst(file)).toEqual([
        expect.objectContaining({ stream: `creditAccount-${user}`, kind: 'seal' }),
      ]);
    },
  );

  it('names every stream when the ledger is empty', async () => {
    await query('truncate event, generation, credit_balance, credit_transaction, credits_held, projection_checkpoint');
    await query(`truncate ${REVENUE_TABLES}`);
    const problems = await verifyAgainst(file);
    expect(problems.map(({ stream, kind }) => `${kind} ${stream}`)).toEqual(
      ['alice', 'mallory', 'zoe'].map((user) => `seal creditAccount-${user}`),
    );
  });

  it('ignores a lost tail that is newer than the seal', async () => {
    await ledger.gift('mallory', 5);
    await ledger.project();
    await query(`delete from event where stream = $1 and version > $2`, STREAM, head);
    await coverUp();
    expect(await verifyAgainst(file)).toEqual([]);
  });

  it('names a rewritten stream that differs from an older seal but matches a newer seal', async () => {
    await query(
      `update event set data = jsonb_set(data, '{amount}', '400') where stream = $1 and data->>'source' = 'admin'`,
      STREAM,
    );
    await coverUp();
    const newer = await seal();
    expect(await verifyAgainst(newer)).toEqual([]);
    expect(await verifyAgainst(file, newer)).toEqual([
      expect.objectContaining({ stream: STREAM, version: head, kind: 'seal' }),
    ]);
  });
});

describe('verify --against with events dated before a seal', () => {
  /** Stores an event with any date and a valid chain, as an attacker with the database password can. */
  const giftAt = async (user: string, at: Date): Promise<void> => {
    const now = ledger.clock.now();
    ledger.clock.set(at);
    await ledger.gift(user, 1000);
    ledger.clock.set(now);
    await ledger.project();
  };

  it('names a new account that is dated before a seal', async () => {
    const before = ledger.clock.now();
    ledger.clock.advance(3_600_000);
    const file = await seal();
    await giftAt('ghost', before);
    await giftAt('ghost', before);
    const problems = await verifyAgainst(file);
    expect(problems).toEqual([expect.objectContaining({ stream: 'creditAccount-ghost', version: 0, kind: 'seal' })]);
    expect(problems[0]?.what).toMatch(
      /seal 1, which closed that time, does not contain the stream\. The same is true for 1 /,
    );
  });

  it('names an event beyond a sealed head that is dated before the seal', async () => {
    const at = ledger.clock.now();
    const older = await seal();
    ledger.clock.advance(3_600_000);
    const newer = await seal();
    const version = (await headOf('creditAccount-zoe')) + 1;
    await giftAt('zoe', at);
    expect(await verifyAgainst(newer, older)).toEqual([
      expect.objectContaining({
        stream: 'creditAccount-zoe',
        version,
        kind: 'seal',
        what: expect.stringContaining(`covers it up to event ${version - 1} only`),
      }),
    ]);
  });

  it('accepts events of the last minute before a seal, because clocks differ', async () => {
    const at = ledger.clock.now();
    ledger.clock.advance(60_000);
    const file = await seal();
    await giftAt('newcomer', at);
    expect(await verifyAgainst(file)).toEqual([]);
    await giftAt('other', new Date(at.getTime() - 1));
    expect(await verifyAgainst(file)).toHaveLength(1);
  });
});

describe('balanceAt with a seal', () => {
  const balanceWith = async (user: string, at: Date): Promise<LedgerProblem[]> => {
    const problems: LedgerProblem[] = [];
    const file = await closingSealFile(await sealFilesAt(folder), at);
    const { proven } = await prove(file!);
    const head = await sealedHeadOf(proven!, `creditAccount-${user}`);
    const past = { manifest: proven!.manifest, head: head! };
    await balanceAt(ledger.eventStore, user, at, (problem) => problems.push(problem), past);
    return problems;
  };

  it('uses the earliest seal that closed the time, which contains only the streams of that time', async () => {
    const at = ledger.clock.now();
    await seal();
    ledger.clock.advance(3_600_000);
    const second = await seal();
    await ledger.gift('bob', 5);
    ledger.clock.advance(3_600_000);
    const third = await seal();
    const files = await sealFilesAt(folder);
    expect(await closingSealFile(files, at)).toBe(second);
    expect(await closingSealFile(files, new Date(at.getTime() + 3_600_000))).toBe(third);
    expect(await closingSealFile(files, ledger.clock.now())).toBeNull();
    expect(await sealedHeadOf((await prove(second)).proven!, 'creditAccount-bob')).toBeNull();
    expect(await sealedHeadOf((await prove(third)).proven!, 'creditAccount-bob')).toMatchObject({ version: 0 });
  });

  it('reports a past that was rewritten after it was sealed', async () => {
    const at = new Date('2026-03-14T12:00:00Z');
    ledger.clock.advance(3_600_000);
    await seal();
    expect(await balanceWith('mallory', at)).toEqual([]);
    await query(
      `update event set data = jsonb_set(data, '{amount}', '400') where stream = $1 and data->>'source' = 'admin'`,
      STREAM,
    );
    await coverUp();
    expect(await balanceWith('mallory', at)).toEqual([
      expect.objectContaining({ stream: STREAM, version: await headOf(STREAM), kind: 'seal' }),
    ]);
  });
});

describe('signingKeyOf', () => {
  it('generates a key only for a ledger without seals', async () => {
    const { pool, now } = { ...ledger.database, now: (): Date => ledger.clock.now() };
    const kept = await signingKeyOf(pool, keyInFolder(folder));
    await makeSeal({ pool, eventStore: ledger.eventStore, key: kept, now, folder });
    expect((await signingKeyOf(pool, keyInFolder(folder))).equals(kept)).toBe(true);
    expect(await signingKeyOf(pool, keyInFolder(`${folder}/elsewhere`, kept))).toBe(kept);
    await expect(signingKeyOf(pool, keyInFolder(`${folder}/elsewhere`, key))).rejects.toThrow(
      'LEDGER_SIGNING_KEY has another one',
    );
    await expect(signingKeyOf(pool, keyInFolder(`${folder}/empty`))).rejects.toThrow(
      'The ledger has seals, and the key that signs them is missing: set LEDGER_SIGNING_KEY, or restore',
    );
    expect(existsSync(`${folder}/empty`)).toBe(false);
  });
});

describe('rotation of the key', () => {
  const contextOf = (signing: KeyObject): SealContext => {
    const { pool } = ledger.database;
    return { pool, eventStore: ledger.eventStore, key: signing, now: () => ledger.clock.now(), folder: sealFolder() };
  };
  const sealFolder = (): string => join(folder, SEAL_FOLDER);
  const proofsOf = async (trusted: KeyObject[]): Promise<{ seals: ProvenSeal[]; words: string[] }> => {
    const words: string[] = [];
    const files = await sealFilesAt(sealFolder());
    const { keys } = acceptKeys(trusted, await rotationsIn(files), (sentence) => words.push(sentence));
    const seals: ProvenSeal[] = [];
    for (const file of files) {
      const proven = await proveSeal(file, keys, (sentence) => words.push(sentence));
      if (proven) seals.push(proven);
    }
    await verifySealChain(ledger.database.pool, keys, seals, (problem) => words.push(problem.what));
    return { seals, words };
  };
  let old: KeyObject;
  let next: KeyObject;
  beforeEach(async () => {
    old = await signingKeyOf(ledger.database.pool, keyInFolder(folder));
    await makeSeal(contextOf(old));
    next = await nextKey(new FolderKeys(folder));
    await makeSeal({ ...contextOf(old), nextKey: next });
  });

  it('proves seals of the new key by the old key, and of the old key by the new one', async () => {
    const { pool } = ledger.database;
    // The app was interrupted before it had replaced the file of its key.
    const key = await signingKeyOf(pool, keyInFolder(folder));
    expect(key.equals(next)).toBe(true);
    await makeSeal(contextOf(key));
    for (const trusted of [old, next]) {
      const { seals, words } = await proofsOf([createPublicKey(trusted)]);
      expect({ words, seals: seals.map(({ manifest }) => manifest.number) }).toEqual({ words: [], seals: [1, 2, 3] });
    }
    const [rotation] = await rotationsOf(pool);
    expect(rotation).toMatchObject({ number: 2, rotatedAt: ledger.clock.now().toISOString() });
    const served = join(folder, 'rotations.ndjson');
    writeFileSync(served, `${JSON.stringify(rotation)}\n{"another":"line"}\n`);
    expect(await readRotations(served)).toEqual([rotation]);
  });

  it('refuses the old key for the next seal', async () => {
    await expect(makeSeal(contextOf(old))).rejects.toThrow('The next seal must be signed with the key');
    await expect(signingKeyOf(ledger.database.pool, keyInFolder(folder, old))).rejects.toThrow(
      'LEDGER_SIGNING_KEY has another one',
    );
  });

  it('names a seal that the old key signed after its rotation', async () => {
    await makeSeal(contextOf(next));
    const [first, second, third] = await sealFilesAt(sealFolder());
    const { manifest, hash } = (await proveSeal(second!, [createPublicKey(old)], () => undefined))!;
    // Someone with the stolen old key goes on signing, and replaces what the new key has signed.
    const { merkleRoot, streams, events, startedAt, endedAt, format, formatVersion } = manifest;
    const forged = {
      merkleRoot,
      streams,
      events,
      startedAt,
      endedAt,
      format,
      formatVersion,
      number: 3,
    };
    const line = signedLine({ ...forged, previous: hash, keyFingerprint: fingerprintOf(old) }, old);
    const heads = readFileSync(first!, 'utf8').trimEnd().split('\n').slice(0, -1);
    writeFileSync(third!, `${[...heads, line].join('\n')}\n`);
    await query('update ledger_seal set line = $1, hash = $2 where number = 3', line, sealHash(line));
    const { words } = await proofsOf([createPublicKey(old)]);
    expect(words).toEqual([
      'Seal 3 in the database is signed with a key that seal 2 had replaced.',
      `${third} is signed with a key that seal 2 had replaced.`,
    ]);
  });

  it('names a rotation that was removed', async () => {
    await makeSeal(contextOf(next));
    const [, second] = await sealFilesAt(sealFolder());
    rmSync(second!);
    await query('delete from ledger_seal where number = 2');
    const { words } = await proofsOf([createPublicKey(old)]);
    expect(words.join(' ')).toContain('is from another key');
    expect(words.join(' ')).toContain('Seals 2 to 2 are missing');
  });

  it('gives the running app the new key, and reports when a restart is needed', async () => {
    const { pool } = ledger.database;
    const elsewhere = await LedgerKeys.open(pool, keyInFolder(join(folder, 'other'), next));
    const keys = await LedgerKeys.open(pool, keyInFolder(folder));
    expect((await keys.current()).equals(next)).toBe(true);
    const third = await nextKey(new FolderKeys(folder));
    await makeSeal({ ...contextOf(next), nextKey: third });
    expect((await keys.current()).equals(third)).toBe(true);
    await expect(elsewhere.current()).rejects.toThrow('set the right key and start again');
    expect(publicPem(await elsewhere.currentPublic())).toBe(publicPem(third));
    expect(publicPem(await keys.currentPublic())).toBe(publicPem(third));
    await makeSeal(contextOf(third));
    expect(publicPem(await elsewhere.currentPublic())).toBe(publicPem(third));
    expect(await elsewhere.rotations()).toHaveLength(2);
  });

  it('ignores a rotation that was inserted without the key of the ledger', async () => {
    const { pool } = ledger.database;
    const keys = await LedgerKeys.open(pool, keyInFolder(folder));
    const [mallory, second] = [0, 1].map(() => generateKeyPairSync('ed25519').privateKey) as [KeyObject, KeyObject];
    const place = { number: 3, previous: 'hash', rotatedAt: ledger.clock.now().toISOString() };
    const { manifest } = parseSeal((await lastSeal(pool))!.line)!;
    const rotation = { ...signRotation(place, mallory, second) };
    const { merkleRoot, streams, events, startedAt, endedAt, format, formatVersion } = manifest;
    const content = { merkleRoot, streams, events, startedAt, endedAt, format, formatVersion };
    const forged = { ...content, number: 3, previous: 'hash', keyFingerprint: fingerprintOf(mallory), rotation };
    const line = signedLine(forged, mallory);
    await pool.query('insert into ledger_seal (number, line, hash, sealed_at) values (3, $1, $2, now())', [
      line,
      sealHash(line),
    ]);
    expect(fingerprintOf(await keys.currentPublic())).toBe(fingerprintOf(next));
    expect((await keys.accepted()).map(fingerprintOf).sort()).toEqual([old, next].map(fingerprintOf).sort());
  });
});

describe('verifySealChain', () => {
  const words = async (...files: string[]): Promise<string> =>
    (await verifyAgainst(...files)).map((problem) => `${problem.kind}: ${problem.what}`).join(' ');

  it('names a seal dropped from the database, in the middle and at the end', async () => {
    const files = [await seal(), await seal(), await seal()];
    await query('delete from ledger_seal where number = 2');
    expect(await words(files[2] ?? '')).toBe('seal: Seals 2 to 2 are missing in the database.');
    await query('delete from ledger_seal where number = 3');
    expect(await words(files[2] ?? '')).toContain('The database has no seal 3');
  });

  it('names a seal that replaces another', async () => {
    const first = await seal();
    const second = await seal();
    await query('delete from ledger_seal where number = 2');
    await ledger.gift('bob', 1);
    rmSync(`${folder}/elsewhere`, { force: true, recursive: true });
    const { pool } = ledger.database;
    const now = (): Date => ledger.clock.now();
    const other = await makeSeal({ pool, eventStore: ledger.eventStore, key, now, folder: `${folder}/elsewhere` });
    expect(await words(second)).toContain('The database has another seal 2');
    const complaints: string[] = [];
    const seals = [first, second, other.file].map(async (file) => (await prove(file)).proven as ProvenSeal);
    sealChainProblems(await Promise.all(seals), (sentence) => complaints.push(sentence));
    expect(complaints.join(' ')).toContain('are two different seals 2');
  });

  it('names a seal after one that was replaced, although the key has signed both', async () => {
    const first = await seal();
    const second = await seal();
    await seal();
    const { manifest } = (await prove(second)).proven as ProvenSeal;
    const line = signedLine({ ...manifest, startedAt: new Date(0).toISOString() } as object as JsonObject, key);
    await query('update ledger_seal set line = $1, hash = $2 where number = 2', line, sealHash(line));
    expect(await words(first)).toBe('seal: Seal 3 in the database does not follow from the one before it.');
  });

  it('names a changed line or hash', async () => {
    const file = await seal();
    await seal();
    await query(`update ledger_seal set line = replace(line, '"streams":3', '"streams":2') where number = 2`);
    expect(await words(file)).toContain('Seal 2 in the database is not valid');
    await query(`update ledger_seal set hash = 'x' where number = 1`);
    expect(await words(file)).toContain('has another hash than its line');
  });
});

describe('verify --against after a random change', () => {
  /** A random change of data covered by hashes. */
  const place = fc.record({
    user: fc.constantFrom('alice', 'mallory', 'zoe'),
    version: fc.nat({ max: 200 }),
    target: fc.constantFrom('data', 'metadata', 'time', 'type', 'id', 'version', 'stream', 'drop', 'tail', 'rehash'),
    member: fc.nat({ max: 50 }),
  });

  it('names the changed stream', async () => {
    const file = await seal();
    const pool = asOwner(ledger.database);
    await query('create table if not exists kept as table event');
    await query('truncate kept');
    await query('insert into kept select * from event');
    await fc.assert(
      fc.asyncProperty(place, async ({ user, version: pick, target, member }) => {
        const stream = `creditAccount-${user}`;
        const events = await ledger.eventStore.readStream(stream);
        const event = events[pick % events.length];
        if (!event) throw new Error('The account has no event.');
        const { version } = event;
        const where = [stream, version];
        const changeMember = async (
          column: 'data' | 'metadata',
          names = Object.keys(event[column]).sort(),
        ): Promise<void> => {
          await withoutTimeBound(ledger.database, () =>
            pool.query(
              `update event set ${column} = jsonb_set(${column}, array[$3::text], to_jsonb(coalesce(${column}->>$3, '') || 'x'))
               where stream = $1 and version = $2`,
              [...where, names[member % names.length]],
            ),
          );
        };
        const changes: Record<typeof target, () => Promise<unknown>> = {
          data: () => changeMember('data'),
          metadata: () => changeMember('metadata'),
          time: () => changeMember('metadata', ['occurredAt']),
          type: () => pool.query(`update event set type = type || 'x' where stream = $1 and version = $2`, where),
          id: () =>
            pool.query(`update event set event_id = gen_random_uuid() where stream = $1 and version = $2`, where),
          version: () =>
            pool.query(`update event set version = version + 1000 where stream = $1 and version = $2`, where),
          stream: () => pool.query(`update event set stream = stream || 'x' where stream = $1 and version = $2`, where),
          drop: () => pool.query(`delete from event where stream = $1 and version = $2`, where),
          tail: () => pool.query(`delete from event where stream = $1 and version >= $2`, where),
          // The hash is valid: only the next link or the seal shows the change.
          rehash: async () => {
            const metadata = { ...event.metadata, actorId: 'nobody' };
            const previous = (events[version - 1]?.metadata.hash as string | undefined) ?? null;
            const hash = eventHash(previous, { ...event, metadata });
            await pool.query(`update event set metadata = $3 where stream = $1 and version = $2`, [
              ...where,
              { ...metadata, hash },
            ]);
          },
        };
        await changes[target]();
        try {
          const problems = await verifyAgainst(file);
          expect(problems).toContainEqual(
            expect.objectContaining({ stream, kind: expect.stringMatching(/^(chain|version|seal|event)$/) }),
          );
        } finally {
          await query('truncate event');
          await query('insert into event overriding system value select * from kept');
        }
      }),
      { numRuns: 60 },
    );
    expect(await verifyAgainst(file)).toEqual([]);
    await query('drop table kept');
  });
});

describe('publishSeal', () => {
  const publish = (file: string, targets: { dir?: string; url?: string; token?: string }): Promise<void> =>
    publishSeal({ pool: ledger.database.pool, now: () => ledger.clock.now() }, 1, file, {
      dir: targets.dir ?? null,
      url: targets.url ?? null,
      token: targets.token ?? null,
    });
  const published = async (): Promise<boolean> => {
    const { rows } = await ledger.database.pool.query<{ at: Date | null }>(
      'select published_at as at from ledger_seal',
    );
    return rows[0]?.at != null;
  };

  it('writes a seal to a folder once and does not replace another file', async () => {
    const file = await seal();
    const dir = join(folder, 'outside');
    await publish(file, { dir });
    await publish(file, { dir });
    expect(readdirSync(dir)).toEqual(['ledger-seal-000001.ndjson']);
    expect(readFileSync(join(dir, 'ledger-seal-000001.ndjson'))).toEqual(readFileSync(file));
    writeFileSync(join(dir, 'ledger-seal-000001.ndjson'), 'something else');
    await expect(publish(file, { dir })).rejects.toThrow('another file has that name');
    expect(await published()).toBe(true);
  });

  describe('publishSeal with an archive', () => {
    interface Asked {
      readonly method: string;
      readonly path: string;
      readonly token: string;
      readonly body: string;
    }
    type Answer = { readonly status: number; readonly body?: string };
    let asked: Asked[];
    let answers: { put: Answer; get: Answer };
    let server: Server;
    let url: string;

    beforeEach(async () => {
      asked = [];
      server = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
        request.on('end', () => {
          const { method = '', url: path = '', headers } = request;
          asked.push({ method, path, token: headers.authorization ?? '', body });
          const answer = method === 'GET' ? answers.get : answers.put;
          response.writeHead(answer.status, { Location: '/elsewhere' }).end(answer.body);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/seals`;
      answers = { put: { status: 201 }, get: { status: 500 } };
    });
    afterEach(() => new Promise((resolve) => server.close(resolve)));

    it('uploads with the token and treats redirects and refusals as failures', async () => {
      const file = await seal();
      for (const refused of [307, 403, 500]) {
        answers.put = { status: refused };
        await expect(publish(file, { url, token: 't' })).rejects.toThrow(`it answered ${refused}`);
        expect(await published()).toBe(false);
      }
      answers.put = { status: 201 };
      await publish(file, { url, token: 't' });
      expect(await published()).toBe(true);
      expect(asked).toHaveLength(4);
      const sent = { method: 'PUT', path: '/seals/ledger-seal-000001.ndjson', token: 'Bearer t' };
      expect(asked.at(-1)).toEqual({ ...sent, body: readFileSync(file, 'utf8') });
    });

    it('names an address that does not respond', async () => {
      const file = await seal();
      const nowhere = 'http://127.0.0.1:1/seals';
      await expect(publish(file, { url: nowhere })).rejects.toThrow('The seal could not be sent to 127.0.0.1:1');
    });

    it.each<[string, (file: string) => Answer, string | null]>([
      ['the same seal', (file) => ({ status: 200, body: readFileSync(file, 'utf8') }), null],
      [
        'another file',
        (file) => ({ status: 200, body: `${readFileSync(file, 'utf8')} ` }),
        'another file has that name',
      ],
      ['an unreadable file', () => ({ status: 403 }), null],
      ['a failing archive', () => ({ status: 503 }), 'answered 503 when asked for it'],
      ['a redirect', () => ({ status: 302 }), 'could not be sent'],
    ])('compares the archived file when the name exists: %s', async (_case, there, refusal) => {
      const file = await seal();
      answers = { put: { status: 412 }, get: there(file) };
      const publishing = publish(file, { url, token: 't' });
      if (refusal === null) await publishing;
      else await expect(publishing).rejects.toThrow(refusal);
      expect(await published()).toBe(refusal === null);
      expect(asked.map(({ method, path, token }) => [method, path, token])).toEqual([
        ['PUT', '/seals/ledger-seal-000001.ndjson', 'Bearer t'],
        ['GET', '/seals/ledger-seal-000001.ndjson', 'Bearer t'],
      ]);
    });
  });

  it('refuses to replace a seal file that the database has lost', async () => {
    const file = await seal();
    const before = readFileSync(file, 'utf8');
    await query('delete from ledger_seal');
    await expect(seal()).rejects.toThrow('but the database has no seal 1');
    expect(readFileSync(file, 'utf8')).toBe(before);
    const { rows } = await ledger.database.pool.query('select * from ledger_seal');
    expect(rows).toEqual([]);
  });

  it('finds the file under its temporary name after a crash', async () => {
    const file = await seal();
    const { rows } = await ledger.database.pool.query<{ number: number; hash: string }>('select * from ledger_seal');
    const row = rows[0]!;
    for (const died of [() => renameSync(file, `${file}.waiting-1`), () => copyFileSync(file, `${file}.waiting-1`)]) {
      died();
      expect(await findSealFile({ folder }, row)).toBe(file);
      expect((await prove(file)).proven?.manifest.number).toBe(1);
    }
    expect(await findSealFile({ folder }, { ...row, hash: 'of another' })).toBeNull();
  });

  it('takes a seal from the shared copies when its folder was lost, and never makes it a second time', async () => {
    const storage = new LocalFileStorage(join(folder, 'bucket'));
    const copies = new Records(storage, 's3://bucket/ledger/');
    const { pool } = ledger.database;
    const { eventStore } = ledger;
    const at = (name: string): SealContext => {
      const own = join(folder, name);
      return { pool, eventStore, key, now: () => ledger.clock.now(), folder: own, copies };
    };
    const targets = { dir: null, url: null, token: null };
    const { file } = await makeSeal(at('one'));
    await publishSeal(at('one'), 1, file, targets);
    const row = (await lastSeal(pool))!;
    const taken = (await findSealFile(at('two'), row))!;
    expect(taken).toBe(join(folder, 'two', 'ledger-seal-000001.ndjson'));
    expect(readFileSync(taken)).toEqual(readFileSync(file));
    expect(await findSealFile({ ...at('three'), copies: null }, row)).toBeNull();
    expect(await findSealFile(at('three'), { ...row, hash: 'of another' })).toBeNull();
    expect(existsSync(join(folder, 'three', 'ledger-seal-000001.ndjson'))).toBe(false);

    await query('delete from ledger_seal');
    await expect(makeSeal(at('four'))).rejects.toThrow(
      's3://bucket/ledger/ledger-seal-000001.ndjson exists, but the database has no seal 1',
    );
    await storage.put('ledger-seal-000001.ndjson', Buffer.from('another'), 'text/plain');
    const archive = join(folder, 'archive');
    await expect(publishSeal(at('one'), 1, file, { ...targets, dir: archive })).rejects.toThrow(
      'another file has that name',
    );
    expect(readdirSync(archive)).toEqual(['ledger-seal-000001.ndjson']);

    await storage.delete('ledger-seal-000001.ndjson');
    await expect(publishSeal(at('one'), 1, file, { ...targets, dir: file })).rejects.toThrow(`written to ${file}`);
    expect(await copies.get('ledger-seal-000001.ndjson')).toEqual(readFileSync(file));
  });

  it('removes the file when another process made the seal first', async () => {
    await seal();
    const before = readdirSync(folder);
    await query(`create function lose() returns trigger language plpgsql as 'begin return null; end'`);
    await query('create trigger lose before insert on ledger_seal for each row execute function lose()');
    try {
      await expect(seal()).rejects.toThrow('was made by another process');
    } finally {
      await query('drop trigger lose on ledger_seal');
      await query('drop function lose');
    }
    expect(readdirSync(folder)).toEqual(before);
    expect(existsSync(join(folder, 'ledger-seal-000002.ndjson'))).toBe(false);
  });
});
