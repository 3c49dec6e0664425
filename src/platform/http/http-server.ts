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
import { createJsonParser, MAX_BODY_BYTES } from './json-body.js';
import { isLoopbackHost } from './loopback.js';

declare module 'fastify' {
  interface FastifyRequest {
    waitedMs: number;
  }
}

/**
 * Total time that a request may wait for the database (milliseconds). Callers must have an answer within five seconds.
 */
const DATABASE_MS = 4_200;

/** Out of 11. Higher qualities are too slow for answers that are compressed on the fly. */
const BROTLI_QUALITY = 4;

export interface HttpServerOptions {
  readonly trustProxy: boolean;
  /** Answer loopback Host names only. Set while sandboxes run, so that no web page can reach them by DNS rebinding. */
  readonly loopbackOnly: boolean;
  readonly contentSecurityPolicy: string;
  /** How long a request that is read now may have waited for the event loop, in milliseconds. */
  readonly waitedMs?: () => number;
}

/**
 * Creates the Fastify adapter for Nest, with request ids, security headers, compressed answers and one log line per
 * request.
 */
export async function createHttpAdapter(options: HttpServerOptions, logger: Logger): Promise<FastifyAdapter> {
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    // Trust one proxy: entries further left in X-Forwarded-For are claims of the caller.
    trustProxy: options.trustProxy ? (_address, hop): boolean => hop === 0 : false,
    requestIdHeader: options.trustProxy ? 'x-request-id' : false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
  });
  const server = adapter.getInstance<FastifyInstance>();
  parseBodies(adapter, server);

  server.decorateRequest('waitedMs', 0);
  server.addHook('onRequest', (request, reply, done) => {
    request.waitedMs = options.waitedMs?.() ?? 0;
    const begin = (): void => {
      // Background work that the request started may continue after the answer.
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
    // A compressed body could expand to any size, and no client sends one
    globalDecompression: false,
  });
  let closing = false;
  server.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply);
    // Closing ended the connections that were idle then. Clients would keep this one open.
    if (closing) server.server.closeIdleConnections();
    done();
  });
  return adapter;
}

/** JSON bodies only, each within the limits of its route. Nest adds no parser of its own for a type that has one. */
function parseBodies(adapter: FastifyAdapter, server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const limit = route.config?.maxBodyBytes;
    if (limit !== undefined) route.bodyLimit = limit;
  });
  adapter.useBodyParser('application/json', false, {}, createJsonParser(server));
  adapter.useBodyParser('application/x-www-form-urlencoded', false, {}, (_request, _body, done) => {
    done(new ApiError(415, 'Send the request as application/json.', { code: '22023' }));
  });
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

/**
 * Logs the route pattern, never the address: addresses contain ids, and their queries may contain tokens. The time
 * begins at the arrival of the request, before its body is read; `waitedMs` is the part before the process saw it.
 */
function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const line = {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: reply.statusCode,
    ms: Math.round(request.waitedMs + reply.elapsedTime),
    ...(request.waitedMs > 0 && { waitedMs: request.waitedMs }),
  };
  if (reply.statusCode >= 500) logger.error(line, 'request');
  else logger.info(line, 'request');
}
