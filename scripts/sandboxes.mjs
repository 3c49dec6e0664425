/**
 * `npm run sandboxes`: installs what is missing, builds what changed, and runs the sandboxes of all providers in this
 * process, for several processes of the app.
 */
import './lib/node-version.mjs';
import { runCli } from './lib/cli.mjs';

await runCli('sandbox/process.js');
