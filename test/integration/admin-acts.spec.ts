import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { type Kysely } from 'kysely';
import { v7 } from 'uuid';
import { type ActKind, type ActState, type ActSubject, type AdminAct } from '../../src/contract/acts.js';
import { LogSchedule } from '../../src/audit/workers/log-schedule.js';
import { OpenAccount } from '../../src/credits/index.js';
import { type MonthClosing } from '../../src/contract/finance.js';
import { MonthCloser } from '../../src/finance/index.js';
import { draftPayout } from '../../src/finance/payouts/decide.js';
import { PayoutStore } from '../../src/finance/payouts/payout-store.js';
import { referenceOf } from '../../src/finance/runs/payout-ids.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { type ActTables } from '../../src/platform/acts/tables.js';
import { handlersOf } from '../../src/platform/api-docs/describe-api.js';
import { newApplicant } from '../support/applicants.js';
import { addingCreator } from '../support/adding-creator.js';
import { asOwner } from '../support/database.js';
import { storeTrial } from '../support/model-trial.js';
import { carryOut } from '../support/payouts.js';
import { PaymentProblems } from '../../src/payments/payment-problems.js';
import { storeGeneration } from '../support/stored-generation.js';
import { PaymentsApp } from '../support/payments-app.js';

/**
 * Every write call of admins and finance people makes exactly one entry in the log of acts. A registered call without a
 * row fails the suite. Refused callers are in admin-roles.spec.ts.
 *
 * To add a call, add a row to `CALLS` with the name of the call, the kind of its act and `prepare`. It makes the
 * subject that the call changes (a new one each time, with {@link creator}, {@link fan} or SQL) and returns the body of
 * the request, the subject and, where the act concerns them, the user and the creator. Several rows may have the same
 * name. A call that only reads needs no row when its name begins with one of `READS`.
 */
interface Row {
  readonly call: string;
  readonly kind: ActKind;
  readonly prepare: () => Promise<Prepared>;
  /** By default `done`. */
  readonly state?: ActState;
  /** Lets a worker carry it out. */
  readonly settle?: () => Promise<void>;
}

interface Prepared {
  readonly body: Readonly<Record<string, unknown>>;
  /** The id is null when the call chooses it. */
  readonly subject: readonly [kind: ActSubject, id: string | null];
  readonly userId?: string | null;
  readonly creatorId?: string;
}

const READS = /^(check_(admin|model)|get|list|search|preview)_/;
/** Starts the copy of facts that a worker makes every hour. The person decides nothing and changes nothing. */
const STARTS_A_WORKER = 'run_reconciliation';

let app: PaymentsApp;
let log: Kysely<ActTables>;

beforeAll(async () => {
  app = await PaymentsApp.start();
  log = app.tables<ActTables>();
});
afterAll(() => app?.close());

/** A user with 30 bonus credits. */
async function fan(): Promise<string> {
  const userId = app.newUser();
  await app.commands.execute(new OpenAccount({ userId }));
  return userId;
}

/** An approved creator with a model. */
async function creator(): Promise<{ readonly creatorId: string; readonly userId: string }> {
  const userId = app.newUser();
  const { creatorId } = await app.commands.execute(addingCreator(`c${userId.slice(-12)}`, { clerkId: userId }));
  return { creatorId, userId };
}

/** Runs a statement as the owner of the tables. */
const sql = (text: string, values: unknown[] = []): Promise<unknown> => asOwner(app).query(text, values);

const ofCreator = (
  { creatorId }: { readonly creatorId: string },
  body: Readonly<Record<string, unknown>> = {},
): Prepared => ({ body: { p_creator_id: creatorId, ...body }, subject: ['creator', creatorId], creatorId });

const proposal = (userId: string, id: string) => {
  return { p_proposal_id: id, p_user_id: userId, p_kind: 'grant', p_amount: 5_000, p_reason: 'A contest' };
};

const verified = { p_identity_verified: 'x', p_age_verified: 'x', p_instagram_verified: 'x' };

