import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type BlockedTerm, type PayoutDetails } from '../../src/contract/creators.js';
import { type OwnStyleImage, type TakeDownState } from '../../src/contract/gallery.js';
import { type CaseDecision, type ModerationCaseRow } from '../../src/contract/moderation.js';
import { CloseCreator, EraseCreator } from '../../src/creators/index.js';
import { SaveGallery } from '../../src/gallery/index.js';
import { systemActor } from '../../src/platform/acts/actor.js';
import { type GalleryTables } from '../../src/gallery/tables.js';
import { GenerationApp } from '../support/generation-app.js';

jest.setTimeout(60_000);

const ADMIN = 'admin_ada';
const NAME = 'Juno Abara';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const HOUR_MS = 3_600_000;

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

let app: GenerationApp;
let fan: string;
/** The user that the creator is. */
let me: string;
let creatorId: string;

beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app.close());

beforeEach(async () => {
  me = `user_${randomUUID()}`;
  fan = await app.newUser();
  creatorId = await app.newCreator(NAME, { clerkId: me });
});

async function call<T>(name: string, token: string | null, body: object = {}): Promise<Answer<T>> {
  return app.rpc<T>(name, token, body);
}

const messageOf = (answer: Answer<unknown>): unknown => [
  answer.status,
  (answer.body as { message?: string } | null)?.message,
];

/** Another approved creator. */
async function anotherCreator(): Promise<string> {
  const userId = `user_${randomUUID()}`;
  await app.newCreator('Nils Berg', { clerkId: userId });
  return userId;
}

