import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type LedgerSummary } from '../../src/audit/index.js';
import { ActReconciler } from '../../src/admin/acts/workers/act-reconciler.js';
import { endRun, requestRun } from '../../src/audit/runs/verification-runs.js';
import { type VerificationResult } from '../../src/contract/audit.js';
import { ApproveCreator } from '../../src/creators/use-cases/approve-creator.js';
import { EraseCreator } from '../../src/creators/index.js';
import { ImageRows } from '../../src/generation/rows/image-rows.js';
import { DecideCreditProposal, ProposeCredits } from '../../src/credits/index.js';
import { MakePayoutFile } from '../../src/finance/use-cases/make-payout-file.js';
import { payoutIdOf, referenceOf } from '../../src/finance/runs/payout-ids.js';
import { RecordTransfers } from '../../src/finance/use-cases/record-transfers.js';
import { SaveGallery } from '../../src/gallery/index.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { type Actor } from '../../src/platform/acts/actor.js';
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
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(60_000);

const HOUR = 3_600_000;
const admin = (userId: string): Actor => ({ userId, role: 'admin', requestId: null, address: null });

let app: GenerationApp;
/** The creators of two payouts. The bank reports both. */
let creators: string[];
let approved: string;
/** The images of the gallery, and an applicant who was approved. */
let images: string[];
const applicant = randomUUID();
/** The last verification. */
let summary: LedgerSummary | undefined;

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
  await sealedRows();
  await app.project();
});
afterAll(() => app?.close());

/** A creator who was approved, a gallery, and a verification on demand. */
async function sealedRows(): Promise<void> {
  const [style = ''] = creators;
  images = [await app.delivered(await app.newUser(), style), await app.delivered(await app.newUser(), style)];
  const save = { creatorId: style, generationIds: images, expectedVersion: 0, actor: ADMIN };
  await app.commands.execute(new SaveGallery(save));
  await query(
    app,
    `insert into creator (id, clerk_id, username, name, email, instagram, bio, creator_status, created_at, updated_at)
     values ($1, 'user_applies', 'applies', 'Ada', 'a@x.test', '@ada', '', 'pending', now(), now())`,
    [applicant],
  );
  const verification = { identity: 'Passport', age: 'Born in 1990', instagram: 'Message' };
  await app.commands.execute(new ApproveCreator({ creatorId: applicant, actor: ADMIN, verification }));
  const { id } = await requestRun(app.pool, 'auditor_1', app.clock.now());
  const found = { kind: 'chain', problems: 3 } as const;
  const result = { problems_by_kind: [found], compared: { events: 7 } } as unknown as VerificationResult;
  await endRun({ db: app.tables(), acts: app.get(Acts) }, id, { problems: 3, result }, app.clock.now());
}

async function propose(approve: boolean): Promise<string> {
  const id = randomUUID();
  const userId = await app.newUser();
  const proposal = { id, user_id: userId, kind: 'grant', amount: 1_500, reason: 'A prize' } as const;
  await app.commands.execute(new ProposeCredits({ ...proposal, admin: admin('admin_a') }));
  const decision = { proposalId: id, approve, reason: approve ? null : 'Too much', admin: admin('admin_b') };
  await app.commands.execute(new DecideCreditProposal(decision));
  return id;
}