/** A delivered image of a fan, and a report of it or a request of its creator. */
async function moderated(): Promise<{
  readonly image: string;
  readonly request: string;
  readonly about: Pick<Prepared, 'subject' | 'userId' | 'creatorId'>;
}> {
  const { creatorId } = await creator();
  const userId = await fan();
  const image = await storeGeneration(asOwner(app), { user_id: userId, creator_id: creatorId });
  const request = v7();
  await sql(
    `insert into generation_report (id, generation_id, creator_id, user_id, reason, note, prompt, created_at)
     values ($1, $2, $3, 'user_reporter', 'hate', '', 'A fox', now())`,
    [v7(), image, creatorId],
  );
  await sql(
    `insert into generation_take_down (id, generation_id, creator_id, reason, requested_at, due_at)
     values ($1, $2, $3, 'x', now(), now())`,
    [request, image, creatorId],
  );
  await sql(
    `insert into moderation_case (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at, due_at)
     values ('report', $1, $1, $3, $4, 'hate', 1, now(), null),
       ('take_down', $2, $1, $3, $4, 'creator_request', 1, now(), now())`,
    [image, request, creatorId, userId],
  );
  return { image, request, about: { subject: ['generation', image], userId, creatorId } };
}

/** A creator with delivered images. The first ones are in the gallery. */
async function curated(delivered: number, inGallery: number): Promise<{ creatorId: string; images: string[] }> {
  const { creatorId } = await creator();
  const images = await Promise.all(
    Array.from({ length: delivered }, () => storeGeneration(asOwner(app), { creator_id: creatorId })),
  );
  if (inGallery > 0) {
    await sql(`insert into gallery (creator_id, version, updated_at, updated_by) values ($1, 1, now(), 'admin_x')`, [
      creatorId,
    ]);
    await sql(
      `insert into gallery_item (creator_id, place, generation_id)
       select $1, number - 1, id from unnest($2::uuid[]) with ordinality as image (id, number)`,
      [creatorId, images.slice(0, inGallery)],
    );
  }
  return { creatorId, images };
}

/** A user in the mirror of the identity provider. */
async function known(): Promise<string> {
  const userId = await fan();
  await sql(`insert into app_user (id, created_at, updated_at) values ($1, now(), now()) on conflict do nothing`, [
    userId,
  ]);
  return userId;
}

/** A payout run that a finance person has drafted, after some steps. */
async function payoutRun(...steps: readonly ('fix' | 'check')[]): Promise<Prepared> {
  // The first projection replaces the rows of the books. They begin before the cutoff.
  await app.project();
  await sql(
    `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits)
     values ('fan', 0, 0, 1010, 'CreditsPurchased', $1::timestamptz - interval '9 days', 0, 0) on conflict do nothing`,
    [app.clock.now()],
  );
  const id = randomUUID();
  const body = { p_run_id: id };
  await app.rpc('draft_payout_run', `finance_${randomUUID()}`, body);
  await carryOut(app);
  for (const step of steps) {
    await app.rpc(`${step}_payout_run`, `admin_${randomUUID()}`, body);
    await carryOut(app);
  }
  return { body, subject: ['payout_run', id] };
}

/** A payout of a creator that was drafted. */
async function payout(): Promise<{ readonly payoutId: string; readonly creatorId: string }> {
  const { creatorId } = await creator();
  const payoutId = randomUUID();
  const runId = randomUUID();
  const sums = { payableCents: 5_000, minimumCents: 1, draftedBy: 'finance_1' };
  const draft = {
    payoutId,
    runId,
    cutoff: new Date(0),
    ...sums,
    details: { changedAt: new Date(0), usableFrom: null },
  };
  const origin = { actorId: 'finance_1', causationId: runId, correlationId: runId };
  const drafted = await app
    .get(PayoutStore)
    .execute(creatorId, origin, (state, now) => draftPayout(state, draft, now).events);
  if (drafted.position === null) throw new Error('The payout was not drafted.');
  await app.project();
  return { payoutId, creatorId };
}

