import { availableParallelism } from 'node:os';
import { whenNpmIsGone } from './parent.mjs';
import { runBin } from './run.mjs';

/**
 * Runs the named Jest projects (see jest.config.mjs). Jest ends with this process, and this process with npm, also when
 * they are killed (`postgres-setup.mjs`).
 * @param {string[]} projects
 * @param {{ serial?: boolean, args?: string[], env?: Record<string, string> }} [options]
 * @returns {Promise<number>} Jest's exit code
 */
export async function runJest(projects, options = {}) {
  whenNpmIsGone(() => process.kill(process.pid, 'SIGTERM'));
  const workers = options.serial ? 1 : Math.min(availableParallelism(), 4);
  const { code } = await runBin(
    'jest',
    ['--selectProjects', ...projects, `--maxWorkers=${workers}`, ...(options.args ?? [])],
    { env: { JEST_PARENT: String(process.pid), ...options.env } },
  );
  return code;
}

/**
 * Runs the end-to-end suites on two workers. The files of a worker share an app and a browser (`fan-browser.ts`).
 * @param {string} chromium its executable
 * @param {string[]} [args] further arguments of Jest
 * @returns {Promise<number>} Jest's exit code
 */
export function runEndToEnd(chromium, args = []) {
  return runJest(['e2e'], {
    args,
    env: { CHROMIUM_PATH: chromium },
  });
}
