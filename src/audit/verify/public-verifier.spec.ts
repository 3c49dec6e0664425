import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type JsonObject } from '../../platform/json.js';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { earningEventId, type EarningPosted } from '../../finance/earnings/events.js';
import { signRotation } from '../seals/key-rotation.js';
import { publicPem } from '../seals/signing-key.js';
import { EarningAudit } from './earning-audit.js';
import { madeExport, madeLog, madeStatement, madeStream, type MadeEvent } from '../../../test/support/made-files.js';
import { loadVerifier, runVerifier, runVerifierAs, VERIFIER } from '../../../test/support/verifier.js';

const NOW = '2026-11-20T09:00:00.000Z';
const LATER = '2026-11-20T09:00:02.000Z';
const { privateKey: key } = generateKeyPairSync('ed25519');
const keys = [publicPem(createPublicKey(key))];

const grant = (name: string, occurredAt = NOW): MadeEvent => {
  const lot = { lotId: `grant:${name}`, kind: 'bonus', source: 'admin', amount: 5, expiresAt: null, reason: 'A gift' };
  return ['CreditsGranted', lot, occurredAt];
};
const account = (user: string, ...events: readonly MadeEvent[]): readonly StoredEvent[] =>
  madeStream(`creditAccount-${user}`, events);

describe('the public verifier about payouts', () => {
  const PAYOUTS = 'creatorPayout-ada';

  /**
   * Problems of payouts: `b` has 100 cents more than `a`.
   * @param steps a payout, its event and the reference of a transfer each: `a Paid R1`
   */
  async function problemsOf(steps: readonly string[]): Promise<string[]> {
    const { Payouts } = await loadVerifier();
    const problems: string[] = [];
    const stream = new Payouts(PAYOUTS, (sentence) => problems.push(sentence));
    const events = steps.map((step): MadeEvent => {
      const [payoutId = '', type = '', reference] = step.split(' ');
      const isSum = type === 'Drafted' || type === 'Fixed';
      const sums = isSum && { payableCents: payoutId === 'a' ? 100 : 200 };
      const data: JsonObject = { payoutId, ...sums, ...(reference !== undefined && { reference }) };
      return [`Payout${type}`, data, NOW];
    });
    for (const event of madeStream(PAYOUTS, events)) await stream.add(event);
    return problems;
  }
  const PAID = ['Drafted', 'Fixed', 'Checked', 'Paid'];
  const otherOne = (version: number, type: string): string =>
    `${PAYOUTS} @ ${version}: ${type} comes while another payout is on its way.`;

  it('names two payouts on their way that take the same earnings', async () => {
    const both = PAID.flatMap((step) => [`a ${step}`, `b ${step}`]);
    expect(await problemsOf(both)).toContain(otherOne(1, 'PayoutDrafted'));
  });

  it('names a failed payout that is paid while a later one contains its amount', async () => {
    const failed = ['a Drafted', 'a Fixed', 'a Checked', 'a Failed', 'b Drafted'];
    expect(await problemsOf([...failed, 'a Paid'])).toEqual([otherOne(5, 'PayoutPaid')]);
    expect(await problemsOf([...failed, 'b Cancelled', 'a Paid'])).toEqual([]);
  });

  it('names a transfer that came back and is recorded again, and accepts another one', async () => {
    const returned = ['a Drafted', 'a Fixed', 'a Checked', 'a Paid R1', 'a Failed'];
    expect(await problemsOf([...returned, 'a Paid R1'])).toEqual([
      `${PAYOUTS} @ 5: The same transfer is recorded a second time.`,
    ]);
    expect(await problemsOf([...returned, 'a Paid R2'])).toEqual([]);
  });

  it('accepts a transfer that comes back while a later payout is on its way', async () => {
    expect(await problemsOf([...PAID.map((step) => `a ${step}`), 'b Drafted', 'a Failed', 'b Fixed'])).toEqual([]);
  });
});

