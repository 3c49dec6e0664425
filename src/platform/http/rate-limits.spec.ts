import { describe, expect, it } from '@jest/globals';
import { type FastifyReply } from 'fastify';
import { RATE_LIMITS, UNKNOWN_CATEGORY, type RateLimit } from '../../contract/rate-limits.js';
import { ApiError } from './api-error.js';
import { enforceRateLimit, identifierOf } from './enforce-rate-limit.js';
import { type Principal } from '../principal.js';
import { RateLimiter, type RateLimitState } from './rate-limits.js';
import { type ContextRequest } from './context-request.js';

const RESET_AT = new Date('2026-03-10T12:01:00Z');
const fan: Principal = { userId: 'user_1', sessionId: 'session_1', verifiedMsAgo: null };
const request = { ip: '192.0.2.7' } as ContextRequest;

/** Refuses every request. */
class ExhaustedLimiter extends RateLimiter {
  override hit(): Promise<RateLimitState> {
    return Promise.resolve({ limited: true, remaining: 0, resetAt: RESET_AT, retryAfterSeconds: 12 });
  }

  override peek(): Promise<RateLimitState> {
    return this.hit();
  }
}

async function refusalOf(limit: RateLimit): Promise<unknown> {
  const reply = { header: () => reply } as unknown as FastifyReply;
  return enforceRateLimit(new ExhaustedLimiter(), limit, fan, request, reply).catch((error: unknown) => error);
}

const perWindow = ({ max, windowSeconds, by }: RateLimit): string => `${max} per ${windowSeconds} s by ${by}`;

describe('RATE_LIMITS', () => {
  it('[F9.11] allows the requests of each category in 60 seconds', () => {
    const { imageGeneration, financialOps, checkout, standardApi, cancelOperations, dataFetch } = RATE_LIMITS;
    expect(
      [imageGeneration, financialOps, checkout, standardApi, cancelOperations, dataFetch, UNKNOWN_CATEGORY].map(
        (limit) => `${limit.name} ${perWindow(limit)}`,
      ),
    ).toEqual([
      'image_generation 5 per 60 s by caller',
      'financial_ops 10 per 60 s by caller',
      'financial_ops 10 per 60 s by caller',
      'standard_api 20 per 60 s by caller',
      'cancel_operations 250 per 60 s by caller',
      'data_fetch 50 per 60 s by caller',
      'unknown 5 per 60 s by caller',
    ]);
  });

  it('[F9.12] overrides the daily grant, status checks and the public gallery', () => {
    expect(perWindow(RATE_LIMITS.dailyGrant)).toBe('5 per 300 s by caller');
    expect(perWindow(RATE_LIMITS.statusCheck)).toBe('250 per 60 s by caller');
    expect(perWindow(RATE_LIMITS.publicGallery)).toBe('100 per 60 s by ip');
  });

  it('allows 40 loads of every page in 60 seconds, whose frame is counted apart from its content', () => {
    expect(perWindow(RATE_LIMITS.frame)).toBe('120 per 60 s by caller');
    const { creditData, financeData, creatorData, adminData, creatorFigures, audit } = RATE_LIMITS;
    for (const limit of [adminData, creatorData]) expect(perWindow(limit)).toBe('200 per 60 s by caller');
    for (const limit of [creditData, financeData]) {
      expect(perWindow(limit)).toBe('160 per 60 s by caller');
    }
    expect(perWindow(audit)).toBe('80 per 60 s by caller');
    expect(perWindow(creatorFigures)).toBe('1000 per 60 s by caller');
    expect(RATE_LIMITS.creatorData.name).not.toBe(RATE_LIMITS.dataFetch.name);
  });

  it('[F9.13] allows 100 public reads in 60 seconds, by user, or by IP address for visitors', () => {
    expect(perWindow(RATE_LIMITS.publicData)).toBe('100 per 60 s by caller');
    expect(identifierOf(RATE_LIMITS.publicData, fan, request)).toBe('user:user_1');
    expect(identifierOf(RATE_LIMITS.publicData, undefined, request)).toBe('ip:192.0.2.7');
    expect(identifierOf(RATE_LIMITS.publicGallery, fan, request)).toBe('ip:192.0.2.7');
  });

  it('counts an IPv6 /64 as one visitor', () => {
    const from = (ip: string): string => identifierOf(RATE_LIMITS.publicData, undefined, { ip } as ContextRequest);
    expect(from('2001:db8:1:2::1')).toBe(from('2001:db8:1:2:ffff::9'));
    expect(from('2001:db8:1:3::1')).not.toBe(from('2001:db8:1:2::1'));
  });

  it('[F8.05] fails closed for calls that spend, and open for all others', () => {
    const refusing = Object.entries<RateLimit>(RATE_LIMITS).filter(([, { onFailure }]) => onFailure === 'refuse');
    expect(refusing.map(([name]) => name)).toEqual(['imageGeneration', 'checkout']);
  });
});

describe('enforceRateLimit', () => {
  it.each([
    ['imageGeneration', 'Too many requests. Please try again in 12 seconds.'],
    ['statusCheck', 'Too many status check requests. Please try again in 12 seconds.'],
    ['dailyGrant', 'Too many daily credit requests. Please try again in 12 seconds.'],
    ['publicGallery', 'Rate limit exceeded. Please try again in 12 seconds.'],
  ] as const)('[F8.01, F8.02, F8.03, F8.04] refuses with the seconds to wait: %s', async (name, message) => {
    const refused = await refusalOf(RATE_LIMITS[name]);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 429, message, retryAfterSeconds: 12 });
    expect(JSON.parse((refused as ApiError).details ?? '')).toEqual({
      rateLimited: true,
      retryAfter: 12,
      resetTime: RESET_AT.toISOString(),
      remaining: 0,
    });
  });
});