/** A checked run with a payout that can be sent, as its rows. */
async function checkedRun(): Promise<string> {
  const { creatorId } = await creator();
  const runId = randomUUID();
  await sql(
    `insert into creator_payout_details (creator_id, key_id, sealed, changed_at) values ($1, 'k', '\\x00', '2026-01-01')`,
    [creatorId],
  );
  await sql(
    `insert into payout_run (id, number, cutoff, minimum_cents, step, working, drafted_at, draft_act)
     select $1, coalesce(max(number), 0) + 1, now(), 1, 'check', false, now(), $1 from payout_run`,
    [runId],
  );
  await sql(
    `insert into payout_run_creator (run_id, creator_id, payable_cents, paid_cents, payout_id) values ($1, $2, 50, 0, $3)`,
    [runId, creatorId, `payout of ${runId}`],
  );
  await sql(
    `insert into payout (payout_id, creator_id, run_id, step, cutoff, payable_cents, paid_before_cents, amount_cents,
       minimum_cents, drafted_at) values ($3, $2, $1, 'checked', now(), 50, 0, 50, 1, now())`,
    [runId, creatorId, `payout of ${runId}`],
  );
  return runId;
}

const inAWeek = (): string => new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString();

const CALLS: readonly Row[] = [
  ...(['keep', 'hide', 'take_down'] as const).map((decision): Row => ({
    call: 'decide_moderation_case',
    kind: ({ keep: 'image.kept', hide: 'image.hidden', take_down: 'image.taken_down' } as const)[decision],
    prepare: async () => {
      const { image, about } = await moderated();
      return { body: { p_kind: 'report', p_id: image, p_decision: decision, p_note: 'Hate' }, ...about };
    },
  })),
  {
    call: 'undo_moderation_act',
    kind: 'image.restored',
    prepare: async () => {
      const { image, about } = await moderated();
      const decision = { p_kind: 'report', p_id: image, p_decision: 'hide', p_note: 'Hate' };
      const { body } = await app.rpc<{ act_id: string }>('decide_moderation_case', `admin_${randomUUID()}`, decision);
      return { body: { p_act_id: body.act_id }, ...about };
    },
  },
  {
    call: 'decide_moderation_case',
    kind: 'image.kept',
    prepare: async () => {
      const { request, about } = await moderated();
      return { body: { p_kind: 'take_down', p_id: request, p_decision: 'keep' }, ...about };
    },
  },
  {
    call: 'suspend_user_admin',
    kind: 'user.suspended',
    prepare: async () => {
      const userId = await known();
      return { body: { p_user_id: userId, p_days: 7, p_reason: 'Insults' }, subject: ['user', userId], userId };
    },
  },
  {
    call: 'lift_suspension_admin',
    kind: 'user.unsuspended',
    prepare: async () => {
      const userId = await known();
      const body = { p_user_id: userId, p_reason: 'An appeal' };
      await app.rpc('suspend_user_admin', `admin_${randomUUID()}`, body);
      return { body, subject: ['user', userId], userId };
    },
  },
  {
    call: 'grant_bonus_credits',
    kind: 'credits.granted',
    prepare: async () => {
      const userId = await fan();
      const body = { p_user_id: userId, p_grant_id: randomUUID(), p_amount: 5, p_reason: 'A picture was lost' };
      return { body, subject: ['user', userId], userId };
    },
  },
  {
    call: 'adjust_credits',
    kind: 'credits.adjusted',
    prepare: async () => {
      const userId = await fan();
      const body = { p_user_id: userId, p_adjustment_id: randomUUID(), p_amount: 5, p_reason: 'Given twice' };
      return { body, subject: ['user', userId], userId };
    },
  },
  {
    call: 'repair_account_clock',
    kind: 'clock.repaired',
    // The clock of this account is right, so there is nothing to repair.
    state: 'refused',
    prepare: async () => {
      const userId = await fan();
      return { body: { p_user_id: userId, p_reason: 'A clock was ahead' }, subject: ['user', userId], userId };
    },
  },
  {
    call: 'refund_purchase',
    kind: 'purchase.refunded',
    prepare: async () => {
      const userId = app.newUser();
      const session = await app.paid(userId);
      await app.lookUp(userId, session);
      const body = { p_session_id: session, p_reason: 'Asked for', p_request_id: v7() };
      return { body, subject: ['purchase', session], userId };
    },
  },
  {
    call: 'propose_credits_admin',
    kind: 'credits.proposed',
    prepare: async () => {
      const userId = await fan();
      const id = randomUUID();
      return { body: proposal(userId, id), subject: ['proposal', id], userId };
    },
  },
  {
    call: 'decide_credit_proposal_admin',
    kind: 'credits.declined',
    prepare: async () => {
      const userId = await fan();
      const id = randomUUID();
      await app.rpc('propose_credits_admin', `admin_${randomUUID()}`, proposal(userId, id));
      return { body: { p_proposal_id: id, p_approve: false }, subject: ['proposal', id], userId };
    },
  },
  {
    call: 'decide_credit_proposal_admin',
    kind: 'credits.granted',
    prepare: async () => {
      const userId = await fan();
      const id = randomUUID();
      await app.rpc('propose_credits_admin', `admin_${randomUUID()}`, proposal(userId, id));
      return { body: { p_proposal_id: id, p_approve: true }, subject: ['user', userId], userId };
    },
  },
  {
    call: 'retry_checkout_admin',
    kind: 'payment_problem.resolved',
    prepare: async () => {
      const userId = app.newUser();
      const session = await app.paid(userId);
      return { body: { p_session_id: session }, subject: ['purchase', session], userId };
    },
  },
  {
    call: 'dismiss_payment_problem',
    kind: 'payment_problem.dismissed',
    prepare: async () => {
      const userId = app.newUser();
      const session = await app.paid(userId);
      await app.get(PaymentProblems).open(session, 'wrong_amount', 'A test.');
      const body = { p_subject: session, p_kind: 'wrong_amount', p_reason: 'A test' };
      return { body, subject: ['payment_problem', session], userId };
    },
  },
  {
    call: 'approve_creator_admin_by_jwt',
    kind: 'application.approved',
    prepare: async () => ofCreator(await newApplicant(app), verified),
  },
  {
    call: 'reject_creator_admin_by_jwt',
    kind: 'application.rejected',
    prepare: async () => ofCreator(await newApplicant(app), { p_reason: 'The pictures are of another person' }),
  },
  {
    call: 'assign_creator_model_admin_by_jwt',
    kind: 'model.assigned',
    prepare: async () => {
      const made = await creator();
      const model = `fanvas/${randomUUID()}`;
      const p_trial_id = await storeTrial(asOwner(app), { ...made, model, at: app.clock.now() });
      return ofCreator(made, { p_deployment_name: model, p_trial_id });
    },
  },
  {
    call: 'ask_applicant_admin',
    kind: 'application.asked',
    prepare: async () => ofCreator(await newApplicant(app), { p_question: 'Since when is the account yours?' }),
  },
  {
    call: 'draw_model_trial_admin',
    kind: 'model.trial_drawn',
    prepare: async () => {
      const model = { p_deployment_name: `fanvas/${randomUUID()}`, p_prompt: 'a lighthouse' };
      return { ...ofCreator(await creator(), model), subject: ['generation', null] };
    },
  },
  {
    call: 'toggle_creator_visibility',
    kind: 'creator.archived',
    prepare: async () => ofCreator(await creator(), { p_is_visible: false }),
  },
  {
    call: 'toggle_creator_featured',
    kind: 'creator.unfeatured',
    prepare: async () => ofCreator(await creator(), { p_is_featured: false }),
  },
  {
    call: 'view_creator_admin',
    kind: 'creator.viewed',
    prepare: async () => ofCreator(await creator()),
  },
  {
    call: 'save_gallery_admin',
    kind: 'gallery.saved',
    prepare: async () => {
      const { creatorId, images } = await curated(2, 0);
      const body = { p_creator_id: creatorId, p_gallery_order: images, p_expected_version: 0 };
      return { body, subject: ['gallery', creatorId], creatorId };
    },
  },
  {
    call: 'add_to_creator_gallery_admin_by_jwt',
    kind: 'gallery.added',
    prepare: async () => {
      const { creatorId, images } = await curated(2, 1);
      const body = { p_creator_id: creatorId, p_generation_id: images[1] };
      return { body, subject: ['generation', images[1]!], creatorId };
    },
  },
  {
    call: 'remove_from_creator_gallery_admin_by_jwt',
    kind: 'gallery.removed',
    prepare: async () => {
      const { creatorId, images } = await curated(1, 1);
      const body = { p_creator_id: creatorId, p_generation_id: images[0] };
      return { body, subject: ['generation', images[0]!], creatorId };
    },
  },
  {
    call: 'update_gallery_order_admin_by_jwt',
    kind: 'gallery.reordered',
    prepare: async () => {
      const { creatorId, images } = await curated(2, 2);
      const body = { p_creator_id: creatorId, p_gallery_order: [...images].reverse() };
      return { body, subject: ['gallery', creatorId], creatorId };
    },
  },
  {
    call: 'record_model_deletion',
    kind: 'model.deleted',
    prepare: async () => {
      const made = await creator();
      await sql('update creator set withdrawn_at = now() where id = $1', [made.creatorId]);
      await sql(
        `insert into creator_model_deletion (id, creator_id, model, requested_at, due_at)
         values ($2, $1, 'fanvas/old', now(), now())`,
        [made.creatorId, randomUUID()],
      );
      return ofCreator(made);
    },
  },
  {
    call: 'draft_payout_run',
    kind: 'payout.drafted',
    prepare: async () => {
      await payoutRun();
      const id = randomUUID();
      return { body: { p_run_id: id }, subject: ['payout_run', id] };
    },
  },
  { call: 'fix_payout_run', kind: 'payout.fixed', prepare: () => payoutRun() },
  { call: 'check_payout_run', kind: 'payout.checked', prepare: () => payoutRun('fix') },
  {
    call: 'cancel_payout_run',
    kind: 'payout.run_cancelled',
    prepare: async () => {
      const { body, subject } = await payoutRun('fix', 'check');
      return { body: { ...body, p_reason: 'A test' }, subject };
    },
  },
  {
    call: 'close_book_month',
    kind: 'books.month_closed',
    prepare: async () => {
      await app.project();
      await sql(
        `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits)
         values ('fan', 1, 0, 1010, 'CreditsPurchased', $1::timestamptz - interval '70 days', 0, 0)`,
        [app.clock.now()],
      );
      await app.get(LogSchedule).tick();
      const month = new Date(app.clock.now().getTime() - 70 * 86_400_000).toISOString().slice(0, 7);
      const { body } = await app.rpc<MonthClosing>('get_month_closing', `admin_${randomUUID()}`);
      return { body: { p_month: month, p_figures: body.figures }, subject: ['book_month', month] };
    },
    settle: () => app.get(MonthCloser).tick(),
  },
  {
    call: 'record_transfers',
    kind: 'payout.recorded',
    prepare: () =>
      Promise.resolve({
        body: { p_file: `${referenceOf(randomUUID())},5.00,2026-01-02,SEPA-1` },
        subject: ['bank_report', null],
      }),
  },
  {
    call: 'make_payout_file',
    kind: 'payout.file_made',
    prepare: async () => {
      const id = await checkedRun();
      await app.project();
      return { body: { p_run_id: id, p_file: 1 }, subject: ['payout_run', id] };
    },
  },
  {
    call: 'take_back_payout_file',
    kind: 'payout.file_taken_back',
    prepare: async () => {
      const id = await checkedRun();
      await app.project();
      await app.rpc('make_payout_file', `admin_${randomUUID()}`, { p_run_id: id, p_file: 1 });
      return { body: { p_run_id: id, p_file: 1, p_reason: 'Not sent' }, subject: ['payout_run', id] };
    },
  },
  {
    call: 'end_payout',
    kind: 'payout.cancelled',
    prepare: async () => {
      const { payoutId, creatorId } = await payout();
      const body = { p_payout_id: payoutId, p_end: 'cancel', p_reason: 'A test' };
      return { body, subject: ['payout', payoutId], creatorId };
    },
  },
  {
    call: 'hold_payouts',
    kind: 'payout.held',
    prepare: async () => ofCreator(await creator(), { p_until: inAWeek(), p_reason: 'A dispute' }),
  },
  {
    call: 'release_payouts',
    kind: 'payout.released',
    prepare: async () => {
      const prepared = ofCreator(await creator(), { p_until: inAWeek(), p_reason: 'A dispute' });
      await app.rpc('hold_payouts', `admin_${randomUUID()}`, prepared.body);
      return prepared;
    },
  },
];

