/**
 * `npm run test:restore`: rehearses docs/runbooks/backup.md, with a dump and with a base backup and the archived log,
 * on Debian's Postgres and its own tools. Before each release, as root.
 */
import './lib/node-version.mjs';
import { existsSync } from 'node:fs';
import { ensureBuilt } from './lib/build.mjs';
import { installPackages } from './lib/chromium.mjs';
import { runScript, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJest } from './lib/jest.mjs';

await runScript(async () => {
  await ensureDependencies();
  await ensureBuilt();
  if (!existsSync('/usr/lib/postgresql') && !(await installPackages('postgresql', 'postgresql-client'))) {
    throw new StepFailed('Install Postgres first, on Debian as root: apt-get install postgresql');
  }
  if ((await runJest(['restore'], { serial: true })) !== 0) throw new StepFailed('Failed: tests of a restore.');
});
