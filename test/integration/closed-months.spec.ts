import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { exportLedger, verifyExport, verifyLedger, type LedgerProblem } from '../../src/audit/index.js';
import { sequenceEvents } from '../../src/audit/log/sequence-events.js';
import { LedgerKeys } from '../../src/audit/seals/ledger-keys.js';
import { ActReconciler } from '../../src/acts/workers/act-reconciler.js';
import {
  type BookBalance,
  type ClosedMonth,
  type MonthClosing as Closing,
  type RevenueMonths,
  type TrialBalance,
} from '../../src/contract/finance.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { MonthClosing } from '../../src/finance/closing/month-closing.js';
import { PROCESSOR_STREAM, type MonthClosed } from '../../src/finance/index.js';
import { ProcessorReader } from '../../src/finance/workers/processor-reader.js';
import { chainEvent } from '../../src/platform/event-store/hash-chain.js';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { type JsonObject } from '../../src/platform/json.js';
import { asOwner } from '../support/database.js';
import { PaymentsApp } from '../support/payments-app.js';
import { type Answer } from '../support/test-app.js';

jest.setTimeout(180_000);

const MINUTE_MS = 60_000;
const PRICE = 2500;
const FEE = Math.round(PRICE * 0.029) + 30;

let app: PaymentsApp;
let user: string;
/** The month of the first entry, and the two after it. */
let months: readonly [string, string, string];
let people = 0;

beforeEach(async () => {
  app = await PaymentsApp.start();
  user = app.newUser();
  const now = app.clock.now();
  const month = (later: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1)).toISOString().slice(0, 7);
  months = [month(0), month(1), month(2)];
});
afterEach(async () => {
  await app.close();
});

/** Each caller has rate limits of their own. */
const someone = (role: 'finance' | 'admin' | 'auditor' | 'user'): string => `${role}_${(people += 1)}`;

const call = <T>(name: string, body: object = {}, token = someone('finance')): Promise<Answer<T>> =>
  app.rpc<T>(name, token, body);

const close = (month: string, token?: string): Promise<Answer<ClosedMonth & { message?: string }>> =>
  call('close_book_month', { p_month: month }, token);

/** Moves the clock to a time after the start of a month, and applies and logs what was stored. */
async function moveInto(month: string, minutes: number): Promise<void> {
  app.clock.set(new Date(Date.parse(`${month}-01T00:00:00Z`) + minutes * MINUTE_MS));
  await app.project();
}

async function log(): Promise<void> {
  await sequenceEvents({ pool: app.pool, eventStore: app.eventStore });
}

async function bought(): Promise<string> {
  const session = await app.paid(user);
  await app.lookUp(user, session);
  await app.project();
  return session;
}

/** An event of now with a leaf: the log has all events of before. */
async function loggedEvent(): Promise<void> {
  await bought();
  await log();
}

async function read(): Promise<void> {
  await app.get(ProcessorReader).read();
  await app.project();
}

const endOf = (month: string): string => {
  const start = new Date(`${month}-01T00:00:00Z`);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1) - 1).toISOString();
};

async function balanceAt(at: string): Promise<readonly BookBalance[]> {
  const { body } = await call<TrialBalance>('get_trial_balance', { p_at: at });
  expect(body.debit_cents).toBe(body.credit_cents);
  return body.accounts;
}

async function centsAt(account: number, at: string): Promise<number | null> {
  const found = (await balanceAt(at)).find((each) => each.account === account);
  return found?.debit_cents == null || found.credit_cents === null ? null : found.debit_cents - found.credit_cents;
}

async function closes(): Promise<readonly StoredEvent[]> {
  return (await app.eventStore.readStream(PROCESSOR_STREAM)).filter(({ type }) => type === 'MonthClosed');
}

async function problems(): Promise<string[]> {
  const found: LedgerProblem[] = [];
  const options = { now: () => app.clock.now(), onProblem: (each: LedgerProblem) => void found.push(each) };
  await verifyLedger({ pool: app.pool, eventStore: app.eventStore }, options);
  return found.map((problem) => `${String(problem.version)} ${problem.kind}: ${problem.what}`);
}

