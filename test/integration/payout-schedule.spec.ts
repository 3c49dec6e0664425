import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import { payoutStream } from '../../src/finance/payouts/events.js';
import { payoutIdOf } from '../../src/finance/runs/payout-ids.js';
import { AdvancePayoutRun } from '../../src/finance/use-cases/advance-payout-run.js';
import { DraftPayoutRun } from '../../src/finance/use-cases/draft-payout-run.js';
import { PayoutSchedule } from '../../src/finance/workers/payout-schedule.js';
import { ManualClock } from '../../src/platform/clock.js';
import { EventStore } from '../../src/platform/event-store/event-store.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import {
  ADMIN,
  approvedCreator,
  carryOut,
  earn,
  emptyPayouts,
  query,
  recordTransfer,
  saveDetailsOn,
} from '../support/payouts.js';
import { startTestApp, type TestApp, TokenIsUserId } from '../support/test-app.js';

jest.setTimeout(60_000);

const FIRST = new Date('2026-11-01T00:15:00Z');
const CUTOFF = new Date('2026-11-01T00:00:00Z');

let database: TestDatabase<unknown>;
let apps: TestApp[] = [];
const clock = new ManualClock(FIRST);

beforeAll(async () => {
  database = await withTestDatabase();
  const start = () => startTestApp({ database, overrides: { clock, authenticator: new TokenIsUserId(database.pool) } });
  apps = [await start(), await start()];
  await app().project();
});
afterAll(async () => {
  for (const each of apps) await each.close();
  await database?.close();
});
beforeEach(async () => {
  clock.set(FIRST);
  await emptyPayouts(app());
});

function app(): TestApp {
  const [first] = apps;
  if (!first) throw new Error('There is no app.');
  return first;
}

const due = (): Promise<void> => app().get(PayoutSchedule).tick();
const runs = () =>
  query(app(), 'select id, number, cutoff, step, drafted_by from payout_run order by number') as Promise<
    readonly { id: string; number: number; cutoff: Date; step: string; drafted_by: string | null }[]
  >;
const draft = (cutoff: Date) =>
  app().commands.execute(new DraftPayoutRun({ runId: v7(), cutoff, by: { ...ADMIN, userId: 'finance_fay' } }));
const advance = (runId: string, step: 'fix' | 'check' | 'cancel') =>
  app().commands.execute(new AdvancePayoutRun({ runId, step, by: ADMIN, reason: step === 'cancel' ? 'A test' : null }));

describe('the run of a month', () => {
  it('begins on the 1st, as soon as everything before it is stored, with an act of the app', async () => {
    clock.set(new Date(FIRST.getTime() - 1));
    await due();
    expect(await runs()).toEqual([]);
    clock.set(FIRST);
    await due();
    expect(await runs()).toMatchObject([{ number: 1, cutoff: CUTOFF, step: 'draft', drafted_by: null }]);
    const acts = await query(
      app(),
      `select kind, actor_id, body::jsonb ->> 'actorRole' as role from admin_act where subject_id = $1`,
      [(await runs())[0]?.id],
    );
    expect(acts).toEqual([{ kind: 'payout.drafted', actor_id: 'system', role: 'system' }]);
  });

  it('begins once, with several instances and after each later tick', async () => {
    await Promise.all(apps.flatMap((each) => [each.get(PayoutSchedule).tick(), each.get(PayoutSchedule).tick()]));
    const [run] = await runs();
    await carryOut(app());
    await due();
    clock.set(new Date('2026-11-20T09:00:00Z'));
    await due();
    expect(await runs()).toMatchObject([{ id: run?.id, number: 1 }]);
  });

  it('begins later in the month after an outage, and waits for the check of the run before', async () => {
    clock.set(new Date('2026-10-20T09:00:00Z'));
    await due();
    await carryOut(app());
    await advance((await runs())[0]?.id ?? '', 'fix');
    await carryOut(app());
    clock.set(FIRST);
    await due();
    // The run of October waits for its check, and its creators with it.
    expect(await runs()).toHaveLength(1);
    await advance((await runs())[0]?.id ?? '', 'check');
    await carryOut(app());
    await due();
    expect(await runs()).toMatchObject([
      { cutoff: new Date('2026-10-01T00:00:00Z'), step: 'check' },
      { cutoff: CUTOFF, step: 'draft' },
    ]);
  });

  it('gives way to a run that a person has drafted with this cutoff or a later one, also when it was cancelled', async () => {
    for (const cutoff of [CUTOFF, new Date('2026-11-04T00:00:00Z')]) {
      await emptyPayouts(app());
      clock.set(new Date('2026-11-05T09:00:00Z'));
      const { id } = await draft(cutoff);
      await carryOut(app());
      await due();
      await advance(id, 'cancel');
      await carryOut(app());
      await due();
      expect(await runs()).toMatchObject([{ id, step: 'cancel' }]);
    }
  });

  it('needs an entry of the books before its cutoff', async () => {
    await query(app(), `update book_entry set occurred_at = '2026-11-02Z'`);
    await due();
    expect(await runs()).toEqual([]);
    await query(app(), 'truncate book_entry');
    await due();
    expect(await runs()).toEqual([]);
  });

  it('needs the check of one person, who also records the transfer', async () => {
    const creatorId = await approvedCreator(app(), 'user_of_schedule_1');
    await saveDetailsOn(app(), clock, 'user_of_schedule_1');
    await earn(app(), [creatorId], 5_000, '2026-10-10');
    await due();
    await carryOut(app());
    const runId = (await runs())[0]?.id ?? '';
    for (const step of ['fix', 'check'] as const) {
      await advance(runId, step);
      await carryOut(app());
    }
    await recordTransfer(app(), payoutIdOf(runId, creatorId), '50.00', { paidOn: '2026-11-01' });
    const events = await app().get(EventStore).readStream(payoutStream(creatorId));
    expect(events.map(({ type, metadata }) => [type, metadata['actorId']])).toEqual([
      ['PayoutDrafted', 'system'],
      ['PayoutFixed', 'admin_ada'],
      ['PayoutChecked', 'admin_ada'],
      ['PayoutPaid', 'admin_ada'],
    ]);
    expect(events[0]?.data).toMatchObject({ draftedBy: null });
  });
});
