import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { type AdminHealth } from '../../src/contract/admin.js';
import { v7 } from 'uuid';
import { GENERATION_TIMEOUT_MS } from '../../src/contract/limits.js';
import { CancelGeneration } from '../../src/generation/use-cases/cancel-generation.js';
import { GetGeneration, GetGenerations } from '../../src/generation/index.js';
import { FINISH_LEASE_MS } from '../../src/generation/limits.js';
import { GenerationFinisher } from '../../src/generation/steps/finish-generation.js';
import { DomainError, type DomainErrorKind } from '../../src/platform/domain-error.js';
import { GenerationApp } from '../support/generation-app.js';

// Starting Postgres takes long on a loaded machine.
jest.setTimeout(30_000);

let app: GenerationApp;
let creatorId: string;

beforeAll(async () => {
  app = await GenerationApp.start();
  creatorId = await app.newCreator();
});
afterAll(() => app.close());
afterEach(async () => {
  app.provider.creation = 'accept';
  app.provider.available = true;
  app.provider.whileCreating = () => Promise.resolve();
  app.outputs.status = 200;
  app.outputs.garbage = null;
  app.storage.beforePut = () => Promise.resolve();
  app.outputs.beforeAnswer = () => Promise.resolve();
  // Ends everything that a test leaves pending, so that no other test works on it.
  await app.pass(GENERATION_TIMEOUT_MS + 120_000, 60_000);
});

