/**
 * Node's module hooks of the workers that run specs (`native-runtime.cjs`).
 *
 * The address of a spec ends in `?shared=<n>` or `?fresh=<n>`, where n counts the specs of the worker: Node would not
 * run the same address twice. What a shared spec imports is loaded once a worker. A fresh spec passes its mark on to
 * the product's modules that it imports, so each of these specs has its own, as with Jest's module registry. Packages
 * are loaded once a worker in both cases.
 */
import { fileURLToPath } from 'node:url';
import { receiveMessageOnPort } from 'node:worker_threads';
import { compileTypeScript } from '../../scripts/lib/compile-typescript.cjs';
import { resolve as resolveTypeScript } from '../../scripts/lib/typescript-hooks.mjs';

const GLOBALS = new URL('./globals.mjs', import.meta.url).href;
const FRESH = /\?(fresh=\d+)/;

/** @type {import('node:worker_threads').MessagePort} */
let resets;
/** How often a spec has called `jest.resetModules()`, by its mark. @type {Map<string, number>} */
const resetsOf = new Map();
/** Compiled code by path: fresh specs load the same files again. @type {Map<string, string>} */
const compiled = new Map();

/** @param {{ resets: import('node:worker_threads').MessagePort }} data */
export function initialize(data) {
  resets = data.resets;
}

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  const resolved = await resolveTypeScript(specifier, context, nextResolve);
  const mark = FRESH.exec(context.parentURL ?? '')?.[1];
  if (!mark || !/^file:(?!.*\/node_modules\/)[^?]*$/.test(resolved.url)) return resolved;
  for (let next = receiveMessageOnPort(resets); next; next = receiveMessageOnPort(resets)) {
    resetsOf.set(next.message, (resetsOf.get(next.message) ?? 0) + 1);
  }
  return { ...resolved, url: `${resolved.url}?${mark}&resets=${resetsOf.get(mark) ?? 0}` };
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const [file = url] = url.split('?');
  // Only a bundler loads styles.
  if (file.endsWith('.css')) return { format: 'module', source: '', shortCircuit: true };
  if (!file.startsWith('file:') || !/\.tsx?$/.test(file)) return nextLoad(url, context);
  const path = fileURLToPath(file);
  let source = compiled.get(path);
  if (source === undefined) {
    // The runtime makes source maps itself, only for files in the stack of an error.
    source = compileTypeScript(path, false).code;
    compiled.set(path, source);
  }
  return { format: 'module', source, shortCircuit: true };
}