describe('the public verifier about closed months', () => {
  const NO_SHARE = { pendingCents: 0, payableCents: 0, debtCents: 0 };
  const closeOf = (month: string, balances: JsonObject[] = []): MadeEvent => {
    return ['MonthClosed', { schemaVersion: 2, month, balances, creatorShare: NO_SHARE }, NOW];
  };

  it.each([
    [['2026-09', '2026-10'], []],
    [['2025-12', '2026-01'], []],
    [['2026-08', '2026-10'], [1]],
    [['2026-09', '2026-09', '2026-10'], [1]],
    [['2026-09', '2026-08'], [1]],
    [['2025-12', '2026-13'], [1]],
  ])('names those of %j that are closed out of order', async (months, versions) => {
    const { Processor } = await loadVerifier();
    const problems: string[] = [];
    const stream = new Processor('processor', (sentence) => problems.push(sentence));
    const events = months.map((month) => closeOf(month));
    for (const event of madeStream('processor', events)) await stream.add(event);
    const named = versions.map((version) => `processor @ ${version}: ${months[version]} is closed out of order.`);
    expect(problems).toEqual(named);
  });

  it('compares the credits of closed months, and names an account that is twice in one', async () => {
    const { Books, splitLines, verifyExport } = await loadVerifier();
    const gifts = account('ada', grant('1', '2026-10-05T09:00:00.000Z'), grant('2'));
    const known = new Books(Date.parse(NOW)).trialBalance().filter(({ cents }) => cents !== null);
    const balances = known.map(({ account: number }) => {
      return { account: number, cents: 0, credits: number === 2050 ? -5 : 0 };
    });
    const problemsOf = async (figures: JsonObject[]): Promise<string[]> => {
      const problems: string[] = [];
      const events = [...gifts, ...madeStream('processor', [closeOf('2026-10', figures)])];
      const lines = () => splitLines([madeExport(events, key, NOW)]);
      await verifyExport({ lines, keys, log: null }, (sentence) => problems.push(sentence));
      return problems;
    };
    expect(await problemsOf(balances)).toEqual([]);
    const others = balances.map((balance) => ({ ...balance, credits: 0 }));
    expect(await problemsOf(others)).toEqual(['processor @ 0: Account 2050 had -5 credits at the end of 2026-10.']);
    const twice = [...balances, ...balances.slice(0, 1)];
    expect(await problemsOf(twice)).toEqual(['processor @ 0: An account is twice in the figures of 2026-10.']);
  });
});

describe('both verifiers about the time of a share', () => {
  const STREAM = 'creatorEarnings-ada';

  it('a share may have a record that is ten minutes older, because clocks differ', async () => {
    const { Earnings } = await loadVerifier();
    const share = { reference: 'a'.repeat(64), kind: 'earning', cents: 54, payableAt: LATER };
    const id = earningEventId({ type: 'EarningPosted', data: { ...share, schemaVersion: 1 } as EarningPosted });
    const problemsOf = async (earnedAt: string): Promise<string[]> => {
      const found: string[] = [];
      const events = madeStream(STREAM, [['EarningPosted', { ...share, earnedAt }, NOW]], [id]);
      const stream = new Earnings(STREAM, (sentence) => found.push(sentence));
      const audit = new EarningAudit(STREAM, ({ what: sentence }) => found.push(sentence));
      for (const event of events) {
        await stream.add(event);
        audit.add(event);
      }
      return found;
    };
    expect(await problemsOf('2026-11-20T09:10:00.000Z')).toEqual([]);
    expect(await problemsOf('2026-11-20T09:10:00.001Z')).toEqual([
      `${STREAM} @ 0: This is no share, or it is recorded a second time.`,
      'The share is recorded before it was earned.',
    ]);
  });
});

