/**
 * `npm run test:restore`: rehearses docs/runbooks/backup.md, with a dump and with a base backup and the archived log,
 * on Debian's Postgres and its own tools. Before each release, as root.
 */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { needPackages } from './lib/debian-packages.mjs';
import { runScript, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJest } from './lib/jest.mjs';

await runScript(async () => {
  await ensureDependencies();
  await ensureBuilt();
  await needPackages('/usr/lib/postgresql', 'postgresql', 'postgresql-client');
  if ((await runJest(['restore'], { serial: true })) !== 0) throw new StepFailed('Failed: tests of a restore.');
});