/** Returns the error with which a start or cancel is refused. */
async function refusal(attempt: Promise<unknown>): Promise<{ kind: DomainErrorKind; message: string }> {
  const error: unknown = await attempt.then(
    () => new Error('It was accepted.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof DomainError)) throw error;
  return { kind: error.kind, message: error.message };
}

async function expectRefunded(userId: string, id: string, message: string, reason: string): Promise<void> {
  expect(await app.row(id)).toMatchObject({
    status: 'failed',
    error_message: message,
    refund_reason: reason,
    refunded: true,
    refund_amount: 10,
    image: null,
  });
  expect(await app.balances(userId)).toEqual({ daily: 0, bonus: 30, paid: 0, total: 30 });
  expect((await app.ledger(userId)).filter((type) => type === 'CreditsRefunded')).toHaveLength(1);
}

async function expectSettled(userId: string, id: string): Promise<void> {
  expect(await app.row(id)).toMatchObject({ status: 'completed', refunded: false, error_message: null });
  expect(await app.balances(userId)).toMatchObject({ total: 20 });
  expect(await app.deduction(userId, id)).toMatchObject({ state: 'settled', amount: 10 });
  expect((await app.ledger(userId)).slice(1)).toEqual(['CreditsDeducted', 'DeductionSettled']);
}

const succeed = (predictionId: string) =>
  app.provider.move(predictionId, { status: 'succeeded', output: [app.outputs.url], startedAt: app.clock.now() });

const blackPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#000' } })
    .png()
    .toBuffer();

describe('StartGeneration', () => {
  it('charges creators for images in their own style, and marks them as own generations', async () => {
    const userId = await app.newUser();
    const own = await app.newCreator('Own Style', { clerkId: userId });
    const { predictionId } = await app.begin(userId, own);
    await app.succeed(predictionId);
    const marks = (await app.accountEvents(userId)).map(({ type, data }) => [type, data['ownGeneration']]);
    expect(marks.slice(1)).toEqual([
      ['CreditsDeducted', true],
      ['DeductionSettled', true],
    ]);
    expect(await app.balances(userId)).toMatchObject({ total: 20 });
  });

  it('[F1.02, F4.04, F9.01] deducts 10 credits and calls the provider once, with the generation in the webhook URL', async () => {
    const userId = await app.newUser();
    const asked = app.provider.requests.length;
    const started = await app.begin(userId, creatorId, ' <b>A fox</b>\n in the snow ');
    expect(started).toMatchObject({ balances: { bonus: 20, total: 20 }, creditTypeUsed: 'bonus' });
    expect(app.provider.requests.slice(asked)).toEqual([
      {
        model: { deploymentName: expect.stringMatching(/^fanvas\//) },
        prompt: 'A fox in the snow',
        aspectRatio: 'square',
        webhookUrl: `http://localhost:3000/webhooks/replicate?generation=${started.generationId}`,
        cancelAfterSeconds: 900,
      },
    ]);
    expect(await app.row(started.generationId)).toMatchObject({
      status: 'pending',
      prediction_id: started.predictionId,
      credit_type_used: 'bonus',
      lease_holder: null,
    });
  });

  it.each(['', '   ', '<script>alert(1)</script>'])('[F5.03, F5.08] refuses the prompt %j', async (prompt) => {
    const userId = await app.newUser();
    expect(await refusal(app.begin(userId, creatorId, prompt))).toEqual({
      kind: 'unprocessable',
      message: 'Invalid prompt content',
    });
    expect(await app.ledger(userId)).toEqual(['CreditsGranted']);
  });

  it('[F5.08, F8.12, F8.13] refuses unknown, archived and unapproved creators, and creators without a model', async () => {
    const userId = await app.newUser();
    const gone = 'Creator not available for generation. Please try a different creator.';
    expect(await refusal(app.begin(userId, 'nobody'))).toEqual({ kind: 'notFound', message: gone });
    expect(await refusal(app.begin(userId, '019a0000-0000-7000-8000-000000000000'))).toMatchObject({ message: gone });

    const set = async (change: object): Promise<string> => {
      const id = await app.newCreator('Juno Bright');
      await app.creators.updateTable('creator').set(change).where('id', '=', id).execute();
      return id;
    };
    expect(await refusal(app.begin(userId, await set({ is_visible: false })))).toEqual({
      kind: 'conflict',
      message: gone,
    });
    const applied = await set({ creator_status: 'pending' });
    expect(await refusal(app.begin(userId, applied))).toEqual({ kind: 'conflict', message: gone });
    const withoutModel = await set({ deployment_name: null });
    expect(await refusal(app.begin(userId, withoutModel))).toEqual({
      kind: 'unprocessable',
      message: 'Juno Bright does not have an AI model available for generation.',
    });
    expect(await app.ledger(userId)).toEqual(['CreditsGranted']);
  });

  it('[F8.08] leaves no row and no deduction when the credits do not suffice', async () => {
    const userId = await app.newUser();
    for (let count = 0; count < 3; count += 1) {
      const { predictionId } = await app.begin(userId, creatorId);
      await app.succeed(predictionId);
    }
    const asked = app.provider.requests.length;
    expect(await refusal(app.begin(userId, creatorId))).toEqual({
      kind: 'paymentRequired',
      message: 'Insufficient credits: Please purchase more credits to continue.',
    });
    expect(app.provider.requests).toHaveLength(asked);
    const rows = await app.db.selectFrom('generation').select('status').where('user_id', '=', userId).execute();
    expect(rows.map((row) => row.status)).toEqual(['completed', 'completed', 'completed']);
  });

  it('[F4.05] succeeds once when fifty requests arrive at the same time', async () => {
    const userId = await app.newUser();
    const asked = app.provider.requests.length;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
        app.begin(userId, creatorId).then(
          () => 'started',
          (error: unknown) => (error instanceof DomainError ? error.message : String(error)),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(
      new Set(['started', 'You already have an image being generated. Please wait until it is finished.']),
    );
    expect(app.provider.requests).toHaveLength(asked + 1);
    expect(await app.ledger(userId)).toEqual(['CreditsGranted', 'CreditsDeducted']);
    expect(await app.balances(userId)).toMatchObject({ total: 20 });
  });

  it('[F8.09, F4.22] refunds at once when the provider refuses', async () => {
    app.provider.creation = 'refuse';
    const userId = await app.newUser();
    expect(await refusal(app.begin(userId, creatorId))).toEqual({
      kind: 'upstreamFailed',
      message: 'Failed to start image generation',
    });
    const row = await app.db
      .selectFrom('generation')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    await expectRefunded(userId, row.id, 'Failed to start image generation', 'api_failure');
  });

  it('[F8.09] refuses before the deduction when the record cannot be created', async () => {
    const userId = await app.newUser();
    const asked = app.provider.requests.length;
    app.faults.crashAt('generation.insert.before');
    const refused = await refusal(app.begin(userId, creatorId)).finally(() => app.faults.restart());
    expect(refused).toEqual({ kind: 'unavailable', message: 'Failed to create generation record' });
    expect(app.provider.requests).toHaveLength(asked);
    expect(await app.ledger(userId)).toEqual(['CreditsGranted']);
  });

  it('[F8.09] reports through replicate-api that no prediction id was received', async () => {
    app.provider.creation = 'lose the answer';
    const creator = await app.creators
      .selectFrom('creator')
      .select('deployment_name')
      .where('id', '=', creatorId)
      .executeTakeFirstOrThrow();
    const response = await fetch(`${app.url}/functions/v1/replicate-api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await app.newUser()}` },
      body: JSON.stringify({ path: 'generate', prompt: 'A fox', deploymentName: creator.deployment_name }),
    });
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { message: expect.stringMatching(/^No prediction ID received/) },
    ]);
  });

  it('continues after a lost answer when the webhook names the prediction', async () => {
    app.provider.creation = 'lose the answer';
    const userId = await app.newUser();
    const { generationId, predictionId } = await app.begin(userId, creatorId);
    expect(predictionId).toBeNull();
    const made = app.provider.ids().at(-1) ?? '';
    expect(await app.row(generationId)).toMatchObject({ status: 'pending', prediction_id: null });
    await app.pass(10_000);
    expect(await app.row(generationId)).toMatchObject({ status: 'pending' });
    await app.succeed(made);
    expect(await app.row(generationId)).toMatchObject({ prediction_id: made });
    await expectSettled(userId, generationId);
  });

  it('[F4.18] refunds when no prediction appears', async () => {
    app.provider.creation = 'lose the request';
    const userId = await app.newUser();
    const { generationId } = await app.begin(userId, creatorId);
    await app.pass(55_000);
    expect(await app.row(generationId)).toMatchObject({ status: 'pending' });
    await app.pass(10_000);
    const message = 'Generation failed: No prediction ID assigned (server error)';
    await expectRefunded(userId, generationId, message, 'server_error');
  });

  it('[F4.06] cancels a prediction that appears after the refund', async () => {
    app.provider.creation = 'lose the answer';
    const userId = await app.newUser();
    const { generationId } = await app.begin(userId, creatorId);
    const made = app.provider.ids().at(-1) ?? '';
    await app.pass(65_000);
    expect(await app.row(generationId)).toMatchObject({ status: 'failed', refunded: true });
    app.provider.move(made, { status: 'processing' });
    await app.webhook(made);
    expect(app.provider.cancelled).toContain(made);
    expect(await app.row(generationId)).toMatchObject({ prediction_id: made, provider_cancel_due: false });
    expect(await app.balances(userId)).toMatchObject({ total: 30 });
  });

  it('completes when the webhook of the finished image arrives before the answer', async () => {
    app.provider.whileCreating = async (id) => {
      await app.succeed(id);
    };
    const userId = await app.newUser();
    const { generationId, predictionId } = await app.begin(userId, creatorId);
    expect(await app.row(generationId)).toMatchObject({ prediction_id: predictionId });
    await expectSettled(userId, generationId);
  });

  it('refunds and cancels the prediction when the fan cancels during the call to the provider', async () => {
    const userId = await app.newUser();
    app.provider.whileCreating = async (_, request) => {
      const id = new URL(request.webhookUrl).searchParams.get('generation') ?? '';
      app.clock.advance(4_000);
      await app.commands.execute(new CancelGeneration({ userId, target: { generationId: id } }));
    };
    const { generationId, predictionId } = await app.begin(userId, creatorId);
    await app.worker.idle();
    expect(app.provider.cancelled).toContain(predictionId);
    await expectRefunded(userId, generationId, 'Cancelled by user', 'user_cancelled');
  });
});

describe('provider outcomes', () => {
  it('stores the image, completes and settles', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.provider.move(predictionId, { status: 'processing', startedAt: app.clock.now() });
    expect(await app.webhook(predictionId)).toBe(200);
    expect(await app.row(id)).toMatchObject({ status: 'pending', drawing_at: app.clock.now(), finishing_at: null });
    app.clock.advance(3_000);
    expect(await app.succeed(predictionId)).toBe(200);
    await expectSettled(userId, id);
    const row = await app.row(id);
    expect(row.image?.url).toMatch(/^\/media\/.+\.webp$/);
    expect(row.image?.thumbhash).not.toBe('');
    expect(app.storage.files.size).toBeGreaterThan(0);
    expect(row.credits_closed_at).not.toBeNull();
    const queries = app.queries;
    expect(await queries.execute(new GetGeneration({ generationId: id }))).toMatchObject({
      id,
      userId,
      status: 'completed',
    });
    expect(await queries.execute(new GetGenerations({ generationIds: [id, 'not an id', id] }))).toHaveLength(1);
  });

  it.each([
    ['NSFW content detected', 'NSFW content detected', 'fatal_error'],
    ['CUDA out of memory', 'CUDA out of memory', 'fatal_error'],
    ['Prediction interrupted', 'Prediction interrupted', 'generation_failed'],
    [null, 'Generation failed with no specific error message', 'generation_failed'],
  ])('[F4.09, F4.21] refunds the error %j', async (error, message, reason) => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    await app.fail(predictionId, error);
    await expectRefunded(userId, id, message, reason);
  });

  it.each(['bonus', 'paid'])('watermarks every file of an image that %s credits bought', async (kind) => {
    const userId = await app.newUser();
    if (kind === 'paid') {
      await app.deduct(userId, v7({ msecs: app.clock.now().getTime() }), 30);
      await app.buy(userId, { sessionId: `cs_${randomUUID()}` });
    }
    const { generationId, predictionId, creditTypeUsed } = await app.begin(userId, creatorId);
    expect(creditTypeUsed).toBe(kind);
    await app.succeed(predictionId);

    const { image } = await app.row(generationId);
    expect(image?.sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp']);
    for (const { url } of image?.sources ?? []) {
      const file = await app.storage.get(url.slice('/media/'.length));
      const spread = async (top: number): Promise<number> => {
        const half = await sharp(file ?? undefined)
          .extract({ left: 0, top, width: 64, height: 32 })
          .png()
          .toBuffer();
        return Math.max(...(await sharp(half).stats()).channels.map(({ stdev }) => stdev));
      };
      // The provider's picture has one colour.
      expect(await spread(0)).toBeLessThan(2);
      expect(await spread(32)).toBeGreaterThan(10);
    }
  });

  it('[F4.08, F1.06] refunds a success without an image', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.provider.move(predictionId, { status: 'succeeded', output: null });
    await app.webhook(predictionId);
    await expectRefunded(userId, id, 'Generation succeeded but no output was provided', 'generation_failed');
  });

  it('refunds when the image is gone', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.outputs.status = 404;
    await app.succeed(predictionId);
    const message = 'Generation failed: the finished image could not be retrieved';
    await expectRefunded(userId, id, message, 'generation_failed');
  });

  it.each([
    ['not an image', () => Promise.resolve('<html>not a picture</html>')],
    ['black in every pixel', () => blackPicture()],
  ])('refunds without a retry when the output is %s', async (_name, output) => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.outputs.garbage = await output();
    const requests = app.outputs.requests;
    await app.succeed(predictionId);
    const message = 'Generation failed: the finished image could not be retrieved';
    await expectRefunded(userId, id, message, 'generation_failed');
    expect(app.outputs.requests).toBe(requests + 1);
  });

  it('shows admins from the first time on why the provider refuses our account, until it accepts an image', async () => {
    const provider = async () => {
      const { body } = await app.rpc('get_admin_health', 'admin_ada', {});
      return (body as AdminHealth).lines.find(({ name }) => name === 'Image provider')?.what;
    };
    app.provider.creation = 'refuse';
    app.provider.refusal = 402;
    await expect(app.drawing(creatorId)).rejects.toThrow();
    app.provider.creation = 'accept';
    app.provider.refusal = 422;
    expect(await provider()).toBe('Our account at the image provider has no credit (402).');
    app.clock.advance(1_000);
    await app.drawing(creatorId);
    expect(await provider()).not.toContain('402');
  });

  it('completes later when the image is temporarily unavailable', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.outputs.status = 503;
    await app.succeed(predictionId);
    expect(await app.row(id)).toMatchObject({ status: 'pending', attempts: 1, lease_holder: null });
    app.outputs.status = 200;
    await app.pass(5_000);
    await expectSettled(userId, id);
  });

  it('refunds after several attempts when the image stays unavailable', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.outputs.status = 503;
    await app.succeed(predictionId);
    await app.pass(90_000);
    const message = 'Generation failed: the finished image could not be stored (server error)';
    await expectRefunded(userId, id, message, 'server_error');
  });

  it('completes later when the storage is full for a while, and refunds when it stays full', async () => {
    const draw = async () => {
      const drawn = await app.drawing(creatorId);
      app.storage.beforePut = () => Promise.reject(new Error('The bucket "pictures" is full.'));
      await app.succeed(drawn.predictionId);
      return drawn;
    };
    const late = await draw();
    expect(await app.row(late.id)).toMatchObject({ status: 'pending', attempts: 1 });
    app.storage.beforePut = () => Promise.resolve();
    await app.pass(5_000);
    await expectSettled(late.userId, late.id);
    const never = await draw();
    await app.pass(90_000);
    const message = 'Generation failed: the finished image could not be stored (server error)';
    await expectRefunded(never.userId, never.id, message, 'server_error');
  });

  it('[F4.04] polls the provider when the webhook is lost', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    succeed(predictionId);
    await app.pass(5_000);
    expect(await app.row(id)).toMatchObject({ status: 'pending' });
    await app.pass(5_000);
    await expectSettled(userId, id);
  });

  it('finds the outcome after an outage of the provider', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.provider.available = false;
    await app.pass(60_000);
    expect(await app.row(id)).toMatchObject({ status: 'pending' });
    app.provider.available = true;
    succeed(predictionId);
    await app.pass(120_000);
    await expectSettled(userId, id);
  });

  it('fails when the provider no longer knows the prediction', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.provider.forget(predictionId);
    await app.pass(60_000);
    await expectRefunded(userId, id, 'Generation failed with no specific error message', 'generation_failed');
  });

  it('counts the outcome once when webhooks arrive repeatedly and out of order', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.provider.move(predictionId, { status: 'processing', startedAt: app.clock.now() });
    const early = app.provider.delivery(predictionId, app.clock.now());
    succeed(predictionId);
    await Promise.all([
      app.webhook(predictionId, 'msg_same'),
      app.webhook(predictionId, 'msg_same'),
      app.webhook(predictionId),
    ]);
    expect(await app.post(early)).toBe(200);
    await app.fail(predictionId, 'late nonsense');
    await expectSettled(userId, id);
  });

  it('accepts only signed and fresh webhooks', async () => {
    const { id, predictionId } = await app.drawing(creatorId);
    succeed(predictionId);
    const sent = app.provider.delivery(predictionId, app.clock.now());
    const forged = [
      { ...sent, headers: { ...sent.headers, 'webhook-signature': 'v1,forged' } },
      { ...sent, body: sent.body.replace('succeeded', 'failed') },
      { ...sent, headers: { 'content-type': 'application/json' } },
    ];
    for (const attempt of forged) expect(await app.post(attempt)).toBe(401);
    app.clock.advance(6 * 60_000);
    expect(await app.post(sent)).toBe(401);
    expect(await app.row(id)).toMatchObject({ status: 'pending', output_url: null });
  });

  it('ignores the generation in the webhook URL when it contradicts the prediction', async () => {
    const mine = await app.drawing(creatorId);
    const theirs = await app.drawing(creatorId);
    app.provider.move(mine.predictionId, { status: 'failed', error: 'mine' });
    const sent = app.provider.delivery(mine.predictionId, app.clock.now());
    await app.post({ ...sent, path: `/webhooks/replicate?generation=${theirs.id}` });
    await app.worker.idle();
    expect(await app.row(theirs.id)).toMatchObject({ status: 'pending', prediction_id: theirs.predictionId });
    expect(await app.row(mine.id)).toMatchObject({ status: 'failed', error_message: 'mine' });
  });
});

