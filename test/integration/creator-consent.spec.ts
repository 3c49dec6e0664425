import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ConsentRecord, type ModelDeletion } from '../../src/contract/creators.js';
import { type PublicCreator } from '../../src/contract/gallery.js';
import { consentRow } from '../../src/creators/consent.js';
import { storeAcceptance } from '../../src/creators/withdrawal.js';
import { CloseCreator, ContinueStyleChange } from '../../src/creators/index.js';
import { GetPublicPage } from '../../src/gallery/index.js';
import { WithholdImages } from '../../src/generation/index.js';
import { ReleaseImages } from '../../src/generation/use-cases/release-images.js';
import { CONSENT_FAULT_POINTS, type ConsentFaultPoint } from '../../src/generation/workers/follow-consent.js';
import { type GenerationFaultPoint } from '../../src/generation/steps/generation-steps.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { asOwner } from '../support/database.js';
import { SimulatedCrash } from '../support/crashing-fault-points.js';
import { GenerationApp } from '../support/generation-app.js';

jest.setTimeout(60_000);

const ADMIN = 'admin_ada';
const NAME = 'Juno Abara';
const HOUR_MS = 3_600_000;

let app: GenerationApp;
/** The user that the creator is. */
let userId: string;
let creatorId: string;
let username: string;

beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app.close());

beforeEach(async () => {
  app.faults.restart();
  userId = `user_${randomUUID()}`;
  creatorId = await app.newCreator(NAME, { clerkId: userId, bio: 'Street scenes' });
  ({ username } = await app.creators
    .selectFrom('creator')
    .select('username')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow());
});

const withdraw = (confirmation = NAME, token: string | null = userId) =>
  app.rpc('withdraw_consent_by_jwt', token, { p_confirmation: confirmation });
const acceptAgain = () => {
  const acceptance = { termsUrl: '', method: '', statement: '', userAgent: '', email: '' };
  const act = { id: randomUUID(), userId, at: app.clock.now(), context: 'terms_page', kind: 'accepted' } as const;
  return storeAcceptance({ db: app.creators, acts: app.get(Acts) }, consentRow({ ...act, acceptance }));
};
const pause = (paused: boolean, token: string | null = userId) =>
  app.rpc('set_creator_paused_by_jwt', token, { p_paused: paused });
const start = (fan: string, prompt = 'A fox in the snow') =>
  app.rpc('start_generation_by_jwt', fan, { p_prompt: prompt, p_creator_id: creatorId });

async function page(): Promise<PublicCreator | null> {
  return (await app.rpc('get_public_creator_by_username', null, { p_username: username })).body as PublicCreator | null;
}

async function listed(): Promise<boolean> {
  const { body } = await app.rpc('get_public_creators', null);
  return (body as PublicCreator[]).some(({ id }) => id === creatorId);
}

async function gallery(): Promise<string[]> {
  const { body } = await app.rpc('get_gallery_generations_public', null, { p_creator_id: creatorId });
  return (body as { id: string }[]).map(({ id }) => id);
}

async function acts(): Promise<ConsentRecord[]> {
  return (await app.rpc('get_own_consent_by_jwt', userId)).body as ConsentRecord[];
}

const imageOf = async (id: string, token: string | null): Promise<number> =>
  (await app.rpc('get_generation_by_id', token, { p_generation_id: id })).status;

async function mediaOf(id: string): Promise<string> {
  return String((await app.row(id)).image?.url);
}

const served = async (address: string): Promise<number> => (await fetch(app.url + address)).status;

