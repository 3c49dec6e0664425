import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { type Kysely } from 'kysely';
import { v7 } from 'uuid';
import { type PaymentTables } from '../../src/payments/tables.js';
import { PersonalDataController } from '../../src/privacy/archive/http/personal-data.controller.js';
import { GenerationApp } from '../support/generation-app.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

const ADMIN = 'admin_ada';

let app: GenerationApp;

beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app.close());
afterEach(() => {
  jest.restoreAllMocks();
});

const download = (token: string | null, signal?: AbortSignal): Promise<Response> =>
  app.read('exports/my-data.zip', token, signal);

interface Archive {
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** All text files. */
  readonly text: string;
  json<T>(name: string): T;
}

async function archiveOf(userId: string): Promise<Archive> {
  const response = await download(userId);
  expect(response.status).toBe(200);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const textOf = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
  const names = Object.keys(files).filter((name) => !name.endsWith('.webp'));
  return { files, text: names.map(textOf).join('\n'), json: <T>(name: string) => JSON.parse(textOf(name)) as T };
}

/** Stored bytes of the picture of a generation. */
async function pictureOf(id: string): Promise<Buffer | undefined> {
  return app.storage.files.get((await app.row(id)).image?.url.slice('/media/'.length) ?? '');
}

/** Copies a completed generation of the user, with its stored files. */
async function copies(id: string, count: number): Promise<void> {
  const row = await app.row(id);
  const rows = Array.from({ length: count }, (_, index) => ({
    ...row,
    id: v7(),
    prediction_id: null,
    image: JSON.stringify(row.image),
    created_at: new Date(row.created_at.getTime() - index),
  }));
  const columns = rows.map(({ revision: _revision, ...columns }) => columns);
  await app.db.insertInto('generation').values(columns).execute();
}

interface Creation {
  readonly id: string;
  readonly prompt: string;
  readonly status: string;
  readonly in_gallery: boolean;
  readonly picture: string | null;
  readonly creator: { readonly name: string };
}
interface Manifest {
  readonly pictures: number;
  readonly missing_pictures: readonly { readonly file: string; readonly reason: string }[];
}
interface CreditsFile {
  readonly events: readonly { readonly type: string; readonly description: string; readonly balance_after: number }[];
  readonly balance: { readonly total: number; readonly paid: number };
}

