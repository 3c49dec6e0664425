import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { RATE_LIMITS } from '../../src/contract/rate-limits.js';
import { ManualClock } from '../../src/platform/clock.js';
import { PostgresRateLimiter } from '../../src/platform/http/postgres-rate-limiter.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';

jest.setTimeout(60_000);

let database: TestDatabase<{ rate_limit: { key: string } }>;
let limiter: PostgresRateLimiter;
const clock = new ManualClock(new Date('2026-03-10T12:00:30Z'));

beforeAll(async () => {
  database = await withTestDatabase();
  limiter = new PostgresRateLimiter(
    database.db as unknown as ConstructorParameters<typeof PostgresRateLimiter>[0],
    clock,
  );
});
afterAll(() => database.close());

it('[F9.11] counts each caller separately and starts at zero in the next window', async () => {
  const limit = RATE_LIMITS.imageGeneration;
  for (let count = 1; count <= limit.max; count += 1) {
    expect(await limiter.hit(limit, 'user:a')).toMatchObject({ limited: false, remaining: limit.max - count });
  }
  expect(await limiter.hit(limit, 'user:a')).toMatchObject({ limited: true, remaining: 0, retryAfterSeconds: 30 });
  expect(await limiter.hit(limit, 'user:b')).toMatchObject({ limited: false });
  clock.advance(30_000);
  expect(await limiter.hit(limit, 'user:a')).toMatchObject({ limited: false, remaining: limit.max - 1 });
});

it('reports with peek what is left, and refuses exactly when the next hit would be refused', async () => {
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

it('deletes counters a day after their window', async () => {
  await limiter.hit(RATE_LIMITS.publicGallery, 'ip:192.0.2.7');
  clock.advance(25 * 60 * 60 * 1000);
  await limiter.hit(RATE_LIMITS.publicGallery, 'ip:192.0.2.8');
  await limiter.prune();
  const rows = await database.db.selectFrom('rate_limit').select('key').execute();
  expect(rows).toEqual([{ key: 'public_gallery|ip:192.0.2.8' }]);
});
