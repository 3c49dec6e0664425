import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import { readVerificationState, type VerificationState } from '../../src/audit/continuous/verification-state.js';
import { verifyNewEvents, type VerificationRun } from '../../src/audit/continuous/verify-new-events.js';
import { newEvents, streamsWithProblems } from '../../src/audit/continuous/verified-streams.js';
import { booksProjection } from '../../src/finance/index.js';
import { type EventStore } from '../../src/platform/event-store/event-store.js';
import { appendForged, rewriteStream } from '../support/forged-events.js';
import { asOwner } from '../support/database.js';
import { REVENUE_TABLES, startLedger, type LedgerApp } from '../support/ledger-app.js';
import { adoptPolicy } from '../support/policy.js';
import { recordStatements } from '../support/statements.js';
import { until } from '../support/until.js';
import { storeGeneration } from '../support/stored-generation.js';

jest.setTimeout(60_000);

/** Names of all projections are one parameter of a statement. */
const PROJECTIONS = 4;
const STREAM = 'creditAccount-mallory';

let ledger: LedgerApp;

beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());

const run = (maxEvents = 50_000): Promise<VerificationRun> =>
  verifyNewEvents(
    { pool: ledger.database.pool, eventStore: ledger.eventStore },
    { now: () => ledger.clock.now(), maxEvents },
  );
const state = (): Promise<VerificationState> => readVerificationState(ledger.database.pool, 20);
const problems = async (): Promise<{ stream: string; kind: string }[]> =>
  (await state()).first.map(({ stream, kind }) => ({ stream, kind }));
const query = async (text: string, ...values: unknown[]): Promise<void> => {
  await asOwner(ledger.database).query(text, values);
};
/** Appends an event with a right hash, as someone with the password of the database could. */
const forge = async (type: string, change: object): Promise<void> => {
  const events = await ledger.eventStore.readStream(STREAM);
  const model = events.find((event) => event.type === type);
  const last = events.at(-1);
  if (!model || !last) throw new Error(`There is no ${type} event.`);
  const metadata = { ...model.metadata, occurredAt: ledger.clock.now().toISOString() };
  await appendForged(ledger.eventStore, last, { id: v7(), type, data: { ...model.data, ...change }, metadata });
  await ledger.project();
};

