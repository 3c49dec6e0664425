import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import { type PayoutStatement, type PayoutStatements } from '../../src/contract/payouts.js';
import { payoutIdOf, referenceOf } from '../../src/finance/runs/payout-ids.js';
import { EndPayout } from '../../src/finance/use-cases/change-payout.js';
import { ManualClock } from '../../src/platform/clock.js';
import {
  ADMIN,
  approvedCreator,
  earn,
  emptyPayouts,
  payoutRun,
  query,
  recordTransfer,
  saveDetailsOn,
} from '../support/payouts.js';
import { seededRandom } from '../support/random.js';
import { type Answer, startTestApp, type TestApp } from '../support/test-app.js';

jest.setTimeout(60_000);

const NOW = new Date('2026-11-20T09:00:00Z');
const REFUSED = { status: 403, body: { code: '42501', message: 'Statement not found or access denied' } };

let app: TestApp;
const clock = new ManualClock(NOW);
let made = 0;

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  // The rows of the books that follow are not rebuilt from events.
  await app.project();
});
afterAll(() => app.close());
beforeEach(async () => {
  clock.set(NOW);
  await emptyPayouts(app);
});

/** Each caller has rate limits of their own. */
const someone = (role: 'finance' | 'admin' | 'user' | 'auditor'): string => `${role}_${(made += 1)}`;

const call = <T>(name: string, body: object, token: string): Promise<Answer<T>> => app.rpc<T>(name, token, body);

interface Owner {
  readonly userId: string;
  readonly creatorId: string;
}

/** An approved creator with payout details. */
async function creator(name = 'Aria Vale', legalName = 'Aria Vale Ltd.'): Promise<Owner> {
  const userId = `user_of_statement_${(made += 1)}`;
  const creatorId = await approvedCreator(app, userId, name);
  await saveDetailsOn(app, clock, userId, { legalName });
  return { userId, creatorId };
}

/** A line of a creator's share in the books, with its sums. Negative cents without a reversal are no line. */
async function line(
  { creatorId }: Owner,
  { cents, day, image, reversal = null }: { cents: number; day: string; image: string; reversal?: string | null },
): Promise<void> {
  await query(
    app,
    `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits, lot_id,
       deduction_id, creator_id, reversal_id, payable_at)
     values ($1, $2, 1, 2100, 'DeductionSettled', $3, $4, 0, 'lot', $5, $6, $7, $3)`,
    ['user_secret_fan', (made += 1), `${day}T12:00:00Z`, -cents, image, creatorId, reversal],
  );
  await earn(app, [creatorId], cents, day);
}

/** A run with a cutoff that has come to a step. A second passes after each one. */
const run = (cutoff: string, until: 'draft' | 'fix' | 'check' = 'check'): Promise<string> =>
  payoutRun(app, until, { cutoff: new Date(`${cutoff}T00:00:00Z`), between: () => clock.advance(1000) });

async function pay(payoutId: string, cents: number): Promise<void> {
  await recordTransfer(app, payoutId, (cents / 100).toFixed(2));
  clock.advance(1000);
}

const statementOf = (payoutId: string, token = someone('finance')): Promise<PayoutStatement> =>
  app.ok('get_payout_statement', token, { p_payout_id: payoutId });

async function download(payoutId: string, token: string): Promise<[status: number, text: string]> {
  const response = await app.read(`exports/payout-statement.csv?payout_id=${payoutId}`, token);
  return [response.status, await response.text()];
}

