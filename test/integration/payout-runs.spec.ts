import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { payoutStream } from '../../src/finance/payouts/events.js';
import { PayoutStore } from '../../src/finance/payouts/payout-store.js';
import { payoutIdOf, referenceOf } from '../../src/finance/runs/payout-ids.js';
import { type FinanceTables } from '../../src/finance/tables.js';
import { AdvancePayoutRun } from '../../src/finance/use-cases/advance-payout-run.js';
import { EndPayout, HoldPayouts } from '../../src/finance/use-cases/change-payout.js';
import { DraftPayoutRun } from '../../src/finance/use-cases/draft-payout-run.js';
import { RecordTransfers } from '../../src/finance/use-cases/record-transfers.js';
import { PayoutRunner } from '../../src/finance/workers/payout-runner.js';
import { type Actor } from '../../src/platform/acts/actor.js';
import { ManualClock } from '../../src/platform/clock.js';
import { StreamDeletedError } from '../../src/platform/event-store/event-store.js';
import { FaultPoints } from '../../src/platform/fault-points.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { type Locks } from '../../src/platform/locks.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { approvedCreator, earn as earnings, emptyPayouts, query as queryOf } from '../support/payouts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

jest.setTimeout(60_000);

const NOW = new Date('2026-11-20T09:00:00Z');
const CUTOFF = new Date('2026-11-20T00:00:00Z');
const person = (userId: string, role: Actor['role']): Actor => ({ userId, role, requestId: null, address: null });
const FINANCE = person('finance_1', 'finance');
const ADMIN = person('admin_1', 'admin');

/** Fails at a named place, as a crash would end the process there. */
class FailingOnce extends FaultPoints {
  point: string | null = null;

  override reach(name: string): void {
    if (name !== this.point) return;
    this.point = null;
    throw new Error(`The process ended at ${name}.`);
  }
}

let app: TestApp;
const clock = new ManualClock(NOW);
const faults = new FailingOnce();
const runner = (): PayoutRunner => app.get(PayoutRunner);
const query = (text: string, values: unknown[] = []) => queryOf(app, text, values);

/** A runner as in an instance that has lost its lock. */
const unlockedRunner = (store = app.get(PayoutStore)): PayoutRunner =>
  new PayoutRunner(
    ...([app.tables<FinanceTables>(), store, app.get(ProjectionRunner), app.queries] as const),
    { withLock: (_name: string, work: () => Promise<unknown>) => work() } as Locks,
    faults,
  );

/** The payouts of an event store in which another program deleted a stream. */
function withoutStream(deleted: string): PayoutStore {
  const refusing =
    (method: 'readStream' | 'append') =>
    async (stream: string, ...rest: never[]): Promise<unknown> => {
      if (stream === deleted) throw new StreamDeletedError(stream);
      return (app.eventStore[method] as (...input: unknown[]) => Promise<unknown>)(stream, ...rest);
    };
  const eventStore = new Proxy(app.eventStore, {
    get: (target, name) =>
      name === 'readStream' || name === 'append' ? refusing(name) : (Reflect.get(target, name, target) as unknown),
  });
  return new PayoutStore(eventStore, clock, new UuidGenerator());
}

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock, faultPoints: faults } });
  // The rows of the books that follow are not rebuilt from events.
  await app.project();
  // Rows of creators have no part in these tests.
  await query('alter table creator_payout_details drop constraint creator_payout_details_creator_id_fkey');
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => app.close());
beforeEach(async () => {
  clock.set(NOW);
  faults.point = null;
  await emptyPayouts(app);
});

/** Earnings that became payable on a day. The creators have payout details since the other day; null: none. */
async function earn(
  creatorIds: string | readonly string[],
  cents: number,
  day = '2026-11-01',
  details: string | null = '2026-01-01',
): Promise<void> {
  const ids = [creatorIds].flat();
  await earnings(app, ids, cents, day);
  if (details === null) return;
  await query(
    `insert into creator_payout_details (creator_id, key_id, sealed, changed_at)
     select id, 'k', '\\x00', $2::timestamptz from unnest($1::uuid[]) as id on conflict (creator_id) do nothing`,
    [ids, `${details}T00:00:00Z`],
  );
}