describe('blocked words', () => {
  const add = (term: string, token: string | null = me) =>
    call<BlockedTerm>('add_own_blocked_term_by_jwt', token, { p_term: term });
  const list = async (token = me) => (await call<BlockedTerm[]>('get_own_blocked_terms_by_jwt', token)).body;
  const start = (prompt: string) => call('start_generation_by_jwt', fan, { p_prompt: prompt, p_creator_id: creatorId });

  it('stops a prompt before anything is taken, names the rule and counts it by month', async () => {
    const { body: term } = await add('cigarette');
    for (const prompt of ['a C1GARETTE at night', 'two cigarettes']) {
      expect(await start(prompt)).toEqual({
        status: 422,
        body: expect.objectContaining({
          message: 'Juno Abara does not allow this in prompts: “cigarette”.',
          details: 'blocked_term',
        }),
      });
    }
    expect(await app.ledger(fan)).not.toContain('CreditsDeducted');
    expect(await list()).toEqual([{ ...term, stopped: 2 }]);
    // Nothing of a stopped prompt is stored.
    expect(await app.db.selectFrom('moderation_refusal').selectAll().where('user_id', '=', fan).execute()).toEqual([]);
    expect(await app.db.selectFrom('generation').selectAll().where('user_id', '=', fan).execute()).toEqual([]);
    await app.creators
      .updateTable('creator_blocked_stop')
      .set({ month: '2026-01' })
      .where('term_id', '=', term.id)
      .execute();
    expect(await list()).toEqual([{ ...term, stopped: 0 }]);

    expect((await call('remove_own_blocked_term_by_jwt', me, { p_term_id: term.id })).body).toEqual({ success: true });
    expect(await list()).toEqual([]);
    expect((await start('a cigarette')).status).toBe(200);
  });

  it('keeps them to one creator, and out of public answers', async () => {
    const { body: term } = await add('zanzibar');
    const other = await anotherCreator();
    expect([(await add('x', null)).status, (await add('x', fan)).status]).toEqual([401, 403]);
    expect([await list(fan), await list(other)]).toEqual([[], []]);
    expect((await call('remove_own_blocked_term_by_jwt', other, { p_term_id: term.id })).status).toBe(404);
    const answers = [
      await call('get_public_creators', null),
      await call('get_creator_info_for_generation_by_jwt', fan, { p_creator_id: creatorId }),
      await call('get_creator_for_generation_request_by_jwt', fan, { p_creator_id: creatorId }),
    ];
    expect(JSON.stringify(answers)).not.toContain('zanzibar');
  });

  it('refuses malformed and known ones, and more than a hundred', async () => {
    expect(messageOf(await add('!?'))).toEqual([
      422,
      'Enter a word or phrase of 1 to 50 characters with at least one letter or number.',
    ]);
    await add('Tattoo');
    expect(messageOf(await add(' tattoo '))).toEqual([409, 'You already block this word or phrase.']);
    const rows = Array.from({ length: 98 }, (_, index) => ({
      id: randomUUID(),
      creator_id: creatorId,
      term: `word ${index}`,
      term_key: `word ${index}`,
      added_at: app.clock.now(),
    }));
    await app.creators.insertInto('creator_blocked_term').values(rows).execute();
    const both = await Promise.all([add('one'), add('two')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await list()).toHaveLength(100);
    expect(messageOf(await add('three'))).toEqual([
      409,
      'You block 100 words and phrases, which is the limit. Remove one first.',
    ]);
  });
});

describe('images of the own style', () => {
  const images = async (p_only?: 'gallery' | 'take_downs') =>
    (await call<OwnStyleImage[]>('get_images_of_own_style_by_jwt', me, p_only ? { p_only } : {})).body;
  const hide = (id: string, hidden: boolean, token = me) =>
    call('hide_from_own_gallery_by_jwt', token, { p_generation_id: id, p_hidden: hidden });
  const gallery = async () =>
    (await call<{ id: string }[]>('get_gallery_generations_public', null, { p_creator_id: creatorId })).body.map(
      ({ id }) => id,
    );

  async function deliver(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      ids.push(await app.delivered(await app.newUser(), creatorId, `Image ${index}`));
      app.clock.advance(1_000);
    }
    return ids;
  }
  const save = async (generationIds: readonly string[]) => {
    const tables = app.tables<GalleryTables>();
    const row = await tables
      .selectFrom('gallery')
      .select('version')
      .where('creator_id', '=', creatorId)
      .executeTakeFirst();
    const input = {
      creatorId,
      generationIds,
      expectedVersion: row?.version ?? 0,
      actor: systemActor(ADMIN),
    };
    return app.commands.execute(new SaveGallery(input));
  };

  it('lists delivered images without their owners, and not those that their owners hide', async () => {
    const [first, second, third] = (await deliver(3)) as [string, string, string];
    await app.drawing(creatorId);
    const { user_id: owner } = await app.row(third);
    await call('hide_generation_by_jwt', owner, { p_generation_id: third });
    await save([first]);
    expect(await images()).toMatchObject([
      { generation_id: second, prompt: 'Image 1', in_gallery: false, take_down: null, total_count: 2 },
      { generation_id: first, in_gallery: true, hidden_by_creator_at: null, image: { width: expect.any(Number) } },
    ]);
    expect((await images('gallery')).map((image) => image.generation_id)).toEqual([first]);
    expect(await images('take_downs')).toEqual([]);
    expect(JSON.stringify(await images())).not.toContain('user_');
    for (const [token, status] of [
      [null, 401],
      [fan, 403],
    ] as const) {
      expect((await call('get_images_of_own_style_by_jwt', token)).status).toBe(status);
    }
    expect((await call('get_images_of_own_style_by_jwt', await anotherCreator())).body).toEqual([]);
  });

  it('removes an image from the gallery at once, and returns it to its place', async () => {
    const [first, second, third] = (await deliver(3)) as [string, string, string];
    await save([first, second, third]);
    expect((await hide(second, true)).body).toEqual({ success: true });
    await hide(second, true);
    expect(await gallery()).toEqual([first, third]);
    expect((await images('gallery')).find((image) => image.generation_id === second)).toMatchObject({
      in_gallery: false,
      hidden_by_creator_at: expect.any(String),
    });
    await expect(save([third, second])).rejects.toThrow('Only the creator can bring it back.');
    await hide(second, false);
    expect(await gallery()).toEqual([first, second, third]);

    // An admin uses its place meanwhile.
    await hide(second, true);
    await save([third, first]);
    await hide(second, false);
    expect(await gallery()).toEqual([third, first, second]);
    // Its owner takes it away meanwhile.
    await hide(first, true);
    await call('hide_generation_by_jwt', (await app.row(first)).user_id, { p_generation_id: first });
    await call('hide_generation_by_jwt', (await app.row(first)).user_id, { p_generation_id: first, p_hidden: false });
    await hide(first, false);
    expect(await gallery()).toEqual([third, second]);
  });

  it('stays out of the gallery when an admin saves one that was read before', async () => {
    const [first, second] = (await deliver(2)) as [string, string];
    await save([first]);
    await hide(second, true);
    // The save had checked its images before.
    const item = { creator_id: creatorId, generation_id: second, place: 1 };
    await app.tables<GalleryTables>().insertInto('gallery_item').values(item).execute();
    expect(await gallery()).toEqual([first]);
    const { body: cards } = await call<{ id: string; works: object[] }[]>('get_public_creators', null);
    expect(cards.find(({ id }) => id === creatorId)?.works).toHaveLength(1);
    await hide(second, false);
    expect(await gallery()).toEqual([first, second]);
  });

  it('refuses a creator whose account is closed', async () => {
    const [image] = (await deliver(1)) as [string];
    await app.commands.execute(new CloseCreator({ userId: me }));
    const taken = { p_generation_id: image, p_reason: 'Looks like an advertisement' };
    expect((await call('request_take_down_by_jwt', me, taken)).status).toBe(403);
    expect((await call('get_images_of_own_style_by_jwt', me)).status).toBe(403);
  });

  it('cannot be hidden by fans and other creators', async () => {
    const [image] = (await deliver(1)) as [string];
    expect((await hide(image, true, fan)).status).toBe(403);
    expect((await hide(image, true, await anotherCreator())).status).toBe(404);
    expect((await hide(UNKNOWN, true)).status).toBe(404);
  });

  describe('take-downs', () => {
    const ask = (id: string, reason = 'Looks like an advertisement', token: string | null = me) =>
      call<TakeDownState>('request_take_down_by_jwt', token, { p_generation_id: id, p_reason: reason });
    const takeBack = (requestId: string, token = me) =>
      call<TakeDownState>('take_back_take_down_by_jwt', token, { p_request_id: requestId });
    const asked = (requestId: string) => ({ p_kind: 'take_down', p_id: requestId });
    const queue = async (p_decided = false) =>
      (await call<ModerationCaseRow[]>('list_moderation_cases', ADMIN, { p_creator_id: creatorId, p_decided })).body;
    const decide = async (requestId: string, p_decision: CaseDecision, token = ADMIN) =>
      (await call('decide_moderation_case', token, { ...asked(requestId), p_decision, p_note: 'Seen' })).status;
    const sees = async (id: string, token: string | null) =>
      (await call('get_generation_by_id', token, { p_generation_id: id })).status;
    const addressOf = async (id: string) => String((await app.row(id)).image?.url);
    const served = async (address: string) => (await fetch(app.url + address)).status;

    it('hides an image at once from all but its owner and admins, with new addresses', async () => {
      const [image, other] = (await deliver(2)) as [string, string];
      await save([image, other]);
      const address = await addressOf(image);
      const owner = (await app.row(image)).user_id;
      const { status, body: request } = await ask(image);
      expect([status, request]).toMatchObject([200, { reason: 'Looks like an advertisement', decision: null }]);
      expect(Date.parse(request.due_at) - Date.parse(request.requested_at)).toBe(48 * HOUR_MS);
      expect((await ask(image, 'Again')).body).toEqual(request);

      for (const token of [null, fan, me]) expect(await sees(image, token)).toBe(404);
      for (const token of [owner, ADMIN]) expect(await sees(image, token)).toBe(200);
      expect([await served(address), await served(await addressOf(image))]).toEqual([404, 200]);
      expect(await gallery()).toEqual([other]);
      expect(await images('take_downs')).toMatchObject([
        { generation_id: image, image: null, in_gallery: false, hidden_by_creator_at: null, take_down: request },
      ]);
      expect(
        messageOf(await call('hide_generation_by_jwt', owner, { p_generation_id: image, p_hidden: false })),
      ).toEqual([409, 'The creator has asked us to take this image down. It stays hidden until an admin has decided.']);
      const { request_id: id, due_at, reason } = request;
      expect(await queue()).toMatchObject([
        { id, due_at, generation_id: image, creator_name: NAME, overdue: false, decision: null },
      ]);
      const { body: shown } = await call('get_moderation_case', ADMIN, asked(id));
      expect(shown).toMatchObject({ prompt: 'Image 0', request_reason: reason });
      app.clock.advance(48 * HOUR_MS + 1);
      expect(await queue()).toMatchObject([{ overdue: true }]);

      const back = await takeBack(id);
      expect(back.body).toMatchObject({ decision: 'taken_back' });
      expect((await takeBack(id)).body).toEqual(back.body);
      expect(await sees(image, null)).toBe(200);
      expect(await gallery()).toEqual([image, other]);
      expect([await queue(), await decide(id, 'take_down')]).toEqual([[], 404]);
      // Taken back, so it may be asked for again.
      expect((await ask(image)).body.request_id).not.toBe(id);
    });

    it('leaves hidden what the owner and the creator hide besides', async () => {
      const [image] = (await deliver(1)) as [string];
      await save([image]);
      const owner = (await app.row(image)).user_id;
      await hide(image, true);
      const { body: request } = await ask(image);
      await call('hide_generation_by_jwt', owner, { p_generation_id: image });
      const address = await addressOf(image);
      await takeBack(request.request_id);
      expect([await sees(image, null), await sees(image, owner)]).toEqual([404, 200]);
      await app.reconcile();
      expect(await addressOf(image)).toBe(address);
      await call('hide_generation_by_jwt', owner, { p_generation_id: image, p_hidden: false });
      expect(await sees(image, null)).toBe(200);
      expect(await gallery()).toEqual([]);
    });

    it('lets admins keep the image as before, or remove it without touching the ledger', async () => {
      const [kept, removed] = (await deliver(2)) as [string, string];
      await save([kept, removed]);
      const owner = (await app.row(removed)).user_id;
      const ledger = await app.ledger(owner);
      const { body: first } = await ask(kept);
      const { body: second } = await ask(removed);
      expect(await decide(first.request_id, 'keep', me)).toBe(403);
      expect(await decide(first.request_id, 'keep')).toBe(200);
      expect([await sees(kept, null), await gallery()]).toEqual([200, [kept]]);
      expect(messageOf(await ask(kept))).toEqual([
        409,
        'An admin has already decided to keep this image. Please write to support if something has changed.',
      ]);
      expect((await takeBack(first.request_id)).status).toBe(409);

      const address = await addressOf(removed);
      expect(await decide(second.request_id, 'take_down')).toBe(200);
      expect([await sees(removed, fan), await sees(removed, me), await served(address)]).toEqual([404, 404, 404]);
      expect((await call('get_generation_by_id', owner, { p_generation_id: removed })).body).toMatchObject({
        image: null,
        image_url: null,
        moderation: { decision: 'taken_down', note: 'Seen' },
      });
      expect(await images('take_downs')).toMatchObject([
        { generation_id: removed, image: null, take_down: { decision: 'removed' } },
        { generation_id: kept, take_down: { decision: 'kept' } },
      ]);
      app.clock.advance(24 * HOUR_MS);
      await app.reconcile();
      expect(await app.row(removed)).toMatchObject({ prompt: '', image: null, status: 'completed', refunded: false });
      expect(await app.ledger(owner)).toEqual(ledger);
      expect((await queue(true)).map(({ decision }) => decision)).toEqual(['take_down', 'keep']);
      expect(await queue()).toEqual([]);
    });

    it('needs a reason and an image of the own style', async () => {
      const [image] = (await deliver(1)) as [string];
      for (const reason of ['', '  ', 'x'.repeat(501)]) expect((await ask(image, reason)).status).toBe(422);
      expect([(await ask(image, 'x', null)).status, (await ask(image, 'x', fan)).status]).toEqual([401, 403]);
      const other = await anotherCreator();
      expect((await ask(image, 'x', other)).status).toBe(404);
      const { body: request } = await ask(image);
      expect([(await takeBack(request.request_id, other)).status, (await takeBack(UNKNOWN)).status]).toEqual([
        404, 404,
      ]);
      const pending = await app.drawing(creatorId);
      expect((await ask(pending.id)).status).toBe(404);
    });
  });
});

