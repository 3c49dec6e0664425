/**
 * `npm run mutate`: makes many small changes in the files of `lib/mutation-targets.mjs` (StrykerJS), runs for each the
 * specs that guard the file, and lists the changes that no test detects.
 *
 *   npm run mutate                            all targets that need no Postgres
 *   npm run mutate -- decide state            by name; `--list` shows the names
 *   npm run mutate -- --slow                  all, with those that need Postgres
 *   npm run mutate -- --minimum 90            fails when a file has a lower score (percent)
 *   npm run mutate -- --concurrency 2         test runners at a time (1)
 *   npm run mutate -- --hand                  the faults of test/mutants/hand.mjs instead: all, or by name. Fails when
 *                                             one is not found, or no longer applies
 *
 *   npm run mutate -- --rules                 each change in the pure rules, or in files by a part of their names
 *   npm run mutate -- --sample                300 changes in the rest of src; `--seed <text>` draws others
 *     --part 1/6                              a part of either
 *     --again                                 runs the survivors of earlier runs again; other results are kept
 *
 * Results: test/.artifacts/mutation/<name>.json, and report.md with the table and the survivors of this run.
 */
import './lib/node-version.mjs';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runHandMutants } from './lib/hand-mutants.mjs';
import { runMutants, startPostgres } from './lib/mutant-runs.mjs';
import { MUTATION_TARGETS } from './lib/mutation-targets.mjs';
import { root } from './lib/run.mjs';

const RESULTS = join(root, 'test', '.artifacts', 'mutation');

