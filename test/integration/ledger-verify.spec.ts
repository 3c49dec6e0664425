import { randomUUID } from 'node:crypto';
import { balanceAt, type LedgerProblem, type RepairedClock, verifyLedger } from '../../src/audit/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Kysely } from 'kysely';
import { v7 } from 'uuid';
import { timeOf } from '../../src/audit/verify/read-account.js';
import { accountProjection } from '../../src/credits/index.js';
import { SYSTEM_ACTOR } from '../../src/platform/acts/actor.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { type ActTables } from '../../src/platform/acts/tables.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { compareWithFresh } from '../../src/platform/projections/compare-with-fresh.js';
import { rewriteStream } from '../support/forged-events.js';
import { asOwner, withoutTimeBound } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { until } from '../support/until.js';
import { storeGeneration } from '../support/stored-generation.js';

jest.setTimeout(60_000);

const STREAM = 'creditAccount-mallory';

let ledger: LedgerApp;
let restore: () => Promise<void>;

beforeAll(async () => {
  ledger = await startLedger();
  await ledger.eventfulAccount('alice');
  await ledger.eventfulAccount('mallory');
  restore = await ledger.keep();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  await restore();
  expect(await ledger.verify()).toEqual([]);
});

const query = async (text: string, ...values: unknown[]): Promise<void> => {
  await asOwner(ledger.database).query(text, values);
};
const versionOf = async (type: string): Promise<number> => {
  const events = await ledger.eventStore.readStream(STREAM);
  const found = events.find((event) => event.type === type);
  if (!found) throw new Error(`There is no ${type} event.`);
  return found.version;
};
/** Recomputes the chain of the stream, as a forger would. */
const rehash = (): Promise<void> => rewriteStream(ledger.eventStore, ledger.database, STREAM);

/** Sums over many accounts differ too when the events or images of one are lost. */
const isSum = ({ stream, what: sentence }: LedgerProblem): boolean =>
  stream === '*' &&
  /(creator|platform)_activity_(month|total)|images of creators|earnings of creators|credits_held/.test(sentence);

/** Expects that all problems are in the tampered stream and that these are among them. */
const expectNamed = (problems: LedgerProblem[], ...named: Partial<LedgerProblem>[]): void => {
  expect(new Set(problems.filter((each) => !isSum(each)).map(({ stream }) => stream))).toEqual(new Set([STREAM]));
  for (const problem of named) expect(problems).toContainEqual(expect.objectContaining(problem));
};

