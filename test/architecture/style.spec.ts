import { describe, expect, it } from '@jest/globals';
import { describeProblem, titleProblem } from '../../scripts/lint/titles.mjs';
import { lintConfig, lintFiles } from '../support/lint-files.js';

const LONG = 'word '.repeat(24);
const PIECES = {
  titles: `describe('of a store', () => { it.each([1])('that is %i', () => {}); go('that is not a test'); });`,
  wordOfATitle: `it('refuses whoever is not signed in', () => {});`,
  words: `// Nobody is told\nconst text = 'nobody';\n/* \`nobody\` is a role, "the house" a quotation */`,
  openings: '/** What an account holds. */\nconst a = 1;\n// Compares both, and keeps\n// what is newer\n',
  longComment: `// ${LONG}end`,
  longAddress: `// ${LONG}https://example.com/`,
  names: `import { of } from 'rxjs';\nclass A { static of() { return of(1); } }\nconst whole = new A();`,
  ambiguousNames: 'const left = 1;\nfunction f(due) { return due; }',
  sides: 'const { left, top } = box;\nconst leftCents = 1;\nfunction f(left, right) { return left + right; }',
  spread: 'export const both = { ...{ one: 1 }, two: 2 };',
  tuple: 'export const [one, two] = [1, 2];',
  head: 'for (let row = 0, sum = 0; sum < 9; row += 1) sum += row;',
  plainSpread: 'const one = { ...given, ...(two ? { two } : {}) };',
  plainTuple: 'const [first] = list;',
  plainHead: 'for (let row = 0; ;);',
  constant: 'const PAGE = 1_000;',
  exportedConstant: 'export const WEEK = 7 * 24;',
  plainConstant: 'const EVENTS_PER_READ = 1_000;',
  textConstant: "const LOCK = 'a';",
  localConstant: 'function f(): void { const PAGE = 1; }',
};
const pathOf = (piece: string): string => `src/${piece}.ts`;
const files = Object.fromEntries(Object.entries(PIECES).map(([piece, code]) => [pathOf(piece), `${code}\n`]));
const { reports } = lintFiles({ ...lintConfig(), options: {} }, files);

/** The messages of the style lint about a piece of TypeScript. */
function lint(piece: keyof typeof PIECES): string[] {
  const style = reports(pathOf(piece)).filter(({ rule }) => rule?.startsWith('style/'));
  return style.map(({ message }) => message);
}

describe('titleProblem', () => {
  it.each([
    'refunds the credits when the provider fails',
    'keeps the events when the acknowledgement is lost',
    '[F8.29] opens one session for a double click',
    '[F2.09, F2.10] never redirects to another site',
    'does not repeat a settled deduction',
    'credits the account before it answers',
    'the sitemap lists the public pages',
    'a second cancel changes nothing',
    'GET /healthz answers 200 without a database',
    '%s: refuses a negative amount',
    '%s',
  ])('accepts "%s"', (title) => {
    expect(titleProblem(title)).toBeUndefined();
  });

  it.each([
    ['that is lost keeps them', /half a sentence/],
    ['that come days late are as good', /half a sentence/],
    ['is shown to everybody', /half a sentence/],
    ['are those of the categories', /half a sentence/],
    ['[F2.35] of an archived creator: the banner, no gallery', /half a sentence/],
    ['because no checkout belongs to it is shown to admins', /half a sentence/],
    ['come in order', /start with a verb/],
    ['lost webhooks are replaced', /start with a verb/],
    ['a timeout', /no verb/],
    ['a seal that was dropped from the database', /no verb/],
    ['works', /too little/],
  ])('rejects "%s"', (title, problem) => {
    expect(titleProblem(title)).toMatch(problem);
  });
});

describe('describeProblem', () => {
  it.each(['CreateCheckout', 'POST get-checkout-session', 'payment inbox', '[F5.01] sanitisePrompt', '/metrics'])(
    'accepts "%s"',
    (name) => {
      expect(describeProblem(name)).toBeUndefined();
    },
  );

  it.each([
    ['whatever happens to generations', /half a sentence/],
    ['before a provider that misbehaves', /half a sentence/],
    ['is refused', /half a sentence/],
    ['a payment that cannot be credited', /clause/],
    ['purchases while everything goes wrong', /clause/],
  ])('rejects "%s"', (name, problem) => {
    expect(describeProblem(name)).toMatch(problem);
  });
});

describe('style/test-titles', () => {
  it('checks tests, tables of tests and groups, and no other call', () => {
    expect(lint('titles')).toEqual([
      'The title "of a store" is half a sentence: it starts with "of".',
      'The title "that is %i" is half a sentence: it starts with "that".',
    ]);
  });

  it('rejects the words of the list', () => {
    expect(lint('wordOfATitle')).toEqual([expect.stringContaining('says "whoever": write name the actor')]);
  });
});

describe('style/plain-comments', () => {
  it('rejects the words of the list in comments, and not in strings or code', () => {
    expect(lint('words')).toEqual([expect.stringContaining('"Nobody"'), expect.stringContaining('"told"')]);
  });

  it('rejects the first line of a comment that starts with "What", but not a later line', () => {
    expect(lint('openings')).toEqual(['The comment starts with "What": start with a noun or a verb.']);
  });

  it('rejects a comment line beyond column 120, except for an address at its end', () => {
    expect(lint('longComment')).toEqual([expect.stringContaining('wrap at 120')]);
    expect(lint('longAddress')).toEqual([]);
  });
});

describe('style/plain-names', () => {
  it('rejects names without meaning, except for static factories and imports', () => {
    expect(lint('names')).toEqual(['The name "whole" says nothing about its value.']);
  });
});

describe('style/clear-names', () => {
  it('rejects a name with several meanings, except for a side', () => {
    expect(lint('ambiguousNames')).toEqual([
      expect.stringContaining('"left" has several meanings'),
      expect.stringContaining('"due" has several meanings'),
    ]);
    expect(lint('sides')).toEqual([]);
  });
});

describe('style/plain-code', () => {
  it('rejects what only saves lines', () => {
    expect(lint('spread')).toEqual([expect.stringContaining('a literal in')]);
    expect(lint('tuple')).toEqual([expect.stringContaining('an array that is taken')]);
    expect(lint('head')).toEqual([expect.stringContaining('before the loop')]);
    expect([...lint('plainSpread'), ...lint('plainTuple'), ...lint('plainHead')]).toEqual([]);
  });
});

describe('style/plain-constants', () => {
  it('rejects a number whose name has one word', () => {
    expect(lint('constant')).toEqual([expect.stringContaining('"PAGE" lacks its unit')]);
    expect(lint('exportedConstant')).toEqual([expect.stringContaining('"WEEK" lacks its unit')]);
    expect([...lint('plainConstant'), ...lint('textConstant'), ...lint('localConstant')]).toEqual([]);
  });
});
