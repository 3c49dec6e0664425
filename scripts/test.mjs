/**
 * `npm test`: runs every suite except the long ones (`npm run soak`), the cheapest first, until a part fails.
 *
 *   npm test                      everything
 *   npm test -- --keep-going      everything, also after a failure
 *   npm test -- unit contract     these parts only
 */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium, noChromium } from './lib/chromium.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runEndToEnd, runJest } from './lib/jest.mjs';

/** @returns {Promise<boolean>} */
async function endToEnd() {
  const chromium = await ensureChromium();
  if (!chromium) {
    process.stderr.write(`\n${noChromium}\n`);
    return false;
  }
  return (await runEndToEnd(chromium)) === 0;
}

/** @type {{ name: string, run: () => Promise<boolean> }[]} */
const parts = [
  { name: 'unit', run: async () => (await runJest(['unit', 'architecture'])) === 0 },
  { name: 'contract', run: async () => (await runJest(['contract'])) === 0 },
  { name: 'integration', run: async () => (await runJest(['integration'])) === 0 },
  { name: 'e2e', run: endToEnd },
];

await runScript(async () => {
  const args = process.argv.slice(2);
  const keepGoing = args.includes('--keep-going');
  const wanted = args.filter((arg) => arg !== '--keep-going');
  const unknown = wanted.find((name) => !parts.some((part) => part.name === name));
  if (unknown) {
    throw new StepFailed(`There is no part "${unknown}". The parts are ${parts.map(({ name }) => name).join(', ')}.`);
  }
  const chosen = wanted.length > 0 ? parts.filter(({ name }) => wanted.includes(name)) : parts;

  await ensureDependencies();
  await ensureBuilt();

  /** @type {string[]} */
  const failed = [];
  for (const [index, part] of chosen.entries()) {
    say(`\n${part.name} tests (${index + 1} of ${chosen.length})`);
    if (await part.run()) continue;
    failed.push(part.name);
    if (!keepGoing) break;
  }
  if (failed.length > 0) throw new StepFailed(`Failed: ${failed.join(', ')} tests.`);
  say('\nAll tests passed.');
});
