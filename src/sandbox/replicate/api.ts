import { Logger } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { reportedStatus } from '../error-status.js';
import { type Engine } from './engine.js';
import { readFaults } from './faults.js';
import { isEnded, type NewPrediction, type Pace, type Target, toApiPrediction, WEBHOOK_EVENTS } from './prediction.js';
import { type Store } from './store.js';

const PAGE_SIZE = 100;
const HIDDEN_VERSION = 'hidden';
const MAX_WAIT_SECONDS = 60;

export interface ApiOptions {
  readonly engine: Engine;
  readonly store: Store;
  readonly pace: () => Pace;
  readonly baseUrl: () => string;
  /** True during a simulated outage. */
  readonly isOut: () => boolean;
}

/** An error response in Replicate's format. */
class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
  }
}

const logger = new Logger('ReplicateSandbox');

/** Registers the routes of api.replicate.com below `/v1`, and the files of replicate.delivery below `/files`. */
export function registerApi(server: FastifyInstance, options: ApiOptions): void {
  answerAsReplicateDoes(server);
  server.get('/files/*', async (request: RequestTo<'*'>, reply) => {
    const bytes = options.isOut() ? null : await options.store.getFile(request.params['*']);
    if (!bytes) throw new Problem(404, 'Not found', 'The file has expired or does not exist.');
    return reply.header('cache-control', 'private, max-age=3600').type('image/png').send(bytes);
  });
  server.register(
    async (api) => {
      api.addHook('onRequest', async (request) => authorise(request, options));
      registerPredictions(api, options);
      api.get('/account', () => ({ type: 'organization', username: 'fanvas-demo', name: 'Fanvas' }));
      api.get('/webhooks/default/secret', async () => ({ key: options.store.keys.webhookSecret }));
    },
    { prefix: '/v1' },
  );
}

function answerAsReplicateDoes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      // The SDK sends the content type even with an empty body.
      done(null, body.length === 0 ? {} : (JSON.parse(body.toString()) as unknown));
    } catch {
      done(new Problem(400, 'Bad Request', 'The request body is not valid JSON.'));
    }
  });
  server.setErrorHandler((error, request, reply) => {
    if (error instanceof Problem) return sendProblem(reply, error);
    const status = reportedStatus(error, request, logger);
    const title = status >= 500 ? 'Internal Server Error' : 'Bad Request';
    return sendProblem(reply, new Problem(status, title, 'The request could not be handled.'));
  });
  server.setNotFoundHandler((_request, reply) => sendProblem(reply, notFound()));
}

function sendProblem(reply: FastifyReply, { status, title, detail, more }: Problem): FastifyReply {
  if (typeof more.retry_after === 'number') void reply.header('retry-after', String(more.retry_after));
  return reply.status(status).send({ title, detail, status, ...more });
}

function notFound(): Problem {
  return new Problem(404, 'Not found', 'The requested resource could not be found.');
}

function authorise(request: FastifyRequest, { isOut, store }: ApiOptions): void {
  if (isOut()) throw new Problem(503, 'Service Unavailable', 'The service is temporarily unavailable.');
  if (request.headers.authorization !== `Bearer ${store.keys.apiToken}`) {
    throw new Problem(401, 'Unauthenticated', 'You did not pass a valid authentication token.');
  }
}

/** The owners of the models that this account can use. */
const OWNERS: ReadonlySet<string> = new Set(['fanvas', 'fanvas-demo']);

/** Whether a deployment or trained model exists: any name of these owners, except those that begin with `missing`. */
function exists({ owner, name }: RequestTo<'owner' | 'name'>['params']): boolean {
  return OWNERS.has(owner) && !name.startsWith('missing');
}

/** A request with these parts of the path. */
type RequestTo<Names extends string> = FastifyRequest<{ Params: Readonly<Record<Names, string>> }>;

