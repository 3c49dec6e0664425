import { describe, expect, it } from '@jest/globals';
import { ApiError } from './api-error.js';
import { retryDelay, worthRetrying } from './retry.js';

const refusal = (status: number, retryAfter: number | null = null): ApiError =>
  new ApiError(status, 'CODE', 'message', null, null, retryAfter);

describe('retry policy', () => {
  it('never repeats a refusal', () => {
    for (const status of [400, 401, 402, 403, 404, 409, 422]) expect(worthRetrying(0, refusal(status))).toBe(false);
  });

  it('retries twice after a lost connection or a server error', () => {
    for (const status of [0, 500, 503]) {
      expect([0, 1, 2].map((failures) => worthRetrying(failures, refusal(status)))).toEqual([true, true, false]);
    }
  });

  it.each([429, 503])('waits for the Retry-After of a %i, up to 15 seconds', (status) => {
    expect(worthRetrying(0, refusal(status, 5))).toBe(true);
    expect(retryDelay(0, refusal(status, 5))).toBe(5000);
    expect(worthRetrying(0, refusal(status, 15))).toBe(true);
    expect(worthRetrying(0, refusal(status, 16))).toBe(false);
  });

  it('waits 1 and 2 s without a Retry-After, and never retries a 429 without one', () => {
    expect(worthRetrying(0, refusal(429))).toBe(false);
    expect([0, 1].map((failures) => retryDelay(failures, refusal(0)))).toEqual([1000, 2000]);
  });

  it('never retries after an error of our own code', () => {
    expect(worthRetrying(0, new TypeError('x is not a function'))).toBe(false);
  });
});
