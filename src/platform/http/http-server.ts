import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { type Clock } from '../clock.js';
import { liftDatabaseBudget, withDatabaseBudget } from '../database/request-budget.js';
import { LogSampler } from '../logging/log-sampler.js';
import { withLogContext } from '../logging/request-context.js';
import { withRequestSpan } from '../tracing/trace-requests.js';
import { setAffinityCookie } from './affinity-cookie.js';
import { ApiError } from './api-error.js';
import { requirePace } from './body-pace.js';
import { limitConnections } from './connection-limit.js';
import { sendError, toApiError, toErrorBody } from './error-filter.js';
import { isLocalRequest } from './forwarding.js';
import { holdRefusals } from './held-refusals.js';
import { pageAddress } from './page-address.js';
import { createJsonParser, MAX_BODY_BYTES } from './json-body.js';
import { responseWith, type SecurityHeaders, securityHeaders } from './security-headers.js';

declare module 'fastify' {
  interface FastifyRequest {
    waitedMs: number;
  }
}

/**
 * Total time that a request may wait for the database (milliseconds). Callers must have an answer within five seconds.
 */
const DATABASE_MS = 4_200;

/** Time limit for the head of a request, in milliseconds. Also closes new connections that send nothing. */
const HEADERS_TIMEOUT_MS = 5_000;

/** Time limit for a request including its body, in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;

/** Time between two checks of these time limits, in milliseconds. Node's default is 30 s. */
const CHECK_CONNECTIONS_MS = 1_000;

/** Time until an idle connection is closed, in milliseconds. Load balancers must close first, after 60 s. */
const KEEP_ALIVE_MS = 72_000;

/** Routes that machines ask every few seconds. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
/** Access log lines per minute for refused requests with the same route and status. */
const MAX_REFUSALS_LOGGED = 30;

/** The maximum is 11. Higher qualities are too slow for answers that are compressed on the fly. */
const BROTLI_QUALITY = 4;

export interface HttpServerOptions {
  readonly trustProxy: boolean;
  /**
   * Answer requests of this machine only. Set while sandboxes run, so that no web page can reach them by DNS rebinding,
   * and no tunnel opens them to others.
   */
  readonly loopbackOnly: boolean;
  readonly contentSecurityPolicy: string;
  /** Whether browsers reach the app by HTTPS. */
  readonly https?: boolean;
  /** Maximum open connections per address, or null for no limit: behind a proxy, all connections have its address. */
  readonly maxConnectionsPerAddress?: number | null;
  /** Runs for each connection that was refused because of that limit. */
  readonly onConnectionRefused?: () => void;
  /** The clock of the minutes in which refusals are counted. Without it, none waits (`held-refusals.ts`). */
  readonly refusalClock?: Clock;
  /** Returns the longest time that the current request may have waited for the event loop, in milliseconds. */
  readonly waitedMs?: () => number;
}

/**
 * Creates the Fastify adapter for Nest, with request ids, security headers, compressed answers and one log line per
 * request.
 */
export async function createHttpAdapter(options: HttpServerOptions, logger: Logger): Promise<FastifyAdapter> {
  const headers = securityHeaders({ ...options, https: options.https ?? false });
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    // Trust one proxy: the caller can forge the entries further left in X-Forwarded-For.
    trustProxy: options.trustProxy ? (_address, hop): boolean => hop === 0 : false,
    requestIdHeader: options.trustProxy ? 'x-request-id' : false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    rewriteUrl: pageAddress,
    http: {
      ServerResponse: responseWith(headers),
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    clientErrorHandler: (error, socket) => refuseMessage(error, socket, headers),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('X-Request-Id', request.id);
      sendError(reply, toApiError(error, request));
    },
  });
  const server = adapter.getInstance<FastifyInstance>();
  parseBodies(adapter, server);
  requirePace(server);
  server.server.on('connection', rememberAddress);
  const { maxConnectionsPerAddress: maxConnections = null, onConnectionRefused = () => undefined } = options;
  if (maxConnections !== null) limitConnections(server.server, maxConnections, onConnectionRefused);

  server.decorateRequest('waitedMs', 0);
  server.addHook('onRequest', (request, reply, done) => {
    request.waitedMs = options.waitedMs?.() ?? 0;
    const begin = (): void => {
      // Lift the budget for background work that continues after the answer.
      reply.raw.once('close', AsyncResource.bind(liftDatabaseBudget));
      void reply.header('X-Request-Id', request.id);
      if (options.loopbackOnly && !isLocalRequest(request.headers, options.trustProxy)) {
        sendError(reply, new ApiError(403, 'Sandboxes are running: open this app on localhost.'));
        return;
      }
      done();
    };
    const inBudget = (): void =>
      withLogContext({ requestId: request.id }, () => withDatabaseBudget(DATABASE_MS, begin));
    if (PROBES.has(request.routeOptions.url ?? '')) inBudget();
    else withRequestSpan(request, reply, options.trustProxy, inBudget);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!reply.hasHeader('Cache-Control')) void reply.header('Cache-Control', 'no-store');
    setAffinityCookie(request, reply, options.https ?? false);
    done(null, payload);
  });
  if (options.refusalClock) holdRefusals(server, options.refusalClock);
  await server.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    // A compressed body could expand to any size, and no client sends one
    globalDecompression: false,
  });
  const refusals = new LogSampler(MAX_REFUSALS_LOGGED);
  let closing = false;
  server.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply, refusals);
    // The shutdown closed only connections that were idle at its start. The client would keep this one open.
    if (closing) server.server.closeIdleConnections();
    done();
  });
  return adapter;
}

