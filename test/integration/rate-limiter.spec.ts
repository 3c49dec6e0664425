import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import { RATE_LIMITS } from '../../src/contract/rate-limits.js';
import { GalleryController } from '../../src/gallery/http/gallery.controller.js';
import { ManualClock } from '../../src/platform/clock.js';
import { AccessGuard } from '../../src/platform/http/access-guard.js';
import { ErrorFilter } from '../../src/platform/http/error-filter.js';
import { KnownFieldsPipe } from '../../src/platform/http/known-fields.pipe.js';
import { createHttpAdapter } from '../../src/platform/http/http-server.js';
import { PostgresRateLimiter } from '../../src/platform/http/postgres-rate-limiter.js';
import { Authenticator } from '../../src/platform/principal.js';
import { RateLimiter } from '../../src/platform/http/rate-limits.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';

jest.setTimeout(60_000);

let database: TestDatabase<{ rate_limit: { key: string } }>;
let limiter: PostgresRateLimiter;
const clock = new ManualClock(new Date('2026-03-10T12:00:59Z'));

beforeAll(async () => {
  database = await withTestDatabase();
  limiter = new PostgresRateLimiter(
    database.db as unknown as ConstructorParameters<typeof PostgresRateLimiter>[0],
    clock,
  );
});
afterAll(() => database.close());

it('[F9.11] counts each caller separately, in a sliding window', async () => {
  const limit = RATE_LIMITS.imageGeneration;
  for (let count = 1; count <= limit.max; count += 1) {
    expect(await limiter.hit(limit, 'user:a')).toMatchObject({ limited: false, remaining: limit.max - count });
    clock.advance(1_000);
  }
  expect(await limiter.hit(limit, 'user:a')).toMatchObject({ limited: true, remaining: 0, retryAfterSeconds: 55 });
  expect(await limiter.hit(limit, 'user:b')).toMatchObject({ limited: false });
  clock.advance(54_999);
  expect(await limiter.hit(limit, 'user:a')).toMatchObject({ limited: true, retryAfterSeconds: 1 });
  clock.advance(1);
  expect(await limiter.hit(limit, 'user:a')).toMatchObject({ limited: false, remaining: 0 });
  expect(await limiter.hit(limit, 'user:a')).toMatchObject({ limited: true, retryAfterSeconds: 1 });
});

it('allows no more than the limit within two seconds that cross the end of a minute', async () => {
  const limit = RATE_LIMITS.dataFetch;
  let passed = 0;
  for (let index = 0; index < 100; index += 1) {
    if (index === 50) clock.advance(2_000); // across the end of a minute
    passed += (await limiter.hit(limit, 'user:burst')).limited ? 0 : 1;
  }
  expect(passed).toBe(limit.max);
});

it('allows no more than the limit to requests that arrive together', async () => {
  const limit = RATE_LIMITS.dataFetch;
  const states = await Promise.all(Array.from({ length: 80 }, () => limiter.hit(limit, 'user:together')));
  expect(states.filter(({ limited }) => !limited)).toHaveLength(limit.max);
});

it('repeats a refusal for a second without a statement', async () => {
  const limit = RATE_LIMITS.imageGeneration;
  const hit = () => limiter.hit(limit, 'user:flood');
  for (let count = 0; count <= limit.max; count += 1) await hit();
  const statements = jest.spyOn(database.pool, 'connect');
  clock.advance(999);
  expect(await hit()).toMatchObject({ limited: true, remaining: 0, retryAfterSeconds: 60 });
  expect(statements).not.toHaveBeenCalled();
  clock.advance(1);
  expect(await hit()).toMatchObject({ limited: true, retryAfterSeconds: 59 });
  expect(statements).toHaveBeenCalled();
  statements.mockRestore();
});

it('reports the remaining requests with peek, and `limited` exactly when the next hit would be refused', async () => {
  const limit = RATE_LIMITS.imageGeneration;
  expect(await limiter.peek(limit, 'user:peek')).toMatchObject({ limited: false, remaining: 5, retryAfterSeconds: 0 });
  for (let hits = 1; hits < limit.max; hits += 1) await limiter.hit(limit, 'user:peek');
  const oneLeft = { limited: false, remaining: 1 };
  expect(await limiter.peek(limit, 'user:peek')).toMatchObject(oneLeft);
  expect(await limiter.peek(limit, 'user:peek')).toMatchObject(oneLeft);
  expect(await limiter.hit(limit, 'user:peek')).toMatchObject({ limited: false, remaining: 0 });
  expect(await limiter.peek(limit, 'user:peek')).toMatchObject({ limited: true, remaining: 0, retryAfterSeconds: 60 });
  expect(await limiter.hit(limit, 'user:peek')).toMatchObject({ limited: true });
  clock.advance(60_000);
  expect(await limiter.peek(limit, 'user:peek')).toMatchObject({ limited: false, remaining: 5 });
});

