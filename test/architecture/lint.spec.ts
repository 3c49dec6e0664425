import { expect, it } from '@jest/globals';
import { lintConfig, lintFiles, type LintConfig } from '../support/lint-files.js';

interface Block {
  /** The file of a rule's violation, of a kind that only this block of the configuration gives the rule. */
  readonly path: (rule: string) => string;
  readonly after?: string;
  /** One violation of each rule. */
  readonly violations: Readonly<Record<string, string>>;
}

/** Modules are strict: the parser refuses what these rules are about. */
const SLOPPY = ['no-delete-var', 'no-nonoctal-decimal-escape', 'no-with'];

/** By the names of the files in .oxlintrc.json. */
const blocks: Readonly<Record<string, Block>> = {
  all: {
    path: (rule) => `scripts/${rule}.${SLOPPY.includes(rule) ? 'cjs' : 'mjs'}`,
    violations: {
      'constructor-super': 'export class A extends URL { constructor() {} }',
      eqeqeq: 'export const same = (one, two) => one == two;',
      'for-direction': 'for (let row = 0; row < 9; row--) fetch();',
      'getter-return': 'export class A { get size() {} }',
      'no-async-promise-executor': 'new Promise(async () => {});',
      'no-case-declarations': 'switch (fetch()) { case 1: let row = 1; fetch(row); }',
      'no-class-assign': 'class A {} A = 1;',
      'no-compare-neg-zero': 'export const isZero = (one) => one === -0;',
      'no-cond-assign': 'let one; if (one = 1) fetch(one);',
      'no-const-assign': 'const one = 1; one = 2;',
      'no-constant-binary-expression': 'export const both = (one) => ({}) && one;',
      'no-constant-condition': 'if (1) fetch();',
      'no-debugger': 'debugger;',
      'no-delete-var': 'let one; delete one;',
      'no-dupe-class-members': 'export class A { me() {} me() {} }',
      'no-dupe-else-if': 'export const f = (one) => { if (one) return 1; else if (one) return 2; return 3; };',
      'no-dupe-keys': 'export const one = { me: 1, me: 2 };',
      'no-duplicate-case': 'switch (fetch()) { case 1: break; case 1: break; }',
      'no-empty': 'if (fetch()) {}',
      'no-empty-character-class': 'export const one = /a[]/;',
      'no-empty-pattern': 'export const {} = fetch();',
      'no-empty-static-block': 'export class A { static {} }',
      'no-ex-assign': 'try { fetch(); } catch (error) { error = 1; }',
      'no-extra-boolean-cast': 'if (!!fetch()) fetch();',
      'no-fallthrough': 'switch (fetch()) { case 1: fetch(); case 2: break; }',
      'no-func-assign': 'function one() {} one = 1;',
      'no-global-assign': 'undefined = 1;',
      'no-import-assign': "import { one } from './one.mjs'; one = 1;",
      'no-invalid-regexp': "RegExp('[');",
      'no-irregular-whitespace': 'export const one = `\u00a0`;',
      'no-loss-of-precision': 'export const one = 9007199254740993;',
      'no-misleading-character-class': 'export const one = /[👍]/;',
      'no-new-native-nonconstructor': 'new Symbol();',
      'no-nonoctal-decimal-escape': "module.exports = '\\8';",
      'no-obj-calls': 'Math();',
      'no-prototype-builtins': "export const has = (one) => one.hasOwnProperty('a');",
      'no-regex-spaces': 'export const one = /a  b/;',
      'no-self-assign': 'export let one = 1; one = one;',
      'no-setter-return': 'export class A { set size(one) { return one; } }',
      'no-shadow-restricted-names': 'export const f = (undefined) => undefined;',
      'no-sparse-arrays': 'export const list = [1,,2];',
      'no-this-before-super': 'export class A extends URL { constructor() { this.me = 1; super(); } }',
      'no-unassigned-vars': 'let one; fetch(one);',
      'no-unexpected-multiline': 'export const list = fetch\n(1).a;',
      'no-unreachable': 'export const f = () => { return 1; fetch(); };',
      'no-unsafe-finally': 'export const f = () => { try { fetch(); } finally { return 1; } };',
      'no-unsafe-negation': 'export const isIn = (one, two) => !one in two;',
      'no-unsafe-optional-chaining': 'export const f = (one) => (one?.me).size;',
      'no-unused-labels': 'one: fetch();',
      'no-unused-private-class-members': 'export class A { #me = 1; }',
      'no-unused-vars': 'const one = 1;',
      'no-useless-assignment': 'export const f = () => { let one = 1; fetch(one); one = 2; };',
      'no-useless-backreference': 'export const one = /\\1(a)/;',
      'no-useless-catch': 'try { fetch(); } catch (error) { throw error; }',
      'no-useless-escape': "export const one = '\\d';",
      'no-with': 'with (fetch()) { fetch(); }',
      'preserve-caught-error': "try { fetch(); } catch { } try { fetch(); } catch (error) { throw new Error('a'); }",
      'require-yield': 'export function* f() { return 1; }',
      'use-isnan': 'export const isNone = (one) => one === NaN;',
      'valid-typeof': "export const isText = (one) => typeof one === 'strin';",
    },
  },
  '**/*.{mjs,cjs}': {
    path: (rule) => `test/${rule.replace('/', '-')}.cjs`,
    violations: {
      'no-redeclare': 'var one = 1; var one = 2; fetch(one);',
      'no-undef': 'document();',
      'syntax/no-dupe-args': 'module.exports = function (one, one) { return one; };',
      'syntax/no-octal': 'module.exports = 017;',
    },
  },
  '**/*.cjs': { path: () => '', violations: {} },
  '**/*.{ts,tsx}': {
    path: (rule) => `src/${rule.replace('/', '-')}.ts`,
    after:
      'declare const list: number[];\ndeclare const loose: any;\ndeclare function work(): Promise<void>;\ndeclare function take(text: string): void;\n',
    violations: {
      'no-array-constructor': 'export const one = new Array(1, 2);',
      'no-unused-expressions': 'list.length;',
      'no-var': 'export var one = 1;',
      'prefer-const': 'let one = 1; take(String(one));',
      'prefer-rest-params': 'export function one(): unknown { return arguments[0]; }',
      'prefer-spread': 'take.apply(undefined, loose);',
      'syntax/type-imports':
        "import { Report } from './report.js'; export const one = (report: Report): Report => report;",
      'typescript/await-thenable': 'await 1;',
      'typescript/ban-ts-comment': '// @ts-ignore\ntake(1);',
      'typescript/no-array-delete': 'delete list[0];',
      'typescript/no-base-to-string': 'console.log(String({}));',
      'typescript/no-duplicate-enum-values': 'export enum E { a = 1, b = 1 }',
      'typescript/no-duplicate-type-constituents': 'export type A = string | string;',
      'typescript/no-empty-object-type': 'export type A = {};',
      'typescript/no-explicit-any': 'export const one: any = 1;',
      'typescript/no-extra-non-null-assertion': 'take(loose!!);',
      'typescript/no-floating-promises': 'work();',
      'typescript/no-for-in-array': 'for (const key in list) console.log(key);',
      'typescript/no-implied-eval': "setTimeout('code', 1);",
      'typescript/no-misused-new': 'export interface A { new (): A }',
      'typescript/no-misused-promises': 'list.forEach(async () => await work());',
      'typescript/no-namespace': 'export namespace A { export const one = 1; }',
      'typescript/no-non-null-asserted-optional-chain': 'export const one = (a?: { me?: string }) => a?.me!;',
      'typescript/no-redundant-type-constituents': 'export type B = unknown | string;',
      'typescript/no-require-imports': "import one = require('one'); take(one);",
      'typescript/no-this-alias': 'export function f(this: string): void { const one = this; take(one); }',
      'typescript/no-unnecessary-type-assertion': "const text: string = 'a'; console.log(text as string);",
      'typescript/no-unnecessary-type-constraint': 'export const one = <T extends unknown>(a: T): T => a;',
      'typescript/no-unsafe-argument': 'take(loose);',
      'typescript/no-unsafe-assignment': 'const one: string = loose; console.log(one);',
      'typescript/no-unsafe-call': 'loose();',
      'typescript/no-unsafe-declaration-merging': 'export interface A { me: string } export class A {}',
      'typescript/no-unsafe-enum-comparison': 'enum C { a = 1 } const c = C.a as C; console.log(c === 1);',
      'typescript/no-unsafe-function-type': 'export type A = Function;',
      'typescript/no-unsafe-member-access': 'console.log(loose.name);',
      'typescript/no-unsafe-return': 'export const two = (): string => loose;',
      'typescript/no-unsafe-unary-minus': "const three: string = 'a'; console.log(-three);",
      'typescript/no-wrapper-object-types': 'export type A = String;',
      'typescript/only-throw-error': "export const four = (): never => { throw 'text'; };",
      'typescript/prefer-as-const': "export const one: 'a' = 'a';",
      'typescript/prefer-namespace-keyword': 'declare module A { const one: string; }',
      'typescript/prefer-promise-reject-errors': "export const five = () => Promise.reject('text');",
      'typescript/restrict-plus-operands': "console.log({} + 'a');",
      'typescript/restrict-template-expressions': 'console.log(`${{}}`);',
      'typescript/return-await': 'export async function six() { try { return work(); } catch { return undefined; } }',
      'typescript/switch-exhaustiveness-check':
        "export const seven = (kind: 'a' | 'b') => { switch (kind) { case 'a': return 1; } return 2; };",
      'typescript/triple-slash-reference': '/// <reference path="./one.d.ts" />',
      'typescript/unbound-method': 'class D { me() { return this; } } export const eight = new D().me;',
    },
  },
  'src/**/*.ts': {
    path: () => 'src/console.ts',
    violations: { 'no-console': "console.error('a');" },
  },
  '**/*.spec.{ts,tsx} test/**/*.ts': {
    path: () => 'src/only.spec.ts',
    violations: { 'no-restricted-properties': "it.only('answers a request', () => {});" },
  },
  'test/support/**/*.ts': {
    path: () => 'test/support/hooks.ts',
    violations: { 'syntax/no-hooks-of-a-module': 'beforeEach(() => {});' },
  },
  'web/src/**/*.{ts,tsx}': {
    path: (rule) => `web/src/${rule.replace('/', '-')}.tsx`,
    after: "import { useEffect, useMemo, useRef, useState } from 'react';\n",
    violations: {
      'jsx-a11y/alt-text': 'export const A = () => <img />;',
      'jsx-a11y/anchor-has-content': 'export const A = () => <a href="/a" />;',
      'jsx-a11y/anchor-is-valid': 'export const A = () => <a href="#">a</a>;',
      'jsx-a11y/aria-activedescendant-has-tabindex': 'export const A = () => <div aria-activedescendant="a" />;',
      'jsx-a11y/aria-props': 'export const A = () => <p aria-labeledby="a" />;',
      'jsx-a11y/aria-proptypes': 'export const A = () => <p aria-hidden="a" />;',
      'jsx-a11y/aria-role': 'export const A = () => <p role="a" />;',
      'jsx-a11y/aria-unsupported-elements': 'export const A = () => <meta aria-hidden="true" />;',
      'jsx-a11y/autocomplete-valid': 'export const A = () => <input autoComplete="a" />;',
      'jsx-a11y/click-events-have-key-events': 'export const A = () => <p onClick={() => {}} />;',
      'jsx-a11y/heading-has-content': 'export const A = () => <h1 />;',
      'jsx-a11y/html-has-lang': 'export const A = () => <html />;',
      'jsx-a11y/iframe-has-title': 'export const A = () => <iframe />;',
      'jsx-a11y/img-redundant-alt': 'export const A = () => <img alt="a picture" />;',
      'jsx-a11y/interactive-supports-focus': 'export const A = () => <div role="button" onClick={() => {}} />;',
      'jsx-a11y/label-has-associated-control': 'export const A = () => <label>a</label>;',
      'jsx-a11y/media-has-caption': 'export const A = () => <video />;',
      'jsx-a11y/mouse-events-have-key-events': 'export const A = () => <p onMouseOver={() => {}} />;',
      'jsx-a11y/no-access-key': 'export const A = () => <p accessKey="a" />;',
      'jsx-a11y/no-autofocus': 'export const A = () => <input autoFocus />;',
      'jsx-a11y/no-distracting-elements': 'export const A = () => <marquee />;',
      'jsx-a11y/no-interactive-element-to-noninteractive-role': 'export const A = () => <button role="img" />;',
      'jsx-a11y/no-noninteractive-element-interactions': 'export const A = () => <li onLoad={() => {}} />;',
      'jsx-a11y/no-noninteractive-element-to-interactive-role': 'export const A = () => <h1 role="button">a</h1>;',
      'jsx-a11y/no-noninteractive-tabindex': 'export const A = () => <p tabIndex={0} />;',
      'jsx-a11y/no-redundant-roles': 'export const A = () => <button role="button" />;',
      'jsx-a11y/no-static-element-interactions': 'export const A = () => <div onKeyUp={() => {}} />;',
      'jsx-a11y/role-has-required-aria-props': 'export const A = () => <p role="checkbox" />;',
      'jsx-a11y/role-supports-aria-props': 'export const A = () => <ul aria-checked="true" />;',
      'jsx-a11y/scope': 'export const A = () => <p scope="row" />;',
      'jsx-a11y/tabindex-no-positive': 'export const A = () => <p tabIndex={1} />;',
      'no-console': "console.log('a');",
      'no-restricted-globals': 'export const one = name;',
      'react/error-boundaries': 'export function A() { try { return <p />; } catch { return null; } }',
      'react/exhaustive-deps': 'export function useA(one: string) { useEffect(() => { one.at(0); }, []); }',
      'react/globals': 'let one = 1; export function A() { one = 2; return <p>{one}</p>; }',
      'react/immutability':
        "export function A() { const [one] = useState({ me: 'a' }); one.me = 'b'; return <p>{one.me}</p>; }",
      'react/incompatible-library':
        "import { useForm } from 'react-hook-form'; export function A() { const { watch } = useForm(); return <p>{watch('a')}</p>; }",
      'react/preserve-manual-memoization':
        'export function A({ one }: { one: { me: string } }) { const two = useMemo(() => [one.me], [one?.me]); return <p>{two}</p>; }',
      'react/purity': 'export function A() { return <p>{Math.random()}</p>; }',
      'react/refs': 'export function A() { const one = useRef(1); return <p>{one.current}</p>; }',
      'react/rules-of-hooks': 'export function A({ one }: { one: boolean }) { if (one) useState(1); return <p />; }',
      'react/set-state-in-effect':
        'export function A() { const [one, setOne] = useState(1); useEffect(() => { setOne(2); }, []); return <p>{one}</p>; }',
      'react/set-state-in-render':
        'export function A() { const [one, setOne] = useState(1); setOne(2); return <p>{one}</p>; }',
      'react/static-components': 'export function A() { const B = () => <p />; return <B />; }',
      'react/unsupported-syntax': "export function A() { eval('1'); return <p />; }",
      'react/use-memo': 'export function A() { const one = useMemo((a) => [a], []); return <p>{one}</p>; }',
      'syntax/no-message-of-an-error': 'export const one = (error: Error) => error.message;',
      'syntax/no-position-in-a-table': 'export const A = () => <tr className="sm:relative" />;',
    },
  },
  'web/src/**/*.tsx': {
    path: () => 'web/src/text.tsx',
    violations: { 'text/own-element': 'export const A = ({ on }: { on: boolean }) => <p><b>1</b>{`at ${on}`}</p>;' },
  },
  'web/public/ledger/verify-fanvas.mjs': {
    path: () => 'web/public/ledger/verify-fanvas.mjs',
    violations: {
      'id-length': 'export const at = 1;',
      'max-lines-per-function': `export function long() {${'\n'.repeat(41)}}`,
    },
  },
  '**/*.{ts,tsx,mjs}': {
    path: (rule) => `test/${rule.replace('/', '-')}.tsx`,
    violations: {
      'style/plain-code': 'export const both = { ...{ one: 1 }, two: 2 };',
      'style/plain-comments': '// Nobody reads it',
      'style/plain-names': 'export const whole = 1;',
      'style/test-titles': "it('that fails', () => {});",
    },
  },
  'src/**/*.ts web/src/**/*.{ts,tsx} scripts/**/*.mjs': {
    path: (rule) => `scripts/${rule.replace('/', '-')}.mjs`,
    violations: { 'style/clear-names': 'export const due = 1;', 'style/plain-constants': 'const PAGE = 1;' },
  },
};

