/** `npm run dev`: installs what is missing and rebuilds server and web app at each change, until Ctrl-C. */
import './lib/node-version.mjs';
import { spawn } from 'node:child_process';
import { ensureBuilt, forgetBuilds, SANDBOX_COMPILER } from './lib/build.mjs';
import { runScript, say } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { whenNpmIsGone } from './lib/parent.mjs';
import { bin, root } from './lib/run.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let stoppingSince = 0;

/**
 * Passes a signal on to the watchers, once: a Ctrl-C comes from the terminal and again from npm. A second one that is
 * meant as such ends the server at once.
 * @param {NodeJS.Signals} signal
 */
function stop(signal) {
  if (stoppingSince > 0 && Date.now() - stoppingSince < 500) return;
  stoppingSince = Date.now();
  for (const child of running) child.kill(signal);
}

/**
 * When one watcher ends by itself, the others are stopped too: watch mode works only as a whole.
 * @param {string} name
 * @param {string[]} args
 */
function watch(name, args) {
  // In a process group of its own, or a terminal's Ctrl-C would reach it twice: from the terminal and from us.
  const child = spawn(process.execPath, [bin(name), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  running.add(child);
  child.on('exit', (code) => {
    running.delete(child);
    if (stoppingSince > 0) return;
    process.exitCode = code || 1;
    process.stderr.write(`\n"${name}" has ended, so watch mode ends.\n`);
    stop('SIGTERM');
  });
}

await runScript(async () => {
  await ensureDependencies();
  // The first page must not wait for the watchers, and the server wants a web app to serve when it starts.
  await ensureBuilt();
  forgetBuilds();
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => stop(signal));
  whenNpmIsGone(() => stop('SIGTERM'));

  say('Watching src and web. Ctrl-C stops the watchers.');
  // With a shell in between, Nest would see the shell end and start the next server while the last one still stops.
  // Nest restarts the server after every change below dist/server, the sandboxes' included.
  watch('swc', [...SANDBOX_COMPILER, '--watch']);
  watch('nest', ['start', '--watch', '--no-shell']);
  watch('vite', ['build', 'web', '--watch', '--logLevel', 'warn']);
});
