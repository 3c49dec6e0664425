import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type AdminAct } from '../../src/contract/acts.js';
import { type GalleryItem, type TakeDownState } from '../../src/contract/gallery.js';
import { type GenerationView, type PaginatedGeneration } from '../../src/contract/generation.js';
import {
  type CaseDecided,
  type ModerationCase,
  type ModerationCaseRow,
  type Suspension,
  SUSPENSION_MESSAGES,
} from '../../src/contract/moderation.js';
import { GetPublicPage } from '../../src/gallery/index.js';
import { type ActTables } from '../../src/platform/acts/tables.js';
import { Authenticator } from '../../src/platform/principal.js';
import { GenerationApp } from '../support/generation-app.js';
import { type TokenIsUserId } from '../support/test-app.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const ADMIN = 'admin_ada';
const OTHER_ADMIN = 'admin_bo';
const UNKNOWN = '01a00000-0000-7000-8000-000000000000';
/** Pause before a file that could not be deleted is tried again. */
const REMOVAL_RETRY_MS = 300_000;
const HOUR_MS = 3_600_000;
const NOTE = 'Shows a private person without consent (Community Guidelines, 2)';

let app: GenerationApp;
beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app.close());

const call = <T>(name: string, token: string | null, body: object = {}) => app.rpc<T>(name, token, body);

interface Made {
  readonly id: string;
  readonly maker: string;
  readonly creatorId: string;
  readonly clerkId: string;
}

/** A delivered image, the second of three in the gallery of a new creator. */
async function inGallery(prompt = 'My teacher in the corner', maker?: string): Promise<Made & { list: string[] }> {
  const clerkId = `user_${randomUUID()}`;
  const creatorId = await app.newCreator('Odile Marsh', { clerkId });
  const owner = maker ?? (await app.newUser());
  const first = await app.delivered(await app.newUser(), creatorId);
  const id = await app.delivered(owner, creatorId, prompt);
  const last = await app.delivered(await app.newUser(), creatorId);
  const list = [first, id, last];
  await app.curate(creatorId, list);
  return { id, maker: owner, creatorId, clerkId, list };
}

const report = async (id: string, p_reason = 'real_person', token?: string) =>
  call('report_generation', token ?? (await app.newUser()), { p_generation_id: id, p_reason, p_note: 'Look' });
const cases = async (filter: object = {}) =>
  (await call<ModerationCaseRow[]>('list_moderation_cases', ADMIN, filter)).body;
const one = async (p_kind: string, p_id: string) =>
  (await call<ModerationCase>('get_moderation_case', ADMIN, { p_kind, p_id })).body;
const decide = (p_kind: string, p_id: string, p_decision: string, more: object = {}, token = ADMIN) =>
  call<CaseDecided>('decide_moderation_case', token, { p_kind, p_id, p_decision, p_note: NOTE, ...more });
const undo = (p_act_id: string, token = ADMIN) => call('undo_moderation_act', token, { p_act_id });
const view = async (id: string, token: string | null) =>
  call<GenerationView>('get_generation_by_id', token, { p_generation_id: id });
const gallery = async (creatorId: string) =>
  (await call<GalleryItem[]>('get_gallery_generations_public', null, { p_creator_id: creatorId })).body.map(
    ({ id }) => id,
  );
const served = async (address: string) => (await fetch(app.url + address)).status;
const start = (token: string, creatorId: string, prompt = 'A fox') =>
  call<{ message: string; details: string; hint: string }>('start_generation_by_jwt', token, {
    p_prompt: prompt,
    p_creator_id: creatorId,
  });
const acts = async (subject: string) =>
  (
    await app
      .tables<ActTables>()
      .selectFrom('admin_act')
      .select(['kind', 'actor_id', 'state', 'undoes'])
      .where('subject_id', '=', subject)
      .orderBy('number')
      .execute()
  ).map(({ kind, actor_id, state }) => [kind, actor_id, state].join(' '));

/** The names by which the log of acts shows a subject. */
const namesInLog = async (p_about: string) =>
  (await call<AdminAct[]>('list_admin_acts', ADMIN, { p_about })).body.map((act) => act.subject_name);

