import { existsSync } from 'node:fs';
import { say, StepFailed } from './console.mjs';
import { run } from './run.mjs';

/**
 * Installs packages of Debian, if this process may.
 * @param {string[]} names
 * @returns {Promise<boolean>} whether they are installed now
 */
export async function installPackages(...names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  say(`Installing ${names.join(' and ')} with apt-get…`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  // apt-get fails while another one runs, which another command of this package may have started.
  const alone = ['--no-fork', '/run/lock/fanvas-apt', 'apt-get'];
  await run('flock', [...alone, 'update', '-qq'], { capture: true, env, timeoutMs: 120_000 });
  const install = [...alone, 'install', '-y', '-qq', '--no-install-recommends', ...names];
  const { code } = await run('flock', install, { capture: true, env, timeoutMs: 300_000 });
  return code === 0;
}

/**
 * Installs packages of Debian unless they are there.
 * @param {string} file by which they are known
 * @param {string[]} names
 * @throws {StepFailed} where that is not possible
 */
export async function needPackages(file, ...names) {
  if (existsSync(file) || (await installPackages(...names))) return;
  throw new StepFailed(`Install ${names.join(' and ')} first, on Debian as root: apt-get install ${names.join(' ')}`);
}
