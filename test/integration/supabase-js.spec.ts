import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient, FunctionsHttpError, type SupabaseClient } from '@supabase/supabase-js';
import { verifiedPerson } from '../support/applicants.js';
import { freePort } from '../support/app-process.js';
import { GenerationApp } from '../support/generation-app.js';

jest.setTimeout(60_000);

/** Result of a call of the client. */
interface Answer {
  readonly data: unknown;
  readonly error: { readonly message: string; readonly code?: string } | null;
  readonly status?: number;
}

/** Node 20 has no WebSocket; the client asks for one at once and uses it only for channels. */
class NoSocket extends EventTarget {}

function connect(url: string, userId?: string): SupabaseClient {
  const session = userId === undefined ? {} : { accessToken: () => Promise.resolve(userId) };
  return createClient(url, 'anonymous', { ...session, realtime: { transport: NoSocket as never } }) as SupabaseClient;
}

const CREATOR_EMAIL = 'aria@fanvas.test';

let app: GenerationApp;
let visitor: SupabaseClient;
let admin: SupabaseClient;
let creator: SupabaseClient;
let creatorUserId: string;
let creatorId: string;
let username: string;
/** An image in the gallery of the creator. */
let imageId: string;
let deployment: string;

/** A fan of one test, because calls are limited by user. */
const newFan = (): SupabaseClient => connect(app.url, `user_${randomUUID()}`);

beforeAll(async () => {
  app = await GenerationApp.start();
  visitor = connect(app.url);
  admin = connect(app.url, `admin_${randomUUID()}`);
  creatorUserId = `user_${randomUUID()}`;
  creator = connect(app.url, creatorUserId);
  await verifiedPerson(app, { userId: creatorUserId, email: CREATOR_EMAIL });
  creatorId = await app.newCreator('Aria Vale', { clerkId: creatorUserId, email: CREATOR_EMAIL });
  const row = await app.creators
    .selectFrom('creator')
    .selectAll()
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  username = row.username;
  deployment = row.deployment_name ?? '';
  imageId = await app.delivered(await app.newUser(), creatorId);
  const added = { p_creator_id: creatorId, p_generation_id: imageId };
  expect((await admin.rpc('add_to_creator_gallery_admin_by_jwt', added)).error).toBeNull();
});
afterAll(() => app.close());

async function balanceOf(user: SupabaseClient): Promise<number> {
  const { data } = (await user.rpc('get_user_credit_breakdown')) as Answer;
  return (data as { total_balance: number }).total_balance;
}

async function statusOf(predictionId: string): Promise<string | undefined> {
  const { data } = (await visitor.rpc('get_generation_status_public', { p_prediction_id: predictionId })) as Answer;
  return (data as { status: string }[])[0]?.status;
}

async function refusalOf({ error }: { readonly error: unknown }): Promise<unknown> {
  expect(error).toBeInstanceOf(FunctionsHttpError);
  return ((error as FunctionsHttpError).context as Response).json();
}

/** Calls as each person, and returns the statuses. */
const statuses = async (people: readonly SupabaseClient[], name: string, body: object): Promise<number[]> =>
  (await Promise.all(people.map((user) => user.rpc(name, body)))).map(({ status }) => status);

/** The request of a person who accepts the creator terms. */
const acceptance = (userId: string, email: string) => ({
  body: {
    user_id: userId,
    email,
    accepted_at: app.clock.now().toISOString(),
    terms_version: 'v1.0',
    terms_url: `${app.url}/creator-terms`,
    method_of_acceptance: 'creator_application_form',
    accepted_text_snapshot: 'Creator Terms of Use v1.0',
  },
});