describe('withdraw_consent_by_jwt', () => {
  it('needs the name of the creator, and is refused for visitors, fans and applicants', async () => {
    const fan = await app.newUser();
    expect((await withdraw(NAME, null)).status).toBe(401);
    expect(await withdraw(NAME, fan)).toMatchObject({
      status: 403,
      body: { message: 'Only approved creators have these controls.' },
    });
    for (const wrong of ['', 'Juno', 'Juno Abara!', 'withdraw']) {
      expect(await withdraw(wrong)).toMatchObject({
        status: 422,
        body: { message: 'Type your name, Juno Abara, to confirm that you withdraw your consent.' },
      });
    }
    expect(await page()).toMatchObject({ withdrawn: false, can_generate: true });
    await app.creators.updateTable('creator').set({ creator_status: 'pending' }).where('id', '=', creatorId).execute();
    expect((await withdraw()).status).toBe(403);
  });

  it('closes the page, the gallery and new images at once, and changes nothing when repeated', async () => {
    const fan = await app.newUser();
    const image = await app.delivered(fan, creatorId);
    await app.curate(creatorId, [image]);
    expect(await gallery()).toEqual([image]);
    const first = await withdraw('  juno   ABARA ');
    expect(first).toEqual({ status: 200, body: { success: true, withdrawn_at: app.clock.now().toISOString() } });
    app.clock.advance(60_000);
    expect(await withdraw()).toEqual(first);

    expect(await listed()).toBe(false);
    expect(await gallery()).toEqual([]);
    expect(await page()).toMatchObject({ name: NAME, withdrawn: true, bio: '', works: [], can_generate: false });
    expect(await app.queries.execute(new GetPublicPage({ path: `/${username}` }))).toMatchObject({
      head: {
        title: 'Juno Abara has left · Fanvas',
        unlisted: true,
      },
    });
    expect((await start(fan)).status).toBe(409);
    const kinds = (await acts()).map(({ kind }) => kind);
    expect(kinds).toEqual(['withdrawn', 'accepted']);
    const { rows: logged } = await app.pool.query(
      `select body::jsonb->'after' as after from admin_act where kind = 'consent.recorded' and user_id = $1 order by number`,
      [userId],
    );
    const accepted = { kind: 'accepted', terms_version: 'v1.0' };
    expect(logged).toEqual([{ after: accepted }, { after: { kind: 'withdrawn' } }]);
  });

  it('refunds a fan whose image is being drawn, with a kind reason, and stops the prediction', async () => {
    const { userId: fan, id, predictionId } = await app.drawing(creatorId);
    await withdraw();
    await app.followConsent();
    const row = await app.row(id);
    expect(row).toMatchObject({
      status: 'failed',
      refunded: true,
      error_message: 'Cancelled: this creator has left. Your credits were returned.',
    });
    expect((await app.provider.get(predictionId)).status).toBe('canceled');
    expect(await app.balances(fan)).toMatchObject({ total: 30 });
  });

  it('answers images to their owners and admins only, and moves their files', async () => {
    const fan = await app.newUser();
    const other = await app.newUser();
    const id = await app.delivered(fan, creatorId);
    const { prediction_id: predictionId } = await app.row(id);
    const address = await mediaOf(id);
    const sees = async (token: string | null): Promise<unknown[]> => [
      await imageOf(id, token),
      (await rowsOf(id, token)).length,
      ((await app.rpc('get_generation_status_public', token, { p_prediction_id: predictionId })).body as []).length,
    ];
    expect(await sees(null)).toEqual([200, 1, 1]);
    await withdraw();
    for (const token of [null, other, userId]) expect(await sees(token)).toEqual([404, 0, 0]);
    expect(await sees(fan)).toEqual([200, 1, 1]);
    expect(await imageOf(id, ADMIN)).toBe(200);
    expect((await app.rpc('report_generation', other, { p_generation_id: id, p_reason: 'other' })).status).toBe(404);

    await app.followConsent();
    await app.reconcile();
    expect(await served(address)).toBe(404);
    expect(await served(await mediaOf(id))).toBe(200);
    expect((await app.row(id)).hidden_at).toBeNull();
  });

  it('shows the creator no image any more, only their list', async () => {
    const id = await app.delivered(await app.newUser(), creatorId);
    const ownStyle = async () => (await app.rpc('get_images_of_own_style_by_jwt', userId)).body;
    expect(await ownStyle()).toMatchObject([{ generation_id: id, image: { url: await mediaOf(id) } }]);
    await withdraw();
    expect(await ownStyle()).toMatchObject([{ generation_id: id, image: null }]);
    await app.followConsent();
    await app.reconcile();
    expect(JSON.stringify(await ownStyle())).not.toContain(await mediaOf(id));
  });

  it('withholds old images too when the first run has failed', async () => {
    const finished = await app.delivered(await app.newUser(), creatorId);
    const address = await mediaOf(finished);
    app.clock.advance(HOUR_MS);
    const { id } = await app.drawing(creatorId);
    await withdraw();
    const owner = asOwner(app);
    await owner.query(`alter table generation add constraint broken check (id <> '${id}' or status = 'pending')`);
    await app.followConsent();
    await owner.query(`alter table generation drop constraint broken`);
    app.clock.advance(10_000);
    await app.followConsent();
    await app.reconcile();
    expect(await app.row(id)).toMatchObject({ status: 'failed', refunded: true });
    expect(await served(address)).toBe(404);
  });

  it('stops an image that began during the withdrawal', async () => {
    await withdraw();
    await app.followConsent();
    // The start had read the creator before.
    await app.creators.updateTable('creator').set({ withdrawn_at: null }).where('id', '=', creatorId).execute();
    const { id } = await app.drawing(creatorId);
    await app.creators
      .updateTable('creator')
      .set({ withdrawn_at: app.clock.now() })
      .where('id', '=', creatorId)
      .execute();
    app.clock.advance(60_000);
    await app.followConsent();
    expect(await app.row(id)).toMatchObject({ status: 'failed', refunded: true });
    expect(await work()).toEqual({ style_changed_at: null, style_due_at: null });
  });
});