/** The names of all calls with a handler for admins or finance people, except those that read. */
function writeCalls(): string[] {
  const names = [...handlersOf(app.get(ModulesContainer)).values()].flatMap(({ entry, options }) =>
    ['admin', 'finance'].includes(options.access) && (entry?.kind === 'rpc' || entry?.kind === 'function')
      ? [entry.name]
      : [],
  );
  return names.filter((name) => !READS.test(name) && name !== STARTS_A_WORKER).sort();
}

/** The log without the ends of announced acts. */
const entries = () =>
  log
    .selectFrom('admin_act')
    .selectAll()
    .where('closes', 'is', null)
    .where('kind', '!=', 'log.opened')
    .orderBy('number')
    .execute();

const stateOf = async (id: string, state: ActState): Promise<ActState> => {
  const ends = await log.selectFrom('admin_act').select('state').where('closes', '=', id).execute();
  if (state !== 'open') return state;
  return ends.some((end) => end.state === 'done') ? 'done' : (ends[0]?.state ?? 'open');
};

/** The part of an entry that is sealed as it was recorded. */
interface ActBody {
  readonly requestId: string;
  readonly before: object;
  readonly after: object;
}

/** Values before and after the change, by kind of act; ids and numbers of earlier tests are left out. */
const CHANGES: Partial<Record<ActKind, readonly [before: object, after: object]>> = {
  'application.approved': [{ creator_status: 'pending' }, { creator_status: 'active' }],
  'application.rejected': [{ creator_status: 'pending' }, { creator_status: 'rejected' }],
  'creator.archived': [{ is_visible: true }, { is_visible: false }],
  'creator.unfeatured': [{ is_featured: true }, { is_featured: false }],
  'credits.adjusted': [{}, { amount: 5 }],
  'credits.declined': [{ kind: 'grant', amount: 5000 }, {}],
  'credits.proposed': [{}, { kind: 'grant', amount: 5000 }],
  'gallery.added': [{ images: 1 }, { images: 2, version: 2 }],
  'gallery.removed': [{ images: 1 }, { images: 0, version: 2 }],
  'gallery.reordered': [
    { images: 2, version: 1 },
    { images: 2, version: 2 },
  ],
  'gallery.saved': [{ images: 0 }, { images: 2, added: 2, removed: 0, reordered: false }],
  'image.hidden': [
    { state: null, take_down_requested: false },
    { state: 'hidden', case: 'report', reports_closed: 1, requests_decided: 1, strike: false, strikes: 0 },
  ],
  'image.restored': [
    { state: 'hidden', decision: 'hide' },
    { state: null, reports_opened: 1, requests_opened: 1, strike_removed: false },
  ],
  'image.taken_down': [
    { state: null, take_down_requested: false },
    { state: 'taken_down', case: 'report', reports_closed: 1, requests_decided: 1, strike: true, strikes: 1 },
  ],
  'model.deleted': [{ has_model: true }, { has_model: false }],
  'payment_problem.dismissed': [{ problem: 'wrong_amount' }, {}],
  'payment_problem.resolved': [{ status: 'open' }, {}],
  'payout.cancelled': [{}, { amount_cents: 5000 }],
  'payout.checked': [{ step: 'fix' }, { step: 'check' }],
  'payout.drafted': [{}, { minimum_cents: 2500 }],
  'payout.file_made': [{}, { amount_cents: 50, file: 1, payouts: 1 }],
  'payout.file_taken_back': [{}, { amount_cents: 50, file: 1, payouts: 1 }],
  'payout.fixed': [{ step: 'draft' }, { step: 'fix' }],
  'payout.recorded': [{}, { amount_cents: 500, transfers: 1 }],
  'payout.run_cancelled': [{ step: 'check' }, { step: 'cancel' }],
  'purchase.refunded': [{}, { amount_cents: 2500, credits: 250 }],
};

