import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { LogSchedule } from '../../src/audit/workers/log-schedule.js';
import { exportLedger, publicPem } from '../../src/audit/index.js';
import { accountStream } from '../../src/credits/index.js';
import { type MonthClosing, type RevenueMonths } from '../../src/contract/finance.js';
import { EarningPoster, MonthCloser } from '../../src/finance/index.js';
import { checkPayout, draftPayout, fixPayout, payPayout } from '../../src/finance/payouts/decide.js';
import { PayoutStore, type DecidePayouts } from '../../src/finance/payouts/payout-store.js';
import { ManualClock } from '../../src/platform/clock.js';
import { NO_STREAM } from '../../src/platform/event-store/event-store.js';
import { canonicalJson, eventHash } from '../../src/platform/event-store/hash-chain.js';
import { chainedHistory } from '../support/forged-events.js';
import { rpc } from '../support/api-client.js';
import { accountCommands, accountHistory, type AccountCommand } from '../support/account-histories.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { runVerifier, type VerifiedBalance, type VerifiedParts } from '../support/verifier.js';

jest.setTimeout(120_000);

const END = new Date('2027-03-10T09:00:00Z');
const { privateKey: key } = generateKeyPairSync('ed25519');
const clock = new ManualClock(new Date('2026-03-01T00:00:00Z'));

let app: TestApp;
let folder: string;
const at = (name: string): string => join(folder, name);

/** A chargeback takes the earnings of an image back after they have become payable. */
const CHARGEBACK: readonly AccountCommand[] = [
  { kind: 'buy', index: 0, amount: 1 },
  { kind: 'draw', index: 2, amount: 100 },
  { kind: 'deliver', index: 0, amount: 1 },
  { kind: 'wait', index: 0, amount: 40 },
  { kind: 'reverse', index: 1, amount: 80 },
];
/** The same histories in every run: purchases, images, refunds, chargebacks, adjustments and waivers. */
const histories = [CHARGEBACK, ...fc.sample(accountCommands, { numRuns: 60, seed: 20261123 })]
  .map((commands) => accountHistory(commands))
  .filter((events, index) => index === 0 || events.length > 10)
  .slice(0, 16);

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  folder = mkdtempSync(join(tmpdir(), 'fanvas-books-'));
  writeFileSync(at('key.pem'), publicPem(createPublicKey(key)));
  clock.set(END);
  for (const [index, events] of histories.entries()) await append(`user_${index}`, events);
  await app.project();
  const ada = largestFall(await payable('ada'));
  await pay('ada', ada.before);
  const bob = (await payable('bob')).find(({ cents }) => cents > 0);
  // Half of it: the other half stays payable.
  if (bob) await pay('bob', { ...bob, cents: Math.ceil(bob.cents / 2) });
  await app.project();
  await app.get(EarningPoster).runOnce();
  clock.set(END);
  await closeMonths();
  for (const [name, until] of [
    ['ledger.ndjson', END],
    ['early.ndjson', ada.after.at],
  ] as const) {
    const options = { key, now: () => until, onProblem: () => undefined };
    await exportLedger({ eventStore: app.eventStore }, at(name), options);
  }
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Appends a history with its chain of hashes. */
async function append(user: string, events: ReturnType<typeof accountHistory>): Promise<void> {
  await app.eventStore.append(accountStream(user), NO_STREAM, chainedHistory(user, events));
}

/** Closes all months that have ended. */
async function closeMonths(): Promise<void> {
  // Each call is by another admin, because of the limits of one.
  const call = <T>(name: string, body: object = {}) => rpc<T>(app.url, name, body, `admin_${v7()}`);
  for (;;) {
    await app.project();
    await app.get(LogSchedule).tick();
    const { next_to_close: p_month, closing } = (await call<RevenueMonths>('list_revenue_months')).body;
    expect(closing).toBeNull();
    if (p_month === null) return;
    const { figures: p_figures } = (await call<MonthClosing>('get_month_closing')).body;
    expect(await call('close_book_month', { p_month, p_figures })).toMatchObject({ status: 200 });
    await app.get(MonthCloser).tick();
  }
}

/** All that was payable to a creator at an instant, US cents. */
interface Payable {
  readonly at: Date;
  readonly cents: number;
}

/** All that was payable to a creator since the first earning, at each instant at which it changed. */
async function payable(creator: string): Promise<readonly Payable[]> {
  const { rows } = await app.pool.query<Payable>(
    `select payable_at as at, sum(sum(-cents)) over (order by payable_at)::int as cents from book_entry
     where account = 2100 and creator_id = $1 group by payable_at order by payable_at`,
    [creator],
  );
  return rows;
}

/** The two instants between which most was taken back. A payout at the first makes a debt at the second. */
function largestFall(all: readonly Payable[]): { readonly before: Payable; readonly after: Payable } {
  const falls = all.flatMap((before, index) => all.slice(index).map((after) => ({ before, after })));
  const [largest] = falls.sort((a, b) => b.before.cents - b.after.cents - (a.before.cents - a.after.cents));
  if (!largest) throw new Error('Nothing was payable.');
  return largest;
}

