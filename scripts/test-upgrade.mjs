/**
 * `npm run test:upgrade`: runs the last release, which docs/upgrades.md names, together with this version,
 * on one database and behind HAProxy. Before each release. Builds the last release in a temporary folder.
 */
import './lib/node-version.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { needPackages } from './lib/debian-packages.mjs';
import { runJest } from './lib/jest.mjs';
import { root } from './lib/run.mjs';

await runScript(async () => {
  await ensureDependencies();
  await ensureBuilt();
  await needPackages('/usr/sbin/haproxy', 'haproxy');
  const commit = /^Last release: ([0-9a-f]{7,40})$/m.exec(readFileSync(join(root, 'docs', 'upgrades.md'), 'utf8'))?.[1];
  if (!commit) throw new StepFailed('docs/upgrades.md names no last release.');
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-release-'));
  try {
    buildRelease(commit, folder);
    const env = { LAST_RELEASE: join(folder, 'dist', 'server') };
    if ((await runJest(['upgrade'], { serial: true, env })) !== 0) throw new StepFailed('Failed: test of the upgrade.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * @param {string} commit
 * @param {string} folder empty
 */
function buildRelease(commit, folder) {
  say(`Building the last release, ${commit}…`);
  /** @param {string} name @param {string[]} args */
  const run = (name, ...args) => execFileSync(name, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  run('git', 'clone', '--quiet', '--shared', '--no-checkout', root, '.');
  run('git', 'checkout', '--quiet', '--detach', commit);
  // Hard links take no time. Packages of another list are installed.
  if (read(join(folder, 'package-lock.json')) === read(join(root, 'package-lock.json'))) {
    run('cp', '-al', join(root, 'node_modules'), folder);
  } else run('npm', 'ci', '--prefer-offline');
  run(process.execPath, join('scripts', 'build.mjs'));
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
