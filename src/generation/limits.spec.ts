import { expect, it } from '@jest/globals';
import { GENERATION_COST } from '../contract/prices.js';
import { CANCELLABLE_AFTER_MS, GENERATION_TIMEOUT_MS, PROMPT_MAX_LENGTH } from '../contract/limits.js';
import { MAX_OUTPUT_BYTES } from './limits.js';

it('[F1.02, F9.01, F9.02, F9.05] matches the limits of the specification', () => {
  expect({ GENERATION_COST, GENERATION_TIMEOUT_MS, CANCELLABLE_AFTER_MS, PROMPT_MAX_LENGTH }).toEqual({
    GENERATION_COST: 10,
    GENERATION_TIMEOUT_MS: 900_000,
    CANCELLABLE_AFTER_MS: 3_000,
    PROMPT_MAX_LENGTH: 1_000,
  });
});

it('fetches images of at most 30 MiB', () => {
  expect(MAX_OUTPUT_BYTES).toBe(31_457_280);
});
