import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type Stripe from 'stripe';
import { type LedgerProblem } from '../../src/audit/index.js';
import { type AdminAct } from '../../src/contract/acts.js';
import { type PaymentProblem } from '../../src/contract/payments.js';
import { type Reconciliation } from '../../src/contract/reconciliation.js';
import { MonthClosing } from '../../src/finance/closing/month-closing.js';
import { PROCESSOR_STREAM, processorProjection } from '../../src/finance/index.js';
import { GetTrialBalance } from '../../src/finance/reads/trial-balance.js';
import { ProcessorReader } from '../../src/finance/workers/processor-reader.js';
import { ReadBalance } from '../../src/payments/index.js';
import { ProcessorUnavailableError } from '../../src/payments/providers/payment-processor.js';
import { STRIPE } from '../../src/payments/providers/stripe-client.js';
import { reconcileLedger } from '../../src/payments/workers/reconcile-ledger.js';
import { PaymentsApp } from '../support/payments-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(120_000);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The price of the other shop, and Stripe's fee of it. */
const PRICE = 4200;
const FEE = Math.round(PRICE * 0.029) + 30;

let app: PaymentsApp;

beforeAll(async () => {
  app = await PaymentsApp.start();
  // The sandbox pays out at midnight. From noon on, only the test decides when that is.
  const sinceNoon = (app.clock.now().getTime() + DAY_MS / 2) % DAY_MS;
  app.clock.advance(DAY_MS - sinceNoon);
});
afterAll(() => app.close());
afterEach(() => void jest.restoreAllMocks());

const admin = (): string => app.newUser().replace('user', 'admin');

/** A session that another shop has made with the same account. */
async function foreignSession(metadata: Record<string, string> = {}): Promise<string> {
  const { id } = await app.get<Stripe>(STRIPE).checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://shoes.test',
    metadata,
    payment_intent_data: { metadata },
    client_reference_id: 'order-4711',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: PRICE, product_data: { name: 'Shoes' } } }],
  });
  return id;
}

async function foreignPayment(metadata?: Record<string, string>): Promise<string> {
  const session = await foreignSession(metadata);
  expect(await app.sandbox.pay(session)).toBeNull();
  return session;
}

async function deliverAll(session: string): Promise<void> {
  for (const event of app.eventsOf(session)) expect(await app.deliver(event)).toBe(200);
  await app.settleDown();
}

async function problems(): Promise<PaymentProblem[]> {
  return (await app.rpc<PaymentProblem[]>('get_payment_problems', admin())).body;
}

/** Events that wait for another attempt. */
async function waiting(): Promise<number> {
  const rows = await app.db.selectFrom('payment_event').select('id').where('handled_at', 'is', null).execute();
  return rows.length;
}

async function read(): Promise<void> {
  app.clock.advance(11 * MINUTE_MS);
  await app.project();
  await app.get(ProcessorReader).read();
  await app.project();
}

/** Debit balances of the accounts of the processor. */
async function balances(): Promise<Record<number, number>> {
  const { accounts } = await app.queries.execute(new GetTrialBalance(null));
  return Object.fromEntries(
    accounts.map(({ account, debit_cents: debit, credit_cents: credit }) => [account, (debit ?? 0) - (credit ?? 0)]),
  );
}

async function cashOfBooks(): Promise<number> {
  return Object.entries(await balances()).reduce(
    (sum, [account, cents]) => sum + (Number(account) < 1100 ? cents : 0),
    0,
  );
}

const verify = () => verifiedLedger(app, () => app.clock.now());

async function ledgerProblems(): Promise<readonly LedgerProblem[]> {
  return (await verify()).problems;
}

async function reconciliation(): Promise<Reconciliation> {
  return (await app.rpc<Reconciliation>('get_reconciliation', admin())).body;
}

const dismiss = (subject: string, kind: string, reason: string, token = admin()) =>
  app.rpc<{ success?: boolean; message?: string }>('dismiss_payment_problem', token, {
    p_subject: subject,
    p_kind: kind,
    p_reason: reason,
  });

