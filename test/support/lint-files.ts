import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

type Level = 'error' | 'off';
export interface LintConfig {
  readonly rules?: Readonly<Record<string, Level | readonly [Level, ...unknown[]]>>;
  readonly overrides?: readonly (Pick<LintConfig, 'rules'> & { readonly files: string[] })[];
  readonly [option: string]: unknown;
}

export interface Report {
  /** As the configuration names it. Undefined for a syntax error. */
  readonly rule: string | undefined;
  readonly message: string;
}

const PLUGINS = ['plugin', 'own-element', 'syntax'].map((name) => resolve('scripts', 'lint', `${name}.mjs`));

export function lintConfig(): LintConfig {
  const { config } = ts.parseConfigFileTextToJson('.oxlintrc.json', readFileSync('.oxlintrc.json', 'utf8')) as {
    config: LintConfig;
  };
  return config;
}

/**
 * Lints pieces of code in one run.
 * @param files each path with its text
 * @param more arguments of oxlint
 * @returns the reports about a file, and its text after the run
 */
export function lintFiles(config: LintConfig, files: Readonly<Record<string, string>>, ...more: string[]) {
  const folder = mkdtempSync(join('test', '.lint-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const compilerOptions = { jsx: 'react-jsx', noEmit: true };
    const types = { extends: '../../tsconfig.json', compilerOptions, include: ['.'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(types));
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...config, jsPlugins: PLUGINS }));
    const { stdout } = spawnSync(
      process.execPath,
      [resolve('node_modules/.bin/oxlint'), '--format', 'json', '--threads=1', ...more],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 2 ** 26 },
    );
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code?: string; message: string; filename: string }[];
    };
    const texts = Object.keys(files).map((path): [string, string] => [path, readFileSync(join(folder, path), 'utf8')]);
    return {
      reports: (path: string): Report[] =>
        diagnostics
          .filter(({ filename }) => filename === path)
          .map(({ code, message }) => ({ rule: ruleOf(code), message })),
      texts: new Map(texts),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `eslint(no-var)` is `no-var` in the configuration, `react-hooks(rules-of-hooks)` is `react/rules-of-hooks`. */
function ruleOf(code = ''): string | undefined {
  const [, plugin = '', rule = ''] = /^([\w-]+)\(([\w-]+)\)$/.exec(code) ?? [];
  if (rule === '') return undefined;
  return plugin === 'eslint' ? rule : `${plugin.replace('react-hooks', 'react')}/${rule}`;
}