describe('ledger verify', () => {
  it('reports no problem in a valid ledger with lagging projections', async () => {
    await ledger.gift('mallory', 5);
    await ledger.daily('bob');
    expect(await ledger.verify()).toEqual([]);
  });

  it.each([
    ['the amount of a grant', 'CreditsGranted', '{amount}', '400'],
    ['the creator of a deduction', 'CreditsDeducted', '{creatorId}', '"creator_2"'],
    ['the reason of a refund', 'CreditsRefunded', '{reason}', '"timeout"'],
  ])('names the event in which %s was changed', async (_case, type, path, value) => {
    const version = await versionOf(type);
    await query(
      `update event set data = jsonb_set(data, $3::text[], $4::jsonb) where stream = $1 and version = $2`,
      ...[STREAM, version, path, value],
    );
    expectNamed(await ledger.verify(), { version, kind: 'chain' });
  });

  it.each(['occurredAt', 'actorId', 'correlationId'])('names the event whose %s was changed', async (field) => {
    await query(
      `update event set metadata = jsonb_set(metadata, array[$2::text], '"2026-03-10T09:00:00.001Z"') where stream = $1 and version = 3`,
      ...[STREAM, field],
    );
    expectNamed(await ledger.verify(), { version: 3, kind: 'chain' });
  });

  it('names an event of another type, of another id and without a hash', async () => {
    await query(`update event set type = 'CreditsLost' where stream = $1 and version = 1`, STREAM);
    await query(`update event set event_id = gen_random_uuid() where stream = $1 and version = 3`, STREAM);
    await query(`update event set metadata = metadata - 'hash' where stream = $1 and version = 5`, STREAM);
    expectNamed(
      await ledger.verify(),
      { version: 1, kind: 'chain' },
      { version: 1, kind: 'event' },
      { version: 3, kind: 'event', what: 'The event id in the metadata differs from the id of the event.' },
      { version: 5, kind: 'chain', what: 'The event has no hash.' },
    );
  });

  it.each([0, 3])('names the gap where event %i was dropped', async (version) => {
    await query(`delete from event where stream = $1 and version = $2`, STREAM, version);
    expectNamed(
      await ledger.verify(),
      { version, kind: 'version', what: `Event ${version} is missing.` },
      { version: version + 1, kind: 'chain' },
    );
  });

  it('names swapped events', async () => {
    await query(`update event set version = 1000 where stream = $1 and version = 2`, STREAM);
    await query(`update event set version = 2 where stream = $1 and version = 3`, STREAM);
    await query(`update event set version = 3 where stream = $1 and version = 1000`, STREAM);
    expectNamed(await ledger.verify(), { version: 2, kind: 'chain' }, { version: 3, kind: 'chain' });
  });

  it('names an inserted event', async () => {
    await query(`update event set version = version + 1000 where stream = $1 and version >= 2`, STREAM);
    await query(`update event set version = version - 999 where stream = $1 and version >= 1002`, STREAM);
    await query(
      `insert into event (stream, version, event_id, type, data, metadata)
       select stream, 2, gen_random_uuid(), type, data || '{"lotId": "grant:mine"}', metadata
       from event where stream = $1 and version = 1`,
      STREAM,
    );
    expectNamed(await ledger.verify(), { version: 2, kind: 'chain' });
  });

  it('names a dropped stream by its projections', async () => {
    await query(`delete from event where stream = $1`, STREAM);
    expectNamed(await ledger.verify(), { version: null, kind: 'version' }, { version: 0, kind: 'projection' });
  });

  it('names a stream dropped with its projections by its generations', async () => {
    await query(`delete from event where stream = $1`, STREAM);
    await query(`delete from credit_balance where user_id = 'mallory'`);
    expectNamed(await ledger.verify(), { version: null, kind: 'version' }, { kind: 'generation' });
    await query(`delete from credit_transaction where user_id = 'mallory'`);
    expectNamed(await ledger.verify(), { version: null, kind: 'version' }, { kind: 'generation' });
  });

  it('names a lost tail by the projections and the generations', async () => {
    const version = await versionOf('CreditsRefunded');
    await query(`delete from event where stream = $1 and version >= $2`, STREAM, version);
    expectNamed(await ledger.verify(), { version, kind: 'projection' }, { version: null, kind: 'generation' });
  });

  it('names a forged event with recomputed hashes by the rules', async () => {
    const version = await versionOf('CreditsDeducted');
    await query(
      `update event set data = jsonb_set(data, '{amount}', '1') where stream = $1 and version = $2`,
      ...[STREAM, version],
    );
    await rehash();
    const problems = await ledger.verify();
    expectNamed(problems, { version, kind: 'conservation' });
    expect(problems.map(({ kind }) => kind)).not.toContain('chain');
  });

  it('names a forged event that keeps the rules by the projections', async () => {
    await query(
      `update event set data = jsonb_set(data, '{amount}', '400')
       where stream = $1 and data->>'source' = 'admin'`,
      STREAM,
    );
    await rehash();
    const problems = await ledger.verify();
    expectNamed(problems, { kind: 'projection' });
    expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['projection']));
  });

  it('does not name a forged grant that follows every rule', async () => {
    const [grant] = (await ledger.eventStore.readStream(STREAM)).filter(({ data }) => data['source'] === 'admin');
    const version = (await ledger.eventStore.readStream(STREAM)).length;
    await query(
      `insert into event (stream, version, event_id, type, data, metadata, recorded_at)
       select stream, $2, $3::uuid, type, data || '{"lotId": "grant:mine", "amount": 1000}',
         metadata || jsonb_build_object('eventId', $3::text, 'occurredAt', $4::text), $4::timestamptz
       from event where event_id = $1::uuid`,
      ...[grant?.id, version, v7(), ledger.clock.now().toISOString()],
    );
    await rehash();
    await ledger.project();
    expect(await ledger.verify()).toEqual([]);
  });

  it('names a second ending of a deduction, a second grant of a lot and spending from nowhere', async () => {
    const events = await ledger.eventStore.readStream(STREAM);
    const last = events.length;
    const append = (at: number, type: string): Promise<void> =>
      query(
        `insert into event (stream, version, event_id, type, data, metadata)
         select stream, $3, gen_random_uuid(), type, data, metadata from event where stream = $1 and type = $2
         order by version limit 1`,
        ...[STREAM, type, at],
      );
    await append(last, 'DeductionSettled');
    await append(last + 1, 'CreditsGranted');
    await append(last + 2, 'CreditsDeducted');
    await rehash();
    const problems = await ledger.verify();
    expectNamed(
      problems,
      { version: last, kind: 'deduction' },
      { version: last + 1, kind: 'lot' },
      { version: last + 2, kind: 'deduction' },
    );
  });

  it.each([
    ['a balance', `update credit_balance set bonus = bonus + 1 where user_id = 'mallory'`],
    ['a lifetime figure', `update credit_balance set lifetime_spent = 0 where user_id = 'mallory'`],
    ['a line', `update credit_transaction set amount = 99 where user_id = 'mallory' and version = 0`],
    ['a version that is ahead', `update credit_balance set version = version + 1 where user_id = 'mallory'`],
    ['a version that is behind', `update credit_balance set version = version - 1 where user_id = 'mallory'`],
    ['a lost line', `delete from credit_transaction where user_id = 'mallory' and version = 0`],
    ['a lost balance', `delete from credit_balance where user_id = 'mallory'`],
    [
      'an invented line',
      `insert into credit_transaction select user_id, 900, gen_random_uuid(), created_at, description,
       transaction_type, amount, balance_after from credit_transaction where user_id = 'mallory' and version = 0`,
    ],
  ])('names %s in the projections that differs from the events', async (_case, text) => {
    await query(text);
    const problems = await ledger.verify();
    expectNamed(problems, { kind: 'projection' });
    expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['projection']));
  });

  it('keeps what all accounts hold as the sum of their balances, and names a changed sum', async () => {
    await ledger.purchase('bob', 'cs_bob', 100);
    await ledger.project();
    const { rows } = await ledger.database.pool.query(
      `select kind, expires_at::text, sum(credits)::bigint as credits from credit_balance cross join lateral (
         values ('daily', coalesce(daily_expires_at, 'infinity'), daily), ('bonus', 'infinity', bonus),
           ('paid', 'infinity', paid)
       ) as held (kind, expires_at, credits) group by 1, 2 having sum(credits) <> 0 order by 1, 2`,
    );
    const { rows: held } = await ledger.database.pool.query(
      'select kind, expires_at::text, credits from credits_held order by 1, 2',
    );
    expect(held).toEqual(rows);
    expect(rows.length).toBeGreaterThan(1);

    const changes = [
      [`update credits_held set credits = credits + 1 where kind = 'bonus'`, 'credits_held has credits '],
      [`delete from credits_held where kind = 'bonus'`, 'credits_held lacks a row: bonus.'],
      [
        `insert into credits_held values ('gold', '2026-01-01Z', 7)`,
        'credits_held has a row that no event makes: gold until 2026-01-01T00:00:00.000Z.',
      ],
    ] as const;
    for (const [change, sentence] of changes) {
      await query(change);
      const named = { stream: '*', kind: 'projection', what: expect.stringContaining(sentence) };
      expect(await ledger.verify()).toContainEqual(expect.objectContaining(named));
    }
  });

  describe('changed positions', () => {
    const FOREVER = '9000000000000000000';

    /** Version of the settlement that earns the creator money. */
    let earning: number;

    beforeEach(async () => {
      await ledger.purchase('mallory', 'cs_1', 100);
      await ledger.creditedCheckout('mallory', 'cs_1', 100);
      await ledger.generation('mallory', 'delivered', 90);
      await ledger.project();
      expect(await ledger.verify()).toEqual([]);
      earning = (await ledger.eventStore.readStream(STREAM)).length - 1;
    });

    it('names a checkout with another payment than its purchase', async () => {
      await query(`update checkout set payment_intent_id = 'pi_of_another' where session_id = 'cs_1'`);
      expectNamed(await ledger.verify(), {
        kind: 'payment',
        what: 'Checkout session cs_1 has the payment pi_of_another, but the ledger has pi_of_cs_1.',
      });
      await query(`update checkout set payment_intent_id = null where session_id = 'cs_1'`);
      expectNamed(await ledger.verify(), {
        kind: 'payment',
        what: 'Checkout session cs_1 has the payment none, but the ledger has pi_of_cs_1.',
      });
    });

    const lostEarning = (): LedgerProblem =>
      expect.objectContaining({
        stream: STREAM,
        version: earning,
        kind: 'projection',
        what: expect.stringContaining('creator_earning lacks the line of this event'),
      }) as unknown as LedgerProblem;

    it('names the event and the lost income when a position beyond the end of the store hides the event', async () => {
      await query('truncate creator_earning, creator_revenue_month');
      await query(
        'update event set xid = ($3::text)::xid8 where stream = $1 and version = $2',
        ...[STREAM, earning, FOREVER],
      );
      ledger.clock.advance(10 * 60_000);
      const problems = await ledger.verify();
      expect(problems).toContainEqual(
        expect.objectContaining({
          stream: STREAM,
          version: earning,
          kind: 'position',
          what: expect.stringContaining('beyond the end of the store'),
        }),
      );
      expect(problems).toContainEqual(lostEarning());
      expect(problems).toContainEqual(
        expect.objectContaining({
          stream: '*',
          what: expect.stringMatching(/^creator_revenue_total has \d+ .* for creator .*, but its rows give no row\.$/),
        }),
      );
    });

    it('names an event whose position was moved behind that of the next event', async () => {
      await query(
        'update event set xid = (select xid from event order by xid desc limit 1), position = default where stream = $1 and version = $2',
        ...[STREAM, earning - 1],
      );
      expectNamed(await ledger.verify(), { version: earning, kind: 'position' });
    });

    it('names lost income of the last minutes when the balance was projected from the same event', async () => {
      await query('update event set xid = pg_current_xact_id() where stream = $1 and version = $2', STREAM, earning);
      await query('truncate creator_earning');
      expect(await ledger.verify()).toContainEqual(lostEarning());
    });

    it('names events that are not projected within ten minutes', async () => {
      await ledger.gift('mallory', 5);
      ledger.clock.advance(10 * 60_000);
      const version = (await ledger.eventStore.readStream(STREAM)).length - 1;
      expect(await ledger.verify()).toEqual([
        expect.objectContaining({
          stream: STREAM,
          version,
          kind: 'projection',
          what: 'book_entry lacks the line of this event: line 0 of CreditsGranted, account 2050.',
        }),
        expect.objectContaining({
          stream: STREAM,
          version,
          kind: 'projection',
          what: 'The projections have not applied this event within 10 minutes.',
        }),
      ]);
    });

    it('states the same number of events as a replay that cannot see one', async () => {
      await query(
        'update event set xid = ($3::text)::xid8 where stream = $1 and version = $2',
        ...[STREAM, earning, FOREVER],
      );
      const { pool } = ledger.database;
      const { eventStore } = ledger;
      const summary = await verifyLedger({ pool, eventStore }, { now: () => ledger.clock.now(), onProblem: () => {} });
      const replay = await compareWithFresh({ pool, eventStore }, accountProjection);
      expect(replay.events).toBe(summary.events);
      expect(replay.unapplied).toBe(1);
      expect(await eventStore.misplacedEvents({ limit: 5 })).toEqual([{ stream: STREAM, version: earning }]);
    });
  });

  it.each([
    [
      'a delivered image with refunded credits',
      `update generation set status = 'completed', image = '{}', refunded = false,
      completed_at = now(), error_message = null, refund_reason = null where user_id = 'mallory' and refunded`,
    ],
    [
      'a missing refund',
      `update generation set status = 'failed', image = null, completed_at = null,
      error_message = 'no', refund_reason = 'timeout', refunded = true where user_id = 'mallory' and status = 'completed'`,
    ],
    ['another price', `update generation set cost = 11 where user_id = 'mallory' and status = 'completed'`],
    ['a deduction without a generation', `delete from generation where user_id = 'mallory' and status = 'completed'`],
    [
      'a generation that does not end',
      `update generation set created_at = '2026-01-01'
      where user_id = 'mallory' and status = 'pending'`,
    ],
  ])('names %s', async (_case, text) => {
    await query(text);
    const problems = await ledger.verify();
    expectNamed(problems, { kind: 'generation' });
    expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['generation']));
  });

  it('names a deduction that hides an own generation, or claims one', async () => {
    const creatorId = randomUUID();
    await query(
      `insert into creator (id, clerk_id, username, name, email, instagram, bio, creator_status, created_at, updated_at)
       values ($1, 'mallory', 'mallory', 'M', 'm@fanvas.test', '@m', '', 'active', now(), now())`,
      creatorId,
    );
    await ledger.generation('mallory', 'delivered', 5, { creatorId, ownGeneration: false });
    await ledger.project();
    const identity = `creator ${creatorId}, but the identity of the creator says otherwise.`;
    const named = async (): Promise<string[]> => (await ledger.verify()).map((problem) => problem.what);
    expect(await named()).toEqual([expect.stringContaining(`as the image of another user than ${identity}`)]);

    await query(`update creator set clerk_id = 'alice'`);
    expect(await named()).toEqual([]);

    await ledger.generation('mallory', 'delivered', 5, { creatorId, ownGeneration: true });
    await ledger.project();
    expect(await named()).toEqual([expect.stringContaining(`as an own generation of ${identity}`)]);
    await query(`update creator set clerk_id = null`);
    expect(await named()).toEqual([]);
    await query(`delete from creator`);
  });

  it('names a test that has a deduction, or whose maker is not its creator', async () => {
    const creatorId = randomUUID();
    await query(
      `insert into creator (id, clerk_id, username, name, email, instagram, bio, creator_status, created_at, updated_at)
       values ($1, 'tester', 'tester', 'T', 't@fanvas.test', '@t', '', 'active', now(), now())`,
      creatorId,
    );
    const storeTest = (user_id: string, id: string) =>
      storeGeneration(ledger.database.pool, { id, user_id, creator_id: creatorId, is_test: true });
    const named = async (): Promise<string[]> => (await ledger.verify()).map((problem) => problem.what);
    // The creator has no account: a test needs none.
    await storeTest('tester', randomUUID());
    expect(await named()).toEqual([]);

    const foreign = randomUUID();
    await storeTest('mallory', foreign);
    expect(await named()).toEqual([
      `Generation ${foreign} is a test of creator ${creatorId}, but its maker is not this creator.`,
    ]);
    await query(`delete from generation where id = $1`, foreign);

    // A trial picture belongs to no person, and to the creator that it names. An admin drew it, so the log has the act.
    const trial = randomUUID();
    await storeTest(`trial:${creatorId}`, trial);
    expect(await named()).toEqual([`Generation ${trial} is a trial picture, but the log has no act of an admin.`]);
    const acts = new Acts(ledger.database.db as unknown as Kysely<ActTables>, ledger.clock, new UuidGenerator());
    const act = { kind: 'model.trial_drawn', actor: SYSTEM_ACTOR, subject: { kind: 'generation', id: trial } } as const;
    await ledger.database.db.transaction().execute((transaction) => acts.record(transaction, act));
    expect(await named()).toEqual([]);
    await query(`update generation set user_id = 'trial:other' where id = $1`, trial);
    expect(await named()).toEqual([`Generation ${trial} is a trial picture of another creator than ${creatorId}.`]);
    await query(`delete from generation where id = $1`, trial);

    const paid = await ledger.generation('mallory', 'delivered', 5, { creatorId, ownGeneration: true });
    await query(`update creator set clerk_id = 'mallory'`);
    await query(`update generation set is_test = true, cost = 0, test_day = now() where id = $1`, paid);
    await query(`delete from generation where user_id = 'tester'`);
    await ledger.project();
    expect(await named()).toEqual([`Generation ${paid} is a free test, but its credits are settled.`]);
    await query(`delete from creator`);
  });

  it('names an event whose recording is dated back', async () => {
    await withoutTimeBound(ledger.database, () =>
      query(`update event set recorded_at = recorded_at - interval '1 hour' where stream = $1 and version = 3`, STREAM),
    );
    expect(await ledger.verify()).toEqual([
      expect.objectContaining({
        stream: STREAM,
        version: 3,
        kind: 'time',
        what: expect.stringMatching(/^The event says that it occurred at \S+, and the store recorded it at \S+\.$/),
      }),
    ]);
  });

  it('names events from the future', async () => {
    await ledger.gift('mallory', 5);
    await ledger.project();
    ledger.clock.advance(-3_600_000);
    const version = (await ledger.eventStore.readStream(STREAM)).length - 1;
    expectNamed(
      (await ledger.verify()).filter((problem) => problem.version === version),
      { version, kind: 'time', what: expect.stringContaining('from the future') as unknown as string },
    );
  });

  it('lists events from the future as information after the account was repaired', async () => {
    const now = ledger.clock.now();
    const version = (await ledger.eventStore.readStream(STREAM)).length;
    ledger.clock.advance(40 * 86_400_000);
    await ledger.gift('mallory', 5);
    ledger.clock.set(now);
    await withoutTimeBound(ledger.database, () =>
      query('update event set recorded_at = $3 where stream = $1 and version = $2', STREAM, version, now),
    );
    await ledger.project();
    expectNamed(await ledger.verify(), { version, kind: 'time' });
    // The store refuses events that are dated like the previous one.
    await expect(ledger.generation('mallory', 'delivered', 5)).rejects.toThrow();

    await ledger.repairClock('mallory');
    await ledger.repairClock('mallory');
    await ledger.generation('mallory', 'delivered', 5);
    await ledger.project();
    const problems: LedgerProblem[] = [];
    const repairs: RepairedClock[] = [];
    const { eventStore, clock, database } = ledger;
    const onProblem = (problem: LedgerProblem): void => void problems.push(problem);
    const onRepair = (repair: RepairedClock): void => void repairs.push(repair);
    await verifyLedger({ pool: database.pool, eventStore }, { now: () => clock.now(), onProblem, onRepair });
    // The gift of this test is in no log of acts.
    expect(problems.filter(({ kind }) => kind !== 'act')).toEqual([]);
    expect(repairs).toEqual([
      expect.objectContaining({
        stream: STREAM,
        version: version + 1,
        at: now.getTime(),
        actorId: 'admin_1',
        repaired: { from: version, to: version },
      }),
    ]);
    // The gift counts from the repair on, for a balance at an instant too.
    const balance = await balanceAt(eventStore, 'mallory', now, onProblem);
    expect(balance).toMatchObject({ version: version + 3, open: expect.any(Number) });
    const before = await balanceAt(eventStore, 'mallory', new Date(now.getTime() - 1), onProblem);
    expect(before.version).toBeLessThan(version);
  });

  it('names an event whose time is written in another form', async () => {
    const [first] = await ledger.eventStore.readStream(STREAM);
    const other = new Date(timeOf(first!)).toISOString().replace('Z', '+00:00');
    await query(
      `update event set metadata = jsonb_set(metadata, '{occurredAt}', to_jsonb($2::text)) where stream = $1 and version = 0`,
      ...[STREAM, other],
    );
    await rehash();
    expect(await ledger.verify()).toEqual([
      expect.objectContaining({ version: 0, kind: 'event', what: expect.stringContaining('is not written as') }),
    ]);
  });

  describe('generations failed before the deduction', () => {
    const failed = async (daysUntilClosed: number): Promise<void> => {
      const at = ledger.clock.now();
      const closedAt = new Date(at.getTime() + daysUntilClosed * 86_400_000);
      await storeGeneration(ledger.database.pool, {
        id: v7({ msecs: at.getTime() }),
        user_id: 'mallory',
        status: 'failed',
        at,
        updated_at: closedAt,
        credits_closed_at: closedAt,
      });
    };

    it('names a generation whose id is not void', async () => {
      await failed(29);
      const problems = await ledger.verify();
      expectNamed(problems, { kind: 'generation' });
      expect(problems.map((problem) => problem.what)).toEqual([
        expect.stringContaining('its credits are not deducted'),
      ]);
    });

    it('accepts an id that was too old to be voided', async () => {
      await failed(31);
      expect(await ledger.verify()).toEqual([]);
    });
  });

  it('lists the first problems of a damaged stream and counts the rest', async () => {
    for (let gift = 0; gift < 30; gift += 1) await ledger.gift('mallory', 1);
    await query(`update event set metadata = metadata - 'hash' where stream = $1`, STREAM);
    const problems = await ledger.verify();
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)?.what).toBe('Further problems are counted but not listed.');
  });
});