describe('payments of another shop on the same account', () => {
  it('opens no problem and retries nothing for its payment, refund and dispute', async () => {
    const refunded = await foreignPayment();
    const disputed = await foreignPayment();
    await app.sandbox.refund(refunded, { amount: 1000 });
    await app.sandbox.dispute(disputed);
    for (const session of [refunded, disputed]) await deliverAll(session);
    expect(await waiting()).toBe(0);
    await app.reconciler.reconcile();
    const asked = jest.spyOn(app.processor, 'sessionOfPayment');
    const settled = jest.spyOn(app.processor, 'session');
    await app.reconciler.reconcile();
    // Once it is known whose a payment is, no second question is asked.
    expect([asked.mock.calls, settled.mock.calls]).toEqual([[], []]);
    expect(await problems()).toEqual([]);
  });

  it('causes no difference of `ledger reconcile`', async () => {
    const session = await foreignPayment();
    await app.sandbox.refund(session, { amount: 500 });
    const differences: unknown[] = [];
    const period = {
      from: new Date(app.clock.now().getTime() - DAY_MS),
      to: new Date(app.clock.now().getTime() + 1000),
    };
    const sources = { db: app.db, eventStore: app.eventStore, processor: app.processor };
    const summary = await reconcileLedger(sources, period, { onDifference: (each) => differences.push(each) });
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ sessions: 0, paidCents: 0, returnedCents: 0 });
  });

  it('has its transactions in accounts of its own, and the stated balance comes out', async () => {
    const before = (await app.eventStore.readStream(PROCESSOR_STREAM)).length;
    const user = app.newUser();
    await app.bought(user);
    const session = await foreignPayment();
    await read();
    await app.sandbox.refund(session, { amount: 1000 });
    const disputed = await app.sandbox.dispute(await foreignPayment());
    await read();
    const mine = await balances();
    expect(mine).toMatchObject({ 1015: 0, 2300: 0, 5300: 103, 1040: -103 });
    expect(mine[1060]).toBeGreaterThan(0);
    expect(mine[2310]).toBe(0 - (mine[1060] ?? 0));
    expect(await cashOfBooks()).toBe(await app.queries.execute(new ReadBalance()));
    const events = (await app.eventStore.readStream(PROCESSOR_STREAM)).slice(before);
    const disowned = events.filter(({ type }) => type === 'TransactionDisowned');
    expect(disowned.length).toBe(events.length - disowned.length - 1);
    expect(disowned.map(({ data }) => data['grossCents'])).toContain(0 - disputed.amount);
    // Nothing differs, and the walk of the balance names the other shops.
    const found = await reconciliation();
    expect(found.open.count).toBe(0);
    expect(found.kinds).toMatchObject([
      { kind: 'payment', processor_count: 1, ledger_count: 1 },
      { kind: 'refund', processor_count: 0 },
      { kind: 'dispute', processor_count: 0 },
      { kind: 'dispute_won', processor_count: 0 },
    ]);
    expect(found.walk).toMatchObject({ payments_cents: 2500, fees_cents: -103, other_shops_cents: mine[1060] });
    expect(found.walk?.closing_cents).toBe(await app.queries.execute(new ReadBalance()));
    expect(await app.get(MonthClosing).state()).toMatchObject({ openTransactions: 0, openCents: 0 });
    const { problems: differences, summary } = await verify();
    expect(differences).toEqual([]);
    const { rows } = await app.pool.query<{ compared: number }>(
      `select ((select count(*) from processor_entry)
         + (select count(*) + count(disowned_version) from processor_transaction))::int as compared`,
    );
    expect(summary.rows[processorProjection.name]).toBe(rows[0]?.compared);
  });

  it('leaves the unmatched receipts once it is found out, and the audit finds a wrong row', async () => {
    // As an earlier version recorded it: all it knows is that the ledger has nothing.
    const reader = app.get(ProcessorReader) as unknown as { foreignAmong: () => Promise<Set<string>> };
    const lookUp = jest.spyOn(reader, 'foreignAmong').mockResolvedValue(new Set());
    const session = await foreignPayment();
    await read();
    const { paymentIntentId } = await app.processor.session(session);
    expect(await balances()).toMatchObject({ 1015: PRICE, 2300: -PRICE });
    expect((await reconciliation()).open.count).toBe(1);
    lookUp.mockRestore();
    const fees = (await balances())[5300] ?? 0;
    await read();
    expect(await balances()).toMatchObject({ 1015: 0, 2300: 0, 5300: fees - FEE });
    expect((await reconciliation()).open.count).toBe(0);
    expect(await ledgerProblems()).toEqual([]);
    const change = async (value: number | null): Promise<void> => {
      await app.pool.query('update processor_transaction set disowned_version = $2 where payment_intent_id = $1', [
        ...[paymentIntentId, value],
      ]);
    };
    const { rows } = await app.pool.query<{ disowned_version: number }>(
      'select disowned_version from processor_transaction where payment_intent_id = $1',
      [paymentIntentId],
    );
    await change(null);
    expect((await ledgerProblems()).map(({ kind }) => kind)).toContain('projection');
    await change(rows[0]?.disowned_version ?? null);
    expect(await ledgerProblems()).toEqual([]);
  });

  it('grants nothing for a forged checkout id, asks a person when it could be ours, and ignores other forms', async () => {
    const forged = await foreignPayment({ checkoutId: crypto.randomUUID() });
    const elsewhere = await foreignPayment({ checkoutId: 'chk_1001' });
    for (const session of [forged, elsewhere]) await deliverAll(session);
    await app.reconciler.reconcile();
    expect((await problems()).map(({ subject, kind }) => [subject, kind])).toEqual([[forged, 'unknown_session']]);
    // A copy of a real id is still not the session of that checkout.
    const user = app.newUser();
    const own = await app.checkout(user);
    const copied = await foreignPayment({ checkoutId: (await app.row(own)).id });
    await deliverAll(copied);
    expect((await problems()).map(({ subject }) => subject)).toEqual([forged, copied]);
    expect((await app.balances(user)).paid).toBe(0);
    for (const session of [forged, copied])
      expect((await dismiss(session, 'unknown_session', 'Test')).status).toBe(200);
  });
});

