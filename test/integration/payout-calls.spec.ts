import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import {
  type BankReport,
  type CreatorPayouts,
  type PayoutFile,
  type PayoutFiles,
  type PayoutRunCreators,
  type PayoutRuns,
  type PayoutRunSums,
  type TransfersTaken,
} from '../../src/contract/payouts.js';
import { payoutIdOf, referenceOf } from '../../src/finance/runs/payout-ids.js';
import { AdvancePayoutRun } from '../../src/finance/use-cases/advance-payout-run.js';
import { HoldPayouts } from '../../src/finance/use-cases/change-payout.js';
import { DraftPayoutRun } from '../../src/finance/use-cases/draft-payout-run.js';
import { ManualClock } from '../../src/platform/clock.js';
import {
  ADMIN,
  approvedCreator,
  carryOut,
  earn,
  emptyPayouts,
  FINANCE,
  payoutRun,
  query,
  saveDetailsOn,
} from '../support/payouts.js';
import { type Answer, startTestApp, type TestApp } from '../support/test-app.js';
import { pagesOf } from '../support/pages.js';

jest.setTimeout(60_000);

const NOW = new Date('2026-11-20T09:00:00Z');
const PAYABLE_DAY = '2026-11-01';
/** The id of nothing. */
const UNKNOWN = '01999999-0000-7000-8000-000000000001';

let app: TestApp;
const clock = new ManualClock(NOW);
let people = 0;

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  // The rows of the books that follow are not rebuilt from events.
  await app.project();
});
afterAll(() => app.close());
beforeEach(async () => {
  clock.set(NOW);
  await emptyPayouts(app);
});

/** Each caller has rate limits of their own. */
const someone = (role: 'finance' | 'admin'): string => `${role}_${(people += 1)}`;

const call = <T>(name: string, body: object, token = someone('admin')): Promise<Answer<T>> =>
  app.rpc<T>(name, token, body);

/** An approved creator with payout details that were saved on a day; null: without. */
async function creator(details: string | null = '2026-01-01'): Promise<string> {
  const userId = `user_of_payouts_${(people += 1)}`;
  const creatorId = await approvedCreator(app, userId);
  if (details !== null) await saveDetailsOn(app, clock, userId, { day: details });
  return creatorId;
}

const runAt = (step: 'draft' | 'fix' | 'check'): Promise<string> => payoutRun(app, step);

