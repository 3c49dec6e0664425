/**
 * `node scripts/measure-commit.mjs <commit> [part...]`: the processor time of the parts of `npm test` at a commit,
 * measured as `npm test` measures its own, to compare commits on one machine. The commit is checked out in a temporary
 * folder, installed and built first. Without parts it measures all that the commit has, also those whose tests fail.
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
    if ((await inFolder('npm ci --no-audit --no-fund && npm run build')) !== 0) throw new StepFailed('No build.');
    const parts = chosen.length > 0 ? chosen : partsOf(readFileSync(join(folder, 'scripts/test.mjs'), 'utf8'));
    const loopSeconds = calibrationSeconds();
    const lines = [];
    for (const part of parts) {
      const { result: code, seconds } = await measure(() => inFolder('node scripts/test.mjs', part));
      const outcome = code === 0 ? '' : ' (failed)';
      lines.push(
        `${seconds.toFixed(0).padStart(6)} s ${loops(seconds, loopSeconds).padStart(7)} loops  ${part}${outcome}`,
      );
    }
    say(`\n${commit}, a calibration loop: ${loopSeconds.toFixed(1)} s\n${lines.join('\n')}`);
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