describe('accepting again', () => {
  it('brings the page, the gallery and the images back as they were', async () => {
    const fan = await app.newUser();
    const shown = await app.delivered(fan, creatorId);
    const hidden = await app.delivered(fan, creatorId);
    await app.curate(creatorId, [shown]);
    await app.rpc('hide_generation_by_jwt', fan, { p_generation_id: hidden });
    const hiddenAddress = await mediaOf(hidden);
    await withdraw();
    await app.followConsent();
    await app.reconcile();
    const withheldAddress = await mediaOf(shown);

    app.clock.advance(1_000);
    for (let count = 0; count < 2; count += 1) expect(await acceptAgain()).toBe(true);
    expect(await page()).toMatchObject({ withdrawn: false, bio: 'Street scenes', can_generate: true });
    expect(await listed()).toBe(true);
    expect(await gallery()).toEqual([shown]);
    expect([await imageOf(shown, null), await imageOf(hidden, null)]).toEqual([200, 404]);

    await app.followConsent();
    await app.reconcile();
    expect(await mediaOf(hidden)).toBe(hiddenAddress);
    expect(await app.row(hidden)).toMatchObject({ withheld_at: null, media_moved_at: expect.any(Date) });
    expect(await app.row(shown)).toMatchObject({ withheld_at: null, media_moved_at: null });
    // The owner's hide must move the files once more.
    await app.rpc('hide_generation_by_jwt', fan, { p_generation_id: shown });
    expect(await served(withheldAddress)).toBe(404);
    expect(await work()).toEqual({ style_changed_at: null, style_due_at: null });
  });

  it('leaves an archived creator archived and a paused one paused', async () => {
    await pause(true);
    await app.creators.updateTable('creator').set({ is_visible: false }).where('id', '=', creatorId).execute();
    await withdraw();
    // Unarchiving does not reopen a withdrawn page.
    await app.creators.updateTable('creator').set({ is_visible: true }).where('id', '=', creatorId).execute();
    expect([await listed(), (await page())?.withdrawn]).toEqual([false, true]);
    await app.creators.updateTable('creator').set({ is_visible: false }).where('id', '=', creatorId).execute();
    await acceptAgain();
    expect(await page()).toMatchObject({ withdrawn: false, is_visible: false, paused: true, can_generate: false });
    expect(await listed()).toBe(false);
  });

  it('changes nothing when the same acceptance arrives again after another withdrawal', async () => {
    await withdraw();
    const acceptance = { termsUrl: '', method: '', statement: '', userAgent: '', email: '' };
    const act = { id: randomUUID(), userId, at: app.clock.now(), context: 'terms_page', kind: 'accepted' } as const;
    const accept = () => storeAcceptance({ db: app.creators, acts: app.get(Acts) }, consentRow({ ...act, acceptance }));
    await accept();
    await withdraw();
    await accept();
    expect(await page()).toMatchObject({ withdrawn: true });
    expect((await acts())[0]).toMatchObject({ kind: 'withdrawn' });
  });

  it('withholds the images again when the account is closed while they are being released', async () => {
    const id = await app.delivered(await app.newUser(), creatorId);
    await withdraw();
    await app.followConsent();
    await acceptAgain();
    const changedAt = app.clock.now();
    app.clock.advance(1_000);
    await app.commands.execute(new CloseCreator({ userId }));
    await app.commands.execute(new WithholdImages({ creatorId, since: null }));
    // A release that began before the closing ends.
    await app.commands.execute(new ReleaseImages({ creatorId, at: changedAt }));
    await app.commands.execute(new ContinueStyleChange({ creatorId, changedAt, dueAt: null }));
    app.clock.advance(1_000);
    await app.followConsent();
    expect(await app.row(id)).toMatchObject({ withheld_at: expect.any(Date) });
  });

  it('changes nothing after the account was closed', async () => {
    await withdraw();
    await app.commands.execute(new CloseCreator({ userId }));
    expect(await acceptAgain()).toBe(false);
    expect(await page()).toBeNull();
    expect((await withdraw()).status).toBe(403);
    expect(
      (await app.creators.selectFrom('creator_consent').select('kind').where('clerk_id', '=', userId).execute()).length,
    ).toBe(2);
  });

  it('cancels the task to delete the model, and after the deletion leaves no model', async () => {
    const tasks = async (ended: boolean): Promise<ModelDeletion[]> =>
      ((await app.rpc('get_model_deletions', ADMIN, { p_ended: ended })).body as ModelDeletion[]).filter(
        (task) => task.creator_id === creatorId,
      );
    const record = (token: string) => app.rpc('record_model_deletion', token, { p_creator_id: creatorId });
    expect((await record(ADMIN)).status).toBe(404);
    await withdraw();
    expect(await tasks(false)).toMatchObject([{ creator_name: NAME, overdue: false, done_at: null }]);
    await app.creators
      .updateTable('creator_model_deletion')
      .set({ due_at: new Date(app.clock.now().getTime() - 1) })
      .where('creator_id', '=', creatorId)
      .execute();
    expect(await tasks(false)).toMatchObject([{ overdue: true }]);
    await acceptAgain();
    expect([await tasks(false), (await tasks(true))[0]?.cancelled_at]).toEqual([[], app.clock.now().toISOString()]);
    expect((await record(ADMIN)).status).toBe(404);

    await withdraw();
    expect([(await record(userId)).status, (await record(ADMIN)).status, (await record(ADMIN)).status]).toEqual([
      403, 200, 404,
    ]);
    expect(await tasks(true)).toMatchObject([{ done_by: ADMIN }, { done_by: null }]);
    await acceptAgain();
    expect(await page()).toMatchObject({ withdrawn: false, can_generate: false });
  });
});

