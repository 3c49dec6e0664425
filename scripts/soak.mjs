/**
 * `npm run soak`: the long suites (crashes, faults and properties at full length), one after the other.
 *
 *   npm run soak -- --write                     puts the results into docs/soak.md as well
 *   npm run soak -- processes                   one suite; what follows goes to Jest
 *
 * SOAK_CRASHES (100) says how often the process is killed at a random moment, SOAK_ATTACK_MINUTES (60) how long the
 * mixed attack lasts, SOAK_MINUTES (5) how long each number of processes is killed, SOAK_SEED at which moments.
 */
import './lib/node-version.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium, noChromium } from './lib/chromium.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { needPackages } from './lib/debian-packages.mjs';
import { runJest } from './lib/jest.mjs';
import { root, runBin } from './lib/run.mjs';

/** Seed of the random moments; the same seed gives the same moments. */
const seed = process.env['SOAK_SEED'] ?? '20261121';

/** The suites with sections of their own. */
const ATTACK_SUITE = 'mixed-attack.spec.ts';
const PROCESSES_SUITE = 'processes.spec.ts';

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
  // The tests run against the current build, regardless of later commits during the run.
  const tested = commit();
  const chromium = await ensureChromium();
  if (!chromium) throw new StepFailed(noChromium);
  await needPackages('/usr/sbin/haproxy', 'haproxy');
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-soak-'));
  const attacks = join(folder, 'attacks.ndjson');
  const processes = join(folder, 'processes.ndjson');
  const env = {
    FANVAS_SOAK: '1',
    CHROMIUM_PATH: chromium,
    SOAK_SEED: seed,
    SOAK_ATTACK_REPORT: attacks,
    SOAK_PROCESSES_REPORT: processes,
  };
  try {
    const file = join(folder, 'results.json');
    const jest = [...args.filter((arg) => arg !== '--write'), '--json', `--outputFile=${file}`];
    const code = await runJest(['soak'], { serial: true, env, args: jest });
    if (write) {
      const { testResults } = /** @type {{ testResults: Suite[] }} */ (JSON.parse(readFileSync(file, 'utf8')));
      writeReport(testResults, tested, linesOf(attacks), linesOf(processes));
      await runBin('oxfmt', [join('docs', 'soak.md')]);
      say('\nWritten to docs/soak.md.');
    }
    if (code !== 0) throw new StepFailed('Failed: soak tests.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say('\nAll soak tests passed.');
});

/**
 * The counts of `test/soak/mixed-attack.spec.ts`.
 * @typedef {object} Attack
 * @property {number} minutes
 * @property {Record<string, number>} kills
 * @property {number} starts
 * @property {number} longestOutageSeconds
 * @property {number} audits
 * @property {{ bodies: number, slowConnections: number, internalErrors: number }} attack
 * @property {{ fans: number, delivered: number, purchases: number, interrupted: number }} fans
 * @property {string[]} problems
 */

/**
 * The counts of a test of `test/soak/processes.spec.ts` with killed processes.
 * @typedef {object} KilledProcesses
 * @property {number} minutes
 * @property {number} processes
 * @property {number} kills
 * @property {number} slowestStartSeconds
 * @property {{ answered: number, resent: number }} requests
 * @property {{ fans: number, delivered: number, purchases: number, refunds: number }} fans
 * @property {string[]} problems
 */
/**
 * @typedef {object} IdleProcess
 * @property {string} roles
 * @property {number} startSeconds
 * @property {number} transactionsPerSecond
 * @property {number} corePercent
 */

/**
 * The lines of a report; none when its suite did not run to its end.
 * @param {string} file
 * @returns {unknown[]}
 */
function linesOf(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.map((line) => /** @type {unknown} */ (JSON.parse(line)));
}

/**
 * Replaces the sections of docs/soak.md whose suites ran.
 * @param {Suite[]} suites
 * @param {string} tested the commit
 * @param {unknown[]} attacks
 * @param {unknown[]} processes
 */
function writeReport(suites, tested, attacks, processes) {
  const file = join(root, 'docs', 'soak.md');
  let text = readFileSync(file, 'utf8');
  const others = suites.filter(({ name }) => ![ATTACK_SUITE, PROCESSES_SUITE].includes(basename(name)));
  if (others.length > 0) text = replaceSection(text, 'suites', suitesSection(others, tested));
  const attack = /** @type {Attack | undefined} */ (attacks.at(-1));
  if (attack) text = replaceSection(text, 'attack', attackSection(attack, tested));
  if (processes.length > 0) text = replaceSection(text, 'processes', processesSection(processes, tested));
  writeFileSync(file, text);
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string} section
 */
