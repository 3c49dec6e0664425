import { defineConfig, globalIgnores } from 'eslint/config';
import jsxA11y from 'eslint-plugin-jsx-a11y-x';
import tseslint from 'typescript-eslint';
import style, { productRules, styleRules } from './scripts/eslint/plugin.mjs';

/** The style lint alone (docs/style.md). It needs no types, so it is fast: `npm run lint:style -- src`. */
export default defineConfig(
  globalIgnores(['dist/', '.data/', 'coverage/', 'test/.artifacts/']),
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    // Applied migrations are never edited, comments included.
    ignores: ['src/**/migrations.ts'],
    languageOptions: { parser: tseslint.parser },
    // The second is only known here, so that comments which name its rules are understood
    plugins: { style, 'jsx-a11y-x': jsxA11y },
    rules: styleRules,
  },
  {
    files: ['src/**/*.ts', 'web/src/**/*.{ts,tsx}', 'scripts/**/*.mjs'],
    ignores: ['**/*.spec.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser },
    plugins: { style },
    rules: productRules,
  },
);
