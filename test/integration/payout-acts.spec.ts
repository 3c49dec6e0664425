import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import { readVerificationState } from '../../src/audit/continuous/verification-state.js';
import { verifyNewEvents } from '../../src/audit/continuous/verify-new-events.js';
import { type LedgerProblem } from '../../src/audit/index.js';
import { PayoutActCheck } from '../../src/audit/verify/payout-acts.js';
import { type ProcessorEvent } from '../../src/finance/processor/events.js';
import { ProcessorStore } from '../../src/finance/processor/processor-store.js';
import { cancelPayout, checkPayout, draftPayout, fixPayout, holdPayouts } from '../../src/finance/payouts/decide.js';
import { payoutStream } from '../../src/finance/payouts/events.js';
import { PayoutStore } from '../../src/finance/payouts/payout-store.js';
import { payoutIdOf } from '../../src/finance/runs/payout-ids.js';
import { AdvancePayoutRun } from '../../src/finance/use-cases/advance-payout-run.js';
import { EndPayout, HoldPayouts, ReleasePayouts } from '../../src/finance/use-cases/change-payout.js';
import { ManualClock } from '../../src/platform/clock.js';
import { EventStore } from '../../src/platform/event-store/event-store.js';
import { eventsOf } from '../../src/platform/event-store/read-events.js';
import {
  ADMIN,
  approvedCreator,
  carryOut,
  earn,
  emptyPayouts,
  payoutRun,
  query,
  recordTransfer,
  saveDetailsOn,
} from '../support/payouts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(60_000);

const NOW = new Date('2026-11-20T09:00:00Z');
const HOUR = 3_600_000;

let app: TestApp;
const clock = new ManualClock(NOW);
let people = 0;

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  await app.project();
});
afterAll(() => app.close());
beforeEach(async () => {
  clock.set(NOW);
  await emptyPayouts(app);
  await query(
    app,
    `truncate verified_stream, verified_prefix, ledger_problem, admin_act, admin_act_personal, creator_consent,
       processor_transaction, processor_entry, processor_sum`,
  );
  await query(app, `update admin_act_head set number = 0, hash = ''`);
});

/** An approved creator with payout details and $50 that were payable on 1 November. */
async function creator(): Promise<string> {
  const userId = `user_of_acts_${(people += 1)}`;
  const creatorId = await approvedCreator(app, userId);
  await saveDetailsOn(app, clock, userId);
  await earn(app, [creatorId], 5_000, '2026-11-01');
  return creatorId;
}

/** A sale of $10 as the processor states it. */
const recorded = (transactionId: string): ProcessorEvent => ({
  type: 'BalanceTransactionRecorded',
  data: {
    schemaVersion: 1,
    transactionId,
    kind: 'charge',
    grossCents: 1_000,
    feeCents: 59,
    netCents: 941,
    sourceId: 'ch_1',
    orderId: null,
    paymentIntentId: 'pi_1',
    match: null,
    createdAt: '2026-11-20T08:00:00.000Z',
    availableOn: '2026-11-22T00:00:00.000Z',
  },
});

const run = (until: 'draft' | 'fix' | 'check' = 'check'): Promise<string> => payoutRun(app, until);

const store = (): PayoutStore => app.get(PayoutStore);
const origin = (actorId: string, causationId: string) => ({ actorId, causationId, correlationId: causationId });
const actOf = async (kind: string): Promise<string> => {
  const [row] = await query(
    app,
    `select id from admin_act where kind = $1 and closes is null order by number desc limit 1`,
    [kind],
  );
  return (row as unknown as { id: string }).id;
};

const textOf = (problem: LedgerProblem): string => `${problem.stream}@${problem.version}: ${problem.what}`;

/** The problems of acts two hours later. The rows of these books are not made from events. */
async function problems(): Promise<string[]> {
  await app.project();
  const { problems: found } = await verifiedLedger(app, () => new Date(clock.now().getTime() + 2 * HOUR));
  return found.filter(({ kind }) => kind === 'act').map(textOf);
}