describe('the public verifier about an export and the log', () => {
  /** Ten minutes after the other events, because clocks differ. */
  const BEGUN = '2026-11-20T09:10:00.000Z';
  const AFTER = '2026-11-20T09:10:02.000Z';
  const ada = account('ada', grant('1'), grant('2'), grant('3', AFTER));
  // The clock of another machine: its last event was stored after the begin, too.
  const bob = account('bob', grant('1'), grant('2', '2026-11-20T09:09:59.000Z'));
  const inOrder = (...places: readonly (readonly [readonly StoredEvent[], number])[]): StoredEvent[] =>
    places.flatMap(([stream, version]) => stream[version] ?? []);
  /** The last two events came after the begin of the export. */
  const log = madeLog(inOrder([ada, 0], [bob, 0], [ada, 1], [ada, 2], [bob, 1]), key);

  async function verified(events: readonly StoredEvent[], allowLater = false): Promise<[string[], number]> {
    const { splitLines, verifyExport } = await loadVerifier();
    const problems: string[] = [];
    const lines = () => splitLines([madeExport(events, key, BEGUN)]);
    const { later } = await verifyExport({ lines, keys, log, allowLater }, (sentence) => problems.push(sentence));
    return [problems, later];
  }

  it('counts the events of the log that came after the export', async () => {
    const early = [...ada.slice(0, 2), ...bob.slice(0, 1)];
    expect(await verified(early, true)).toEqual([[], 2]);
    expect(await verified(early)).toEqual([['The log has 2 later events.'], 2]);
    // The account of bob was read after its last event, and that of ada before hers.
    expect(await verified([...ada.slice(0, 2), ...bob], true)).toEqual([[], 1]);
    expect(await verified([...ada, ...bob])).toEqual([[], 0]);
  });

  it('names an event that is missing before the end of the export', async () => {
    expect(await verified(ada.slice(0, 2), true)).toEqual([['1 events of the log are missing: 1.'], 2]);
  });
});

