import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EQUIVALENT } from '../../test/mutants/equivalent.mjs';
import { say, StepFailed } from './console.mjs';
import { filesOfSample, findMutants, hashOf, sampleOf, specsOf, writeMutants } from './mutants.mjs';
import { whenNpmIsGone } from './parent.mjs';
import { RULE_FILES } from './rule-files.mjs';
import { root } from './run.mjs';
import { currentBudget } from './test-costs.mjs';

/** @typedef {import('./mutants.mjs').Mutant} Mutant */
/** @typedef {'unit' | 'web' | 'integration'} Project */
/** @typedef {{ project: Project, spec: string, mutant: string | null, test?: string | undefined }} Order */
/**
 * @typedef {object} Report
 * @property {string | null} failed null: all tests passed
 * @property {boolean} isTest the failure is that of a test, and not of the run
 * @property {string[]} loaded
 * @property {string[]} called
 * @property {number} seconds
 */
/** @typedef {Order & Report & { key: string }} Coverage of a spec: the mutants it loads, and those its tests reach */
/** @typedef {'killed' | 'timed out' | 'survived' | 'equivalent'} Status */
/** @typedef {Omit<Mutant, 'id'> & { status: Status, by: string | null, commit: string }} Result */

const FOLDER = join(root, 'test', '.artifacts', 'mutation');
const RESULTS = join(FOLDER, 'results.jsonl');
const COVERAGE = join(FOLDER, 'coverage.jsonl');
/** The folder of changed copies, which the specs load instead of the sources. */
export const CODE = join(FOLDER, 'code');
const CHILD = fileURLToPath(new URL('./mutant-child.mjs', import.meta.url));

const SAMPLE_SIZE = 300;
/** A mutant meets at most so many specs, the nearest and cheapest ones. */
const MOST_SPECS = { unit: 8, integration: 6 };
/** Integration specs with a higher cost in docs/testing.md are left out. */
const MOST_LOOPS = 3;
/** Modules of earlier specs stay in memory. */
const SPECS_OF_A_CHILD = 150;

/**
 * Runs the specs against each mutant of the rule files, or of the sample, and reports which ones survive.
 * @param {{ sample: boolean, seed: string, part: string, again: boolean, names: string[] }} options names: parts of
 *   the names of files; again: runs the earlier survivors once more
 */
export async function runMutants({ sample, seed, part, again, names }) {
  const { mutants, all, code } = await chooseMutants(sample, seed);
  const wanted = ofPart(mutants, part).filter(({ file }) => names.length === 0 || names.some((n) => file.includes(n)));
  const projects = /** @type {Project[]} */ (sample ? ['unit', 'integration'] : ['unit']);
  mkdirSync(FOLDER, { recursive: true });
  const earlier = new Map(linesOf(RESULTS).map((/** @type {Result} */ result) => [keyOf(result), result]));
  const open = wanted.filter((mutant) => {
    const status = earlier.get(keyOf(mutant))?.status;
    return !isEquivalent(mutant) && (!status || (again && status === 'survived'));
  });
  say(`${wanted.length} mutants in ${new Set(wanted.map(({ file }) => file)).size} files; ${open.length} to run.`);
  const runner = new Runner();
  const stopPostgres = sample && open.length > 0 ? await startPostgres() : undefined;
  try {
    writeMutants(CODE, code);
    const coverage = open.length > 0 ? await measureCoverage(runner, projects, all, open) : [];
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    for (const mutant of open) {
      const { id: _id, ...facts } = mutant;
      /** @type {Result} */
      const result = { ...facts, ...(await tryMutant(runner, mutant, all, coverage)), commit };
      earlier.set(keyOf(mutant), result);
      appendFileSync(RESULTS, `${JSON.stringify(result)}\n`);
      if (result.status !== 'killed') say(`${result.status}: ${describe(result)}`);
    }
  } finally {
    runner.end();
    await stopPostgres?.();
  }
  const report = reportOf(
    wanted.map((mutant) =>
      isEquivalent(mutant)
        ? { ...mutant, status: /** @type {const} */ ('equivalent'), by: null, commit: '' }
        : /** @type {Result} */ (earlier.get(keyOf(mutant))),
    ),
  );
  writeFileSync(join(FOLDER, sample ? 'sample.md' : 'rules.md'), report);
  say(`\n${report}`);
}

