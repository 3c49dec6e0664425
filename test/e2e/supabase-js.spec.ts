import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient, FunctionsHttpError, type SupabaseClient } from '@supabase/supabase-js';
import { createPool } from '../../src/platform/database/pool.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { type ApiUser, signIn, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { seededData } from '../support/seeded-data.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

/** Result of a call of the client. */
interface Answer {
  readonly data: unknown;
  readonly error: { readonly message: string; readonly code?: string } | null;
  readonly status?: number;
}

const answerOf = (answer: Answer): Answer => answer;

/** Node 20 has no WebSocket; the client asks for one at once and uses it only for channels. */
class NoSocket extends EventTarget {}

function connect(url: string, options: { accessToken?: () => Promise<string> } = {}): SupabaseClient {
  return createClient(url, 'anonymous', { ...options, realtime: { transport: NoSocket as never } }) as SupabaseClient;
}

/** Tests the wire contract with the generic query client that the specification uses. */
describe('API for @supabase/supabase-js', () => {
  let dataDir: string;
  let app: AppProcess;
  const visitor = (): SupabaseClient => client(null);
  let fan: SupabaseClient;
  let otherFan: SupabaseClient;
  let creator: SupabaseClient;
  let creatorUser: ApiUser;
  let admin: SupabaseClient;
  let fanUser: ApiUser;
  let creatorId: string;
  let username: string;
  let deployment: string;
  let postgres: EmbeddedPostgres;
  let database: ReturnType<typeof createPool>;

  const client = (user: ApiUser | null): SupabaseClient =>
    connect(app.url, user ? { accessToken: () => user.token() } : {});

  beforeAll(async () => {
    dataDir = await seededData();
    app = await startApp({
      dataDir,
      port: await freePort(),
      env: { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '100', LOG_LEVEL: 'info' },
    });
    postgres = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), database: 'fanvas' });
    database = createPool(postgres.url, { max: 1 });
    fanUser = await signUp(app.url, 'fan@supabase.test', 'correct-horse-9');
    fan = client(fanUser);
    otherFan = client(await signUp(app.url, 'other@supabase.test', 'correct-horse-9'));
    creatorUser = await signIn(app.url, 'creator@fanvas.test', 'fanvas-demo-1');
    creator = client(creatorUser);
    admin = client(await signIn(app.url, 'admin@fanvas.test', 'fanvas-demo-1'));
    const { data } = answerOf(await visitor().rpc('get_public_creators'));
    const [first] = data as { id: string; username: string }[];
    creatorId = first?.id ?? '';
    username = first?.username ?? '';
    const { data: model } = answerOf(
      await fan.rpc('get_creator_for_generation_request_by_jwt', {
        p_creator_id: creatorId,
      }),
    );
    deployment = (model as { deployment_name: string }[])[0]?.deployment_name ?? '';
  });
  // All tests share the people, who would reach the limits of a minute.
  afterEach(() => database.query('delete from rate_limit'));
  afterAll(async () => {
    await database?.end();
    await postgres?.stop();
    await app?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Polls as the specification's client does, until the generation has ended. */
  async function ended(predictionId: string): Promise<string> {
    const look = async (): Promise<string | undefined> => {
      const { data, error } = answerOf(
        await visitor().rpc('get_generation_status_public', {
          p_prediction_id: predictionId,
        }),
      );
      if (error) throw new Error(error.message);
      const status = (data as { status: string }[])[0]?.status ?? 'unknown';
      return status === 'pending' ? undefined : status;
    };
    return until(look, `the end of generation ${predictionId}`, 60_000, 100);
  }

  /** Repeats a cancellation until the generation is old enough to be cancelled. */
  function accepted<T extends { readonly error: unknown }>(cancel: () => Promise<T>): Promise<T> {
    return until(
      async () => {
        const answer = await cancel();
        return answer.error ? undefined : answer;
      },
      'the cancellation',
      15_000,
      250,
    );
  }

  async function balanceOf(user: SupabaseClient): Promise<number> {
    const { data } = answerOf(await user.rpc('get_user_credit_breakdown'));
    return (data as { total_balance: number }).total_balance;
  }

  describe('a visitor', () => {
    it('[F1.01, F6.01, F7.20] reads creators and galleries, and the status of a generation by prediction id', async () => {
      const gallery = await visitor().rpc('get_gallery_generations_public', { p_creator_id: creatorId });
      expect(gallery.error).toBeNull();
      expect((gallery.data as unknown[]).length).toBeGreaterThan(0);
      const none = await visitor().rpc('get_gallery_generations_public', { p_creator_id: randomUUID() });
      expect([none.data, none.error]).toEqual([[], null]);
      const status = await visitor().rpc('get_generation_status_public', { p_prediction_id: 'nobody-knows' });
      expect(status.data).toEqual([]);
    });

    it('[F7.13, F3.03] reads the fields for sharing a creator', async () => {
      const { data } = answerOf(await visitor().rpc('get_creator_info_for_sharing', { p_creator_id: creatorId }));
      expect(data).toEqual({
        username,
        name: expect.any(String),
        is_visible: true,
        creator_status: 'active',
      });
      const unknown = await visitor().rpc('get_creator_info_for_sharing', { p_creator_id: 'no-uuid' });
      expect([unknown.data, unknown.error]).toEqual([null, null]);
    });

    it.each([
      'get_user_credit_breakdown',
      'get_user_transactions_by_jwt',
      'count_user_transactions_by_jwt',
      'grant_daily_credits_by_jwt',
      'start_generation_by_jwt',
      'process_automatic_refund_by_jwt',
      'process_generation_timeout_immediate',
      'process_timeout_refunds_by_jwt',
      'update_generation_status_by_jwt',
      'get_generation_by_prediction_id_jwt',
      'get_creator_for_generation_request_by_jwt',
      'get_creator_info_for_generation_by_jwt',
      'has_active_pending_generation_jwt',
      'cancel_generation_by_jwt',
      'cancel_generation_securely',
      'get_user_generations_by_jwt_paginated',
      'get_terms_acceptance_status_by_jwt',
      'get_user_purchases_by_jwt',
    ])('[F5.09, F6.02, F8.23] refuses %s without a sign-in', async (name) => {
      const { error, status } = await visitor().rpc(name, {});
      expect(status).toBe(401);
      expect(error).toMatchObject({ code: expect.any(String), message: expect.stringContaining('uthentic') });
    });

    it('[F7.31] gets the code, the message, the details and the hint of an error, and status 0 without a network', async () => {
      const { error } = await visitor().rpc('get_generation_by_id', { p_generation_id: 'user_2abc' });
      expect(error).toMatchObject({ message: 'Invalid generationId format - appears to be a Clerk ID' });
      expect(Object.keys({ ...error })).toEqual(expect.arrayContaining(['code', 'message', 'details', 'hint']));
      const invalid = await visitor().rpc('get_generation_by_id', { p_generation_id: 7 });
      expect(invalid.error).toMatchObject({
        code: '22023',
        message: 'The request is not valid.',
        details: expect.stringContaining('p_generation_id'),
        hint: null,
      });
      const unknown = await visitor().rpc('no_such_function');
      expect(unknown.error?.code).toBe('PGRST202');
      const offline = await connect(`http://127.0.0.1:${await freePort()}`).rpc('get_public_creators');
      expect([offline.status, offline.data]).toEqual([0, null]);
    });
  });

  describe('tables', () => {
    it('[F7.23] lists own generations of a creator newest first, everyone’s for admins, none for visitors', async () => {
      const listOf = (user: SupabaseClient) =>
        user.from('generations').select('*').eq('creator_id', creatorId).order('created_at', { ascending: false });
      expect((await listOf(visitor())).data).toEqual([]);
      expect((await listOf(otherFan)).data).toEqual([]);
      const all = (await listOf(admin)).data as { created_at: string; creator_id: string; status: string }[];
      expect(all.length).toBeGreaterThan(0);
      const instants = all.map((row) => row.created_at);
      expect(instants).toEqual([...instants].sort().reverse());
      expect(new Set(all.map((row) => row.creator_id))).toEqual(new Set([creatorId]));
    });

    it('[F7.24] reads one generation by id, as one object or as an empty list; a sample of statuses', async () => {
      const { data: gallery } = answerOf(
        await visitor().rpc('get_gallery_generations_public', {
          p_creator_id: creatorId,
        }),
      );
      const id = (gallery as { id: string }[])[0]?.id ?? '';
      const one = await visitor().from('generations').select('id,status').eq('id', id).single();
      expect(one.data).toEqual({ id, status: 'completed' });
      const none = await visitor().from('generations').select('*').eq('id', randomUUID()).single();
      expect(none.error).toMatchObject({ code: 'PGRST116' });
      expect((await visitor().from('generations').select('*').eq('id', randomUUID()).maybeSingle()).data).toBeNull();
      const byId = await visitor().rpc('get_generation_by_id', { p_generation_id: id });
      expect(byId.data).toMatchObject({ id, status: 'completed', is_owner: false });
      const sample = await admin.from('generations').select('status').limit(100);
      expect(sample.error).toBeNull();
      expect((sample.data ?? []).every((row) => Object.keys(row).join() === 'status')).toBe(true);
    });

    it('reads creators by identity or id, without private fields', async () => {
      const rows = await visitor()
        .from('creators')
        .select('id, name, username, instagram, creator_status, is_visible, is_featured, created_at')
        .eq('id', creatorId)
        .limit(1);
      expect(rows.data).toEqual([expect.objectContaining({ id: creatorId, username, creator_status: 'active' })]);
      expect((await visitor().from('creators').select('*').eq('clerk_id', 'user_nobody').limit(1)).data).toEqual([]);
      const secret = await visitor().from('creators').select('id, email').limit(1);
      expect(secret.error).toMatchObject({ code: '42703' });
    });

    it('[F7.25, F6.04] refuses every write with 42501, and unsupported filters', async () => {
      const { data: gallery } = answerOf(
        await visitor().rpc('get_gallery_generations_public', {
          p_creator_id: creatorId,
        }),
      );
      const id = (gallery as { id: string }[])[0]?.id ?? '';
      const update = await fan.from('generations').update({ status: 'failed', refunded: true }).eq('id', id);
      expect([update.status, update.error?.code]).toEqual([403, '42501']);
      expect((await fan.from('creators').insert({ name: 'me' })).error?.code).toBe('42501');
      expect((await visitor().from('generations').delete().eq('id', id)).error).not.toBeNull();
      expect((await visitor().from('generations').update({ status: 'failed' }).eq('id', id)).status).toBe(401);
      expect((await visitor().from('app_user').select('*')).error?.code).toBe('PGRST205');
      expect((await visitor().from('generations').select('*').neq('id', id)).error?.code).toBe('PGRST100');
      const one = await visitor().from('generations').select('status, refunded').eq('id', id).single();
      expect(one.data).toEqual({ status: 'completed', refunded: false });
    });
  });

  describe('the test tab', () => {
    it('draws free tests for the creator alone', async () => {
      const prompt = { p_prompt: 'a quiet harbour' };
      const refusals = await Promise.all(
        [visitor(), fan, admin].map((user) => user.rpc('start_test_generation_by_jwt', prompt)),
      );
      expect(refusals.map(({ status }) => status)).toEqual([401, 403, 403]);
      const before = await balanceOf(creator);
      const started = await creator.rpc('start_test_generation_by_jwt', prompt);
      expect(started.data).toEqual({ success: true, generation_id: expect.any(String), remaining_today: 19 });
      const { generation_id: id } = started.data as { generation_id: string };
      const test = await until(
        async () => {
          const { data } = answerOf(await creator.rpc('get_own_test_generations_by_jwt', { p_limit: 1 }));
          const [found] = data as { generation: { id: string; status: string } }[];
          return found?.generation.status === 'pending' ? undefined : found;
        },
        'the end of the test',
        60_000,
        100,
      );
      expect(test).toMatchObject({ generation: { id, status: 'completed', credit_cost: 0 }, rating: null, note: '' });
      const rating = { p_generation_id: id, p_rating: 'good', p_note: 'Just like mine' };
      const rated = await Promise.all(
        [visitor(), fan, admin, creator].map((user) => user.rpc('rate_test_generation_by_jwt', rating)),
      );
      expect(rated.map(({ status }) => status)).toEqual([401, 404, 404, 200]);
      const seen = await Promise.all(
        [visitor(), fan, admin, creator].map((user) => user.rpc('get_generation_by_id', { p_generation_id: id })),
      );
      expect(seen.map(({ status }) => status)).toEqual([404, 404, 200, 200]);
      expect((await creator.rpc('get_test_allowance_by_jwt')).data).toMatchObject({ used_today: 1, limit: 20 });
      expect((await visitor().rpc('get_test_allowance_by_jwt')).status).toBe(401);
      expect((await fan.rpc('get_own_test_generations_by_jwt')).data).toEqual([]);
      expect((await creator.from('generations').select('id').eq('id', id)).data).toEqual([]);
      expect(await balanceOf(creator)).toBe(before);
    });
  });

  describe('an applicant', () => {
    it('[C3.01, C6.01, C7.01, C7.02, C7.08, C7.09] applies, is reviewed by admins only, and shows the full record to its owner and admins', async () => {
      const email = 'applicant@supabase.test';
      const user = await signUp(app.url, email, 'correct-horse-9');
      const applicant = client(user);
      const form = { p_email: email, p_name: 'Lena Ode', p_instagram: '@lena.ode', p_terms_agreed: true };
      expect((await visitor().rpc('create_creator_by_jwt', form)).status).toBe(401);
      expect((await fan.rpc('create_creator_by_jwt', form)).error?.message).toContain('verified email address');
      const another = { ...form, p_email: 'creator@fanvas.test' };
      expect((await creator.rpc('create_creator_by_jwt', another)).error).toMatchObject({
        code: '23505',
        message: 'You already have a creator application.',
      });
      const created = await applicant.rpc('create_creator_by_jwt', form);
      expect(created.data).toMatchObject({ success: true, username: 'lena.ode', creator_status: 'pending' });
      const { creator_id: p_creator_id } = created.data as { creator_id: string };
      const log = await applicant.functions.invoke('log-terms-acceptance', {
        body: {
          user_id: user.userId,
          email,
          accepted_at: new Date().toISOString(),
          terms_version: 'v1.0',
          terms_url: `${app.url}/creator-terms`,
          method_of_acceptance: 'creator_application_form',
          accepted_text_snapshot: 'Creator Terms of Use v1.0',
        },
      });
      expect(log.data).toEqual({ success: true, id: expect.any(String) });
      const forged = await fan.functions.invoke('log-terms-acceptance', { body: { user_id: user.userId, email } });
      expect(forged.error).toBeInstanceOf(FunctionsHttpError);

      const columns = 'id, name, username, instagram, creator_status, is_visible, is_featured, created_at';
      const read = (reader: SupabaseClient): PromiseLike<Answer> =>
        reader.from('creators').select(columns).eq('clerk_id', user.userId).maybeSingle();
      for (const reader of [visitor(), fan, creator]) expect((await read(reader)).data).toBeNull();
      const row = (await read(applicant)).data as object;
      expect(Object.keys(row).join(', ')).toBe(columns);
      const records = await Promise.all(
        [visitor(), fan, creator, applicant].map((reader) => reader.rpc('get_creator_by_jwt')),
      );
      expect(records.map(({ status, data }) => [status, (data as { id: string }[] | null)?.[0]?.id])).toEqual([
        [401, undefined],
        [200, undefined],
        [200, expect.not.stringMatching(p_creator_id)],
        [200, p_creator_id],
      ]);

      const verified = { p_identity_verified: 'Passport', p_age_verified: 'Passport', p_instagram_verified: 'Story' };
      /** Calls as everyone, and expects an answer for the admin alone. */
      const review = async (name: string, fields: object, answer: object | boolean): Promise<Answer> => {
        const body = { p_creator_id, ...fields };
        const refused = await Promise.all([visitor(), fan, creator, applicant].map((user) => user.rpc(name, body)));
        expect(refused.map(({ status }) => status)).toEqual([401, 403, 403, 403]);
        expect(refused[1]?.error?.message).toBe('Admin privileges required');
        const answered = answerOf(await admin.rpc(name, body));
        expect(answered).toMatchObject({ error: null, data: answer });
        return answered;
      };
      const { data: question } = await review('ask_applicant_admin', { p_question: 'Since when?' }, { answer: null });
      const p_question_id = (question as { id: string }).id;
      expect((await applicant.rpc('get_own_questions_by_jwt')).data).toEqual([question]);
      const reply = { p_question_id, p_answer: 'Since 2019' };
      expect((await fan.rpc('answer_own_question_by_jwt', reply)).status).toBe(404);
      const { data: replied } = answerOf(await applicant.rpc('answer_own_question_by_jwt', reply));
      expect(replied).toMatchObject({ id: p_question_id, answer: 'Since 2019' });
      await review('list_applications_admin', { p_state: 'pending', p_search: 'LENA.ode' }, [
        { creator_id: p_creator_id, question: 'answered', total_count: 1 },
      ]);
      await review('approve_creator_admin_by_jwt', verified, { creator_status: 'active', email });
      const model = { p_deployment_name: 'fanvas/lena' };
      await review('check_model_admin', model, { found: true, assigned_to: null, problem: null });
      const { data: drawn } = await review('draw_model_trial_admin', { ...model, p_prompt: 'a cat' }, { error: null });
      const p_trial_id = (drawn as { id: string }).id;
      const isDone = async (): Promise<boolean> => {
        const { data } = answerOf(await admin.rpc('get_model_trial_admin', { p_trial_id }));
        return (data as { status: string }).status === 'completed';
      };
      await until(isDone, 'the trial picture', 60_000, 250);
      await review('get_model_trial_admin', { p_trial_id }, { deployment_name: 'fanvas/lena' });
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
      expect((await fan.rpc('get_all_creators_admin_by_jwt')).status).toBe(403);
      const start = await fan.rpc('start_generation_by_jwt', { p_prompt: 'A fox', p_creator_id });
      expect(start.status).toBe(409);
    });
  });

  describe('the controls of a creator', () => {
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
    const ADMIN_CALLS: readonly [string, object][] = [
      ['get_take_down_requests', {}],
      ['resolve_take_down_request', { p_request_id: randomUUID(), p_decision: 'kept' }],
      ['get_model_deletions', {}],
      ['record_model_deletion', { p_creator_id: randomUUID() }],
    ];

    it('serves the creator alone, and admins what follows', async () => {
      for (const [name, body] of OWN_CALLS) {
        const refused = await Promise.all([visitor(), fan, admin].map((user) => user.rpc(name, body)));
        expect([name, ...refused.map(({ status }) => status)]).toEqual([name, 401, 403, 403]);
      }
      for (const [name, body] of ADMIN_CALLS) {
        const refused = await Promise.all([visitor(), fan, creator].map((user) => user.rpc(name, body)));
        expect([name, ...refused.map(({ status }) => status)]).toEqual([name, 401, 403, 403]);
      }
      for (const name of ['get_own_consent_by_jwt', 'get_own_blocked_terms_by_jwt', 'get_own_payout_details_by_jwt']) {
        expect([(await visitor().rpc(name)).status, (await fan.rpc(name)).data]).toEqual([401, []]);
      }
      const [own] = (await creator.rpc('get_creator_by_jwt')).data as { id: string; name: string; username: string }[];
      const start = (prompt: string): PromiseLike<Answer> =>
        fan.rpc('start_generation_by_jwt', { p_prompt: prompt, p_creator_id: own?.id });

      const { data: term } = answerOf(await creator.rpc('add_own_blocked_term_by_jwt', { p_term: 'zebra' }));
      expect((await start('two zebras')).error).toMatchObject({
        code: '22023',
        details: 'blocked_term',
        message: `${own?.name} does not allow this in prompts: “zebra”.`,
      });
      expect((await creator.rpc('get_own_blocked_terms_by_jwt')).data).toMatchObject([{ term: 'zebra', stopped: 1 }]);
      await creator.rpc('remove_own_blocked_term_by_jwt', { p_term_id: (term as { id: string }).id });
      await creator.rpc('set_creator_paused_by_jwt', { p_paused: true });
      expect((await start('a quiet harbour')).error).toMatchObject({ code: '55000', details: 'creator_paused' });
      await creator.rpc('set_creator_paused_by_jwt', { p_paused: false });

      const [image] = (await creator.rpc('get_images_of_own_style_by_jwt', { p_only: 'gallery', p_limit: 1 })).data as {
        generation_id: string;
      }[];
      const p_generation_id = image?.generation_id;
      for (const p_hidden of [true, false]) {
        const hidden = await creator.rpc('hide_from_own_gallery_by_jwt', { p_generation_id, p_hidden });
        expect(hidden.data).toEqual({ success: true });
      }
      const asked = await creator.rpc('request_take_down_by_jwt', { p_generation_id, p_reason: 'An advertisement' });
      const { request_id: p_request_id } = asked.data as { request_id: string };
      expect((await fan.rpc('get_generation_by_id', { p_generation_id })).status).toBe(404);
      expect((await admin.rpc('get_take_down_requests')).data).toMatchObject([{ request_id: p_request_id }]);
      const kept = await admin.rpc('resolve_take_down_request', { p_request_id, p_decision: 'kept' });
      expect(kept.data).toMatchObject({ decision: 'kept', generation_id: p_generation_id });
      expect((await creator.rpc('take_back_take_down_by_jwt', { p_request_id })).status).toBe(409);

      const details = { p_legal_name: 'Ada', p_country: 'DE', p_account: '123456789', p_tax_status: 'business' };
      expect((await creator.rpc('save_own_payout_details_by_jwt', details)).data).toMatchObject({
        account_ending: '6789',
        held_until: expect.any(String),
      });
      expect((await creator.rpc('get_own_payout_details_by_jwt')).data).toMatchObject([{ country: 'DE' }]);

      const withdrawn = await creator.rpc('withdraw_consent_by_jwt', { p_confirmation: own?.name });
      expect(withdrawn.data).toMatchObject({ success: true });
      const page = (): PromiseLike<Answer> =>
        visitor().rpc('get_public_creator_by_username', { p_username: own?.username });
      expect((await page()).data).toMatchObject({ withdrawn: true, works: [] });
      expect((await admin.rpc('get_model_deletions')).data).toMatchObject([{ creator_id: own?.id, done_at: null }]);
      const again = await creator.functions.invoke('log-terms-acceptance', {
        body: {
          user_id: creatorUser.userId,
          email: 'creator@fanvas.test',
          accepted_at: new Date().toISOString(),
          terms_version: 'v1.0',
          terms_url: `${app.url}/creator-terms`,
          method_of_acceptance: 'creator_application_form',
          accepted_text_snapshot: 'Creator Terms of Use v1.0',
        },
      });
      expect(again.data).toEqual({ success: true, id: expect.any(String) });
      expect((await page()).data).toMatchObject({ withdrawn: false, can_generate: true });
      const acts = (await creator.rpc('get_own_consent_by_jwt')).data as { kind: string }[];
      expect(acts.map(({ kind }) => kind)).toEqual(['accepted', 'withdrawn', 'resumed', 'paused', 'accepted']);
    });
  });

  describe('a fan', () => {
    it('[F7.01, F7.02, F7.03, F7.04, F3.04, F3.05] reads credits and history, and gets the daily grant once', async () => {
      expect((await fan.rpc('grant_daily_credits_by_jwt')).data).toMatchObject({ success: true, credits_granted: 10 });
      expect((await fan.rpc('grant_daily_credits_by_jwt')).data).toMatchObject({
        success: true,
        error_code: 'ALREADY_GRANTED_TODAY',
      });
      expect((await fan.rpc('get_user_credit_breakdown')).data).toMatchObject({
        success: true,
        daily_credits: 10,
        bonus_credits: 30,
        paid_credits: 0,
        free_credits: 40,
        total_balance: 40,
      });
      expect((await fan.rpc('count_user_transactions_by_jwt')).data).toBe(2);
      const { data } = answerOf(await fan.rpc('get_user_transactions_by_jwt', { page_size: 1, page_number: 2 }));
      expect(data).toEqual([expect.objectContaining({ amount: 30, balance_after: 30 })]);
    });

    it('[F7.14, F7.15, F7.16, F7.22, C7.03, C7.04, C7.05] reads the data for a start', async () => {
      expect((await fan.rpc('has_active_pending_generation_jwt')).data).toBe(false);
      const info = await fan.rpc('get_creator_info_for_generation_by_jwt', { p_creator_id: creatorId });
      expect(info.data).toMatchObject({ id: creatorId, username, deployment_name: deployment, is_visible: true });
      const rows = await fan.rpc('get_creator_for_generation_request_by_jwt', { p_creator_id: creatorId });
      expect(rows.data).toEqual([{ name: expect.any(String), deployment_name: deployment, lora_id: null }]);
      expect(deployment).not.toBe('');
      const gone = await fan.rpc('get_creator_for_generation_request_by_jwt', { p_creator_id: randomUUID() });
      expect(gone.data).toEqual([]);
      expect((await fan.rpc('get_terms_acceptance_status_by_jwt', { p_terms_version: 'v1.0' })).data).toBe(false);
      expect((await creator.rpc('get_terms_acceptance_status_by_jwt', { p_terms_version: 'v1.0' })).data).toBe(true);
      expect((await creator.rpc('get_terms_acceptance_status_by_jwt', { p_terms_version: 'v9' })).data).toBe(false);
    });

    it('[F7.05, F7.26, F7.27, F3.07] generates through replicate-api, which starts a paid generation', async () => {
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

      expect(await ended(id)).toBe('completed');
      const status = await fan.functions.invoke('replicate-api', { body: { path: 'status', id } });
      const { output } = status.data as { output: string[] };
      expect(status.data).toEqual({ status: 'succeeded', output: [expect.stringMatching(/^http/)], error: null });
      expect((await fetch(output[0] ?? '')).headers.get('content-type')).toBe('image/webp');
      expect(await balanceOf(fan)).toBe(before - 10);

      const foreign = await otherFan.functions.invoke('replicate-api', { body: { path: 'status', id } });
      expect(foreign.error).toBeInstanceOf(FunctionsHttpError);
      const mine = await fan.rpc('get_generation_by_prediction_id_jwt', { p_prediction_id: id });
      expect(mine.data).toEqual([expect.objectContaining({ prediction_id: id, status: 'completed', is_owner: true })]);
      const theirs = await otherFan.rpc('get_generation_by_prediction_id_jwt', { p_prediction_id: id });
      expect(theirs.error?.message).toBe(`Generation not found for prediction ID: ${id}`);
    });

    it('[F7.28, F7.17, F4.11, F4.13] cancels, not too early and not twice', async () => {
      const test = `test-${randomUUID()}`;
      const started = await otherFan.rpc('start_generation_by_jwt', {
        p_prompt: 'a lighthouse',
        p_creator_id: creatorId,
        p_prediction_id: test,
      });
      expect(started.data).toMatchObject({ success: true, prediction_id: test, status: 'pending' });
      const early = await otherFan.functions.invoke('replicate-api', { body: { path: 'cancel', id: test } });
      expect(early.error).toBeInstanceOf(FunctionsHttpError);
      const refusal = (early.error as FunctionsHttpError).context as Response;
      expect(await refusal.json()).toMatchObject({
        message: expect.stringMatching(/^Please wait [1-3] more seconds before cancelling$/),
      });
      const done = await accepted(() =>
        otherFan.functions.invoke('replicate-api', { body: { path: 'cancel', id: test } }),
      );
      expect(done.data).toMatchObject({ message: expect.any(String) });
      expect(await balanceOf(otherFan)).toBe(30);
      const again = await otherFan.rpc('cancel_generation_by_jwt', { p_prediction_id: test });
      expect(again.error?.message).toBe('Generation was already canceled');
    });

    it('[F4.20, F7.18] cancels a test prediction on its own path, for its owner alone', async () => {
      const test = `test-${randomUUID()}`;
      const cancel = { p_prediction_id: test, p_generation_id: null, p_clerk_id: fanUser.userId };
      await fan.rpc('start_generation_by_jwt', {
        p_prompt: 'a lighthouse',
        p_creator_id: creatorId,
        p_prediction_id: test,
      });
      const before = await balanceOf(fan);
      expect((await fan.rpc('has_active_pending_generation_jwt')).data).toBe(true);
      const refused = 'Test generation cancellation failed - no data returned';
      expect((await otherFan.rpc('cancel_generation_securely', cancel)).error?.message).toBe(refused);
      const real = { ...cancel, p_prediction_id: 'not-a-test' };
      expect((await fan.rpc('cancel_generation_securely', real)).error?.message).toBe(refused);
      // Nothing draws a test prediction, and a sync with the provider changes nothing.
      const look = await fan.rpc('update_generation_status_by_jwt', { p_prediction_id: test, p_status: 'completed' });
      expect(look.data).toMatchObject({ success: true, status: 'pending' });
      const done = await accepted(() => Promise.resolve(fan.rpc('cancel_generation_securely', cancel)));
      expect(done.data).toMatchObject({ success: true, status: 'canceled', credit_refunded: 10 });
      expect(await balanceOf(fan)).toBe(before + 10);
    });

    it('[F7.06, F7.07, F7.08, F7.10, F4.16] never refunds or changes a status because a client requests it', async () => {
      const started = await fan.rpc('start_generation_by_jwt', { p_prompt: 'a heron', p_creator_id: creatorId });
      const { generation_id: id, prediction_id: predictionId } = started.data as {
        generation_id: string;
        prediction_id: string;
      };
      const before = await balanceOf(fan);
      const refund = await fan.rpc('process_automatic_refund_by_jwt', {
        p_generation_id: id,
        p_reason: 'generation_failed',
        p_details: { why: 'I say so' },
      });
      expect(refund.error).not.toBeNull();
      const timeout = await fan.rpc('process_generation_timeout_immediate', { p_prediction_id: predictionId });
      expect(timeout.error).not.toBeNull();
      const batch = await fan.rpc('process_timeout_refunds_by_jwt', { p_timeout_seconds: 1 });
      expect(batch.data).toEqual({ success: true, processed_count: 0, refunds: [] });
      await fan.rpc('update_generation_status_by_jwt', { p_prediction_id: predictionId, p_status: 'failed' });
      expect(await ended(predictionId)).toBe('completed');
      expect(await balanceOf(fan)).toBe(before);
    });

    it('[F7.19, F3.13] lists own generations in pages with their total count', async () => {
      const { data } = answerOf(await fan.rpc('get_user_generations_by_jwt_paginated', { p_limit: 2, p_offset: 0 }));
      const rows = data as { generation: { id: string; is_owner: boolean }; total_count: number }[];
      expect(rows).toHaveLength(2);
      expect(rows[0]?.total_count).toBe(3);
      const own = await fan.from('generations').select('id').order('created_at', { ascending: false });
      expect((own.data ?? []).slice(0, 2).map(({ id }) => id as string)).toEqual(rows.map((row) => row.generation.id));
    });

    it("[F7.09, F3.10, F5.16] reads the rest of the caller's own limit, and the read does not count", async () => {
      const ask = (user: SupabaseClient, operation: string) =>
        user.rpc('is_rate_limited', {
          p_identifier: 'somebody-else',
          p_operation: operation,
          p_max_requests: 1_000,
          p_window_size_seconds: 1,
        });
      const fresh = client(await signUp(app.url, 'fresh@supabase.test', 'correct-horse-9'));
      for (let count = 0; count < 7; count += 1) {
        expect((await ask(fresh, 'image_generation')).data).toEqual([
          { is_limited: false, remaining_requests: 5, reset_time: expect.any(String) },
        ]);
      }
      expect((await ask(visitor(), 'no such thing')).data).toEqual([
        expect.objectContaining({ remaining_requests: 5 }),
      ]);
    });

    it('[F7.29, F7.30, F5.15] starts a checkout at the listed price only, and a lookup needs its id', async () => {
      const bundle = { bundleId: 'popular', bundleCredits: 250, bundlePrice: 25 };
      const addresses = {
        successUrl: `${app.url}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
        cancelUrl: `${app.url}/payment-canceled`,
      };
      const created = await fan.functions.invoke('create-checkout-session', {
        body: { userEmail: 'fan@supabase.test', ...bundle, ...addresses },
      });
      expect(created).toMatchObject({ error: null, data: { url: expect.stringMatching(/^http/) } });
      const cheap = await fan.functions.invoke('create-checkout-session', {
        body: { ...bundle, bundlePrice: 1, ...addresses },
      });
      expect(cheap.error).toBeInstanceOf(FunctionsHttpError);
      const missing = await fan.functions.invoke('get-checkout-session', { body: {} });
      expect(await ((missing.error as FunctionsHttpError).context as Response).json()).toMatchObject({
        message: 'Session ID is required',
      });
    });
  });

  describe('roles', () => {
    it('[F7.21] allows admin calls by the role on the server', async () => {
      expect((await admin.rpc('check_admin_by_jwt')).data).toBe(true);
      expect((await fan.rpc('check_admin_by_jwt')).data).toBe(false);
      expect((await fan.rpc('get_moderation_refusals')).status).toBe(403);
      expect((await admin.rpc('get_moderation_refusals')).error).toBeNull();
    });
  });
});