describe('reads of payouts', () => {
  it('lists runs by their numbers, in pages', async () => {
    await earn(app, [await creator()], 5_000, PAYABLE_DAY);
    const runs = [await runAt('draft'), await runAt('draft'), await runAt('draft')];
    const first = await call<PayoutRuns>('list_payout_runs', { p_limit: 2 });
    expect(first.body).toMatchObject({
      runs: [
        { run_id: runs[2], number: 3, step: 'draft', working: false, drafted_by: 'finance_fay', minimum_cents: 2_500 },
        { run_id: runs[1], number: 2, cutoff: '2026-11-20T00:00:00.000Z' },
      ],
      next: 2,
    });
    const rest = await call<PayoutRuns>('list_payout_runs', { p_limit: 2, p_before: first.body.next });
    expect(rest.body).toMatchObject({ runs: [{ run_id: runs[0], number: 1 }], next: null });
  });

  it('adds up a run, and says why creators are not paid', async () => {
    const paid = await creator();
    const low = await creator();
    const missing = await creator(null);
    const fresh = await creator();
    await earn(app, [paid, missing], 5_000, PAYABLE_DAY);
    await earn(app, [low], 100, PAYABLE_DAY);
    await earn(app, [fresh], 7_050, PAYABLE_DAY);
    const runId = await runAt('check');
    const { body } = await call<PayoutRunSums>('get_payout_run', { p_run_id: runId });
    expect(body).toMatchObject({
      run_id: runId,
      step: 'check',
      working: false,
      checked_by: 'admin_ada',
      creators: 4,
      carried_out: 2,
      payouts: [{ state: 'checked', payouts: 2, amount_cents: 12_050 }],
      skipped: [
        { reason: 'below_minimum', creators: 1, amount_cents: 100 },
        { reason: 'no_details', creators: 1, amount_cents: 5_000 },
      ],
    });
    const page = { p_run_id: runId, p_limit: 3 };
    const pages = await pagesOf(
      async (p_after) => (await call<PayoutRunCreators>('list_payout_run_creators', { ...page, p_after })).body,
    );
    const found = new Map(pages.flatMap(({ creators }) => creators.map((row) => [row.creator_id, row])));
    expect(found.size).toBe(4);
    const payoutId = payoutIdOf(runId, paid);
    expect(found.get(paid)).toMatchObject({
      name: 'Aria Vale',
      payable_cents: 5_000,
      paid_before_cents: 0,
      amount_cents: 5_000,
      state: 'checked',
      payout_id: payoutId,
      reference: referenceOf(payoutId),
      bank_reference: null,
      paid_on: null,
      skipped: null,
      left_out: null,
      reason: null,
    });
    expect(found.get(missing)).toMatchObject({ payout_id: null, amount_cents: null, skipped: 'no_details' });
    expect(found.get(low)).toMatchObject({ reference: null, state: null, skipped: 'below_minimum', left_out: null });
  });

  it('shows how far the worker is', async () => {
    const runId = v7();
    await app.commands.execute(new DraftPayoutRun({ runId, cutoff: null, by: FINANCE }));
    await carryOut(app);
    const { body } = await call<PayoutRunSums>('get_payout_run', { p_run_id: runId });
    expect(body).toMatchObject({ working: false, creators: 0, carried_out: 0, payouts: [], skipped: [] });
    expect((await call('list_payout_run_creators', { p_run_id: runId })).body).toEqual({ creators: [], next: null });
  });

  it('lists the payouts of a creator with the last hold, in pages', async () => {
    const creatorId = await creator();
    await earn(app, [creatorId], 5_000, PAYABLE_DAY);
    const runs: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      runs.unshift(await runAt('draft'));
      const cancel = { runId: runs[0] ?? '', step: 'cancel', by: ADMIN, reason: 'A test.' } as const;
      await app.commands.execute(new AdvancePayoutRun(cancel));
      await carryOut(app);
    }
    const until = new Date('2026-12-24T00:00:00Z');
    await app.commands.execute(new HoldPayouts({ creatorId, until, reason: 'A dispute.', by: ADMIN }));
    await app.project();
    const first = await call<CreatorPayouts>('list_creator_payouts', { p_creator_id: creatorId, p_limit: 2 });
    expect(first.body).toMatchObject({
      creator_id: creatorId,
      hold: { until: until.toISOString(), holds: true, held_by: 'admin_ada', reason: 'A dispute.' },
    });
    const more = { p_creator_id: creatorId, p_limit: 2, p_before: first.body.next };
    const rest = await call<CreatorPayouts>('list_creator_payouts', more);
    expect(rest.body.next).toBeNull();
    const payouts = [...first.body.payouts, ...rest.body.payouts];
    expect(payouts.map(({ run_id: id }) => id).sort()).toEqual([...runs].sort());
    expect(payouts[0]).toMatchObject({ state: 'cancelled', amount_cents: 5_000, reason: 'A test.' });
    expect((await call('list_creator_payouts', { p_creator_id: 'nobody' })).body).toMatchObject({
      hold: null,
      payouts: [],
      next: null,
    });
  });

  it('names the people of a run, and no one after the end of the account', async () => {
    const creatorId = await creator();
    const held = await creator();
    await earn(app, [creatorId, held], 5_000, PAYABLE_DAY);
    const hold = { creatorId: held, until: new Date('2026-12-24T00:00:00Z'), reason: 'A dispute.', by: ADMIN };
    await app.commands.execute(new HoldPayouts(hold));
    await query(
      app,
      `insert into app_user (id, name, created_at, deleted_at) values
         ('finance_fay', 'Sol Brandt', now(), null), ('admin_ada', 'Rui Okafor', now(), null),
         ('admin_gone', 'Gone Person', now(), now())
       on conflict (id) do update set name = excluded.name, deleted_at = excluded.deleted_at`,
    );
    const runId = await runAt('check');
    await query(app, `update payout_run set fixed_by = 'admin_gone' where id = $1`, [runId]);
    const reference = referenceOf(payoutIdOf(runId, creatorId));
    const { body } = await call<TransfersTaken>(
      'record_transfers',
      { p_file: `${reference},50.00,2026-11-19,SEPA-1` },
      'admin_ada',
    );
    await carryOut(app);
    const names = {
      drafted_by_name: 'Sol Brandt',
      fixed_by: 'admin_gone',
      fixed_by_name: null,
      checked_by_name: 'Rui Okafor',
      cancelled_by_name: null,
      recorded_at: NOW.toISOString(),
      payouts: [{ state: 'paid', payouts: 1, amount_cents: 5_000 }],
      recorded_by: [{ id: 'admin_ada', name: 'Rui Okafor' }],
    };
    expect(await stepOf(runId)).toMatchObject(names);
    expect((await call<PayoutRuns>('list_payout_runs', {})).body.runs[0]).toMatchObject(names);
    const skipped = await call<PayoutRunCreators>('list_payout_run_creators', { p_run_id: runId, p_skipped: true });
    expect(skipped.body.creators).toMatchObject([
      { creator_id: held, skipped: 'held', held_until: '2026-12-24T00:00:00.000Z', hold_reason: 'A dispute.' },
    ]);
    const others = await call<PayoutRunCreators>('list_payout_run_creators', { p_run_id: runId, p_skipped: false });
    expect(others.body.creators).toMatchObject([{ creator_id: creatorId, held_until: null, hold_reason: null }]);
    const report = await call<BankReport>('get_bank_report', { p_report_id: body.report_id });
    expect(report.body.recorded_by_name).toBe('Rui Okafor');
    expect((await call<CreatorPayouts>('list_creator_payouts', { p_creator_id: held })).body).toMatchObject({
      name: 'Aria Vale',
      hold: { held_by_name: 'Rui Okafor' },
      payouts: [],
    });
    const paid = await call<CreatorPayouts>('list_creator_payouts', { p_creator_id: creatorId });
    expect(paid.body.payouts).toMatchObject([{ run_id: runId, run_number: 1, recorded_by_name: 'Rui Okafor' }]);
  });

  it.each<[string, object, number, string]>([
    ['get_payout_run', { p_run_id: UNKNOWN }, 404, 'There is no such payout run.'],
    ['get_payout_run', { p_run_id: '1' }, 400, 'Missing or not valid: p_run_id'],
    ['list_payout_run_creators', { p_run_id: UNKNOWN }, 404, 'There is no such payout run.'],
    ['list_payout_run_creators', { p_run_id: UNKNOWN, p_limit: 201 }, 400, 'Missing or not valid: p_limit'],
    ['list_payout_runs', { p_before: 0 }, 400, 'Missing or not valid: p_before'],
    ['list_payout_files', { p_run_id: UNKNOWN }, 404, 'There is no such payout run.'],
    ['list_creator_payouts', { p_creator_id: "'" }, 400, 'p_creator_id must be the id of a creator'],
    ['list_creator_payouts', { p_creator_id: 'c', p_before: 'x' }, 400, 'p_before must be the value of `next`'],
    [
      ...(['list_creator_payouts', { p_creator_id: 'c', p_before: '2026-02-30T00:00:00.000Z x' }, 400] as const),
      'p_before must be the value of `next`',
    ],
  ])('refuses %s %j with %i', async (name, body, status, message) => {
    const answer = await call<{ message: string; details: string | null }>(name, body);
    expect(answer.status).toBe(status);
    expect(`${answer.body.message} ${answer.body.details}`).toContain(message);
  });
});

