import { describe, expect, it } from '@jest/globals';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { anyPattern, readPromptText, readSearch } from './search-term.js';

const ID = '0193A2B4-7c1d-7e2f-8a3b-4c5d6e7f8a9b';

describe('readSearch', () => {
  it.each([null, undefined, '', '   ', '\u0000', '<br>'])('finds all images for %j', (input) => {
    expect(readSearch(input)).toEqual({ kind: 'all' });
  });

  it('finds one image by a whole id in any case', () => {
    expect(readSearch(` ${ID} `)).toEqual({ kind: 'id', id: ID.toLowerCase() });
  });

  it.each([ID.slice(1), `${ID}0`, ID.replaceAll('-', ''), `{${ID}}`])('treats %s as a text', (input) => {
    expect(readSearch(input)).toMatchObject({ kind: 'text', indexed: true });
  });

  it.each([
    ['fox', true],
    ['a1b', true],
    ['fo', false],
    ['a fo x', false],
    ['a-b-c', false],
    ['狐の絵を', false],
  ])('knows whether the index can find %s', (input, indexed) => {
    expect(readSearch(input)).toMatchObject({ indexed });
  });

  it('takes wildcards as letters', () => {
    expect(readSearch('100%_\\')).toMatchObject({ patterns: ['%100\\%\\_\\\\%'] });
  });

  it('cleans and cuts the text like a prompt', () => {
    expect(readSearch('  a  <b>red</b>\u0000 fox ')).toMatchObject({ patterns: ['%a red fox%'] });
    expect(readSearch('x'.repeat(2_000))).toMatchObject({ patterns: [`%${'x'.repeat(1_000)}%`] });
  });

  it('writes letters that are not ASCII in each common way', () => {
    expect(readSearch('café Été')).toMatchObject({
      patterns: ['%café Été%', '%café été%', '%CAFÉ ÉTÉ%', '%Café Été%'],
    });
  });
});

describe('readPromptText', () => {
  it.each([
    ['a', false, []],
    ['<b>狐</b>', false, []],
    ['ab', false, ['%ab%']],
    ['a fox', true, ['%a fox%']],
    [ID, true, [`%${ID}%`]],
  ])('reads %j', (input, indexed, patterns) => {
    expect(readPromptText(input)).toEqual({ kind: 'text', indexed, patterns });
  });
});

describe('anyPattern', () => {
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const conditionsOf = (patterns: readonly string[]): readonly (readonly [string, readonly unknown[]])[] => {
    const { matches, indexed } = anyPattern({ kind: 'text', indexed: true, patterns });
    return [matches, indexed].map((condition) => {
      const compiled = condition.compile(db);
      return [compiled.sql, compiled.parameters];
    });
  };

  it('compares each pattern without case, for prompts that are read and for the index', () => {
    expect(conditionsOf(['%Été%', '%été%'])).toEqual([
      ['(lower(prompt) like lower($1) or lower(prompt) like lower($2))', ['%Été%', '%été%']],
      ['(prompt ilike $1 or prompt ilike $2)', ['%Été%', '%été%']],
    ]);
  });

  it('matches no prompt without a pattern', () => {
    expect(conditionsOf([])).toEqual([
      ['false', []],
      ['false', []],
    ]);
  });
});
