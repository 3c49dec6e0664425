import { generateKeyPairSync, createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonObject } from '../../platform/json.js';
import { checkHeadProof, proveHead } from './head-proof.js';
import { proveSeal, SealedHeads, type SealOptions, writeSeal, type ProvenSeal, type SealedHead } from './seal-file.js';
import { compareNames, signedLine, writeLines } from './signed-file.js';

const { privateKey: key } = generateKeyPairSync('ed25519');
const publicKeys = [createPublicKey(key)];
/** Some sort differently in UTF-16 than by their bytes. Payouts sort before accounts. */
const USERS = ['a', 'aa', 'b', 'z', 'é', '\u{ffff}', '\u{10000}'].map((user) =>
  user === 'b' ? `creatorPayout-${user}` : `creditAccount-${user}`,
);

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fanvas-seals-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A seal over these streams, each with one event. */
async function seal(number: number, streams: readonly string[]): Promise<ProvenSeal> {
  const file = await write(streams, { number });
  const proven = await proveSeal(file, publicKeys, fail);
  return proven as ProvenSeal;
}

/** Writes a seal over these streams. @returns its file */
async function write(streams: readonly string[], options: Partial<SealOptions>): Promise<string> {
  const sorted = [...streams].sort(compareNames);
  const store = {
    async *streams(prefix: string) {
      yield await Promise.resolve(sorted.filter((stream) => stream.startsWith(prefix)));
    },
    readStream: () => Promise.resolve([]),
    lastEvents: (wanted: readonly string[]) =>
      Promise.resolve(wanted.map((stream) => ({ stream, version: 0, metadata: { hash: 'h' } }) as never)),
  };
  const file = join(folder, `${(files += 1)}.ndjson`);
  const given = { number: 1, previous: null, key, now: () => new Date(0), ...options };
  await writeLines(file, (line) => writeSeal(store, line, given));
  return file;
}

describe('SealedHeads', () => {
  it('returns each head once, in byte order of the streams, for any requested streams', async () => {
    const some = fc.uniqueArray(fc.constantFrom(...USERS));
    await fc.assert(
      fc.asyncProperty(fc.array(some, { maxLength: 6 }), some, async (contents, asked) => {
        const seals: ProvenSeal[] = [];
        for (const [index, streams] of contents.entries()) seals.push(await seal(index + 1, streams));
        const heads = await SealedHeads.open(seals);
        const given: SealedHead[] = [];
        for (const stream of [...[...asked].sort(compareNames), null]) {
          for await (const head of heads.upTo(stream)) {
            given.push(head);
            if (stream !== null) expect(compareNames(head.stream, stream)).toBeLessThanOrEqual(0);
          }
        }
        const named = (list: { stream: string; seal: number }[]): string[] =>
          list.map(({ stream, seal: number }) => `${stream} ${number}`).sort();
        expect(named(given)).toEqual(
          named(contents.flatMap((streams, index) => streams.map((stream) => ({ stream, seal: index + 1 })))),
        );
        const names = given.map(({ stream }) => stream);
        expect(names).toEqual([...names].sort(compareNames));
      }),
      { numRuns: 50 },
    );
  });
});

describe('proveSeal', () => {
  it('reports its progress after every 200 streams', async () => {
    const streams = Array.from({ length: 450 }, (_, index) => `creditAccount-${index}`);
    const { file } = await seal(1, streams);
    const seen: unknown[] = [];
    await proveSeal(file, publicKeys, fail, (soFar) => seen.push(soFar));
    expect(seen).toEqual([
      { accounts: 200, events: 200 },
      { accounts: 400, events: 400 },
    ]);
  });

  const complaintsAbout = async (file: string): Promise<string> => {
    const complaints: string[] = [];
    expect(await proveSeal(file, publicKeys, (sentence) => complaints.push(sentence))).toBeNull();
    return complaints.join(' ');
  };

  it.each([
    [{ streams: 1 }, 'The manifest counts 1 streams and 2 events, but the file has 2 and 2.'],
    [{ events: 3 }, 'The manifest counts 2 streams and 3 events, but the file has 2 and 2.'],
  ])(
    'rejects a manifest with other counts than the file, although the key has signed it: %j',
    async (counts, words) => {
      const { file, manifest } = await seal(1, ['creditAccount-a', 'creditAccount-b']);
      const heads = readFileSync(file, 'utf8').split('\n').slice(0, 2);
      const forged = signedLine({ ...manifest, ...counts } as object as JsonObject, key);
      writeFileSync(file, `${[...heads, forged].join('\n')}\n`);
      expect(await complaintsAbout(file)).toContain(words);
    },
  );

  it.each([
    { number: -1, hash: 'h' },
    { number: 1.5, hash: 'h' },
    { number: 1, hash: 5 as unknown as string },
  ])('rejects a head of the log of acts that is not valid: %j', async (acts) => {
    const file = await write(['creditAccount-a'], { acts });
    expect(await complaintsAbout(file)).toContain('The head of the log of acts is not valid.');
  });
});

describe('checkHeadProof', () => {
  it('accepts the proof of a head', async () => {
    const { file, manifest } = await seal(1, ['creditAccount-a', 'creditAccount-b']);
    const text = JSON.stringify(await proveHead(file, 'b'));
    const head = { stream: 'creditAccount-b', version: 0, hash: 'h' };
    expect(checkHeadProof(text, publicKeys)).toEqual({ head, manifest });
  });

  it.each([
    ['without a head', { head: undefined }],
    ['with a number as head', { head: 1 }],
    ['with a text as index', { index: '1' }],
    ['without a seal', { seal: undefined }],
    ['with a path that has no hashes', { path: ['1'] }],
  ])('rejects a file %s', async (_case, change) => {
    const { file } = await seal(1, ['creditAccount-a', 'creditAccount-b']);
    const text = JSON.stringify({ ...(await proveHead(file, 'b')), ...change });
    expect(checkHeadProof(text, publicKeys)).toBe('The file is not a proof.');
  });
});

function fail(sentence: string): never {
  throw new Error(sentence);
}