describe('payout details', () => {
  const details = {
    p_legal_name: 'Juno Abara',
    p_country: 'DE',
    p_account: 'DE89 3704 0044 0532 0130 00',
    p_tax_status: 'foreign_person',
  };
  const save = (changes: Partial<typeof details> = {}, token: string | null = me) =>
    call<PayoutDetails>('save_own_payout_details_by_jwt', token, { ...details, ...changes });
  const read = async (token = me) => (await call<PayoutDetails[]>('get_own_payout_details_by_jwt', token)).body;

  it('encrypts them, shows them in part, logs changes by field and holds payouts for 7 days', async () => {
    expect(await read()).toEqual([]);
    const now = app.clock.now();
    const saved = await save();
    expect(saved.body).toEqual({
      legal_name: 'Juno Abara',
      country: 'DE',
      account_ending: '3000',
      tax_status: 'foreign_person',
      changed_at: now.toISOString(),
      held_until: new Date(now.getTime() + 7 * 24 * HOUR_MS).toISOString(),
      changes: [{ at: now.toISOString(), changed: ['legal_name', 'country', 'account', 'tax_status'] }],
    });
    const { rows } = await app.pool.query<{ text: string }>(
      `select encode(sealed, 'escape') || key_id as text from creator_payout_details where creator_id = $1`,
      [creatorId],
    );
    expect(rows[0]?.text).not.toMatch(/Juno|DE89|3000|foreign/);

    app.clock.advance(1_000);
    expect((await save()).body).toEqual(saved.body);
    await save({ p_account: '021000021 / 123456789' });
    expect(await read()).toMatchObject([
      { account_ending: '6789', changed_at: app.clock.now().toISOString(), changes: [{ changed: ['account'] }, {}] },
    ]);
    app.clock.advance(7 * 24 * HOUR_MS);
    expect(await read()).toMatchObject([{ held_until: null }]);
  });

  it('serves approved creators alone', async () => {
    await save();
    expect([(await save({}, null)).status, (await save({}, fan)).status]).toEqual([401, 403]);
    expect([await read(fan), await read(await anotherCreator()), await read(ADMIN)]).toEqual([[], [], []]);
    expect(messageOf(await save({ p_account: 'DE89 3704 0044 0532 0130 01' }))).toEqual([
      422,
      'This IBAN is not valid. Please check each character.',
    ]);
    expect((await save({ p_tax_status: 'none' })).status).toBe(400);
  });

  it('keeps them with the payout record of a creator with earnings only', async () => {
    const stored = async () =>
      (
        await app.creators
          .selectFrom('creator_payout_details')
          .where('creator_id', '=', creatorId)
          .select('key_id')
          .execute()
      ).length;
    await save();
    await call('add_own_blocked_term_by_jwt', me, { p_term: 'tattoo' });
    await app.commands.execute(new CloseCreator({ userId: me }));
    await app.commands.execute(new EraseCreator({ creatorId, hasEarnings: true }));
    expect(await stored()).toBe(1);
    await app.commands.execute(new EraseCreator({ creatorId, hasEarnings: false }));
    expect(await stored()).toBe(0);
    const terms = app.creators.selectFrom('creator_blocked_term').select('id').where('creator_id', '=', creatorId);
    expect(await terms.execute()).toEqual([]);
  });
});
