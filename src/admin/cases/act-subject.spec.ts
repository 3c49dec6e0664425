import { describe, expect, it } from '@jest/globals';
import { subjectOf } from './act-subject.js';

describe('subjectOf', () => {
  it.each([
    ['an image', 'report', 'image_1', { kind: 'generation', id: 'image_1' }],
    ['a refusal', 'refusal', null, { kind: 'refusal', id: 'case_1' }],
    ['a refusal that has an image', 'refusal', 'image_1', { kind: 'refusal', id: 'case_1' }],
  ] as const)('names %s by the start of its prompt', (_case, kind, generationId, subject) => {
    const prompt = 'a cat on the moon, '.repeat(5);
    expect(subjectOf({ kind, id: 'case_1' }, { generationId, prompt })).toEqual({
      ...subject,
      name: prompt.slice(0, 60),
    });
  });

  it('has no name once the prompt was erased', () => {
    const subject = subjectOf({ kind: 'refusal', id: 'case_1' }, { generationId: null, prompt: '' });
    expect(subject.name).toBeNull();
  });
});
