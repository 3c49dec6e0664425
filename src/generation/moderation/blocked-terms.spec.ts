import { describe, expect, it } from '@jest/globals';
import { leastTime } from '../../../test/support/least-time.js';
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
    ['a 8utton on a coat', 'button'],
    ['a 2ebra in a field', 'zebra'],
    ['a 6arden and a pond', 'garden'],
    ['a 9arden and a pond', 'garden'],
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
    ['a car in a hall', '-car!'],
    ['m y s i s t e r at home', 'my sister'],
    ['the g o d of war', 'god'],
    ['m y l a k e at dawn', 'lake'],
  ])('finds a blocked word in "%s"', (prompt, term) => {
    expect(find(prompt, 'yacht', term)).toBe(term);
  });

  it.each([
    ['a carpet in a hall', 'car'],
    ['a good day', 'god'],
    ['a good day', 'goood'],
    ['g o d l y advice', 'god'],
    ['the g o d s of war', 'god'],
    ['my d e m i g o d', 'god'],
    ["a lake, it's quiet", '🔥'],
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

  it('keeps two lists apart that make the same text', () => {
    expect(find('a carp', 'car', 'pet')).toBeNull();
    expect(find('a carp', 'carp', 'et')).toBe('carp');
  });

  it.each([
    ['a letter and many repetitions', (index: number) => `a${'b'.repeat(30)}q${index}`],
    ['two letters in turn', (index: number) => `${'ab'.repeat(18)}q${index}`],
    ['Chinese without spaces', (index: number) => `${'中国'.repeat(18)}q${index}`],
  ])('takes linear time for a hundred terms of %s', (_, termOf) => {
    const terms = Array.from({ length: 100 }, (_each, index) => termOf(index));
    for (const piece of ['ab ', 'a b ', 'a-b-', 'a', '中国']) {
      const short = piece.repeat(500);
      const long = piece.repeat(4_000);
      expect([find(short, ...terms), find(long, ...terms)]).toEqual([null, null]);
      const limit = 24 * leastTime(() => find(short, ...terms), { runs: 5 });
      expect(leastTime(() => find(long, ...terms), { runs: 4, enough: limit })).toBeLessThan(limit);
    }
  });
});