/** The acts about payouts since the beginning, the latest first. */
const acts = async (): Promise<{ kind: string; actor_id: string; actor_role: string; reason: string | null }[]> =>
  query(
    app,
    `select a.kind, a.actor_id, a.body::jsonb ->> 'actorRole' as actor_role, p.reason
     from admin_act a left join admin_act_personal p on p.act_id = a.id
     where a.kind like 'payout.%' and a.closes is null order by a.number desc limit 10`,
  );

const stepOf = async (runId: string): Promise<PayoutRunSums> =>
  (await call<PayoutRunSums>('get_payout_run', { p_run_id: runId })).body;

describe('acts on payouts', () => {
  it('takes a run from its draft to the transfers, by two persons, each step once', async () => {
    const creatorId = await creator();
    await earn(app, [creatorId], 12_000, PAYABLE_DAY);
    const p_run_id = v7();
    const finance = someone('finance');
    const admin = someone('admin');
    const steps: [string, string][] = [
      ['draft_payout_run', finance],
      ['fix_payout_run', finance],
      ['check_payout_run', admin],
    ];
    for (const [name, token] of steps) {
      const first = await call(name, { p_run_id }, token);
      expect(first).toMatchObject({ status: 200, body: { run_id: p_run_id, drafted_by: finance } });
      await carryOut(app);
      // The same step again changes nothing, and is no act.
      const again = await call(name, { p_run_id }, token);
      expect(again).toMatchObject({ status: 200, body: { working: false } });
      await carryOut(app);
    }
    const reference = referenceOf(payoutIdOf(p_run_id, creatorId));
    const p_file = `reference,amount,paid_on,bank_reference\n${reference},120.00,2026-11-19,SEPA-1\n`;
    const taken = await call<TransfersTaken>('record_transfers', { p_file }, admin);
    expect(taken).toMatchObject({ status: 200, body: { lines: 1 } });
    await carryOut(app);
    expect((await call<TransfersTaken>('record_transfers', { p_file }, someone('admin'))).body).toEqual(taken.body);
    await carryOut(app);
    const report = await call<BankReport>('get_bank_report', { p_report_id: taken.body.report_id });
    expect(report.body).toMatchObject({ recorded_by: admin, done: true, lines: 1, recorded: 1, refused: 0 });
    expect((await stepOf(p_run_id)).payouts).toEqual([{ state: 'paid', payouts: 1, amount_cents: 12_000 }]);
    const { body } = await call<CreatorPayouts>('list_creator_payouts', { p_creator_id: creatorId });
    expect(body.payouts).toMatchObject([
      { state: 'paid', reference, bank_reference: 'SEPA-1', paid_on: '2026-11-19', checked_by: admin },
    ]);
    expect((await acts()).slice(0, 4)).toMatchObject([
      { kind: 'payout.recorded', actor_id: admin, actor_role: 'admin' },
      { kind: 'payout.checked', actor_id: admin, actor_role: 'admin' },
      { kind: 'payout.fixed', actor_id: finance, actor_role: 'finance' },
      { kind: 'payout.drafted', actor_id: finance, actor_role: 'finance' },
    ]);
  });

  it('refuses the check to the person who drafted the run, also as an admin', async () => {
    const p_run_id = v7();
    const admin = someone('admin');
    await call('draft_payout_run', { p_run_id }, admin);
    await carryOut(app);
    await call('fix_payout_run', { p_run_id }, admin);
    await carryOut(app);
    expect(await call('check_payout_run', { p_run_id }, admin)).toMatchObject({
      status: 403,
      body: { code: '42501', message: 'Another person than the one who drafted the run checks it.' },
    });
    expect((await stepOf(p_run_id)).step).toBe('fix');
  });

  it('gives up a run, so that its amounts are payable again', async () => {
    const creatorId = await creator();
    await earn(app, [creatorId], 5_000, PAYABLE_DAY);
    const p_run_id = await runAt('fix');
    const body = { p_run_id, p_reason: ' A wrong minimum. ' };
    expect(await call('cancel_payout_run', body, someone('finance'))).toMatchObject({
      status: 200,
      body: { step: 'cancel', cancel_reason: 'A wrong minimum.' },
    });
    await carryOut(app);
    expect((await stepOf(p_run_id)).payouts).toEqual([{ state: 'cancelled', payouts: 1, amount_cents: 5_000 }]);
    expect((await stepOf(await runAt('draft'))).payouts).toMatchObject([{ state: 'drafted', amount_cents: 5_000 }]);
  });

  it('holds the payouts of a creator with a reason, and releases them', async () => {
    const creatorId = await creator();
    await earn(app, [creatorId], 5_000, PAYABLE_DAY);
    const hold = { p_creator_id: creatorId, p_until: '2026-12-24', p_reason: 'A dispute' };
    for (const body of [hold, hold, { ...hold, p_until: '2027-01-24', p_reason: 'It goes on' }]) {
      expect(await call('hold_payouts', body)).toMatchObject({ status: 200 });
    }
    expect((await stepOf(await runAt('draft'))).skipped).toMatchObject([{ reason: 'held', creators: 1 }]);
    const release = { p_creator_id: creatorId, p_reason: 'Solved' };
    for (const body of [release, release]) expect(await call('release_payouts', body)).toMatchObject({ status: 200 });
    expect((await stepOf(await runAt('draft'))).payouts).toMatchObject([{ state: 'drafted', payouts: 1 }]);
    const { body } = await call<CreatorPayouts>('list_creator_payouts', { p_creator_id: creatorId });
    expect(body.hold).toMatchObject({ holds: false, reason: 'Solved' });
    // The same hold later is another act.
    expect(await call('hold_payouts', hold)).toMatchObject({ status: 200 });
    const made = (await acts()).filter(({ kind }) => kind === 'payout.held' || kind === 'payout.released');
    expect(made.slice(0, 4).map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
      'payout.held A dispute',
      'payout.released Solved',
      'payout.held It goes on',
      'payout.held A dispute',
    ]);
  });

  it('records that a transfer was refused, and gives up a single payout', async () => {
    const refused = await creator();
    const dropped = await creator();
    await earn(app, [refused, dropped], 5_000, PAYABLE_DAY);
    const runId = await runAt('check');
    const ends = [
      [refused, 'fail', 'AC04'],
      [dropped, 'cancel', 'Asked for'],
    ] as const;
    for (const [creatorId, p_end, p_reason] of ends) {
      const body = { p_payout_id: payoutIdOf(runId, creatorId), p_end, p_reason };
      for (let time = 0; time < 2; time += 1) expect(await call('end_payout', body)).toMatchObject({ status: 200 });
    }
    await app.project();
    expect((await stepOf(runId)).payouts).toEqual([
      { state: 'cancelled', payouts: 1, amount_cents: 5_000 },
      { state: 'failed', payouts: 1, amount_cents: 5_000 },
    ]);
  });

  it('pays a creator who has withdrawn', async () => {
    const creatorId = await creator();
    await earn(app, [creatorId], 5_000, PAYABLE_DAY);
    await query(app, 'update creator set withdrawn_at = now() where id = $1', [creatorId]);
    expect((await stepOf(await runAt('check'))).payouts).toMatchObject([{ state: 'checked', amount_cents: 5_000 }]);
  });

  it('names the line of a wrong file, and the reason for each refused transfer', async () => {
    const creatorId = await creator();
    await earn(app, [creatorId], 5_000, PAYABLE_DAY);
    const runId = await runAt('check');
    const reference = referenceOf(payoutIdOf(runId, creatorId));
    expect(
      await call('record_transfers', {
        p_file: `reference,amount,paid_on,bank_reference\r\n${reference},0.00,2026-11-19,SEPA-1\r\n`,
      }),
    ).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Line 2: the amount must be positive dollars') },
    });
    const lines = ['50.01', '49.99'].map((amount) => `${reference},${amount},2026-11-19,SEPA-1`);
    const { body } = await call<TransfersTaken>('record_transfers', { p_file: lines.join('\n') });
    await carryOut(app);
    const p_report_id = body.report_id;
    const report = await call<BankReport>('get_bank_report', { p_report_id, p_limit: 1 });
    const problem = 'The transfer is $50.01, and the payout is $50.00.';
    expect(report.body).toMatchObject({
      refused: 2,
      recorded: 0,
      refusals: [{ line: 1, reference, problem }],
      next: 1,
    });
    const rest = await call<BankReport>('get_bank_report', { p_report_id, p_limit: 1, p_after: 1 });
    expect(rest.body).toMatchObject({ refusals: [{ line: 2, amount_cents: 4_999 }], next: null });
    expect((await stepOf(runId)).payouts).toMatchObject([{ state: 'checked' }]);
  });

  it('refuses a body that is too large', async () => {
    const tooLarge = await fetch(`${app.url}/rest/v1/rpc/record_transfers`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${someone('admin')}` },
      body: JSON.stringify({ p_file: 'x'.repeat(5_000_000) }),
    });
    expect(tooLarge.status).toBe(413);
  });

  const id = UNKNOWN;
  const reason = { p_reason: 'A test' };
  it.each<[string, object, number, string]>([
    [
      'draft_payout_run',
      { p_run_id: id, p_cutoff: '2026-11-21' },
      400,
      'The cutoff must lie at least 15 minutes back.',
    ],
    [
      ...(['draft_payout_run', { p_run_id: id, p_cutoff: '2026-11-19T10:00:00Z' }, 400] as const),
      'The cutoff must be the first instant of a day in UTC.',
    ],
    ['draft_payout_run', { p_run_id: id, p_cutoff: 'x' }, 400, 'p_cutoff must be a day or an instant'],
    [
      ...(['draft_payout_run', { p_run_id: id, p_cutoff: '2025-12-31' }, 400] as const),
      'The cutoff lies before the first entry of the books.',
    ],
    ['fix_payout_run', { p_run_id: id }, 404, 'There is no such payout run.'],
    ['check_payout_run', { p_run_id: id }, 404, 'There is no such payout run.'],
    ['cancel_payout_run', { p_run_id: id, ...reason }, 404, 'There is no such payout run.'],
    ['cancel_payout_run', { p_run_id: id, p_reason: ' ' }, 400, 'p_reason must say why'],
    ['end_payout', { p_payout_id: id, p_end: 'cancel', ...reason }, 404, 'There is no such payout.'],
    ['end_payout', { p_payout_id: id, p_end: 'pay', ...reason }, 400, 'Missing or not valid: p_end'],
    ['hold_payouts', { p_creator_id: id, p_until: '2026-12-24', ...reason }, 404, 'There is no such creator.'],
    ['hold_payouts', { p_creator_id: id, p_until: '2026-11-20', ...reason }, 400, 'must end in the future'],
    ['hold_payouts', { p_creator_id: id, p_until: '2029-11-20', ...reason }, 400, 'two years at most'],
    ['hold_payouts', { p_creator_id: id, p_until: '2026-12-24' }, 400, 'p_reason must say why'],
    ['release_payouts', { p_creator_id: id, ...reason }, 404, 'There is no such creator.'],
    ['record_transfers', { p_file: '' }, 400, 'The file has no transfer.'],
    ['record_transfers', {}, 400, 'Missing or not valid: p_file'],
    ['take_back_payout_file', { p_run_id: id, p_file: 1, ...reason }, 404, 'There is no such payout run.'],
    ['take_back_payout_file', { p_run_id: id, p_file: 1, p_reason: ' ' }, 400, 'p_reason must say why'],
    ['take_back_payout_file', { p_run_id: id, p_file: 0, ...reason }, 400, 'Missing or not valid: p_file'],
    ['get_bank_report', { p_report_id: 'f'.repeat(64) }, 404, 'There is no such file of the bank.'],
  ])('refuses %s %j with %i', async (name, body, status, message) => {
    const answer = await call<{ message: string; details: string | null }>(name, body);
    expect(`${answer.status} ${answer.body.message} ${answer.body.details}`).toContain(message);
    expect(answer.status).toBe(status);
  });

  it('refuses a step before the one that it needs', async () => {
    const p_run_id = await runAt('draft');
    expect(await call('check_payout_run', { p_run_id })).toMatchObject({
      status: 409,
      body: { message: 'This run cannot be checked now: its last step was draft.' },
    });
    await call('cancel_payout_run', { p_run_id, p_reason: 'A test' });
    await carryOut(app);
    expect(await call('fix_payout_run', { p_run_id })).toMatchObject({ status: 409 });
    expect(await call('draft_payout_run', { p_run_id, p_cutoff: '2026-11-19' })).toMatchObject({
      status: 409,
      body: { message: 'This id was used for a run with another cutoff.' },
    });
  });
});

const download = async (runId: string, file: number, token = someone('admin')): Promise<[number, string]> => {
  const response = await app.read(`exports/payout-file.csv?run_id=${runId}&file=${file}`, token);
  return [response.status, await response.text()];
};

const HEADER = 'reference,amount,currency,legal_name,country,account\r\n';

describe('files for the bank', () => {
  it('has what the bank needs, each payout in one file, and escapes formulas', async () => {
    const userId = `user_of_formula_${(people += 1)}`;
    const formula = await approvedCreator(app, userId);
    await saveDetailsOn(app, clock, userId, { account: '12-345678', legalName: '=cmd|" /C calc"!A0' });
    const paid = await creator();
    await earn(app, [formula], 5_050, PAYABLE_DAY);
    await earn(app, [paid], 120_000, PAYABLE_DAY);
    const runId = await runAt('check');
    const make = { p_run_id: runId, p_file: 1 };
    const admin = someone('admin');
    const made = await call<PayoutFile>('make_payout_file', make, admin);
    expect(made).toMatchObject({ status: 200, body: { run_id: runId, file: 1, payouts: 2, amount_cents: 125_050 } });
    expect((await call<PayoutFile>('make_payout_file', make)).body).toEqual(made.body);
    expect(await call('make_payout_file', { ...make, p_file: 2 })).toMatchObject({
      status: 409,
      body: { message: 'This run has no payout that can be sent now.' },
    });
    expect(await call('make_payout_file', { ...make, p_file: 3 })).toMatchObject({
      status: 409,
      body: { message: 'The next file of this run has the number 2.' },
    });
    const lines = new Map([
      [formula, `50.50,USD,"'=cmd|"" /C calc""!A0",DE,12-345678`],
      [paid, '1200.00,USD,Aria Vale,DE,DE89370400440532013000'],
    ]);
    const due = [formula, paid]
      .sort()
      .map((creatorId) => `${referenceOf(payoutIdOf(runId, creatorId))},${lines.get(creatorId)}\r\n`);
    expect(await download(runId, 1, admin)).toEqual([200, HEADER + due.join('')]);
    expect(await download(runId, 1)).toEqual([200, HEADER + due.join('')]);
    const [second, first, file] = await acts();
    expect([second, first, file]).toMatchObject([
      { kind: 'payout.file_downloaded' },
      { kind: 'payout.file_downloaded', actor_id: admin },
      { kind: 'payout.file_made', actor_id: admin },
    ]);
    const secrets = await query(
      app,
      `select 1 from admin_act a left join admin_act_personal p on p.act_id = a.id
       where a.body like any($1) or p.reason like any($1)`,
      [['%DE8937%', '%345678%', '%cmd|%']],
    );
    expect(secrets).toEqual([]);
    expect(await stepOf(runId)).toMatchObject({ files: 1 });
  });

  it('leaves out creators whose details changed within 7 days, until a later file', async () => {
    const userId = `user_of_changes_${(people += 1)}`;
    const changed = await approvedCreator(app, userId);
    await saveDetailsOn(app, clock, userId);
    const paid = await creator();
    await earn(app, [changed, paid], 5_000, PAYABLE_DAY);
    const runId = await runAt('check');
    await saveDetailsOn(app, clock, userId, { day: '2026-11-19', account: 'GB29NWBK60161331926819' });
    const first = await call<PayoutFile>('make_payout_file', { p_run_id: runId, p_file: 1 });
    expect(first.body).toMatchObject({ payouts: 1, amount_cents: 5_000 });
    const rowOf = async (creatorId: string): Promise<unknown> => {
      const { body } = await call<PayoutRunCreators>('list_payout_run_creators', { p_run_id: runId });
      return body.creators.find(({ creator_id: id }) => id === creatorId);
    };
    expect(await rowOf(changed)).toMatchObject({ state: 'checked', left_out: 'details_changed', file: null });
    expect(await rowOf(paid)).toMatchObject({ state: 'checked', left_out: null, file: 1 });
    expect((await download(runId, 1))[1]).not.toContain(referenceOf(payoutIdOf(runId, changed)));

    clock.set(new Date('2026-11-27T09:00:00Z'));
    const second = await call<PayoutFile>('make_payout_file', { p_run_id: runId, p_file: 2 });
    expect(second.body).toMatchObject({ file: 2, payouts: 1 });
    const due = `${referenceOf(payoutIdOf(runId, changed))},50.00,USD,Aria Vale,DE,GB29NWBK60161331926819\r\n`;
    expect(await download(runId, 2)).toEqual([200, HEADER + due]);
  });

  it('never sends a payout that was given up, and gives up none that was sent', async () => {
    const sent = await creator();
    const dropped = await creator();
    await earn(app, [sent, dropped], 5_000, PAYABLE_DAY);
    const runId = await runAt('check');
    const p_payout_id = payoutIdOf(runId, sent);
    const reason = { p_reason: 'A test' };
    const cancel = { p_payout_id: payoutIdOf(runId, dropped), p_end: 'cancel', ...reason };
    expect(await call('end_payout', cancel)).toMatchObject({ status: 200 });
    // The projection has not read the end yet.
    const { body } = await call<PayoutRunCreators>('list_payout_run_creators', { p_run_id: runId });
    expect(body.creators.find(({ creator_id: id }) => id === dropped)).toMatchObject({
      state: 'checked',
      left_out: 'ending',
      file: null,
    });
    await app.project();
    const made = await call<PayoutFile>('make_payout_file', { p_run_id: runId, p_file: 1 });
    expect(made.body).toMatchObject({ payouts: 1 });
    const refused = { status: 409, body: { code: '55000' } };
    expect(await call('end_payout', { p_payout_id, p_end: 'cancel', ...reason })).toMatchObject(refused);
    expect(await call('cancel_payout_run', { p_run_id: runId, ...reason })).toMatchObject(refused);
    expect((await download(runId, 1))[1]).toContain(referenceOf(p_payout_id));
    expect(await call('end_payout', { p_payout_id, p_end: 'fail', ...reason })).toMatchObject({ status: 200 });
    await app.project();
    // A file that is downloaded again has only what is still due.
    expect(await download(runId, 1)).toEqual([200, HEADER]);
    expect((await call('cancel_payout_run', { p_run_id: runId, ...reason })).status).toBe(409);
  });

  it('makes one file when two persons ask at the same time, or one of them cancels the run', async () => {
    const creatorId = await creator();
    await earn(app, [creatorId], 5_000, PAYABLE_DAY);
    const runId = await runAt('check');
    const answers = await Promise.all([
      call('make_payout_file', { p_run_id: runId, p_file: 1 }),
      call('make_payout_file', { p_run_id: runId, p_file: 1 }),
      call('cancel_payout_run', { p_run_id: runId, p_reason: 'A test' }),
    ]);
    const { step, files } = await stepOf(runId);
    expect([step, files]).toEqual(step === 'cancel' ? ['cancel', 0] : ['check', 1]);
    expect(answers[2].status).toBe(step === 'cancel' ? 200 : 409);
    const numbers = await query(app, 'select file from payout_run_creator where run_id = $1', [runId]);
    expect(numbers).toEqual([{ file: files === 1 ? 1 : null }]);
    await carryOut(app);
  });

  it('pays a creator who has closed the account, from the details that are kept', async () => {
    const creatorId = await creator();
    await earn(app, [creatorId], 5_000, PAYABLE_DAY);
    await query(app, `update creator set withdrawn_at = now(), closed_at = now(), name = '' where id = $1`, [
      creatorId,
    ]);
    const runId = await runAt('check');
    await call('make_payout_file', { p_run_id: runId, p_file: 1 });
    expect((await download(runId, 1))[1]).toContain(`${referenceOf(payoutIdOf(runId, creatorId))},50.00,USD,Aria Vale`);
  });

  it('refuses runs that are not checked, and files that are not there', async () => {
    const creatorId = await creator();
    await earn(app, [creatorId], 5_000, PAYABLE_DAY);
    const runId = await runAt('fix');
    expect(await call('make_payout_file', { p_run_id: runId, p_file: 1 })).toMatchObject({
      status: 409,
      body: { message: 'A file has the payouts of a run that was checked.' },
    });
    expect((await call('make_payout_file', { p_run_id: UNKNOWN, p_file: 1 })).status).toBe(404);
    expect((await download(UNKNOWN, 1))[0]).toBe(404);
    expect((await download(runId, 1))[0]).toBe(404);
    for (const file of [0, 1.5, 10_000]) expect((await download(runId, file))[0]).toBe(400);
    expect((await download('x', 1))[0]).toBe(400);
  });
});

describe('take_back_payout_file', () => {
  const SENT = { status: 409, body: { code: '55000', message: expect.stringContaining('The bank has this file') } };
  const filesOf = async (runId: string): Promise<PayoutFiles['files']> =>
    (await call<PayoutFiles>('list_payout_files', { p_run_id: runId })).body.files;
  const takeBack = (runId: string, file = 1): Promise<Answer<{ message: string }>> =>
    call('take_back_payout_file', { p_run_id: runId, p_file: file, p_reason: ' Made too early. ' });
  const make = (runId: string, file: number): Promise<Answer<PayoutFile>> =>
    call('make_payout_file', { p_run_id: runId, p_file: file });
  const report = (runId: string, creatorId: string): Promise<Answer<TransfersTaken>> => {
    const p_file = `${referenceOf(payoutIdOf(runId, creatorId))},50.00,2026-11-19,SEPA-1`;
    return call('record_transfers', { p_file });
  };
  /** A checked run with a file for the bank that has each creator's 50 dollars. */
  const runWithFile = async (count = 1): Promise<{ runId: string; creators: string[] }> => {
    const creators: string[] = [];
    for (let index = 0; index < count; index += 1) creators.push(await creator());
    await earn(app, creators, 5_000, PAYABLE_DAY);
    const runId = await runAt('check');
    expect(await make(runId, 1)).toMatchObject({ body: { file: 1, payouts: count } });
    return { runId, creators };
  };

  it('leaves the payouts to a later file, and never uses the number again', async () => {
    const { runId, creators } = await runWithFile(2);
    const [row] = await filesOf(runId);
    expect(row).toMatchObject({
      file: 1,
      made_at: NOW.toISOString(),
      payouts: 2,
      amount_cents: 10_000,
      due: 2,
      due_cents: 10_000,
      taken_back_by: null,
      taken_back_at: null,
      taken_back_reason: null,
    });
    for (let time = 0; time < 2; time += 1) expect(await takeBack(runId)).toMatchObject({ status: 200 });
    expect((await acts()).filter(({ kind }) => kind === 'payout.file_taken_back')).toHaveLength(1);
    expect((await acts())[0]).toMatchObject({ kind: 'payout.file_taken_back', reason: 'Made too early.' });
    expect(await filesOf(runId)).toMatchObject([
      { file: 1, payouts: 2, amount_cents: 10_000, due: 0, due_cents: 0, taken_back_reason: 'Made too early.' },
    ]);
    const { body } = await call<PayoutRunCreators>('list_payout_run_creators', { p_run_id: runId });
    expect(body.creators).toMatchObject(creators.map(() => ({ state: 'checked', file: null, taken_back_file: 1 })));
    const [status, text] = await download(runId, 1);
    expect([status, JSON.parse(text)]).toMatchObject([
      409,
      { message: 'File 1 was taken back, so it must not go to the bank. A later file has its payouts.' },
    ]);
    expect(await make(runId, 1)).toMatchObject({
      status: 409,
      body: { message: 'File 1 was taken back. The next file of this run has the number 2.' },
    });
    expect(await make(runId, 2)).toMatchObject({ status: 200, body: { file: 2, payouts: 2, amount_cents: 10_000 } });
    expect((await download(runId, 2))[1]).toContain(referenceOf(payoutIdOf(runId, creators[0] ?? '')));
    expect((await takeBack(runId, 3)).status).toBe(404);
    // The first one stays taken back; the second one is its own.
    expect(await takeBack(runId, 1)).toMatchObject({ status: 200 });
    expect(await filesOf(runId)).toMatchObject([
      { file: 2, due: 2 },
      { file: 1, due: 0 },
    ]);
  });

  it('refuses a file once the bank has paid, refused or reported one of its payouts', async () => {
    const paid = await runWithFile(2);
    await report(paid.runId, paid.creators[0] ?? '');
    expect(await takeBack(paid.runId)).toMatchObject(SENT);
    await carryOut(app);
    expect(await takeBack(paid.runId)).toMatchObject(SENT);
    expect(await filesOf(paid.runId)).toMatchObject([{ due: 1, due_cents: 5_000, taken_back_at: null }]);

    const failed = await runWithFile();
    const p_payout_id = payoutIdOf(failed.runId, failed.creators[0] ?? '');
    await call('end_payout', { p_payout_id, p_end: 'fail', p_reason: 'AC04' });
    await app.project();
    expect(await takeBack(failed.runId)).toMatchObject(SENT);
  });

  it('lets a transfer of the file be recorded, and keeps this payout out of other files', async () => {
    const { runId, creators } = await runWithFile(2);
    const [paid = '', due = ''] = creators;
    await takeBack(runId);
    await report(runId, paid);
    // From the report on, also before the worker has recorded it
    const made = await make(runId, 2);
    expect(made.body).toMatchObject({ payouts: 1 });
    await carryOut(app);
    const [, csv] = await download(runId, 2);
    expect(csv).not.toContain(referenceOf(payoutIdOf(runId, paid)));
    expect(csv).toContain(referenceOf(payoutIdOf(runId, due)));
    expect(await stepOf(runId)).toMatchObject({
      payouts: [
        { state: 'checked', payouts: 1 },
        { state: 'paid', payouts: 1, amount_cents: 5_000 },
      ],
    });
    expect(await make(runId, 3)).toMatchObject({ status: 409 });
  });

  it('lets no payout of the file be cancelled, and a failed one be recorded as paid', async () => {
    const { runId, creators } = await runWithFile();
    const [creatorId = ''] = creators;
    await takeBack(runId);
    const end = { p_payout_id: payoutIdOf(runId, creatorId), p_reason: 'A test' };
    expect(await call('end_payout', { ...end, p_end: 'cancel' })).toMatchObject({ status: 409 });
    expect(await call('cancel_payout_run', { p_run_id: runId, p_reason: 'A test' })).toMatchObject({ status: 409 });
    // The refused cancellation has left nothing behind.
    expect(await make(runId, 2)).toMatchObject({ status: 200, body: { payouts: 1 } });
    await takeBack(runId, 2);
    expect(await call('end_payout', { ...end, p_end: 'fail' })).toMatchObject({ status: 200 });
    await app.project();
    expect(await make(runId, 3)).toMatchObject({ status: 409 });
    await report(runId, creatorId);
    await carryOut(app);
    expect((await stepOf(runId)).payouts).toMatchObject([{ state: 'paid' }]);
  });

  it('races with a report of the bank and the next file: the transfer is recorded and not sent again', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { runId, creators } = await runWithFile();
      const calls = [() => takeBack(runId), () => report(runId, creators[0] ?? ''), () => make(runId, 2)];
      // Each order of arrival has a turn.
      const first = calls.splice(round % 3, 1);
      await Promise.all([...first, ...calls].map((each) => each()));
      await carryOut(app);
      expect((await stepOf(runId)).payouts).toMatchObject([{ state: 'paid', amount_cents: 5_000 }]);
      for (const { file, taken_back_at } of await filesOf(runId)) {
        if (taken_back_at === null) expect(await download(runId, file)).toEqual([200, HEADER]);
      }
      const { files } = await stepOf(runId);
      expect(await make(runId, files + 1)).toMatchObject({ status: 409 });
    }
  });

  it('makes one act of two requests at the same time, and never takes back a failed payout', async () => {
    const { runId, creators } = await runWithFile();
    await Promise.all([takeBack(runId), takeBack(runId)]);
    const taken = await query(
      app,
      `select number from admin_act where kind = 'payout.file_taken_back' and subject_id = $1`,
      [runId],
    );
    expect(taken).toHaveLength(1);
    expect((await filesOf(runId))[0]).toMatchObject({ due: 0 });
    await make(runId, 2);
    const p_payout_id = payoutIdOf(runId, creators[0] ?? '');
    const [back] = await Promise.all([
      takeBack(runId, 2),
      call('end_payout', { p_payout_id, p_end: 'fail', p_reason: 'AC04' }),
    ]);
    await app.project();
    expect((await stepOf(runId)).payouts).toMatchObject([{ state: 'failed' }]);
    const [file] = await filesOf(runId);
    expect(file?.taken_back_at !== null).toBe(back.status === 200);
    expect(await make(runId, 3)).toMatchObject({ status: 409 });
  });
});
