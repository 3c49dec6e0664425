import { type ArgumentsHost, BadRequestException, Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import pg from 'pg';
import { DatabaseSilentError } from '../database/budgeted-pool.js';
import { LeaseLostError } from '../database/lease-fence.js';
import { DomainError, type DomainErrorKind, type DomainErrorOptions } from '../domain-error.js';
import { EventStoreUnavailableError, UnknownOutcomeError } from '../event-store/event-store.js';
import { answerError, ErrorFilter } from './error-filter.js';

beforeEach(() => void Logger.overrideLogger(false));
afterEach(() => void Logger.overrideLogger(['log', 'error', 'warn']));

/** Returns the answer that the caller receives for an error. */
function answerTo(error: unknown): { status: number; headers: Record<string, unknown>; body: unknown } {
  const answer = { status: 0, headers: {} as Record<string, unknown>, body: undefined as unknown };
  const reply = {
    sent: false,
    raw: { headersSent: false },
    header: jest.fn((name: string, value: unknown) => ((answer.headers[name] = value), reply)),
    removeHeader: jest.fn(),
    status: jest.fn((status: number) => ((answer.status = status), reply)),
    send: jest.fn((body: unknown) => ((answer.body = body), reply)),
  };
  const request = { id: 'r1', url: '/rest/v1/rpc/x', method: 'POST', routeOptions: { url: '/rest/v1/rpc/x' } };
  const host = { switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }) };
  new ErrorFilter().catch(error, host as unknown as ArgumentsHost);
  return answer;
}

describe('ErrorFilter, for a DomainError', () => {
  it.each<[DomainErrorKind, number, string]>([
    ['invalid', 400, '22023'],
    ['unauthenticated', 401, 'PGRST301'],
    ['paymentRequired', 402, 'HTTP402'],
    ['forbidden', 403, '42501'],
    ['notFound', 404, 'PGRST116'],
    ['conflict', 409, '23505'],
    ['gone', 410, 'HTTP410'],
    ['unprocessable', 422, 'HTTP422'],
    ['tooManyRequests', 429, 'RATE_LIMIT_EXCEEDED'],
    ['upstreamFailed', 502, 'HTTP502'],
    ['unavailable', 503, '57P03'],
  ])('sends the kind %s with status %i and code %s', (kind, status, code) => {
    expect(answerTo(new DomainError(kind, 'No.'))).toEqual({
      status,
      headers: { 'Cache-Control': 'no-store', ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }) },
      body: { code, message: 'No.', details: null, hint: null },
    });
  });

  it('sends its own code, details, hint and waiting time, and never its cause', () => {
    class TooYoungError extends DomainError {}
    const options: DomainErrorOptions = {
      code: '55000',
      details: 'd',
      hint: 'h',
      retryAfterSeconds: 7,
      cause: new Error('secret'),
    };
    const error = new TooYoungError('conflict', 'Wait.', options);
    expect(error.name).toBe('TooYoungError');
    expect(answerTo(error)).toEqual({
      status: 409,
      headers: { 'Cache-Control': 'no-store', 'Retry-After': 7 },
      body: { code: '55000', message: 'Wait.', details: 'd', hint: 'h' },
    });
  });
});

describe('ErrorFilter', () => {
  it('answers an unknown outcome with 503, UNKNOWN_OUTCOME and Retry-After', () => {
    const { status, headers, body } = answerTo(new UnknownOutcomeError('creditAccount-user_1', new Error('cut')));
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'Retry-After': 5 });
    expect(body).toMatchObject({ code: 'UNKNOWN_OUTCOME', message: expect.stringContaining('could not confirm') });
    expect(JSON.stringify(body)).not.toContain('user_1');
  });

  it('answers an unavailable event store with 503 and says that nothing was done', () => {
    const { status, body } = answerTo(new EventStoreUnavailableError(new Error('refused')));
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: '57P03', message: expect.stringContaining('nothing was done') });
  });

  it('answers an unexpected error with 500 and hides its message', () => {
    expect(answerTo(new Error('secret'))).toMatchObject({ status: 500, body: { details: 'Request r1' } });
  });

  it.each([
    Object.assign(new Error('Unexpected token } in JSON'), { statusCode: 400 }),
    new BadRequestException('Validation failed (uuid is expected)'),
  ])('refuses a malformed request without the text of the framework: %s', (error) => {
    expect(answerTo(error)).toMatchObject({
      status: 400,
      body: { message: 'The request is not valid.', details: null },
    });
  });

  it('answers a transient error of the database with 503 and Retry-After', () => {
    const tooLong = Object.assign(new pg.DatabaseError('canceling statement', 1, 'error'), { code: '57014' });
    const standby = Object.assign(new pg.DatabaseError('cannot execute INSERT', 1, 'error'), { code: '25006' });
    for (const error of [new DatabaseSilentError(false), new LeaseLostError(['case:1']), tooLong, standby]) {
      const { status, headers, body } = answerTo(error);
      expect(status).toBe(503);
      expect(headers).toMatchObject({ 'Retry-After': 5 });
      expect(body).toMatchObject({ code: '57P03', message: 'The service is busy. Please try again in a moment.' });
    }
  });

  it('answers a change whose acknowledgement was lost as an unknown outcome', () => {
    expect(answerTo(new DatabaseSilentError(true))).toMatchObject({ status: 503, body: { code: 'UNKNOWN_OUTCOME' } });
  });

  it('answers a permanent error of the database with 500 and hides its message', () => {
    const wrong = Object.assign(new pg.DatabaseError('secret', 1, 'error'), { code: '42703' });
    expect(answerTo(wrong)).toMatchObject({ status: 500, body: { details: 'Request r1' } });
  });
});

it.each([
  ['has left before the answer was sent', true, 0],
  ['is still there', false, 1],
])('logs that a stream has ended early only while the client is there: the client %s', (_, destroyed, times) => {
  const log = new Logger('test');
  const logged = jest.spyOn(log, 'error').mockReturnValue(undefined);
  const reply = { sent: true, raw: { destroyed, headersSent: true } } as unknown as FastifyReply;
  const request = { url: '/x', method: 'POST', routeOptions: { url: '/x' } } as unknown as FastifyRequest;
  const error = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  answerError(log, error, request, reply);
  expect(logged).toHaveBeenCalledTimes(times);
});

it('answers in JSON when the route had announced another type', async () => {
  const server = fastify();
  server.get('/sitemap.xml', (request, reply) => {
    void reply.type('application/xml');
    answerError(new Logger('test'), new DomainError('unavailable', 'Busy.'), request, reply);
  });
  const { statusCode, headers, body } = await server.inject('/sitemap.xml');
  expect(statusCode).toBe(503);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(body)).toMatchObject({ message: 'Busy.' });
});
