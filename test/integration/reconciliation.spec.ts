import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { type TrialBalance } from '../../src/contract/finance.js';
import { type Difference, type Differences, type Reconciliation } from '../../src/contract/reconciliation.js';
import { ReinstatePurchase, ReversePurchase } from '../../src/credits/index.js';
import { ReconciliationRuns } from '../../src/finance/processor/reconciliation-runs.js';
import { ProcessorReader } from '../../src/finance/workers/processor-reader.js';
import { ReadBalance } from '../../src/payments/index.js';
import { Locks } from '../../src/platform/locks.js';
import { asOwner } from '../support/database.js';
import { PaymentsApp } from '../support/payments-app.js';
import { pagesOf } from '../support/pages.js';
import { cellsOf } from '../support/csv.js';

jest.setTimeout(180_000);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PRICE = 2500;
const FEE = Math.round(PRICE * 0.029) + 30;

let app: PaymentsApp;
let user: string;

async function begin(): Promise<void> {
  app = await PaymentsApp.start({ stripe: { timeoutMs: 20_000 } });
  user = app.newUser();
}

/** Each test begins with an empty ledger. The processor keeps what was paid. */
function withOneApp(): void {
  let restore: () => Promise<void>;
  beforeAll(async () => {
    await begin();
    restore = await app.keep();
  });
  beforeEach(() => restore());
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => app.close());
}

/** Lets all movements become old enough, and runs. */
async function run(): Promise<void> {
  app.clock.advance(11 * MINUTE_MS);
  await app.project();
  await app.get(ProcessorReader).read();
  await app.project();
}

async function call<T>(name: string, body: object = {}, token = 'finance_1'): Promise<T> {
  await asOwner(app).query('delete from rate_limit');
  return app.ok(name, token, body);
}

const day = (instant: Date): string => instant.toISOString().slice(0, 10);
const daysAgo = (days: number): string => day(new Date(app.clock.now().getTime() - days * DAY_MS));
/** A period from before the first movement to now, which no month ends. */
const all = (): object => ({ p_from: daysAgo(60) });

const reconciliation = (period: object = all()): Promise<Reconciliation> => call('get_reconciliation', period);

async function differences(period: object = all(), limit = 200): Promise<Difference[]> {
  const pages = await pagesOf((p_after) =>
    call<Differences>('list_differences', { ...period, p_limit: limit, p_after }),
  );
  return pages.flatMap((page) => page.differences);
}

/** Kinds, amounts and needs. */
async function listed(): Promise<string[]> {
  return (await differences()).map(
    (each) => `${each.kind} ${each.movement} ${each.processor_cents} ${each.ledger_cents} ${each.need}`,
  );
}

/** A purchase in the ledger that the processor does not know. */
async function ledgerOnly(amountCents = PRICE): Promise<string> {
  const sessionId = `cs_test_${crypto.randomUUID()}`;
  await app.buy(user, { sessionId, amountCents });
  return sessionId;
}

