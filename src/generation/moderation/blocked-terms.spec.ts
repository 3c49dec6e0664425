import { describe, expect, it } from '@jest/globals';
import { findBlockedTerm } from './blocked-terms.js';

const find = (prompt: string, ...terms: string[]): string | null =>
  findBlockedTerm(
    prompt,
    terms.map((term) => ({ term })),
  )?.term ?? null;

describe('findBlockedTerm', () => {
  it.each([
    ['a man with a cigarette', 'cigarette'],
    ['a man with a CIGARETTE.', 'cigarette'],
    ['a man with a cigarétte', 'Cigarette'],
    ['two cigarettes on a table', 'cigarette'],
    ['a c1gar3tte at night', 'cigarette'],
    ['a ciiiigarette at night', 'cigarette'],
    ['a c i g a r e t t e at night', 'cigarette'],
    ['a c.i.g.a.r.e.t.t.e at night', 'cigarette'],
    ['a ciga-rette at night', 'cigarette'],
    ['a сigаrette with Cyrillic letters', 'cigarette'],
    ['a cigarette99 at night', 'cigarette'],
    ['she is my  sister', 'my sister'],
    ['she is my-sister', 'my sister'],
    ['Orwell in 1984', '1984'],
    ['бутылка водки и водка', 'водка'],
    ['一只抽烟的猫', '抽烟'],
    ['a Straße at night', 'straße'],
    ['god in the clouds', 'god'],
    ['goood in the clouds', 'god'],
  ])('finds a blocked word in "%s"', (prompt, term) => {
    expect(find(prompt, 'zebra', term)).toBe(term);
  });

  it.each([
    ['a carpet in a hall', 'car'],
    ['a good day', 'god'],
    ['a scar on a tree', 'car'],
    ['my dear sister', 'my sister'],
    ['a carpet', 'car pet'],
    ['a quiet lake', '🔥'],
    ['(a [quiet) lake', '(a+)+$'],
    ['', 'lake'],
  ])('does not find it in "%s"', (prompt, term) => {
    expect(find(prompt, term)).toBeNull();
  });

  it('returns the first of the terms that the prompt contains', () => {
    expect(find('a tattoo of a cigarette', 'cigarette', 'tattoo')).toBe('cigarette');
    expect(find('a tattoo of a cigarette')).toBeNull();
  });

  it('judges the longest prompt against a hundred terms', () => {
    const terms = Array.from({ length: 100 }, (_, index) => `a${'b'.repeat(40)}${index}`);
    expect(find('ab '.repeat(333), ...terms)).toBeNull();
    expect(find('a'.repeat(1_000), ...terms)).toBeNull();
  });
});
