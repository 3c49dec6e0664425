import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  exportLedger,
  makeSeal,
  proveSeal,
  SealedHeads,
  verifyExport,
  verifyLedger,
  type LedgerProblem,
} from '../../src/audit/index.js';
import { sequenceEvents } from '../../src/audit/log/sequence-events.js';
import { LedgerKeys } from '../../src/audit/seals/ledger-keys.js';
import { PROCESSOR_STREAM, readProcessorEvent } from '../../src/finance/index.js';
import { GetEventEntries, ListBookEntries } from '../../src/finance/reads/book-entries.js';
import { GetTrialBalance } from '../../src/finance/reads/trial-balance.js';
import { ProcessorReader, type ProcessorRead } from '../../src/finance/workers/processor-reader.js';
import { ReadBalance } from '../../src/payments/index.js';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { asOwner } from '../support/database.js';
import { PaymentsApp } from '../support/payments-app.js';
import { loadVerifier } from '../support/verifier.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(120_000);

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The price of the bundle that is bought, and Stripe's fee of it. */
const PRICE = 2500;
const FEE = Math.round(PRICE * 0.029) + 30;

let app: PaymentsApp;
let user: string;

async function begin(): Promise<void> {
  app = await PaymentsApp.start();
  // The sandbox pays out at midnight. From noon on, only the test decides when that is.
  const sinceNoon = (app.clock.now().getTime() + DAY_MS / 2) % DAY_MS;
  app.clock.advance(DAY_MS - sinceNoon);
  user = app.newUser();
}

/** Lets all movements become old enough to be recorded, and reads them. */
async function read(): Promise<ProcessorRead | undefined> {
  app.clock.advance(11 * MINUTE_MS);
  await app.project();
  const result = await app.get(ProcessorReader).read();
  await app.project();
  return result;
}

async function events(): Promise<StoredEvent[]> {
  return app.eventStore.readStream(PROCESSOR_STREAM);
}

/** Kinds, and whether the ledger had it. */
async function kinds(): Promise<string[]> {
  return (await events()).map((stored) => {
    const event = readProcessorEvent(stored);
    if (event.type !== 'BalanceTransactionRecorded') return 'matched later';
    return `${event.data.kind}${event.data.match ? ', matched' : ''}`;
  });
}

/** Debit balances of the accounts that only the processor's events post to; null: unknown. */
async function balances(at: Date | null = null): Promise<Record<number, number | null>> {
  const { accounts } = await app.queries.execute(new GetTrialBalance(at));
  const wanted = new Set([1015, 1040, 1050, 1100, 2300, 5300]);
  return Object.fromEntries(
    accounts
      .filter(({ account }) => wanted.has(account))
      .map(({ account, debit_cents: debit, credit_cents: credit }) => [
        account,
        debit === null || credit === null ? null : debit - credit,
      ]),
  );
}

/** The cash at the processor by the books, and by the processor. */
async function cash(): Promise<{ readonly books: number; readonly processor: number }> {
  const { accounts, debit_cents: debit, credit_cents: credit } = await app.queries.execute(new GetTrialBalance(null));
  expect(debit).toBe(credit);
  const books = accounts
    .filter(({ account }) => account < 1100)
    .reduce((sum, { debit_cents: a, credit_cents: b }) => sum + (a ?? 0) - (b ?? 0), 0);
  return { books, processor: await app.queries.execute(new ReadBalance()) };
}

async function problems(): Promise<string[]> {
  const { problems: found } = await verifiedLedger(app, () => app.clock.now());
  return found.map(({ stream, version, kind }) => `${stream} @ ${String(version)}: ${kind}`);
}

