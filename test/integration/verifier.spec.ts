import { createPublicKey } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { exportLedger, publicPem, verifyExport } from '../../src/audit/index.js';
import { signRotation } from '../../src/audit/seals/key-rotation.js';
import { generateKeyPairSync } from 'node:crypto';
import { canonicalJson } from '../../src/platform/event-store/hash-chain.js';
import { CHECKPOINT_FILE, signCheckpoint } from '../../src/audit/log/sign-checkpoint.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { logAllEvents } from '../support/log-all-events.js';
import { copyLog } from '../support/log-copy.js';
import { runVerifier } from '../support/verifier.js';

jest.setTimeout(120_000);

const { privateKey: key } = generateKeyPairSync('ed25519');

let ledger: LedgerApp;
let folder: string;
let sound: string[];

const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  ledger = await startLedger();
  folder = mkdtempSync(join(tmpdir(), 'fanvas-verifier-'));
  await ledger.eventfulAccount('alice');
  await ledger.gift('line\u2028separator', 7);
  // A purchase is used up, disputed, and its debt is paid by another one.
  await ledger.purchase('carol', 'cs_1', 60);
  await ledger.generation('carol', 'delivered', 70);
  await ledger.generation('carol', 'delivered', 15, { creatorId: 'creator_2', ownGeneration: false });
  await ledger.reverse('carol', 'cs_1', 60);
  await ledger.purchase('carol', 'cs_2', 30);
  for (let n = 0; n < 250; n += 1) await ledger.gift('gina', 1);
  await ledger.project();
  await publish();
  // So that no event is one of the last minutes, which may be missing by clocks that differ.
  ledger.clock.advance(600_000);
  const now = (): Date => ledger.clock.now();
  await exportLedger({ eventStore: ledger.eventStore }, at('ledger.ndjson'), {
    key,
    now,
    onProblem: ({ what: sentence }) => {
      throw new Error(sentence);
    },
  });
  sound = readFileSync(at('ledger.ndjson'), 'utf8').trimEnd().split('\n');
  writeFileSync(at('key.pem'), publicPem(createPublicKey(key)));
});
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the log as `/ledger` serves it. */
async function publish(): Promise<void> {
  const { pool } = ledger.database;
  await logAllEvents({ pool, eventStore: ledger.eventStore });
  const now = (): Date => ledger.clock.now();
  const accepted = [createPublicKey(key)];
  await signCheckpoint({ pool, origin: 'localhost:3000/ledger', key, accepted, file: at(CHECKPOINT_FILE), now });
  await copyLog(pool, at('log'));
}

interface Found {
  readonly problems: number;
  readonly newer: number;
  readonly accounts: readonly { readonly userId: string; readonly total: number }[];
  readonly creators: readonly { readonly creatorId: string; readonly cents: number; readonly months: object }[];
}
const check = async (name: string, ...words: string[]): Promise<{ code: number; err: string; found: Found }> => {
  const { code, out, err } = await runVerifier('export', at(name), '--json', '--key', at('key.pem'), ...words);
  return { code, err, found: JSON.parse(out || '{}') as Found };
};
const checkTampered = (change: (lines: string[]) => string[]): ReturnType<typeof check> => {
  writeFileSync(at('tampered.ndjson'), `${change([...sound]).join('\n')}\n`);
  return check('tampered.ndjson', '--log', at('log'));
};