describe('calls of admins and finance people', () => {
  it('covers every registered call that writes', () => {
    const rows = new Set(CALLS.map(({ call }) => call));
    expect(writeCalls().filter((call) => !rows.has(call))).toEqual([]);
    expect([...rows].filter((call) => !writeCalls().includes(call))).toEqual([]);
  });

  it.each(CALLS)('makes one entry of kind $kind for $call', async ({ call, kind, prepare, state = 'done', settle }) => {
    const { body, subject, userId, creatorId = null } = await prepare();
    const admin = `admin_${randomUUID()}`;
    const earlier = (await entries()).length;
    const answer = await app.postJson(`rest/v1/rpc/${call}`, admin, body);
    expect(answer).toMatchObject({ status: 200 });
    const added = (await entries()).slice(earlier);
    expect(added).toHaveLength(1);
    const [entry] = added;
    expect(entry).toMatchObject({
      kind,
      actor_id: admin,
      subject_kind: subject[0],
      subject_id: subject[1] ?? (expect.any(String) as unknown as string),
      creator_id: creatorId,
      ...(userId !== undefined && { user_id: userId }),
    });
    await settle?.();
    expect(await stateOf(entry!.id, entry!.state)).toBe(state);
    const { requestId, before: from, after: to } = JSON.parse(entry!.body) as ActBody;
    expect(requestId).toBe(answer.headers.get('x-request-id'));
    const [before, after] = CHANGES[kind] ?? [{}, {}];
    expect({ from, to }).toMatchObject({ from: before, to: after });
  });
});

