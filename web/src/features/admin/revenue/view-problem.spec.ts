import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../lib/api-error.js';
import { viewProblem } from './view-problem.js';

const failed = (status: number, message: string): string => viewProblem(new ApiError(status, 'X', message));

describe('viewProblem', () => {
  it('[C8.18] words each failure as the specification does', () => {
    expect(failed(401, 'Token expired')).toBe('Authentication failed. Please refresh the page.');
    expect(failed(429, 'Too many requests.')).toBe('Rate limit exceeded. Please try again in a moment.');
    expect(failed(400, 'Rate limit reached')).toBe('Rate limit exceeded. Please try again in a moment.');
    expect(failed(409, 'Creator "Juno Abara" is not active (status: pending)')).toBe(
      'Creator "Juno Abara" is not active (status: pending)',
    );
    expect(failed(404, 'Creator not found or access denied')).toBe('Creator not found or access denied');
    expect(failed(400, 'The request is not valid.')).toBe('Creator not found or access denied');
    expect(failed(500, 'Something went wrong')).toBe('Failed to load creator data. Please try again.');
    expect(viewProblem(new TypeError('no network'))).toBe('Failed to load creator data. Please try again.');
  });
});
