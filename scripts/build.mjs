/** `npm run build`: installs what is missing and builds the server (dist/server) and the web app (dist/web), if they changed. */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { runScript, say } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';

await runScript(async () => {
  await ensureDependencies();
  await ensureBuilt();
  say('The server is built in dist/server, the web app in dist/web.');
});
