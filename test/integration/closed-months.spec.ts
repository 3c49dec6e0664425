import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { exportLedger, verifyExport, type LedgerProblem } from '../../src/audit/index.js';
import { LedgerKeys } from '../../src/audit/seals/ledger-keys.js';
import { LogSchedule } from '../../src/audit/workers/log-schedule.js';
import { ActReconciler } from '../../src/admin/acts/workers/act-reconciler.js';
import {
  type BookBalance,
  type MonthClose,
  type MonthClosing as Closing,
  type RevenueMonths,
  type TrialBalance,
} from '../../src/contract/finance.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { closeOf } from '../../src/finance/closing/book-figures.js';
import { MonthClosing } from '../../src/finance/closing/month-closing.js';
import { MonthCloser, PROCESSOR_STREAM, type MonthClosed } from '../../src/finance/index.js';
import { ProcessorStore } from '../../src/finance/processor/processor-store.js';
import { ProcessorReader } from '../../src/finance/workers/processor-reader.js';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { Authenticator } from '../../src/platform/principal.js';
import { type JsonObject } from '../../src/platform/json.js';
import { rewriteStream } from '../support/forged-events.js';
import { asOwner } from '../support/database.js';
import { type PlanNode, planOf } from '../support/query-plans.js';
import { recordStatements } from '../support/statements.js';
import { PaymentsApp } from '../support/payments-app.js';
import { type Answer } from '../support/test-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(180_000);

const MINUTE_MS = 60_000;
const PRICE = 2500;
const FEE = Math.round(PRICE * 0.029) + 30;

let app: PaymentsApp;
let user: string;
/** The month of the first entry, and the two after it. */
let months: readonly [string, string, string];
let people = 0;

async function begin(): Promise<void> {
  app = await PaymentsApp.start();
  user = app.newUser();
  const now = app.clock.now();
  const month = (later: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 + later, 1)).toISOString().slice(0, 7);
  months = [month(0), month(1), month(2)];
  // The tenth of next month: on the last day of a month, the transfer to the bank would be in the month after it.
  app.clock.set(new Date(`${months[0]}-10T18:00:00Z`));
}

/** Each caller has rate limits of their own. */
const someone = (role: 'finance' | 'admin'): string => `${role}_${(people += 1)}`;

const call = <T>(name: string, body: object = {}, token = someone('finance')): Promise<Answer<T>> =>
  app.rpc<T>(name, token, body);

const look = async (): Promise<Closing> => (await call<Closing>('get_month_closing')).body;

/** Asks for a close with the present figures, or with those that were seen before. */
async function ask(month: string, token?: string, seen?: string): Promise<Answer<MonthClose & { message?: string }>> {
  const p_figures = seen ?? ((await look()).figures || '1010:0:0');
  return call('close_book_month', { p_month: month, p_figures }, token);
}

/** Lets the worker carry out what was asked, and returns the outcome. */
async function outcome(): Promise<MonthClose | null> {
  await app.get(MonthCloser).tick();
  return (await call<RevenueMonths>('list_revenue_months')).body.closing;
}

/** Asks for a close, and asks again once the worker has carried it out. */
async function close(month: string, token?: string): ReturnType<typeof ask> {
  const answer = await ask(month, token);
  if (answer.status !== 200) return answer;
  await app.get(MonthCloser).tick();
  return ask(month, token);
}

/** Moves the clock to a time after the start of a month, and applies and logs what was stored. */
async function moveInto(month: string, minutes: number): Promise<void> {
  app.clock.set(new Date(Date.parse(`${month}-01T00:00:00Z`) + minutes * MINUTE_MS));
  await app.project();
}

async function log(): Promise<void> {
  await app.get(LogSchedule).tick();
}

