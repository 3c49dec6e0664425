/**
 * `npm test`: runs every suite except the long ones (`npm run soak`), the cheapest first, until a part fails.
 *
 *   npm test                      everything
 *   npm test -- --keep-going      everything, also after a failure
 *   npm test -- unit web          these parts only
 *   npm test -- --random          the files of each part in random order; --random=<seed> repeats an order
 *
 * At the end it prints the processor time of the parts and of the most expensive files. A part above the budget of
 * docs/testing.md and an expensive file without a line there are measured again; the run fails when they are expensive
 * both times. test/.artifacts/costs.jsonl has all files.
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
import { runJest } from './lib/jest.mjs';
import { hasProcessorTime } from './lib/processor-time.mjs';
import { root } from './lib/run.mjs';
import {
  currentBudget,
  filesAboveLine,
  filesWithoutLine,
  loops,
  measure,
  partsAboveBudget,
  readFileCosts,
} from './lib/test-costs.mjs';

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
    name: 'integration',
    run: () =>
      inChromium(async (chromium) => {
        // Contract tests mostly wait for SDKs and processes.
        const contract = { serial: true, printAtEnd: true, env: { CHROMIUM_PATH: chromium } };
        const codes = await Promise.all([runJest(['contract'], contract), runJest(['integration'])]);
        return Math.max(...codes);
      }),
  },
  { name: 'e2e', run: () => inChromium((chromium) => runJest(['e2e'], { env: { CHROMIUM_PATH: chromium } })) },
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
  const problems = hasProcessorTime
    ? reportCosts(seconds, readFileCosts(report), loopBefore)
    : { parts: [], files: [] };
  if (failed.length > 0) throw new StepFailed(`Failed: ${failed.join(', ')} tests.`);
  const secondReport = (process.env['TEST_COSTS'] = join(dirname(report), 'costs-again.jsonl'));
  rmSync(secondReport, { force: true });
  const confirmed = [
    ...(await measureFilesAgain(problems.files, secondReport)),
    ...(await measurePartsAgain(problems.parts)),
  ];
  if (confirmed.length > 0) throw new StepFailed(confirmed.join('\n'));
  say('\nAll tests passed.');
});

/**
 * Prints what the parts and the most expensive files cost.
 * @param {Map<string, number>} parts seconds
 * @param {import('./lib/test-costs.mjs').FileCost[]} files
 * @param {number} loopBefore seconds of a loop before the tests
 * @returns {{ parts: { part: string, problem: string }[], files: { file: string, problem: string }[] }} parts above
 *   their budget, and expensive files without a line
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
  const budget = currentBudget();
  const aboveLine = filesAboveLine(files, loopSeconds, budget);
  if (aboveLine.length > 0) say(`\nAbove their lines in docs/testing.md\n${aboveLine.join('\n')}`);
  return {
    parts: partsAboveBudget(parts, loopSeconds, budget),
    files: filesWithoutLine(files, loopSeconds, budget),
  };
}

/**
 * Runs expensive files without a line again, one at a time. The first cost of a file contains what its worker did for
 * others: loading modules, collecting garbage, and waiting for the memory that another worker used.
 * @param {{ file: string, problem: string }[]} files
 * @param {string} report the file of the costs
 * @returns {Promise<string[]>} a sentence for each file that is expensive again
 */
async function measureFilesAgain(files, report) {
  if (files.length === 0) return [];
  say(`\nMeasured again, by itself:\n${files.map(({ problem }) => problem).join('\n')}`);
  const loopBefore = calibrationSeconds();
  const paths = files.map(({ file }) => file);
  const passed = await inChromium((chromium) =>
    runJest(['unit', 'architecture', 'web', 'contract', 'integration', 'e2e'], {
      serial: true,
      args: ['--runTestsByPath', ...paths],
      env: { CHROMIUM_PATH: chromium },
    }),
  );
  if (!passed) return ['A file that was measured again failed.'];
  const loopSeconds = Math.max(loopBefore, calibrationSeconds());
  return filesWithoutLine(readFileCosts(report), loopSeconds, currentBudget()).map(({ problem }) => problem);
}

/**
 * Runs parts above their budget again. A neighbour of a virtual machine can slow the tests of a few minutes by half
 * without slowing the loops before and after them.
 * @param {{ part: string, problem: string }[]} aboveBudget
 * @returns {Promise<string[]>} a sentence for each part that is above its budget again
 */
async function measurePartsAgain(aboveBudget) {
  /** @type {string[]} */
  const confirmed = [];
  for (const { name, run } of parts) {
    const first = aboveBudget.find(({ part }) => part === name);
    if (!first) continue;
    say(`\nMeasured again: ${first.problem}`);
    const loopBefore = calibrationSeconds();
    const { result: passed, seconds } = await measure(run);
    if (!passed) confirmed.push(`The part "${name}" failed when it was measured again.`);
    const loopSeconds = Math.max(loopBefore, calibrationSeconds());
    const second = partsAboveBudget(new Map([[name, seconds]]), loopSeconds, currentBudget());
    confirmed.push(...second.map(({ problem }) => problem));
  }
  return confirmed;
}
