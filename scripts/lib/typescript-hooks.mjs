/** Node's module hooks behind typescript.mjs. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileTypeScript } from './compile-typescript.cjs';

const TYPESCRIPT = /\.tsx?$/;

/**
 * Imports name the compiled file; the source is a .ts or .tsx.
 * @type {import('node:module').ResolveHook}
 */
export async function resolve(specifier, context, nextResolve) {
  const parent = withoutQuery(context.parentURL ?? '');
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && TYPESCRIPT.test(parent)) {
    for (const extension of ['.ts', '.tsx']) {
      const source = new URL(specifier.replace(/\.js$/, extension), parent);
      if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
    }
  }
  return nextResolve(specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const file = withoutQuery(url);
  if (!file.startsWith('file:') || !TYPESCRIPT.test(file)) return nextLoad(url, context);
  const { code } = compileTypeScript(fileURLToPath(file), 'inline');
  return { format: 'module', source: code, shortCircuit: true };
}

/** @param {string} url */
function withoutQuery(url) {
  return url.replace(/\?.*$/, '');
}