describe('set_creator_paused_by_jwt', () => {
  it('refuses new images before anything is taken, and finishes those in progress', async () => {
    const { userId: fan, id, predictionId } = await app.drawing(creatorId);
    const paused = await pause(true);
    expect(paused).toEqual({ status: 200, body: { success: true, paused_at: app.clock.now().toISOString() } });
    app.clock.advance(1_000);
    expect(await pause(true)).toEqual(paused);
    const other = await app.newUser();
    expect(await start(other)).toEqual({
      status: 409,
      body: expect.objectContaining({
        message: 'Juno Abara is taking a break. Please come back later.',
        details: 'creator_paused',
      }),
    });
    expect(await app.ledger(other)).not.toContain('CreditsDeducted');
    expect(await page()).toMatchObject({ paused: true, can_generate: false, is_visible: true });
    await app.followConsent();
    await app.succeed(predictionId);
    expect(await imageOf(id, fan)).toBe(200);

    expect((await pause(false)).body).toEqual({ success: true, paused_at: null });
    expect((await start(other)).status).toBe(200);
    expect((await acts()).map(({ kind }) => kind)).toEqual(['resumed', 'paused', 'accepted']);
  });

  it('refuses fans, and creators whose consent is withdrawn', async () => {
    expect((await pause(true, await app.newUser())).status).toBe(403);
    await withdraw();
    expect(await pause(true)).toMatchObject({ status: 409 });
  });
});

describe('a crash during a withdrawal', () => {
  const points: readonly (ConsentFaultPoint | GenerationFaultPoint)[] = [
    ...CONSENT_FAULT_POINTS,
    ...(['fail', 'refund', 'close-credits', 'cancel-at-provider'] as const).flatMap((step): GenerationFaultPoint[] => [
      `generation.${step}.before`,
      `generation.${step}.after`,
    ]),
  ];

  it.each(points)('loses nothing at %s', async (point) => {
    const fan = await app.newUser();
    const finished = await app.delivered(fan, creatorId);
    const address = await mediaOf(finished);
    const { userId: waiting, id } = await app.drawing(creatorId);
    await withdraw();
    app.faults.crashAt(point);
    const crashed = async (): Promise<void> => {
      await app.followConsent().catch((error: unknown) => {
        if (!(error instanceof SimulatedCrash)) throw error;
      });
      await app.worker.idle();
    };
    await crashed();
    if (!app.faults.crashed) {
      // `release` is reached after the consent is given again.
      await acceptAgain();
      await crashed();
      expect(app.faults.crashed).toBe(true);
      app.faults.restart();
      await withdraw();
    }
    app.faults.restart();
    for (let round = 0; round < 12; round += 1) {
      app.clock.advance(10_000);
      await app.followConsent();
      await app.reconcile();
    }
    expect(await app.row(id)).toMatchObject({ status: 'failed', refunded: true, provider_cancel_due: false });
    expect(await app.balances(waiting)).toMatchObject({ total: 30 });
    expect((await app.ledger(waiting)).filter((type) => type === 'CreditsRefunded')).toHaveLength(1);
    expect(await served(address)).toBe(404);
    expect(await served(await mediaOf(finished))).toBe(200);
    expect(await work()).toEqual({ style_changed_at: null, style_due_at: null });
  });
});

/** The rows that the table returns for a generation. */
async function rowsOf(id: string, token: string | null): Promise<unknown[]> {
  return (await (await app.read(`rest/v1/generations?id=eq.${id}`, token)).json()) as unknown[];
}

/** The work that the creator's row says is left. */
async function work(): Promise<unknown> {
  return app.creators
    .selectFrom('creator')
    .select(['style_changed_at', 'style_due_at'])
    .where('id', '=', creatorId)
    .executeTakeFirst();
}
