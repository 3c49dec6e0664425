/**
 * `npm run ledger -- <verb>`: audits the credit ledger, beside the running app or without it. Installs and builds what is
 * missing first; what that says goes to stderr, so that stdout is the answer alone.
 */
import './lib/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { runScript } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { root } from './lib/run.mjs';

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
  // Files named on the command line are meant from where the person stands; npm has changed into the package's folder.
  process.env['INIT_CWD'] ??= process.cwd();
  process.chdir(root);
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(root, 'dist', 'server', 'cli.js')).href);
}