describe('verify-fanvas.mjs', () => {
  it('imports no other file', () => {
    const text = readFileSync('web/public/ledger/verify-fanvas.mjs', 'utf8');
    expect(Array.from(text.matchAll(/import\('([^']+)'\)/g), ([, name]) => name?.split(':')[0])).not.toContain('.');
    expect(text).not.toMatch(/^import/m);
  });

  it('proves an export with Node alone, and finds the balances and cents of the product', async () => {
    const { code, err, found } = await check('ledger.ndjson', '--log', at('log'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const due: object[] = [];
    const keys = [createPublicKey(key)];
    await verifyExport(
      at('ledger.ndjson'),
      keys,
      () => undefined,
      ({ userId, version, balance, open, owed }) => {
        due.push({ userId, version, ...balance, open, owed });
      },
    );
    expect(found).toMatchObject({ problems: 0, newer: 0, accounts: due });
    const { rows } = await ledger.database.pool.query<{ creator_id: string; month: string; creator_cents: number }>(
      'select creator_id, month, creator_cents from creator_revenue_month order by creator_id, month',
    );
    const months = found.creators
      .flatMap(({ creatorId, months: sums }) =>
        Object.entries(sums).map(([month, cents]) => ({
          creator_id: creatorId,
          month,
          creator_cents: cents as number,
        })),
      )
      .sort((a, b) => `${a.creator_id} ${a.month}`.localeCompare(`${b.creator_id} ${b.month}`));
    expect(months).toEqual(rows);
    expect(months.length).toBeGreaterThan(0);
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'a changed amount',
      (lines) => lines.map((line) => line.replace('"amount":25', '"amount":26')),
      /@ \d+: The hash is not/,
    ],
    [
      'a dropped event',
      (lines) => lines.filter((line) => !/^\{"event".*-alice",.*"version":2\}/.test(line)),
      /Event 2 is missing/,
    ],
    ['a dropped stream', (lines) => lines.filter((line) => !line.includes('-alice')), /events of the log are missing/],
    ['swapped events', ([a, b, c, ...rest]) => [a, c, b, ...rest] as string[], /The log lacks the event before it/],
    ['an event twice', ([a, b, ...rest]) => [a, b, b, ...rest] as string[], /The lines are not those/],
    ['a broken line', ([a, ...rest]) => [a, '{"event":', ...rest] as string[], /A line is neither/],
    ['a blank', (lines) => lines.map((line, place) => (place === 1 ? `${line} ` : line)), /A line is neither/],
    [
      'another head',
      (lines) => lines.map((line) => line.replace(/(?<="head":\{"hash":")..../, '0000')),
      /A line is neither/,
    ],
    ['a lost end', (lines) => lines.slice(0, -1), /does not end with a manifest/],
    ['lines after the manifest', (lines) => [...lines, lines[0] as string], /does not end with a manifest/],
    [
      'another time in the manifest',
      (lines) => lines.map((line) => line.replace(/"startedAt":"2026/, '"startedAt":"2025')),
      /No trusted key has signed/,
    ],
  ])('refuses %s', async (_case, change, words) => {
    const { code, err } = await checkTampered(change);
    expect(code).not.toBe(0);
    expect(err).toMatch(words);
  });

  it('refuses an export without its last line feed', async () => {
    writeFileSync(at('tampered.ndjson'), sound.join('\n'));
    const { code, err } = await check('tampered.ndjson', '--log', at('log'));
    expect([code, err]).toEqual([2, expect.stringContaining('The last line has no line feed')]);
  });

  it('refuses, without the log, an export that lacks the account of a fan who has paid creators', async () => {
    expect(await check('ledger.ndjson', '--without-log')).toMatchObject({ code: 0 });
    // The holder of the key makes it.
    const without = Object.create(ledger.eventStore, {
      streams: {
        async *value(...args: Parameters<typeof ledger.eventStore.streams>) {
          for await (const page of ledger.eventStore.streams(...args)) yield page.filter((name) => !/carol/.test(name));
        },
      },
    }) as typeof ledger.eventStore;
    const now = (): Date => ledger.clock.now();
    await exportLedger({ eventStore: without }, at('unpaid.ndjson'), { key, now, onProblem: () => undefined });
    expect(await check('unpaid.ndjson', '--without-log')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No event makes \d+ shares: creator_1 earning/),
    });
  });

  it('accepts the key that a signed rotation connects with the trusted one, and no late signature of the old one', async () => {
    const next = generateKeyPairSync('ed25519').privateKey;
    const place = { number: 2, previous: null };
    const rotate = (rotatedAt: Date, old: typeof next, to: typeof next): string =>
      `${canonicalJson({ ...signRotation({ ...place, rotatedAt: rotatedAt.toISOString() }, old, to) })}\n`;
    const { privateKey: before } = generateKeyPairSync('ed25519');
    writeFileSync(at('before.pem'), publicPem(createPublicKey(before)));
    writeFileSync(at('rotations'), rotate(new Date(0), before, key));
    const run = (name: string): ReturnType<typeof runVerifier> =>
      runVerifier(
        ...['export', at('ledger.ndjson'), '--key', at(name), '--log', at('log'), '--rotations', at('rotations')],
      );
    expect(await run('before.pem')).toMatchObject({ code: 0 });
    appendFileSync(at('rotations'), rotate(new Date(0), key, next));
    expect(await run('key.pem')).toMatchObject({ code: 1, err: expect.stringContaining('replaced before') });
  });
});