describe('second prediction of a generation', () => {
  it('cancels the second prediction and changes nothing else', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const request = app.provider.requests.at(-1);
    if (!request) throw new Error('The provider received no request.');
    const second = await app.provider.create(request);
    app.provider.move(second.id, { status: 'processing' });
    await app.webhook(second.id);
    expect(app.provider.cancelled).toContain(second.id);
    expect(await app.row(id)).toMatchObject({ prediction_id: predictionId, status: 'pending', drawing_at: null });
    await app.succeed(second.id);
    expect(await app.row(id)).toMatchObject({ status: 'pending', output_url: null });
    await app.succeed(predictionId);
    await expectSettled(userId, id);
  });
});

describe('generation timeout', () => {
  it('[F4.15, F9.02, F1.06] refunds after 15 minutes and cancels at the provider', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.provider.move(predictionId, { status: 'processing' });
    await app.pass(840_000, 30_000);
    expect(await app.row(id)).toMatchObject({ status: 'pending' });
    await app.pass(120_000, 30_000);
    await expectRefunded(userId, id, 'Generation timed out and refunded immediately', 'timeout');
    expect(app.provider.cancelled).toContain(predictionId);
  });

  it('[F4.12] refunds during an outage of the provider, and cancels the prediction after the outage', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.provider.available = false;
    await app.pass(GENERATION_TIMEOUT_MS + 90_000, 30_000);
    await expectRefunded(userId, id, 'Generation timed out and refunded immediately', 'timeout');
    expect(await app.row(id)).toMatchObject({ provider_cancel_due: true });
    app.provider.available = true;
    await app.pass(90_000, 30_000);
    expect(app.provider.cancelled).toContain(predictionId);
    expect(await app.row(id)).toMatchObject({ provider_cancel_due: false });
  });
});

