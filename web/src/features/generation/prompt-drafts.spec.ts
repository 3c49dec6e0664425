import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '../../../test/memory-store.js';
import { DRAFT_LIFETIME_MS, PromptDrafts } from './prompt-drafts.js';

const square = (prompt: string) => ({ prompt, aspectRatio: 'square' as const });

describe('PromptDrafts', () => {
  it('keeps a prompt and its shape per creator across a reload', () => {
    const store = memoryStore();
    const draft = { prompt: 'a "tiger"\nof maps', aspectRatio: 'portrait' } as const;
    new PromptDrafts(store).save('c1', draft);
    const reloaded = new PromptDrafts(store);
    expect(reloaded.read('c1')).toEqual(draft);
    expect(reloaded.read('c2')).toBeNull();
  });

  it('reads a draft without a known shape as a square', () => {
    const store = memoryStore();
    for (const aspectRatio of [undefined, 'round', 7]) {
      store.set('fanvas.prompt-draft.c1', JSON.stringify({ prompt: 'one', aspectRatio, savedAt: Date.now() }));
      expect(new PromptDrafts(store).read('c1')).toEqual(square('one'));
    }
  });

  it('forgets a cleared or emptied prompt', () => {
    const store = memoryStore();
    const drafts = new PromptDrafts(store);
    drafts.save('c1', square('one'));
    drafts.clear('c1');
    drafts.save('c2', square('two'));
    drafts.save('c2', square(''));
    expect(store.values.size).toBe(0);
  });

  it('forgets a draft that is older than a day', () => {
    const store = memoryStore();
    let now = 1_000;
    const drafts = new PromptDrafts(store, () => now);
    drafts.save('c1', square('one'));
    now += DRAFT_LIFETIME_MS;
    expect(drafts.read('c1')).toEqual(square('one'));
    now += 1;
    expect(drafts.read('c1')).toBeNull();
    expect(store.values.size).toBe(0);
  });

  it('ignores invalid stored content', () => {
    const store = memoryStore();
    for (const content of ['{', 'null', '{"prompt":3}', '"text"']) {
      store.set('fanvas.prompt-draft.c1', content);
      expect(new PromptDrafts(store).read('c1')).toBeNull();
    }
  });
});
