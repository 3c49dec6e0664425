/**
 * `npm run soak`: the long suites (crashes, faults and properties at full length), one after the other.
 *
 *   npm run soak -- --write                     puts what came out into docs/soak.md as well
 *   npm run soak -- --testPathPatterns crash    what follows goes to Jest
 *
 * SOAK_CRASHES (100) says how often the process is killed at a random moment, SOAK_SEED at which ones.
 */
import './lib/node-version.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium, noChromium } from './lib/chromium.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJest } from './lib/jest.mjs';
import { root, runBin } from './lib/run.mjs';

/** Seed of the random moments; the same seed gives the same moments. */
const seed = process.env['SOAK_SEED'] ?? '20261121';

/**
 * @typedef {object} Assertion
 * @property {string} fullName
 * @property {string} status
 * @property {string[]} failureMessages
 */
/** @typedef {{ name: string, startTime: number, endTime: number, assertionResults: Assertion[] }} Suite */

await runScript(async () => {
  const args = process.argv.slice(2);
  const write = args.includes('--write');
  await ensureDependencies();
  await ensureBuilt();
  // The tests run against the current build, regardless of later commits during the run
  const tested = commit();
  const chromium = await ensureChromium();
  if (!chromium) throw new StepFailed(noChromium);
  const env = { FANVAS_SOAK: '1', CHROMIUM_PATH: chromium, SOAK_SEED: seed };
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-soak-'));
  try {
    const file = join(folder, 'results.json');
    const jest = [...args.filter((arg) => arg !== '--write'), '--json', `--outputFile=${file}`];
    const code = await runJest(['soak'], { serial: true, env, args: jest });
    if (write) {
      const { testResults } = /** @type {{ testResults: Suite[] }} */ (JSON.parse(readFileSync(file, 'utf8')));
      writeFileSync(join(root, 'docs', 'soak.md'), report(testResults, tested));
      await runBin('prettier', ['--log-level', 'warn', '--write', join('docs', 'soak.md')]);
      say('\nWritten to docs/soak.md.');
    }
    if (code !== 0) throw new StepFailed('Failed: soak tests.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say('\nAll soak tests passed.');
});

/**
 * @param {Suite[]} suites
 * @param {string} tested the commit
 */
function report(suites, tested) {
  const ran = suites.map(({ name, startTime, endTime, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed');
    const failed = tests.filter(({ status }) => status === 'failed');
    return { suite: basename(name), tests: tests.length, failed, minutes: (endTime - startTime) / 60_000 };
  });
  // Each test of this file kills the process once, and audits what is left
  const kills = ran.find(({ suite }) => suite === 'crash.spec.ts')?.tests ?? 0;
  const problems = ran.flatMap(({ suite, failed }) =>
    failed.map(({ fullName, failureMessages }) => `- ${suite}: ${fullName}: ${firstLine(failureMessages[0] ?? '')}`),
  );
  const rows = ran.map(
    ({ suite, tests, failed, minutes }) => `| ${suite} | ${tests} | ${failed.length} | ${minutes.toFixed(1)} |`,
  );
  return `# The last soak run

Written by \`npm run soak -- --write\` on ${new Date().toISOString().slice(0, 10)}, at commit ${tested}, on ${cpus().length} cores with Node ${process.versions.node}.
The process was killed ${kills} times under load. After each kill it was restarted and the ledger was audited, also with \`npm run ledger -- verify\`. Seed: ${seed}.

| Suite | Tests | Failed | Minutes |
| ----- | ----: | -----: | ------: |
${rows.join('\n')}

${problems.length === 0 ? 'Problems found: none.' : `Problems found:\n\n${problems.join('\n')}`}
`;
}

/** @param {string} message */
function firstLine(message) {
  // Without the colours of the terminal
  return (message.split('\n').find((line) => line.trim() !== '') ?? '').replace(/\u001b\[\d+m/g, '').trim();
}

function commit() {
  try {
    const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
    return (
      git('rev-parse', '--short', 'HEAD') +
      (git('status', '--porcelain', 'src', 'web', 'test') === '' ? '' : ' with changes')
    );
  } catch {
    return 'unknown';
  }
}