describe('GET /exports/my-data.zip', () => {
  it('contains everything of the caller and nothing of another user', async () => {
    const creatorId = await app.newCreator('Mira Sol');
    const me = await app.newUser();
    const other = await app.newUser();
    const mine = await app.delivered(me, creatorId, 'My lighthouse');
    await app.rpc('start_generation_by_jwt', me, { p_prompt: 'explicit porn', p_creator_id: creatorId });
    const hidden = await app.delivered(me, creatorId, 'My hidden boat');
    await app.rpc('hide_generation_by_jwt', me, { p_generation_id: hidden });
    const deleted = await app.delivered(me, creatorId, 'My deleted house');
    await app.rpc('delete_generation_by_jwt', me, { p_generation_id: deleted });
    const theirs = await app.delivered(other, creatorId, 'Prompt of another user');
    await app.curate(creatorId, [mine]);
    const report = { p_reason: 'other', p_note: 'My note' };
    await app.rpc('report_generation', me, { ...report, p_generation_id: theirs });
    await app.rpc('report_generation', other, { ...report, p_note: 'Their note', p_generation_id: mine });
    await app.buy(me, { sessionId: 'cs_mine' });
    await checkout(me, 'cs_mine');
    await checkout(other, 'cs_theirs');
    const own = await app.newCreator('My Own Page', { clerkId: me, email: 'me@creators.test' });
    await app.rpc('toggle_creator_featured', ADMIN, { p_creator_id: own, p_is_featured: false });
    await app.pool.query(
      `with application as (
         insert into creator_application (id, creator_id, name, email, instagram, applied_at)
         values ($2, $1, 'Me', 'me@creators.test', '@me', now()) returning id
       )
       insert into creator_question (id, creator_id, application_id, question, asked_by, asked_at)
       select $3, $1, id, 'Since when?', $4, now() from application`,
      [own, v7(), v7(), ADMIN],
    );

    await app.pool.query(
      `insert into generation_strike (act_id, user_id, generation_id, created_at) values ($1, $2, $3, '2026-03-01')`,
      [v7(), me, hidden],
    );

    const archive = await archiveOf(me);

    expect(archive.json('account.json')).toMatchObject({ id: me, email: `${me.slice(-12)}@mirror.test` });
    expect(archive.json('account.json')).toMatchObject({
      creator_consent: [{ kind: 'accepted', terms_version: 'v1.0', email: 'me@creators.test' }],
    });
    const { creations } = archive.json<{ creations: Creation[] }>('creations.json');
    expect(creations.map(({ id, prompt, in_gallery: curated }) => [id, prompt, curated])).toEqual([
      [deleted, '', false],
      [hidden, 'My hidden boat', false],
      [mine, 'My lighthouse', true],
    ]);
    expect(creations[2]).toMatchObject({
      status: 'completed',
      cost: 10,
      aspect_ratio: 'square',
      creator: { name: 'Mira Sol' },
    });
    for (const { id, picture } of creations.slice(1)) {
      expect(Buffer.from(archive.files[picture ?? ''] ?? [])).toEqual(await pictureOf(id));
    }
    expect(creations[0]?.picture).toBeNull();
    expect(archive.json<Manifest>('manifest.json')).toMatchObject({ user_id: me, pictures: 2, missing_pictures: [] });

    const { events, balance } = archive.json<CreditsFile>('credits.json');
    expect(events.map(({ type }) => type)).toEqual(await app.ledger(me));
    expect(events.at(-1)).toMatchObject({ description: 'Purchased Basic package', balance_after: 100 });
    expect(balance).toMatchObject({ total: 100, paid: 100 });
    expect(archive.json('purchases.json')).toMatchObject({
      purchases: [{ session_id: 'cs_mine', amount_cents: 1000 }],
    });
    expect(archive.json('moderation.json')).toMatchObject({
      refused_prompts: [{ prompt: 'explicit porn', category: 'sexual' }],
      own_reports: [{ generation_id: theirs, note: 'My note' }],
      acts_of_admins: [{ kind: 'creator.unfeatured', reason: null }],
      suspension: null,
      strikes: [{ generation_id: hidden, created_at: '2026-03-01T00:00:00.000Z' }],
    });
    expect(archive.json('creator.json')).toMatchObject({
      profile: { id: own, email: 'me@creators.test' },
      questions: [{ question: 'Since when?', answer: null }],
    });

    for (const secret of [other, 'Prompt of another user', 'Their note', 'cs_theirs', ADMIN]) {
      expect(archive.text).not.toContain(secret);
    }
    expect(Object.keys((await archiveOf(other)).files)).not.toContain('creator.json');
  });

  it('contains the portrait of a creator, or says why not', async () => {
    const bytes = Buffer.from('The portrait');
    const me = await app.newUser();
    const url = `/media/portrait-of-${me}/1024.webp`;
    const profile = { url, width: 1024, height: 1024, thumbhash: 'AAAA', sources: [] };
    await app.newCreator('Mira Sol', { clerkId: me, profile });
    const file = 'pictures/portrait.webp';
    const missing = await archiveOf(me);
    expect(missing.json('creator.json')).toMatchObject({ portrait: file });
    expect(missing.json<Manifest>('manifest.json')).toMatchObject({ pictures: 0, missing_pictures: [{ file }] });

    app.storage.files.set(url.slice('/media/'.length), bytes);
    const { files, json } = await archiveOf(me);
    expect(Buffer.from(files[file] ?? [])).toEqual(bytes);
    expect(json<Manifest>('manifest.json')).toMatchObject({ pictures: 1, missing_pictures: [] });
  });

  it('contains checkouts that have no session at the payment processor', async () => {
    const me = await app.newUser();
    await checkout(me, null);
    const { json } = await archiveOf(me);
    const none = { session_id: null, bundle_id: 'basic', refunds_and_disputes: [], refunds_by_fanvas: [] };
    expect(json('purchases.json')).toMatchObject({ purchases: [none] });
  });

  it('contains all of more pictures than a page has', async () => {
    const creatorId = await app.newCreator();
    const userId = await app.newUser();
    await copies(await app.delivered(userId, creatorId, 'A fox'), 449);
    const archive = await archiveOf(userId);
    const { creations } = archive.json<{ creations: Creation[] }>('creations.json');
    expect(new Set(creations.map(({ id }) => id)).size).toBe(450);
    expect(creations.every(({ picture }) => (archive.files[picture ?? '']?.length ?? 0) > 0)).toBe(true);
    expect(archive.json<Manifest>('manifest.json').pictures).toBe(450);
  });

  it('names the pictures that cannot be read and contains all others', async () => {
    const creatorId = await app.newCreator();
    const userId = await app.newUser();
    const lost = await app.delivered(userId, creatorId, 'Lost');
    const broken = await app.delivered(userId, creatorId, 'Broken');
    const good = await app.delivered(userId, creatorId, 'Good');
    const brokenName = (await app.row(broken)).image?.url.slice('/media/'.length);
    app.storage.files.delete((await app.row(lost)).image?.url.slice('/media/'.length) ?? '');
    const read = app.storage.get.bind(app.storage);
    jest.spyOn(app.storage, 'get').mockImplementation(async (name) => {
      if (name === brokenName) throw new Error('The disk is broken.');
      return read(name);
    });
    const { json, files } = await archiveOf(userId);
    const { pictures, missing_pictures: missing } = json<Manifest>('manifest.json');
    expect(pictures).toBe(1);
    expect(missing.map(({ file, reason }) => [file.slice(-41, -5), reason])).toEqual([
      [broken, 'The picture could not be read. Please try again later.'],
      [lost, 'The picture is no longer stored.'],
    ]);
    expect(Object.keys(files).filter((name) => name.includes(good))).toHaveLength(1);
  });

  it('contains a picture that its owner hides during the download', async () => {
    const creatorId = await app.newCreator();
    const userId = await app.newUser();
    const id = await app.delivered(userId, creatorId, 'Moves');
    const read = app.storage.get.bind(app.storage);
    jest.spyOn(app.storage, 'get').mockImplementationOnce(async (name) => {
      await app.rpc('hide_generation_by_jwt', userId, { p_generation_id: id });
      return read(name);
    });
    const { json } = await archiveOf(userId);
    expect(json<Manifest>('manifest.json')).toMatchObject({ pictures: 1, missing_pictures: [] });
  });

  it('stops reading when the client leaves', async () => {
    const creatorId = await app.newCreator();
    const userId = await app.newUser();
    await copies(await app.delivered(userId, creatorId, 'A fox'), 9);
    const left = new AbortController();
    const read = app.storage.get.bind(app.storage);
    const spy = jest.spyOn(app.storage, 'get').mockImplementationOnce(async (name) => {
      left.abort();
      await until(() => app.get(PersonalDataController).running() === 0, 'the end of the download');
      return read(name);
    });
    const gone = download(userId, left.signal).then(async (response) => response.arrayBuffer());
    await expect(gone).rejects.toThrow('abort');
    expect((await archiveOf(userId)).json<Manifest>('manifest.json').pictures).toBe(10);
    // The first download read one picture, the second one all ten.
    expect(spy).toHaveBeenCalledTimes(11);
  });

  it('breaks the connection when it fails midway', async () => {
    const userId = await app.newUser();
    jest.spyOn(app.eventStore, 'readStream').mockRejectedValue(new Error('The store is gone.'));
    const response = await download(userId);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('refuses visitors, and a sixth download of a user in a day', async () => {
    expect((await download(null)).status).toBe(401);
    const userId = await app.newUser();
    for (let count = 1; count <= 5; count += 1) await archiveOf(userId);
    const refused = await download(userId);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '86400']);
    app.clock.advance(24 * 60 * 60 * 1000);
    await archiveOf(userId);
  });

  it('covers every table of the database, or names the reason why not', async () => {
    const { rows } = await app.pool.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...Object.keys(EXPORTED), ...Object.keys(NOT_EXPORTED)].sort());
  });
});