describe('continuous verification', () => {
  beforeEach(async () => {
    await ledger.clear();
    await ledger.eventfulAccount('alice');
    await ledger.eventfulAccount('mallory');
    await run();
    expect(await state()).toMatchObject({ problems: 0 });
  });

  it('verifies each event once, and finds no problem on a clean day', async () => {
    const before = (await state()).events;
    expect(await run()).toMatchObject({ events: 0, accounts: 0, verifiedCompletely: 0, problems: 0 });
    await ledger.eventfulAccount('bob');
    await ledger.daily('alice');
    await ledger.purchase('mallory', 'cs_1', 100);
    await ledger.creditedCheckout('mallory', 'cs_1', 100);
    await ledger.generation('mallory', 'delivered', 90);
    await ledger.project();
    const found = await run();
    expect(found).toMatchObject({ accounts: 3, verifiedCompletely: 0, startedAgain: false, problems: 0 });
    const { rows } = await ledger.database.pool.query<{ events: number }>(
      `select count(*)::int as events from event where starts_with(stream, 'creditAccount-')`,
    );
    expect(await state()).toMatchObject({ events: rows[0]?.events, verifiedUntil: ledger.clock.now() });
    expect(found.events).toBe((rows[0]?.events ?? 0) - before);
  });

  it.each([1, 3])('accepts reversals and repayments of debt in runs of %i events', async (maxEvents) => {
    await ledger.purchase('mallory', 'cs_1', 100);
    await ledger.creditedCheckout('mallory', 'cs_1', 100);
    await ledger.generation('mallory', 'delivered', 90);
    await ledger.project();
    expect(await run(maxEvents)).toMatchObject({ events: maxEvents });
    await ledger.reverse('mallory', 'cs_1', 100);
    await query('truncate payment_reversal');
    await query(
      `insert into payment_reversal (object_id, reversal_id, session_id, kind, amount_cents, state, stands, updated_at)
       values ('re_1', 're_of_cs_1', 'cs_1', 'refund', 1000, 'reversed', true, now())`,
    );
    await ledger.purchase('mallory', 'cs_2', 50);
    await ledger.creditedCheckout('mallory', 'cs_2', 50);
    await ledger.project();
    let runs = 0;
    while ((await run(maxEvents)).events > 0 && runs < 10) runs += 1;
    expect(await state()).toMatchObject({ problems: 0, verifiedUntil: ledger.clock.now() });
    await ledger.gift('mallory', 5);
    await ledger.project();
    expect(await run(maxEvents)).toMatchObject({ events: 1, verifiedCompletely: 0, problems: 0 });
  });

  it('goes on with the events of an account that it has verified completely in between', async () => {
    await query(`update verified_account set state = null where user_id = 'mallory'`);
    for (const credits of [5, 6]) await ledger.gift('mallory', credits);
    await ledger.project();
    expect(await run(1)).toMatchObject({ events: 1, verifiedCompletely: 1, problems: 0 });
    expect(await run()).toMatchObject({ events: 1, verifiedCompletely: 0, problems: 0 });
  });

  it('names a tampered new event in the next run, and until it is gone', async () => {
    await ledger.gift('mallory', 5);
    await ledger.project();
    const change = (amount: number): Promise<void> =>
      query(
        `update event set data = jsonb_set(data, '{amount}', to_jsonb($2::int))
         where stream = $1 and version = (select max(version) from event where stream = $1)`,
        ...[STREAM, amount],
      );
    await change(50);
    expect(await run()).toMatchObject({ events: 1, accounts: 1, verifiedCompletely: 1 });
    expect(await problems()).toContainEqual({ stream: STREAM, kind: 'chain' });
    const [first] = (await state()).first;
    ledger.clock.advance(60_000);
    await run();
    expect((await state()).first[0]).toEqual(first);
    await change(5);
    expect(await run()).toMatchObject({ problems: 0 });
    await ledger.gift('mallory', 5);
    await ledger.project();
    expect(await run()).toMatchObject({ events: 1, verifiedCompletely: 0, problems: 0 });
  });

  it('names credits that were taken for no generation', async () => {
    await ledger.gift('mallory', 10);
    const lot = (await ledger.eventStore.readStream(STREAM)).at(-1)?.data['lotId'];
    const allocations = [{ lotId: lot, kind: 'bonus', amount: 1, unitPriceCents: 0, expiresAt: null }];
    await forge('CreditsDeducted', {
      deductionId: v7({ msecs: ledger.clock.now().getTime() }),
      amount: 1,
      allocations,
    });
    await run();
    expect(await problems()).toContainEqual({ stream: STREAM, kind: 'generation' });
  });

  it('names a purchase without a checkout', async () => {
    await ledger.purchase('mallory', 'cs_ghost', 100);
    await ledger.project();
    await run();
    expect(await problems()).toEqual([{ stream: STREAM, kind: 'payment' }]);
  });

  it.each([
    ['a balance', `update credit_balance set bonus = bonus + 1 where user_id = 'mallory'`],
    ['a line', `update credit_transaction set amount = 99 where user_id = 'mallory' and amount = 5`],
    ['a missing line', `delete from credit_transaction where user_id = 'mallory' and amount = 5`],
  ])('names %s that the new events do not make', async (_case, text) => {
    await ledger.gift('mallory', 5);
    await ledger.project();
    await query(text);
    await run();
    expect(await problems()).toContainEqual({ stream: STREAM, kind: 'projection' });
  });

  it('names a lost event before a new one', async () => {
    await ledger.gift('mallory', 5);
    await ledger.gift('mallory', 6);
    await ledger.project();
    await query(`delete from event where stream = $1 and data->>'amount' = '5'`, STREAM);
    await run();
    expect(await problems()).toContainEqual({ stream: STREAM, kind: 'version' });
  });

  it('keeps naming an account whose verified tail was replaced without a trace', async () => {
    await ledger.gift('mallory', 5);
    await ledger.project();
    expect(await run()).toMatchObject({ problems: 0 });
    await query(`delete from event where stream = $1 and data->>'amount' = '5'`, STREAM);
    // The last verified event is of another account.
    await query(
      `update ledger_verification v set position = e.xid || '/' || e.position, stream = e.stream, version = e.version,
         event_id = e.event_id from (select * from event order by xid desc, position desc limit 1) e`,
    );
    await query('truncate credit_balance, credit_transaction, credits_held, projection_checkpoint');
    await query(`truncate ${REVENUE_TABLES}`);
    await forge('CreditsGranted', {
      lotId: 'grant:another',
      amount: 500,
      source: 'admin',
      kind: 'bonus',
      expiresAt: null,
    });
    expect(await run()).toMatchObject({ events: 1, verifiedCompletely: 1, startedAgain: false, problems: 1 });
    expect(await run()).toMatchObject({ problems: 1 });
    expect((await state()).first[0]?.what).toContain('the history of the stream was rewritten since');
    await query('delete from ledger_problem');
    expect(await run()).toMatchObject({ problems: 0 });
  });

  it.each([
    [
      'a generation that differs',
      async () => {
        const at = ledger.clock.now();
        const id = v7({ msecs: at.getTime() });
        await storeGeneration(ledger.database.pool, { id, user_id: 'mallory', at, prompt: 'undeducted' });
        ledger.clock.advance(2 * 3_600_000);
      },
      () => query(`delete from generation where prompt = 'undeducted'`),
    ],
    [
      'a balance that is compared later',
      () => query(`update verified_account set pending_since = now() where user_id = 'mallory'`),
      () => Promise.resolve(),
    ],
  ])('keeps naming a rewritten history that shows by %s', async (_case, show, hide) => {
    const { version: last } = (await ledger.eventStore.readStream(STREAM)).at(-1)!;
    await rewriteStream(ledger.eventStore, ledger.database, STREAM, (event) =>
      event.version === last ? { ...event, metadata: { ...event.metadata, actorId: 'nobody' } } : event,
    );
    await query(`update credit_balance set bonus = bonus + 1 where user_id = 'mallory'`);
    await show();
    await run();
    await hide();
    await query(`update credit_balance set bonus = bonus - 1 where user_id = 'mallory'`);
    await run();
    expect((await state()).first.map((problem) => problem.what)).toEqual([
      expect.stringContaining('the history of the stream was rewritten since'),
    ]);
    await query('delete from ledger_problem');
  });

  it('names a policy that claims to hold for events that were there before', async () => {
    ledger.clock.advance(3_600_000);
    await adoptPolicy(ledger.eventStore, ledger.clock);
    const holdsFrom = (from: string): Promise<void> =>
      query(
        `update event set data = jsonb_set(data, '{effectiveFrom}', to_jsonb($1::text))
         where stream = 'policy' and type = 'AdminGrantLimitSet'`,
        from,
      );
    await holdsFrom('1970-01-01T00:00:00.000Z');
    await run();
    // Each problem once.
    expect(await problems()).toEqual(['chain', 'policy'].map((kind) => ({ stream: 'policy', kind })));
    await holdsFrom(ledger.clock.now().toISOString());
    expect(await run()).toMatchObject({ problems: 0 });
  });

  it('names an event beyond the end of the store', async () => {
    await ledger.gift('mallory', 5);
    await query(`update event set xid = '9000000000000000000' where stream = $1 and data->>'amount' = '5'`, STREAM);
    await run();
    expect(await problems()).toEqual([{ stream: STREAM, kind: 'position' }]);
    await query(`delete from event where stream = $1 and data->>'amount' = '5'`, STREAM);
    expect(await run()).toMatchObject({ problems: 0 });
  });

  it('names an event from the future until an admin has repaired the account', async () => {
    const now = ledger.clock.now();
    ledger.clock.advance(40 * 86_400_000);
    await ledger.daily('mallory');
    ledger.clock.set(now);
    await ledger.project();
    await run();
    expect(await problems()).toContainEqual({ stream: STREAM, kind: 'time' });
    await ledger.repairClock('mallory');
    await ledger.project();
    expect(await run()).toMatchObject({ verifiedCompletely: 1, problems: 0 });
    expect(await run()).toMatchObject({ verifiedCompletely: 0, problems: 0 });
  });

  it('names an image that was delivered without a deduction, and a credited checkout without a purchase', async () => {
    const at = ledger.clock.now();
    await storeGeneration(ledger.database.pool, { id: v7({ msecs: at.getTime() }), user_id: 'mallory', at });
    await ledger.creditedCheckout('alice', 'cs_unknown', 100);
    await run();
    expect(await problems()).toEqual([]);
    ledger.clock.advance(2 * 3_600_000);
    await run();
    expect(await problems()).toContainEqual({ stream: STREAM, kind: 'generation' });
    expect(await problems()).toContainEqual({ stream: 'creditAccount-alice', kind: 'payment' });
  });

  it('names a fan whose image is passed off as a free test', async () => {
    const at = ledger.clock.now();
    const creatorId = randomUUID();
    await query(
      `insert into creator (id, clerk_id, username, name, email, instagram, bio, creator_status, created_at, updated_at)
       values ($1, 'alice', 'alice', 'A', 'a@fanvas.test', '@a', '', 'active', $2, $2)`,
      ...[creatorId, at],
    );
    for (const user_id of ['alice', 'mallory']) {
      const id = v7({ msecs: at.getTime() });
      await storeGeneration(ledger.database.pool, { id, user_id, creator_id: creatorId, is_test: true, at });
    }
    ledger.clock.advance(2 * 3_600_000);
    await run();
    expect(await problems()).toEqual([{ stream: STREAM, kind: 'generation' }]);
    await query('delete from creator');
  });

  it('names a balance that stays at another version than its stream', async () => {
    await ledger.gift('mallory', 5);
    await ledger.project();
    await query(`update credit_balance set version = version + 1 where user_id = 'mallory'`);
    await run();
    expect(await problems()).toEqual([]);
    ledger.clock.advance(11 * 60_000);
    await run();
    expect(await problems()).toContainEqual({ stream: STREAM, kind: 'projection' });
  });

  it('suspects no account whose balance waits for a verification of many events', async () => {
    await ledger.eventfulAccount('bob');
    await ledger.gift('mallory', 5);
    await ledger.project();
    const runs: VerificationRun[] = [];
    while (runs.at(-1)?.events !== 0) {
      runs.push(await run(2));
      ledger.clock.advance(11 * 60_000);
    }
    expect(runs.length).toBeGreaterThan(3);
    expect(runs.filter(({ verifiedCompletely }) => verifiedCompletely > 0)).toEqual([]);
    expect(await state()).toMatchObject({ problems: 0 });
  });

  it('waits for the end of the credits of a delivered image, and names it without one', async () => {
    await ledger.gift('bob', 50);
    const id = await ledger.generation('bob', 'open');
    await query(
      `update generation set status = 'completed', image = '{}', completed_at = $2, credits_closed_at = $2, created_at = $2
       where id = $1`,
      ...[id, ledger.clock.now()],
    );
    await ledger.project();
    expect(await run()).toMatchObject({ verifiedCompletely: 0, problems: 0 });
    ledger.clock.advance(2 * 3_600_000);
    await run();
    expect(await problems()).toContainEqual({ stream: 'creditAccount-bob', kind: 'generation' });
  });

  it('verifies no event that a projection has not applied, and says since when', async () => {
    await ledger.gift('mallory', 5);
    const [late] = (await ledger.eventStore.readStream(STREAM)).slice(-1);
    // While another transaction of the server runs, readers in the order of positions do not see the event.
    const all = { after: null, limit: 1_000, streamPrefix: STREAM };
    await until(async () => (await ledger.eventStore.readAll(all)).some(({ id }) => id === late?.id), 'the event');
    ledger.clock.advance(60_000);
    expect(await run()).toMatchObject({ events: 0, problems: 0 });
    expect(await state()).toMatchObject({ verifiedUntil: late?.recordedAt, succeededAt: ledger.clock.now() });
    // All projections but one have applied it.
    await query(`create table lagging as select * from projection_checkpoint where name = $1`, booksProjection.name);
    await ledger.project();
    await query(
      `update projection_checkpoint c set position = lagging.position from lagging where c.name = lagging.name`,
    );
    await query('drop table lagging');
    expect(await run()).toMatchObject({ events: 0, problems: 0 });
  });

  it('starts again after the database of an older day was restored', async () => {
    await query(`create table older as select * from event`);
    await ledger.gift('mallory', 5);
    await ledger.project();
    expect(await run()).toMatchObject({ events: 1 });
    await query('delete from event');
    const columns = 'xid, stream, version, event_id, type, data, metadata, recorded_at';
    await query(`insert into event (${columns}) select ${columns} from older order by position`);
    await query('drop table older; truncate credit_balance, credit_transaction, credits_held, projection_checkpoint');
    await query(`truncate ${REVENUE_TABLES}`);
    await ledger.project();
    expect(await run()).toMatchObject({ startedAgain: true, accounts: 2, problems: 0 });
    expect(await run()).toMatchObject({ startedAgain: false, events: 0 });
  });

  it('starts again after its tables were emptied', async () => {
    const { events } = await state();
    await query('truncate ledger_verification, verified_account, ledger_problem');
    expect(await state()).toMatchObject({ events: 0, problems: 0 });
    expect(await run()).toMatchObject({ events, problems: 0 });
    expect(await state()).toMatchObject({ events });
  });

  it('takes no short page of a slow store for its end', async () => {
    const slow = Object.create(ledger.eventStore) as EventStore;
    slow.readAll = (options) => ledger.eventStore.readAll({ ...options, limit: Math.min(options.limit, 2) });
    const sources = { pool: ledger.database.pool, eventStore: slow };
    const [, , third] = await ledger.eventStore.readAll({ after: null, limit: 3, streamPrefix: 'creditAccount-' });
    expect((await newEvents(sources, 'creditAccount-')).leftSince).toEqual(third?.recordedAt);
    for (let gift = 0; gift < 5; gift += 1) await ledger.gift('mallory', 1);
    await ledger.project();
    expect(await verifyNewEvents(sources, { now: () => ledger.clock.now(), maxEvents: 50_000 })).toMatchObject({
      events: 5,
    });
  });

  it('gives each stream with lasting problems its turn', async () => {
    await query(
      `insert into ledger_problem (subject, place, stream, kind, what, found_at)
       select 'x-' || n, place, 'x-' || n, 'chain', 'It is broken.', now()
       from generate_series(1, 30) as n, generate_series(1, 2) as place`,
    );
    const seen = new Set<string>();
    for (let turn = 0; turn < 100 && seen.size < 30; turn += 1) {
      const streams = await streamsWithProblems(ledger.database.pool, 'x-');
      expect(new Set(streams).size).toBe(20);
      for (const stream of streams) seen.add(stream);
    }
    expect(seen.size).toBe(30);
  });

  it('sends the same statements for one new event in a small and in a large ledger', async () => {
    const statementsOfOneEvent = async (): Promise<string[]> => {
      await ledger.gift('mallory', 1);
      await ledger.project();
      const recorder = recordStatements();
      expect(await run()).toMatchObject({ events: 1, accounts: 1, verifiedCompletely: 0 });
      recorder.stop();
      const sizes = recorder.all.flatMap(({ values }) => values.filter((value) => Array.isArray(value)));
      expect(Math.max(...sizes.map((value) => (value as unknown[]).length))).toBeLessThanOrEqual(PROJECTIONS);
      // The event store may send a delayed notification of the gift meanwhile.
      return recorder.all.map(({ text }) => text).filter((text) => !text.includes('pg_notify'));
    };
    const small = await statementsOfOneEvent();
    for (let user = 0; user < 30; user += 1) await ledger.gift(`user_${user}`, 1);
    for (let gift = 0; gift < 30; gift += 1) await ledger.gift('mallory', 1);
    await ledger.project();
    await run();
    expect(await statementsOfOneEvent()).toEqual(small);
  });
});