it('deletes the keys whose requests do not count any more', async () => {
  await limiter.hit(RATE_LIMITS.publicGallery, 'ip:192.0.2.7');
  await limiter.hit(RATE_LIMITS.publicGallery, 'ip:192.0.2.8');
  clock.advance(60 * 60 * 1000);
  // The request that counts is not the first one of the key.
  await limiter.hit(RATE_LIMITS.publicGallery, 'ip:192.0.2.8');
  await limiter.prune();
  const rows = await database.db.selectFrom('rate_limit').select('key').execute();
  expect(rows).toEqual([{ key: 'public_gallery|ip:192.0.2.8' }]);
});

describe('public reads over HTTP', () => {
  const creatorId = '018f0000-0000-7000-8000-000000000001';
  let app: NestFastifyApplication;
  let url: string;

  beforeEach(async () => {
    // Counters of an earlier test must not count here.
    clock.advance(120_000);
    const module = await Test.createTestingModule({
      controllers: [GalleryController],
      providers: [
        { provide: QueryBus, useValue: { execute: () => Promise.resolve([]) } },
        { provide: RateLimiter, useValue: limiter },
        {
          provide: Authenticator,
          useValue: { authenticate: (token: string) => Promise.resolve({ userId: token, sessionId: 's' }) },
        },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: KnownFieldsPipe },
      ],
    }).compile();
    const options = { trustProxy: true, loopbackOnly: false, contentSecurityPolicy: '' };
    const adapter = await createHttpAdapter(options, pino({ level: 'silent' }));
    app = module.createNestApplication<NestFastifyApplication>(adapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterEach(() => app.close());

  interface Caller {
    readonly ip: string;
    readonly user?: string;
  }
  const call = async (name: string, { ip, user }: Caller): Promise<Response> =>
    fetch(`${url}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': ip,
        ...(user === undefined ? {} : { Authorization: `Bearer ${user}` }),
      },
      body: JSON.stringify({ p_creator_id: creatorId }),
    });
  /** The distinct statuses of `count` calls. */
  const statuses = async (count: number, name: string, caller: Caller): Promise<Set<number>> => {
    const answers = await Promise.all(Array.from({ length: count }, () => call(name, caller)));
    return new Set(answers.map(({ status }) => status));
  };

  it('[F8.04, F9.12] refuses the 101st gallery request of an IP address in a minute, with and without a session', async () => {
    const gallery = 'get_gallery_generations_public';
    expect(await statuses(60, gallery, { ip: '192.0.2.7' })).toEqual(new Set([200]));
    expect(await statuses(40, gallery, { ip: '192.0.2.7', user: 'user_1' })).toEqual(new Set([200]));
    const refused = await call(gallery, { ip: '192.0.2.7', user: 'user_2' });
    expect(refused.status).toBe(429);
    const { code, message, details } = (await refused.json()) as { code: string; message: string; details: string };
    const seconds = Number(refused.headers.get('retry-after'));
    expect([code, message]).toEqual([
      'RATE_LIMIT_EXCEEDED',
      `Rate limit exceeded. Please try again in ${seconds} seconds.`,
    ]);
    expect(JSON.parse(details)).toMatchObject({ rateLimited: true, retryAfter: seconds, remaining: 0 });
    expect((await call(gallery, { ip: '192.0.2.8' })).status).toBe(200);
  });

  it('[F9.13] refuses the 101st public read in a minute, counted by user, or by IP address without a session', async () => {
    const creators = 'get_public_creators';
    expect(await statuses(100, creators, { ip: '192.0.2.9', user: 'user_3' })).toEqual(new Set([200]));
    expect((await call(creators, { ip: '192.0.2.10', user: 'user_3' })).status).toBe(429);
    expect(await statuses(100, creators, { ip: '192.0.2.9' })).toEqual(new Set([200]));
    expect((await call(creators, { ip: '192.0.2.9' })).status).toBe(429);
    expect((await call(creators, { ip: '192.0.2.10' })).status).toBe(200);
  });
});