/** The problems of acts an hour later. The rows of these books are not made from events. */
async function problems(): Promise<string[]> {
  const now = (): Date => new Date(app.clock.now().getTime() + HOUR);
  const found = await verifiedLedger(app, now, { images: app.storage });
  summary = found.summary;
  return found.problems
    .filter(({ kind }) => kind === 'act' || kind === 'generation')
    .map(({ what: sentence }) => sentence);
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
const OTHERWISE = 'differs from the one that entry';
const SALT = 'has lost the salt of its hash in entry';
/** The details of the other creator. */
const SWAPPED = `(
  select o.sealed from creator_payout_details o where o.creator_id <> creator_payout_details.creator_id limit 1)`;

it.each<[table: string, changes: Record<string, string>, sentences: string[]]>([
  [
    'payout_run',
    {
      drafted_by: `'mallory'`,
      checked_by: `'mallory'`,
      cancelled_by: `'mallory'`,
      number: '7',
      minimum_cents: '1',
      cutoff: `cutoff - interval '1 day'`,
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
    ['in a file of the bank has the amount in cents 5001, but its act has 5000.', `The file of the bank`, OTHERWISE],
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
  ['creator_consent', { accepted_text_snapshot: `'I agree to nothing'` }, [`The act of consent`, OTHERWISE]],
  ['creator_consent', { terms_version: `'v0'` }, [`The act of consent`, OTHERWISE]],
  ['creator_consent', { accepted_text_snapshot: `'Nothing'`, salt: 'null' }, [`The act of consent`, SALT]],
  ['creator_decision', { age_verified: `'Looks old enough'` }, ['The decision about a creator', OTHERWISE]],
  ['creator_decision', { age_verified: `'Looks old enough'`, salt: 'null' }, ['The decision about a creator', SALT]],
  ['creator_payout_details', { sealed: SWAPPED }, ['The payout details of creator', OTHERWISE]],
  ['gallery_item', { place: '3 - place' }, ['The gallery of creator', OTHERWISE]],
  ['verification_run', { problems: '0' }, ['The verification', OTHERWISE]],
])('names rows of %s that were changed: %j', async (table, changes, sentences) => {
  const found = (await after(table, changes)).join('\n');
  for (const sentence of sentences) expect(found).toContain(sentence);
});

it('names a consent whose row is gone, and counts those of before the hashes', async () => {
  await query(app, `create table kept as select * from creator_consent where clerk_id = 'user_of_rows_1'`);
  await query(app, `delete from creator_consent where clerk_id = 'user_of_rows_1'`);
  expect(await problems()).toContainEqual(
    expect.stringMatching(/^The act of consent .* is gone, and entry \d+ fixed it\.$/),
  );
  await query(app, 'insert into creator_consent overriding system value table kept');
  const forged = (at: string, rows: number) =>
    query(
      app,
      `insert into creator_consent (id, clerk_id, kind, at, context, user_agent)
       select gen_random_uuid(), 'mallory', 'withdrawn', $1, 'controls', 'unknown' from generate_series(1, $2)`,
      [at, rows],
    );
  await forged('2026-11-01T00:00:00Z', 250);
  expect(await problems()).toEqual([]);
  expect(summary?.uncovered).toEqual({ rows: { 'acts of consent': 250 }, before: 1 });
  await forged('2026-11-20T09:00:00Z', 1);
  expect(await problems()).toEqual([expect.stringMatching(/^The act of consent .* has no act that fixes it\.$/)]);
  await query(app, `delete from creator_consent where clerk_id = 'mallory'`);
  await query(app, 'drop table kept');
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

it('names an image or a prompt that its settlement does not have', async () => {
  const [id = ''] = images;
  const { salt, image, prompt } = await app.row(id);
  const name = image!.url.slice('/media/'.length);
  const bytes = app.storage.files.get(name)!;
  expect(summary?.uncoveredImages).toBe(0);
  app.storage.files.set(name, Buffer.concat([bytes, Buffer.from('x')]));
  expect(await problems()).toEqual([`Generation ${id} has another image than its settlement fixed.`]);
  app.storage.files.delete(name);
  expect(await problems()).toEqual([`Generation ${id} lacks the file of its image.`]);
  app.storage.files.set(name, bytes);
  const change = (column: string, value: string | null) =>
    query(app, `update generation set ${column} = $1 where id = $2`, [value, id]);
  await change('prompt', 'Another fox');
  expect(await problems()).toEqual([`Generation ${id} has another prompt than its settlement fixed.`]);
  await change('prompt', prompt);
  await change('salt', null);
  expect(await problems()).toEqual([`Generation ${id} has lost the salt of the hashes in its settlement.`]);
  await change('salt', salt);
  expect(await problems()).toEqual([]);
});

it('accepts what an erasure removes with its salt', async () => {
  await query(app, `update creator set withdrawn_at = now(), closed_at = now() where id = $1`, [applicant]);
  await app.commands.execute(new EraseCreator({ creatorId: applicant, hasEarnings: false }));
  await app.get(ImageRows).remove(images[1] ?? '', null);
  expect(await problems()).toEqual([]);
  const erased = await query(app, 'select salt, age_verified from creator_decision where creator_id = $1', [applicant]);
  expect(erased).toEqual([{ salt: null, age_verified: null }]);
  expect(await app.row(images[1] ?? '')).toMatchObject({ salt: null, prompt: '' });
});
