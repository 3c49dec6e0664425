/**
 * `node scripts/measure-commit.mjs <commit> [part...]`: the processor time and the duration of the parts of `npm test`
 * at a commit, measured as `npm test` measures its own, to compare commits on one machine. The commit is checked out in
 * a temporary folder. Without parts it measures all that the commit has, also those whose tests fail, and
 * `npm run check`. With the installation and the build, that is `.ci/run` without other versions of Postgres and other
 * browsers.
 */
import './lib/node-version.mjs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calibrationSeconds } from './lib/calibration.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { hasProcessorTime } from './lib/processor-time.mjs';
import { root, run } from './lib/run.mjs';
import { loops, measure } from './lib/test-costs.mjs';

await runScript(async () => {
  const [commit, ...chosen] = process.argv.slice(2);
  if (!commit) throw new StepFailed('Name a commit: node scripts/measure-commit.mjs <commit> [part...]');
  if (!hasProcessorTime) throw new StepFailed('Processor time can be measured on Linux only.');
  const folder = join(mkdtempSync(join(tmpdir(), 'fanvas-commit-')), 'fanvas');
  /** @param {string[]} words */
  const inFolder = async (...words) => {
    const line = `cd '${folder}' && ${words.join(' ')}`;
    return (await run('sh', ['-c', line], { env: { CI: '1' } })).code;
  };
  try {
    if ((await run('git', ['clone', '--quiet', root, folder])).code !== 0) throw new StepFailed('No clone.');
    if ((await inFolder('git checkout --quiet', commit)) !== 0) throw new StepFailed(`No commit ${commit}.`);
    const loopSeconds = calibrationSeconds();
    /** @type {{ name: string, seconds: number, elapsed: number }[]} */
    const steps = [];
    /** @param {string} name @param {string} command */
    const step = async (name, command) => {
      const begin = Date.now();
      const { result: code, seconds } = await measure(() => inFolder(command));
      steps.push({ name: code === 0 ? name : `${name} (failed)`, seconds, elapsed: (Date.now() - begin) / 1_000 });
      return code;
    };
    if ((await step('install and build', 'npm ci --no-audit --no-fund && npm run build')) !== 0)
      throw new StepFailed('No build.');
    const parts = chosen.length > 0 ? chosen : partsOf(readFileSync(join(folder, 'scripts/test.mjs'), 'utf8'));
    for (const part of parts) await step(part, `node scripts/test.mjs ${part}`);
    if (chosen.length === 0) await step('check', 'npm run check');
    /** @param {'seconds' | 'elapsed'} column */
    const sum = (column) => steps.reduce((total, each) => total + each[column], 0);
    const rows = [...steps, { name: 'in all', seconds: sum('seconds'), elapsed: sum('elapsed') }];
    const table = rows.map(({ name, seconds, elapsed }) => {
      const cost = `${seconds.toFixed(0).padStart(6)} s ${loops(seconds, loopSeconds).padStart(7)} loops`;
      return `${cost}, in ${elapsed.toFixed(0).padStart(5)} s  ${name}`;
    });
    say(`\n${commit}, a calibration loop: ${loopSeconds.toFixed(1)} s\n${table.join('\n')}`);
  } finally {
    rmSync(join(folder, '..'), { recursive: true, force: true });
  }
});

/**
 * @param {string} script the `scripts/test.mjs` of the commit
 * @returns {string[]} the names of its parts
 */
function partsOf(script) {
  return [...script.matchAll(/\{ name: '(\w+)', run: /g)].map(([, name = '']) => name);
}
