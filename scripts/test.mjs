/**
 * `npm test`: runs every suite except the long ones (`npm run soak`), the cheapest first, until a part fails.
 *
 *   npm test                      everything
 *   npm test -- --keep-going      everything, also after a failure
 *   npm test -- unit contract     these parts only
 *   npm test -- --random          the files of each part in random order; --random=<seed> repeats an order
 *
 * At the end it prints the processor time of the parts and of the most expensive files, and fails when one is above the
 * budget of docs/testing.md. test/.artifacts/costs.jsonl has all files.
 */
import './lib/node-version.mjs';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { calibrationSeconds } from './lib/calibration.mjs';
import { ensureChromium, noChromium } from './lib/chromium.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runEndToEnd, runJest } from './lib/jest.mjs';
import { hasProcessorTime } from './lib/processor-time.mjs';
import { root } from './lib/run.mjs';
import { currentBudget, loops, measure, problemsOf, readFileCosts } from './lib/test-costs.mjs';

/**
 * @param {(chromium: string) => Promise<number>} tests
 * @returns {Promise<boolean>}
 */
async function inChromium(tests) {
  const chromium = await ensureChromium();
  if (!chromium) {
    process.stderr.write(`\n${noChromium}\n`);
    return false;
  }
  return (await tests(chromium)) === 0;
}

/** @type {{ name: string, run: () => Promise<boolean> }[]} */
const parts = [
  { name: 'unit', run: async () => (await runJest(['unit', 'architecture'])) === 0 },
  { name: 'web', run: async () => (await runJest(['web'])) === 0 },
  {
    name: 'contract',
    run: () => inChromium((chromium) => runJest(['contract'], { env: { CHROMIUM_PATH: chromium } })),
  },
  { name: 'integration', run: async () => (await runJest(['integration'])) === 0 },
  { name: 'e2e', run: () => inChromium((chromium) => runEndToEnd(chromium)) },
];

await runScript(async () => {
  const args = process.argv.slice(2);
  const keepGoing = args.includes('--keep-going');
  const random = args.find((arg) => /^--random(=|$)/.test(arg));
  const wanted = args.filter((arg) => arg !== '--keep-going' && arg !== random);
  if (random) process.env['TEST_ORDER_SEED'] = random.split('=')[1] ?? randomBytes(4).toString('hex');
  const unknown = wanted.find((name) => !parts.some((part) => part.name === name));
  if (unknown) {
    throw new StepFailed(`There is no part "${unknown}". The parts are ${parts.map(({ name }) => name).join(', ')}.`);
  }
  const chosen = wanted.length > 0 ? parts.filter(({ name }) => wanted.includes(name)) : parts;

  await ensureDependencies();
  await ensureBuilt();

  if (random) say(`Random order of files: repeat it with --random=${process.env['TEST_ORDER_SEED']}`);
  const report = (process.env['TEST_COSTS'] = join(root, 'test', '.artifacts', 'costs.jsonl'));
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const loopBefore = calibrationSeconds();
  /** @type {Map<string, number>} */
  const seconds = new Map();
  /** @type {string[]} */
  const failed = [];
  for (const [index, part] of chosen.entries()) {
    say(`\n${part.name} tests (${index + 1} of ${chosen.length})`);
    const { result: passed, seconds: cost } = await measure(part.run);
    seconds.set(part.name, cost);
    if (passed) continue;
    failed.push(part.name);
    if (!keepGoing) break;
  }
  const problems = hasProcessorTime ? reportCosts(seconds, readFileCosts(report), loopBefore) : [];
  if (failed.length > 0) throw new StepFailed(`Failed: ${failed.join(', ')} tests.`);
  if (problems.length > 0) throw new StepFailed(problems.join('\n'));
  say('\nAll tests passed.');
});

/**
 * Prints what the parts and the most expensive files cost.
 * @param {Map<string, number>} parts seconds
 * @param {import('./lib/test-costs.mjs').FileCost[]} files
 * @param {number} loopBefore seconds of a loop before the tests
 * @returns {string[]} what is above the budget
 */
function reportCosts(parts, files, loopBefore) {
  // A machine's speed varies within a run: the slower loop counts.
  const loopSeconds = Math.max(loopBefore, calibrationSeconds());
  /** @param {number} seconds */
  const row = (seconds) => `${seconds.toFixed(0).padStart(6)} s ${loops(seconds, loopSeconds).padStart(7)} loops  `;
  const total = [...parts.values()].reduce((sum, each) => sum + each, 0);
  say(`\nProcessor time (a calibration loop: ${loopSeconds.toFixed(1)} s)`);
  for (const [name, seconds] of parts) say(`${row(seconds)}${name}`);
  say(`${row(total)}in all\n\nThe most expensive files`);
  for (const { file, seconds } of files.slice(0, 10)) say(`${row(seconds)}${file}`);
  return problemsOf(parts, files, loopSeconds, currentBudget());
}