describe('events of payouts and their acts', () => {
  it('finds no problem after every kind of act that people perform', async () => {
    const paid = await creator();
    const failed = await creator();
    const cancelled = await creator();
    const runId = await run();
    await recordTransfer(app, payoutIdOf(runId, paid), '50.00');
    const end = (creatorId: string, how: 'fail' | 'cancel') =>
      app.commands.execute(
        new EndPayout({ payoutId: payoutIdOf(runId, creatorId), end: how, reason: 'A test', by: ADMIN }),
      );
    await end(failed, 'fail');
    await end(cancelled, 'cancel');
    // The transfer comes back, and the bank sends it again.
    await end(paid, 'fail');
    await recordTransfer(app, payoutIdOf(runId, paid), '50.00', { reference: 'SEPA-2' });
    const hold = { creatorId: paid, reason: 'A test', by: ADMIN };
    await app.commands.execute(new HoldPayouts({ ...hold, until: new Date('2027-01-01') }));
    clock.advance(1000);
    await app.commands.execute(new ReleasePayouts(hold));
    const given = await run('fix');
    await app.commands.execute(new AdvancePayoutRun({ runId: given, step: 'cancel', by: ADMIN, reason: 'A test' }));
    await carryOut(app);
    expect(await problems()).toEqual([]);
  });

  it('names an event whose act does not exist', async () => {
    const creatorId = await creator();
    const until = new Date('2027-01-01');
    await store().execute(creatorId, origin('admin_ada', v7()), (state) =>
      holdPayouts(state, { until, heldBy: 'admin_ada', reason: 'A test' }),
    );
    await run('draft');
    const stream = payoutStream(creatorId);
    expect(await problems()).toEqual([`${stream}@0: No act in the log has caused this PayoutsHeld event.`]);
  });

  it('names an event whose act is of another kind, or of another person', async () => {
    const creatorId = await creator();
    const runId = await run('draft');
    const payoutId = payoutIdOf(runId, creatorId);
    const draft = await actOf('payout.drafted');
    await store().execute(creatorId, origin('finance_fay', draft), (state) => fixPayout(state, payoutId, 5_000));
    const stream = payoutStream(creatorId);
    expect(await problems()).toEqual([
      `${stream}@1: The act ${draft} (payout.drafted) cannot cause a PayoutFixed event.`,
    ]);

    const other = await creator();
    const second = await run('fix');
    await app.commands.execute(new AdvancePayoutRun({ runId: second, step: 'check', by: ADMIN, reason: null }));
    await carryOut(app);
    const check = await actOf('payout.checked');
    // An act of another kind and person cancels it.
    await store().execute(other, origin('mallory', check), (state) =>
      cancelPayout(state, payoutIdOf(second, other), 'A test'),
    );
    const found = await problems();
    expect(found).toContain(
      `${payoutStream(other)}@3: The act ${check} (payout.checked) cannot cause a PayoutCancelled event.`,
    );
  });

  it('names an event of another person than its act', async () => {
    const creatorId = await creator();
    const runId = await run('fix');
    const fix = await actOf('payout.fixed');
    await store().execute(creatorId, origin('mallory', fix), (state) =>
      cancelPayout(state, payoutIdOf(runId, creatorId), 'A test'),
    );
    expect(await problems()).toEqual([
      `${payoutStream(creatorId)}@2: The act ${fix} (payout.fixed) is of admin_ada, but the event is of mallory.`,
    ]);
  });

  it('names an act of a run that was carried out for a creator outside that run', async () => {
    await creator();
    const runId = await run('draft');
    const outside = await creator();
    const payoutId = payoutIdOf(runId, outside);
    const draft = await actOf('payout.drafted');
    const details = { changedAt: new Date(0), usableFrom: null };
    const sums = { cutoff: new Date('2026-11-20'), payableCents: 5_000, minimumCents: 2_500 };
    await store().execute(
      outside,
      origin('finance_fay', draft),
      (state, now) => draftPayout(state, { payoutId, runId, ...sums, draftedBy: 'finance_fay', details }, now).events,
    );
    expect(await problems()).toEqual([
      `acts@3: The act ${draft} (payout.drafted) has caused the payout ${payoutId}, whose creator is not in its run.`,
    ]);
  });

  it('names an event that an act of another run has caused', async () => {
    const creatorId = await creator();
    const first = await run('check');
    const check = await actOf('payout.checked');
    await app.commands.execute(
      new EndPayout({ payoutId: payoutIdOf(first, creatorId), end: 'cancel', reason: 'A test', by: ADMIN }),
    );
    const second = await run('fix');
    await store().execute(creatorId, origin('admin_ada', check), (state) =>
      checkPayout(state, payoutIdOf(second, creatorId), 'admin_ada'),
    );
    expect(await problems()).toContain(
      `${payoutStream(creatorId)}@6: The act ${check} (payout.checked) is on payout_run ${first}, but the event is on ${second}.`,
    );
  });

  it('names a transfer that its file of the bank does not have', async () => {
    const creatorId = await creator();
    const payoutId = payoutIdOf(await run(), creatorId);
    await recordTransfer(app, payoutId, '50.00');
    const act = await actOf('payout.recorded');
    await query(app, 'delete from bank_report_line');
    expect(await problems()).toEqual([
      `${payoutStream(creatorId)}@3: The file of the bank of the act ${act} has no line of the payout.`,
      expect.stringMatching(/has the number of transfers 0, but its act has 1\.$/),
      expect.stringMatching(/has the sum in cents 0, but its act has 5000\.$/),
      expect.stringMatching(/The file of the bank \w+ differs from the one that entry 6 fixed\.$/),
    ]);
  });

  it('names acts that are done and lack their events', async () => {
    const first = await creator();
    const second = await creator();
    const runId = await run();
    const check = await actOf('payout.checked');
    // The last event of one payout, and all events of the other one, are gone with their rows.
    await query(app, `delete from event where stream = $1 and version = 2`, [payoutStream(first)]);
    await query(app, `update payout set step = 'fixed', checked_by = null where creator_id = $1`, [first]);
    await query(app, `delete from event where stream = $1`, [payoutStream(second)]);
    await query(app, `delete from payout where creator_id = $1`, [second]);
    const draft = await actOf('payout.drafted');
    const found = await problems();
    expect(found).toContain(
      `acts@5: The act ${draft} (payout.drafted) has drafted the payout ${payoutIdOf(runId, second)}, which has no event.`,
    );
    expect(found).toContain(
      `acts@7: The act ${check} has carried out the last step of its run, but the payout ${payoutIdOf(runId, first)} has no event of it.`,
    );
  });

  it('names an announced act without the event that its end names', async () => {
    const creatorId = await creator();
    await run('draft');
    await app.commands.execute(
      new HoldPayouts({ creatorId, until: new Date('2027-01-01'), reason: 'A test', by: ADMIN }),
    );
    const held = await actOf('payout.held');
    await query(app, `delete from event where stream = $1 and version = 1`, [payoutStream(creatorId)]);
    const found = await problems();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^acts@\\d+: The act ${held} \\(payout.held\\) names the event .*, which the`));
  });

  it('pairs imported events with the acts that the log has, and requires no other acts', async () => {
    const creatorId = await creator();
    const runId = await run();
    await app.commands.execute(
      new EndPayout({ payoutId: payoutIdOf(runId, creatorId), end: 'fail', reason: 'A test', by: ADMIN }),
    );
    const found: LedgerProblem[] = [];
    const verify = async (imported: boolean): Promise<LedgerProblem[]> => {
      found.length = 0;
      const check = await PayoutActCheck.read(app.pool, () => (problem) => void found.push(problem));
      for await (const stored of eventsOf(app.get(EventStore), payoutStream(creatorId))) {
        const act = stored.type === 'PayoutDrafted' ? { causationId: v7() } : {};
        await check.add({ ...stored, metadata: { ...stored.metadata, ...act } }, imported);
      }
      await check.end();
      return found;
    };
    expect(await verify(true)).toEqual([]);
    expect((await verify(false)).map(({ version, kind }) => ({ version, kind }))).toEqual([
      { version: 0, kind: 'act' },
    ]);
    const check = await PayoutActCheck.read(app.pool, () => (problem) => void found.push(problem));
    found.length = 0;
    for await (const stored of eventsOf(app.get(EventStore), payoutStream(creatorId))) await check.add(stored, true);
    await check.endAll(clock.now().getTime() + 2 * HOUR);
    expect(found).toEqual([]);
  });

  it('names a transfer that was recorded and never paid, and a run whose row names another act', async () => {
    const creatorId = await creator();
    const runId = await run();
    const payoutId = payoutIdOf(runId, creatorId);
    await recordTransfer(app, payoutId, '50.00');
    await query(app, `update payout set reference = 'OTHER'`);
    await query(app, `update payout_run set check_act = fix_act where id = $1`, [runId]);
    const recorded = await actOf('payout.recorded');
    const check = await actOf('payout.checked');
    expect(await problems()).toEqual([
      `acts@6: The act ${recorded} (payout.recorded) has recorded a transfer of the payout ${payoutId}, which was never paid.`,
      `acts@5: The act ${check} decides about the run ${runId}, whose row names another act.`,
    ]);
  });
});

describe('continuous verification of other streams', () => {
  const verifyNew = () =>
    verifyNewEvents({ pool: app.pool, eventStore: app.get(EventStore) }, { now: () => clock.now(), maxEvents: 1_000 });
  const known = async (): Promise<string[]> => (await readVerificationState(app.pool, 20)).first.map(textOf);

  it('finds no problem in a run and in changes of the balance, and verifies a stream once', async () => {
    const creatorId = await creator();
    await recordTransfer(app, payoutIdOf(await run(), creatorId), '50.00');
    await recordTransaction('txn_1');
    await app.project();
    await verifyNew();
    expect(await known()).toEqual([]);
    const heads = await query(app, 'select stream, version from verified_stream order by stream');
    expect(heads).toEqual([
      { stream: payoutStream(creatorId), version: 3 },
      { stream: 'processor', version: 0 },
    ]);
  });

  it('raises the alarm for a forged event of a payout, until it is gone', async () => {
    const creatorId = await creator();
    const runId = await run('fix');
    await app.project();
    await verifyNew();
    expect(await known()).toEqual([]);
    const forged = v7();
    await store().execute(creatorId, origin('mallory', forged), (state) =>
      checkPayout(state, payoutIdOf(runId, creatorId), 'mallory'),
    );
    await app.project();
    const sentence = `${payoutStream(creatorId)}@2: No act in the log has caused this PayoutChecked event.`;
    expect((await verifyNew()).problems).toBe(1);
    expect(await known()).toEqual([sentence]);
    await verifyNew();
    expect(await known()).toEqual([sentence]);
  });

  it('raises the alarm for a payout that breaks a rule', async () => {
    const creatorId = await creator();
    const runId = await run('fix');
    await app.project();
    await verifyNew();
    const payoutId = payoutIdOf(runId, creatorId);
    // Paid without a check.
    await store().execute(creatorId, origin('admin_ada', await actOf('payout.fixed')), () => [
      {
        type: 'PayoutPaid',
        data: {
          schemaVersion: 1,
          payoutId,
          amountCents: 5_000,
          reference: 'X',
          paidOn: '2026-11-20',
          recordedBy: 'admin_ada',
        },
      },
    ]);
    await app.project();
    await verifyNew();
    expect(await known()).toContain(`${payoutStream(creatorId)}@2: The payout is fixed, so PayoutPaid cannot follow.`);
  });

  it('remembers that a verified event was replaced, with all hashes made again', async () => {
    const creatorId = await creator();
    await run('draft');
    await app.project();
    await verifyNew();
    const stream = payoutStream(creatorId);
    await query(app, 'delete from event where stream = $1', [stream]);
    const until = new Date('2027-01-01');
    await store().execute(creatorId, origin('admin_ada', v7()), (state) =>
      holdPayouts(state, { until, heldBy: 'admin_ada', reason: 'A test' }),
    );
    await app.project();
    await verifyNew();
    const sentence = '@0: Another event was verified here before: the history of the stream was rewritten since.';
    expect(await known()).toContain(stream + sentence);
    await verifyNew();
    expect(await known()).toContain(stream + sentence);
  });

  it('raises the alarm for a changed event of the processor once a later one comes', async () => {
    await recordTransaction('txn_1');
    await app.project();
    await verifyNew();
    await query(
      app,
      `update event set data = jsonb_set(data::jsonb, '{feeCents}', '1') where stream = 'processor' and version = 0`,
    );
    await recordTransaction('txn_2');
    await app.project();
    await verifyNew();
    expect(await known()).toContain(
      'processor@0: The hash does not match the content of the event and the hash before it.',
    );
  });

  async function recordTransaction(id: string): Promise<void> {
    const processor = app.get(ProcessorStore);
    await processor.append(await processor.head(), [recorded(id)]);
  }
});
