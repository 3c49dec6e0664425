import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseProgressFromLogs, validateWebhook } from 'replicate';
import sharp from 'sharp';
import { type AspectRatio } from '../../src/contract/aspect-ratios.js';
import { fetchOutput, OutputUnusableError } from '../../src/generation/providers/fetch-output.js';
import {
  type ModelReference,
  PredictionNotFoundError,
  ProviderOutcomeUnknownError,
  ProviderRefusedError,
  ProviderUnavailableError,
} from '../../src/generation/providers/image-provider.js';
import { outputUrl } from '../../src/generation/providers/output-url.js';
import { type ReplicateImageProvider } from '../../src/generation/providers/replicate-image-provider.js';
import { ReplicateServer, ReplicateReceiver } from '../support/replicate-server.js';
import { until } from '../support/until.js';

const VERSION = 'a'.repeat(64);
const SMALL = { width: 256, height: 256 };
const HOUR = 60 * 60_000;

jest.setTimeout(30_000);

let replicate: ReplicateServer;
let receiver: ReplicateReceiver;

beforeAll(async () => {
  replicate = await ReplicateServer.start();
  receiver = new ReplicateReceiver();
  await receiver.listen();
});
afterAll(async () => {
  await replicate.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.answers.length = 0;
});
afterEach(() => replicate.sandbox.outage(false));

const input = (prompt: string): object => ({ prompt, ...SMALL });

const createdBySdk = (prompt: string, more: object = {}) =>
  replicate.sdk.predictions.create({ version: VERSION, input: input(prompt), ...more });

const ended = (id: string, server = replicate) =>
  until(async () => {
    const prediction = await server.sdk.predictions.get(id);
    return prediction.completed_at ? prediction : null;
  }, 'the end of a prediction');