async function bought(): Promise<string> {
  const session = await app.bought(user);
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

/** How the acts of closes have ended. */
async function endsOfActs(): Promise<string[]> {
  const { rows } = await app.pool.query<{ state: string }>(
    `select state from admin_act where kind = 'books.month_closed' and closes is not null order by number`,
  );
  return rows.map(({ state }) => state);
}

async function problems(): Promise<string[]> {
  const { problems: found } = await verifiedLedger(app, () => app.clock.now());
  return found.map((problem) => `${String(problem.version)} ${problem.kind}: ${problem.what}`);
}

describe('close_book_month', () => {
  beforeEach(begin);
  afterEach(() => app.close());

  it('fixes the trial balance of the end of the month, names the person and answers a repetition with the same', async () => {
    await bought();
    app.clock.advance(11 * MINUTE_MS);
    await read();
    await moveInto(months[1], 16);
    await log();
    const before = await balanceAt(endOf(months[0]));
    const finn = someone('finance');
    const { status, body } = await close(months[0], finn);
    const person = { asked_by: finn, asked_by_name: null, asked_at: app.clock.now().toISOString() };
    expect({ status, body }).toEqual({
      status: 200,
      body: { month: months[0], state: 'closed', ...person, obstacle: null, changes: [] },
    });
    app.clock.advance(60 * MINUTE_MS);
    expect((await close(months[0], someone('admin'))).body).toEqual(body);
    const [event, ...others] = await closes();
    expect(others).toEqual([]);
    expect(event?.metadata['actorId']).toBe(finn);
    const { month, balances } = event!.data as MonthClosed;
    expect(month).toBe(months[0]);
    expect(balances).toEqual(
      before.map(({ account, debit_cents: debit, credit_cents: credit, credits }) => ({
        account,
        cents: (debit ?? 0) - (credit ?? 0),
        credits: 0 - (credits ?? 0),
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
    expect((await close(months[0])).body.state).toBe('closed');
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

  it('names what changed when a transaction is recorded between the figures and the close, and closes nothing', async () => {
    await bought();
    await moveInto(months[1], 20);
    await loggedEvent();
    const closing = app.get(MonthClosing);
    const figures = closing.figures.bind(closing);
    const reads = jest.spyOn(closing, 'figures');
    const seen = (await look()).figures;
    reads.mockClear().mockImplementationOnce(async (month) => {
      const found = await figures(month);
      await app.get(ProcessorReader).read();
      return found;
    });
    await ask(months[0], someone('finance'), seen);
    const ended = await outcome();
    expect(reads).toHaveBeenCalledTimes(2);
    expect(ended).toMatchObject({ state: 'changed', obstacle: null });
    const changes = ended?.changes.filter(({ found_cents: cents }) => cents !== 0) ?? [];
    expect(changes.map((each) => [each.account, each.name, each.seen_cents, each.found_cents])).toEqual([
      [1040, 'Processor cash: fees withheld', null, -FEE],
      [1050, 'Processor cash: transfers to the bank', null, FEE - PRICE],
      [1100, 'Bank', 0, PRICE - FEE],
      [5300, 'Processor fees', null, FEE],
    ]);
    expect(await closes()).toEqual([]);
    expect(await endsOfActs()).toEqual(['refused']);
    // The person looks again: the transaction came first, so it is in the month.
    expect((await close(months[0])).body.state).toBe('closed');
    const events = await app.eventStore.readStream(PROCESSOR_STREAM);
    expect([events.at(0)?.type, events.at(-1)?.type]).toEqual(['BalanceTransactionRecorded', 'MonthClosed']);
    expect(await centsAt(5300, endOf(months[0]))).toBe(FEE);
    expect(await problems()).toEqual([]);
  });

  it('closes a month once and answers each of 20 people who close it at once while transactions are recorded', async () => {
    await bought();
    await moveInto(months[1], 20);
    await loggedEvent();
    await read();
    app.clock.advance(MINUTE_MS);
    await loggedEvent();
    const seen = (await look()).figures;
    const clicks = Array.from({ length: 20 }, () => ask(months[0], someone('finance'), seen));
    const answers = await Promise.all([...clicks, app.get(ProcessorReader).read()]);
    const bodies = answers.slice(0, 20).map((answer) => (answer as Awaited<(typeof clicks)[number]>).body);
    expect(new Set(bodies.map(({ month, asked_by: by }) => `${month} ${by}`)).size).toBe(1);
    expect(bodies.filter(({ state }) => state !== 'waiting' && state !== 'closed')).toEqual([]);
    expect(await outcome()).toBeNull();
    expect((await ask(months[0])).body).toMatchObject({ state: 'closed', asked_by: bodies[0]?.asked_by });
    expect(await closes()).toHaveLength(1);
    expect(await endsOfActs()).toEqual(['done']);
    expect(await problems()).toEqual([]);
  });

  it('refuses a month too early, out of order, or before the books', async () => {
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
    const missing = `The public log does not have all events of ${name(months[0])} yet.`;
    expect((await look()).obstacle).toBe(missing);
    await log();
    expect((await look()).obstacle).toBeNull();
    expect(await refused('2020-01')).toBe('400 The books begin after January 2020.');
    expect(await refused(months[1])).toBe(`409 ${name(months[1])} has not ended yet.`);
    await moveInto(months[2], 20);
    expect(await refused(months[1])).toBe(`409 Months are closed in order. Close ${name(months[0])} first.`);
    expect(await close('2026-13')).toMatchObject({ status: 400 });
    for (const figures of ['', '1010', '1010:1:0;', '1010:1:0 2000:1:0', '1010:1:0;'.repeat(51)]) {
      expect((await call('close_book_month', { p_month: months[0], p_figures: figures })).status).toBe(400);
    }
    expect(await closes()).toEqual([]);
    await log();
    // Events that the log does not have yet are of the open month.
    await bought();
    expect((await close(months[0])).body.state).toBe('closed');
    expect((await close(months[1])).body.state).toBe('closed');
    expect(await problems()).toEqual([]);
  });
});

describe('close_book_month after the end of the month', () => {
  let restore: () => Promise<void>;
  beforeAll(async () => {
    await begin();
    await bought();
    await moveInto(months[1], 20);
    restore = await app.keep();
  });
  beforeEach(() => restore());
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => app.close());

  it('leaves the accounts of the processor out of a month before its first entry, also when it comes later', async () => {
    await log();
    expect(await look()).toMatchObject({
      month: months[0],
      obstacle: null,
      processor_is_known: false,
      open_transactions: 0,
    });
    await close(months[0]);
    app.clock.advance(MINUTE_MS);
    await read();
    const [event] = await closes();
    expect((event!.data as MonthClosed).balances.map(({ account }) => account)).not.toContain(5300);
    expect(await centsAt(5300, endOf(months[0]))).toBeNull();
    expect(await problems()).toEqual([]);
  });

  it('counts the transactions of the month for which the ledger has nothing', async () => {
    await asOwner(app).query(
      `insert into processor_transaction (transaction_id, version, kind, gross_cents, fee_cents, net_cents, created_at,
         available_on, matched_cents)
       select kind, number, kind, (2 ^ number)::bigint, 0, 0, $1, $1, 0
       from unnest('{charge, refund, refundFailed, dispute, disputeReversed, fee}'::text[])
         with ordinality as kinds (kind, number)`,
      [endOf(months[0])],
    );
    expect(await look()).toMatchObject({ open_transactions: 5, open_cents: 2 + 4 + 8 + 16 + 32 });
  });

  it('waits for the log and the books to have all events, and closes the month then', async () => {
    const finn = someone('finance');
    const version = (change: number): Promise<unknown> =>
      asOwner(app).query(`update projection_checkpoint set version = version + $1 where name = 'books'`, [change]);
    const { figures: seen } = await look();
    await version(-1);
    expect(await ask(months[0], finn, seen)).toMatchObject({ status: 200, body: { state: 'waiting', asked_by: finn } });
    const waits = async (): Promise<string | null> => {
      const close = await outcome();
      expect(close?.state).toBe('waiting');
      return close?.obstacle ?? null;
    };
    expect(await waits()).toBe('The books are being rebuilt. The month can be closed afterwards.');
    await version(1);
    expect(await waits()).toContain('The public log does not have all events of');
    // A log that cannot go on says so.
    await log();
    await asOwner(app).query(`update log_leaf set event_id = gen_random_uuid()
      where index = (select max(index) from log_leaf)`);
    await log();
    expect(await waits()).toContain('The public log does not have all events of');
    await asOwner(app).query(`update log_leaf l set event_id = e.event_id from event e
      where e.stream = l.stream and e.version = l.version`);
    app.clock.advance(MINUTE_MS);
    await app.bought(user);
    await log();
    expect(await waits()).toBe('The books do not have all events yet.');
    // The reconciler does not end the act of a close that waits.
    app.clock.advance(20 * MINUTE_MS);
    await app.get(ActReconciler).tick();
    expect(await endsOfActs()).toEqual([]);
    await app.project();
    // Another person who asks meanwhile gets the close that waits, also with other figures.
    expect((await ask(months[0], someone('admin'), '1010:1:0')).body).toMatchObject({ asked_by: finn });
    expect(await outcome()).toBeNull();
    expect((await closes()).map(({ metadata }) => metadata['actorId'])).toEqual([finn]);
    expect(await endsOfActs()).toEqual(['done']);
  });

  it('refuses the close of a person whose role was removed while it waited, and lets another person close', async () => {
    const finn = someone('finance');
    await ask(months[0], finn);
    // The call has woken the worker, which may look again as soon as the log is there.
    const roles = jest.spyOn(app.get(Authenticator), 'rolesOf').mockResolvedValueOnce(new Set(['auditor']));
    await log();
    await app.get(MonthCloser).tick();
    expect(roles).toHaveBeenCalledWith(finn, { fresh: true });
    expect(await outcome()).toMatchObject({
      state: 'refused',
      asked_by: finn,
      obstacle: 'The person who asked may not close months any more.',
    });
    expect([await closes(), await endsOfActs()]).toEqual([[], ['refused']]);
    expect((await close(months[0], someone('admin'))).body.state).toBe('closed');
  });

  it('adds no event when the month was closed in between', async () => {
    await ask(months[0]);
    // A process of another version closes it.
    const store = app.get(ProcessorStore);
    const closing = app.get(MonthClosing);
    await store.append(await store.head(), [closeOf(months[0], await closing.figures(months[0]))]);
    // Before figures are read, the rows have the events of the stream.
    await closing.head();
    expect((await app.pool.query('select month from book_closed_month')).rows).toEqual([{ month: months[0] }]);
    await app.project();
    await log();
    expect(await outcome()).toBeNull();
    const { rows } = await app.pool.query('select state from month_close');
    expect([rows, (await closes()).length]).toEqual([[{ state: 'closed' }], 1]);
    app.clock.advance(20 * MINUTE_MS);
    await app.get(ActReconciler).tick();
    expect(await endsOfActs()).toEqual(['refused']);
  });

  it('carries out at the next start what a process has stored that died afterwards', async () => {
    await log();
    const closer = app.get(MonthCloser);
    jest.spyOn(closer, 'wake').mockReturnValueOnce();
    expect((await ask(months[0])).body.state).toBe('waiting');
    expect(await closes()).toEqual([]);
    // The run at the start, which `fromStart` makes.
    await (closer as unknown as { onStart(): Promise<void> }).onStart();
    expect(await outcome()).toBeNull();
    expect(await closes()).toHaveLength(1);
  });

  it('lets the reconciler end the act of a close whose process died', async () => {
    await log();
    // The end of the act is lost, not the event.
    jest.spyOn(app.get(Acts), 'end').mockRejectedValueOnce(new Error('killed'));
    expect((await ask(months[0])).status).toBe(200);
    await app.get(MonthCloser).tick();
    await app.project();
    expect(await outcome()).toBeNull();
    expect((await close(months[0])).body.state).toBe('closed');
    expect([await closes(), await endsOfActs()]).toMatchObject([[{ type: 'MonthClosed' }], []]);
    app.clock.advance(MINUTE_MS);
    await app.get(ActReconciler).tick();
    expect(await endsOfActs()).toEqual(['done']);
  });
});

describe('ledger verify', () => {
  let restore: () => Promise<void>;
  beforeAll(async () => {
    await begin();
    await bought();
    app.clock.advance(11 * MINUTE_MS);
    await read();
    await moveInto(months[1], 20);
    await log();
    await close(months[0]);
    app.clock.advance(MINUTE_MS);
    await app.project();
    restore = await app.keep();
  });
  beforeEach(async () => {
    await restore();
    expect(await problems()).toEqual([]);
  });
  afterAll(() => app.close());

  /** Changes the data and the origin of an event, and makes its hash and those of all events after it again. */
  async function forge(version: number, change: (data: JsonObject) => JsonObject, origin = {}): Promise<void> {
    await rewriteStream(app.eventStore, app, PROCESSOR_STREAM, (event) =>
      event.version === version
        ? { ...event, data: change(event.data), metadata: { ...event.metadata, ...origin } }
        : event,
    );
    await asOwner(app).query(`delete from projection_checkpoint where name = 'processor'`);
    await app.project();
  }

  /** The most lines of the books that a node passes on at once. */
  const linesRead = (node: PlanNode): number =>
    Math.max(
      node['Relation Name'] === 'book_entry' ? (node['Actual Rows'] ?? 0) : 0,
      ...(node.Plans ?? []).map(linesRead),
    );
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
    const recorder = recordStatements();
    const found = without(await problems(), 'log');
    recorder.stop();
    const [first] = recorder.all.filter(({ text }) => text.includes('min(occurred_at)'));
    // The first line of each account: not the whole journal.
    expect(linesRead(await planOf(app.pool, first!))).toBeLessThanOrEqual(1);
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

  it.each([
    ['an act in the log of acts', { causationId: crypto.randomUUID() }],
    ['an act of the person who is named', { actorId: 'finance_other' }],
  ])('names a close without %s', async (_, change) => {
    await forge(1, (data) => data, change);
    expect(without(await problems(), 'log')).toEqual([
      `1 act: ${months[0]} was closed, but no act of that person in the log caused it.`,
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