describe('get_reconciliation', () => {
  beforeEach(begin);
  afterEach(() => app.close());

  it('says that nothing was read before the first movement', async () => {
    const nothing = await reconciliation();
    expect(nothing).toMatchObject({ begins_at: null, ran_at: null, again_at: null, walk: null, difference_cents: 0 });
    expect(nothing.days).toHaveLength(30);
    expect(nothing.days.every(({ open }) => open === null)).toBe(true);
    expect(await differences()).toEqual([]);
  });

  it('agrees with both sides after payments, refunds, disputes and transfers to the bank', async () => {
    const refunded = await app.bought(user);
    const won = await app.bought(user);
    const lost = await app.bought(user);
    await app.sandbox.refund(refunded, { amount: 500 });
    const first = await app.sandbox.dispute(won);
    await app.sandbox.dispute(lost, { amount: 1000 });
    await app.reconciler.reconcile();
    await app.sandbox.closeDispute(first.id, 'won');
    await app.reconciler.reconcile();
    await run();
    const found = await reconciliation();
    expect(found.kinds).toEqual([
      ...[kind('payment', 3, 3 * PRICE), kind('refund', 1, -500)],
      ...[kind('dispute', 2, -PRICE - 1000), kind('dispute_won', 1, PRICE)],
    ]);
    expect(found).toMatchObject({ difference_cents: 0, open: { count: 0, cents: 0, since: null } });
    expect(found.walk).toMatchObject({ opening_cents: 0, payments_cents: 3 * PRICE, bank_cents: 0, other_cents: 0 });
    expect(found.walk?.closing_cents).toBe(await app.queries.execute(new ReadBalance()));
    expect(found.again_at).toBe(new Date(Date.parse(found.ran_at ?? '') + HOUR_MS).toISOString());
    expect(await differences()).toEqual([]);

    // Later days begin with the balance of the days before.
    app.clock.advance(4 * DAY_MS);
    await run();
    const later = await reconciliation({ p_from: daysAgo(2) });
    expect(later.walk?.opening_cents).toBe(found.walk?.closing_cents);
    expect(later.walk?.bank_cents).toBeLessThan(0);
    expect(later.walk?.closing_cents).toBe(await app.queries.execute(new ReadBalance()));
    expect(later.kinds.every(({ processor_count: count }) => count === 0)).toBe(true);
  });

  it('lists a payment that is not credited yet, until the ledger has it', async () => {
    const session = await app.paid(user);
    await run();
    const [difference] = await differences();
    expect(difference).toMatchObject({
      kind: 'theirs_only',
      movement: 'payment',
      need: 'retry',
      can_retry: true,
      session_id: session,
      processor_cents: PRICE,
      ledger_cents: 0,
      difference_cents: PRICE,
      reason: null,
      event_stream: 'processor',
      event_version: 0,
      processor_url: '/__sandbox/stripe/dashboard',
    });
    const found = await reconciliation();
    expect(found.kinds[0]).toMatchObject({ processor_count: 1, ledger_count: 0, difference_cents: PRICE });
    expect(found.open).toEqual({ count: 1, cents: PRICE, since: difference?.since });
    expect(await call('get_open_difference_count')).toEqual({ open: 1 });
    expect(await call('list_differences', { ...all(), p_limit: 1 })).toMatchObject({ differences: [{}], next: null });
    expect(found.days.at(-1)).toEqual({ day: day(app.clock.now()), open: 1 });

    app.clock.advance(DAY_MS);
    await app.lookUp(user, session);
    expect(await listed()).toEqual([`theirs_only payment ${PRICE} 0 next_run`]);
    await run();
    expect(await listed()).toEqual([]);
    const after = await reconciliation();
    expect(after).toMatchObject({ difference_cents: 0, open: { count: 0 } });
    expect(after.days.slice(-3).map(({ open }) => open)).toEqual([null, 1, 0]);
  });

  it('names the next try of a payment whose webhook fails', async () => {
    const session = await app.paid(user);
    app.sandbox.faults.next('error', 'GET /checkout/sessions/:id');
    await app.deliver(app.eventOf(session, 'checkout.session.completed'));
    await app.settleDown();
    app.clock.advance(11 * MINUTE_MS);
    await app.get(ProcessorReader).read();
    const [difference] = await differences();
    expect(difference?.need).toBe('retry');
    expect(difference?.next_try).toBeGreaterThan(1);
    expect(difference?.next_try_at).not.toBeNull();
  });

  it('asks for a refund of a payment without a checkout, and ends the difference with it', async () => {
    const session = await app.paidElsewhere(user, 7500);
    await app.reconciler.reconcile();
    await run();
    const [difference] = await differences();
    expect(difference).toMatchObject({
      kind: 'theirs_only',
      need: 'refund_there',
      reason: 'unknown_session',
      session_id: session,
      can_retry: false,
      difference_cents: 7500,
    });
    await app.sandbox.refund(session);
    await run();
    expect(await listed()).toEqual(['theirs_only refund -7500 0 nothing', 'theirs_only payment 7500 0 nothing']);
    const found = await reconciliation();
    expect(found).toMatchObject({ difference_cents: 0, open: { count: 0, cents: 0 } });
    expect(found.kinds.map((each) => each.difference_cents)).toEqual([7500, -7500, 0, 0]);
  });

  it('lists a refund at the processor until the ledger has taken the credits back', async () => {
    const session = await app.bought(user);
    await run();
    await app.sandbox.refund(session, { amount: 400 });
    await run();
    expect(await listed()).toEqual(['theirs_only refund -400 0 retry']);
    const [{ session_id: id, can_retry: canRetry } = {}] = await differences();
    expect([id, canRetry]).toEqual([session, true]);
    await call('retry_checkout_admin', { p_session_id: session }, 'admin_1');
    expect(await listed()).toEqual(['theirs_only refund -400 0 next_run']);
    await run();
    expect(await listed()).toEqual([]);
  });

  it('lists what only the ledger has, after ten minutes and a run', async () => {
    const session = await ledgerOnly();
    await app.project();
    await app.get(ProcessorReader).read();
    expect(await listed()).toEqual([]);
    await run();
    const [difference] = await differences();
    expect(difference).toMatchObject({
      kind: 'ours_only',
      movement: 'payment',
      need: 'look_there',
      session_id: session,
      transaction_id: null,
      processor_cents: 0,
      ledger_cents: PRICE,
      difference_cents: -PRICE,
      can_retry: false,
    });
    const { event_stream: stream, event_version: version } = difference ?? {};
    const entries = await call<{ session_id: string }[]>('get_event_entries', {
      p_user_id: stream,
      p_version: version,
    });
    expect(entries[0]?.session_id).toBe(session);

    // A reversal that the ledger takes back has ended.
    const reversal = { userId: user, sessionId: session, reversalId: 're_unknown' } as const;
    await app.commands.execute(new ReversePurchase({ ...reversal, cause: 'refund', amountCents: 500 }));
    await run();
    expect((await listed())[0]).toBe('ours_only refund 0 -500 look_there');
    await app.commands.execute(new ReinstatePurchase(reversal));
    await run();
    expect((await listed()).slice(0, 2)).toEqual(['ours_only refund 0 500 nothing', 'ours_only refund 0 -500 nothing']);
    expect((await reconciliation()).open).toMatchObject({ count: 1, cents: -PRICE });
  });

  it('lists amounts that differ, and leaves the ledger as it is', async () => {
    const session = await app.boughtForOther(app.newUser(), PRICE - 100);
    await run();
    expect(await listed()).toEqual([`amounts payment ${PRICE} ${PRICE - 100} look_there`]);
    expect((await differences())[0]).toMatchObject({ session_id: session, difference_cents: 100, can_retry: false });
    const { user_id: buyer } = await app.row(session);
    expect((await app.ledger(buyer)).at(-1)?.data).toMatchObject({ amountCents: PRICE - 100 });
  });

  it('explains the difference of both sides to the cent after any history', async () => {
    const step = fc.constantFrom(
      ...(['buy', 'pay only', 'elsewhere', 'ledger only', 'other amount', 'refund', 'return elsewhere'] as const),
      ...(['dispute', 'settle', 'run', 'next day', 'credit'] as const),
    );
    const histories = [
      ...[
        ...([
          ['pay only', 'elsewhere', 'ledger only', 'other amount', 'buy', 'refund', 'run', 'buy', 'dispute'],
        ] as const),
        ...([['next day', 'settle', 'credit', 'return elsewhere', 'pay only', 'run', 'next day']] as const),
      ],
      ...fc.sample(fc.array(step, { minLength: 5, maxLength: 8 }), { numRuns: 2, seed: 20261124 }),
    ];
    let days = 0;
    const waiting: { readonly buyer: string; readonly session: string }[] = [];
    const foreign: string[] = [];
    const own: string[] = [];
    const steps: Readonly<
      Record<ReturnType<typeof fc.sample<(typeof histories)[number][number]>>[number], () => Promise<unknown>>
    > = {
      buy: async () => own.push(await app.bought(user)),
      'pay only': async () => {
        const buyer = app.newUser();
        waiting.push({ buyer, session: await app.paid(buyer) });
      },
      elsewhere: async () => foreign.push(await app.paidElsewhere(user, 1000 + foreign.length)),
      'ledger only': () => ledgerOnly(300 + waiting.length),
      'other amount': () => app.boughtForOther(app.newUser(), PRICE - 1 - own.length),
      refund: async () => own[0] && app.sandbox.refund(own.shift()!, { amount: 500 }),
      'return elsewhere': async () => foreign[0] && app.sandbox.refund(foreign.shift()!),
      dispute: async () => own[0] && app.sandbox.dispute(own.shift()!),
      settle: () => app.reconciler.reconcile(),
      run,
      'next day': async () => {
        days += 1;
        return Promise.resolve(app.clock.advance(DAY_MS));
      },
      credit: async () => {
        const [paid] = waiting.splice(0, 1);
        if (paid) await app.lookUp(paid.buyer, paid.session);
      },
    };
    for (const history of histories) {
      for (const name of history) await steps[name]();
      await run();
      await expectExplained(days);
    }
    // All kinds of differences were made.
    expect(new Set((await differences()).map((each) => each.kind))).toEqual(
      new Set(['theirs_only', 'ours_only', 'amounts']),
    );
  });
});