describe('CancelGeneration', () => {
  const cancel = (userId: string, generationId: string) =>
    app.commands.execute(new CancelGeneration({ userId, target: { generationId } }));

  it('[F4.11, F4.10, F9.02] refuses for three seconds, then ends and refunds the generation', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.clock.advance(1_200);
    expect(await refusal(cancel(userId, id))).toEqual({
      kind: 'conflict',
      message: 'Please wait 2 more seconds before cancelling',
    });
    app.clock.advance(1_800);
    expect(await cancel(userId, id)).toMatchObject({
      predictionId,
      refund: { amount: 10, originalCreditType: 'bonus', balances: { bonus: 30, total: 30 } },
    });
    await app.worker.idle();
    expect(app.provider.cancelled).toContain(predictionId);
    await expectRefunded(userId, id, 'Cancelled by user', 'user_cancelled');
    expect(await refusal(cancel(userId, id))).toEqual({ kind: 'conflict', message: 'Generation was already canceled' });
    // A later report of the provider changes nothing.
    await app.webhook(predictionId);
    await expectRefunded(userId, id, 'Cancelled by user', 'user_cancelled');
  });

  it('refuses other users and completed generations', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.clock.advance(4_000);
    expect(await refusal(cancel(await app.newUser(), id))).toEqual({
      kind: 'notFound',
      message: 'Generation not found or access denied',
    });
    await app.succeed(predictionId);
    expect(await refusal(cancel(userId, id))).toEqual({ kind: 'conflict', message: 'Failed to cancel generation' });
    await expectSettled(userId, id);
  });

  it('leaves consistent credits when it races with the completion', async () => {
    const files = app.storage.files.size;
    let finished = 0;
    for (let round = 0; round < 6; round += 1) {
      const { userId, id, predictionId } = await app.drawing(creatorId);
      app.clock.advance(4_000);
      succeed(predictionId);
      const attempt = () =>
        cancel(userId, id).then(
          () => true,
          () => false,
        );
      // Even rounds cancel during the copy; odd rounds cancel together with the webhook.
      let cancelled = Promise.resolve(false);
      if (round % 2 === 0) {
        app.outputs.beforeAnswer = async () => {
          cancelled = attempt();
          await cancelled;
        };
        await app.webhook(predictionId);
      } else {
        const arrival = app.webhook(predictionId);
        cancelled = attempt();
        await arrival;
      }
      await app.worker.idle();
      if (await cancelled) await expectRefunded(userId, id, 'Cancelled by user', 'user_cancelled');
      else await expectSettled(userId, id);
      if (!(await cancelled)) finished += 1;
      if (round % 2 === 0) expect(await cancelled).toBe(true);
      app.outputs.beforeAnswer = () => Promise.resolve();
    }
    // An image 64 pixels wide has two files. Files of cancelled generations are deleted.
    expect(app.storage.files.size).toBe(files + 2 * finished);
  });

  it('wins against a completion that is storing the image, and the image is deleted', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.clock.advance(4_000);
    const files = app.storage.files.size;
    let cancelled: Promise<unknown> | undefined;
    app.storage.beforePut = () => (cancelled ??= cancel(userId, id));
    await app.succeed(predictionId);
    await cancelled;
    await expectRefunded(userId, id, 'Cancelled by user', 'user_cancelled');
    expect(app.storage.files.size).toBe(files);
  });

  it('[F4.19] refunds once when it is called ten times at once', async () => {
    const { userId, id } = await app.drawing(creatorId);
    app.clock.advance(4_000);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        cancel(userId, id).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    await expectRefunded(userId, id, 'Cancelled by user', 'user_cancelled');
  });
});

