import { describe, expect, it } from '@jest/globals';
import { arrowStep } from './arrow-step.js';

const press = (key: string, modifiers: object = {}) =>
  arrowStep({ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...modifiers });

describe('arrowStep', () => {
  it('is a step back, a step on, or none', () => {
    expect([press('ArrowLeft'), press('ArrowRight'), press('ArrowUp'), press('a')]).toEqual([-1, 1, null, null]);
  });

  it.each(['altKey', 'ctrlKey', 'metaKey', 'shiftKey'])('leaves arrows with %s to the browser', (modifier) => {
    expect(press('ArrowLeft', { [modifier]: true })).toBeNull();
  });
});
