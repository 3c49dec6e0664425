import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '../../../test/memory-store.js';
import { PromptHistory, PROMPTS_KEPT } from './prompt-history.js';

describe('PromptHistory', () => {
  it('lists the newest first and each prompt once', () => {
    const history = new PromptHistory(memoryStore());
    for (const prompt of ['a fox', 'a boat', 'a fox']) history.add('u1', prompt);
    expect(history.list('u1')).toEqual(['a fox', 'a boat']);
  });

  it('separates the users', () => {
    const history = new PromptHistory(memoryStore());
    history.add('u1', 'a fox');
    expect(history.list('u2')).toEqual([]);
  });

  it('keeps twenty prompts', () => {
    const history = new PromptHistory(memoryStore());
    for (let each = 0; each < PROMPTS_KEPT + 5; each++) history.add('u1', `prompt ${each}`);
    expect(history.list('u1')).toHaveLength(PROMPTS_KEPT);
    expect(history.list('u1')[0]).toBe(`prompt ${PROMPTS_KEPT + 4}`);
  });

  it('removes one prompt or all of them', () => {
    const store = memoryStore();
    const history = new PromptHistory(store);
    history.add('u1', 'a fox');
    history.add('u1', 'a boat');
    history.remove('u1', 'a boat');
    expect(history.list('u1')).toEqual(['a fox']);
    history.remove('u1', 'a fox');
    expect(store.values.size).toBe(0);
    history.add('u1', 'a fox');
    history.clear('u1');
    expect(store.values.size).toBe(0);
  });

  it.each(['{', '7', '{"a":1}', '[1,null]'])('ignores the stored value %j', (stored) => {
    const store = memoryStore();
    store.set('fanvas.prompt-history.u1', stored);
    expect(new PromptHistory(store).list('u1')).toEqual([]);
  });
});
