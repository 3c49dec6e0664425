/** `npm run dev`: installs what is missing and rebuilds server and web app at each change, until Ctrl-C. */
import './lib/node-version.mjs';
import { spawn } from 'node:child_process';
import { ensureBuilt, forgetBuilds, PAGES_BUILD, SERVER_BUILD } from './lib/build.mjs';
import { runScript, say } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { whenNpmIsGone } from './lib/parent.mjs';
import { bin, root } from './lib/run.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let stoppingSince = 0;

/**
 * Passes a signal on to the watchers, once: npm repeats the Ctrl-C of the terminal. A second Ctrl-C, half a second or
 * more after the first, is passed on too and ends the server immediately.
 * @param {NodeJS.Signals} signal
 */
function stop(signal) {
  if (stoppingSince > 0 && Date.now() - stoppingSince < 500) return;
  stoppingSince = Date.now();
  for (const child of running) child.kill(signal);
}

/**
 * Starts a watcher. When one ends by itself, the others are stopped too: watch mode works only as a whole.
 * @param {string} name
 * @param {string[]} args of Node
 * @param {(output: string) => void} [onOutput] called for each chunk of its stdout
 */
function watch(name, args, onOutput) {
  // In its own process group: otherwise a Ctrl-C reaches it twice, from the terminal and from this script
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', onOutput === undefined ? 'inherit' : 'pipe', 'inherit'],
    detached: true,
  });
  running.add(child);
  child.stdout?.on('data', (chunk) => {
    process.stdout.write(chunk);
    onOutput?.(String(chunk));
  });
  child.on('exit', (code) => {
    running.delete(child);
    if (stoppingSince > 0) return;
    process.exitCode = code || 1;
    process.stderr.write(`\n"${name}" has ended, so watch mode ends.\n`);
    stop('SIGTERM');
  });
}

/** Starts the bundled server. Node restarts it when a file that it has loaded changes. */
function watchServer() {
  watch('server', ['--watch', '--watch-preserve-output', '--enable-source-maps', 'dist/server/main.js']);
}

await runScript(async () => {
  await ensureDependencies();
  // Builds first: the server needs a web app to serve when it starts
  await ensureBuilt();
  forgetBuilds();
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => stop(signal));
  whenNpmIsGone(() => stop('SIGTERM'));

  say('Watching src and web. Ctrl-C stops the watchers.');
  let serverStarted = false;
  // The bundler writes all files once when it starts, so the server starts after that
  watch('server bundle', [...SERVER_BUILD, '--watch'], () => {
    if (serverStarted) return;
    serverStarted = true;
    watchServer();
  });
  watch('vite', [bin('vite'), 'build', 'web', '--watch', '--logLevel', 'warn']);
  watch('vite', [bin('vite'), ...PAGES_BUILD, '--watch']);
});