describe('the public verifier about a statement', () => {
  const ada = account('ada', grant('1'), grant('2', LATER));
  const { privateKey: nextKey } = generateKeyPairSync('ed25519');
  const nextPem = publicPem(createPublicKey(nextKey));
  const place = { number: 2, previous: null, rotatedAt: LATER };
  const rotations = `${canonicalJson({ ...signRotation(place, key, nextKey) })}\n`;

  async function judged(text: string, trusted = keys): Promise<readonly [string[], string | undefined]> {
    const { verifyStatement } = await loadVerifier();
    const problems: string[] = [];
    const found = await verifyStatement({ text, keys: trusted, rotations }, (sentence) => problems.push(sentence));
    return [problems, found ? new Date(found.at).toISOString() : undefined];
  }

  it('accepts the keys that a rotation connects with the trusted one', async () => {
    expect(await judged(madeStatement(ada, key, LATER), [nextPem])).toEqual([[], LATER]);
    expect(await judged(madeStatement(ada, nextKey, LATER))).toEqual([[], LATER]);
    const { privateKey: other } = generateKeyPairSync('ed25519');
    expect(await judged(madeStatement(ada, other, LATER))).toEqual([
      ['No trusted key has signed the checkpoint.'],
      undefined,
    ]);
  });

  it('refuses a statement that is dated in the future, or has no time', async () => {
    const future = new Date(Date.now() + 3_600_000).toISOString();
    expect(await judged(madeStatement(ada, key, future))).toEqual([['The statement is dated in the future.'], future]);
    for (const text of ['', 'tomorrow', '2026-11-20', '2026-11-21T09:00:00Z']) {
      expect(await judged(madeStatement(ada, key, text))).toEqual([['The statement has no time.'], LATER]);
    }
  });

  it('gives the balance of the last event when the time of the statement lies before it', async () => {
    expect(await judged(madeStatement(ada, key, '2020-01-01T00:00:00.000Z'))).toEqual([[], LATER]);
  });

  describe('the command line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fanvas-statements-'));
    const at = (name: string): string => join(folder, name);
    const site = createServer((request, response) => {
      const isKey = request.url === '/ledger/key';
      response.writeHead(isKey || request.url === '/ledger/key-rotations.ndjson' ? 200 : 404);
      response.end(isKey ? nextPem : rotations);
    });
    afterEach(() => void site.close());
    afterAll(() => rmSync(folder, { recursive: true }));

    /** Starts the site, and writes a statement of it that the old key has signed. @returns its origin */
    async function publish(): Promise<string> {
      await once(site.listen(0), 'listening');
      const origin = `localhost:${(site.address() as AddressInfo).port}/ledger`;
      writeFileSync(at('statement.ndjson'), madeStatement(ada, key, LATER, origin));
      return origin;
    }

    it.each<[string[]]>([
      [[]],
      [['export']],
      [['export', 'x']],
      [['export', 'x', '--key', 'y']],
      [['export', 'x', '--key', 'y', '--log', 'z', '--without-log']],
      // The kept checkpoint would not be compared.
      [['export', 'x', '--key', 'y', '--without-log', '--checkpoint', 'z']],
      [['export', 'x', 'y', '--key', 'z', '--without-log']],
      [['statement']],
      [['statement', 'x', '--checkpoint', 'y']],
      [['other', 'x']],
    ])('answers wrong arguments with exit code 2: %j', async (words) => {
      const refusal = expect.stringMatching(/^Usage:/);
      expect(await runVerifier(...words)).toMatchObject({ code: 2, out: '', err: refusal });
    });

    it.each<[string, (from: string, to: string) => void]>([
      ['a copy', copyFileSync],
      ['a link', symlinkSync],
    ])('runs as %s under another name', async (_, make) => {
      make(VERIFIER, at('check.mjs'));
      expect(await runVerifierAs(at('check.mjs'))).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage:/) });
      rmSync(at('check.mjs'));
    });

    it('asks the site for its key and the rotations, and says by which key it answers', async () => {
      const origin = await publish();
      const balance = `creditAccount-ada: 2 events. Balance as of ${LATER}: `;
      const { code, out, err } = await runVerifier('statement', at('statement.ndjson'));
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain(balance);
      expect(out).toContain(`\nYes: checkpoint 1 of ${origin} covers it, by the key that this site publishes.\n`);
      writeFileSync(at('key.pem'), nextPem);
      writeFileSync(at('rotations'), rotations);
      const own = ['statement', at('statement.ndjson'), '--key', at('key.pem')] as const;
      const byOwn = await runVerifier(...own, '--rotations', at('rotations'));
      expect(byOwn.out).toContain(`\nYes: checkpoint 1 of ${origin} covers it, by your key.\n`);
      expect(await runVerifier(...own)).toMatchObject({ code: 1, out: 'No: the statement is not true.\n' });
    });

    it('says that it could not check a statement when the site does not answer', async () => {
      await publish();
      site.close();
      site.closeAllConnections();
      expect(await runVerifier('statement', at('statement.ndjson'))).toMatchObject({ code: 2, out: '' });
    });
  });
});

describe('the public verifier about a busy site', () => {
  it('waits when a site has had too many requests, and gives up after five', async () => {
    const answers: (readonly [status: number, retryAfter?: string])[] = [];
    const site = createServer((_request, response) => {
      const [status, retryAfter] = answers.shift() ?? [429, '1'];
      response.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
      response.end('tile');
    });
    await once(site.listen(0), 'listening');
    const address = `http://localhost:${(site.address() as AddressInfo).port}/tile`;
    const { fetchBytes } = await loadVerifier();
    const waits: number[] = [];
    const read = (): Promise<Uint8Array> =>
      fetchBytes(address, (seconds) => {
        waits.push(seconds);
        return Promise.resolve();
      });
    answers.push([429, '7'], [429, '3600'], [429], [200]);
    expect(Buffer.from(await read()).toString()).toBe('tile');
    expect(waits).toEqual([7, 60, 60]);
    await expect(read()).rejects.toThrow(`${address}: 429`);
    expect(waits).toHaveLength(7);
    answers.push([404]);
    await expect(read()).rejects.toThrow(`${address}: 404`);
    expect(waits).toHaveLength(7);
    site.close();
    site.closeAllConnections();
  });
});