describe('list_moderation_cases', () => {
  it('groups reports by image and lists urgent cases first, then overdue ones, then the oldest, refusals last', async () => {
    const plain = await inGallery();
    const urgent = await inGallery();
    const asked = await inGallery();
    const maker = await app.newUser();
    expect((await start(maker, plain.creatorId, 'explicit porn')).status).toBe(422);
    const ids = new Map([
      [plain.id, 'plain'],
      [urgent.id, 'urgent'],
    ]);
    const { body: request } = await call<TakeDownState>('request_take_down_by_jwt', asked.clerkId, {
      p_generation_id: asked.id,
      p_reason: 'An advertisement',
    });
    ids.set(request.request_id, 'asked');
    app.clock.advance(1_000);
    await report(plain.id, 'rights');
    app.clock.advance(1_000);
    await report(plain.id, 'hate');
    await report(urgent.id, 'other');
    await report(urgent.id, 'minors');
    const order = async () => (await cases()).map((row) => ids.get(row.id) ?? row.kind);
    expect(await order()).toEqual(['urgent', 'asked', 'plain', 'refusal']);
    app.clock.advance(48 * HOUR_MS);
    const late = await inGallery();
    ids.set(late.id, 'late');
    await report(late.id, 'sexual');
    expect(await order()).toEqual(['urgent', 'late', 'asked', 'plain', 'refusal']);

    const rows = await cases();
    expect(rows.find(({ id }) => id === plain.id)).toMatchObject({
      kind: 'report',
      reason: 'rights',
      reports: 2,
      urgent: false,
      overdue: false,
      due_at: null,
      creator_name: 'Odile Marsh',
      generation_id: plain.id,
      decision: null,
      total_count: 5,
    });
    expect(rows.find(({ id }) => id === urgent.id)).toMatchObject({ reason: 'minors', urgent: true, reports: 2 });
    expect(rows[2]).toMatchObject({
      kind: 'take_down',
      reason: 'creator_request',
      overdue: true,
      due_at: request.due_at,
    });
    expect(rows[4]).toMatchObject({
      kind: 'refusal',
      reason: 'sexual',
      urgent: false,
      image: null,
      generation_id: null,
    });

    expect((await cases({ p_kind: 'take_down' })).map(({ id }) => id)).toEqual([request.request_id]);
    expect((await cases({ p_reason: 'sexual' })).map((row) => row.kind)).toEqual(['report', 'refusal']);
    expect((await cases({ p_creator_id: plain.creatorId })).map((row) => row.kind)).toEqual(['report', 'refusal']);
    expect((await cases({ p_limit: 2, p_offset: 1 })).map(({ id }) => ids.get(id))).toEqual(['late', 'asked']);
    expect((await call('list_moderation_cases', ADMIN, { p_kind: 'x' })).status).toBe(400);

    for (const { kind, id } of rows) {
      app.clock.advance(1_000);
      expect((await decide(kind, id, 'keep')).status).toBe(200);
    }
    expect(await cases()).toEqual([]);
    const decided = await cases({ p_decided: true, p_limit: 1 });
    expect(decided).toMatchObject([{ kind: 'refusal', decision: 'keep', total_count: 5 }]);
  });
});

describe('get_moderation_case', () => {
  it('shows the image, its maker, its reports and its acts', async () => {
    const made = await inGallery();
    await report(made.id, 'hate');
    await report(made.id, 'real_person');
    const found = await one('report', made.id);
    expect(found).toMatchObject({
      prompt: 'My teacher in the corner',
      shown: 'gallery',
      creator_name: 'Odile Marsh',
      paid_with: { credits: 10, paid_credits: 0, creator_cents: 0, refunded: false },
      maker: { user_id: made.maker, images: 1, reported_before: 0, strikes: 0, suspended: false, refusals: 0 },
      request_reason: null,
      history: [],
      prompt_blocked: false,
      undo: null,
    });
    expect(found.files).toBe(found.image?.sources.length);
    expect(found.open_reports.map(({ reason, note }) => [reason, note])).toEqual([
      ['hate', 'Look'],
      ['real_person', 'Look'],
    ]);
    const { body } = await decide('report', made.id, 'hide', { p_block_prompt: true });
    expect(await one('report', made.id)).toMatchObject({
      shown: 'hidden',
      decision: 'hide',
      prompt_blocked: true,
      open_reports: [],
      undo: { act_id: body.act_id, until: body.undo_until },
      history: [
        { kind: 'prompt.blocked', by: ADMIN },
        { kind: 'image.hidden', by: ADMIN, reason: NOTE },
      ],
    });
    expect((await call('get_moderation_case', ADMIN, { p_kind: 'report', p_id: UNKNOWN })).status).toBe(404);
    expect((await call('get_moderation_case', ADMIN, { p_kind: 'refusal', p_id: made.id })).status).toBe(404);
  });
});

