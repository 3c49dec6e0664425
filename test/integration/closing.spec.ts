import { randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLOSING_MESSAGES, CLOSING_STEPS, type ClosingReceipt } from '../../src/contract/closing.js';
import { CLOSING_FAULT_POINTS } from '../../src/privacy/closing/closing-steps.js';
import { ClosureRows } from '../../src/privacy/closing/closure-rows.js';
import { ClosingReconciler } from '../../src/privacy/closing/workers/reconcile-closings.js';
import { GetCreator } from '../../src/creators/index.js';
import { CreditProposals } from '../../src/credits/workers/credit-proposals.js';
import { StartGeneration } from '../../src/generation/index.js';
import { FileStorage } from '../../src/platform/storage/file-storage.js';
import { ClosingApp } from '../support/closing-app.js';
import { until } from '../support/until.js';

let app: ClosingApp;

beforeAll(async () => {
  app = await ClosingApp.start();
});
afterAll(() => app.close());

/** Every text of the database that mentions this. Logs and files are not searched. */
async function mentions(text: string): Promise<string[]> {
  const { rows: columns } = await app.pool.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'jsonb', 'ARRAY')`,
  );
  const found: string[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const { rows } = await app.pool.query<{ found: boolean }>(
      `select exists (select from "${table}" where "${column}"::text like $1) as found`,
      [`%${text}%`],
    );
    if (rows[0]?.found) found.push(`${table}.${column}`);
  }
  return found;
}

interface PublicView {
  readonly byId: number;
  readonly byPrediction: unknown;
  readonly rows: unknown;
  readonly gallery: unknown;
  readonly sitemap: boolean;
}

/** Everything that the public sees of an image. */
async function publicView(id: string, creatorId: string, viewer: string | null = null): Promise<PublicView> {
  const rows = await app.read(`rest/v1/generations?id=eq.${id}`, viewer);
  const sitemap = await (await fetch(`${app.url}/sitemap.xml`)).text();
  return {
    byId: (await app.rpc('get_generation_by_id', viewer, { p_generation_id: id })).status,
    byPrediction: (await app.rpc('get_generation_status_public', viewer, { p_prediction_id: `p-${id}` })).body,
    rows: await rows.json(),
    gallery: (await app.rpc('get_gallery_generations_public', null, { p_creator_id: creatorId })).body,
    sitemap: sitemap.includes(id),
  };
}

const NOTHING: PublicView = { byId: 404, byPrediction: [], rows: [], gallery: [], sitemap: false };

/** Reads a picture by its address. */
async function mediaStatus(url: string): Promise<number> {
  const response = await fetch(app.url + url);
  await response.arrayBuffer();
  return response.status;
}

describe('close_account', () => {
  it('erases everything of a fan, refunds the unspent credits and keeps the audit green', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator();
    const image = await app.image(userId, creatorId, 30);
    const session = await app.purchase(userId);
    const spent = await app.image(userId, creatorId, 25);
    await app.stripe.addCustomer(session, 'someone@fans.test');
    const refused = { p_prompt: `explicit porn of a fox of ${userId}`, p_creator_id: creatorId };
    expect((await app.rpc('start_generation_by_jwt', userId, refused)).status).toBe(422);
    const { generationId: pending } = await app.commands.execute(
      new StartGeneration({ userId, prompt: `A pending fox of ${userId}`, creator: creatorId }),
    );
    const report = { p_generation_id: spent.id, p_reason: 'other', p_note: 'Looks odd' };
    expect((await app.rpc('report_generation', 'user_reporter', report)).status).toBe(200);
    const other = await app.image('user_other', creatorId);
    const note = { p_generation_id: other.id, p_reason: 'other', p_note: `My fox of ${userId} was better` };
    expect((await app.rpc('report_generation', userId, note)).status).toBe(200);

    // The image in progress holds 10 credits of the purchase, which its refund returns before the money is.
    expect(await app.preview(userId)).toMatchObject({
      paid_credits: 65,
      paid_cents: 650,
      purchases: [{ session_id: session, bundle_id: 'basic', credits: 65, refund_cents: 650 }],
      free_credits: 0,
      pending_images: 1,
      creator: null,
      closure: null,
    });

    const { receipt_token: token, receipt } = await app.closeAccount(userId);
    expect(receipt).toMatchObject({ status: 'running', requested_by: 'person', choice: 'refund', finished_at: null });
    await app.work();
    await app.pass(5_000);

    const proof = await app.rpc<ClosingReceipt>('get_closing_receipt', null, { p_receipt_token: token });
    expect(proof.body).toMatchObject({ closure_id: receipt.closure_id, status: 'finished' });
    expect(proof.body.steps.map(({ step, state }) => [step, state])).toEqual(
      CLOSING_STEPS.map((step) => [step, 'done']),
    );
    expect(JSON.stringify(proof.body)).not.toContain(userId);
    expect(await app.counts(userId)).toMatchObject({
      gallery_items: 2,
      cancelled: 1,
      images: 3,
      files: 2,
      refusals: 1,
      reports: 2,
      refunds: 1,
      refunded_credits: 75,
      refunded_cents: 750,
      customers: 1,
      receipts: 1,
    });

    for (const { id, image: picture } of [image, spent]) {
      expect(await publicView(id, creatorId)).toMatchObject({ byId: 404, byPrediction: [], rows: [], sitemap: false });
      expect(await mediaStatus(picture.url)).toBe(404);
    }
    expect(await mentions(`fox of ${userId}`)).toEqual([]);
    expect(await mentions('someone@fans.test')).toEqual([]);
    const { rows } = await app.pool.query<{ email: string | null; deleted: boolean }>(
      'select email, deleted_at is not null as deleted from app_user where id = $1',
      [userId],
    );
    expect(rows).toEqual([{ email: null, deleted: true }]);
    expect(await app.preview(userId)).toMatchObject({ paid_credits: 0, pending_images: 0, closure: proof.body });
    const ledger = (await app.accountEvents(userId)).map(({ type }) => type);
    expect(ledger.slice(-2)).toEqual(['CreditsRefunded', 'PurchaseReversed']);
    expect((await app.accountEvents(userId)).some(({ data }) => data['deductionId'] === pending)).toBe(true);
    expect(await app.audit()).toEqual([]);
  });

  it('lets nothing be public or begin from the first moment, before the worker has run', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator();
    const { id } = await app.image(userId, creatorId);
    const open = await app.checkout(userId);
    expect(await publicView(id, creatorId)).toMatchObject({ byId: 200, gallery: [{ id }], sitemap: true });

    const release = app.hold();
    const { receipt_token: token } = await app.closeAccount(userId);
    for (const viewer of [null, userId, 'user_stranger']) {
      expect(await publicView(id, creatorId, viewer)).toEqual(NOTHING);
    }
    expect((await app.rpc('get_user_generations_by_jwt_paginated', userId)).body).toEqual([]);
    const start = { p_prompt: 'A fox', p_creator_id: creatorId };
    for (const answer of [
      await app.rpc('start_generation_by_jwt', userId, start),
      await app.tryCheckout(userId),
      await app.rpc('report_generation', userId, { p_generation_id: id, p_reason: 'other' }),
    ]) {
      expect([404, 409]).toContain(answer.status);
    }
    expect(await app.rpc('start_generation_by_jwt', userId, start)).toMatchObject({
      status: 409,
      body: { message: CLOSING_MESSAGES.closing },
    });
    expect(await app.tryCheckout(userId)).toMatchObject({ status: 409, body: { message: CLOSING_MESSAGES.closing } });

    await release();
    expect((await app.rpc('get_closing_receipt', null, { p_receipt_token: token })).body).toMatchObject({
      status: 'finished',
    });
    expect(await app.counts(userId)).toMatchObject({ checkouts: 1, images: 1 });
    await expect(app.stripe.pay(open)).rejects.toThrow('expired');
    expect(await app.audit()).toEqual([]);
  });

  it('gives up unspent credits with an event, and posts a later dispute', async () => {
    const userId = await app.newUser();
    const session = await app.purchase(userId);
    await app.closeAccount(userId, 'waive');
    await app.work();
    expect(await app.closure(userId)).toMatchObject({ status: 'finished', choice: 'waive', failures: [] });
    expect(await app.counts(userId)).toMatchObject({ waived_credits: 100 });
    expect((await app.accountEvents(userId)).at(-1)).toMatchObject({ type: 'CreditsWaived', data: { amount: 100 } });

    await app.stripe.dispute(session);
    await app.reconcilePayments();
    await app.work();
    expect((await app.accountEvents(userId)).at(-1)).toMatchObject({ type: 'PurchaseReversed', data: { debt: 100 } });
    await app.findLeftovers();
    expect((await app.closure(userId)).status).toBe('finished');
    expect(await app.audit()).toEqual([]);
  });

  it('gives a closed account no credits for a dispute that is won later', async () => {
    const userId = await app.newUser();
    const session = await app.purchase(userId);
    const { id } = await app.stripe.dispute(session);
    await app.reconcilePayments();
    await app.closeAccount(userId, 'waive');
    await app.work();
    expect((await app.closure(userId)).status).toBe('finished');

    await app.stripe.closeDispute(id, 'won');
    await app.reconcilePayments();
    await app.findLeftovers();
    await app.pass(5_000);
    const last = (await app.accountEvents(userId)).slice(-2).map(({ type }) => type);
    expect(last).toEqual(['PurchaseReinstated', 'CreditsWaived']);
    expect(await app.counts(userId)).toMatchObject({ waived_credits: 100 });
    expect((await app.closure(userId)).status).toBe('finished');
    expect(await app.audit()).toEqual([]);
  });

  it.each(['refund', 'waive'] as const)(
    'credits a payment that arrives after the closing, and then: %s',
    async (choice) => {
      const userId = await app.newUser();
      const session = await app.checkout(userId);
      await app.stripe.pay(session, 'settlesLater');
      await app.closeAccount(userId, choice);
      await app.work();
      expect((await app.closure(userId)).status).toBe('finished');

      await app.stripe.settle(session);
      await app.reconcilePayments();
      await app.findLeftovers();
      await app.pass(5_000);
      expect((await app.closure(userId)).status).toBe('finished');
      const last = (await app.accountEvents(userId)).slice(-2).map(({ type }) => type);
      expect(last).toEqual(['CreditsPurchased', choice === 'refund' ? 'PurchaseReversed' : 'CreditsWaived']);
      expect(await app.counts(userId)).toMatchObject(
        choice === 'refund' ? { refunds: 1, refunded_cents: 1000 } : { waived_credits: 100 },
      );
      expect(await app.audit()).toEqual([]);
    },
  );

  it('keeps the first choice when repeated, and lets every token show the receipt', async () => {
    const userId = await app.newUser();
    const first = await app.closeAccount(userId, 'waive');
    const second = await app.closeAccount(userId, 'refund');
    expect(second.receipt.closure_id).toBe(first.receipt.closure_id);
    expect(second.receipt.choice).toBe('waive');
    for (const { receipt_token: p_receipt_token } of [first, second]) {
      const { body } = await app.rpc<ClosingReceipt>('get_closing_receipt', null, { p_receipt_token });
      expect(body.closure_id).toBe(first.receipt.closure_id);
    }
    const { rows } = await app.pool.query('select * from account_closure_token where token_hash = $1', [
      first.receipt_token,
    ]);
    expect(rows).toEqual([]);
    await app.work();
  });

  it('refuses a wrong confirmation, another choice, visitors, and the token or closure of someone else', async () => {
    const userId = await app.newUser();
    const close = (token: string | null, body: object) => app.rpc<{ message: string }>('close_account', token, body);
    expect(await close(userId, { p_confirmation: 'yes' })).toMatchObject({
      status: 422,
      body: { message: CLOSING_MESSAGES.confirmation },
    });
    expect((await close(userId, { p_confirmation: 'CLOSE', p_choice: 'keep' })).status).toBe(400);
    expect((await close(null, { p_confirmation: 'CLOSE' })).status).toBe(401);
    expect((await app.preview(userId)).closure).toBeNull();
    const receipt = await app.rpc('get_closing_receipt', null, { p_receipt_token: 'x'.repeat(43) });
    expect(receipt).toMatchObject({ status: 404, body: { message: CLOSING_MESSAGES.receiptNotFound } });
    expect((await app.rpc('get_account_closure', userId, { p_user_id: userId })).status).toBe(403);
    expect((await app.rpc('get_account_closure', 'admin_1', { p_user_id: userId })).status).toBe(404);
  });

  it('stops the addresses of all pictures before it answers, also when no step runs', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator(userId);
    const pictures = [await app.image(userId, creatorId), await app.image(userId, creatorId)];
    const portrait = pictures[1]!.image;
    const storage = app.get(FileStorage);
    await storage.put('portrait-of-a-closed-one/64.webp', Buffer.from('portrait'), 'image/webp');
    const sources = [{ type: 'image/webp', width: 64, url: '/media/portrait-of-a-closed-one/64.webp' }];
    await app.pool.query('update creator set profile = $1 where id = $2', [{ ...portrait, sources }, creatorId]);
    expect(await mediaStatus(sources[0]!.url)).toBe(200);
    await app.project();
    app.faults.crashAt('closing.hide.before', 1);
    await app.closeAccount(userId);
    for (const { image } of pictures) expect(await mediaStatus(image.url)).toBe(404);
    expect(await mediaStatus(sources[0]!.url)).toBe(404);
    await app.work();
    expect(app.faults.crashed).toBe(true);
    await app.restart();
    await app.pass(61_000);
    expect((await app.closure(userId)).status).toBe('finished');
    expect(await app.counts(userId)).toMatchObject({ images: 2, files: 2 });
  });

  it('retries a provider that fails, finishes the other steps meanwhile, and calls for attention', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator();
    const { image } = await app.image(userId, creatorId);
    app.identityDown = true;
    await app.closeAccount(userId);
    await app.work();
    expect(await mediaStatus(image.url)).toBe(404);
    for (let attempt = 1; attempt < 5; attempt += 1) await app.pass(60_000);
    const stuck = await app.closure(userId);
    expect(stuck).toMatchObject({ status: 'attention', failures: [{ step: 'identity', attempts: 5 }] });
    expect(stuck.steps.filter(({ state }) => state !== 'done').map(({ step }) => step)).toEqual(['identity']);
    expect((await app.metrics.text()).body).toContain('fanvas_closing_accounts_stuck 1');

    app.identityDown = false;
    await app.pass(3_600_000);
    expect(await app.closure(userId)).toMatchObject({ status: 'finished', failures: [] });
  });

  it('a worker that continues after its lease stores nothing about a step that another one has done', async () => {
    const userId = await app.newUser();
    await app.closeAccount(userId);
    await app.work();
    const done = await app.closure(userId);
    const failed = { attempts: 1, retryAt: app.clock.now().toISOString(), error: 'Error' };
    const late = app.get(ClosureRows).storeStep({ id: done.closure_id, steps: {} }, 'identity', failed);
    expect(await late).toBeUndefined();
    expect(await app.closure(userId)).toEqual({ ...done, status: 'finished', failures: [] });
  });

  it('calls for attention after three refused refunds, and ends when the money went another way', async () => {
    const userId = await app.newUser();
    const session = await app.purchase(userId);
    // The app has received no notice of this dispute, and the processor refunds no disputed payment.
    await app.stripe.dispute(session);
    await app.closeAccount(userId);
    for (let attempt = 0; attempt < 7; attempt += 1) await app.pass(3_600_000);
    const stuck = await app.closure(userId);
    expect(stuck).toMatchObject({ status: 'attention', failures: [{ step: 'credits' }] });
    expect(stuck.steps.filter(({ state }) => state !== 'done').map(({ step }) => step)).toEqual(['credits']);
    const problem = expect.objectContaining({ subject: session, kind: 'refund_refused' });
    expect((await app.rpc('get_payment_problems', 'admin_1')).body).toContainEqual(problem);
    const orders = await app.pool.query('select status from admin_refund where session_id = $1', [session]);
    expect(orders.rows).toEqual([{ status: 'released' }, { status: 'released' }, { status: 'released' }]);

    // The dispute takes the credits, so nothing is left to refund.
    await app.reconcilePayments();
    await app.pass(3_600_000);
    expect(await app.closure(userId)).toMatchObject({ status: 'finished', failures: [] });
    expect((await app.rpc('get_payment_problems', 'admin_1')).body).not.toContainEqual(problem);
    expect(await app.audit()).toEqual([]);
  });

  it('erases images although the credits of one cannot be closed', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator();
    const { id, image } = await app.image(userId, creatorId);
    const storeClosed = (closedAt: Date | null) =>
      app.pool.query('update generation set credits_closed_at = $2 where id = $1', [id, closedAt]);
    // As if the ledger did not answer.
    await storeClosed(null);
    await app.closeAccount(userId);
    await app.work();
    const { steps } = await app.closure(userId);
    expect(steps.filter(({ state }) => state !== 'done').map(({ step }) => step)).toEqual([
      'pending',
      'creator',
      'credits',
    ]);
    expect(await mediaStatus(image.url)).toBe(404);

    await storeClosed(app.clock.now());
    await app.pass(60_000);
    expect((await app.closure(userId)).status).toBe('finished');
    expect(await app.audit()).toEqual([]);
  });

  it('ends with nothing left and one refund after a crash at any point', async () => {
    // A crash before a step is one after the step before it was stored.
    const points = CLOSING_FAULT_POINTS.filter((point) => point.endsWith('.after') || point === 'closing.store.before');
    for (const point of points) {
      const userId = await app.newUser();
      const { creatorId } = await app.newCreator(userId);
      const { image } = await app.image(userId, creatorId);
      await app.purchase(userId);
      await app.project();
      app.faults.crashAt(point, point.startsWith('closing.store') ? 4 : 1);
      await app.closeAccount(userId);
      await app.work();
      expect(app.faults.crashed).toBe(true);
      await app.restart();
      await app.pass(61_000);

      expect({ point, status: (await app.closure(userId)).status }).toEqual({ point, status: 'finished' });
      expect(await mediaStatus(image.url)).toBe(404);
      const reversals = (await app.accountEvents(userId)).filter(({ type }) => type === 'PurchaseReversed');
      expect(reversals).toHaveLength(1);
      expect((await app.preview(userId)).paid_credits).toBe(0);
    }
    expect(await app.audit()).toEqual([]);
  });
});

describe('user.deleted', () => {
  it('closes the account of a user who was deleted at the identity provider, with a refund', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator();
    const { id, image } = await app.image(userId, creatorId);
    await app.purchase(userId);
    const backend = `${app.url}/__clerk/backend/v1/users/${userId}`;
    const deleted = await fetch(backend, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${app.clerk.settings.secretKey}` },
    });
    expect(deleted.status).toBe(200);
    await until(async () => {
      const { rows } = await app.pool.query('select id from app_user where id = $1 and deleted_at is not null', [
        userId,
      ]);
      return rows.length === 1;
    });
    await app.work();
    await app.pass(5_000);

    expect(await app.closure(userId)).toMatchObject({
      status: 'finished',
      requested_by: 'identity_provider',
      choice: 'refund',
    });
    expect(await app.counts(userId)).toMatchObject({ refunded_cents: 1000, images: 1 });
    expect(await publicView(id, creatorId)).toEqual(NOTHING);
    expect(await mediaStatus(image.url)).toBe(404);
  });
});

