/** `npm start`: installs what is missing, builds what changed, and runs the server in this process. */
import './lib/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { runScript } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { whenNpmIsGone } from './lib/parent.mjs';
import { root } from './lib/run.mjs';

let ready = false;
await runScript(async () => {
  await ensureDependencies();
  await ensureBuilt();
  ready = true;
});

if (ready) {
  // No second process: signals and exit code belong to the server, and a SIGKILL leaves no orphan.
  process.chdir(root);
  whenNpmIsGone(() => process.kill(process.pid, 'SIGTERM'));
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(root, 'dist', 'server', 'main.js')).href);
}
