import { describe, expect, it } from '@jest/globals';
import { ApiError } from './api-error.js';
import { ownWords, problemOf, SaidError } from './problem-of.js';

describe('problemOf', () => {
  it("says the server's sentence, or one of this app", () => {
    expect(problemOf(new ApiError(409, 'x', 'It is open.'))).toBe('It is open.');
    expect(problemOf(new SaidError('Missing required user id'))).toBe('Missing required user id');
    expect(problemOf(null)).toBeUndefined();
  });

  it.each([
    new TypeError('Failed to fetch'),
    new TypeError('NetworkError when attempting to fetch resource.'),
    new DOMException('The quota has been exceeded.', 'QuotaExceededError'),
    Object.assign(new Error('sign_up.password: is too short'), { errors: [{ longMessage: 'Passwords must be 8' }] }),
    new ApiError(502, 'x', ''),
  ])('says its own sentence instead of %s', (error) => {
    expect(problemOf(error)).toBe('It failed. Please try again.');
    expect(ownWords(error)).toBeNull();
  });
});
