/**
 * `npm run test:node-versions`: runs the unit, web and integration suites on every supported Node version and prints
 * the result of each version and part. The npm package `node` brings the binaries; they are installed in a temporary
 * folder, not in this package.
 *
 *   npm run test:node-versions                                     all versions, unit, web and integration
 *   npm run test:node-versions -- unit                             only these parts of `npm test`
 *   npm run test:node-versions -- --only 22                        one version
 *   npm run test:node-versions -- integration --files rate-limiter only specs with this in their path
 *   npm run test:node-versions -- --leave-out                      goes on after a version that cannot be installed
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { bin, root, run } from './lib/run.mjs';

/** The oldest supported version and the long-term releases after it. */
const VERSIONS = ['20.19', '22', '24'];
/** Parts whose specs run the sources only. */
const WITHOUT_BUILD = new Set(['unit', 'web']);

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, files: { type: 'string' }, 'leave-out': { type: 'boolean' } },
  });
  const versions = values.only ? [values.only] : VERSIONS;
  const parts = positionals.length > 0 ? positionals : ['unit', 'web', 'integration'];
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-node-'));
  /** @type {{ version: string, part: string, passed: boolean }[]} */
  const results = [];
  try {
    for (const version of versions) {
      const binary = await install(version, join(folder, version)).catch((/** @type {unknown} */ error) => {
        if (!values['leave-out'] || !(error instanceof StepFailed)) throw error;
        say(`Left out: ${error.message}`);
        return null;
      });
      if (!binary) continue;
      const { output } = await run(binary, ['--version'], { capture: true });
      for (const part of parts) {
        say(`\nNode ${output.trim()}: ${part}`);
        results.push({ version: output.trim(), part, passed: await test(binary, part, values.files) });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say('\nResults');
  for (const { version, part, passed } of results) {
    say(`${version.padEnd(10)} ${part.padEnd(12)} ${passed ? 'passed' : 'FAILED'}`);
  }
  if (results.some(({ passed }) => !passed)) throw new StepFailed('Not every part passed.');
});

/**
 * Runs one part with a build of this Node version, as `npm test` does.
 * @param {string} binary
 * @param {string} part
 * @param {string | undefined} files all specs of the part without it
 * @returns {Promise<boolean>} whether it passed
 */
async function test(binary, part, files) {
  // Tests that start `node` by name must find this version.
  const env = { PATH: `${dirname(binary)}${delimiter}${process.env['PATH'] ?? ''}` };
  if (files === undefined) return (await run(binary, [join(root, 'scripts', 'test.mjs'), part], { env })).code === 0;

  const build = WITHOUT_BUILD.has(part) ? null : await run(binary, [join(root, 'scripts', 'build.mjs')], { env });
  if (build && build.code !== 0) return false;
  const { code } = await run(binary, [bin('jest'), files, '--selectProjects', part, '--maxWorkers=1'], { env });
  return code === 0;
}

/**
 * @param {string} version
 * @param {string} folder
 * @returns {Promise<string>} the path of the binary
 */
async function install(version, folder) {
  // The package's install script links the binary, also where npm is set to skip install scripts.
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts=false'];
  const { code, output } = await run('npm', [...args, `node@${version}`], { capture: true });
  if (code !== 0) throw new StepFailed(`Node ${version} could not be installed:\n${output}`);
  return join(folder, 'node_modules', 'node', 'bin', 'node');
}
