import { describe, expect, it } from '@jest/globals';
import { classifyFault, refundReasonFor } from './fault-classes.js';

describe('[F4.21] classifyFault', () => {
  it.each([
    ['NSFW content detected. Try a different prompt.', 'nsfw'],
    ['The image may be explicit', 'nsfw'],
    ['inappropriate request', 'nsfw'],
    ['The input or output was flagged as sensitive. Please try again. (E005)', 'nsfw'],
    ['Prediction failed (E005)', 'nsfw'],
    ['All images were removed by the safety filter.', 'nsfw'],
    ['CUDA out of memory. Tried to allocate 2 GiB', 'oom'],
    ['worker was OOM-killed', 'oom'],
    ['Fatal: worker exited', 'fatal'],
    ['CUDA_ERROR_ILLEGAL_ADDRESS', 'fatal'],
    ['Model failed to load', 'fatal'],
  ])('classifies %j as %s', (text, expected) => {
    expect(classifyFault(text)).toBe(expected);
    expect(refundReasonFor(text)).toBe('fatal_error');
  });

  it.each(['Prediction interrupted', 'no room to zoom', 'nonfatality report', 'error E0051', ''])(
    'treats %j as an ordinary failure',
    (text) => {
      expect(classifyFault(text)).toBeNull();
      expect(refundReasonFor(text)).toBe('generation_failed');
    },
  );
});