/**
 * @param {boolean} sample
 * @param {string} seed
 */
async function chooseMutants(sample, seed) {
  const found = await findMutants(sample ? filesOfSample(RULE_FILES) : RULE_FILES);
  if (!sample) return { mutants: found.mutants, all: found.mutants, code: found.code };
  const mutants = sampleOf(found.mutants, seed, SAMPLE_SIZE);
  const files = new Set(mutants.map(({ file }) => file));
  const all = found.mutants.filter(({ file }) => files.has(file));
  return { mutants, all, code: new Map([...found.code].filter(([file]) => files.has(file))) };
}

/**
 * @param {Mutant[]} mutants
 * @param {string} part such as `1/6`
 */
function ofPart(mutants, part) {
  const [number = 0, parts = 0] = part.split('/').map(Number);
  if (!(number >= 1 && number <= parts)) throw new StepFailed('--part must be like 1/6.');
  return mutants.filter((_, index) => index % parts === number - 1);
}

/**
 * Runs each related spec once without a mutant. Earlier runs count while the spec and the mutated files are the same.
 * @param {Runner} runner
 * @param {Project[]} projects
 * @param {Mutant[]} all those in the written code
 * @param {Mutant[]} open
 */
async function measureCoverage(runner, projects, all, open) {
  const written = hashOf(all.map(({ id, file, hash }) => `${id} ${file} ${hash}`).join());
  const earlier = new Map(linesOf(COVERAGE).map((/** @type {Coverage} */ line) => [line.key, line]));
  const costs = currentBudget().files;
  const files = [...new Set(open.map(({ file }) => file))];
  /** @type {Coverage[]} */
  const coverage = [];
  for (const project of projects) {
    const specs = await specsOf(files, project === 'unit' ? ['src/', 'web/src/'] : ['test/integration/']);
    for (const spec of specs.filter((each) => (costs.get(each) ?? 0) <= MOST_LOOPS)) {
      const key = `${written} ${spec} ${hashOf(readFileSync(join(root, spec), 'utf8'))}`;
      let line = earlier.get(key);
      // A spec that failed may have been mended.
      if (!line || (line.failed !== null && line.failed !== TIMED_OUT)) {
        const order = { project, spec, mutant: null };
        const report = await runner.run(order, 10 * 60_000);
        if (report.failed !== null) say(`Left out, because it fails without a mutant: ${spec} (${report.failed})`);
        line = { ...order, ...report, key };
        appendFileSync(COVERAGE, `${JSON.stringify(line)}\n`);
      }
      if (line.failed === null) coverage.push(line);
    }
  }
  return coverage;
}

/**
 * @param {Runner} runner
 * @param {Mutant} mutant
 * @param {Mutant[]} all
 * @param {Coverage[]} coverage
 * @returns {Promise<{ status: Status, by: string | null }>}
 */
async function tryMutant(runner, mutant, all, coverage) {
  const neighbours = new Set(all.filter(({ file }) => file === mutant.file).map(({ id }) => id));
  /** Seconds for each mutant of the file that the tests reach. @param {Coverage} spec */
  const price = ({ called, seconds }) => seconds / (1 + called.filter((id) => neighbours.has(id)).length);
  const ownSpec = mutant.file.replace(/\.ts$/, '.spec.ts');
  /** @param {Coverage} spec */
  const rank = (spec) => (spec.spec === ownSpec || spec.called.includes(mutant.id) ? 0 : 1e6) + price(spec);
  const reaching = coverage.filter(({ loaded, called }) => called.includes(mutant.id) || loaded.includes(mutant.id));
  for (const project of /** @type {const} */ (['unit', 'integration'])) {
    const ofProject = reaching.filter((spec) => spec.project === project).sort((a, b) => rank(a) - rank(b));
    for (const { spec, seconds } of ofProject.slice(0, MOST_SPECS[project])) {
      // Generous, since a timeout counts as a kill: a busy machine must not improve the score.
      const { failed } = await runner.run({ project, spec, mutant: mutant.id }, 10_000 + seconds * 5_000);
      if (failed === TIMED_OUT) return { status: 'timed out', by: spec };
      if (failed !== null) return { status: 'killed', by: `${spec}: ${failed}` };
    }
  }
  return { status: 'survived', by: null };
}