/** The wire contract with the generic query client that the specification uses. */
describe('API for @supabase/supabase-js without a session', () => {
  it('[F1.01, F6.01, F7.20] reads creators and galleries, and the status of a generation by prediction id', async () => {
    const { data: creators } = (await visitor.rpc('get_public_creators')) as Answer;
    expect(creators).toEqual([expect.objectContaining({ id: creatorId, username })]);
    const gallery = (await visitor.rpc('get_gallery_generations_public', { p_creator_id: creatorId })) as Answer;
    expect([gallery.data, gallery.error]).toEqual([[expect.objectContaining({ id: imageId })], null]);
    const none = (await visitor.rpc('get_gallery_generations_public', { p_creator_id: randomUUID() })) as Answer;
    expect([none.data, none.error]).toEqual([[], null]);
    const { prediction_id: predictionId } = await app.row(imageId);
    expect(await statusOf(String(predictionId))).toBe('completed');
    expect((await visitor.rpc('get_generation_status_public', { p_prediction_id: 'nobody-knows' })).data).toEqual([]);
  });

  it('[F7.13, F3.03] reads the fields for sharing a creator', async () => {
    const { data } = (await visitor.rpc('get_creator_info_for_sharing', { p_creator_id: creatorId })) as Answer;
    expect(data).toEqual({ username, name: 'Aria Vale', is_visible: true, creator_status: 'active' });
    const unknown = (await visitor.rpc('get_creator_info_for_sharing', { p_creator_id: 'no-uuid' })) as Answer;
    expect([unknown.data, unknown.error]).toEqual([null, null]);
  });

  it('[F5.09, F6.02, F8.23] refuses the calls of signed-in people', async () => {
    for (const name of [
      ...['get_user_credit_breakdown', 'get_user_transactions_by_jwt', 'count_user_transactions_by_jwt'],
      ...['grant_daily_credits_by_jwt', 'start_generation_by_jwt', 'process_automatic_refund_by_jwt'],
      ...['process_generation_timeout_immediate', 'process_timeout_refunds_by_jwt', 'get_user_purchases_by_jwt'],
      ...['update_generation_status_by_jwt', 'get_generation_by_prediction_id_jwt', 'cancel_generation_by_jwt'],
      ...['get_creator_for_generation_request_by_jwt', 'get_creator_info_for_generation_by_jwt'],
      ...['has_active_pending_generation_jwt', 'cancel_generation_securely', 'get_terms_acceptance_status_by_jwt'],
      ...['get_user_generations_by_jwt_paginated', 'create_creator_by_jwt', 'get_creator_by_jwt'],
      ...['start_test_generation_by_jwt', 'rate_test_generation_by_jwt', 'get_own_test_generations_by_jwt'],
      'get_test_allowance_by_jwt',
    ]) {
      const { error, status } = (await visitor.rpc(name, {})) as Answer;
      expect({ name, status, error }).toMatchObject({
        name,
        status: 401,
        error: { code: expect.any(String), message: expect.stringContaining('uthentic') },
      });
    }
  });

  it('[F7.31] returns the code, the message, the details and the hint of an error, and status 0 without a network', async () => {
    const { error } = await visitor.rpc('get_generation_by_id', { p_generation_id: 'user_2abc' });
    expect(error).toMatchObject({ message: 'Invalid generationId format - appears to be a Clerk ID' });
    expect(Object.keys({ ...error })).toEqual(expect.arrayContaining(['code', 'message', 'details', 'hint']));
    const invalid = await visitor.rpc('get_generation_by_id', { p_generation_id: 7 });
    expect(invalid.error).toMatchObject({
      code: '22023',
      message: 'The request is not valid.',
      details: expect.stringContaining('p_generation_id'),
      hint: null,
    });
    expect((await visitor.rpc('no_such_function')).error?.code).toBe('PGRST202');
    const offline = await connect(`http://127.0.0.1:${await freePort()}`).rpc('get_public_creators');
    expect([offline.status, offline.data]).toEqual([0, null]);
  });
});