function replaceSection(text, name, section) {
  const begin = `<!-- begin: ${name} -->`;
  const end = `<!-- end: ${name} -->`;
  const before = text.split(begin)[0];
  const rest = text.split(end)[1];
  if (rest === undefined) throw new StepFailed(`docs/soak.md has no section "${name}".`);
  return `${before}${begin}\n\n${section}\n\n${end}${rest}`;
}

/** @param {string} tested the commit */
function conditions(tested) {
  return `Written by \`npm run soak -- --write\` on ${new Date().toISOString().slice(0, 10)}, at commit ${tested}, on ${cpus().length} cores with Node ${process.versions.node}. Seed: ${seed}.`;
}

/**
 * @param {Suite[]} suites
 * @param {string} tested the commit
 */
function suitesSection(suites, tested) {
  const ran = suites.map(({ name, startTime, endTime, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed');
    const failed = tests.filter(({ status }) => status === 'failed');
    return { suite: basename(name), tests: tests.length, failed, minutes: (endTime - startTime) / 60_000 };
  });
  // Each test of this file kills the process once and audits the result.
  const kills = ran.find(({ suite }) => suite === 'crash.spec.ts')?.tests ?? 0;
  const problems = ran.flatMap(({ suite, failed }) =>
    failed.map(({ fullName, failureMessages }) => `- ${suite}: ${fullName}: ${firstLine(failureMessages[0] ?? '')}`),
  );
  const rows = ran.map(
    ({ suite, tests, failed, minutes }) => `| ${suite} | ${tests} | ${failed.length} | ${minutes.toFixed(1)} |`,
  );
  return `${conditions(tested)}
The process was killed ${kills} times under load. After each kill it was restarted and the ledger was audited, also with \`npm run ledger -- verify\`.

| Suite | Tests | Failed | Minutes |
| ----- | ----: | -----: | ------: |
${rows.join('\n')}

${problems.length === 0 ? 'Problems found: none.' : `Problems found:\n\n${problems.join('\n')}`}`;
}

/**
 * @param {Attack} attack
 * @param {string} tested the commit
 */
function attackSection({ minutes, kills, starts, longestOutageSeconds, audits, attack, fans, problems }, tested) {
  const killed = Object.entries(kills).map(([kind, times]) => `| kills: ${kind} | ${times} |`);
  return `${conditions(tested)}

| Count in ${minutes} minutes | |
| ----- | ----: |
${killed.join('\n')}
| starts of the app | ${starts} |
| longest time without an answer of \`/healthz\`, seconds | ${longestOutageSeconds} |
| audits next to the running app | ${audits} |
| hostile bodies | ${attack.bodies} |
| hostile bodies that were answered with 500 | ${attack.internalErrors} |
| slow connections | ${attack.slowConnections} |
| fans | ${fans.fans} |
| images that a fan saw arrive | ${fans.delivered} |
| purchases | ${fans.purchases} |
| stories that a kill or a refusal ended early | ${fans.interrupted} |
| problems | ${problems.length} |${problems.map((problem) => `\n\n- ${firstLine(problem)}`).join('')}`;
}

/**
 * @param {unknown[]} lines
 * @param {string} tested the commit
 */
function processesSection(lines, tested) {
  const reports = /** @type {(KilledProcesses | IdleProcess)[]} */ (lines);
  const killed = reports.filter((report) => 'kills' in report);
  const idle = reports.filter((report) => 'roles' in report);
  /** @param {string} name @param {(run: KilledProcesses) => number} count */
  const row = (name, count) => `| ${name} | ${killed.map(count).join(' | ')} |`;
  const problems = killed.flatMap((run) => run.problems.map((problem) => `- ${run.processes}: ${firstLine(problem)}`));
  return `${conditions(tested)}

| Processes | ${killed.map(({ processes }) => processes).join(' | ')} |
| ----- | ${killed.map(() => '----:').join(' | ')} |
${row('minutes', ({ minutes }) => minutes)}
${row('kills', ({ kills }) => kills)}
${row('slowest start of a process, seconds', (run) => run.slowestStartSeconds)}
${row('answered requests', ({ requests }) => requests.answered)}
${row('requests in flight at a kill, which were sent again', ({ requests }) => requests.resent)}
${row('fans', ({ fans }) => fans.fans)}
${row('images that a fan saw arrive', ({ fans }) => fans.delivered)}
${row('purchases', ({ fans }) => fans.purchases)}
${row('refunds by an admin', ({ fans }) => fans.refunds)}
${row('problems', (run) => run.problems.length)}

${problems.join('\n')}

| Roles of an idle process | Start, processor seconds | Transactions a second | Share of a core |
| ----- | ----: | ----: | ----: |
${idle.map((cost) => `| ${cost.roles} | ${cost.startSeconds.toFixed(1)} | ${cost.transactionsPerSecond.toFixed(1)} | ${cost.corePercent.toFixed(2)} % |`).join('\n')}`;
}

/** @param {string} message */
function firstLine(message) {
  // Without the colours of the terminal.
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
