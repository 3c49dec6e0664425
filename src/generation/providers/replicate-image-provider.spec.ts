import { describe, expect, it } from '@jest/globals';
import { toPrediction } from './replicate-image-provider.js';

describe('toPrediction', () => {
  it.each([
    ['Prediction interrupted', 'Prediction interrupted'],
    [{ message: 'Flagged as sensitive (E005)', code: 5 }, 'Flagged as sensitive (E005)'],
    [{ error: { detail: 'CUDA out of memory' } }, 'CUDA out of memory'],
    [{ code: 5 }, null],
    [17, null],
    [null, null],
  ])('reads the error %j as %j, never as raw JSON', (error, text) => {
    expect(toPrediction({ id: 'p1', status: 'failed', error }).error).toBe(text);
  });
});