/** File of the archive by table. */
const EXPORTED: Readonly<Record<string, string>> = {
  admin_act: 'moderation.json: acts_of_admins, without the admin',
  admin_act_personal: 'moderation.json: acts_of_admins, the reason only',
  admin_refund: 'purchases.json, without the admin',
  app_user: 'account.json',
  checkout: 'purchases.json',
  creator: 'creator.json',
  creator_activity_month: 'creator.json',
  creator_application: 'creator.json',
  creator_blocked_stop: 'creator.json: blocked_words',
  creator_blocked_term: 'creator.json: blocked_words',
  creator_question: 'creator.json, without the admin',
  creator_payout_change: 'creator.json: payout_details',
  creator_payout_details: 'creator.json: payout_details, as their owner sees them',
  gallery_set_aside: 'creator.json: kept_out_of_gallery',
  generation_take_down: "creator.json: the creator's own requests",
  creator_consent: 'account.json',
  creator_decision: 'creator.json, without the admin',
  creator_revenue_month: 'creator.json',
  event: 'credits.json, without metadata',
  gallery_item: 'creations.json: in_gallery',
  generation: 'creations.json and the pictures',
  generation_report: "moderation.json: the caller's own reports",
  moderation_refusal: 'moderation.json',
  generation_strike: 'moderation.json: strikes',
  generation_suspension: 'moderation.json: suspension',
  payment_reversal: 'purchases.json',
  payout: 'creator.json: payouts',
  revenue_purchase: 'purchases.json: owed',
};