/** Both sides, the list, the books and the processor agree. */
async function expectExplained(days: number): Promise<void> {
  const found = await reconciliation();
  const listedAll = await differences();
  const sum = (rows: readonly Difference[]): number => rows.reduce((cents, each) => cents + each.difference_cents, 0);
  expect(sum(listedAll)).toBe(found.difference_cents);
  expect(await differences(all(), 3)).toEqual(listedAll);
  const open = listedAll.filter(({ need }) => need !== 'nothing');
  expect(found.open).toMatchObject({ count: open.length, cents: sum(open) });
  expect(sum(open)).toBe(found.difference_cents);
  expect(found.days.at(-1)?.open).toBe(open.length);
  // The books and the processor say the same as both sides.
  const { accounts } = await call<TrialBalance>('get_trial_balance');
  const cents = (...numbers: number[]): number =>
    accounts
      .filter(({ account }) => numbers.includes(account))
      .reduce((total, { debit_cents: debit, credit_cents: credit }) => total + (debit ?? 0) - (credit ?? 0), 0);
  expect(found.ledger_cents).toBe(cents(1010, 1020, 1030));
  expect(sum(listedAll.filter(({ kind: each }) => each !== 'ours_only'))).toBe(cents(1015));
  expect(found.walk?.closing_cents).toBe(await app.queries.execute(new ReadBalance()));
  // Each day alone, and with its own balance; the clock may have passed a midnight on the way.
  let closing = 0;
  for (let ago = days + 1; ago >= 0; ago -= 1) {
    const period = { p_from: daysAgo(ago), p_to: daysAgo(ago - 1) };
    const { status, body } = await app.rpc<Reconciliation>('get_reconciliation', 'finance_1', period);
    if (status === 400) continue;
    expect(sum(await differences(period))).toBe(body.difference_cents);
    expect(body.walk?.opening_cents ?? 0).toBe(closing);
    closing = body.walk?.closing_cents ?? 0;
  }
  expect(closing).toBe(found.walk?.closing_cents);
}