/** Pays a creator at an instant. The payout of bob stays under way. */
async function pay(creator: string, { at: from, cents: payableCents }: Payable): Promise<void> {
  clock.set(new Date(from.getTime() + 1));
  const step = async (actorId: string, decide: DecidePayouts): Promise<void> => {
    const id = v7();
    await app.get(PayoutStore).execute(creator, { actorId, causationId: id, correlationId: id }, decide);
  };
  const payoutId = `payout of ${creator}`;
  const details = { changedAt: new Date(0), usableFrom: null };
  const run = { payoutId, runId: 'run', cutoff: clock.now(), payableCents, minimumCents: 1, draftedBy: 'finance_1' };
  await step('finance_1', (state, now) => draftPayout(state, { ...run, details }, now).events);
  await step('finance_1', (state) => fixPayout(state, payoutId, payableCents));
  if (creator === 'bob') return;
  const transfer = { payoutId, amountCents: payableCents, reference: 'SEPA-1', paidOn: '2026-06-03' };
  await step('admin_1', (state) => checkPayout(state, payoutId, 'admin_1'));
  await step('admin_1', (state) => payPayout(state, { ...transfer, recordedBy: 'admin_1' }));
}

const verify = async (name: string, ...words: string[]): ReturnType<typeof runVerifier> =>
  runVerifier('export', at(name), '--key', at('key.pem'), '--without-log', ...words);

/** The rows of the trial balance that finance downloads. */
async function rowsOfCsv(query: string): Promise<string[][]> {
  const address = `${app.url}/exports/trial-balance.csv${query}`;
  const csv = await (await fetch(address, { headers: { authorization: 'Bearer finance_1' } })).text();
  const lines = csv.trimEnd().split('\r\n');
  return lines.map((line) => line.split(','));
}