describe('the projection credit_account', () => {
  const projected = async (): Promise<unknown> =>
    (await ledger.database.pool.query(`select * from credit_balance where user_id = 'mallory'`)).rows[0];

  it.each([
    ['skip', 'version - 1'],
    ['repeat', 'version + 1'],
  ])('stops instead of writing a balance that would %s an event', async (_case, version) => {
    await query(`update credit_balance set version = ${version} where user_id = 'mallory'`);
    const before = await projected();
    await ledger.gift('mallory', 5);
    await ledger.gift('alice', 5);
    const failure = await ledger.project().catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({
      name: 'ProjectionError',
      cause: { message: expect.stringMatching(/^credit_balance of mallory includes events up to version \d+, but/) },
    });
    expect(await projected()).toEqual(before);
  });

  it('stops when another writer changes a row that it is computing', async () => {
    await ledger.gift('mallory', 5);
    const other = await ledger.database.pool.connect();
    try {
      await other.query('begin');
      await other.query(`update credit_balance set version = version + 1 where user_id = 'mallory'`);
      const failure = ledger.project().catch((error: unknown) => error as Error);
      await until(async () => {
        const { rowCount } = await ledger.database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like '%computed_from%'`,
        );
        return rowCount === 1;
      });
      await other.query('commit');
      expect(await failure).toMatchObject({
        name: 'ProjectionError',
        cause: { message: expect.stringMatching(/^Another writer changed credit_balance of mallory/) },
      });
    } finally {
      other.release();
    }
  });
});