function registerPredictions(api: FastifyInstance, options: ApiOptions): void {
  const { engine, baseUrl } = options;
  const found = (id: string): NonNullable<ReturnType<Engine['find']>> => {
    const record = engine.find(id);
    if (!record) throw notFound();
    return record;
  };

  api.post('/predictions', (request, reply) => create(request, reply, options, versionTarget(request.body)));
  api.post('/models/:owner/:name/predictions', (request: RequestTo<'owner' | 'name'>, reply) =>
    create(request, reply, options, { deployment: null, model: nameOf(request), version: HIDDEN_VERSION }),
  );
  api.post('/deployments/:owner/:name/predictions', (request: RequestTo<'owner' | 'name'>, reply) => {
    const name = nameOf(request);
    if (!exists(request.params)) throw notFound();
    return create(request, reply, options, { deployment: name, model: name, version: HIDDEN_VERSION });
  });
  api.get('/deployments/:owner/:name', async (request: RequestTo<'owner' | 'name'>) => {
    if (!exists(request.params)) throw notFound();
    return { owner: request.params.owner, name: request.params.name, current_release: null };
  });
  api.get('/models/:owner/:name/versions/:id', async (request: RequestTo<'owner' | 'name' | 'id'>) => {
    const { id } = request.params;
    if (!exists(request.params) || !/^[0-9a-f]{64}$/.test(id)) throw notFound();
    return { id, created_at: new Date(0).toISOString(), cog_version: '0.9.0', openapi_schema: {} };
  });
  api.get('/predictions', async (request: FastifyRequest<{ Querystring: { cursor?: string } }>) => {
    const all = engine.list();
    const from = all.findIndex(({ id }) => id === request.query.cursor) + 1;
    const page = all.slice(from, from + PAGE_SIZE);
    const last = page.at(-1);
    const next = last && all.length > from + PAGE_SIZE ? `${baseUrl()}/v1/predictions?cursor=${last.id}` : null;
    return { previous: null, next, results: page.map((record) => toApiPrediction(record, baseUrl())) };
  });
  api.get('/predictions/:id', async (request: RequestTo<'id'>) => toApiPrediction(found(request.params.id), baseUrl()));
  api.post('/predictions/:id/cancel', async (request: RequestTo<'id'>) => {
    const record = found(request.params.id);
    await engine.cancel(record);
    return toApiPrediction(record, baseUrl());
  });
}

async function create(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ApiOptions,
  target: Target,
): Promise<unknown> {
  const prediction = requestOf(request, target);
  const faults = readFaults(prediction.input.prompt);
  if (faults['rate-limit']) {
    const detail = 'Request was throttled. Your rate limit resets in ~1s.';
    throw new Problem(429, 'Too Many Requests', detail, { retry_after: 1 });
  }
  if (faults['http-500']) throw new Problem(500, 'Internal Server Error', 'An unexpected error occurred.');
  const { record, created } = await options.engine.create(prediction, options.pace());
  if (faults['drop-response']) {
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  }
  const wait = /\bwait(?:=(\d{1,3}))?/.exec(String(request.headers.prefer ?? ''));
  if (wait) {
    await options.engine.waitForEnd(record, Math.min(MAX_WAIT_SECONDS, Number(wait[1] ?? MAX_WAIT_SECONDS)) * 1000);
  }
  if (!wait) return reply.status(201).send(created);
  return reply.status(isEnded(record) ? 201 : 202).send(toApiPrediction(record, options.baseUrl()));
}

const nameOf = ({ params }: RequestTo<'owner' | 'name'>): string => `${params.owner}/${params.name}`;

function versionTarget(body: unknown): Target {
  const { version } = fieldsOf(body);
  if (typeof version !== 'string') throw invalid('version', 'version is required');
  const [, model = '', hash = ''] = /^(?:([\w.-]+\/[\w.-]+):)?([0-9a-f]{64})$/.exec(version) ?? [];
  if (hash === '') {
    throw new Problem(
      422,
      'Invalid version or not permitted',
      "The specified version does not exist (or perhaps you don't have permission to use it?)",
    );
  }
  return { deployment: null, model, version: hash };
}

function requestOf(request: FastifyRequest, target: Target): NewPrediction {
  const { input, webhook, webhook_events_filter: filter } = fieldsOf(request.body);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw invalid('input', 'input is required');
  if (webhook !== undefined && (typeof webhook !== 'string' || !/^https?:\/\//.test(webhook))) {
    throw invalid('webhook', 'webhook must be a URL');
  }
  if (filter !== undefined && !Array.isArray(filter)) throw invalid('webhook_events_filter', 'must be a list');
  return {
    target,
    input: input as Readonly<Record<string, unknown>>,
    webhook: webhook ?? null,
    webhookEvents: filter ? WEBHOOK_EVENTS.filter((event) => filter.includes(event)) : WEBHOOK_EVENTS,
    cancelAfterMs: durationOf(request.headers['cancel-after']),
  };
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
}

function invalid(field: string, description: string): Problem {
  return new Problem(422, 'Input validation failed', `- ${description}\n`, {
    invalid_fields: [{ type: 'required', field, description }],
  });
}

const UNIT_MS: Readonly<Record<string, number>> = { '': 1_000, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses `90`, `90s` or `1m30s` into milliseconds; null without the header. */
function durationOf(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null;
  if (!/^(\d+(\.\d+)?(ms|s|m|h)?)+$/.test(header)) {
    throw new Problem(422, 'Invalid header', 'Cancel-After must be a duration such as 90s or 1m30s.');
  }
  const parts = header.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)?/g);
  return [...parts].reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0), 0);
}
