import { generateKeyPairSync, createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { proveSeal, SealedHeads, writeSeal, type ProvenSeal, type SealedHead } from './seal-file.js';
import { compareNames, writeLines } from './signed-file.js';

const { privateKey: key } = generateKeyPairSync('ed25519');
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
  await writeLines(file, (write) => writeSeal(store, write, { number, previous: null, key, now: () => new Date(0) }));
  const proven = await proveSeal(file, [createPublicKey(key)], (sentence) => {
    throw new Error(sentence);
  });
  return proven as ProvenSeal;
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
    await proveSeal(file, [createPublicKey(key)], fail, (soFar) => seen.push(soFar));
    expect(seen).toEqual([
      { accounts: 200, events: 200 },
      { accounts: 400, events: 400 },
    ]);
  });
});

function fail(sentence: string): never {
  throw new Error(sentence);
}