describe('tables of @supabase/supabase-js', () => {
  it('[F7.23] lists own generations of a creator newest first, everyone’s for admins, none for visitors', async () => {
    const fan = newFan();
    const { data: started } = (await fan.rpc('start_generation_by_jwt', {
      p_prompt: 'a newer lighthouse',
      p_creator_id: creatorId,
    })) as Answer;
    const { generation_id: newest } = started as { generation_id: string };
    const listOf = async (user: SupabaseClient): Promise<string[]> => {
      const { data } = await user
        .from('generations')
        .select('*')
        .eq('creator_id', creatorId)
        .order('created_at', { ascending: false });
      return (data ?? []).map(({ id }) => id as string);
    };
    expect(await listOf(visitor)).toEqual([]);
    expect(await listOf(newFan())).toEqual([]);
    expect(await listOf(fan)).toEqual([newest]);
    expect(await listOf(admin)).toEqual([newest, imageId]);
  });

  it('[F7.24] returns one generation by id, as one object or as an empty list; a sample of statuses', async () => {
    const one = await visitor.from('generations').select('id,status').eq('id', imageId).single();
    expect(one.data).toEqual({ id: imageId, status: 'completed' });
    const none = await visitor.from('generations').select('*').eq('id', randomUUID()).single();
    expect(none.error).toMatchObject({ code: 'PGRST116' });
    expect((await visitor.from('generations').select('*').eq('id', randomUUID()).maybeSingle()).data).toBeNull();
    const byId = await visitor.rpc('get_generation_by_id', { p_generation_id: imageId });
    expect(byId.data).toMatchObject({ id: imageId, status: 'completed', is_owner: false });
    const sample = await admin.from('generations').select('status').limit(100);
    expect(sample.error).toBeNull();
    expect(sample.data).toEqual(expect.arrayContaining([{ status: 'completed' }]));
  });

  it('returns creators by identity or id, without private fields', async () => {
    const rows = await visitor
      .from('creators')
      .select('id, name, username, instagram, creator_status, is_visible, is_featured, created_at')
      .eq('id', creatorId)
      .limit(1);
    expect(rows.data).toEqual([expect.objectContaining({ id: creatorId, username, creator_status: 'active' })]);
    expect((await visitor.from('creators').select('*').eq('clerk_id', 'user_nobody').limit(1)).data).toEqual([]);
    const secret = await visitor.from('creators').select('id, email').limit(1);
    expect(secret.error).toMatchObject({ code: '42703' });
  });

  it('[F7.25, F6.04] refuses every write with 42501, and unsupported filters', async () => {
    const fan = newFan();
    const update = await fan.from('generations').update({ status: 'failed', refunded: true }).eq('id', imageId);
    expect([update.status, update.error?.code]).toEqual([403, '42501']);
    expect((await fan.from('creators').insert({ name: 'me' })).error?.code).toBe('42501');
    expect((await visitor.from('generations').delete().eq('id', imageId)).error).not.toBeNull();
    expect((await visitor.from('generations').update({ status: 'failed' }).eq('id', imageId)).status).toBe(401);
    expect((await visitor.from('app_user').select('*')).error?.code).toBe('PGRST205');
    expect((await visitor.from('generations').select('*').neq('id', imageId)).error?.code).toBe('PGRST100');
    const one = await visitor.from('generations').select('status, refunded').eq('id', imageId).single();
    expect(one.data).toEqual({ status: 'completed', refunded: false });
  });
});

