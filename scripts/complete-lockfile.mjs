/**
 * `node scripts/complete-lockfile.mjs`: adds to package-lock.json the optional binaries of other platforms that npm
 * left out because its registry lacks them. `npm ci` refuses a lockfile without them. They get no checksum, which only
 * the registry knows; npm adds it when it finds them.
 */
import './lib/node-version.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { missingOptional } from './lib/dependencies.mjs';
import { root } from './lib/run.mjs';

/**
 * Derives the platform from a binary's name, such as `binding-linux-arm64-musl`.
 * @param {string} name
 */
function platformOf(name) {
  const found = /(darwin|linux|win32|android|freebsd|openharmony|wasm32)-([a-z0-9]+)(?:-([a-z]+))?$/.exec(name);
  if (!found) throw new StepFailed(`The name ${name} does not say which platform it is for: add it by hand.`);
  const [, os = '', cpu = '', abi] = found;
  if (os === 'wasm32') return { cpu: [os] };
  const libc = os === 'linux' ? { gnu: 'glibc', musl: 'musl' }[abi ?? ''] : undefined;
  return { cpu: [cpu], libc: libc && [libc], os: [os] };
}

await runScript(async () => {
  const path = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  const missing = missingOptional(lock);
  for (const { name, version, dev } of missing) {
    const { cpu, libc, os } = platformOf(name);
    // In npm's order, so that npm does not rewrite the lines; undefined values are not written
    lock.packages[`node_modules/${name}`] = { version, cpu, dev: dev || undefined, libc, optional: true, os };
  }
  const entries = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, null, 2)}\n`);
  say(missing.length === 0 ? 'Nothing is missing.' : `Added ${missing.length} packages of other platforms.`);
});