const run = async (runId: string, by = FINANCE, cutoff: Date | null = null) => {
  await app.commands.execute(new DraftPayoutRun({ runId, cutoff, by }));
  await runner().tick();
  await runner().tick();
};
const advance = async (runId: string, step: 'fix' | 'check' | 'cancel', by = ADMIN, reason: string | null = null) => {
  await app.commands.execute(new AdvancePayoutRun({ runId, step, by, reason }));
  await runner().tick();
};
const outcomesOf = (reportId: string) =>
  query('select line, outcome, problem from bank_report_line where report_id = $1 order by line', [reportId]);
const record = async (file: string, by = ADMIN) => {
  const { reportId } = await app.commands.execute(new RecordTransfers({ file, by }));
  await runner().tick();
  return outcomesOf(reportId);
};
const lineOf = (payoutId: string, amount: string, bank = 'SEPA-1') =>
  `${referenceOf(payoutId)},${amount},2026-11-20,${bank}\n`;
const typesOf = async (creatorId: string) =>
  (await app.eventStore.readStream(payoutStream(creatorId))).map(({ type }) => type);
const planOf = (runId: string) =>
  query('select creator_id, payout_id is not null as drafted, skipped from payout_run_creator where run_id = $1', [
    runId,
  ]);

/** Ids of creators in order. */
const creators = (count: number): string[] => Array.from({ length: count }, () => v7()).sort();