describe('API for @supabase/supabase-js of creators', () => {
  it('[C3.01, C6.01, C7.01, C7.02, C7.08, C7.09] takes an application, lets admins review it, and shows the full record to its owner and admins', async () => {
    const fan = newFan();
    const userId = `user_${randomUUID()}`;
    const applicant = connect(app.url, userId);
    const email = 'applicant@supabase.test';
    await verifiedPerson(app, { userId, email });
    const form = { p_email: email, p_name: 'Lena Ode', p_instagram: '@lena.ode', p_terms_agreed: true };
    expect((await fan.rpc('create_creator_by_jwt', form)).error?.message).toContain('verified email address');
    const created = (await applicant.rpc('create_creator_by_jwt', form)) as Answer;
    expect(created.data).toMatchObject({ success: true, username: 'lena.ode', creator_status: 'pending' });
    expect((await applicant.rpc('create_creator_by_jwt', { ...form, p_name: 'Another' })).error).toMatchObject({
      code: '23505',
      message: 'You already have a creator application.',
    });
    const { creator_id: p_creator_id } = created.data as { creator_id: string };
    const log = await applicant.functions.invoke('log-terms-acceptance', acceptance(userId, email));
    expect(log.data).toEqual({ success: true, id: expect.any(String) });
    await refusalOf(await fan.functions.invoke('log-terms-acceptance', { body: { user_id: userId, email } }));

    const columns = 'id, name, username, instagram, creator_status, is_visible, is_featured, created_at';
    const read = (reader: SupabaseClient): PromiseLike<Answer> =>
      reader.from('creators').select(columns).eq('clerk_id', userId).maybeSingle();
    for (const reader of [visitor, fan, creator]) expect((await read(reader)).data).toBeNull();
    expect(Object.keys((await read(applicant)).data as object).join(', ')).toBe(columns);
    const records = await Promise.all([fan, creator, applicant].map((reader) => reader.rpc('get_creator_by_jwt')));
    expect(records.map(({ data }) => (data as { id: string }[])[0]?.id)).toEqual([undefined, creatorId, p_creator_id]);

    const verified = { p_identity_verified: 'Passport', p_age_verified: 'Passport', p_instagram_verified: 'Story' };
    /** Calls as an admin. */
    const review = async (name: string, fields: object, answer: object | boolean): Promise<Answer> => {
      const answered = (await admin.rpc(name, { p_creator_id, ...fields })) as Answer;
      expect(answered).toMatchObject({ error: null, data: answer });
      return answered;
    };
    const { data: question } = await review('ask_applicant_admin', { p_question: 'Since when?' }, { answer: null });
    const p_question_id = (question as { id: string }).id;
    expect((await applicant.rpc('get_own_questions_by_jwt')).data).toEqual([question]);
    const reply = { p_question_id, p_answer: 'Since 2019' };
    expect((await fan.rpc('answer_own_question_by_jwt', reply)).status).toBe(404);
    const replied = (await applicant.rpc('answer_own_question_by_jwt', reply)) as Answer;
    expect(replied.data).toMatchObject({ id: p_question_id, answer: 'Since 2019' });
    await review('list_applications_admin', { p_state: 'pending', p_search: 'LENA.ode' }, [
      { creator_id: p_creator_id, question: 'answered', total_count: 1 },
    ]);
    await review('approve_creator_admin_by_jwt', verified, { creator_status: 'active', email });
    const model = { p_deployment_name: 'fanvas/lena' };
    await review('check_model_admin', model, { found: true, assigned_to: null, problem: null });
    const { data: drawn } = await review('draw_model_trial_admin', { ...model, p_prompt: 'a cat' }, { error: null });
    const p_trial_id = (drawn as { id: string }).id;
    await app.succeed(String((await app.row(p_trial_id)).prediction_id));
    const done = { status: 'completed', deployment_name: 'fanvas/lena' };
    await review('get_model_trial_admin', { p_trial_id }, done);
    await review('assign_creator_model_admin_by_jwt', { ...model, p_trial_id }, { deployment_name: 'fanvas/lena' });
    await review('get_application_admin', {}, { creator: { email }, own: false, trials: [{ id: p_trial_id }] });
    await review('toggle_creator_visibility', { p_is_visible: false }, false);
    await review('toggle_creator_featured', { p_is_featured: false }, false);
    const lists = await Promise.all(
      ['get_all_creators_admin_by_jwt', 'get_all_creators_including_archived_admin_by_jwt'].map((name) =>
        admin.rpc(name),
      ),
    );
    const listed = lists.map(({ data }) => (data as { id: string }[]).some(({ id }) => id === p_creator_id));
    expect(listed).toEqual([false, true]);
    const start = await fan.rpc('start_generation_by_jwt', { p_prompt: 'A fox', p_creator_id });
    expect(start.status).toBe(409);
  });

  const OWN_CALLS: readonly [string, object][] = [
    ['set_creator_paused_by_jwt', { p_paused: true }],
    ['add_own_blocked_term_by_jwt', { p_term: 'zebra' }],
    [
      'save_own_payout_details_by_jwt',
      { p_legal_name: 'X', p_country: 'DE', p_account: '123456', p_tax_status: 'business' },
    ],
    ['withdraw_consent_by_jwt', { p_confirmation: 'X' }],
    ['get_images_of_own_style_by_jwt', {}],
    ['hide_from_own_gallery_by_jwt', { p_generation_id: randomUUID(), p_hidden: true }],
    ['request_take_down_by_jwt', { p_generation_id: randomUUID(), p_reason: 'X' }],
    ['take_back_take_down_by_jwt', { p_request_id: randomUUID() }],
  ];

  it('serves the controls to the creator alone, and what follows to admins', async () => {
    const fan = newFan();
    for (const [name, body] of OWN_CALLS) {
      expect([name, ...(await statuses([visitor, fan, admin], name, body))]).toEqual([name, 401, 403, 403]);
    }
    for (const name of ['get_own_consent_by_jwt', 'get_own_blocked_terms_by_jwt', 'get_own_payout_details_by_jwt']) {
      expect([(await visitor.rpc(name)).status, (await fan.rpc(name)).data]).toEqual([401, []]);
    }
    const start = (prompt: string): PromiseLike<Answer> =>
      fan.rpc('start_generation_by_jwt', { p_prompt: prompt, p_creator_id: creatorId });

    const term = (await creator.rpc('add_own_blocked_term_by_jwt', { p_term: 'zebra' })) as Answer;
    expect((await start('two zebras')).error).toMatchObject({
      code: '22023',
      details: 'blocked_term',
      message: 'Aria Vale does not allow this in prompts: “zebra”.',
    });
    expect((await creator.rpc('get_own_blocked_terms_by_jwt')).data).toMatchObject([{ term: 'zebra', stopped: 1 }]);
    await creator.rpc('remove_own_blocked_term_by_jwt', { p_term_id: (term.data as { id: string }).id });
    await creator.rpc('set_creator_paused_by_jwt', { p_paused: true });
    expect((await start('a quiet harbour')).error).toMatchObject({ code: '55000', details: 'creator_paused' });
    await creator.rpc('set_creator_paused_by_jwt', { p_paused: false });

    const p_generation_id = imageId;
    const own = (await creator.rpc('get_images_of_own_style_by_jwt', { p_only: 'gallery', p_limit: 1 })) as Answer;
    expect(own.data).toMatchObject([{ generation_id: imageId }]);
    for (const p_hidden of [true, false]) {
      const hidden = await creator.rpc('hide_from_own_gallery_by_jwt', { p_generation_id, p_hidden });
      expect(hidden.data).toEqual({ success: true });
    }
    const asked = (await creator.rpc('request_take_down_by_jwt', { p_generation_id, p_reason: 'An ad' })) as Answer;
    const { request_id: p_request_id } = asked.data as { request_id: string };
    expect((await fan.rpc('get_generation_by_id', { p_generation_id })).status).toBe(404);
    const p_kind = 'take_down';
    expect((await admin.rpc('list_moderation_cases', { p_kind })).data).toMatchObject([{ id: p_request_id }]);
    const kept = { p_kind, p_id: p_request_id, p_decision: 'keep' };
    expect((await admin.rpc('decide_moderation_case', kept)).data).toMatchObject({ success: true });
    expect((await creator.rpc('take_back_take_down_by_jwt', { p_request_id })).status).toBe(409);

    const details = { p_legal_name: 'Ada', p_country: 'DE', p_account: '123456789', p_tax_status: 'business' };
    expect((await creator.rpc('save_own_payout_details_by_jwt', details)).data).toMatchObject({
      account_ending: '6789',
      held_until: expect.any(String),
    });
    expect((await creator.rpc('get_own_payout_details_by_jwt')).data).toMatchObject([{ country: 'DE' }]);

    const withdrawn = await creator.rpc('withdraw_consent_by_jwt', { p_confirmation: 'Aria Vale' });
    expect(withdrawn.data).toMatchObject({ success: true });
    const page = (): PromiseLike<Answer> => visitor.rpc('get_public_creator_by_username', { p_username: username });
    expect((await page()).data).toMatchObject({ withdrawn: true, works: [] });
    expect((await admin.rpc('get_model_deletions')).data).toMatchObject([{ creator_id: creatorId, done_at: null }]);
    const again = await creator.functions.invoke('log-terms-acceptance', acceptance(creatorUserId, CREATOR_EMAIL));
    expect(again.data).toEqual({ success: true, id: expect.any(String) });
    expect((await page()).data).toMatchObject({ withdrawn: false, can_generate: true });
    const acts = ((await creator.rpc('get_own_consent_by_jwt')) as Answer).data as { kind: string }[];
    expect(acts.map(({ kind }) => kind)).toEqual(['accepted', 'withdrawn', 'resumed', 'paused', 'accepted']);
    const accepted = async (user: SupabaseClient, version: string): Promise<unknown> =>
      (await user.rpc('get_terms_acceptance_status_by_jwt', { p_terms_version: version })).data;
    expect(await Promise.all([accepted(creator, 'v1.0'), accepted(creator, 'v9'), accepted(fan, 'v1.0')])).toEqual([
      ...[true, false, false],
    ]);
  });
});

