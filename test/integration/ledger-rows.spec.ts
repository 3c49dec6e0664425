import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type LedgerProblem, verifyLedger } from '../../src/audit/index.js';
import { ActReconciler } from '../../src/acts/workers/act-reconciler.js';
import { DecideCreditProposal, ProposeCredits } from '../../src/credits/index.js';
import { MakePayoutFile } from '../../src/finance/use-cases/make-payout-file.js';
import { payoutIdOf, referenceOf } from '../../src/finance/runs/payout-ids.js';
import { RecordTransfers } from '../../src/finance/use-cases/record-transfers.js';
import { type Actor } from '../../src/platform/acts/actor.js';
import { EventStore } from '../../src/platform/event-store/event-store.js';
import { GenerationApp } from '../support/generation-app.js';
import {
  ADMIN,
  approvedCreator,
  carryOut,
  earn,
  emptyPayouts,
  payoutRun,
  query,
  saveDetails,
} from '../support/payouts.js';

jest.setTimeout(60_000);

const HOUR = 3_600_000;
const admin = (userId: string): Actor => ({ userId, role: 'admin', requestId: null, address: null });

let app: GenerationApp;
/** The creators of two payouts. The bank reports both. */
let creators: string[];
let approved: string;

/** One history with a row of every kind. */
beforeAll(async () => {
  app = await GenerationApp.start();
  await app.project();
  await emptyPayouts(app);
  // The log begins an hour before.
  app.clock.set(new Date('2026-11-20T08:00:00Z'));
  await query(app, 'truncate admin_act, admin_act_personal');
  await query(app, `update admin_act_head set number = 0, hash = ''`);
  await app.get(ActReconciler).onApplicationBootstrap();
  app.clock.set(new Date('2026-11-20T09:00:00Z'));
  creators = [await approvedCreator(app, 'user_of_rows_1'), await approvedCreator(app, 'user_of_rows_2')];
  app.clock.set(new Date('2026-01-01T09:00:00Z'));
  for (const user of ['user_of_rows_1', 'user_of_rows_2']) await saveDetails(app, user);
  app.clock.set(new Date('2026-11-20T09:00:00Z'));
  await earn(app, creators, 5_000, '2026-11-01');
  const runId = await payoutRun(app, 'check');
  await app.commands.execute(new MakePayoutFile({ runId, file: 1, by: ADMIN }));
  const lines = creators.map((id) => `${referenceOf(payoutIdOf(runId, id))},50.00,2026-11-19,SEPA-${id}\n`);
  await app.commands.execute(new RecordTransfers({ file: lines.join(''), by: ADMIN }));
  await carryOut(app);
  approved = await propose(true);
  await propose(false);
  await app.project();
});
afterAll(() => app?.close());

async function propose(approve: boolean): Promise<string> {
  const [id, userId] = [randomUUID(), await app.newUser()];
  const proposal = { id, user_id: userId, kind: 'grant', amount: 1_500, reason: 'A prize' } as const;
  await app.commands.execute(new ProposeCredits({ ...proposal, admin: admin('admin_a') }));
  const decision = { proposalId: id, approve, reason: approve ? null : 'Too much', admin: admin('admin_b') };
  await app.commands.execute(new DecideCreditProposal(decision));
  return id;
}

/** The problems of acts an hour later. The rows of these books are not made from events. */
async function problems(): Promise<string[]> {
  const found: LedgerProblem[] = [];
  const now = (): Date => new Date(app.clock.now().getTime() + HOUR);
  const sources = { pool: app.pool, eventStore: app.get(EventStore) };
  await verifyLedger(sources, { now, onProblem: (each) => found.push(each) });
  return found.filter(({ kind }) => kind === 'act' || kind === 'generation').map(({ what: sentence }) => sentence);
}