function kind(name: string, count: number, cents: number): object {
  const sides = { processor_count: count, processor_cents: cents, ledger_count: count, ledger_cents: cents };
  return { kind: name, ...sides, difference_cents: 0 };
}

describe('calls about the reconciliation', () => {
  withOneApp();

  it('refuses a period that is malformed, in the future, not of whole days, or before the books', async () => {
    const refused = [
      [{ p_from: 'yesterday' }, 'p_from must be a day or an instant such as 2026-03-10T09:00:00Z'],
      [{ p_to: '2026-13-01' }, 'p_to must be a day or an instant such as 2026-03-10T09:00:00Z'],
      [{ p_from: '2999-01-01' }, 'The period must not end before it begins.'],
      [{ p_from: '2999-01-01', p_to: '2999-01-02' }, 'The period must not begin in the future.'],
      [{ p_from: '2026-01-01', p_to: '2999-01-02' }, 'The period must not end in the future.'],
      [{ p_from: '2026-01-01T09:00:00Z' }, 'The period must begin and end with a UTC day.'],
      [{ p_from: '2020-01-01', p_to: '2020-02-01' }, 'The books begin at '],
    ] as const;
    await app.bought(user);
    await run();
    for (const [period, sentence] of refused) {
      for (const name of ['get_reconciliation', 'list_differences']) {
        const { status, body } = await app.rpc<{ message: string }>(name, 'finance_1', period);
        expect([period, status, JSON.stringify(body)]).toEqual([period, 400, expect.stringContaining(sentence)]);
      }
      const query = new URLSearchParams(Object.entries(period).map(([name, at]) => [name.slice(2), at]));
      const { status, text } = await file(query.toString());
      expect([period, status, text]).toEqual([period, 400, expect.stringContaining(sentence.replace('p_', ''))]);
    }
  });

  it('refuses a wrong place', async () => {
    expect((await app.rpc('list_differences', 'finance_1', { p_after: 'x' })).status).toBe(400);
    expect((await app.rpc('list_differences', 'finance_1', { p_limit: 201 })).status).toBe(400);
  });
});

const file = (query: string) => app.download(`reconciliation.csv?${query}`, 'finance_1');

