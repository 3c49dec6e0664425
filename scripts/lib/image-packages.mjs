/**
 * Copies installed packages, and all that they need, to a folder: those that the bundle of the server leaves outside.
 *
 *   node scripts/lib/image-packages.mjs <folder> <package>…
 */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const [folder, ...names] = process.argv.slice(2);
if (!folder || names.length === 0) throw new Error('Name the folder and the packages.');

const copied = new Set();

/** @param {string} name */
function copy(name) {
  if (copied.has(name)) return;
  copied.add(name);
  const from = join(root, 'node_modules', name);
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  cpSync(from, join(String(folder), name), { recursive: true });
  for (const needed of Object.keys(dependencies)) copy(needed);
  // Native parts of other systems are not installed.
  for (const native of Object.keys(optionalDependencies)) {
    if (existsSync(join(root, 'node_modules', native))) copy(native);
  }
}

names.forEach(copy);