describe('dismissing a problem', () => {
  it('ends it with an act that has the reason, and a later read that finds the same does not open it again', async () => {
    const session = await foreignPayment({ checkoutId: crypto.randomUUID() });
    await deliverAll(session);
    expect(await problems()).toHaveLength(1);
    const token = admin();
    expect(await dismiss(session, 'unknown_session', ' A test of the shoe shop ', token)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    await app.reconciler.reconcile();
    await deliverAll(session);
    expect(await problems()).toEqual([]);
    const { body } = await app.rpc<AdminAct[]>('list_admin_acts', token, {
      p_kind: 'payment_problem.dismissed',
      p_about: session,
    });
    expect(body).toMatchObject([
      {
        actor_id: token,
        subject_id: session,
        state: 'done',
        reason: 'A test of the shoe shop',
        before: { problem: 'unknown_session' },
      },
    ]);
    const again = await dismiss(session, 'unknown_session', 'Once more');
    expect([again.status, again.body.message]).toEqual([
      404,
      'There is no such open problem. It may have ended meanwhile.',
    ]);
    // It opens again when it says something else.
    await app.db
      .updateTable('payment_problem')
      .set({ what: 'Another sentence.' })
      .where('subject', '=', session)
      .execute();
    await app.reconciler.reconcile();
    expect(await problems()).toHaveLength(1);
    expect((await dismiss(session, 'unknown_session', 'Test')).status).toBe(200);
  });

  it('gives up an event that keeps failing', async () => {
    const session = await app.paid(app.newUser());
    jest.spyOn(app.processor, 'session').mockRejectedValue(new ProcessorUnavailableError('No answer.', 'test'));
    const event = app.eventOf(session, 'checkout.session.completed');
    expect(await app.deliver(event)).toBe(200);
    await app.pass(MINUTE_MS, 10_000);
    expect((await problems()).map(({ subject, kind }) => [subject, kind])).toEqual([[event.id, 'event_failing']]);
    expect((await dismiss(event.id, 'event_failing', 'Test')).status).toBe(200);
    expect([await waiting(), await problems()]).toEqual([0, []]);
    expect((await dismiss(event.id, 'event_failing', 'Test')).status).toBe(404);
  });

  it.each([
    ['', 'unknown_session', 400],
    ['   ', 'unknown_session', 400],
    ['x'.repeat(501), 'unknown_session', 400],
    ['Why not', 'refund_failing', 409],
    ['Why not', 'no_such_kind', 404],
  ])('refuses the reason %j for %s with %d', async (reason, kind, status) => {
    expect((await dismiss('cs_x', kind, reason)).status).toBe(status);
  });
});

describe('unreadable events', () => {
  const missing = (id: string): Stripe.Event =>
    ({
      id,
      type: 'checkout.session.completed',
      created: app.clock.now().getTime() / 1000,
      data: { object: { id: `cs_${id}` } },
    }) as unknown as Stripe.Event;

  it('tries them for three days without a problem, and then gives them up', async () => {
    expect(await app.deliver(missing('evt_missing'))).toBe(200);
    await app.settleDown();
    await app.pass(3 * DAY_MS - HOUR_MS, 12 * HOUR_MS);
    expect([await waiting(), await problems()]).toEqual([1, []]);
    await app.pass(2 * HOUR_MS, HOUR_MS);
    expect([await waiting(), await problems()]).toEqual([0, []]);
  });

  it('makes a problem for admins when the payment is our own', async () => {
    const user = app.newUser();
    const session = await app.checkout(user);
    await app.db.updateTable('checkout').set({ session_id: 'cs_evt_ours' }).where('session_id', '=', session).execute();
    expect(await app.deliver(missing('evt_ours'))).toBe(200);
    await app.pass(3 * DAY_MS + HOUR_MS, 12 * HOUR_MS);
    expect((await problems()).map(({ subject, kind }) => [subject, kind])).toEqual([
      ['cs_evt_ours', 'unknown_payment'],
    ]);
    expect(await waiting()).toBe(0);
    // The reconciliation reads it for three days as well.
    const reads = jest.spyOn(app.processor, 'session');
    await app.reconciler.reconcile();
    expect(reads).toHaveBeenCalledWith('cs_evt_ours');
    app.clock.advance(3 * DAY_MS);
    reads.mockClear();
    await app.reconciler.reconcile();
    expect(reads).not.toHaveBeenCalled();
  });
});
