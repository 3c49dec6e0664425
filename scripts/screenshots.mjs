/**
 * `npm run screenshots`: saves pictures of screens and of their rare states, at 1280 and 390 px, light and dark, in
 * test/.artifacts/screenshots. A developer looks at them before each release.
 *
 *   npm run screenshots              all
 *   npm run screenshots -- limit     those with this word in their name
 */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium, noChromium } from './lib/chromium.mjs';
import { runScript, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJest } from './lib/jest.mjs';

await runScript(async () => {
  const [name] = process.argv.slice(2);
  await ensureDependencies();
  await ensureBuilt();
  const chromium = await ensureChromium();
  if (!chromium) throw new StepFailed(noChromium);
  const args = name ? ['--testNamePattern', name] : [];
  const code = await runJest(['screenshots'], { serial: true, args, env: { CHROMIUM_PATH: chromium } });
  if (code !== 0) throw new StepFailed('Some pictures are missing.');
});
