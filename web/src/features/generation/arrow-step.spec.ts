import { describe, expect, it } from '@jest/globals';
import { arrowStep } from './arrow-step.js';

const press = (key: string, modifiers: object = {}) =>
  arrowStep({ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...modifiers });

describe('arrowStep', () => {
  it('returns -1 for the left arrow, 1 for the right arrow, and null for other keys', () => {
    expect([press('ArrowLeft'), press('ArrowRight'), press('ArrowUp'), press('a')]).toEqual([-1, 1, null, null]);
  });

  it.each(['altKey', 'ctrlKey', 'metaKey', 'shiftKey'])('ignores arrows with %s', (modifier) => {
    expect(press('ArrowLeft', { [modifier]: true })).toBeNull();
  });
});
