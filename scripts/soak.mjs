/** `npm run soak`: the long suites (crashes, faults and properties at full length), one after the other. */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium, noChromium } from './lib/chromium.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJest } from './lib/jest.mjs';

await runScript(async () => {
  await ensureDependencies();
  await ensureBuilt();
  const chromium = await ensureChromium();
  if (!chromium) throw new StepFailed(noChromium);
  const env = { FANVAS_SOAK: '1', CHROMIUM_PATH: chromium };
  if ((await runJest(['soak'], { serial: true, env, args: process.argv.slice(2) })) !== 0) {
    throw new StepFailed('Failed: soak tests.');
  }
  say('\nAll soak tests passed.');
});
