import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StepFailed } from './console.mjs';

/** The folder of the package. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The script file of a command of an installed package, to run with this Node. Without a shell or `npx` in between,
 * signals and exit codes arrive, and the start is faster.
 * @param {string} name
 */
export function bin(name) {
  const path = join(root, 'node_modules', '.bin', name);
  if (!existsSync(path)) {
    throw new StepFailed(`The command "${name}" is not installed. Delete the folder node_modules and try again.`);
  }
  return path;
}

/**
 * @typedef {object} Outcome
 * @property {number} code exit code; a process ended by a signal counts as 1
 * @property {string} output its output, if it was captured
 */

/**
 * Runs a command in the package's folder and waits for its end. It does not throw for an exit code other than 0; a
 * command that cannot start has code 127.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, capture?: boolean, timeoutMs?: number }} [options] `capture` collects
 *   stdout and stderr in `output`; otherwise they go to the terminal
 * @returns {Promise<Outcome>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...options.env },
      stdio: options.capture ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    // Not spawn's own timeout: its timer outlives a command that could not start
    const timer = options.timeoutMs && setTimeout(() => child.kill(), options.timeoutMs);
    /** @param {Outcome} outcome */
    const end = (outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => end({ code: 127, output: error.message }));
    child.on('close', (code) => end({ code: code ?? 1, output }));
  });
}

/**
 * Runs a command of an installed package with this Node.
 * @param {string} name
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runBin(name, args, options) {
  return run(process.execPath, [bin(name), ...args], options);
}