describe('decide_moderation_case', () => {
  it('keeps an image: its reports are closed and it stays where it is', async () => {
    const made = await inGallery();
    await report(made.id);
    await report(made.id);
    expect(await decide('report', made.id, 'keep', { p_note: null })).toMatchObject({
      status: 200,
      body: { success: true, strikes: 0, suspended: false },
    });
    expect(await gallery(made.creatorId)).toEqual(made.list);
    expect((await cases()).filter(({ id }) => id === made.id)).toEqual([]);
    expect(await acts(made.id)).toEqual([`image.kept ${ADMIN} done`]);
    // A new report opens the case again.
    await report(made.id, 'sexual');
    expect((await cases())[0]).toMatchObject({ id: made.id, urgent: true, reports: 1 });
    await decide('report', made.id, 'keep');
  });

  it('hides an image: only its owner sees it, with the reason, until the decision is undone', async () => {
    const made = await inGallery();
    await report(made.id);
    const { body: before } = await view(made.id, null);
    const { body } = await decide('report', made.id, 'hide');
    for (const token of [null, await app.newUser(), made.clerkId])
      expect((await view(made.id, token)).status).toBe(404);
    expect((await view(made.id, made.maker)).body).toMatchObject({
      hidden: true,
      moderation: { decision: 'hidden', note: NOTE },
    });
    expect((await view(made.id, made.maker)).body.image).not.toBeNull();
    expect(await served(String(before.image_url))).toBe(404);
    expect(await gallery(made.creatorId)).toEqual([made.list[0], made.list[2]]);
    const head = await app.queries.execute(new GetPublicPage({ path: `/x/generate/${made.id}` }));
    expect(JSON.stringify(head)).not.toContain('teacher');
    const show = { p_generation_id: made.id, p_hidden: false };
    expect(await call('hide_generation_by_jwt', made.maker, show)).toMatchObject({
      status: 409,
      body: { message: 'An admin has hidden this image. Only you can see it.' },
    });

    expect(await undo(body.act_id)).toEqual({ status: 200, body: { success: true } });
    expect((await view(made.id, null)).body).toMatchObject({ hidden: false, moderation: null });
    expect(await gallery(made.creatorId)).toEqual(made.list);
    expect((await cases()).find(({ id }) => id === made.id)).toMatchObject({ decision: null, reports: 1 });
    expect(await undo(body.act_id)).toMatchObject({ status: 409 });
    expect(await acts(made.id)).toEqual([`image.hidden ${ADMIN} done`, `image.restored ${ADMIN} done`]);
    await decide('report', made.id, 'keep');
  });

  it('takes an image down at once for everyone, and restores it exactly within 24 hours', async () => {
    const made = await inGallery();
    await report(made.id);
    const ledger = await app.ledger(made.maker);
    const address = String((await view(made.id, null)).body.image_url);
    const { body } = await decide('report', made.id, 'take_down', { p_block_prompt: true });
    expect(body).toMatchObject({ strikes: 1, suspended: false });
    expect(Date.parse(body.undo_until)).toBe(app.clock.now().getTime() + 24 * HOUR_MS);
    expect((await view(made.id, null)).status).toBe(404);
    expect((await view(made.id, made.maker)).body).toMatchObject({
      image: null,
      image_url: null,
      moderation: { decision: 'taken_down', note: NOTE },
    });
    expect(await served(address)).toBe(404);
    const seen = await one('report', made.id);
    expect(seen.maker.strikes).toBe(1);
    expect(await served(String(seen.image?.url))).toBe(200);
    for (const name of ['delete_generation_by_jwt', 'hide_generation_by_jwt']) {
      const { status } = await call(name, made.maker, { p_generation_id: made.id, p_hidden: false });
      expect([name, status]).toEqual([name, 409]);
    }
    expect((await start(await app.newUser(), made.creatorId, 'MY teacher, in the c0rner')).body.message).toContain(
      'violates our content policy',
    );

    app.clock.advance(24 * HOUR_MS - 1_000);
    await app.reconcile();
    expect((await undo(body.act_id)).status).toBe(200);
    expect((await view(made.id, null)).body).toMatchObject({ moderation: null, prompt: 'My teacher in the corner' });
    const restored = String((await view(made.id, null)).body.image_url);
    expect(await served(restored)).toBe(200);
    expect(await gallery(made.creatorId)).toEqual(made.list);
    expect(await one('report', made.id)).toMatchObject({ prompt_blocked: false, maker: { strikes: 0 }, reports: 1 });
    expect(await app.ledger(made.maker)).toEqual(ledger);
    expect(await acts(made.id)).toEqual([
      `image.taken_down ${ADMIN} done`,
      `prompt.blocked ${ADMIN} done`,
      `image.restored ${ADMIN} done`,
      `prompt.unblocked ${ADMIN} done`,
    ]);
    await decide('report', made.id, 'keep');
  });

  it('deletes the files after 24 hours, also when the storage failed at first, and keeps the record', async () => {
    const made = await inGallery();
    await report(made.id);
    const { body } = await decide('report', made.id, 'take_down');
    expect(await namesInLog(made.id)).toEqual(['My teacher in the corner']);
    const address = String((await one('report', made.id)).image?.url);
    app.clock.advance(24 * HOUR_MS);
    app.storage.failing = true;
    await app.reconcile();
    // The process stops here: the row says what is left.
    app.storage.failing = false;
    expect(await app.row(made.id)).toMatchObject({ deleted_at: expect.any(Date), image: expect.anything() });
    app.clock.advance(REMOVAL_RETRY_MS);
    await app.reconcile();
    expect(await served(address)).toBe(404);
    expect(await app.row(made.id)).toMatchObject({ prompt: '', image: null, status: 'completed', refunded: false });
    // The log has no copy of the prompt.
    expect(await namesInLog(made.id)).toEqual([null]);
    expect(await undo(body.act_id)).toMatchObject({ status: 409 });
    const { body: page } = await call<PaginatedGeneration[]>('get_user_generations_by_jwt_paginated', made.maker);
    expect(page.map(({ generation }) => generation)).toMatchObject([
      { id: made.id, image: null, moderation: { note: NOTE } },
    ]);
    expect(await one('report', made.id)).toMatchObject({ image: null, files: 0, undo: null, shown: 'nowhere' });
  });

  it("ends a creator's request, and counts it as a strike only when the admin asks for that", async () => {
    for (const [p_strike, strikes] of [
      [null, 0],
      [true, 1],
    ] as const) {
      const made = await inGallery();
      await report(made.id);
      app.clock.advance(1_000);
      const asked = { p_generation_id: made.id, p_reason: 'An advertisement' };
      const { body: request } = await call<TakeDownState>('request_take_down_by_jwt', made.clerkId, asked);
      const { body } = await decide('take_down', request.request_id, 'take_down', { p_strike });
      expect(body.strikes).toBe(strikes);
      // The reports of the image are closed with it.
      expect((await cases({ p_creator_id: made.creatorId })).map(({ kind }) => kind)).toEqual([]);
      await undo(body.act_id);
      expect((await cases({ p_creator_id: made.creatorId })).map(({ kind }) => kind)).toEqual(['report', 'take_down']);
      expect((await view(made.id, null)).status).toBe(404);
      expect(await gallery(made.creatorId)).toEqual([made.list[0], made.list[2]]);
      await decide('take_down', request.request_id, 'keep');
      expect((await view(made.id, null)).status).toBe(200);
      expect(await gallery(made.creatorId)).toEqual(made.list);
      await decide('report', made.id, 'keep');
    }
  });

  it('confirms a refusal, which has no image', async () => {
    const maker = await app.newUser();
    const creatorId = await app.newCreator();
    await start(maker, creatorId, 'explicit porn');
    const [refusal] = await cases({ p_creator_id: creatorId });
    const id = String(refusal?.id);
    expect(await one('refusal', id)).toMatchObject({ prompt: 'explicit porn', paid_with: null, shown: 'nowhere' });
    expect((await decide('refusal', id, 'hide')).status).toBe(422);
    expect((await decide('refusal', id, 'keep', { p_suspend_days: 7 })).status).toBe(200);
    expect(await acts(id)).toEqual([`refusal.reviewed ${ADMIN} done`]);
    expect(await namesInLog(id)).toEqual(['explicit porn']);
    expect((await call<Suspension>('get_own_suspension_by_jwt', maker)).body).toMatchObject({ reason: NOTE });
  });

  it('gives the second of two admins a conflict with the name of the first', async () => {
    const made = await inGallery();
    await report(made.id);
    await call('check_admin_by_jwt', OTHER_ADMIN);
    await app.pool.query(`update app_user set name = 'Bo Lind' where id = $1`, [OTHER_ADMIN]);
    const [first, second] = await Promise.all([
      decide('report', made.id, 'hide', {}, OTHER_ADMIN),
      decide('report', made.id, 'take_down', {}, OTHER_ADMIN),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    expect(await decide('report', made.id, 'keep')).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^Bo Lind has already decided this case: /), code: '40001' },
    });
    expect(await acts(made.id)).toHaveLength(1);
  });

  it('answers repetitions at once while a decision is being made, and leaves the connections to others', async () => {
    const made = await inGallery();
    await report(made.id);
    const client = await app.pool.connect();
    await client.query('begin');
    await client.query('select from generation where id = $1 for update', [made.id]);
    const first = decide('report', made.id, 'take_down');
    await until(async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await app.pool.query(waiting)).rowCount === 1;
    }, 'the first decision to wait for the image');
    const others = await Promise.all(Array.from({ length: 20 }, () => decide('report', made.id, 'take_down')));
    expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 409));
    expect(others[0]?.body).toMatchObject({ message: 'This case is being decided at this moment. Load it again.' });
    await client.query('commit');
    client.release();
    expect((await first).status).toBe(200);
  });

  it("refuses unknown cases, missing notes, and the admin's own images and requests", async () => {
    const own = 'admin_own';
    await app.newCreator('Own', { clerkId: own });
    await call('get_user_credit_breakdown', own);
    const made = await inGallery('A boat', own);
    await report(made.id);
    expect(await decide('report', made.id, 'keep', {}, own)).toMatchObject({ status: 403, body: { code: '42501' } });
    expect((await decide('report', made.id, 'hide', { p_note: ' ' })).status).toBe(422);
    expect((await decide('report', UNKNOWN, 'keep')).status).toBe(404);
    expect((await decide('take_down', made.id, 'keep')).status).toBe(404);
    expect((await undo(UNKNOWN)).status).toBe(404);
    const { body } = await decide('report', made.id, 'hide');
    expect((await undo(body.act_id, own)).status).toBe(403);
    expect(await acts(made.id)).toEqual([`image.hidden ${ADMIN} done`]);
  });

  it('grants goodwill as an act of its own, which needs a recent verification', async () => {
    const made = await inGallery();
    await report(made.id);
    const { total } = await app.balances(made.maker);
    const verified = (app.get(Authenticator) as TokenIsUserId).verifiedMsAgo;
    verified.set(ADMIN, 61 * 60_000);
    expect((await decide('report', made.id, 'keep', { p_goodwill_credits: 10 })).status).toBe(403);
    expect(await acts(made.id)).toEqual([]);
    verified.delete(ADMIN);
    const { status, body } = await decide('report', made.id, 'keep', { p_goodwill_credits: 10 });
    expect(status).toBe(200);
    expect((await app.balances(made.maker)).total).toBe(total + 10);
    expect((await app.accountEvents(made.maker)).at(-1)).toMatchObject({
      data: { reason: `Goodwill for an image (decision ${body.act_id})` },
    });
    expect(await acts(made.maker)).toEqual([`credits.granted ${ADMIN} open`, `credits.granted ${ADMIN} done`]);
  });
});

