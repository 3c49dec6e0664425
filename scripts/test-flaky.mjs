/**
 * `npm run test:flaky`: runs the integration and end-to-end suites three times while a busy loop occupies each
 * processor, and fails if any run fails. Each run has its files in another random order.
 *
 *   npm run test:flaky                       all integration and end-to-end suites
 *   npm run test:flaky -- payments           the arguments are passed to Jest
 *
 * FLAKY_RUNS (3) sets the number of runs, and TEST_ORDER_SEED repeats the order of a run.
 */
import './lib/node-version.mjs';
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium, noChromium } from './lib/chromium.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJest } from './lib/jest.mjs';

const RUNS = Number(process.env['FLAKY_RUNS'] ?? '3');
const BUSY_LOOP = fileURLToPath(new URL('lib/busy-loop.mjs', import.meta.url));

/** @typedef {{ title: string, fullName: string, status: string, duration?: number | null }} Assertion */
/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {number} startTime
 * @property {number} endTime
 * @property {Assertion[]} assertionResults
 * @property {string} message
 */

await runScript(async () => {
  await ensureDependencies();
  await ensureBuilt();
  const chromium = await ensureChromium();
  if (!chromium) throw new StepFailed(noChromium);
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-flaky-'));
  // They end when this process ends, also by SIGKILL: the channel to them closes.
  const load = Array.from({ length: availableParallelism() }, () => fork(BUSY_LOOP));
  /** @type {string[]} */
  const lines = [];
  let failedRuns = 0;
  try {
    for (let run = 1; run <= RUNS; run += 1) {
      const seed = process.env['TEST_ORDER_SEED'] ?? randomBytes(4).toString('hex');
      say(`\nRun ${run} of ${RUNS}, under load, in the order of TEST_ORDER_SEED=${seed}`);
      let passed = true;
      for (const part of /** @type {const} */ (['integration', 'e2e'])) {
        const file = join(folder, `${part}-${run}.json`);
        const args = ['--json', `--outputFile=${file}`, '--passWithNoTests', ...process.argv.slice(2)];
        const code = await runJest([part], { args, env: { CHROMIUM_PATH: chromium, TEST_ORDER_SEED: seed } });
        passed &&= code === 0;
        lines.push(...summary(`${run} of ${part}`, code, file));
      }
      if (!passed) failedRuns += 1;
    }
  } finally {
    for (const child of load) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
  say(`\n${lines.join('\n')}`);
  if (failedRuns > 0) throw new StepFailed(`${failedRuns} of ${RUNS} runs failed.`);
  say(`\nAll ${RUNS} runs passed.`);
});

/**
 * @param {string} run
 * @param {number} code
 * @param {string} file
 */
function summary(run, code, file) {
  const { testResults } = /** @type {{ testResults: Suite[] }} */ (JSON.parse(readFileSync(file, 'utf8')));
  if (testResults.length === 0) return [];
  const began = Math.min(...testResults.map(({ startTime }) => startTime));
  const ended = Math.max(...testResults.map(({ endTime }) => endTime));
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ suite: basename(name), ...test })),
  );
  const failed = tests.filter(({ status }) => status === 'failed');
  const outcome = code === 0 ? 'passed' : 'failed';
  return [
    `Run ${run} ${outcome}: ${tests.length} tests in ${Math.round((ended - began) / 1000)} s, ${failed.length} failed`,
    ...failed.map(({ suite, fullName }) => `  ${suite}: ${fullName}`),
  ];
}
