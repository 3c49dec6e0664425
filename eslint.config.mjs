import js from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y-x';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import text from './scripts/eslint/own-element.mjs';
import style, { productRules, styleRules } from './scripts/eslint/plugin.mjs';

/** Node's globals that the scripts use; TypeScript files are checked for unknown names by the compiler. */
const nodeGlobals = Object.fromEntries(
  [
    'process',
    'URL',
    'module',
    '__dirname',
    '__filename',
    'setInterval',
    'clearInterval',
    'setTimeout',
    'clearTimeout',
    'fetch',
    'AbortController',
    'AbortSignal',
  ].map((name) => [name, 'readonly']),
);

export default defineConfig(
  globalIgnores(['dist/', '.data/', 'coverage/', 'test/.artifacts/', '.stryker-tmp/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Rules about control characters name control characters
      'no-control-regex': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: nodeGlobals },
    rules: { 'no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }] },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    // The rules that need types are in .oxlintrc.json
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      // Leaves files with decorators alone, because Nest needs the classes at run time
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**/*.ts'],
    // The server logs through Nest's Logger; main.ts also speaks to the person who started it
    ignores: ['src/main.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['**/*.spec.ts', '**/*.spec.tsx', 'test/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['describe', 'it', 'test'].flatMap((object) => [
          { object, property: 'only', message: 'Run all of them.' },
          { object, property: 'skip', message: 'Repair it or remove it.' },
        ]),
      ],
    },
  },
  {
    files: ['test/support/**/*.ts'],
    // Jest loads this one for each spec
    ignores: ['test/support/check-answers.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(Each|All)$/]',
          message: 'The module is loaded once a worker: its hooks would run for one spec only.',
        },
      ],
    },
  },
  {
    files: ['web/src/**/*.ts', 'web/src/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended, jsxA11y.configs.recommended],
    rules: {
      'react-hooks/exhaustive-deps': 'error',
      'no-console': ['error', { allow: ['warn', 'error'] }],
      // A name that was lost while code moved compiles as one of the window's.
      'no-restricted-globals': [
        'error',
        ...['close', 'closed', 'event', 'find', 'length', 'name', 'open', 'origin', 'parent', 'status', 'stop', 'top'],
      ],
      // In WebKit an overlay in a table covers the page: components/whole-row.ts
      'no-restricted-syntax': [
        'error',
        ...['Literal[value=', 'TemplateElement[value.raw='].map((text) => ({
          selector: `JSXOpeningElement[name.name=/^(t(able|head|body|foot|r|h|d)|caption|col(group)?)$/] > JSXAttribute[name.name='className'] ${text}/(^|\\s)(\\S+:)?(relative|tap|(before|after):(absolute|fixed))(\\s|$)/]`,
          message: 'No part of a table is a containing block: use WHOLE_ROW or row-mark.',
        })),
        ...[`object.name='error'`, `object.property.name='error'`].map((object) => ({
          selector: `MemberExpression[${object}][property.name='message']`,
          message: 'An error may have the words of the browser or of a library: use problemOf or ownWords.',
        })),
      ],
      // The text of a label may have an element of its own, next to another
      'jsx-a11y-x/label-has-associated-control': ['error', { depth: 3 }],
      // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
      'jsx-a11y-x/no-noninteractive-tabindex': ['error', { roles: ['tabpanel', 'region'], tags: [] }],
    },
  },
  {
    files: ['web/src/**/*.tsx'],
    ignores: ['**/*.spec.tsx'],
    plugins: { text },
    rules: { 'text/own-element': 'error' },
  },
  {
    // Strangers read it before they run it: docs/adr/0052-a-verifier-of-its-own.md
    files: ['web/public/ledger/verify-fanvas.mjs'],
    rules: {
      'id-length': ['error', { min: 3, properties: 'never' }],
      'max-lines-per-function': ['error', { max: 40 }],
    },
  },
  // Plain English in comments, titles and names (docs/style.md)
  // Applied migrations are never edited, comments included.
  {
    files: ['**/*.{ts,tsx,mjs}'],
    ignores: ['src/**/migrations.ts'],
    plugins: { style },
    rules: styleRules,
  },
  {
    files: ['src/**/*.ts', 'web/src/**/*.{ts,tsx}', 'scripts/**/*.mjs'],
    ignores: ['**/*.spec.{ts,tsx}'],
    plugins: { style },
    rules: productRules,
  },
);
