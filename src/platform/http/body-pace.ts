import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { sendError } from './error-filter.js';

/** Bytes of a body that must arrive per second, on average, after the grace period. */
const MIN_BYTES_PER_SECOND = 1_000;

/** Grace period, during which a body may be slower (milliseconds). */
const GRACE_MS = 3_000;

const CHECK_EVERY_MS = 1_000;

/** Returns true when a body arrives too slowly. Slow bodies let a client occupy many connections at little cost. */
export function isTooSlow(bytes: number, ms: number): boolean {
  return ms > GRACE_MS && (bytes * 1_000) / ms < MIN_BYTES_PER_SECOND;
}

interface Incoming {
  readonly reply: FastifyReply;
  readonly startedAt: number;
  /** Bytes that the connection had received before. */
  readonly bytesBefore: number;
  /** Whether the previous check found it too slow. */
  slow: boolean;
}

/**
 * Refuses bodies that arrive too slowly with 408, and closes their connections. Two checks in a row must find a body
 * too slow: while the event loop was blocked, its bytes may have arrived unread.
 * @returns the check, which also runs every second
 */
export function requirePace(server: FastifyInstance, now: () => number = () => performance.now()): () => void {
  const incoming = new Map<FastifyRequest, Incoming>();
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (hasBody(request)) {
      const { socket } = request.raw;
      incoming.set(request, { reply, startedAt: now(), bytesBefore: socket.bytesRead, slow: false });
      reply.raw.once('close', () => incoming.delete(request));
    }
    done(null, payload);
  });
  server.addHook('preValidation', (request, _reply, done) => {
    incoming.delete(request);
    done();
  });
  const check = (): void => {
    for (const [request, body] of incoming) {
      const { reply, startedAt, bytesBefore, slow } = body;
      body.slow = isTooSlow(request.raw.socket.bytesRead - bytesBefore, now() - startedAt);
      if (!slow || !body.slow) continue;
      incoming.delete(request);
      reply.header('Connection', 'close');
      sendError(reply, new ApiError(408, 'The request was sent too slowly.'));
      reply.raw.once('finish', () => request.raw.destroy());
    }
  };
  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  server.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
  return check;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
