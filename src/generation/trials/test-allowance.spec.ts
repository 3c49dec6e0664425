import { describe, expect, it } from '@jest/globals';
import { countsTowardsDay, nextUtcDay, utcDay } from './test-allowance.js';

describe('test allowance', () => {
  it('begins a new day at midnight UTC', () => {
    const last = new Date('2026-12-31T23:59:59.999Z');
    expect(utcDay(last)).toBe('2026-12-31');
    expect(nextUtcDay(last)).toEqual(new Date('2027-01-01T00:00:00Z'));
    expect(nextUtcDay(new Date('2028-02-28T00:00:00Z'))).toEqual(new Date('2028-02-29T00:00:00Z'));
  });

  it.each([
    ['user_cancelled', 'Cancelled by user', true],
    ['fatal_error', 'NSFW content detected', true],
    ['fatal_error', 'CUDA out of memory', false],
    ['generation_failed', 'Prediction interrupted', false],
    ['api_failure', 'Failed to start image generation', false],
    ['server_error', 'Generation failed: No prediction ID assigned (server error)', false],
    ['timeout', 'The test image timed out', false],
  ] as const)('says whether a test that ended with %s, "%s" counts: %s', (reason, message, counts) => {
    expect(countsTowardsDay({ reason, message })).toBe(counts);
  });
});