describe('close_book_month', () => {
  it('fixes the trial balance of the end of the month, names the person and answers a repetition with the same', async () => {
    await bought();
    app.clock.advance(11 * MINUTE_MS);
    await read();
    await moveInto(months[1], 16);
    await log();
    const before = await balanceAt(endOf(months[0]));
    const finn = someone('finance');
    const { status, body } = await close(months[0], finn);
    expect({ status, body }).toEqual({
      status: 200,
      body: { month: months[0], closed_by: finn, closed_at: app.clock.now().toISOString() },
    });
    app.clock.advance(60 * MINUTE_MS);
    expect((await close(months[0], someone('admin'))).body).toEqual(body);
    const [event, ...others] = await closes();
    expect(others).toEqual([]);
    expect(event?.metadata['actorId']).toBe(finn);
    const { month, balances } = event?.data as MonthClosed;
    expect(month).toBe(months[0]);
    expect(balances).toEqual(
      before.map(({ account, debit_cents: debit, credit_cents: credit, credits }) => ({
        ...{ account, cents: (debit ?? 0) - (credit ?? 0), credits: 0 - (credits ?? 0) },
      })),
    );
    expect(balances.find(({ account }) => account === 5300)?.cents).toBe(FEE);
    const { rows } = await app.pool.query<{ kind: string; state: string; events: { id: string }[] }>(
      `select e.kind, e.state, e.body::jsonb -> 'events' as events from admin_act a join admin_act e on e.closes = a.id
       where a.id = $1`,
      [event?.metadata['causationId']],
    );
    expect(rows).toMatchObject([{ kind: 'books.month_closed', state: 'done', events: [{ id: event?.id }] }]);
    const listed = (await call<RevenueMonths>('list_revenue_months')).body;
    expect(listed.next_to_close).toBeNull();
    expect(listed.months.map((each) => [each.month, each.closed_by])).toEqual([
      [months[1], null],
      [months[0], finn],
    ]);
    expect(await problems()).toEqual([]);
  });

  it('posts a fee that comes after the close to the open month, and changes nothing at the end of the closed one', async () => {
    await bought();
    app.clock.advance(11 * MINUTE_MS);
    await read();
    app.clock.advance(MINUTE_MS);
    await bought();
    await moveInto(months[1], 20);
    await log();
    const before = await balanceAt(endOf(months[0]));
    expect((await close(months[0])).status).toBe(200);
    app.clock.advance(MINUTE_MS);
    await read();
    expect(await balanceAt(endOf(months[0]))).toEqual(before);
    expect(await centsAt(5300, endOf(months[0]))).toBe(FEE);
    const now = app.clock.now().toISOString();
    expect(await centsAt(5300, now)).toBe(2 * FEE);
    const { rows } = await app.pool.query<{ at: Date }>('select max(occurred_at) as at from processor_entry');
    expect(rows[0]?.at.toISOString()).toBe(now);
    expect(await problems()).toEqual([]);
    // A rebuild gives the same rows.
    const tables = ['processor_transaction', 'processor_entry', 'processor_sum', 'book_closed_month'];
    const all = async (): Promise<unknown> =>
      Promise.all(
        tables.map(async (table) => (await app.pool.query<object>(`select * from ${table} t order by t::text`)).rows),
      );
    const rowsBefore = await all();
    await asOwner(app).query(`delete from projection_checkpoint where name = 'processor'`);
    await app.project();
    expect(await all()).toEqual(rowsBefore);
  });

  it('leaves the accounts of the processor out of a month before its first entry, also when it comes later', async () => {
    await bought();
    await moveInto(months[1], 20);
    await log();
    const open = (await call<Closing>('get_month_closing')).body;
    expect(open).toMatchObject({ month: months[0], obstacle: null, processor_is_known: false, open_transactions: 0 });
    await close(months[0]);
    app.clock.advance(MINUTE_MS);
    await read();
    const [event] = await closes();
    expect((event?.data as MonthClosed).balances.map(({ account }) => account)).not.toContain(5300);
    expect(await centsAt(5300, endOf(months[0]))).toBeNull();
    expect(await problems()).toEqual([]);
  });

  it('counts the transactions of the month for which the ledger has nothing', async () => {
    await bought();
    await asOwner(app).query(
      `insert into processor_transaction (transaction_id, version, kind, gross_cents, fee_cents, net_cents, created_at,
         available_on, matched_cents)
       select kind, number, kind, (2 ^ number)::bigint, 0, 0, $1, $1, 0
       from unnest('{charge, refund, refundFailed, dispute, disputeReversed, fee}'::text[])
         with ordinality as kinds (kind, number)`,
      [app.clock.now()],
    );
    const open = (await call<Closing>('get_month_closing')).body;
    expect(open).toMatchObject({ open_transactions: 5, open_cents: 2 + 4 + 8 + 16 + 32 });
  });

  it('decides again when a transaction is recorded between the figures and the close', async () => {
    await bought();
    await moveInto(months[1], 20);
    await loggedEvent();
    const closing = app.get(MonthClosing);
    const figures = closing.figures.bind(closing);
    const reads = jest.spyOn(closing, 'figures').mockImplementationOnce(async (month) => {
      const found = await figures(month);
      await app.get(ProcessorReader).read();
      return found;
    });
    expect((await close(months[0])).status).toBe(200);
    expect(reads).toHaveBeenCalledTimes(2);
    // The transaction came first, so it is in the month.
    const events = await app.eventStore.readStream(PROCESSOR_STREAM);
    expect([events.at(0)?.type, events.at(-1)?.type]).toEqual(['BalanceTransactionRecorded', 'MonthClosed']);
    expect(await centsAt(5300, endOf(months[0]))).toBe(FEE);
    expect(await problems()).toEqual([]);
  });

  it('closes a month once when several people close it while transactions are recorded', async () => {
    await bought();
    await moveInto(months[1], 20);
    await loggedEvent();
    // On a slow machine the projections may be behind the new transactions. Then the answer asks to try again.
    const patiently = async (): ReturnType<typeof close> => {
      const answer = await close(months[0]);
      return answer.status === 503 ? patiently() : answer;
    };
    const answers = await Promise.all([patiently(), patiently(), patiently(), app.get(ProcessorReader).read()]);
    expect(answers.slice(0, 3)).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
    expect(await closes()).toHaveLength(1);
    await app.project();
    expect(await problems()).toEqual([]);
  });

  it('refuses a month too early, out of order, before the books, or without all its events in the log', async () => {
    const early = (await close(months[0])).body;
    expect(early.message).toBe('The books have no entry yet.');
    await bought();
    const name = (month: string): string =>
      new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${month}-01T00:00:00Z`),
      );
    const refused = async (month: string): Promise<string> => {
      const { status, body } = await close(month);
      return `${status} ${body.message}`;
    };
    expect(await refused(months[0])).toBe(`409 ${name(months[0])} has not ended yet.`);
    await moveInto(months[1], 14);
    expect(await refused(months[0])).toBe(`409 ${name(months[0])} can be closed 15 minutes after its end.`);
    await moveInto(months[1], 15);
    expect((await call<RevenueMonths>('list_revenue_months')).body.next_to_close).toBe(months[0]);
    const missing = `The public log does not have all events of ${name(months[0])} yet. Please try again in a minute.`;
    expect(await refused(months[0])).toBe(`503 ${missing}`);
    expect((await call<Closing>('get_month_closing')).body.obstacle).toBe(missing);
    await log();
    expect((await call<Closing>('get_month_closing')).body.obstacle).toBeNull();
    expect(await refused('2020-01')).toBe('400 The books begin after January 2020.');
    expect(await refused(months[1])).toBe(`409 ${name(months[1])} has not ended yet.`);
    await moveInto(months[2], 20);
    expect(await refused(months[1])).toBe(`409 Months are closed in order. Close ${name(months[0])} first.`);
    expect(await close('2026-13')).toMatchObject({ status: 400 });
    expect(await closes()).toEqual([]);
    // An event of the new month that the log has shows that all events of before are in it.
    await bought();
    await log();
    await bought();
    expect((await close(months[0])).status).toBe(200);
    expect((await close(months[1])).status).toBe(200);
    expect(await problems()).toEqual([]);
  });

  it('waits for the books to have all events', async () => {
    await bought();
    await moveInto(months[1], 20);
    await log();
    const version = (change: number): Promise<unknown> =>
      asOwner(app).query(`update projection_checkpoint set version = version + $1 where name = 'books'`, [change]);
    await version(-1);
    const rebuilt = 'The books are being rebuilt. The month can be closed afterwards.';
    expect(await close(months[0])).toMatchObject({ status: 503, body: { message: rebuilt } });
    await version(1);
    app.clock.advance(MINUTE_MS);
    const session = await app.paid(user);
    await app.lookUp(user, session);
    await log();
    const behind = 'The books do not have all events yet. Please try again in a moment.';
    expect(await close(months[0])).toMatchObject({ status: 503, body: { message: behind } });
    await app.project();
    expect((await close(months[0])).status).toBe(200);
  });

  it('refuses auditors and other people', async () => {
    await bought();
    await moveInto(months[1], 20);
    await log();
    for (const role of ['auditor', 'user'] as const) {
      expect((await close(months[0], someone(role))).status).toBe(403);
      expect((await call('get_month_closing', {}, someone(role))).status).toBe(403);
    }
    expect(await closes()).toEqual([]);
  });

  it('lets the reconciler end the act of a close whose process died', async () => {
    await bought();
    await moveInto(months[1], 20);
    await log();
    // The end of the act is lost, not the event.
    const end = jest.spyOn(Acts.prototype as unknown as { tryToEnd: () => Promise<void> }, 'tryToEnd');
    end.mockResolvedValueOnce();
    expect((await close(months[0])).status).toBe(200);
    const [event] = await closes();
    const ends = async (): Promise<unknown[]> =>
      (
        await app.pool.query<{ state: string }>(`select state from admin_act where closes = $1`, [
          event?.metadata['causationId'],
        ])
      ).rows;
    expect(await ends()).toEqual([]);
    app.clock.advance(MINUTE_MS);
    await app.get(ActReconciler).tick();
    expect(await ends()).toEqual([{ state: 'done' }]);
  });
});

describe('ledger verify', () => {
  beforeEach(async () => {
    await bought();
    app.clock.advance(11 * MINUTE_MS);
    await read();
    await moveInto(months[1], 20);
    await log();
    await close(months[0]);
    app.clock.advance(MINUTE_MS);
    await app.project();
    expect(await problems()).toEqual([]);
  });

  /** Changes the data of an event, and makes its hash and those of all events after it again. */
  async function forge(version: number, change: (data: JsonObject) => JsonObject, time?: string): Promise<void> {
    const owner = asOwner(app);
    let previous: string | null = null;
    for (const stored of await app.eventStore.readStream(PROCESSOR_STREAM)) {
      const isChanged = stored.version === version;
      const { hash: _hash, ...rest } = stored.metadata;
      const metadata = { ...rest, ...(isChanged && time !== undefined ? { occurredAt: time } : {}) };
      const event = { ...stored, data: isChanged ? change(stored.data) : stored.data, metadata };
      const { hash } = chainEvent(previous, event);
      await owner.query('update event set data = $2, metadata = $3 where stream = $4 and version = $1', [
        ...[stored.version, JSON.stringify(event.data), JSON.stringify({ ...metadata, hash }), PROCESSOR_STREAM],
      ]);
      previous = hash;
    }
    await owner.query(`delete from projection_checkpoint where name = 'processor'`);
    await app.project();
  }

  const without = (found: readonly string[], kind: string): string[] =>
    found.filter((sentence) => !sentence.includes(` ${kind}: `));

  it('names the month and the account of a changed figure, also with a chain that was made again', async () => {
    await forge(1, (data) => ({
      ...data,
      balances: (data['balances'] as { account: number; cents: number; credits: number }[]).map((balance) => ({
        ...balance,
        cents: balance.cents + (balance.account === 5300 ? 1 : balance.account === 1040 ? -1 : 0),
      })),
    }));
    expect(without(await problems(), 'log')).toEqual([
      `1 processor: ${months[0]} was closed with ${-FEE - 1} cents and 0 credits on account 1040, but the events give ${-FEE} cents and 0 credits.`,
      `1 processor: ${months[0]} was closed with ${FEE + 1} cents and 0 credits on account 5300, but the events give ${FEE} cents and 0 credits.`,
    ]);
  });

  it('accepts a month that was closed before the accounts of other shops existed, while they have no entry in it', async () => {
    const isLater = ({ account }: { account: number }): boolean => account === 1060 || account === 2310;
    await forge(1, (data) => ({
      ...data,
      balances: (data['balances'] as { account: number; cents: number; credits: number }[]).filter(
        (each) => !isLater(each),
      ),
    }));
    expect(without(await problems(), 'log')).toEqual([]);
    // An amount is not accepted.
    await forge(1, (data) => ({
      ...data,
      balances: [
        ...(data['balances'] as JsonObject[]),
        { account: 1060, cents: 5, credits: 0 },
        { account: 2310, cents: -5, credits: 0 },
      ],
    }));
    expect(without(await problems(), 'log')).toHaveLength(2);
  });

  it('names a transaction that was moved out of the closed month', async () => {
    await forge(0, (data) => ({ ...data, createdAt: `${months[1]}-01T00:00:00.000Z` }));
    const found = without(await problems(), 'log');
    expect(found).toContain(
      `1 processor: ${months[0]} was closed with ${FEE} cents and 0 credits on account 5300, but the events give nothing.`,
    );
  });

  it('names a close that is out of order or before the end of its month', async () => {
    await forge(1, (data) => ({ ...data, month: months[2] }));
    const found = without(await problems(), 'log');
    expect(found).toContain(`1 processor: ${months[2]} was closed before its end.`);
    expect(found).toContain(`1 processor: ${months[2]} was closed first, but the books begin in ${months[0]}.`);
    expect(found).toContain('1 processor: The id of the event does not follow from its transaction.');
  });

  it('names a line, a sum and a row of the tables that were changed', async () => {
    const owner = asOwner(app);
    await owner.query(
      `update book_sum set starts_at = starts_at + interval '1 month' where account = 1010 and unit = 'month'`,
    );
    expect(await problems()).toContainEqual(expect.stringContaining(`${months[0]} was closed with ${PRICE} cents`));
    await owner.query(
      `update book_sum set starts_at = starts_at - interval '1 month' where account = 1010 and unit = 'month'`,
    );
    for (const change of [
      `closed_by = closed_by || 'x'`,
      `closed_at = closed_at + interval '1 s'`,
      `balances = '[]'`,
    ]) {
      await owner.query(`create table kept as select month, closed_by, closed_at from book_closed_month`);
      await owner.query(`update book_closed_month set ${change}`);
      expect(await problems()).toEqual([
        `null projection: book_closed_month has ${months[0]} otherwise than the events.`,
      ]);
      await owner.query(
        `update book_closed_month m set closed_by = k.closed_by, closed_at = k.closed_at from kept k where k.month = m.month`,
      );
      await owner.query('drop table kept');
    }
    await owner.query(`delete from book_closed_month`);
    expect(await problems()).toEqual([`null projection: book_closed_month lacks ${months[0]}.`]);
  });

  it('names a close without an act in the log of acts', async () => {
    const events = await app.eventStore.readStream(PROCESSOR_STREAM);
    const last = events.at(-1);
    const id = crypto.randomUUID();
    const { hash, ...metadata } = last?.metadata ?? {};
    expect(hash).toBeDefined();
    const other = { ...metadata, causationId: id };
    const previous = (events.at(-2)?.metadata['hash'] ?? null) as string | null;
    const chained = chainEvent(previous, { ...(last as StoredEvent), metadata: other });
    await asOwner(app).query('update event set metadata = $1 where stream = $2 and version = 1', [
      JSON.stringify({ ...other, hash: chained.hash }),
      PROCESSOR_STREAM,
    ]);
    expect(without(await problems(), 'log')).toEqual([
      `1 act: ${months[0]} was closed, but no act in the log caused it.`,
    ]);
  });

  it('finds the close in the export, which is verified', async () => {
    await log();
    const folder = mkdtempSync(join(tmpdir(), 'fanvas-closed-'));
    try {
      const key = await app.get<LedgerKeys>(LedgerKeys as never).current();
      const found: LedgerProblem[] = [];
      const onProblem = (each: LedgerProblem): void => void found.push(each);
      const file = join(folder, 'export.ndjson');
      await exportLedger({ eventStore: app.eventStore }, file, { key, now: () => app.clock.now(), onProblem });
      await verifyExport(file, [createPublicKey(key)], onProblem, () => undefined);
      expect(found).toEqual([]);
      expect(readFileSync(file, 'utf8')).toContain('"type":"MonthClosed"');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