describe('closing of a creator', () => {
  it('withdraws the page, refunds fans in progress, and leaves fans what they paid for', async () => {
    const userId = await app.newUser();
    const { creatorId, username } = await app.newCreator(userId);
    const fan = await app.newUser();
    const { id } = await app.image(fan, creatorId, 10);
    await app.purchase(fan);
    const paid = await app.image(fan, creatorId, 40);
    await app.commands.execute(new StartGeneration({ userId: fan, prompt: 'A fox', creator: creatorId }));
    await app.project();

    expect((await app.preview(userId)).creator).toMatchObject({ id: creatorId, username, name: 'Aria Vale' });
    await app.closeAccount(userId);
    await app.work();
    await app.project();
    await app.pass(5_000);
    expect(await app.closure(userId)).toMatchObject({ status: 'finished' });
    expect(await app.counts(userId)).toMatchObject({ fans_cancelled: 1, fans_images_hidden: 2, gallery_items: 2 });

    expect((await app.rpc('get_public_creator_by_username', null, { p_username: username })).body).toBeNull();
    expect(await app.queries.execute(new GetCreator({ creatorId }))).toMatchObject({
      name: 'Former creator',
      withdrawn: true,
      isVisible: false,
      status: 'active',
      instagram: '',
      twitter: null,
    });
    expect(await publicView(id, creatorId)).toEqual(NOTHING);
    expect((await app.rpc('get_generation_by_id', fan, { p_generation_id: paid.id })).status).toBe(200);
    const show = { p_generation_id: paid.id, p_hidden: false };
    expect((await app.rpc('hide_generation_by_jwt', fan, show)).status).toBe(409);
    const start = { p_prompt: 'A fox', p_creator_id: creatorId };
    expect((await app.rpc('start_generation_by_jwt', fan, start)).status).toBe(409);
    expect((await app.preview(fan)).paid_credits).toBe(80);

    const { rows } = await app.pool.query<{ name: string }>(
      'select name from creator_payout_record where creator_id = $1',
      [creatorId],
    );
    expect(rows).toEqual([{ name: 'Aria Vale' }]);
    const { rows: stored } = await app.pool.query<{ text: string }>(
      'select row_to_json(c)::text as text from creator c where id = $1',
      [creatorId],
    );
    expect(stored[0]?.text).not.toMatch(new RegExp(`Paints the sea|Aria|@aria|${username}|@fanvas`));
    expect(await app.audit()).toEqual([]);
  });

  it('keeps the payout record of earnings that the projection counts later', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator(userId);
    const fan = await app.newUser();
    await app.purchase(fan);
    await app.image(fan, creatorId, 40);
    await app.closeAccount(userId);
    await app.work();
    expect((await app.closure(userId)).steps).toContainEqual(
      expect.objectContaining({ step: 'creator', state: 'retrying' }),
    );

    await app.project();
    await app.pass(5_000);
    expect(await app.closure(userId)).toMatchObject({ status: 'finished' });
    const { rows } = await app.pool.query('select name from creator_payout_record where creator_id = $1', [creatorId]);
    expect(rows).toEqual([{ name: 'Aria Vale' }]);
  });
});