describe('the trial balance of the independent verifier', () => {
  it.each<[string, string, readonly number[]]>([
    ['after all events', 'ledger.ndjson', [1010, 1020, 1030, 1100, 2000, 2130, 4000, 4100, 4200, 5100, 5200]],
    ['at an instant between the events', 'early.ndjson', [1010, 1100, 2000, 2100, 4000, 5200]],
  ])('has the figures of trial-balance.csv of the running app %s', async (_case, name, filled) => {
    const { code, out, err } = await verify(name, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { until, trialBalance, creatorShare } = JSON.parse(out) as {
      until: number;
      trialBalance: VerifiedBalance[];
      creatorShare: VerifiedParts;
    };
    const rows = await rowsOfCsv(`?at=${new Date(until).toISOString()}`);
    const cents = (debit = '', credit = ''): number =>
      Math.round(Number(debit) * 100) - Math.round(Number(credit) * 100);
    expect(trialBalance).toEqual(
      rows.slice(1, -4).map(([, account, title, , debit, credit]) => {
        return { account: Number(account), name: title, cents: debit === 'unknown' ? null : cents(debit, credit) };
      }),
    );
    expect(rows.slice(-3).map(([, , title, , debit, credit]) => [title, cents(debit, credit)])).toEqual([
      ['Of 2100: pending', 0 - creatorShare.pendingCents],
      ['Of 2100: payable', 0 - creatorShare.payableCents],
      ['Of 2100: debt', creatorShare.debtCents],
    ]);
    expect(creatorShare.payableCents + creatorShare.debtCents).toBeGreaterThan(0);
    // These have a balance, so the comparison says something about them.
    const zero = trialBalance.filter((balance) => balance.cents === 0).map(({ account }) => account);
    expect(filled.filter((account) => zero.includes(account))).toEqual([]);
  });

  it('prints a table of dollars whose debits and credits have the same total', async () => {
    const { out } = await verify('ledger.ndjson');
    const [, , , , debit = '', credit = ''] = (await rowsOfCsv('')).at(-4) ?? [];
    expect(debit).toBe(credit);
    expect(out).toMatch(new RegExp(`^Total of debits and of credits +${debit} +-${debit}$`, 'm'));
    expect(out).toMatch(/^1040 Processor cash: fees withheld +unknown$/m);
    expect(out).toMatch(/^4000 Platform revenue +-\d+\.\d\d$/m);
    expect(out.trimEnd().split('\n').at(-1)).toBe('All holds.');
  });

  it.each<[string, string, string, string, RegExp]>([
    [
      'the price of a purchase',
      'CreditsPurchased',
      '"amountCents":1099',
      '"amountCents":1199',
      /The prices do not fit/,
    ],
    ['the amount of a transfer', 'PayoutPaid', '"amountCents":', '"amountCents":1', /The amount of the payout is \d+/],
    ['a fixed amount', 'PayoutFixed', '"amountCents":', '"amountCents":1', /The amount of the payout is \d+/],
    ['the cause of a reversal', 'PurchaseReversed', '"cause":"', '"cause":"no ', /PurchaseReversed cannot be read/],
    ['the credits of a reversal', 'PurchaseReversed', '"revoked":', '"revoked":1', /credits, but \d+ are due/],
    [
      'the cents of a share',
      'EarningPosted',
      '"cents":',
      '"cents":1',
      /The share is "\w+ \w+ .*", but ".*" is recorded/,
    ],
    ['the kind of a share', '"kind":"earning"', 'earning"', 'restoration"', /The share is "\w+ earning .*", but/],
    ['the reference of a share', 'EarningPosted', '"reference":"', '"reference":"0', /No event makes 1 shares/],
    ['a time of a share', 'EarningPosted', '"payableAt":"2026', '"payableAt":"2027', /The share is ".*", but ".*2027/],
    [
      'the figure of a closed month',
      '"MonthClosed"',
      '{"account":4000,"cents":-',
      '{"account":4000,"cents":-1',
      /Account 4000 had -\d+ cents at the end of 20\d\d-\d\d/,
    ],
    [
      'a part of the creators’ share of a closed month',
      '"MonthClosed"',
      '"pendingCents":',
      '"pendingCents":1',
      /2100 was divided in {"debtCents":.*} at the end of 20\d\d-\d\d/,
    ],
    [
      'a month that is closed before its end',
      '"month":"2027-02"',
      '"month":"2027-02"',
      '"month":"2027-03"',
      /2027-03 was closed before its end/,
    ],
    ['the type of an event of a payout', '"PayoutPaid"', 'PayoutPaid', 'PayoutSent', /PayoutSent cannot be read/],
  ])('refuses %s that was changed with all hashes after it', async (_case, type, from, to, words) => {
    const lines = readFileSync(at('ledger.ndjson'), 'utf8').trimEnd().split('\n');
    const place = lines.findIndex((line) => line.includes(type) && line.includes(from));
    writeFileSync(at('forged.ndjson'), `${forged(lines, place, from, to).join('\n')}\n`);
    const forgery = await verify('forged.ndjson');
    expect(forgery.code).toBe(1);
    expect(forgery.err).toMatch(words);
    expect(forgery.err).not.toMatch(/The hash is not/);
  });
});

describe('the shares of creators in the independent verifier', () => {
  /** The lines of the export, and the places of the events of one stream of earnings. */
  function earnings(): { lines: string[]; places: number[] } {
    const lines = readFileSync(at('ledger.ndjson'), 'utf8').trimEnd().split('\n');
    const places = [...lines.keys()].filter((place) => lines[place]?.includes('"stream":"creatorEarnings-ada"'));
    return { lines, places: places.filter((place) => lines[place]?.startsWith('{"event"')) };
  }

  it('finds each share recorded once', () => {
    expect(earnings().places.length).toBeGreaterThan(5);
  });

  it('names a share that is not recorded', async () => {
    const { lines, places } = earnings();
    const [last = 0] = places.slice(-1);
    const { event } = JSON.parse(lines[last - 1] ?? '') as { event: { version: number; metadata: { hash: string } } };
    const head = { stream: 'creatorEarnings-ada', version: event.version, hash: event.metadata.hash };
    lines.splice(last, 2, canonicalJson({ head }));
    writeFileSync(at('dropped.ndjson'), `${lines.join('\n')}\n`);
    const { code, err } = await verify('dropped.ndjson');
    expect(code).toBe(1);
    expect(err).toMatch(/creditAccount-user_\d+ @ \d+: The share is "ada .*", but "nothing" is recorded/);
  });

  it('names a share that is recorded twice', async () => {
    const { lines, places } = earnings();
    const [first = 0] = places;
    const [last = 0] = places.slice(-1);
    const { event } = JSON.parse(lines[first] ?? '') as { event: object };
    const { event: end } = JSON.parse(lines[last] ?? '') as { event: { version: number } };
    lines.splice(last + 1, 0, JSON.stringify({ event: { ...event, version: end.version + 1 } }));
    writeFileSync(at('twice.ndjson'), `${forged(lines, last + 1, '', '').join('\n')}\n`);
    const { code, err } = await verify('twice.ndjson');
    expect(code).toBe(1);
    expect(err).toMatch(/creatorEarnings-ada @ \d+: This is no share, or it is recorded a second time/);
  });
});

/** Changes a line, and makes the hashes of its stream again. */
function forged(lines: readonly string[], place: number, from: string, to: string): string[] {
  const changed = lines.map((line, index) => (index === place ? line.replace(from, to) : line));
  const { event } = JSON.parse(changed[place] ?? '') as { event: { stream: string } };
  let last: string | null = null;
  return changed.map((line) => {
    const parsed = JSON.parse(line) as {
      event?: Parameters<typeof eventHash>[1];
      head?: { stream: string; hash: string | null };
    };
    if (parsed.event?.stream === event.stream) {
      last = eventHash(last, parsed.event);
      return canonicalJson({ event: { ...parsed.event, metadata: { ...parsed.event.metadata, hash: last } } });
    }
    if (parsed.head?.stream !== event.stream) return line;
    return canonicalJson({ head: { ...parsed.head, hash: last } });
  });
}