describe('a payout run', () => {
  it('pays what is payable, in four steps by two persons, and posts it', async () => {
    const [creator = ''] = creators(1);
    await earn(creator, 12_000);
    const runId = v7();
    await run(runId);
    await advance(runId, 'fix', FINANCE);
    await expect(advance(runId, 'check', FINANCE)).rejects.toThrow('Another person than the one who drafted the run');
    await advance(runId, 'check');
    const payoutId = payoutIdOf(runId, creator);
    const outcomes = await record(`reference,amount,paid_on,bank_reference\n${lineOf(payoutId, '120.00')}`);
    expect(outcomes).toEqual([{ line: 2, outcome: 'recorded', problem: null }]);
    expect(await typesOf(creator)).toEqual(['PayoutDrafted', 'PayoutFixed', 'PayoutChecked', 'PayoutPaid']);
    const [payout] = await app.tables<FinanceTables>().selectFrom('payout').selectAll().execute();
    expect(payout).toMatchObject({
      payout_id: payoutId,
      run_id: runId,
      step: 'paid',
      amount_cents: 12_000,
      reference: 'SEPA-1',
      drafted_by: 'finance_1',
      checked_by: 'admin_1',
      recorded_by: 'admin_1',
    });
    const acts = await query(`select kind from admin_act where kind like 'payout.%' order by number desc limit 4`);
    expect(acts).toEqual(['recorded', 'checked', 'fixed', 'drafted'].map((kind) => ({ kind: `payout.${kind}` })));
    // Each event names the act that caused it.
    const events = await app.eventStore.readStream(payoutStream(creator));
    const causes = events.map(({ metadata }) => metadata['causationId']);
    expect(await query('select count(*)::int as n from admin_act where id = any($1::uuid[])', [causes])).toEqual([
      { n: 4 },
    ]);
  });

  it('says for each creator why there is no payout', async () => {
    const [low = '', none = '', fresh = '', missing = '', paid = ''] = creators(5);
    const held = await approvedCreator(app, 'user_held_payouts');
    await earn(low, 2_499);
    await earn(none, 5_000, '2026-11-20');
    await earn(fresh, 5_000, '2026-11-01', '2026-11-19');
    await earn(missing, 5_000, '2026-11-01', null);
    await earn(held, 5_000);
    await earn(paid, 5_000);
    const hold = { creatorId: held, until: new Date('2026-12-24T00:00:00Z'), reason: 'A dispute.', by: ADMIN };
    await app.commands.execute(new HoldPayouts(hold));
    await app.commands.execute(new HoldPayouts(hold));
    const runId = v7();
    await run(runId);
    const plan = Object.fromEntries(
      ((await planOf(runId)) as { creator_id: string; skipped: string | null }[]).map((row) => [
        row.creator_id,
        row.skipped,
      ]),
    );
    expect(plan).toEqual({
      [low]: 'below_minimum',
      [none]: 'nothing',
      [fresh]: 'details_changed',
      [missing]: 'no_details',
      [held]: 'held',
      [paid]: null,
    });
    expect(await typesOf(held)).toEqual(['PayoutsHeld']);

    // A second run while the first is on its way, and a chargeback after the first was paid
    await run(v7());
    expect(await typesOf(paid)).toEqual(['PayoutDrafted']);
    await advance(runId, 'fix');
    await advance(runId, 'check');
    await record(lineOf(payoutIdOf(runId, paid), '50.00'));
    await earn(paid, -3_000);
    const third = v7();
    await run(third);
    expect(await planOf(third)).toContainEqual({ creator_id: paid, drafted: false, skipped: 'negative' });
    await earn(paid, 10_000);
    const fourth = v7();
    await run(fourth);
    const [next] = await query('select amount_cents from payout where run_id = $1', [fourth]);
    expect(next).toEqual({ amount_cents: 7_000 });
  });

  it('drafts each creator once when two runs begin at the same time', async () => {
    const ids = creators(450);
    await earn(ids, 5_000);
    const runs = [v7(), v7()];
    await Promise.all(
      runs.map((runId) => app.commands.execute(new DraftPayoutRun({ runId, cutoff: CUTOFF, by: FINANCE }))),
    );
    const twins = [unlockedRunner(), unlockedRunner()];
    await Promise.all(twins.map((each) => each.runOnce()));
    await runner().tick();
    for (const creator of ids) expect(await typesOf(creator)).toEqual(['PayoutDrafted']);
    const numbers = await query('select number, working from payout_run order by number');
    expect(numbers).toEqual([1, 2].map((number) => ({ number, working: false })));
    expect(await query('select count(*)::int as n, count(payout_id)::int as paid from payout_run_creator')).toEqual([
      { n: 900, paid: 450 },
    ]);
  });

  it('ends only when its payouts can be read', async () => {
    await earn(creators(2), 5_000);
    const runId = v7();
    await app.commands.execute(new DraftPayoutRun({ runId, cutoff: CUTOFF, by: FINANCE }));
    faults.point = 'payouts.page-done';
    await runner().tick();
    expect(faults.point).toBeNull();
    const [run] = await query('select working from payout_run where id = $1', [runId]);
    expect(run).toEqual({ working: false });
    expect(await query('select count(*)::int as payouts from payout where run_id = $1', [runId])).toEqual([
      { payouts: 2 },
    ]);
  });

  it('leaves out a creator whose stream was deleted, and goes on with the others', async () => {
    const ids = creators(202);
    // The last one of the first page
    const gone = ids[199] ?? '';
    const next = ids[200] ?? '';
    await earn(ids, 5_000);
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const broken = unlockedRunner(withoutStream(payoutStream(gone)));
    jest.spyOn(runner(), 'wake').mockImplementation(() => undefined);
    const runId = v7();
    await app.commands.execute(new DraftPayoutRun({ runId, cutoff: CUTOFF, by: FINANCE }));
    await broken.runOnce();
    const drafted = await query('select creator_id, payout_id from payout_run_creator order by creator_id');
    expect(drafted.map(({ creator_id: id }) => id)).toEqual(ids.filter((id) => id !== gone));

    // Another stream is deleted after the draft.
    const broke = unlockedRunner(withoutStream(payoutStream(next)));
    for (const step of ['fix', 'check'] as const) {
      await app.commands.execute(new AdvancePayoutRun({ runId, step, by: ADMIN, reason: null }));
      await broke.runOnce();
    }
    const last = ids[201] ?? '';
    const file = [next, last].map((creator) => lineOf(payoutIdOf(runId, creator), '50.00')).join('');
    const { reportId } = await app.commands.execute(new RecordTransfers({ file, by: ADMIN }));
    await broke.runOnce();
    expect(await outcomesOf(reportId)).toEqual([
      { line: 1, outcome: 'refused', problem: 'The payouts of this creator were deleted in the event store.' },
      { line: 2, outcome: 'recorded', problem: null },
    ]);
  });

  it.each(['payouts.page-appended', 'payouts.page-done', 'payouts.transfers-appended'])(
    'goes on after a crash at %s, and does nothing twice',
    async (point) => {
      const ids = creators(201);
      await earn(ids, 5_000);
      const runId = v7();
      const crash = async (): Promise<void> => {
        faults.point = point;
        await runner().tick();
        expect(point === 'payouts.transfers-appended' ? null : faults.point).toBeNull();
        faults.point = null;
        await runner().tick();
      };
      await app.commands.execute(new DraftPayoutRun({ runId, cutoff: CUTOFF, by: FINANCE }));
      await crash();
      for (const step of ['fix', 'check'] as const) {
        await app.commands.execute(new AdvancePayoutRun({ runId, step, by: ADMIN, reason: null }));
        await crash();
      }
      const file = ids.map((creator) => lineOf(payoutIdOf(runId, creator), '50.00', `B-${creator}`)).join('');
      faults.point = point;
      const first = await record(file);
      faults.point = null;
      await runner().tick();
      expect(first).toHaveLength(201);
      expect(new Set(((await record(file)) as { outcome: string }[]).map(({ outcome }) => outcome))).toEqual(
        new Set(['recorded']),
      );
      // The same transfers in another file
      await record(`\n${file}`);
      for (const creator of ids) {
        expect(await typesOf(creator)).toEqual(['PayoutDrafted', 'PayoutFixed', 'PayoutChecked', 'PayoutPaid']);
      }
      const [sum] = await query('select -sum(cents)::int as cents from payout_sum where account = 2140 and unit = $1', [
        'day',
      ]);
      expect(sum).toEqual({ cents: 201 * 5_000 });
    },
  );

  it('never pays more than was payable, in any order of earnings and runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('earn', 'run', 'fail'), fc.integer({ min: -4_000, max: 9_000 })), {
          maxLength: 8,
        }),
        async (steps) => {
          const [creator = ''] = creators(1);
          await earn(creator, 3_000);
          let payable = 3_000;
          for (const [step, cents] of steps) {
            if (step === 'earn') {
              await earn(creator, cents);
              payable += cents;
              continue;
            }
            const runId = v7();
            const payoutId = payoutIdOf(runId, creator);
            const before = payable;
            await run(runId);
            await advance(runId, 'fix');
            await advance(runId, 'check');
            const [due] = (await query(`select amount_cents from payout where payout_id = $1`, [payoutId])) as {
              amount_cents: number;
            }[];
            if (!due) continue;
            await record(lineOf(payoutId, (due.amount_cents / 100).toFixed(2), runId));
            const { state } = await app.get(PayoutStore).load(creator);
            expect(state.paidCents).toBeLessThanOrEqual(before);
            if (step === 'fail') {
              await app.commands.execute(new EndPayout({ payoutId, end: 'fail', reason: 'AC04', by: ADMIN }));
            }
          }
        },
      ),
      { numRuns: 6 },
    );
  });

  it('does not repeat a transfer that cannot succeed until the details have changed', async () => {
    const [creator = ''] = creators(1);
    await earn(creator, 5_000);
    const first = v7();
    await run(first);
    await advance(first, 'fix');
    await advance(first, 'check');
    const fail = { payoutId: payoutIdOf(first, creator), end: 'fail', reason: 'AC04', by: ADMIN } as const;
    await app.commands.execute(new EndPayout(fail));
    await app.commands.execute(new EndPayout(fail));
    const second = v7();
    await run(second);
    expect(await planOf(second)).toEqual([{ creator_id: creator, drafted: false, skipped: 'failed_before' }]);
    await query(`update creator_payout_details set changed_at = '2026-11-21Z'`);
    clock.set(new Date('2026-12-01T09:00:00Z'));
    const third = v7();
    await run(third);
    expect(await planOf(third)).toEqual([{ creator_id: creator, drafted: true, skipped: null }]);
    await advance(third, 'cancel', ADMIN, 'A test.');
    expect(await typesOf(creator)).toEqual([
      ...['PayoutDrafted', 'PayoutFixed', 'PayoutChecked', 'PayoutFailed', 'PayoutDrafted', 'PayoutCancelled'],
    ]);
  });
});

describe('a wrong command', () => {
  it('refuses lines of a file one by one', async () => {
    const [creator = '', other = ''] = creators(2);
    await earn(creator, 5_000);
    await earn(other, 5_000);
    const runId = v7();
    await run(runId);
    await advance(runId, 'fix');
    await advance(runId, 'check');
    const payoutId = payoutIdOf(runId, creator);
    const another = payoutIdOf(runId, other);
    expect(
      await record(
        lineOf(payoutId, '50.01') +
          lineOf(payoutId, '50.00') +
          lineOf(payoutId, '50.00', 'SEPA-2') +
          lineOf(v7(), '1.00'),
      ),
    ).toEqual([
      { line: 1, outcome: 'refused', problem: 'The transfer is $50.01, and the payout is $50.00.' },
      { line: 2, outcome: 'recorded', problem: null },
      { line: 3, outcome: 'refused', problem: 'This payout was paid already, with the reference SEPA-1.' },
      { line: 4, outcome: 'refused', problem: 'There is no such payout.' },
    ]);
    expect(await record(lineOf(another, '50.00', 'X'), FINANCE)).toEqual([
      { line: 1, outcome: 'refused', problem: expect.stringMatching(/^Another person/) },
    ]);
  });
});
