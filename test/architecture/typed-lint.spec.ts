import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import tseslint from 'typescript-eslint';

type Rules = Record<string, unknown>;
interface OxlintConfig {
  overrides: { rules: Rules }[];
}

const oxlintRules = (): Rules => {
  const { config } = ts.parseConfigFileTextToJson('.oxlintrc.json', readFileSync('.oxlintrc.json', 'utf8')) as {
    config: OxlintConfig;
  };
  return config.overrides[0]!.rules;
};

/** One violation of each rule of .oxlintrc.json. */
const violations: Rules = {
  'await-thenable': 'await 1;',
  'no-array-delete': 'delete list[0];',
  'no-base-to-string': 'console.log(String({}));',
  'no-duplicate-type-constituents': 'export type A = string | string;',
  'no-floating-promises': 'work();',
  'no-for-in-array': 'for (const key in list) console.log(key);',
  'no-implied-eval': "setTimeout('code', 1);",
  'no-misused-promises': 'list.forEach(async () => await work());',
  'no-redundant-type-constituents': 'export type B = unknown | string;',
  'no-unnecessary-type-assertion': "const text: string = 'a'; console.log(text as string);",
  'no-unsafe-argument': 'take(loose);',
  'no-unsafe-assignment': 'const one: string = loose; console.log(one);',
  'no-unsafe-call': 'loose();',
  'no-unsafe-enum-comparison': 'enum C { a = 1 } const c = C.a as C; console.log(c === 1);',
  'no-unsafe-member-access': 'console.log(loose.name);',
  'no-unsafe-return': 'export const two = (): string => loose;',
  'no-unsafe-unary-minus': "const three: string = 'a'; console.log(-three);",
  'only-throw-error': "export const four = (): never => { throw 'text'; };",
  'prefer-promise-reject-errors': "export const five = () => Promise.reject('text');",
  'restrict-plus-operands': "console.log({} + 'a');",
  'restrict-template-expressions': 'console.log(`${{}}`);',
  'return-await': 'export async function six() { try { return work(); } catch { return undefined; } }',
  'switch-exhaustiveness-check':
    "export const seven = (kind: 'a' | 'b') => { switch (kind) { case 'a': return 1; } return 2; };",
  'unbound-method': 'class D { me() { return this; } } export const eight = new D().me;',
};

it('gives oxlint every rule of typescript-eslint that needs types, except one', () => {
  const needed = tseslint.configs.recommendedTypeCheckedOnly
    .flatMap(({ rules = {} }) => Object.entries(rules))
    .filter(([name, level]) => name.startsWith('@typescript-eslint/') && level === 'error')
    .map(([name]) => name.replace('@typescript-eslint/', 'typescript/'))
    // `async` without `await` is how a method keeps to an interface that returns a promise
    .filter((name) => name !== 'typescript/require-await');
  const errors = Object.entries(oxlintRules()).filter(([, level]) => [level].flat()[0] === 'error');
  const names = errors.map(([name]) => name);
  expect(needed.length).toBeGreaterThan(20);
  expect(names).toEqual(expect.arrayContaining(needed));
  expect(Object.keys(violations).map((name) => `typescript/${name}`)).toEqual(names);
});

it('reports a violation of each of its rules', () => {
  const folder = mkdtempSync(join('test', '.typed-lint-'));
  try {
    const common =
      'declare const list: number[];\ndeclare const loose: any;\ndeclare function work(): Promise<void>;\ndeclare function take(text: string): void;\n';
    for (const [name, code] of Object.entries(violations)) {
      writeFileSync(join(folder, `${name}.ts`), `${common}${String(code)}\nexport {};\n`);
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['.'] }));
    // Below test/, unbound methods are allowed, so the folder has a copy of the first rules only
    const rules = oxlintRules();
    const config = { plugins: ['typescript'], categories: { correctness: 'off' }, options: { typeAware: true }, rules };
    writeFileSync(join(folder, 'oxlint.json'), JSON.stringify(config));
    const { stdout } = spawnSync(
      process.execPath,
      ['node_modules/.bin/oxlint', '-c', join(folder, 'oxlint.json'), '--format', 'unix', folder],
      { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
    );
    const silent = Object.keys(violations).filter(
      (name) => !stdout.split('\n').some((line) => line.includes(`/${name}.ts:`) && line.includes(`(${name})`)),
    );
    expect({ silent, stdout: silent.length > 0 ? stdout : '' }).toEqual({ silent: [], stdout: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
