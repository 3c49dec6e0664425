import { randomUUID } from 'node:crypto';
import { SchedulerRegistry } from '@nestjs/schedule';
import { PayoutCipher } from '../../../src/creators/payout/payout-cipher.js';
import { draftPayout } from '../../../src/finance/payouts/decide.js';
import { PayoutStore } from '../../../src/finance/payouts/payout-store.js';
import { referenceOf } from '../../../src/finance/runs/payout-ids.js';
import { PayoutRunner } from '../../../src/finance/workers/payout-runner.js';
import { ProjectionRunner } from '../../../src/platform/projections/projection-runner.js';
import { type ApiUser } from '../api-client.js';
import { FILLED_CREATOR, type RequestTour } from './request-tour.js';

/** Reads payouts, and decides about them. */
export async function payoutRequests(
  tour: RequestTour,
  finance: ApiUser,
  admin: ApiUser,
  p_creator_id: string,
): Promise<void> {
  const { app, ask, rpc, unheard, asTheOwner } = tour;
  await rpc('list_payout_runs', finance);
  await rpc('list_payout_runs', finance, { p_before: 5 }, { variant: 'second page' });
  // A run of the filled tables
  const p_run_id = '00000000-0000-4000-8000-000000000001';
  await rpc('get_payout_run', finance, { p_run_id });
  await rpc('list_payout_run_creators', finance, { p_run_id });
  await rpc('list_payout_run_creators', finance, { p_run_id, p_skipped: true }, { variant: 'without a payout' });
  await rpc('list_payout_files', finance, { p_run_id });
  await rpc('list_payout_files', finance, { p_run_id, p_before: 9_999 }, { variant: 'second page' });
  const ofCreator = { p_creator_id: FILLED_CREATOR };
  await rpc('list_creator_payouts', finance, ofCreator);
  const p_before = `${new Date().toISOString()} payout9`;
  await rpc('list_creator_payouts', finance, { ...ofCreator, p_before }, { variant: 'second page' });

  // The worker would carry out the decisions during the requests.
  const runner = app.context.get(PayoutRunner);
  runner.wake = () => undefined;
  app.context.get(SchedulerRegistry).deleteInterval('payout-runner');
  const carryOut = (): Promise<unknown> => asTheOwner('update payout_run set working = false', []);
  const run = { p_run_id: randomUUID() };
  const reason = { p_reason: 'A test' };
  await rpc('draft_payout_run', finance, run);
  await rpc('draft_payout_run', finance, run, { variant: 'again' });
  for (const step of ['fix', 'check']) {
    await carryOut();
    await rpc(`${step}_payout_run`, admin, run);
  }
  await carryOut();
  await rpc('cancel_payout_run', admin, { ...run, ...reason });
  const p_file = `${referenceOf(randomUUID())},5.00,2026-01-02,SEPA-1`;
  const { report_id } = await rpc<{ report_id: string }>('record_transfers', admin, { p_file });
  await rpc('get_bank_report', finance, { p_report_id: report_id });
  const hold = { p_creator_id, p_until: new Date(Date.now() + 86_400_000).toISOString(), ...reason };
  await rpc('hold_payouts', admin, hold);
  await rpc('release_payouts', admin, { p_creator_id, ...reason });
  const payoutId = randomUUID();
  await unheard(async () => {
    const sums = { payableCents: 5_000, minimumCents: 1, draftedBy: null };
    const details = { changedAt: new Date(0), usableFrom: null };
    const draft = { payoutId, runId: randomUUID(), cutoff: new Date(0), ...sums, details };
    const origin = { actorId: 'system', causationId: payoutId, correlationId: payoutId };
    const { position } = await app.context
      .get(PayoutStore)
      .execute(p_creator_id, origin, (state, now) => draftPayout(state, draft, now).events);
    await app.context.get(ProjectionRunner).waitFor(position ?? '', { timeoutMs: 60_000, name: 'payouts' });
  });
  await rpc('end_payout', admin, { p_payout_id: payoutId, p_end: 'cancel', ...reason });

  const checked = randomUUID();
  const fields = { legal_name: 'Cost', country: 'DE', account: '123456', tax_status: 'business' } as const;
  const { keyId, sealed } = await app.context.get(PayoutCipher).seal(p_creator_id, fields, { mayCreateKey: true });
  for (const [text, values] of [
    [
      `insert into creator_payout_details (creator_id, key_id, sealed, changed_at) values ($1, $2, $3, '2026-01-01')`,
      [p_creator_id, keyId, sealed],
    ],
    [
      `insert into payout_run (id, number, cutoff, minimum_cents, step, working, drafted_at, draft_act)
       values ($1, 1000, now(), 1, 'check', false, now(), $1)`,
      [checked],
    ],
    [
      `insert into payout_run_creator (run_id, creator_id, payable_cents, paid_cents, payout_id)
       values ($1::uuid, $2, 50, 0, $1::uuid::text)`,
      [checked, p_creator_id],
    ],
    [
      `insert into payout (payout_id, creator_id, run_id, step, cutoff, payable_cents, paid_before_cents, amount_cents,
         minimum_cents, drafted_at, fixed_at)
       values ($1, $2, $1, 'checked', now(), 50, 0, 50, 1, now(), now())`,
      [checked, p_creator_id],
    ],
    [
      // The line that was payable.
      `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits, deduction_id,
         creator_id, payable_at)
       values ($1, 0, 0, 2100, 'DeductionSettled', '2026-01-01Z', -50, 0, $1, $2, '2026-01-31Z')`,
      [checked, p_creator_id],
    ],
  ] as const) {
    await asTheOwner(text, [...values]);
  }
  await rpc('list_payout_statements', finance, ofCreator);
  await rpc('list_payout_statements', finance, { ...ofCreator, p_before }, { variant: 'second page' });
  await rpc('get_payout_statement', finance, { p_payout_id: checked });
  const statement = 'GET /exports/payout-statement.csv';
  await ask(statement, finance, { path: `/exports/payout-statement.csv?payout_id=${checked}` });
  await rpc('make_payout_file', admin, { p_run_id: checked, p_file: 1 });
  await rpc('make_payout_file', admin, { p_run_id: checked, p_file: 1 }, { variant: 'again' });
  const file = 'GET /exports/payout-file.csv';
  await ask(file, admin, { path: `/exports/payout-file.csv?run_id=${checked}&file=1` });
  await rpc('take_back_payout_file', admin, { p_run_id: checked, p_file: 1, ...reason });
  await rpc('take_back_payout_file', admin, { p_run_id: checked, p_file: 1, ...reason }, { variant: 'again' });
}
