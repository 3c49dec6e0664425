import {
  exportLedger,
  PUBLIC_KEY_FILE,
  readPublicKey,
  signingKey,
  verifyExport,
  type LedgerProblem,
} from '../../src/audit/index.js';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { keyInFolder } from '../support/folder-key.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';

jest.setTimeout(60_000);

let ledger: LedgerApp;
let folder: string;
let file: string;
let key: KeyObject;
let sound: string[];

beforeAll(async () => {
  ledger = await startLedger();
  await ledger.eventfulAccount('alice');
  await ledger.eventfulAccount('bob');
  await ledger.gift('line\u2028separator', 7);
  // Revokes the 7 credits left; 13 were spent
  await ledger.purchase('line\u2028separator', 'cs_1', 20);
  await ledger.generation('line\u2028separator', 'delivered', 50);
  await ledger.reverse('line\u2028separator', 'cs_1', 20);
});
afterAll(() => ledger.close());
afterEach(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fanvas-export-'));
  file = join(folder, 'ledger.ndjson');
  key = await signingKey(keyInFolder(folder));
  await writeExport();
  sound = readFileSync(file, 'utf8').trimEnd().split('\n');
});

const writeExport = () => {
  const now = (): Date => ledger.clock.now();
  return exportLedger({ eventStore: ledger.eventStore }, file, {
    key,
    now,
    onProblem: fail,
  });
};
const fail = (problem: LedgerProblem): void => {
  throw new Error(problem.what);
};
const check = async (publicKey = createPublicKey(key)) => {
  const problems: LedgerProblem[] = [];
  const balances: Record<string, object> = {};
  const found = await verifyExport(
    file,
    [publicKey],
    (problem) => problems.push(problem),
    ({ userId, balance, open, owed }) => (balances[userId] = { total: balance.total, open, owed }),
  );
  return { found, problems, balances, words: problems.map((problem) => problem.what).join(' ') };
};
const tamper = (change: (lines: string[]) => string[]): void =>
  writeFileSync(file, `${change([...sound]).join('\n')}\n`);
const lineWith = (text: string): number => sound.findIndex((line) => line.includes(text));

describe('ledger export', () => {
  it('proves offline with only the public key and yields every balance', async () => {
    const { found, problems, balances } = await check(readPublicKey(join(folder, PUBLIC_KEY_FILE)));
    expect(problems).toEqual([]);
    expect(found).toMatchObject({ accounts: 3, events: sound.length - 4, problems: 0 });
    // 30 sign-up and 25 granted credits: 5 settled with 10 daily ones, 20 open, the rest refunded or lapsed
    const eventful = { total: 30, open: 20, owed: 0 };
    expect(balances).toEqual({
      alice: eventful,
      bob: eventful,
      'line\u2028separator': { total: 0, open: 0, owed: 13 },
    });
  });

  it('keeps its key readable only by the owner and reuses it', async () => {
    expect(statSync(join(folder, 'ledger-signing-key.pem')).mode & 0o777).toBe(0o600);
    expect((await signingKey(keyInFolder(folder))).equals(key)).toBe(true);
  });

  it('uses the configured key and publishes its public key', async () => {
    const given = generateKeyPairSync('ed25519').privateKey;
    expect(await signingKey(keyInFolder(folder, given))).toBe(given);
    expect(readPublicKey(join(folder, PUBLIC_KEY_FILE)).equals(createPublicKey(given))).toBe(true);
    writeFileSync(join(folder, 'ledger-signing-key.pem'), 'something else');
    await expect(signingKey(keyInFolder(folder))).rejects.toThrow('There is no private key in');
  });

  it('refuses to replace a file', async () => {
    await expect(writeExport()).rejects.toThrow('exists already');
    expect((await check()).problems).toEqual([]);
  });

  it('fails the proof with another key', async () => {
    const { words } = await check(generateKeyPairSync('ed25519').publicKey);
    expect(words).toContain('The signature is from another key');
  });

  it('refuses a file without its last line feed', async () => {
    writeFileSync(file, sound.join('\n'));
    const { found, words } = await check();
    expect([words, found.problems]).toEqual(['The last line has no line feed: the end of the file is missing.', 1]);
  });

  const merkle = 'The Merkle root of the lines differs from the manifest';
  it.each<[string, (lines: string[]) => string[], string]>([
    ['an amount', (lines) => lines.map((line) => line.replace('"amount":25', '"amount":26')), merkle],
    ['one blank', (lines) => lines.map((line, at) => (at === 2 ? `${line} ` : line)), merkle],
    ['a dropped event', (lines) => lines.filter((_, at) => at !== 2), 'Event 2 is missing.'],
    ['events in another order', ([a, b, c, ...rest]) => [a, c, b, ...rest] as string[], 'does not match the content'],
    ['an event twice', ([a, b, ...rest]) => [a, b, b, ...rest] as string[], merkle],
    ['a line of something else', ([a, ...rest]) => [a, '{"note":1}', ...rest] as string[], 'A line is not an event'],
    ['a broken line', ([a, ...rest]) => [a, '{"event":', ...rest] as string[], 'A line is not an event'],
    [
      'half a surrogate',
      (lines) => lines.map((line) => line.replace('Contest', '\\ud800')),
      'does not match the content',
    ],
    ['a dropped stream', (lines) => lines.filter((line) => !line.includes('creditAccount-bob')), 'counts 3 streams'],
    ['a lost end', (lines) => lines.slice(0, -1), 'does not end with a manifest'],
    ['lines after the manifest', (lines) => [...lines, lines[0] as string], 'Lines follow the manifest.'],
    ['another count', (lines) => lines.map((line) => line.replace('"streams":3', '"streams":4')), 'does not match'],
    [
      'words in the manifest',
      (lines) => lines.map((line) => line.replace('{"manifest"', '{"a":1,"manifest"')),
      'not an export',
    ],
  ])('detects %s', async (_case, change, words) => {
    tamper(change);
    expect(readFileSync(file, 'utf8')).not.toBe(`${sound.join('\n')}\n`);
    const found = await check();
    expect(found.words).toContain(words);
    expect(found.found.problems).toBeGreaterThan(0);
  });

  it('names the event that was changed', async () => {
    const changed = lineWith('"amount":25');
    tamper((lines) => lines.map((line, at) => (at === changed ? line.replace('"amount":25', '"amount":26') : line)));
    const { problems } = await check();
    const { stream, version } = (JSON.parse(sound[changed] ?? '') as { event: { stream: string; version: number } })
      .event;
    expect(problems).toContainEqual(expect.objectContaining({ stream, version, kind: 'chain' }));
  });
});