describe('closing of a creator without earnings', () => {
  it('keeps no payout record of paid images of their own', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator(userId);
    await app.purchase(userId);
    await app.image(userId, creatorId, 40);
    await app.project();
    await app.closeAccount(userId);
    await app.work();
    await app.project();
    await app.pass(5_000);
    expect(await app.closure(userId)).toMatchObject({ status: 'finished' });
    const kept = await app.pool.query('select name from creator_payout_record where creator_id = $1', [creatorId]);
    expect(kept.rows).toEqual([]);
  });
});

describe('texts of admins about the person', () => {
  const about = async (userId: string) =>
    (
      await app.pool.query<{ state: string; reason: string }>(
        'select state, reason from credit_proposal where user_id = $1 order by proposed_at',
        [userId],
      )
    ).rows;

  it('erases the reasons of proposals, and deletes open proposals and the suspension', async () => {
    const userId = await app.newUser();
    const reason = `A gift for fox of ${userId}`;
    const propose = async (id: string): Promise<string> => {
      const body = { p_proposal_id: id, p_user_id: userId, p_kind: 'grant', p_amount: 5_000, p_reason: reason };
      expect((await app.rpc('propose_credits_admin', 'admin_one', body)).status).toBe(200);
      return id;
    };
    const decide = async (p_proposal_id: string, p_approve: boolean) =>
      app.rpc('decide_credit_proposal_admin', 'admin_two', { p_proposal_id, p_approve });
    const declined = await propose(randomUUID());
    const open = await propose(randomUUID());
    expect((await decide(declined, false)).status).toBe(200);
    const suspend = { p_user_id: userId, p_days: 7, p_reason: `The fox of ${userId}` };
    await app.pool.query(
      `insert into app_user (id, created_at, updated_at) values ($1, now(), now())
      on conflict do nothing`,
      [userId],
    );
    expect((await app.rpc('suspend_user_admin', 'admin_one', suspend)).status).toBe(200);

    await app.closeAccount(userId);
    await app.work();
    await app.pass(5_000);
    expect((await app.closure(userId)).status).toBe('finished');
    expect(await about(userId)).toEqual([{ state: 'declined', reason: '' }]);
    expect(await mentions(`fox of ${userId}`)).toEqual([]);
    const { rowCount } = await app.pool.query('select from payment_suspended_buyer where user_id = $1', [userId]);
    expect(rowCount).toBe(0);
    expect((await decide(open, true)).status).toBe(404);
  });

  it('waits for an approved grant that is not in the ledger yet', async () => {
    const userId = await app.newUser();
    await app.pool.query(
      `insert into credit_proposal (id, user_id, kind, amount, reason, proposed_by, proposed_at, state, decided_by, decided_at)
       values ($1, $2, 'grant', 20, 'A lost image', 'admin_one', now(), 'approved', 'admin_two', now())`,
      [randomUUID(), userId],
    );
    await app.closeAccount(userId);
    await app.work();
    expect((await app.closure(userId)).status).toBe('running');
    await app.get(CreditProposals).tick();
    await app.pass(60_000);
    expect((await app.closure(userId)).status).toBe('finished');
    expect(await about(userId)).toEqual([{ state: 'approved', reason: '' }]);
  });

  it('erases a proposal that came after the end, with its act', async () => {
    const userId = await app.newUser();
    await app.closeAccount(userId);
    await app.work();
    await app.pass(5_000);
    const late = { p_kind: 'grant', p_amount: 5_000, p_reason: `A late gift for fox of ${userId}` };
    const propose = { p_proposal_id: randomUUID(), p_user_id: userId, ...late };
    expect((await app.rpc('propose_credits_admin', 'admin_one', propose)).status).toBe(200);
    await app.findLeftovers();
    await app.pass(5_000);
    expect((await app.closure(userId)).status).toBe('finished');
    expect(await about(userId)).toEqual([]);
    expect(await mentions(`fox of ${userId}`)).toEqual([]);
  });
});

