import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HAND_MUTANTS } from '../../test/mutants/hand.mjs';
import { say, StepFailed } from './console.mjs';
import { whenNpmIsGone } from './parent.mjs';
import { root } from './run.mjs';

/** @typedef {import('../../test/mutants/hand.mjs').HandMutant} HandMutant */
/** @typedef {{ name: string, assertionResults: { status: string, title: string }[], message: string }} SpecResult */
/**
 * @typedef {object} Outcome
 * @property {boolean} passed
 * @property {string} output
 * @property {SpecResult[] | null} results null: the process ended before it wrote them
 */

const RESULTS = join(root, 'test', '.artifacts', 'mutation', 'hand.json');
const JEST = new URL('./jest.mjs', import.meta.url).href;

/** Puts the file back that has a fault now. */
let restore = () => {};
/** Ends the processes of the tests that run now. */
let endTests = () => {};

/**
 * Applies each fault of `test/mutants/hand.mjs`, runs its specs and restores the file.
 * @param {string[]} names all if empty
 * @throws {StepFailed} when the specs fail without a fault, or pass with one, or a fault no longer applies
 */
export async function runHandMutants(names) {
  const faults = choose(names).map(withTexts);
  const wanted = faults.filter(({ equivalent }) => equivalent === undefined);
  restoreOnSignals();
  /** @type {Map<string, number>} */
  const limits = new Map();
  for (const project of new Set(wanted.map(({ project }) => project))) {
    const started = Date.now();
    const ofProject = wanted.filter((fault) => fault.project === project);
    say(`Without a fault: ${project}`);
    const { passed, output } = await runSpecs(project, ofProject);
    if (!passed) throw new StepFailed(`${output}\nThe specs fail without a fault.`);
    limits.set(project, 30_000 + 2 * (Date.now() - started));
  }
  const survivors = [];
  for (const fault of wanted) {
    restore = () => writeFileSync(fault.path, fault.source);
    writeFileSync(fault.path, fault.faulty);
    try {
      const outcome = await runSpecs(fault.project, [fault], fault.endless ? limits.get(fault.project) : undefined);
      const found = fault.endless && !outcome.passed ? 'found: its tests do not end' : foundBy(outcome);
      say(`${fault.name}: ${found ?? `not found (${fault.file})`}`);
      if (found === null) survivors.push(fault.name);
    } finally {
      restore();
      restore = () => {};
    }
  }
  for (const { name, equivalent } of faults) if (equivalent !== undefined) say(`${name}: equivalent. ${equivalent}`);
  if (survivors.length > 0) throw new StepFailed(`Not found: ${survivors.join(', ')}.`);
  say(`All ${wanted.length} faults were found.`);
}

/** @param {string[]} names */
function choose(names) {
  const unknown = names.filter((name) => !HAND_MUTANTS.some((mutant) => mutant.name === name));
  if (unknown.length > 0) throw new StepFailed(`Unknown: ${unknown.join(', ')}. See test/mutants/hand.mjs.`);
  return names.length > 0 ? HAND_MUTANTS.filter(({ name }) => names.includes(name)) : HAND_MUTANTS;
}

/**
 * @param {HandMutant} mutant
 * @throws {StepFailed} when the file does not contain the text once
 */
function withTexts(mutant) {
  const project = mutant.project ?? (mutant.file.startsWith('web/') ? 'web' : 'unit');
  const path = join(root, mutant.file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const [before, after, ...more] = source.split(mutant.from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new StepFailed(`${mutant.name} no longer applies: ${mutant.file} must contain once: ${mutant.from}`);
  }
  const specs = mutant.specs ?? [mutant.file.replace(/\.ts$/, '.spec.ts')];
  return { ...mutant, project, specs, path, source, faulty: before + mutant.to + after };
}

/**
 * The reason why the fault counts as found; null when all tests passed.
 * @param {Outcome} outcome
 * @throws {StepFailed} when the run ended without a failed test
 */
function foundBy({ passed, results, output }) {
  if (passed) return null;
  const failed = (results ?? []).flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  );
  if (failed[0]) return `found by "${failed[0].title}"`;
  throw new StepFailed(`${output}\nNo test failed, but the run did not succeed.`);
}

/**
 * Runs the specs of these faults in processes of their own, so that an endless loop can be ended.
 * @param {string} project
 * @param {{ specs: string[], test?: string }[]} faults
 * @param {number} [limitMs]
 * @returns {Promise<Outcome>}
 */
async function runSpecs(project, faults, limitMs = 15 * 60_000) {
  const titles = faults.flatMap(({ test }) => test ?? []);
  const pattern = titles.length === faults.length ? [`--testNamePattern=${titles.join('|')}`] : [];
  const specs = new Set(faults.flatMap((fault) => fault.specs));
  const args = ['--json', `--outputFile=${RESULTS}`, ...pattern, '--runTestsByPath', ...specs];
  const script = `import { runJest } from '${JEST}'; process.exitCode = await runJest(...JSON.parse(process.argv[1]))`;
  mkdirSync(dirname(RESULTS), { recursive: true });
  rmSync(RESULTS, { force: true });
  // A group of its own: all processes of the run are ended together
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', script, JSON.stringify([[project], { serial: true, args }])],
    { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  endTests = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(() => endTests(), limitMs);
  // Not 'close': a Postgres that ends a little later holds the output.
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  endTests = () => {};
  const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')).testResults : null;
  return { passed: code === 0, output, results };
}

function restoreOnSignals() {
  process.on('exit', () => restore());
  const end = () => {
    endTests();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  whenNpmIsGone(end);
}
