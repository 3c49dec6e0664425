import { describe, expect, it } from '@jest/globals';
import { randomPrompt, SAMPLE_PROMPTS } from './sample-prompts.js';

describe('sample prompt list', () => {
  it('[F2.41] contains 21 different prompts', () => {
    expect(new Set(SAMPLE_PROMPTS).size).toBe(21);
  });

  it('never suggests the prompt that is already in the field', () => {
    const current = SAMPLE_PROMPTS[0]!;
    const drawn = Array.from({ length: 200 }, (_, index) => randomPrompt(current, () => index / 200));
    expect(drawn).not.toContain(current);
    expect(new Set(drawn).size).toBe(20);
  });
});
