/**
 * `npm run test:browsers`: goes through the product in Firefox and WebKit, which Debian has; as root it installs them.
 * An engine that cannot be installed is left out.
 *
 *   npm run test:browsers                       every journey in both engines, before each release
 *   npm run test:browsers -- --only main-job    one file, within the budget "browsers" of docs/testing.md
 *   npm run test:browsers -- --engine webkit    one engine
 */
import './lib/node-version.mjs';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './lib/build.mjs';
import { calibrationSeconds } from './lib/calibration.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ENGINES, ensureEngine } from './lib/engines.mjs';
import { runJest } from './lib/jest.mjs';
import { hasProcessorTime } from './lib/processor-time.mjs';
import { root } from './lib/run.mjs';
import { currentBudget, loops, readFileCosts } from './lib/test-costs.mjs';

/** Next to other work the journeys take longer, and what moves in the pages meanwhile costs as much again. */
const BUDGET_FACTOR = 2.5;

await runScript(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, engine: { type: 'string' } } });
  const wanted = ENGINES.filter(({ name }) => !values.engine || name === values.engine);
  if (wanted.length === 0) throw new StepFailed(`Choose one of ${ENGINES.map(({ name }) => name).join(', ')}.`);
  await ensureDependencies();
  await ensureBuilt();
  /** @type {string[]} */
  const found = [];
  for (const engine of wanted) {
    if (await ensureEngine(engine)) found.push(engine.name);
    else
      say(
        `Left out ${engine.name}, which cannot be installed here. On Debian: apt-get install ${engine.packages.join(' ')}`,
      );
  }
  if (found.length === 0) return;

  // Without the demo data, which the end-to-end tests have made before
  const report = (process.env['TEST_COSTS'] = join(root, 'test', '.artifacts', 'browsers.jsonl'));
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const args = values.only ? ['--testPathPatterns', values.only] : [];
  const code = await runJest(['browsers'], { serial: true, args, env: { ENGINES: found.join() } });
  if (code !== 0) throw new StepFailed('Failed: tests in other browsers.');
  if (!hasProcessorTime || values.only !== 'main-job') return;
  const seconds = readFileCosts(report).reduce((sum, file) => sum + file.seconds, 0);
  const loop = calibrationSeconds();
  say(`Processor time: ${seconds.toFixed(0)} s, ${loops(seconds, loop)} loops of ${loop.toFixed(1)} s`);
  const budget = currentBudget().parts.get('browsers') ?? 0;
  if (seconds > budget * loop * BUDGET_FACTOR) {
    throw new StepFailed(`The main job costs ${loops(seconds, loop)} loops; its budget is ${budget}.`);
  }
});
