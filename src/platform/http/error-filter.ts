import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import pg from 'pg';
import { type ErrorBody } from '../../contract/errors.js';
import { DatabaseSilentError } from '../database/budgeted-pool.js';
import { LeaseLostError } from '../database/lease-fence.js';
import { DomainError, type DomainErrorKind } from '../domain-error.js';
import { EventStoreUnavailableError, UnknownOutcomeError } from '../event-store/event-store.js';
import { ApiError } from './api-error.js';

const NOT_A_CHARACTER = '22021';
const CLOSED_EARLY = 'ERR_STREAM_PREMATURE_CLOSE';
/** 25006: the server has become a standby. */
const TRANSIENT = /^(08|25006|40|53|55P03|57)/;

/** `Retry-After` for a failure of the database or the event store (seconds). */
const RETRY_AFTER_S = 5;

/** The HTTP status of each kind of refusal. The status also gives the default code (`api-error.ts`). */
const STATUS_BY_KIND: Readonly<Record<DomainErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  paymentRequired: 402,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  gone: 410,
  unprocessable: 422,
  tooManyRequests: 429,
  upstreamFailed: 502,
  unavailable: 503,
};

const RPC_PATH = /^\/rest\/v1\/rpc\/([^/?]*)/;

/**
 * Answers every error of a handler in the one shape of the contract. Unexpected errors are logged. Their text, and that
 * of the framework, is not sent.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(this.logger, error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** Answers an error as the contract says, and logs it when it is ours. */
export function answerError(logger: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // The client has left before the whole answer was sent, which is no failure.
  if (reply.raw.destroyed && error instanceof Error && 'code' in error && error.code === CLOSED_EARLY) return;
  const answer = toApiError(error, request);
  if (answer.status >= 500) {
    logger.error('A request failed.', { method: request.method, route: routeOf(request), error });
  }
  if (reply.sent || reply.raw.headersSent) return;
  sendError(reply, answer);
}

/** Sends `error` in the shape of the contract. */
export function sendError(reply: FastifyReply, error: ApiError): void {
  if (error.retryAfterSeconds !== undefined) void reply.header('Retry-After', error.retryAfterSeconds);
  if (error.status === 401) void reply.header('WWW-Authenticate', 'Bearer');
  // Routes that answer with text or XML set it before they begin.
  void reply.removeHeader('Content-Type');
  void reply.status(error.status).header('Cache-Control', 'no-store').send(toErrorBody(error));
}

/** The body of an answer for `error`. */
export function toErrorBody({ code, message, details, hint, reverification }: ApiError): ErrorBody {
  return { code, message, details, hint, ...(reverification && { clerk_error: reverification }) };
}

/** Translates any error into the answer for the caller. It reveals nothing that the caller may not know. */
export function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DomainError) return fromDomain(error);
  if (error instanceof UnknownOutcomeError) return unknownOutcome(error);
  if (error instanceof EventStoreUnavailableError) {
    const message = 'The service is busy and nothing was done. Please try again in a moment.';
    return new ApiError(503, message, { retryAfterSeconds: RETRY_AFTER_S, cause: error });
  }
  if (error instanceof DatabaseSilentError && error.mayBeDone) return unknownOutcome(error);
  if (error instanceof DatabaseSilentError || error instanceof LeaseLostError || isTransient(error)) {
    const message = 'The service is busy. Please try again in a moment.';
    return new ApiError(503, message, { retryAfterSeconds: RETRY_AFTER_S, cause: error });
  }
  const status = statusOf(error);
  if (status === 404) {
    const rpc = RPC_PATH.exec(request.url)?.[1];
    return rpc === undefined
      ? new ApiError(404, 'Not found', { code: 'PGRST125' })
      : new ApiError(404, `Could not find the function ${rpc.slice(0, 60)}`, { code: 'PGRST202' });
  }
  if (status === 400 || status === 422) {
    const details = error instanceof pg.DatabaseError ? 'Text must not contain the character NUL.' : null;
    return new ApiError(400, 'The request is not valid.', { code: '22023', details });
  }
  if (status === 413) return new ApiError(413, 'The request is too large.', { code: '54000' });
  if (status === 415) return new ApiError(415, 'Send the request as application/json.', { code: '22023' });
  if (status !== null && status < 500) return new ApiError(status, 'The request was refused.');
  return new ApiError(500, 'Something went wrong on our side. Please try again.', {
    details: `Request ${request.id}`,
    cause: error,
  });
}

function fromDomain(error: DomainError): ApiError {
  const { code, details, hint, retryAfterSeconds } = error;
  return new ApiError(STATUS_BY_KIND[error.kind], error.message, {
    code,
    details,
    hint,
    retryAfterSeconds,
    cause: error,
  });
}

function unknownOutcome(cause: Error): ApiError {
  const message = 'We could not confirm that this went through. Please check in a moment before you try again.';
  return new ApiError(503, message, { code: 'UNKNOWN_OUTCOME', retryAfterSeconds: RETRY_AFTER_S, cause });
}

/** The database rolled the statement back for a transient reason: too slow, out of resources, stopping. */
function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && TRANSIENT.test(error.code ?? '');
}

function statusOf(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus();
  // JSON allows NUL in text and Postgres does not, so this is an error of the caller.
  if (error instanceof pg.DatabaseError && error.code === NOT_A_CHARACTER) return 400;
  // Fastify's own errors (malformed JSON, body too large) carry a statusCode.
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') return error.statusCode;
  return null;
}

/** Returns the route pattern without query and ids, which is safe to log. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? request.url.split('?')[0] ?? '';
}