/** Code that the exceptions of the configuration allow. */
const exceptions = {
  'scripts/null.mjs': 'export const isNone = (one) => one == null;',
  'src/service.ts':
    "import { Clock } from './clock.js'; declare const own: () => ClassDecorator; @own() export class A { constructor(readonly clock: Clock) {} }",
  'src/main.ts': "console.log('a');",
  'src/credits/migrations.ts': '// Nobody reads it',
  'src/size.spec.ts': 'const PAGE = 1; class D { me() { return this; } } export const eight = [PAGE, new D().me];',
  'test/support/check-answers.ts': 'declare const afterEach: (hook: () => void) => void; afterEach(() => {});',
  'web/src/warn.ts': "console.warn('a');",
  'web/src/text.spec.tsx': 'export const A = ({ on }: { on: boolean }) => <p><b>1</b>{`at ${on}`}</p>;',
  'web/src/region.tsx': 'export const A = () => <div role="region" tabIndex={0} aria-label="a" />;',
  'web/src/label.tsx': 'export const A = () => <label><b><i>a</i></b><input /></label>;',
};

const cases = Object.values(blocks).flatMap(({ path, after = '', violations }) =>
  Object.entries(violations).map(([rule, code]) => ({ rule, path: path(rule), text: `${code}\n${after}` })),
);
const texts: Record<string, string> = { ...exceptions };
for (const { path, text } of cases) texts[path] = `${texts[path] ?? ''}${text}`;
const config = lintConfig();
const { reports } = lintFiles(config, texts);
const names = ({ rules = {} }: LintConfig, level: 'error' | 'off'): string[] =>
  Object.keys(rules).filter((name) => [rules[name]].flat()[0] === level);

it('has a violation of each rule, and turns one rule off for a part of the files', () => {
  const configured = [{ ...config, files: ['all'] }, ...(config.overrides ?? [])];
  expect(Object.fromEntries(configured.map((block) => [block.files.join(' '), names(block, 'error')]))).toEqual(
    Object.fromEntries(Object.entries(blocks).map(([files, { violations }]) => [files, Object.keys(violations)])),
  );
  expect(configured.flatMap((block) => names(block, 'off'))).toEqual(['typescript/unbound-method']);
});

it('reports a violation of each rule', () => {
  const silent = cases.filter(({ path, rule }) => !reports(path).some((report) => report.rule === rule));
  expect(silent.map(({ path, rule }) => ({ rule, reports: reports(path) }))).toEqual([]);
});

it('leaves alone what the configuration excepts', () => {
  expect(Object.keys(exceptions).flatMap(reports)).toEqual([]);
});