describe('the statement of a payout', () => {
  it('has the earnings, corrections and restorations of the period, and adds up to the amount', async () => {
    const aria = await creator();
    await line(aria, { cents: 4_000, day: '2026-09-10', image: 'image1' });
    await line(aria, { cents: 3_000, day: '2026-09-11', image: 'image2' });
    // A second purchase paid a part of the same picture.
    await line(aria, { cents: 500, day: '2026-09-11', image: 'image2' });
    await line(aria, { cents: -1_000, day: '2026-09-20', image: 'image1', reversal: 're_1' });
    await line(aria, { cents: 600, day: '2026-09-21', image: 'image1', reversal: 're_1' });
    // Payable on the day of the cutoff, so not in it.
    await line(aria, { cents: 9_900, day: '2026-10-01', image: 'image3' });
    const payoutId = payoutIdOf(await run('2026-10-01'), aria.creatorId);
    expect(await statementOf(payoutId, aria.userId)).toEqual({
      payout_id: payoutId,
      number: referenceOf(payoutId),
      run_number: 1,
      creator_id: aria.creatorId,
      creator_name: 'Aria Vale',
      cutoff: '2026-10-01T00:00:00.000Z',
      from: null,
      previous_number: null,
      recipient: { legal_name: 'Aria Vale Ltd.', country: 'DE', account_ending: '3000' },
      opening_cents: 0,
      earnings: { count: 2, cents: 7_500 },
      corrections: { count: 1, cents: -1_000 },
      restorations: { count: 1, cents: 600 },
      paid_cents: 0,
      amount_cents: 7_100,
      state: 'checked',
      bank_reference: null,
      paid_on: null,
      fixed_at: expect.any(String),
    });
  });

  it('begins where the statement before it has ended, and never changes by later corrections', async () => {
    const aria = await creator();
    await line(aria, { cents: 5_000, day: '2026-09-10', image: 'image1' });
    const first = payoutIdOf(await run('2026-10-01'), aria.creatorId);
    await pay(first, 5_000);
    const before = await statementOf(first);
    expect(before).toMatchObject({ state: 'paid', bank_reference: 'BANK-50.00', paid_on: '2026-11-19' });

    await line(aria, { cents: -2_000, day: '2026-10-05', image: 'image1', reversal: 'dp_1' });
    await line(aria, { cents: 8_000, day: '2026-10-06', image: 'image2' });
    const second = payoutIdOf(await run('2026-11-01'), aria.creatorId);
    expect(await statementOf(second)).toMatchObject({
      from: '2026-10-01T00:00:00.000Z',
      previous_number: referenceOf(first),
      opening_cents: 5_000,
      earnings: { count: 1, cents: 8_000 },
      corrections: { count: 1, cents: -2_000 },
      restorations: { count: 0, cents: 0 },
      paid_cents: 5_000,
      amount_cents: 6_000,
    });
    expect(await statementOf(first)).toEqual(before);
  });

  it('opens with the amount of a payout that was not paid', async () => {
    const aria = await creator();
    await line(aria, { cents: 5_000, day: '2026-09-10', image: 'image1' });
    const first = payoutIdOf(await run('2026-10-01', 'fix'), aria.creatorId);
    await app.commands.execute(new EndPayout({ payoutId: first, end: 'cancel', reason: 'A test', by: ADMIN }));
    await app.project();
    clock.advance(1000);
    await line(aria, { cents: 3_000, day: '2026-10-10', image: 'image2' });
    const second = payoutIdOf(await run('2026-11-01'), aria.creatorId);
    expect(await statementOf(first)).toMatchObject({ state: 'cancelled', amount_cents: 5_000 });
    expect(await statementOf(second)).toMatchObject({ opening_cents: 5_000, paid_cents: 0, amount_cents: 8_000 });
  });

  it('agrees with the books through random runs, and all statements together with all lines', async () => {
    const random = seededRandom(20_261_124);
    const aria = await creator();
    const payouts: string[] = [];
    let booked = 0;
    let bookedByLast = 0;
    for (let month = 2; month <= 10; month += 1) {
      const dayOf = (day: number): string => `2026-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      for (let count = 0; count < 6; count += 1) {
        const image = `image${month}-${count}`;
        const cents = 1_000 + Math.floor(random() * 9_000);
        await line(aria, { cents, day: dayOf(1 + count), image });
        booked += cents;
        if (random() < 0.4) {
          await line(aria, { cents: -cents, day: dayOf(10 + count), image, reversal: `re_${image}` });
          booked -= cents;
        }
      }
      const payoutId = payoutIdOf(await run(dayOf(28)), aria.creatorId);
      const [row] = await query(app, 'select amount_cents from payout where payout_id = $1', [payoutId]);
      if (!row) continue;
      payouts.push(payoutId);
      bookedByLast = booked;
      const { amount_cents: cents } = row as { amount_cents: number };
      if (random() < 0.7) await pay(payoutId, Number(cents));
      else await app.commands.execute(new EndPayout({ payoutId, end: 'fail', reason: 'AC04', by: ADMIN }));
      await app.project();
      // A failed transfer blocks the creator until the details change.
      await query(app, `update creator_payout_details set changed_at = $1`, [new Date(clock.now().getTime() + 1)]);
      clock.advance(8 * 86_400_000);
    }
    expect(payouts.length).toBeGreaterThan(3);
    let sum = 0;
    let opening = 0;
    for (const payoutId of payouts) {
      const statement = await statementOf(payoutId);
      const { earnings, corrections, restorations, opening_cents, paid_cents, amount_cents } = statement;
      const period = earnings.cents + corrections.cents + restorations.cents;
      expect(opening_cents).toBe(opening);
      expect(opening_cents + period - paid_cents).toBe(amount_cents);
      sum += period;
      opening = amount_cents;
    }
    expect(sum).toBe(bookedByLast);
  });

  it('does not exist before the amount is fixed', async () => {
    const aria = await creator();
    await line(aria, { cents: 5_000, day: '2026-09-10', image: 'image1' });
    const payoutId = payoutIdOf(await run('2026-10-01', 'draft'), aria.creatorId);
    expect(await call('get_payout_statement', { p_payout_id: payoutId }, aria.userId)).toMatchObject(REFUSED);
    expect(await call('list_payout_statements', { p_creator_id: aria.creatorId }, aria.userId)).toMatchObject({
      body: { statements: [], next: null },
    });
  });

  it('refuses a statement when the books do not have the fixed amount', async () => {
    const aria = await creator();
    await line(aria, { cents: 5_000, day: '2026-09-10', image: 'image1' });
    const payoutId = payoutIdOf(await run('2026-10-01'), aria.creatorId);
    await query(app, `update book_entry set cents = -4999 where creator_id = $1`, [aria.creatorId]);
    expect(await call('get_payout_statement', { p_payout_id: payoutId }, aria.userId)).toMatchObject({
      status: 503,
      body: { message: 'The statement cannot be made: the books differ from the payout.' },
    });
  });
});

describe('the readers of a statement', () => {
  it('shows it to its creator, finance and admins only, and the legal name to the creator only', async () => {
    const aria = await creator();
    const other = await creator('Other One');
    await line(aria, { cents: 5_000, day: '2026-09-10', image: 'image1' });
    const payoutId = payoutIdOf(await run('2026-10-01'), aria.creatorId);
    for (const token of [other.userId, someone('user'), someone('auditor')]) {
      expect(await call('get_payout_statement', { p_payout_id: payoutId }, token)).toMatchObject(REFUSED);
      expect(await call('list_payout_statements', { p_creator_id: aria.creatorId }, token)).toMatchObject(REFUSED);
      expect((await download(payoutId, token))[0]).toBe(403);
    }
    const own = await call('get_payout_statement', { p_payout_id: payoutId }, aria.userId);
    expect(JSON.stringify(own.body)).not.toContain('DE89370400440532013000');
    for (const role of ['finance', 'admin'] as const) {
      const statement = await statementOf(payoutId, someone(role));
      expect(statement).toMatchObject({ creator_name: 'Aria Vale', recipient: null });
      expect((await download(payoutId, someone(role)))[0]).toBe(200);
    }
  });

  it('refuses an unknown payout and a malformed id', async () => {
    const token = someone('finance');
    expect(await call('get_payout_statement', { p_payout_id: v7() }, token)).toMatchObject(REFUSED);
    expect(await call('get_payout_statement', { p_payout_id: "'" }, token)).toMatchObject({ status: 400 });
    expect((await download("'", token))[0]).toBe(400);
  });

  it('lists the statements of a creator, the latest first, in pages', async () => {
    const aria = await creator();
    const payouts: string[] = [];
    for (const month of ['08', '09', '10']) {
      await line(aria, { cents: 5_000, day: `2026-${month}-10`, image: `image${month}` });
      payouts.push(payoutIdOf(await run(`2026-${month}-20`), aria.creatorId));
      await pay(payouts.at(-1) ?? '', 5_000);
    }
    const page = { p_creator_id: aria.creatorId, p_limit: 2 };
    const first = await call<PayoutStatements>('list_payout_statements', { ...page, p_before: null }, aria.userId);
    expect(first.body.statements).toMatchObject([
      { payout_id: payouts[2], run_number: 3, amount_cents: 5_000, state: 'paid', paid_on: '2026-11-19' },
      { payout_id: payouts[1], number: referenceOf(payouts[1] ?? '') },
    ]);
    const rest = await call('list_payout_statements', { ...page, p_before: first.body.next }, aria.userId);
    expect(rest.body).toMatchObject({ statements: [{ payout_id: payouts[0] }], next: null });
  });
});

describe('the file of a statement', () => {
  it('has each line of the period without its fan, adds up, and escapes names that begin a formula', async () => {
    const aria = await creator('=cmd|calc');
    await line(aria, { cents: 5_000, day: '2026-08-10', image: 'image1' });
    const first = payoutIdOf(await run('2026-09-01'), aria.creatorId);
    await pay(first, 5_000);
    for (let count = 0; count < 3; count += 1) {
      await line(aria, { cents: 2_005, day: '2026-09-10', image: `image${count + 2}` });
    }
    await line(aria, { cents: -2_005, day: '2026-09-11', image: 'image2', reversal: 're_1' });
    const payoutId = payoutIdOf(await run('2026-10-01'), aria.creatorId);
    const [status, text] = await download(payoutId, aria.userId);
    expect(status).toBe(200);
    expect(text).not.toMatch(/user_secret_fan|re_1/);
    const [header, ...rows] = text
      .trim()
      .split('\r\n')
      .map((row) => row.split(','));
    expect(header).toEqual(
      'statement,creator_id,creator,kind,id,image_id,occurred_at,payable_at,amount_usd'.split(','),
    );
    expect(rows.map((row) => [row[3], row[5], row[8]])).toEqual([
      ['opening', '', '50.00'],
      ['earning', 'image2', '20.05'],
      ['earning', 'image3', '20.05'],
      ['earning', 'image4', '20.05'],
      ['correction', 'image2', '-20.05'],
      ['paid', '', '-50.00'],
      ['amount', '', '40.10'],
    ]);
    expect(new Set(rows.map((row) => row[2]))).toEqual(new Set(["'=cmd|calc"]));
    expect(new Set(rows.map((row) => row[4])).size).toBe(7);
    const cents = rows.map((row) => Math.round(Number(row[8]) * 100));
    expect(cents.slice(0, -1).reduce((sum, each) => sum + each, 0)).toBe(cents.at(-1));
  });
});
