import { describe, expect, it } from '@jest/globals';
import { pictureTitle } from './picture-title.js';

describe('pictureTitle', () => {
  it.each([
    ['a fox', 'a fox · Juno Abara'],
    ['夜の海', '夜の海 · Juno Abara'],
    ['שועל אדום', '\u200e\u2068שועל אדום\u2069 · Juno Abara'],
    ['ثعلب في الثلج', '\u200e\u2068ثعلب في الثلج\u2069 · Juno Abara'],
    ['a sign with سلام', '\u200e\u2068a sign with سلام\u2069 · Juno Abara'],
  ])('isolates %s if it is written from the right', (prompt, title) => {
    expect(pictureTitle(prompt, 'Juno Abara')).toBe(title);
  });

  it('shortens a long prompt to 80 units inside the isolation, without half a letter', () => {
    expect(pictureTitle('ش'.repeat(200), 'Juno')).toBe(`\u200e\u2068${'ش'.repeat(80)}\u2069 · Juno`);
    expect(pictureTitle(`${'x'.repeat(79)}🦊`, 'Juno')).toBe(`${'x'.repeat(79)} · Juno`);
  });
});
