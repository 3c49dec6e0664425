import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { liftDatabaseBudget, withDatabaseBudget } from '../database/request-budget.js';
import { withLogContext } from '../logging/request-context.js';
import { ApiError } from './api-error.js';
import { sendError } from './error-filter.js';
import { isLoopbackHost } from './loopback.js';

/** Largest request body in bytes; prompts are cut at 1000 characters, provider webhooks stay far below this. */
const BODY_LIMIT = 1024 * 1024;

/** How long a request waits for the database in all, milliseconds: a caller has an answer within five seconds, also when it is silent. */
const DATABASE_MS = 4_200;

/** Of Brotli's eleven: what is made for one answer has no time for more. */
const BROTLI_QUALITY = 4;

export interface HttpServerOptions {
  readonly trustProxy: boolean;
  /** While sandboxes run, only these Host names are answered: a page elsewhere must not reach them by DNS rebinding. */
  readonly loopbackOnly: boolean;
  readonly contentSecurityPolicy: string;
}

/** Fastify under Nest, with request ids, security headers, compressed answers and one log line a request. */
export async function createHttpAdapter(options: HttpServerOptions, logger: Logger): Promise<FastifyAdapter> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    // The one proxy in front: what stands further left in X-Forwarded-For is the caller's own claim.
    trustProxy: options.trustProxy ? (_address, hop): boolean => hop === 0 : false,
    requestIdHeader: options.trustProxy ? 'x-request-id' : false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
  });
  const server = adapter.getInstance<FastifyInstance>();

  server.addHook('onRequest', (request, reply, done) => {
    const begin = (): void => {
      // What the request has set going in the background goes on as long as it takes.
      reply.raw.once('close', AsyncResource.bind(liftDatabaseBudget));
      void reply.headers(headersFor(request, options));
      if (options.loopbackOnly && !isLoopbackHost(request.headers.host)) {
        sendError(reply, new ApiError(403, 'Sandboxes are running: open this app on localhost.'));
        return;
      }
      done();
    };
    withLogContext({ requestId: request.id }, () => withDatabaseBudget(DATABASE_MS, begin));
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('Cache-Control')) void reply.header('Cache-Control', 'no-store');
    done(null, payload);
  });
  await server.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    // Nobody sends us compressed bodies, and one may become any size
    globalDecompression: false,
  });
  let closing = false;
  server.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply);
    // Closing ends the connections that are idle then; these would be kept open by their browsers.
    if (closing) server.server.closeIdleConnections();
    done();
  });
  return adapter;
}

function headersFor(request: FastifyRequest, options: HttpServerOptions): Record<string, string> {
  return {
    'X-Request-Id': request.id,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    'Content-Security-Policy': options.contentSecurityPolicy,
  };
}

/** The route pattern is logged, never the address: addresses carry ids, and their queries may carry tokens. */
function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const line = {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
  };
  if (reply.statusCode >= 500) logger.error(line, 'request');
  else logger.info(line, 'request');
}