/** Changes rows as someone with the password of the owner can, verifies, and undoes the change. */
async function after(table: string, changes: Readonly<Record<string, string>>): Promise<string[]> {
  const columns = Object.keys(changes);
  await query(app, `alter table ${table} add column nth serial`);
  await query(app, `create table kept as select nth, ${columns.join(', ')} from ${table}`);
  await query(app, `update ${table} set ${columns.map((column) => `${column} = ${changes[column]}`).join(', ')}`);
  const found = await problems().catch((error: unknown) => [String(error)]);
  const undo = columns.map((column) => `${column} = k.${column}`).join(', ');
  await query(app, `update ${table} t set ${undo} from kept k where k.nth = t.nth`);
  await query(app, `alter table ${table} drop column nth`);
  await query(app, 'drop table kept');
  return found;
}

it('finds no problem in rows that are as the product made them', async () => {
  expect(await problems()).toEqual([]);
});

const RUN = 'The run 7 of payouts';
const FILE = 'File 1 of the run 1 of payouts';
const CUTOFF = '2026-11-19T00:00:00.000Z, but its act has 2026-11-20T00:00:00.000Z.';
it.each<[table: string, changes: Record<string, string>, sentences: string[]]>([
  [
    'payout_run',
    {
      ...{ drafted_by: `'mallory'`, checked_by: `'mallory'`, cancelled_by: `'mallory'`, number: '7' },
      ...{ minimum_cents: '1', cutoff: `cutoff - interval '1 day'` },
    },
    [
      `${RUN} (payout.drafted) has the person mallory, but its act has finance_fay.`,
      `${RUN} (payout.checked) has the person mallory, but its act has admin_ada.`,
      `${RUN} (payout.run_cancelled) has no act.`,
      `${RUN} (payout.fixed) has the number 7, but its act has 1.`,
      `${RUN} (payout.drafted) has the minimum 1, but its act has 2500.`,
      `${RUN} (payout.drafted) has the cutoff ${CUTOFF}`,
    ],
  ],
  ['payout_run', { drafted_by: 'null' }, ['(payout.drafted) has the person system, but its act has finance_fay.']],
  [
    'payout_file',
    { made_by: `'mallory'`, amount_cents: '1', payouts: '1', taken_back_by: `'mallory'` },
    [
      `${FILE} (payout.file_made) has the person mallory, but its act has admin_ada.`,
      `${FILE} (payout.file_made) has the number of payouts 1, but its act has 2.`,
      `${FILE} (payout.file_made) has the amount in cents 1, but its act has 10000.`,
      `${FILE} (payout.file_taken_back) has no act.`,
    ],
  ],
  ['bank_report', { recorded_by: `'mallory'` }, ['of the bank has the person mallory, but its act has admin_ada.']],
  ['bank_report_line', { amount_cents: '4999' }, ['of the bank has the sum in cents 9998, but its act has 10000.']],
  [
    'bank_report_line',
    { amount_cents: '5000 + (line * 2 - 3)' },
    ['in a file of the bank has the amount in cents 5001, but its act has 5000.'],
  ],
  [
    'credit_proposal',
    { proposed_by: `'mallory'`, amount: '15', user_id: `'eve'`, kind: `'adjust'`, reason: `'Another prize'` },
    [
      'has the proposer mallory, but its act has admin_a.',
      'has the amount 15, but its act has 1500.',
      'has the user eve, but its act has user_',
      'has the kind adjust, but its act has grant.',
      'has another reason than its act.',
    ],
  ],
  ['credit_proposal', { decided_by: `'mallory'` }, ['has the decider mallory, but its act has admin_b.']],
])('names rows of %s that were changed: %j', async (table, changes, sentences) => {
  const found = (await after(table, changes)).join('\n');
  for (const sentence of sentences) expect(found).toContain(sentence);
});

it('names a proposal whose decision was changed, and a file for the bank that is gone', async () => {
  const decide = (state: string, id: string): Promise<unknown> =>
    query(app, 'update credit_proposal set state = $1, applied_at = null where id = $2', [state, id]);
  await decide('declined', approved);
  expect(await problems()).toContain(`The proposal ${approved} has the decision declined, but its act has approved.`);
  await decide('approved', approved);
  await query(app, 'create table kept as table payout_file');
  await query(app, 'delete from payout_file');
  expect(await problems()).toContainEqual(expect.stringMatching(/^payout_file lacks the file 1 of the run /));
  await query(app, 'insert into payout_file table kept');
  await query(app, 'drop table kept');
  expect(await problems()).toEqual([]);
});
