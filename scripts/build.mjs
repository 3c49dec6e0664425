/**
 * `npm run build`: installs missing packages and builds the server (dist/server) and the web app (dist/web), if they
 * changed. With `-- --production` the sandboxes are left out.
 */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { runScript, say } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';

await runScript(async () => {
  await ensureDependencies();
  await ensureBuilt({ production: process.argv.includes('--production') });
  say('The server is built in dist/server, the web app in dist/web.');
});