describe('lease of the finishing worker', () => {
  it('discards the copy of a worker when another one, whose clock jumped ahead, has completed the generation', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const files = app.storage.files.size;
    app.storage.beforePut = async () => {
      app.storage.beforePut = () => Promise.resolve();
      app.clock.advance(FINISH_LEASE_MS + 1);
      await app.get(GenerationFinisher).finish(await app.row(id));
    };
    await app.succeed(predictionId);
    await expectSettled(userId, id);
    // An image 64 pixels wide has two files.
    expect(app.storage.files.size).toBe(files + 2);
    const { image } = await app.row(id);
    expect(await app.storage.has(image?.url.slice('/media/'.length) ?? '')).toBe(true);
  });

  it('excludes other workers during the copy, and expires when its holder stops', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    succeed(predictionId);
    app.outputs.status = 503;
    await app.webhook(predictionId);
    await app.db
      .updateTable('generation')
      .set({ lease_holder: 'another instance', not_before: new Date(app.clock.now().getTime() + 30_000), attempts: 0 })
      .where('id', '=', id)
      .execute();
    app.outputs.status = 200;
    const requests = app.outputs.requests;
    await app.pass(29_000, 29_000);
    expect(app.outputs.requests).toBe(requests);
    await app.pass(2_000);
    await expectSettled(userId, id);
  });
});
