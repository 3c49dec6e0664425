import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DOCUMENT, problemsOf, ruleOf, testsById, titlesIn } from '../../scripts/lib/conformance.mjs';
import { root } from '../../scripts/lib/run.mjs';

const document = readFileSync(join(root, DOCUMENT), 'utf8');
const lineOf = (id: string): string => document.split('\n').find((line) => ruleOf(line)?.id === id) ?? '';

describe('titlesOf', () => {
  it('finds the titles of tests, groups and tables', () => {
    const code = `
      // it('a comment', () => {});
      const text = "it('a string', ...)";
      describe('a group', () => {
        it('a test', () => expect(run('not a title')).toBe(1));
        it.each<[string, number]>([['a row', f(1)(2)]])('a table: %s', () => {});
        test(\`with \${value} inside\`, () => {});
        describe.each([1, 2])('a table of groups', () => {});
      });`;
    expect(titlesIn(code)).toEqual(['a group', 'a test', 'a table: %s', 'with … inside', 'a table of groups']);
  });

  it('skips the titles of tests that do not run', () => {
    const code = `
      it.skip('skipped', () => {});
      it.skip.each([1])('skipped table', () => {});
      xit('crossed out', () => {});
      it.todo('to be written');
      describe.skip('group', () => { it('inside', () => {}); });`;
    expect(titlesIn(code)).toEqual([]);
  });
});

describe('conformance list', () => {
  const tests = testsById();
  const problems = (text: string, found: ReadonlyMap<string, ReadonlySet<string>> = tests): string =>
    problemsOf(text, found).join('\n');

  it('reports a missing, doubled or unknown rule', () => {
    for (const id of ['F2.31', 'F2.72', 'F9.14']) {
      expect(problems(document.replace(`${lineOf(id)}\n`, ''))).toContain(`${id} is missing.`);
    }
    expect(problems(document.replace(lineOf('F1.02'), `${lineOf('F1.02')}\n${lineOf('F1.02')}`))).toContain(
      'F1.02 is listed twice.',
    );
    expect(problems(`${document}\n${lineOf('F9.13').replace('F9.13', 'F9.77')}`)).toContain(
      'F9.77 is not a rule of the specification.',
    );
  });

  it('reports a rule without a test, a test of an unknown rule and an outdated column', () => {
    const without = new Map(tests);
    without.delete('F1.02');
    expect(problems(document, without)).toContain('F1.02 has no test that names it');
    expect(problems(document, without)).toContain('out of date');
    expect(problems(document, new Map(tests).set('F9.99', new Set(['test/x.spec.ts'])))).toContain(
      'test/x.spec.ts names F9.99',
    );
  });

  it('reports a file and a spec that do not exist', () => {
    expect(problems(document.replace('`generation/limits.ts`', '`generation/limit.ts`'))).toContain(
      'src/generation/limit.ts does not exist',
    );
    const moved = document.replace('`test/integration/generation-life.spec.ts`', '`test/integration/moved.spec.ts`');
    expect(problems(moved)).toContain('test/integration/moved.spec.ts is named but does not exist.');
  });

  it('refuses to declare any other rule as not built', () => {
    const without = new Map(tests);
    without.delete('F1.02');
    const { rule = '' } = ruleOf(lineOf('F1.02')) ?? {};
    const hidden = document.replace(
      lineOf('F1.02'),
      `| F1.02 | ${rule} | not built | *Not built: we would rather not.* |`,
    );
    expect(problems(hidden, without)).toContain('F1.02 has no test that names it');
    expect(problems(hidden, without)).toContain('F1.02 does not say where it is implemented');
    expect(problems(document.replace(/\*Not built: [^|]*\*/, '*Not built: another reason.*'))).toContain('out of date');
    expect(problems(document, new Map(tests).set('F9.14', new Set(['test/x.spec.ts'])))).toContain(
      'F9.14 is declared as not built, but has a test.',
    );
  });
});