describe('GET /exports/reconciliation.csv', () => {
  beforeEach(begin);
  afterEach(() => app.close());

  it('has what the screen shows, with ids', async () => {
    expect((await file('')).text).toContain('balance,opening,');
    expect((await file('')).text).toContain('unknown');
    const session = await app.paid(app.newUser());
    await app.bought(user);
    await run();
    const { status, text } = await file(`from=${daysAgo(60)}`);
    const rows = cellsOf(text);
    expect(status).toBe(200);
    expect(rows[0]?.length).toBe(17);
    expect(rows.every(({ length }) => length === 17)).toBe(true);
    const named = (part: string, name: string): string[] | undefined =>
      rows.find(([first, second]) => first === part && second === name);
    expect(named('sides', 'payment')?.slice(3, 8)).toEqual(['2', '50.00', '1', '25.00', '25.00']);
    expect(named('sides', 'net')?.slice(4, 8)).toEqual(['50.00', '', '25.00', '25.00']);
    expect(named('balance', 'fees')?.[4]).toBe(`-${((2 * FEE) / 100).toFixed(2)}`);
    const [difference] = await differences();
    expect(named('difference', 'theirs_only')?.slice(2)).toEqual([
      ...[difference?.since, '', '25.00', '', '0.00', '25.00', 'payment', 'retry', '', session],
      ...[difference?.transaction_id, difference?.payment_intent_id, difference?.source_id, '', 'processor:0'],
    ]);
    expect(rows.filter(([part]) => part === 'day')).toHaveLength(30);
    expect(rows.at(-1)?.slice(0, 4)).toEqual(['day', 'open', day(app.clock.now()), '1']);
  });
});

describe('run_reconciliation', () => {
  beforeEach(begin);
  afterEach(() => app.close());

  it('reads at once, and moves the next run an hour ahead', async () => {
    await app.paid(user);
    app.clock.advance(11 * MINUTE_MS);
    await app.project();
    expect(await call('run_reconciliation')).toEqual({ state: 'ran' });
    const found = await reconciliation();
    expect(found).toMatchObject({ ran_at: app.clock.now().toISOString(), failed_at: null });
    expect(Date.parse(found.again_at ?? '')).toBe(app.clock.now().getTime() + HOUR_MS);
    expect(await listed()).toEqual([`theirs_only payment ${PRICE} 0 retry`]);
    const types = await app.ledgerTypes(user);
    expect(types).not.toContain('CreditsPurchased');

    // The worker waits for the stored time, and not for its own.
    app.clock.advance(59 * MINUTE_MS);
    await app.get(ProcessorReader).tick();
    expect((await reconciliation()).ran_at).toBe(found.ran_at);
    app.clock.advance(2 * MINUTE_MS);
    await app.get(ProcessorReader).tick();
    expect((await reconciliation()).ran_at).toBe(app.clock.now().toISOString());
  });

  it('stays due when the process ends in the middle of a run', async () => {
    await app.paid(user);
    app.clock.advance(11 * MINUTE_MS);
    await app.project();
    const reader = app.get(ProcessorReader);
    await reader.onModuleDestroy();
    await reader.read();
    expect((await reconciliation()).ran_at).toBeNull();
    expect(await app.get(ReconciliationRuns).isDue()).toBe(true);
  });
});

describe('run_reconciliation without a run', () => {
  withOneApp();

  it('says that a run is not over, and starts no second one', async () => {
    const state = await app.get(Locks).withLock('processor-reader', () => call('run_reconciliation'));
    expect(state).toEqual({ state: 'running' });
    expect((await reconciliation()).ran_at).toBeNull();
  });

  it('answers that the processor is unavailable, logs the reason, and tries again in a minute', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await app.paid(user);
    app.clock.advance(11 * MINUTE_MS);
    app.sandbox.faults.next('lost', 'GET /balance_transactions');
    const { status, body } = await app.rpc<{ message: string }>('run_reconciliation', 'finance_1');
    expect(status).toBe(503);
    expect(JSON.stringify(body)).toContain('The processor does not answer.');
    const message = 'The balance at the payment processor could not be read. The next run is in a minute.';
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ message, error: expect.any(Error) }));
    warned.mockRestore();
    const found = await reconciliation();
    expect(found).toMatchObject({ ran_at: null, failed_at: app.clock.now().toISOString() });
    expect(Date.parse(found.again_at ?? '')).toBe(app.clock.now().getTime() + MINUTE_MS);
    app.clock.advance(MINUTE_MS);
    await app.get(ProcessorReader).tick();
    expect(await reconciliation()).toMatchObject({ failed_at: null, ran_at: app.clock.now().toISOString() });
  });
});
