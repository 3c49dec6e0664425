import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { sendError } from './error-filter.js';

/** Bytes of a body that must arrive each second, on average, once its grace has passed. */
const MIN_BYTES_PER_SECOND = 1_000;

/** A body may be slower than that at first (milliseconds). */
const GRACE_MS = 3_000;

const CHECK_EVERY_MS = 1_000;

/** Whether a body is sent too slowly: a client holds a connection for little work of its own. */
export function isTooSlow(bytes: number, ms: number): boolean {
  return ms > GRACE_MS && (bytes * 1_000) / ms < MIN_BYTES_PER_SECOND;
}

interface Incoming {
  readonly reply: FastifyReply;
  readonly startedAt: number;
  /** Bytes that the connection had received before. */
  readonly bytesBefore: number;
}

/** Refuses bodies that arrive too slowly with 408, and closes their connections. */
export function requirePace(server: FastifyInstance, now: () => number = () => performance.now()): () => void {
  const incoming = new Map<FastifyRequest, Incoming>();
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (hasBody(request)) {
      const { socket } = request.raw;
      incoming.set(request, { reply, startedAt: now(), bytesBefore: socket.bytesRead });
      reply.raw.once('close', () => incoming.delete(request));
    }
    done(null, payload);
  });
  server.addHook('preValidation', (request, _reply, done) => {
    incoming.delete(request);
    done();
  });
  const check = (): void => {
    for (const [request, { reply, startedAt, bytesBefore }] of incoming) {
      if (!isTooSlow(request.raw.socket.bytesRead - bytesBefore, now() - startedAt)) continue;
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