describe('Replicate sandbox with the SDK', () => {
  it('draws for a deployment in the style of its name and serves the picture', async () => {
    const created = await replicate.sdk.deployments.predictions.create('fanvas-demo', 'bauhaus', {
      input: input('night bus'),
    });
    expect(created).toMatchObject({ status: 'starting', output: null, error: null, source: 'api' });
    const prediction = await ended(created.id);
    expect(prediction).toMatchObject({ status: 'succeeded', data_removed: false });
    const url = outputUrl(prediction.output) ?? '';
    const bytes = await fetchOutput(url, { allowedHosts: [replicate.host], maxBytes: 1e7, timeoutMs: 5_000 });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 256, height: 256 });
  });

  it('accepts a version, an owner/name:version and a model', async () => {
    const byVersion = await replicate.sdk.predictions.create({ version: VERSION, input: input('a') });
    const byName = await replicate.sdk.predictions.create({ version: `acme/anna:${VERSION}`, input: input('b') });
    const byModel = await replicate.sdk.predictions.create({ model: 'acme/planet', input: input('c') });
    for (const { id } of [byVersion, byName, byModel]) expect((await ended(id)).status).toBe('succeeded');
  });

  it('works with run() and its waiting call', async () => {
    const output = (await replicate.sdk.run('acme/flow', { input: input('wind') })) as string[];
    expect(output[0]).toContain('/files/');
  });

  it('writes logs that the SDK parses for progress', async () => {
    const { id } = await createdBySdk('[[slow:60000]]');
    await until(async () => (await replicate.sdk.predictions.get(id)).status === 'processing');
    replicate.clock.advance(31_000);
    const progress = await until(async () => {
      const seen = parseProgressFromLogs(await replicate.sdk.predictions.get(id));
      return seen?.percentage === 0.5 ? seen : null;
    });
    expect(progress).toMatchObject({ current: 14, total: 28 });
    await replicate.sdk.predictions.cancel(id);
  });

  it('draws in the size of the ratio, and of width and height for a ratio that it does not know', async () => {
    const sizeOf = async (shape: object) => {
      const prediction = await ended((await createdBySdk('wind', { input: { ...input('wind'), ...shape } })).id);
      const url = outputUrl(prediction.output) ?? '';
      const bytes = await fetchOutput(url, { allowedHosts: [replicate.host], maxBytes: 1e8, timeoutMs: 5_000 });
      const { width, height } = await sharp(bytes).metadata();
      return [width, height];
    };
    expect(await sizeOf({ aspect_ratio: '2:3' })).toEqual([832, 1216]);
    expect(await sizeOf({ aspect_ratio: '3:2' })).toEqual([1216, 832]);
    expect(await sizeOf({ aspect_ratio: 'custom', width: 300, height: 400 })).toEqual([300, 400]);
  });

  it('lists the newest predictions first', async () => {
    replicate.clock.advance(1);
    const { id } = await createdBySdk('[[nsfw]]');
    expect((await replicate.predictions())[0]?.id).toBe(id);
  });

  it('names the account of the token, which the doctor asks for', async () => {
    expect(await replicate.sdk.accounts.current()).toMatchObject({ type: 'organization', username: 'fanvas-demo' });
  });

  it('answers errors in the format of Replicate, also for unknown routes', async () => {
    const ask = async (path: string, init: RequestInit = {}, token = replicate.sandbox.settings.apiToken) => {
      const response = await fetch(`${replicate.baseUrl}${path}`, {
        ...init,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      });
      const body = (await response.json()) as Record<string, unknown>;
      expect(Object.keys(body)).toEqual(expect.arrayContaining(['title', 'detail', 'status']));
      expect(body.status).toBe(response.status);
      return response.status;
    };
    const post = (body: string): RequestInit => ({ method: 'POST', body });
    expect(await ask('/predictions/unknown')).toBe(404);
    expect(await ask('/trainings')).toBe(404);
    expect(await ask('/predictions', { method: 'DELETE' })).toBe(404);
    expect(await ask('/account/../../files/none.png')).toBe(404);
    expect(await ask('/predictions', {}, 'wrong')).toBe(401);
    expect(await ask('/predictions', post('{not json'))).toBe(400);
    expect(await ask('/predictions', post('{}'))).toBe(422);
    expect(await ask('/predictions', post(JSON.stringify({ version: 'invalid', input: {} })))).toBe(422);
    expect(await ask('/predictions', post(JSON.stringify({ version: VERSION })))).toBe(422);
    expect(await ask('/deployments/acme/missing/predictions', post(JSON.stringify({ input: {} })))).toBe(404);
  });

  it.each([
    ['[[nsfw]]', 'failed', /NSFW content detected/],
    ['[[oom]]', 'failed', /out of memory/],
    ['[[fail]]', 'failed', /interrupted/],
  ])('fails on %s with an explanation', async (prompt, status, error) => {
    const { id } = await createdBySdk(`a cat ${prompt}`);
    const prediction = await ended(id);
    expect(prediction.status).toBe(status);
    expect(prediction.error).toMatch(error);
    expect(prediction.output).toBeNull();
  });

  it('succeeds without an output for [[no-output]]', async () => {
    const prediction = await ended((await createdBySdk('[[no-output]]')).id);
    expect(prediction.status).toBe('succeeded');
    expect(outputUrl(prediction.output)).toBeNull();
  });

  it.each(['missing-file', 'corrupt'])('returns an output without a picture for [[%s]]', async (fault) => {
    const prediction = await ended((await createdBySdk(`[[${fault}]]`)).id);
    const url = outputUrl(prediction.output) ?? '';
    const limits = { allowedHosts: [replicate.host], maxBytes: 1e7, timeoutMs: 5_000 };
    await expect(fetchOutput(url, limits)).rejects.toThrow(OutputUnusableError);
  });

  it('delays the result for [[slow]] and [[cold]]', async () => {
    const { id } = await createdBySdk('[[cold:2000]] [[slow]]');
    replicate.clock.advance(1_000);
    expect((await replicate.sdk.predictions.get(id)).status).toBe('starting');
    replicate.clock.advance(2_000);
    await until(async () => (await replicate.sdk.predictions.get(id)).status === 'processing');
    replicate.clock.advance(8_000);
    expect((await ended(id)).status).toBe('succeeded');
  });

  it('cancels a running prediction; a second cancel changes nothing', async () => {
    const { id } = await createdBySdk('[[timeout]]', { webhook: receiver.url, webhook_events_filter: ['completed'] });
    await replicate.sdk.predictions.cancel(id);
    const again = await replicate.sdk.predictions.cancel(id);
    expect(again.status).toBe('canceled');
    await until(() => receiver.receivedFor(id).length > 0);
    expect(receiver.receivedFor(id).map(({ prediction }) => prediction.status)).toEqual(['canceled']);
  });

  it('deletes input, output and files an hour after the end', async () => {
    const { id, urls } = await createdBySdk('for an hour');
    const url = outputUrl((await ended(id)).output) ?? '';
    replicate.clock.advance(HOUR - 60_000);
    expect((await fetch(url)).status).toBe(200);
    replicate.clock.advance(120_000);
    await until(async () => (await fetch(url)).status === 404);
    expect(urls.get).toContain(id);
    expect(await replicate.sdk.predictions.get(id)).toMatchObject({
      status: 'succeeded',
      input: {},
      output: null,
      data_removed: true,
    });
  });
});