/** @typedef {import('./lib/mutation-targets.mjs').MutationTarget} Target */
/** @typedef {Awaited<ReturnType<import('@stryker-mutator/core').Stryker['runMutationTest']>>[number]} Mutant */
/** @typedef {{ line: number, mutator: string, original: string, replacement: string }} Survivor */
/**
 * @typedef {object} Result
 * @property {string} name
 * @property {string} file
 * @property {number} mutants those that run
 * @property {number} killed
 * @property {number} timedOut counted as killed: the change made a loop endless
 * @property {Survivor[]} survivors
 * @property {number} seconds
 */

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      slow: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      minimum: { type: 'string', default: '0' },
      concurrency: { type: 'string', default: '1' },
      hand: { type: 'boolean', default: false },
      rules: { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      part: { type: 'string', default: '1/1' },
      again: { type: 'boolean', default: false },
    },
  });
  if (values.hand) {
    await ensureDependencies();
    await runHandMutants(positionals);
    return;
  }
  if (values.rules || values.sample) {
    await ensureDependencies();
    await runMutants({ ...values, names: positionals });
    return;
  }
  if (values.list) {
    for (const { name, file, slow } of MUTATION_TARGETS) say(`${name.padEnd(20)}${file}${slow ? ' (slow)' : ''}`);
    return;
  }
  const targets = choose(positionals, values.slow);
  const minimum = number('minimum', values.minimum);
  const concurrency = number('concurrency', values.concurrency);
  await ensureDependencies();

  mkdirSync(RESULTS, { recursive: true });
  const stopPostgres = targets.some(({ slow }) => slow) ? await startPostgres() : undefined;
  /** @type {Result[]} */
  const results = [];
  /** @type {string[]} */
  const failed = [];
  try {
    for (const target of targets) {
      say(`\n${target.name}: ${target.file}`);
      try {
        const result = await mutate(target, concurrency);
        results.push(result);
        say(`  ${row(result).join(', ')} (${result.seconds} s)`);
        for (const survivor of result.survivors) say(`  ${describeSurvivor(survivor)}`);
        writeFileSync(join(RESULTS, `${target.name}.json`), `${JSON.stringify(result, null, 2)}\n`);
        writeFileSync(join(RESULTS, 'report.md'), report(results));
      } catch (error) {
        failed.push(target.name);
        say(`  failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await stopPostgres?.();
  }
  say(`\n${table(results)}`);
  if (failed.length > 0) throw new StepFailed(`No result for: ${failed.join(', ')}.`);
  const low = results.filter((result) => score(result) < minimum).map(({ name }) => name);
  if (low.length > 0) throw new StepFailed(`Below ${minimum} %: ${low.join(', ')}.`);
});

/**
 * @param {string[]} names
 * @param {boolean} slow
 */
function choose(names, slow) {
  const unknown = names.filter((name) => !MUTATION_TARGETS.some((target) => target.name === name));
  if (unknown.length > 0)
    throw new StepFailed(`Unknown: ${unknown.join(', ')}. \`npm run mutate -- --list\` shows the names.`);
  return MUTATION_TARGETS.filter((target) => (names.length > 0 ? names.includes(target.name) : slow || !target.slow));
}

/**
 * @param {string} option
 * @param {string} value
 */
function number(option, value) {
  const parsed = Number(value);
  if (!(parsed >= 0)) throw new StepFailed(`--${option} must be a number.`);
  return parsed;
}

/**
 * @param {Target} target
 * @param {number} concurrency
 * @returns {Promise<Result>}
 */
async function mutate(target, concurrency) {
  for (const file of [target.file, ...target.specs]) {
    if (!existsSync(join(root, file)))
      throw new StepFailed(`${file} is missing; see scripts/lib/mutation-targets.mjs.`);
  }
  const { Stryker } = await import('@stryker-mutator/core');
  const source = readFileSync(join(root, target.file), 'utf8').split('\n');
  const started = Date.now();
  const results = await new Stryker({
    mutate: target.functions ? await rangesOf(target.file, target.functions) : [target.file],
    jest: { projectType: 'custom', config: await jestConfig(target), enableFindRelatedTests: false },
    concurrency,
  }).runMutationTest();

  /** @param {string[]} statuses */
  const having = (...statuses) => results.filter(({ status }) => statuses.includes(status));
  const survivors = having('Survived', 'NoCoverage').map(({ location, mutatorName, replacement }) => ({
    line: location.start.line,
    mutator: mutatorName,
    original: excerpt(source, location),
    replacement: oneLine(replacement ?? ''),
  }));
  const timedOut = having('Timeout').length;
  const killed = having('Killed').length + timedOut;
  const mutants = killed + survivors.length;
  if (mutants === 0) throw new StepFailed('Stryker made no mutants.');
  const seconds = Math.round((Date.now() - started) / 1000);
  return { name: target.name, file: target.file, mutants, killed, timedOut, survivors, seconds };
}

/**
 * The project of jest.config.mjs that the specs belong to, cut to these specs.
 * @param {Target} target
 */
async function jestConfig(target) {
  const { default: config } = await import('../jest.config.mjs');
  const name = target.file.startsWith('web/') ? 'web' : 'unit';
  const found = config.projects?.find((project) => typeof project === 'object' && project.displayName === name);
  if (typeof found !== 'object') throw new Error(`jest.config.mjs has no project "${name}".`);
  const { displayName: _name, ...project } = found;
  const testMatch = target.specs.map((spec) => `<rootDir>/${spec}`);
  // Stryker merges this into jest.config.mjs: without an empty list it would run all projects.
  return { ...project, projects: [], testTimeout: config.testTimeout, testMatch };
}

/**
 * Stryker's form of the lines of these functions: `file:first-last`.
 * @param {string} file
 * @param {string[]} names
 */
async function rangesOf(file, names) {
  const { default: ts } = await import('typescript');
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  return names.map((name) => {
    const found = source.statements.find((node) => ts.isFunctionDeclaration(node) && node.name?.text === name);
    if (!found) throw new StepFailed(`${file} has no function ${name}; see scripts/lib/mutation-targets.mjs.`);
    const [first, last] = [found.getStart(source), found.end].map(
      (position) => source.getLineAndCharacterOfPosition(position).line + 1,
    );
    return `${file}:${first}-${last}`;
  });
}

/**
 * @param {string[]} source
 * @param {Mutant['location']} location lines start at 1, columns at 1
 */
function excerpt(source, { start, end }) {
  const lines = source.slice(start.line - 1, end.line);
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return oneLine(lines.join('\n'));
}

/** @param {string} code */
function oneLine(code) {
  const line = code.replace(/\s+/g, ' ').trim();
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}

/** @param {Survivor} survivor */
function describeSurvivor({ line, mutator, original, replacement }) {
  return `line ${line}, ${mutator}: ${original} → ${replacement === '' ? 'nothing' : replacement}`;
}

/**
 * Killed mutants in percent, rounded down to one decimal.
 * @param {Result} result
 */
function score({ mutants, killed }) {
  return Math.floor((killed * 1000) / mutants) / 10;
}

/** @param {Result} result */
function row(result) {
  const { mutants, killed, survivors } = result;
  return [`${mutants} mutants`, `${killed} killed`, `${survivors.length} survived`, `${score(result).toFixed(1)} %`];
}

/** @param {Result[]} results */
function table(results) {
  const rows = results.map(
    (result) => `| ${[`\`${result.file}\``, ...row(result).map((cell) => cell.replace(/ [a-z]+$/, ''))].join(' | ')} |`,
  );
  return ['| File | Mutants | Killed | Survived | Score |', '| --- | ---: | ---: | ---: | ---: |', ...rows].join('\n');
}

/** @param {Result[]} results */
function report(results) {
  const survivors = results
    .filter((result) => result.survivors.length > 0)
    .map(
      (result) => `## ${result.name}\n\n${result.survivors.map((each) => `- ${describeSurvivor(each)}`).join('\n')}\n`,
    );
  return [`# Result of npm run mutate\n`, `${table(results)}\n`, ...survivors].join('\n');
}
