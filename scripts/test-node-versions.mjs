/**
 * `npm run test:node-versions`: runs the unit and integration suites on every supported Node version. The npm package
 * `node` brings the binaries; they are installed in a temporary folder, not in this package.
 *
 *   npm run test:node-versions                     all versions, unit and integration
 *   npm run test:node-versions -- unit             only these parts of `npm test`
 *   npm run test:node-versions -- --only 22        one version
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { root, run } from './lib/run.mjs';

/** The oldest supported version and the long-term releases after it. */
const VERSIONS = ['20.19', '22', '24'];

await runScript(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
  const versions = values.only ? [values.only] : VERSIONS;
  const parts = positionals.length > 0 ? positionals : ['unit', 'integration'];
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-node-'));
  /** @type {string[]} */
  const failed = [];
  try {
    for (const version of versions) {
      const binary = await install(version, join(folder, version));
      const { output } = await run(binary, ['--version'], { capture: true });
      say(`\nNode ${output.trim()}: ${parts.join(', ')}`);
      const { code } = await run(binary, [join(root, 'scripts', 'test.mjs'), '--keep-going', ...parts]);
      if (code !== 0) failed.push(version);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (failed.length > 0) throw new StepFailed(`Failed on Node ${failed.join(', ')}.`);
  say(`\nPassed on Node ${versions.join(', ')}.`);
});

/**
 * @param {string} version
 * @param {string} folder
 * @returns {Promise<string>} the path of the binary
 */
async function install(version, folder) {
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', `node@${version}`];
  const { code, output } = await run('npm', args, { capture: true });
  if (code !== 0) throw new StepFailed(`Node ${version} could not be installed:\n${output}`);
  return join(folder, 'node_modules', 'node', 'bin', 'node');
}