/** The failure of a spec that did not end within its time limit. */
export const TIMED_OUT = 'It did not end.';

/** Runs specs in a child: in the same one while it is enough, in a new one for each spec that shares its modules. */
export class Runner {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #specs = 0;

  constructor() {
    process.on('exit', () => this.end());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
    whenNpmIsGone(() => process.exit(130));
  }

  /**
   * @param {Order} order
   * @param {number} limitMs
   * @returns {Promise<Report>}
   */
  async run(order, limitMs) {
    if (order.project === 'integration' || this.#specs >= SPECS_OF_A_CHILD) this.end();
    const child = (this.#child ??= fork(CHILD, [], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, NODE_ENV: 'test', MUTATED_CODE: CODE },
    }));
    this.#specs += 1;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), limitMs);
    child.send(order);
    /** @param {string} failed @returns {Report} */
    const ended = (failed) => ({ failed, isTest: false, loaded: [], called: [], seconds: limitMs / 1000 });
    const report = await Promise.race([
      once(child, 'message', { signal: stop.signal }).then(([message]) => /** @type {Report} */ (message)),
      once(child, 'exit', { signal: stop.signal }).then(() => ended('The process ended.')),
    ]).catch(() => ended(TIMED_OUT));
    clearTimeout(timer);
    stop.abort();
    if (order.project === 'integration' || report.loaded.length + report.called.length === 0) this.end();
    return report;
  }

  /** Ends the child with all processes that it has started. */
  end() {
    const pid = this.#child?.pid;
    this.#child = undefined;
    this.#specs = 0;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended itself.
    }
  }
}

/** One server for all mutants. @returns {Promise<() => Promise<void>>} stops it */
export async function startPostgres() {
  const { default: start, stopPostgres } = await import('../../test/support/postgres-setup.mjs');
  await start({ maxWorkers: 1 });
  return stopPostgres;
}

/** @param {string} path @returns {any[]} */
function linesOf(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** @param {Omit<Mutant, 'id'>} mutant */
function keyOf({ file, hash, index }) {
  return `${file} ${hash} ${index}`;
}

/** @param {Mutant} mutant */
function isEquivalent({ file, original, replacement, line }) {
  return EQUIVALENT.some(
    (each) =>
      each.file === file &&
      each.from === original &&
      (each.to ?? '') === replacement &&
      (each.line === undefined || sourceLine(file, line).includes(each.line)),
  );
}

/**
 * @param {string} file
 * @param {number} line
 */
function sourceLine(file, line) {
  return readFileSync(join(root, file), 'utf8').split('\n')[line - 1] ?? '';
}

/** @param {Result} result */
function describe({ file, line, mutator, original, replacement }) {
  return `${file}:${line} ${mutator}: ${original} → ${replacement === '' ? 'nothing' : replacement}`;
}

/** @param {Result[]} results */
function reportOf(results) {
  /** @param {Result[]} ofFile @param {string} name */
  const row = (ofFile, name) => {
    const count = (/** @type {Status} */ status) => ofFile.filter((result) => result.status === status).length;
    const killed = count('killed') + count('timed out');
    const score = Math.floor((killed * 1000) / Math.max(1, ofFile.length - count('equivalent'))) / 10;
    const cells = [name, ofFile.length, killed, count('timed out'), count('survived'), count('equivalent')];
    return `| ${cells.join(' | ')} | ${score.toFixed(1)} % |`;
  };
  const files = [...new Set(results.map(({ file }) => file))].sort();
  return [
    '| File | Mutants | Killed | of these timed out | Survived | Equivalent | Score |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...files.map((file) =>
      row(
        results.filter((result) => result.file === file),
        `\`${file}\``,
      ),
    ),
    row(results, 'All'),
    '',
    ...results.filter(({ status }) => status === 'survived').map((result) => `- ${describe(result)}`),
    '',
  ].join('\n');
}
