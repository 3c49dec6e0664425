import { Logger } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { reportedStatus } from '../error-status.js';
import { type ApiOptions, type Endpoint } from './endpoint.js';
import { type ApiFault } from './faults.js';
import { newId } from './ids.js';
import { API_VERSION } from './objects.js';
import { Params } from './params.js';
import { invalid, refusal, serverError, StripeProblem } from './problem.js';
import { type IdempotencyRow } from './rows.js';
import { registerRoutes } from './routes.js';

const logger = new Logger('StripeSandbox');

/**
 * Registers api.stripe.com below `/v1`. An unknown call is refused in Stripe's shape: the SDK takes a response without
 * `error` for a success.
 */
export function registerApi(server: FastifyInstance, options: ApiOptions): void {
  server.register(
    async (api) => {
      answerAsStripeDoes(api);
      api.addHook('onRequest', async (request, reply) => {
        void reply.headers({ 'request-id': newId('req', 14), 'stripe-version': versionOf(request) });
        authorise(request, options.store.keys.secretKey);
      });
      registerRoutes(options, (method, path, endpoint) => {
        api.route({
          method,
          url: path,
          handler: (request, reply) => answer(request, reply, options, `${method} ${path}`, endpoint),
        });
      });
      // Without these routes the app would respond with its own page for unknown addresses.
      for (const path of ['/', '/*']) {
        api.all(path, (request) => {
          throw unknownRoute(request);
        });
      }
    },
    { prefix: '/v1' },
  );
}

function answerAsStripeDoes(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? '';
    if (type.startsWith('application/x-www-form-urlencoded') || body.length === 0) done(null, body);
    else done(invalid('Invalid request (check that your POST content type is application/x-www-form-urlencoded).'));
  });
  api.setNotFoundHandler((request, reply) => sendProblem(reply, unknownRoute(request)));
  api.setErrorHandler((error, request, reply) => {
    if (error instanceof StripeProblem) return sendProblem(reply, error);
    const status = reportedStatus(error, request, logger);
    return sendProblem(reply, status < 500 ? invalid('The request could not be read.') : serverError());
  });
}

function unknownRoute(request: FastifyRequest): StripeProblem {
  const path = request.url.split('?')[0]?.replace(/^.*?(?=\/v1(\/|$))/, '');
  const call = `${request.method}: ${path}`;
  return refusal(404, `Unrecognized request URL (${call}). The sandbox knows what its README lists.`);
}

function sendProblem(reply: FastifyReply, { status, body }: StripeProblem): FastifyReply {
  return reply.status(status).send({ error: body });
}

function versionOf(request: FastifyRequest): string {
  const version = request.headers['stripe-version'];
  return typeof version === 'string' ? version : API_VERSION;
}

/** The key is a bearer token or the user name of basic authentication. */
function authorise(request: FastifyRequest, secretKey: string): void {
  const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(' ');
  const key = /^basic$/i.test(scheme) ? Buffer.from(credentials, 'base64').toString('utf8').split(':')[0] : credentials;
  if (key === secretKey) return;
  const message = key ? 'Invalid API Key provided.' : 'You did not provide an API key.';
  throw refusal(401, message);
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ApiOptions,
  route: string,
  endpoint: Endpoint,
): Promise<unknown> {
  const fault = options.faults.forCall(route);
  if (fault === 'error') throw serverError();
  if (fault === 'rate-limit') throw tooManyRequests();
  if (fault === 'cut') return cut(request, reply);
  const result = request.method === 'GET' ? read(request, options, endpoint) : write(request, reply, options, endpoint);
  // A change must be durable before the response: a crash must not undo what the caller knows.
  await options.store.flushed();
  return hideAnswer(fault, request, reply) ?? result;
}

function hideAnswer(fault: ApiFault | null, request: FastifyRequest, reply: FastifyReply): FastifyReply | null {
  if (fault === 'lost') return cut(request, reply);
  if (fault === 'timeout') return reply.hijack();
  return null;
}

function cut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

function tooManyRequests(): StripeProblem {
  const message = 'Request rate limit exceeded.';
  return new StripeProblem(429, { type: 'rate_limit_error', message, code: 'rate_limit' });
}

function read(request: FastifyRequest, options: ApiOptions, endpoint: Endpoint): object {
  const params = Params.parse(request.url.split('?')[1] ?? '');
  return run(request, params, options, endpoint);
}

/** Runs a POST. A repeated idempotency key changes nothing and returns the first response. */
function write(request: FastifyRequest, reply: FastifyReply, options: ApiOptions, endpoint: Endpoint): unknown {
  const { store, processor, now } = options;
  const key = request.headers['idempotency-key'];
  const requestId = String(reply.getHeader('request-id'));
  const params = Params.parse(typeof request.body === 'string' ? request.body : '');
  if (typeof key !== 'string') {
    return processor.onBehalfOf({ requestId, idempotencyKey: null }, () => run(request, params, options, endpoint));
  }
  if (key.length > 255) throw invalid('Idempotency keys can be at most 255 characters.');
  const fingerprint = `${request.url} ${params.fingerprint()}`;
  void reply.header('idempotency-key', key);
  const known = store.get('idempotency', key);
  if (known && isRemembered(known, now())) return replay(known, fingerprint, reply);
  return processor.onBehalfOf({ requestId, idempotencyKey: key }, () => {
    const result = run(request, params, options, endpoint);
    store.put('idempotency', { id: key, fingerprint, answer: result, requestId, createdAt: now() });
    return result;
  });
}

function isRemembered({ createdAt }: IdempotencyRow, now: number): boolean {
  return now - createdAt < 24 * 60 * 60_000;
}

function replay(known: IdempotencyRow, fingerprint: string, reply: FastifyReply): unknown {
  if (known.fingerprint !== fingerprint) {
    throw new StripeProblem(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${known.id}' if you meant to execute a different request.`,
    });
  }
  void reply.headers({ 'idempotent-replayed': 'true', 'original-request': known.requestId });
  return known.answer;
}

function run(request: FastifyRequest, params: Params, { expander }: ApiOptions, endpoint: Endpoint): object {
  const { id = '' } = request.params as { readonly id?: string };
  const paths = params.listOfTexts('expand');
  return expander.expand(endpoint({ id, params }), paths);
}
