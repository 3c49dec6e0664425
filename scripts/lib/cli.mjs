import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { runScript } from './console.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { root } from './run.mjs';

/**
 * Runs a command line of the built server in this process, after installing and building what is missing; what that says goes to
 * stderr, so that stdout is the answer alone.
 * @param {string} file below dist/server
 */
export async function runCli(file) {
  let ready = false;
  const write = process.stdout.write;
  process.stdout.write = process.stderr.write.bind(process.stderr);
  await runScript(async () => {
    await ensureDependencies();
    await ensureBuilt();
    ready = true;
  });
  process.stdout.write = write;
  if (!ready) return;
  // Files named on the command line are meant from where the person stands; npm has changed into the package's folder.
  process.env['INIT_CWD'] ??= process.cwd();
  process.chdir(root);
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(root, 'dist', 'server', file)).href);
}
