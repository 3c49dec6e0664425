/**
 * `npm run doctor`, `ledger` and the other command lines of the built server: installs and builds what is missing, then
 * runs the file below `dist/server` that the first argument names, in this process. Messages of the first steps go to
 * stderr, so stdout holds only the result.
 */
import './lib/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { runScript } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { root } from './lib/run.mjs';

// The command line reads the other arguments.
const [file = ''] = process.argv.splice(2, 1);
let ready = false;
const write = process.stdout.write;
process.stdout.write = process.stderr.write.bind(process.stderr);
await runScript(async () => {
  await ensureDependencies();
  await ensureBuilt();
  ready = true;
});
process.stdout.write = write;

if (ready) {
  // File arguments are relative to the caller's folder; npm has changed into the package's folder.
  process.env['INIT_CWD'] ??= process.cwd();
  process.chdir(root);
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(root, 'dist', 'server', file)).href);
}
