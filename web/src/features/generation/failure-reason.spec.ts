import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { failureReason } from './failure-reason.js';

describe('failureReason', () => {
  it.each([
    ['NSFW content detected', 'The result did not comply with our content guidelines. Please modify your prompt.'],
    ['CUDA out of memory', 'The image service ran out of memory.'],
    ['CUDA error: device-side assert', 'The image service had a fault.'],
    ['Prediction interrupted; please retry (code: PA)', 'The image service was interrupted.'],
    ['Generation succeeded but no output was provided', 'Generation succeeded but returned invalid output format'],
    [
      'Generation failed: the finished image could not be retrieved',
      'The image was drawn, but it could not be stored.',
    ],
    ['Generation failed: No prediction ID assigned (server error)', 'The image could not be started.'],
    ['Failed to start image generation', 'The image could not be started.'],
    ['Generation failed with no specific error message', 'The image service could not finish your image.'],
    [null, 'The image service could not finish your image.'],
  ])('gives the reason of %j in our words', (stored, reason) => {
    expect(failureReason(stored).text).toBe(reason);
  });

  it('names the prompt as the reason only when the content was refused', () => {
    expect(failureReason('NSFW content detected').promptRefused).toBe(true);
    expect(failureReason('The prompt was too explicit').promptRefused).toBe(true);
    expect(failureReason('Output was flagged as sensitive (E005)').promptRefused).toBe(true);
    expect(failureReason('CUDA out of memory').promptRefused).toBe(false);
    expect(failureReason(null).promptRefused).toBe(false);
  });

  it('never shows the words of the provider', () => {
    const texts = new Set<string>();
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('', 'nsfw', 'interrupted', 'oom', 'E8765', 'fatal'), (noise, word) => {
        texts.add(failureReason(`${noise} ${word} ${noise}`).text);
      }),
    );
    expect(texts.size).toBeLessThanOrEqual(8);
    expect([...texts].filter((text) => /code|nsfw|cuda|oom|prediction/i.test(text))).toEqual([]);
  });
});
