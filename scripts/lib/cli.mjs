import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { runScript } from './console.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { root } from './run.mjs';

/**
 * Runs a command line of the built server in this process, after installing and building what is missing. Messages of
 * these steps go to stderr, so stdout holds only the result.
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
  // File arguments are relative to the caller's folder; npm has changed into the package's folder.
  process.env['INIT_CWD'] ??= process.cwd();
  process.chdir(root);
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(root, 'dist', 'server', file)).href);
}