describe('leftovers of closings', () => {
  it('hides an image of a fan that began while the creator withdrew', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator(userId);
    const fan = await app.newUser();
    await app.closeAccount(userId);
    await app.project();
    await app.pass(5_000);
    expect((await app.closure(userId)).status).toBe('finished');

    // As if the start had read the creator before the closing was stored.
    const { id } = await app.image(fan, creatorId);
    await app.findLeftovers();
    await app.pass(5_000);
    expect((await app.closure(userId)).status).toBe('finished');
    expect(await app.counts(userId)).toMatchObject({ fans_images_hidden: 1 });
    expect(await publicView(id, creatorId)).toEqual(NOTHING);
    await app.findLeftovers();
    const { rows } = await app.pool.query<{ reopened: number }>(
      'select reopened from account_closure where user_id = $1',
      [userId],
    );
    expect(rows).toEqual([{ reopened: 1 }]);
  });

  it('erases rows that came after the end, and files that belong to no row', async () => {
    const userId = await app.newUser();
    const { creatorId } = await app.newCreator();
    await app.closeAccount(userId);
    await app.work();
    expect((await app.closure(userId)).status).toBe('finished');

    // As if a start had passed the check before the closing was stored.
    const { id, image } = await app.image(userId, creatorId);
    await app.pool.query(
      `insert into moderation_refusal (id, user_id, creator_id, category, prompt, created_at)
       values ($1, $2, $3, 'sexual', 'Late', now())`,
      [id, userId, creatorId],
    );
    await app.findLeftovers();
    expect(await app.closure(userId)).toMatchObject({ status: 'finished' });
    expect(await app.counts(userId)).toMatchObject({ images: 1, refusals: 1 });
    expect(await mediaStatus(image.url)).toBe(404);

    const { image: kept } = await app.image('user_keeps', creatorId);
    const storage = app.get(FileStorage);
    await storage.put('orphaned-folder-of-a-crash/64.webp', Buffer.from('picture'), 'image/webp');
    for (const folder of ['orphaned-folder-of-a-crash', kept.url.split('/')[2] ?? '']) {
      await utimes(join(app.dataDir, 'media', folder), app.clock.now(), app.clock.now());
    }
    await app.get(ClosingReconciler).deleteOrphanedMedia();
    expect(await mediaStatus('/media/orphaned-folder-of-a-crash/64.webp')).toBe(200);
    app.clock.advance(2 * 3_600_000);
    await app.get(ClosingReconciler).deleteOrphanedMedia();
    expect(await mediaStatus('/media/orphaned-folder-of-a-crash/64.webp')).toBe(404);
    expect(await mediaStatus(kept.url)).toBe(200);
    expect((await app.metrics.text()).body).toMatch(/fanvas_closing_leftovers_total\{kind="media"\} [1-9]/);
  });
});