const NOT_EXPORTED: Readonly<Record<string, string>> = {
  creator_model_deletion: 'tasks of admins; the withdrawal is in account.json',
  admin_act_head: 'no personal data',
  admin_grant: 'the grants of admins, for their limit; the grant itself is in credits.json',
  admin_grant_day: 'sums of admins, for their limit',
  account_closure: 'exists after the export only; get_account_closing and its receipt show it',
  account_closure_token: 'hashes of receipt tokens',
  creator_applicant: 'times that order applications and closing; the applications are in creator.json',
  creator_payout_record: 'exists after the closing of a creator only',
  book_closed_month: 'who of finance closed a month, computed from the events',
  month_close: 'who of finance asked to close a month; the act is in the log of acts',
  log_reach: 'a time of the public log',
  book_creator_sum: 'sums of book_entry',
  book_deferred_month: 'no personal data',
  book_entry: 'computed from the events',
  book_purchase: 'computed from the events',
  book_sum: 'no personal data',
  earning_head: 'progress of a worker',
  earning_position: 'progress of a worker',
  payout_entry: 'computed from the events',
  payout_hold: 'computed from the events',
  payout_sum: 'no personal data',
  processor_transaction: 'computed from the events of the processor; purchases.json has the purchases',
  processor_entry: 'computed from the events of the processor',
  processor_sum: 'no personal data',
  processor_kind_sum: 'no personal data',
  reconciliation_gap: 'computed from the events: lines of book_entry',
  reconciliation_session: 'sessions of payments that the ledger does not have; purchases.json has the others',
  reconciliation_run: 'no personal data',
  payout_run: 'decisions of finance people about all creators',
  payout_file: 'decisions of finance people about all creators',
  payout_run_creator: 'work of a run; its payouts are in creator.json',
  bank_report: 'files of the bank about all creators',
  bank_report_line: 'lines of these files; the transfers are in creator.json: payouts',
  bonus_claim: 'hashes of the addresses that the person knows',
  bonus_claim_key: 'no personal data',
  installation_key: 'encrypted keys, no personal data',
  creator_activity_image: 'computed from the events; creators get their sums by month',
  creator_activity_payment: 'computed from the events',
  creator_activity_total: 'sums of creator_activity_month',
  creator_revenue_total: 'sums of creator_revenue_month',
  platform_activity_month: 'no personal data',
  platform_revenue_month: 'no personal data',
  creator_earning: 'names the fan and the creator of each earning; creators get their sums by month',
  credit_account_snapshot: 'computed from the events',
  credit_balance: 'computed from the events',
  credit_bundle: 'no personal data',
  credit_proposal: 'what an act proposed: the act is in moderation.json, a grant also in credits.json',
  credits_held: 'no personal data',
  credit_transaction: 'computed from the events',
  gallery: 'no personal data of fans or creators',
  generation_closed_owner: 'exists after the closing only',
  generation_blocked_prompt: 'hashes, without a person',
  generation_media_removal: 'files that are being deleted',
  generation_webhook: 'no personal data',
  generation_open_stream: 'how many live streams a person has, for seconds',
  generation_provider_refusal: 'no personal data',
  moderation_case: 'the queue of admins; reports and refusals are in moderation.json, decisions in creations.json',
  moderation_decision: 'what an undo restores; the decision is in creations.json',
  ledger_problem: 'findings of the audit, for operators',
  ledger_seal: 'no personal data',
  lease: 'which process holds a lock, while it holds it',
  log_checkpoint: 'no personal data',
  log_leaf: 'hashes and ids of events, which the ledger has',
  log_node: 'no personal data',
  ledger_verification: 'no personal data',
  payment_closed_buyer: 'exists after the closing only',
  payment_unreadable: 'no personal data',
  payment_suspended_buyer: 'a copy of generation_suspension',
  payment_event: 'ids only; what they led to is in purchases.json',
  payment_owner: 'no personal data',
  payment_problem: 'no personal data',
  payment_reconciliation: 'no personal data',
  projection_checkpoint: 'no personal data',
  projection_rebuild: 'no personal data',
  rate_limit: 'counters that end within a day',
  schema_migration: 'no personal data',
  verification_run: 'which auditor asked for a verification, and its result',
  verified_account: 'progress of the audit',
  verified_prefix: 'progress of the audit',
  verified_stream: 'progress of the audit',
};

async function checkout(userId: string, sessionId: string | null): Promise<void> {
  const db: Kysely<PaymentTables> = app.tables();
  const now = app.clock.now();
  await db
    .insertInto('checkout')
    .values({
      id: v7(),
      user_id: userId,
      bundle_id: 'basic',
      bundle_name: 'Basic',
      credits: 100,
      amount_cents: 1000,
      currency: 'usd',
      status: sessionId === null ? 'failed' : 'credited',
      return_origin: 'http://localhost:3000',
      session_id: sessionId,
      url: null,
      payment_intent_id: sessionId === null ? null : `pi_of_${sessionId}`,
      receipt_url: null,
      expires_at: now,
      created_at: now,
      updated_at: now,
      credited_at: sessionId === null ? null : now,
    })
    .execute();
}