describe('API for @supabase/supabase-js of fans', () => {
  it('[F7.14, F7.15, F7.16, F7.22, C7.03, C7.04, C7.05] reads the data for a start', async () => {
    const fan = newFan();
    expect((await fan.rpc('has_active_pending_generation_jwt')).data).toBe(false);
    const info = await fan.rpc('get_creator_info_for_generation_by_jwt', { p_creator_id: creatorId });
    expect(info.data).toMatchObject({ id: creatorId, username, deployment_name: deployment, is_visible: true });
    const rows = await fan.rpc('get_creator_for_generation_request_by_jwt', { p_creator_id: creatorId });
    expect(rows.data).toEqual([{ name: 'Aria Vale', deployment_name: deployment, lora_id: null }]);
    expect(deployment).not.toBe('');
    const gone = await fan.rpc('get_creator_for_generation_request_by_jwt', { p_creator_id: randomUUID() });
    expect(gone.data).toEqual([]);
    expect((await fan.rpc('get_terms_acceptance_status_by_jwt', { p_terms_version: 'v1.0' })).data).toBe(false);
  });

  it('[F7.05, F7.26, F7.27, F3.07, F7.19, F3.13] generates through replicate-api, which starts a paid generation', async () => {
    const fan = newFan();
    const other = newFan();
    const before = await balanceOf(fan);
    const started = await fan.functions.invoke('replicate-api', {
      body: { path: 'generate', prompt: 'a quiet harbour', deploymentName: deployment },
    });
    expect(started).toMatchObject({ error: null, data: { id: expect.any(String), success: true } });
    const { id } = started.data as { id: string };
    expect(await balanceOf(fan)).toBe(before - 10);

    // The spec's second step names the same prediction: the same generation, paid once.
    const again = await fan.rpc('start_generation_by_jwt', {
      p_prompt: 'a quiet harbour',
      p_creator_id: creatorId,
      p_prediction_id: id,
      p_deployment_name: deployment,
      p_credit_cost: 10,
    });
    expect(again.data).toMatchObject({ success: true, prediction_id: id, new_total_balance: before - 10 });

    expect(await statusOf(id)).toBe('pending');
    await app.succeed(id);
    expect(await statusOf(id)).toBe('completed');
    const status = await fan.functions.invoke('replicate-api', { body: { path: 'status', id } });
    expect(status.data).toEqual({ status: 'succeeded', output: [expect.stringMatching(/^http/)], error: null });
    const [address = ''] = (status.data as { output: string[] }).output;
    const image = await fetch(new URL(new URL(address).pathname, app.url));
    expect(image.headers.get('content-type')).toBe('image/webp');
    expect(await balanceOf(fan)).toBe(before - 10);

    await refusalOf(await other.functions.invoke('replicate-api', { body: { path: 'status', id } }));
    const mine = await fan.rpc('get_generation_by_prediction_id_jwt', { p_prediction_id: id });
    expect(mine.data).toEqual([expect.objectContaining({ prediction_id: id, status: 'completed', is_owner: true })]);
    const theirs = await other.rpc('get_generation_by_prediction_id_jwt', { p_prediction_id: id });
    expect(theirs.error?.message).toBe(`Generation not found for prediction ID: ${id}`);

    await fan.rpc('start_generation_by_jwt', { p_prompt: 'a second harbour', p_creator_id: creatorId });
    const page = { p_limit: 1, p_offset: 0 };
    const { data } = (await fan.rpc('get_user_generations_by_jwt_paginated', page)) as Answer;
    const own = await fan.from('generations').select('id').order('created_at', { ascending: false });
    expect(own.data).toHaveLength(2);
    expect(data).toMatchObject([{ generation: own.data?.[0], total_count: 2 }]);
  });

  it('[F7.28, F7.17, F4.11, F4.13] cancels, not too early and not twice', async () => {
    const fan = newFan();
    const test = `test-${randomUUID()}`;
    const started = await fan.rpc('start_generation_by_jwt', {
      p_prompt: 'a lighthouse',
      p_creator_id: creatorId,
      p_prediction_id: test,
    });
    expect(started.data).toMatchObject({ success: true, prediction_id: test, status: 'pending' });
    const cancel = () => fan.functions.invoke('replicate-api', { body: { path: 'cancel', id: test } });
    app.clock.advance(1_000);
    expect(await refusalOf(await cancel())).toMatchObject({
      message: 'Please wait 2 more seconds before cancelling',
    });
    app.clock.advance(2_000);
    expect((await cancel()).data).toMatchObject({ message: expect.any(String) });
    expect(await balanceOf(fan)).toBe(30);
    const again = await fan.rpc('cancel_generation_by_jwt', { p_prediction_id: test });
    expect(again.error?.message).toBe('Generation was already canceled');
  });

  it("[F7.09, F3.10, F5.16] reads the rest of the caller's own limit, and the read does not count", async () => {
    const ask = (user: SupabaseClient, operation: string) =>
      user.rpc('is_rate_limited', {
        p_identifier: 'somebody-else',
        p_operation: operation,
        p_max_requests: 1_000,
        p_window_size_seconds: 1,
      });
    const fan = newFan();
    for (let count = 0; count < 7; count += 1) {
      expect((await ask(fan, 'image_generation')).data).toEqual([
        { is_limited: false, remaining_requests: 5, reset_time: expect.any(String) },
      ]);
    }
    expect((await ask(visitor, 'no such thing')).data).toEqual([expect.objectContaining({ remaining_requests: 5 })]);
  });
});
