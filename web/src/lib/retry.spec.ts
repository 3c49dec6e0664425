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

  it.each([429, 503])('leaves a %i to the end of its Retry-After', (status) => {
    expect(worthRetrying(0, refusal(status, 1))).toBe(false);
  });

  it('waits 0.3 and 0.9 s, so that the page says what failed within about 3 s', () => {
    expect([0, 1].map(retryDelay)).toEqual([300, 900]);
  });

  it('never retries after an error of our own code', () => {
    expect(worthRetrying(0, new TypeError('x is not a function'))).toBe(false);
  });
});