/**
 * Node reads the address of a client once, and has none after the client has left: limits and the log of acts need it
 * until the answer. A connection that was reset before it is accepted has none, and gets no answer.
 */
function rememberAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
}

/** Accepts only JSON bodies within the limits of their route. Nest adds parsers only for content types without one. */
function parseBodies(adapter: FastifyAdapter, server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const limit = route.config?.maxBodyBytes;
    if (limit !== undefined) route.bodyLimit = limit;
  });
  // Fastify accepts text unless its parser is removed.
  server.removeContentTypeParser('text/plain');
  adapter.useBodyParser('application/json', false, {}, createJsonParser(server));
  adapter.useBodyParser('application/x-www-form-urlencoded', false, {}, (_request, _body, done) => {
    done(new ApiError(415, 'Send the request as application/json.', { code: '22023' }));
  });
}

/** Answers a message that is not HTTP or did not arrive in time. No request exists, so no hook runs. */
function refuseMessage(error: Error & { code?: string }, socket: Socket, headers: SecurityHeaders): void {
  // A client that has sent nothing would take the message for the answer to its next request.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const status = CLIENT_ERROR_STATUSES.get(error.code) ?? 400;
  // Browsers send such a head when other programs on the same host have set many cookies.
  const page = status === 431 ? HEAD_TOO_LARGE : null;
  const body = page ?? JSON.stringify(toErrorBody(new ApiError(status, 'The request was refused.')));
  const lines = Object.entries({
    ...headers,
    'Cache-Control': 'no-store',
    Connection: 'close',
    'Content-Type': `${page ? 'text/html' : 'application/json'}; charset=utf-8`,
    'Content-Length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}

const HEAD_TOO_LARGE = `<!doctype html><html lang="en"><title>Too many cookies · Fanvas</title>
<h1>Your browser sent too many cookies</h1>
<p>Together they have more than 16 kB, so the page cannot be sent. Other programs at the same address may have set them,
for example on localhost. Delete the cookies of this site in the settings of your browser, then reload this page.</p></html>`;

/** Response status by Node's error code. All other codes give 400. */
const CLIENT_ERROR_STATUSES: ReadonlyMap<string | undefined, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
]);

/**
 * Logs the route pattern, never the address: addresses contain ids, and their queries may contain tokens. `ms` counts
 * from the arrival of the request, before its body is read. `waitedMs` is the part before the process read the request.
 * Refused requests are sampled: `skipped` counts those that were not logged.
 */
function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, refusals: LogSampler): void {
  const route = request.routeOptions.url ?? 'none';
  const isRefusal = reply.statusCode >= 400 && reply.statusCode < 500;
  const skipped = isRefusal ? refusals.admit(`${route} ${reply.statusCode}`) : 0;
  if (skipped === null) return;
  const line = {
    requestId: request.id,
    method: request.method,
    route,
    status: reply.statusCode,
    ms: Math.round(request.waitedMs + reply.elapsedTime),
    ...(skipped > 0 && { skipped }),
    ...(request.waitedMs > 0 && { waitedMs: request.waitedMs }),
  };
  if (reply.statusCode >= 500) logger.error(line, 'request');
  else if (PROBES.has(route)) logger.debug(line, 'request');
  else logger.info(line, 'request');
}
