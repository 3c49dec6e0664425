/** `npm run format`: formats all files with oxfmt (.oxfmtrc.jsonc). */
import './lib/node-version.mjs';
import { runScript, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runBin } from './lib/run.mjs';

await runScript(async () => {
  await ensureDependencies();
  const { code } = await runBin('oxfmt', []);
  if (code !== 0) throw new StepFailed('Some files could not be formatted: see above.');
});