describe('Replicate sandbox webhooks', () => {
  const withWebhook = (prompt: string, filter?: ('start' | 'output' | 'logs' | 'completed')[]) =>
    createdBySdk(prompt, { webhook: receiver.url, ...(filter ? { webhook_events_filter: filter } : {}) });

  it('signs webhooks with the secret that the API returns', async () => {
    const { id } = await withWebhook('signed', ['completed']);
    const delivery = await until(() => receiver.receivedFor(id)[0]);
    const { key } = await replicate.sdk.webhooks.default.secret.get();
    const signed = {
      id: String(delivery.headers['webhook-id']),
      timestamp: String(delivery.headers['webhook-timestamp']),
      signature: String(delivery.headers['webhook-signature']),
    };
    expect(await validateWebhook({ ...signed, body: delivery.body, secret: key })).toBe(true);
    expect(await validateWebhook({ ...signed, body: `${delivery.body} `, secret: key })).toBe(false);
  });

  it('sends only the requested event types', async () => {
    const { id } = await withWebhook('filtered', ['start', 'completed']);
    await until(() => receiver.receivedFor(id).length === 2);
    expect(new Set(receiver.receivedFor(id).map(({ prediction }) => prediction.status))).toEqual(
      new Set(['processing', 'succeeded']),
    );
    const all = await withWebhook('unfiltered');
    await until(() => receiver.receivedFor(all.id).length === 3);
  });

  it('repeats the final webhook under one id with growing pauses until it is acknowledged', async () => {
    receiver.answers.push(500, 503);
    const { id } = await withWebhook('refused twice', ['completed']);
    await until(() => {
      replicate.clock.advance(100);
      return receiver.receivedFor(id).length === 3;
    });
    const sentAt = receiver.receivedFor(id).map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(sentAt).toEqual([...sentAt].sort((a, b) => a - b));
    expect(new Set(receiver.receivedFor(id).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('drops webhooks for [[lost-webhook]] and repeats them for [[dup-webhook]]', async () => {
    const lost = await withWebhook('[[lost-webhook]]');
    const doubled = await withWebhook('[[dup-webhook]]', ['completed']);
    await until(() => receiver.receivedFor(doubled.id).length === 2);
    expect(new Set(receiver.receivedFor(doubled.id).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await ended(lost.id);
    expect(receiver.receivedFor(lost.id)).toEqual([]);
  });
});

describe('Replicate sandbox after a kill', () => {
  let killed: ReplicateServer;
  let next: ReplicateServer | null;
  beforeEach(async () => {
    next = null;
    killed = await ReplicateServer.start();
  });
  afterEach(async () => {
    await (next ?? killed).close();
  });

  const createdBefore = (prompt: string) =>
    killed.sdk.deployments.predictions.create('fanvas-demo', 'botanic', {
      input: input(prompt),
      webhook: receiver.url,
      webhook_events_filter: ['completed'],
    });

  it('finishes a running prediction and sends its webhook', async () => {
    const { id } = await createdBefore('[[slow:5000]] after the storm');
    await until(async () => (await killed.sdk.predictions.get(id)).status === 'processing');
    next = await killed.afterKill();
    expect(next.sandbox.settings).toEqual(killed.sandbox.settings);
    next.clock.advance(6_000);
    const prediction = await ended(id, next);
    expect(prediction).toMatchObject({ status: 'succeeded', error: null });
    expect((await fetch(outputUrl(prediction.output) ?? '')).status).toBe(200);
    await until(() => receiver.receivedFor(id).length > 0);
    expect(receiver.receivedFor(id).map(({ prediction }) => prediction.status)).toEqual(['succeeded']);
  });

  it('draws an interrupted picture again', async () => {
    const { id } = await createdBefore('[[slow:1000]] twice');
    await until(async () => (await killed.sdk.predictions.get(id)).status === 'processing');
    killed.clock.advance(1_000);
    next = await killed.afterKill();
    expect((await ended(id, next)).status).toBe('succeeded');
  });

  it('repeats a webhook that was not acknowledged', async () => {
    receiver.answers.push(500);
    const { id } = await createdBefore('[[nsfw]]');
    const first = await until(() => receiver.receivedFor(id)[0]);
    next = await killed.afterKill();
    const { clock } = next;
    await until(() => {
      clock.advance(100);
      return receiver.receivedFor(id).length === 2;
    });
    expect(receiver.receivedFor(id).at(-1)?.headers['webhook-id']).toBe(first.headers['webhook-id']);
  });
});

describe('ReplicateImageProvider', () => {
  let provider: ReplicateImageProvider;
  beforeEach(() => {
    provider = replicate.provider();
  });

  const request = (prompt: string, model: ModelReference = { deploymentName: 'fanvas-demo/bauhaus' }) => ({
    model,
    prompt,
    aspectRatio: 'square' as AspectRatio,
    webhookUrl: receiver.url,
    cancelAfterSeconds: 900,
  });
  const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      await work;
    } catch (error) {
      return error;
    }
    throw new Error('It did not fail');
  };
  const madeBy = async (work: () => Promise<unknown>): Promise<number> => {
    const before = (await replicate.predictions()).length;
    await work();
    return (await replicate.predictions()).length - before;
  };

  it('creates a prediction, follows it and returns its picture', async () => {
    const created = await provider.create(request('a brass band'));
    expect(created).toMatchObject({ status: 'starting', output: null, startedAt: null, completedAt: null });
    const done = await until(async () => {
      const seen = await provider.get(created.id);
      return seen.status === 'succeeded' ? seen : null;
    });
    expect(outputUrl(done.output)).toContain(`http://${replicate.host}/`);
    expect(done.completedAt).toEqual(replicate.clock.now());
  });

  it('sends no inputs for a square, and ratio and size for the other shapes', async () => {
    const inputOf = async (aspectRatio: AspectRatio): Promise<unknown> => {
      const { id } = await provider.create({ ...request('[[nsfw]]'), aspectRatio });
      return (await replicate.sdk.predictions.get(id)).input;
    };
    expect(await inputOf('square')).toEqual({ prompt: '[[nsfw]]' });
    expect(await inputOf('portrait')).toEqual({ prompt: '[[nsfw]]', aspect_ratio: '2:3', width: 832, height: 1216 });
    expect(await inputOf('landscape')).toEqual({ prompt: '[[nsfw]]', aspect_ratio: '3:2', width: 1216, height: 832 });
  });

  it('creates a prediction by model version', async () => {
    expect((await provider.create(request('[[nsfw]]', { version: VERSION }))).status).toBe('starting');
  });

  it('asks the provider to end a run that takes too long', async () => {
    const running = await provider.create({ ...request('[[timeout]]'), cancelAfterSeconds: 60 });
    const waiting = await provider.create({ ...request('[[cold:900000]]'), cancelAfterSeconds: 60 });
    await until(async () => (await provider.get(running.id)).status === 'processing');
    replicate.clock.advance(61_000);
    await until(async () => (await provider.get(running.id)).status === 'canceled');
    await until(async () => (await provider.get(waiting.id)).status === 'aborted');
  });

  it('reports a lost answer after creating exactly one prediction', async () => {
    const made = await madeBy(async () => {
      expect(await failureOf(provider.create(request('[[drop-response]]')))).toBeInstanceOf(
        ProviderOutcomeUnknownError,
      );
    });
    expect(made).toBe(1);
  });

  it('reports a 429 as a refusal with the time to wait', async () => {
    const made = await madeBy(async () => {
      expect(await failureOf(provider.create(request('[[rate-limit]]')))).toMatchObject({
        name: 'ProviderRefusedError',
        status: 429,
        retryAfterSeconds: 1,
      });
    });
    expect(made).toBe(0);
  });

  it('reports an unknown outcome for a 500', async () => {
    expect(await failureOf(provider.create(request('[[http-500]]')))).toBeInstanceOf(ProviderOutcomeUnknownError);
    replicate.sandbox.outage(true);
    expect(await failureOf(provider.create(request('down')))).toBeInstanceOf(ProviderOutcomeUnknownError);
  });

  it.each<[string, ModelReference, number | null]>([
    ['an unknown deployment', { deploymentName: 'fanvas/missing' }, 404],
    ['a deployment of another owner', { deploymentName: 'nobody/nothing' }, 404],
    ['an unknown version', { version: 'nonsense' }, 422],
    ['an invalid name', { deploymentName: '../../account' }, null],
  ])('reports %s as a refusal', async (_, model, status) => {
    const error = await failureOf(provider.create(request('x', model)));
    expect(error).toBeInstanceOf(ProviderRefusedError);
    expect(error).toMatchObject({ status, retryAfterSeconds: null });
  });

  it('reports a wrong token as a refusal without revealing token or prompt', async () => {
    const error = (await failureOf(
      replicate.provider({ apiToken: 'r8_wrong' }).create(request('a secret wish')),
    )) as Error;
    expect(error).toMatchObject({ name: 'ProviderRefusedError', status: 401 });
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch(
      /r8_|secret wish/,
    );
  });

  it('reports a refused connection as not sent', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const gone = replicate.provider({ baseUrl: `http://127.0.0.1:${port}/v1` });
    expect(await failureOf(gone.create(request('x')))).toMatchObject({ name: 'ProviderRefusedError', status: null });
    expect(await failureOf(gone.get('abc'))).toBeInstanceOf(ProviderUnavailableError);
    expect(await failureOf(gone.cancel('abc'))).toBeInstanceOf(ProviderUnavailableError);
    const byName = replicate.provider({ baseUrl: 'http://nowhere.invalid/v1' });
    expect(await failureOf(byName.create(request('x')))).toMatchObject({ name: 'ProviderRefusedError', status: null });
  });

  describe('invalid answers of the provider', () => {
    let odd: Server;
    let calls: number;
    let answer: { status: number; body: string; headers?: Record<string, string> };
    beforeEach(async () => {
      calls = 0;
      odd = createServer((_request, response) => {
        calls += 1;
        response.writeHead(answer.status, answer.headers).end(answer.body);
      });
      await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
      provider = replicate.provider({ baseUrl: `http://127.0.0.1:${(odd.address() as AddressInfo).port}/v1` });
    });
    afterEach(async () => {
      odd.closeAllConnections();
      await new Promise((resolve) => odd.close(resolve));
    });

    it.each([
      [201, '<html>welcome</html>'],
      [201, '{"id": 7}'],
      [302, ''],
      [408, ''],
      [502, 'Bad gateway'],
    ])('reports an unknown outcome for %i %j and asks once', async (status, body) => {
      answer = { status, body, headers: { location: '/elsewhere' } };
      expect(await failureOf(provider.create(request('x')))).toBeInstanceOf(ProviderOutcomeUnknownError);
      expect(await failureOf(provider.get('abc'))).toBeInstanceOf(ProviderUnavailableError);
      expect(calls).toBe(2);
    });

    it('parses a Retry-After header that is a date', async () => {
      const at = new Date(replicate.clock.now().getTime() + 42_000);
      answer = { status: 429, body: '', headers: { 'retry-after': at.toUTCString() } };
      expect(await failureOf(provider.create(request('x')))).toMatchObject({ retryAfterSeconds: 42 });
    });
  });

  it('reports that a prediction is unknown', async () => {
    expect(await failureOf(provider.get('unknown'))).toBeInstanceOf(PredictionNotFoundError);
    expect(await failureOf(provider.get('../account'))).toBeInstanceOf(PredictionNotFoundError);
  });

  it('cancels a running prediction and ignores one that is finished or unknown', async () => {
    const { id } = await provider.create(request('[[hang]]'));
    await provider.cancel(id);
    expect((await provider.get(id)).status).toBe('canceled');
    await provider.cancel(id);
    await provider.cancel('unknown');
  });

  it.each<[ModelReference, boolean]>([
    [{ deploymentName: 'fanvas/anna' }, true],
    [{ deploymentName: 'fanvas/missing-anna' }, false],
    [{ deploymentName: 'nobody/nothing' }, false],
    [{ deploymentName: 'acme' }, false],
    [{ version: `fanvas/anna:${VERSION}` }, true],
    [{ version: `fanvas/missing-anna:${VERSION}` }, false],
    [{ version: `nobody/nothing:${VERSION}` }, false],
    // The provider finds no version without the name of its model.
    [{ version: VERSION }, false],
  ])('looks up the model %j: %s', async (model, found) => {
    expect(await provider.hasModel(model)).toBe(found);
  });

  it('fails while the provider is down', async () => {
    replicate.sandbox.outage(true);
    expect(await failureOf(provider.get('abc'))).toBeInstanceOf(ProviderUnavailableError);
    expect(await failureOf(provider.cancel('abc'))).toBeInstanceOf(ProviderUnavailableError);
    expect(await failureOf(provider.hasModel({ deploymentName: 'acme/anna' }))).toBeInstanceOf(
      ProviderUnavailableError,
    );
  });

  describe('verifyWebhook', () => {
    const MINUTE = 60_000;
    const delivered = async () => {
      const { id } = await provider.create(request('[[nsfw]]'));
      const { headers, body } = await until(() =>
        receiver.receivedFor(id).find(({ prediction }) => prediction.status === 'failed'),
      );
      const head = {
        id: String(headers['webhook-id']),
        timestamp: String(headers['webhook-timestamp']),
        signature: String(headers['webhook-signature']),
      };
      return { id, head, body };
    };
    const inMinutes = (minutes: number): Date => new Date(replicate.clock.now().getTime() + minutes * MINUTE);

    it('accepts a genuine webhook', async () => {
      const { id, head, body } = await delivered();
      const webhook = await provider.verifyWebhook(head, body, replicate.clock.now());
      expect(webhook).toMatchObject({ deliveryId: head.id, prediction: { id, status: 'failed' } });
      expect(webhook?.prediction.error).toMatch(/NSFW/);
    });

    it('fetches the secret once when none is configured', async () => {
      const { head, body } = await delivered();
      const asking = replicate.provider({ webhookSecret: null });
      replicate.sandbox.outage(true);
      expect(await failureOf(asking.verifyWebhook(head, body, replicate.clock.now()))).toBeInstanceOf(
        ProviderUnavailableError,
      );
      replicate.sandbox.outage(false);
      expect(await asking.verifyWebhook(head, body, replicate.clock.now())).not.toBeNull();
      replicate.sandbox.outage(true);
      expect(await asking.verifyWebhook(head, body, replicate.clock.now())).not.toBeNull();
    });

    it('accepts a webhook for five minutes', async () => {
      const { head, body } = await delivered();
      expect(await provider.verifyWebhook(head, body, inMinutes(4.9))).not.toBeNull();
      expect(await provider.verifyWebhook(head, body, inMinutes(5.1))).toBeNull();
      expect(await provider.verifyWebhook(head, body, inMinutes(-5.1))).toBeNull();
    });

    it.each(['not json', 'null', '{}', '{"id":7,"status":"failed"}'])(
      'refuses a signed body without a prediction as malformed: %s',
      async (body) => {
        const key = Buffer.from('a secret of this test');
        const now = replicate.clock.now();
        const id = 'msg_1';
        const timestamp = String(Math.floor(now.getTime() / 1000));
        const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
        const own = replicate.provider({ webhookSecret: `whsec_${key.toString('base64')}` });
        const failure = await failureOf(own.verifyWebhook({ id, timestamp, signature }, body, now));
        expect(failure).toMatchObject({ name: 'MalformedWebhookError', kind: 'invalid' });
      },
    );

    it('refuses a webhook with a changed, forged or missing part', async () => {
      const { head, body } = await delivered();
      const verify = (change: object, text = body) =>
        provider.verifyWebhook({ ...head, ...change }, text, replicate.clock.now());
      expect(await verify({}, body.replace('failed', 'succeeded'))).toBeNull();
      expect(await verify({}, '')).toBeNull();
      expect(await verify({ id: 'msg_other' })).toBeNull();
      expect(await verify({ id: undefined })).toBeNull();
      expect(await verify({ timestamp: 'yesterday' })).toBeNull();
      expect(await verify({ signature: 'v1,AAAA' })).toBeNull();
      expect(await verify({ signature: 'garbage' })).toBeNull();
      expect(await verify({ signature: `v1,AAAA ${head.signature}` })).not.toBeNull();
      const forged = replicate.provider({ webhookSecret: `whsec_${Buffer.from('another secret').toString('base64')}` });
      expect(await forged.verifyWebhook(head, body, replicate.clock.now())).toBeNull();
    });
  });
});