describe('suspensions', () => {
  it('suspends a fan by itself with the third strike, and lifts that when the strike is undone', async () => {
    const maker = await app.newUser();
    const images = [await inGallery('A', maker), await inGallery('B', maker), await inGallery('C', maker)];
    const answers: CaseDecided[] = [];
    for (const { id } of images) {
      await report(id);
      answers.push((await decide('report', id, 'take_down')).body);
    }
    expect(answers.map(({ strikes, suspended }) => [strikes, suspended])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
    const { body: suspension } = await call<Suspension>('get_own_suspension_by_jwt', maker);
    expect(suspension.reason).toContain('3 of your images were taken down');
    expect(Date.parse(String(suspension.until)) - Date.parse(suspension.since)).toBe(30 * 24 * HOUR_MS);
    expect(await acts(maker)).toEqual(['user.suspended system done']);

    const { total } = await app.balances(maker);
    const ledger = await app.ledger(maker);
    const creatorId = await app.newCreator();
    const refused = await start(maker, creatorId);
    expect(refused).toMatchObject({
      status: 403,
      body: { code: '42501', details: 'suspended', hint: SUSPENSION_MESSAGES.appeal },
    });
    expect(refused.body.message).toMatch(/^Your account cannot generate images until \d+ \w+ 20\d\d\.$/);
    const bundle = { bundleId: 'basic', bundleCredits: 100, bundlePrice: 10, userEmail: 'x@y.test' };
    const urls = { successUrl: `${app.url}/payment-success`, cancelUrl: `${app.url}/payment-canceled` };
    const checkout = await app.fn('create-checkout-session', maker, { ...bundle, ...urls });
    expect(checkout).toMatchObject({ status: 403, body: { details: 'suspended' } });
    expect([(await app.balances(maker)).total, await app.ledger(maker)]).toEqual([total, ledger]);

    expect((await undo(String(answers[2]?.act_id))).status).toBe(200);
    expect((await call('get_own_suspension_by_jwt', maker)).body).toBeNull();
    expect(await acts(maker)).toEqual(['user.suspended system done', 'user.unsuspended system done']);
    // The bonus is spent, so a start fails for its credits only.
    expect((await start(maker, creatorId)).status).toBe(402);
  });

  it("takes only the strike's part of a suspension back when the strike is undone", async () => {
    const days = async (userId: string) => {
      const { body } = await call<Suspension>('get_own_suspension_by_jwt', userId);
      return (Date.parse(String(body.until)) - app.clock.now().getTime()) / (24 * HOUR_MS);
    };
    const buyer = async (userId: string) =>
      (await app.pool.query<{ until: Date }>('select until from payment_suspended_buyer where user_id = $1', [userId]))
        .rows[0]?.until;
    const takeDown = async (ids: readonly string[]) => {
      const decided: string[] = [];
      for (const id of ids) decided.push((await decide('report', id, 'take_down')).body.act_id);
      return decided;
    };
    const suspend = (p_user_id: string, p_days: number) =>
      call('suspend_user_admin', ADMIN, { p_user_id, p_days, p_reason: 'Insults' });
    const creatorId = await app.newCreator();
    const reported = async (maker: string) => {
      const id = await app.delivered(maker, creatorId);
      await report(id);
      return id;
    };
    /** A user with two strikes, whose images are reported. */
    const newMaker = async (images: number) => {
      const maker = await app.newUser();
      await call('get_user_credit_breakdown', maker);
      const strike = () => ({ act_id: randomUUID(), user_id: maker, generation_id: randomUUID() });
      const strikes = [strike(), strike()].map((each) => ({ ...each, created_at: app.clock.now() }));
      await app.db.insertInto('generation_strike').values(strikes).execute();
      const ids: string[] = [];
      for (let made = 0; made < images; made += 1) ids.push(await reported(maker));
      return { maker, ids };
    };

    // The admin extends it.
    const extended = await newMaker(1);
    const [third] = await takeDown(extended.ids);
    expect((await suspend(extended.maker, 365)).status).toBe(200);
    expect((await undo(String(third))).status).toBe(200);
    expect(await days(extended.maker)).toBe(365);
    expect((await start(extended.maker, creatorId)).status).toBe(403);

    // It extends the admin's.
    const shortened = await newMaker(1);
    expect((await suspend(shortened.maker, 7)).status).toBe(200);
    const [extending] = await takeDown(shortened.ids);
    expect(await days(shortened.maker)).toBe(30);
    expect((await undo(String(extending))).status).toBe(200);
    expect(await days(shortened.maker)).toBe(7);
    expect((await call('get_own_suspension_by_jwt', shortened.maker)).body).toMatchObject({ reason: 'Insults' });
    expect(await buyer(shortened.maker)).toEqual(new Date(app.clock.now().getTime() + 7 * 24 * HOUR_MS));
    expect(await acts(shortened.maker)).toEqual([
      `user.suspended ${ADMIN} done`,
      'user.suspended system done',
      'user.suspended system done',
    ]);

    // A process of the version before stores no causes. (A minute later the admin may do more.)
    app.clock.advance(60_000);
    const forgotten = () =>
      app.db.updateTable('generation_suspension').set({ causes: '[]' }).where('user_id', '=', older.maker).execute();
    const older = await newMaker(2);
    expect((await suspend(older.maker, 7)).status).toBe(200);
    await forgotten();
    const [extendsOlder, another] = await takeDown(older.ids);
    expect((await undo(String(extendsOlder))).status).toBe(200);
    expect((await undo(String(another))).status).toBe(200);
    expect(await days(older.maker)).toBe(7);
    await app.db.deleteFrom('generation_suspension').where('user_id', '=', older.maker).execute();
    const [onlyStrike] = await takeDown([await reported(older.maker)]);
    await forgotten();
    expect((await undo(String(onlyStrike))).status).toBe(200);
    expect((await call('get_own_suspension_by_jwt', older.maker)).body).toBeNull();

    // Another strike keeps it.
    app.clock.advance(60_000);
    const struck = await newMaker(2);
    const [first, second] = await takeDown(struck.ids);
    expect((await undo(String(first))).status).toBe(200);
    expect(await days(struck.maker)).toBe(30);
    expect((await undo(String(second))).status).toBe(200);
    expect((await call('get_own_suspension_by_jwt', struck.maker)).body).toBeNull();
    expect(await buyer(struck.maker)).toBeUndefined();
    // The limit of the admin's requests.
    app.clock.advance(60_000);
  });

  it('keeps a fan and a creator from starting, lets pending images finish, and ends by its time', async () => {
    const clerkId = await app.newUser();
    const creatorId = await app.newCreator('Suspended', { clerkId });
    const { generationId, predictionId } = await app.begin(clerkId, creatorId);
    await call('get_user_credit_breakdown', clerkId);
    const body = { p_user_id: clerkId, p_days: 7, p_reason: 'Insults' };
    expect((await call('suspend_user_admin', ADMIN, body)).status).toBe(200);
    await app.succeed(predictionId);
    expect((await app.row(generationId)).status).toBe('completed');
    expect((await start(clerkId, creatorId)).status).toBe(403);
    const test = await call('start_test_generation_by_jwt', clerkId, { p_prompt: 'A fox' });
    expect(test).toMatchObject({ status: 403, body: { details: 'suspended' } });
    expect((await call('get_test_allowance_by_jwt', clerkId)).body).toMatchObject({ used_today: 0 });
    // A shorter one does not shorten it.
    const { body: again } = await call<Suspension>('suspend_user_admin', ADMIN, { ...body, p_days: 1 });
    expect(Date.parse(String(again.until)) - Date.parse(again.since)).toBe(7 * 24 * HOUR_MS);
    app.clock.advance(7 * 24 * HOUR_MS);
    expect((await start(clerkId, creatorId)).status).toBe(200);
    expect((await call('get_own_suspension_by_jwt', clerkId)).body).toBeNull();
  });

  it('lifts a suspension without an end, and refuses unknown users, oneself and a missing reason', async () => {
    const userId = await app.newUser();
    await call('get_user_credit_breakdown', userId);
    const reason = { p_user_id: userId, p_reason: 'Insults' };
    expect((await call('suspend_user_admin', ADMIN, reason)).body).toMatchObject({ until: null, reason: 'Insults' });
    expect((await start(userId, await app.newCreator())).body.message).toBe(SUSPENSION_MESSAGES.forGood);
    expect((await call('lift_suspension_admin', ADMIN, reason)).body).toEqual({ success: true });
    expect((await call('lift_suspension_admin', ADMIN, reason)).status).toBe(409);
    expect((await start(userId, await app.newCreator())).status).toBe(200);
    expect(await acts(userId)).toEqual([`user.suspended ${ADMIN} done`, `user.unsuspended ${ADMIN} done`]);
    expect((await call('suspend_user_admin', ADMIN, { ...reason, p_user_id: 'user_none' })).status).toBe(404);
    expect((await call('suspend_user_admin', ADMIN, { ...reason, p_user_id: ADMIN })).status).toBe(403);
    expect((await call('suspend_user_admin', ADMIN, { ...reason, p_reason: ' ' })).status).toBe(422);
    expect((await call('suspend_user_admin', ADMIN, { ...reason, p_days: 0 })).status).toBe(400);
  });
});