describe('the stream of the processor', () => {
  beforeEach(begin);
  afterEach(() => app.close());

  it('posts the fee of a purchase; before its first event the books say unknown', async () => {
    const session = await app.bought(user);
    await app.project();
    // The bank has the payouts alone.
    const unknown = { 1015: null, 1040: null, 1050: null, 2300: null, 5300: null };
    expect(await balances()).toEqual({ ...unknown, 1100: 0 });
    const before = app.clock.now();
    app.clock.advance(MINUTE_MS);
    await app.bought(user);
    expect(await read()).toEqual({ recorded: 2, matched: 0 });
    expect(await kinds()).toEqual(['charge, matched', 'charge, matched']);
    expect(await balances()).toEqual({ 1015: 0, 1040: -2 * FEE, 1050: 0, 1100: 0, 2300: 0, 5300: 2 * FEE });
    // The entries have the time of the processor.
    expect(await balances(before)).toMatchObject({ 1040: -FEE, 5300: FEE });
    expect(await balances(new Date(before.getTime() - DAY_MS)).catch(String)).toContain('The books begin at');
    const { books, processor } = await cash();
    expect([books, processor]).toEqual([2 * (PRICE - FEE), 2 * (PRICE - FEE)]);
    const [first] = await events();
    expect(first?.data).toMatchObject({
      schemaVersion: 1,
      kind: 'charge',
      grossCents: PRICE,
      feeCents: FEE,
      netCents: PRICE - FEE,
      orderId: null,
      match: { sessionId: session, reversalId: null, matchedCents: PRICE },
    });
    const entries = await app.queries.execute(new GetEventEntries({ userId: PROCESSOR_STREAM, version: 0 }));
    expect(entries.map(({ account, session_id: id }) => [account, id])).toEqual([
      [1040, session],
      [5300, session],
    ]);
    const period = { from: new Date(before.getTime() - DAY_MS), to: new Date(before.getTime() + DAY_MS) };
    const listed = await app.queries.execute(
      new ListBookEntries({ ...period, accounts: [5300], creatorId: null, boughtMonth: null, limit: 1, after: null }),
    );
    expect(listed).toMatchObject({ cents: 2 * FEE, entries: [{ debit_cents: FEE }] });
    const next = { ...period, accounts: [5300], creatorId: null, boughtMonth: null, limit: 5, after: listed.next };
    expect((await app.queries.execute(new ListBookEntries(next))).entries).toHaveLength(1);
  });

  it('writes nothing for what it has recorded, and lets one instance read at a time', async () => {
    await app.bought(user);
    expect(await read()).toEqual({ recorded: 1, matched: 0 });
    expect(await read()).toEqual({ recorded: 0, matched: 0 });
    await app.bought(user);
    app.clock.advance(11 * MINUTE_MS);
    const reader = app.get(ProcessorReader);
    const results = await Promise.all([reader.read(), reader.read(), reader.read()]);
    expect(results.map((result) => result?.recorded ?? 0).reduce((a, b) => a + b)).toBe(1);
    expect(await events()).toHaveLength(2);
  });

  it('waits with what is younger than ten minutes', async () => {
    await app.bought(user);
    expect(await app.get(ProcessorReader).read()).toEqual({ recorded: 0, matched: 0 });
    expect(await read()).toEqual({ recorded: 1, matched: 0 });
  });

  it('agrees with the balance of the processor after refunds, disputes, payouts and their return', async () => {
    const refunded = await app.bought(user, 'refundFails');
    const won = await app.bought(user);
    const lost = await app.bought(user);
    await app.sandbox.refund(refunded, { amount: 500 });
    const first = await app.sandbox.dispute(won);
    const second = await app.sandbox.dispute(lost, { amount: 1000 });
    await app.reconciler.reconcile();
    await read();
    expect((await kinds()).sort()).toEqual([
      ...['charge, matched', 'charge, matched', 'charge, matched'],
      ...['dispute, matched', 'dispute, matched', 'refund, matched'],
    ]);
    expect(await cash()).toMatchObject({ books: (await cash()).processor });
    await app.sandbox.closeDispute(first.id, 'won');
    await app.sandbox.closeDispute(second.id, 'lost');
    // The refund fails after an hour.
    app.clock.advance(2 * 60 * MINUTE_MS);
    await app.reconciler.reconcile();
    await read();
    expect((await kinds()).slice(6).sort()).toEqual(['disputeReversed, matched', 'refundFailed, matched']);
    const before = await cash();
    expect(before.books).toBe(before.processor);
    expect(before.processor).toBe(3 * (PRICE - FEE) - 1000 - 2 * 1500);
    // Payments are available after two days, and leave at the next midnight.
    app.clock.advance(4 * DAY_MS);
    await read();
    expect(await cash()).toEqual({ books: 0, processor: 0 });
    expect(await balances()).toMatchObject({ 1015: 0, 1050: 0 - before.processor, 1100: before.processor, 2300: 0 });
    const [payout] = app.sandbox.payouts();
    await app.sandbox.failPayout(payout?.id ?? '');
    await read();
    expect((await kinds()).slice(8)).toEqual(['payout', 'payoutReturned']);
    expect(await balances()).toMatchObject({ 1050: 0, 1100: 0 });
    expect(await cash()).toEqual({ books: before.processor, processor: before.processor });
  });

  it("matches the refund of an admin by the admin's order", async () => {
    const session = await app.bought(user);
    const body = {
      p_session_id: session,
      p_credits: 10,
      p_reason: 'Asked for it',
      p_idempotency_key: crypto.randomUUID(),
    };
    const { status } = await app.rpc('refund_purchase', 'admin_1', body);
    expect(status).toBe(200);
    await app.settleDown();
    await read();
    expect(await kinds()).toEqual(['charge, matched', 'refund, matched']);
    const [, refund] = (await events()).map((stored) => readProcessorEvent(stored).data);
    expect(refund).toMatchObject({ match: { reversalId: (refund as { orderId: string }).orderId } });
    expect(await cash()).toMatchObject({ books: (await cash()).processor });
  });

  it('posts a receipt that no purchase knows, until the ledger has it', async () => {
    const session = await app.paid(user);
    await read();
    expect(await balances()).toMatchObject({ 1015: PRICE, 2300: -PRICE });
    expect(await cash()).toMatchObject({ books: PRICE - FEE, processor: PRICE - FEE });
    await app.lookUp(user, session);
    expect(await read()).toEqual({ recorded: 0, matched: 1 });
    expect(await kinds()).toEqual(['charge', 'matched later']);
    expect(await balances()).toMatchObject({ 1015: 0, 2300: 0, 1040: -FEE });
    expect(await read()).toEqual({ recorded: 0, matched: 0 });
    expect(await cash()).toMatchObject({ books: PRICE - FEE, processor: PRICE - FEE });
  });

  it('takes back an unmatched receipt when its money is refunded', async () => {
    const id = await app.paidElsewhere(user, 7500);
    await app.settleDown();
    await read();
    expect(await balances()).toMatchObject({ 1015: 7500, 2300: -7500 });
    await app.sandbox.refund(id);
    await read();
    expect(await kinds()).toEqual(['charge', 'refund']);
    expect(await balances()).toMatchObject({ 1015: 0, 2300: 0 });
    expect(await cash()).toMatchObject({ books: (await cash()).processor });
  });

  it('posts the difference when the ledger has another amount, and leaves the ledger as it is', async () => {
    const sessionId = await app.boughtForOther(user, PRICE - 100);
    await read();
    expect(await kinds()).toEqual(['charge, matched']);
    expect(await balances()).toMatchObject({ 1015: 100, 2300: -100 });
    expect((await app.ledger(user)).at(-1)?.data).toMatchObject({ amountCents: PRICE - 100 });
    // A reversal that the processor does not know changes nothing here.
    await app.reverse(user, sessionId, 're_unknown', 500);
    await read();
    expect(await kinds()).toEqual(['charge, matched']);
  });

  it('continues with the next page after a lost answer, and records every transaction once', async () => {
    for (let made = 0; made < 105; made += 1) {
      await app.paidElsewhere(user, 100 + made);
      app.clock.advance(1000);
    }
    // The walk to the first page takes two calls; the third one is the next page.
    app.sandbox.faults.next('lost', 'GET /balance_transactions');
    await expect(read()).rejects.toThrow('did not answer');
    expect(await events()).toEqual([]);
    const walk = app.get(ProcessorReader).read();
    await expect(walk).resolves.toEqual({ recorded: 105, matched: 0 });
    await app.project();
    const amounts = (await events()).map(({ data }) => data['grossCents']);
    expect(amounts).toEqual(Array.from({ length: 105 }, (_, index) => 100 + index));
    // Only what follows the newest transaction before the overlap is read again.
    app.clock.advance(4 * DAY_MS);
    await app.paid(user);
    expect(await read()).toEqual({ recorded: 2, matched: 0 });
    expect((await kinds()).slice(105)).toEqual(['payout', 'charge']);
  });
});