describe('the log of acts', () => {
  const list = async (body: object = {}, caller = `admin_${randomUUID()}`) =>
    app.rpc<AdminAct[]>('list_admin_acts', caller, body);
  const csv = async (caller: string, query = ''): Promise<{ status: number; text: string }> => {
    const response = await app.read(`exports/admin-acts.csv${query}`, caller);
    return { status: response.status, text: await response.text() };
  };
  const granted = async (reason: string): Promise<{ userId: string; admin: string }> => {
    const userId = await fan();
    const admin = `admin_${randomUUID()}`;
    const body = { p_user_id: userId, p_grant_id: randomUUID(), p_amount: 5, p_reason: reason };
    expect(await app.rpc('grant_bonus_credits', admin, body)).toMatchObject({ status: 200 });
    return { userId, admin };
  };

  it('lists an act with its end, its events and its texts by each filter', async () => {
    const word = `lantern${randomUUID().slice(0, 8)}`;
    const { userId, admin } = await granted(`100%_of ${word}`);
    const at = app.clock.now().toISOString();
    const filters = [
      { p_actor_id: admin },
      { p_about: userId },
      { p_search: word },
      { p_search: '100%_of' },
      { p_kind: 'credits.granted', p_about: userId },
      { p_kind: 'credits.', p_actor_id: admin, p_from: at },
    ];
    for (const filter of filters) {
      const { body } = await list(filter);
      expect(body).toMatchObject([
        {
          kind: 'credits.granted',
          state: 'done',
          actor_id: admin,
          user_id: userId,
          before: { bonus: 30, total: 30 },
          after: { amount: 5, bonus: 35, total: 35 },
          reason: `100%_of ${word}`,
          events: [{ stream: `creditAccount-${userId}`, version: 1 }],
          undone_by: null,
          sealed: false,
          total_count: 1,
        },
      ]);
    }
    expect((await list({ p_about: userId, p_to: at })).body).toEqual([]);
    expect((await list({ p_search: '100__of' })).body).toEqual([]);
    const { body: actors } = await app.rpc<object[]>('list_admin_actors', `admin_${randomUUID()}`);
    expect(actors).toContainEqual({ actor_id: admin, actor_name: null, acts: 1 });
  });

  it('names the user and both people of a proposal, and the number of a payout run', async () => {
    const userId = await known();
    const proposalId = randomUUID();
    const proposer = `admin_${randomUUID()}`;
    const decider = `admin_${randomUUID()}`;
    await app.rpc('propose_credits_admin', proposer, proposal(userId, proposalId));
    await app.rpc('decide_credit_proposal_admin', decider, { p_proposal_id: proposalId, p_approve: false });
    const names = { [userId]: 'Ines Falk', [proposer]: 'Rui Okafor', [decider]: 'Sol Brandt' };
    for (const [id, name] of Object.entries(names))
      await sql('update app_user set name = $2 where id = $1', [id, name]);
    expect((await list({ p_about: proposalId })).body).toMatchObject([
      { kind: 'credits.declined', actor_name: 'Sol Brandt', proposer_name: 'Rui Okafor', user_name: 'Ines Falk' },
      { kind: 'credits.proposed', actor_name: 'Rui Okafor', proposer_name: null, run_number: null },
    ]);
    expect((await csv(`admin_${randomUUID()}`, `?p_about=${proposalId}`)).text).toContain(
      ',Ines Falk,,Rui Okafor,\r\n',
    );

    const runId = await checkedRun();
    const { creatorId, payoutId } = await payout();
    await sql('update payout set run_id = $1 where payout_id = $2', [runId, payoutId]);
    await app.rpc('cancel_payout_run', `admin_${randomUUID()}`, { p_run_id: runId, p_reason: 'A test' });
    await app.rpc('end_payout', `admin_${randomUUID()}`, {
      p_payout_id: payoutId,
      p_end: 'cancel',
      p_reason: 'A test',
    });
    const { rows } = await asOwner(app).query<{ number: number }>('select number from payout_run where id = $1', [
      runId,
    ]);
    const run_number = rows[0]?.number ?? null;
    expect((await list({ p_about: runId })).body).toMatchObject([{ kind: 'payout.run_cancelled', run_number }]);
    expect((await list({ p_about: creatorId })).body).toMatchObject([{ kind: 'payout.cancelled', run_number }]);
  });

  it('pages by number, and counts once', async () => {
    const { body: first } = await list({ p_limit: 2 });
    const { body: second } = await list({ p_limit: 2, p_before: first[1]!.number });
    expect([...first, ...second].map(({ number }) => number)).toEqual(
      [...first, ...second].map(({ number }) => number).sort((a, b) => b - a),
    );
    expect(second[0]!.number).toBeLessThan(first[1]!.number);
    expect(second[0]!.total_count).toBe(first[0]!.total_count);
  });

  it('refuses short searches and unknown kinds', async () => {
    for (const body of [{ p_search: 'ab' }, { p_kind: 'nothing' }, { p_from: 'today' }]) {
      expect((await list(body)).status).toBe(400);
    }
  });

  it.each(['2026-W10', '2026-069', '20260310', '2026-03-10T09', '2026-03-10T09:00', '2026-02-30'])(
    'refuses %s, which is no instant, in the list and the file',
    async (text) => {
      for (const name of ['p_from', 'p_to']) {
        const message = `${name} must be a day or an instant such as 2026-03-10T09:00:00Z`;
        expect(await list({ [name]: text })).toMatchObject({ status: 400, body: { message } });
        const answer = await csv(`admin_${randomUUID()}`, `?${name}=${text}`);
        expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(message) as unknown });
      }
    },
  );

  it('exports the log as an act of an admin or auditor, with formulas defused', async () => {
    const { userId } = await granted('=HYPERLINK("x")');
    const auditor = `auditor_${randomUUID()}`;
    const before = (await entries()).length;
    const { status, text } = await csv(auditor, `?p_about=${userId}`);
    expect(status).toBe(200);
    const [header, ...lines] = text.trim().split('\r\n');
    expect(header).toMatch(/^number,id,at,kind,state,actor_id/);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`"'=HYPERLINK(""x"")"`);
    const [entry, ...more] = (await entries()).slice(before);
    expect(entry).toMatchObject({ kind: 'log.exported', actor_id: auditor });
    expect(more).toEqual([]);
    const admin = `admin_${randomUUID()}`;
    expect((await csv(admin, `?p_about=${userId}`)).status).toBe(200);
    expect((await list({ p_actor_id: auditor })).body).toMatchObject([{ actor_role: 'auditor' }]);
    expect((await list({ p_actor_id: admin })).body).toMatchObject([{ actor_role: 'admin' }]);
    for (const caller of [`user_${randomUUID()}`, `finance_${randomUUID()}`]) {
      expect((await csv(caller)).status).toBe(403);
    }
    expect((await entries()).length).toBe(before + 2);
  });

  it('erases the texts about a person, and keeps the entry', async () => {
    const { userId } = await granted('Names a person');
    await app.get(Acts).eraseTextsAbout({ userId });
    const { body } = await list({ p_about: userId });
    expect(body).toMatchObject([{ kind: 'credits.granted', reason: null, user_id: userId }]);
  });
});