describe('ledger verify', () => {
  let folder: string;
  let restore: () => Promise<void>;
  beforeAll(async () => {
    await begin();
    folder = mkdtempSync(join(tmpdir(), 'fanvas-processor-'));
    const session = await app.bought(user);
    await app.paid(user);
    await read();
    await app.sandbox.dispute(session);
    await app.reconciler.reconcile();
    await read();
    restore = await app.keep();
  });
  beforeEach(() => restore());
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds nothing in what was recorded, and rebuilds the same rows', async () => {
    expect(await kinds()).toEqual(['charge, matched', 'charge', 'dispute, matched', 'matched later']);
    expect(await problems()).toEqual([]);
    const owner = asOwner(app);
    const tables = ['processor_transaction', 'processor_entry', 'processor_sum', 'processor_kind_sum'];
    const rows = async (): Promise<unknown> => {
      const found: unknown[] = [];
      for (const table of tables) {
        const text = `select coalesce(json_agg(t order by to_jsonb(t)), '[]')::text as rows from ${table} t`;
        found.push((await owner.query<{ rows: string }>(text)).rows[0]?.rows);
      }
      return found;
    };
    const before = await rows();
    await owner.query(`delete from projection_checkpoint where name = 'processor'`);
    await app.project();
    expect(await rows()).toEqual(before);
  });

  it('finds changed rows, lines, sums and events', async () => {
    const owner = asOwner(app);
    const at = (version: number | null, kind: string): string => `${PROCESSOR_STREAM} @ ${String(version)}: ${kind}`;
    const cheats: readonly (readonly [statement: string, named: readonly string[]])[] = [
      [
        `update processor_transaction set gross_cents = gross_cents + 1 where version = 0`,
        [at(null, 'projection'), at(null, 'projection'), '* @ null: projection', '* @ null: projection'],
      ],
      [
        `update processor_transaction set matched_cents = 5 where version = 1`,
        [at(null, 'projection'), '* @ null: projection', '* @ null: projection'],
      ],
      [`update processor_entry set session_id = 'x' where version = 0 and line = 0`, [at(null, 'projection')]],
      [
        `insert into processor_entry select 99, line, account, event_type, occurred_at, 0, 'txn_x', null, null
         from processor_entry where version = 0 and line = 0`,
        [at(null, 'projection')],
      ],
      [`update processor_sum set cents = cents + 1 where account = 5300 and unit = 'month'`, ['* @ null: projection']],
      [
        `update processor_kind_sum set matched = matched + 1 where kind = 'charge' and unit = 'month'`,
        ['* @ null: projection'],
      ],
      [
        `update event set data = jsonb_set(data, '{feeCents}', '1') where stream = 'processor' and version = 0`,
        [at(0, 'chain'), at(0, 'processor'), at(null, 'projection'), at(null, 'projection'), at(null, 'projection')],
      ],
    ];
    for (const [statement, named] of cheats) {
      await owner.query(statement);
      expect(await problems()).toEqual(named);
      await restore();
    }
    expect(await problems()).toEqual([]);
    await owner.query(`delete from event where stream = 'processor'`);
    expect(await problems()).toContain(at(null, 'version'));
  });

  it('includes the stream in the public log, the seals and the export, and the independent verifier follows it', async () => {
    const { eventStore, pool, clock } = app;
    const key = await app.get<LedgerKeys>(LedgerKeys as never).current();
    const trusted = [createPublicKey(key)];
    const found: LedgerProblem[] = [];
    const onProblem = (each: LedgerProblem): void => void found.push(each);
    const now = () => clock.now();
    const all = (await eventStore.readAll({ after: null, limit: 1000 })).length;
    expect(await sequenceEvents({ pool, eventStore })).toMatchObject({ added: all });
    expect(await problems()).toEqual([]);
    const file = join(folder, 'export.ndjson');
    const manifest = await exportLedger({ eventStore }, file, { key, now, onProblem });
    expect(manifest.events).toBe(all);
    const streams = readFileSync(file, 'utf8').match(/(?<="head":\{"hash":"\w+","stream":")[^"]+/g);
    expect(streams?.at(-1)).toBe(PROCESSOR_STREAM);
    const { file: seal } = await makeSeal({ pool, eventStore, key, now, folder });
    const proven = await proveSeal(seal, trusted, () => undefined);
    const heads = () => SealedHeads.open(proven ? [proven] : []);
    await verifyExport(file, trusted, onProblem, () => undefined, await heads());
    await verifyLedger({ pool, eventStore, sealed: await heads() }, { now, onProblem });
    expect(found).toEqual([]);
    const { Stream } = await loadVerifier();
    const complaints: string[] = [];
    const chain = new Stream(PROCESSOR_STREAM, (sentence) => complaints.push(sentence));
    for (const event of await events()) await chain.add(event);
    expect(complaints).toEqual([]);
    // The events cannot disappear.
    await asOwner(app).query(`delete from event where stream = 'processor' and version > 1`);
    await verifyLedger({ pool, eventStore, sealed: await heads() }, { now, onProblem });
    expect(found.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['log', 'seal']));
  });
});
