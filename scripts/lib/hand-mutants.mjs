import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HAND_MUTANTS } from '../../test/mutants/hand.mjs';
import { say, StepFailed } from './console.mjs';
import { CODE, Runner, startPostgres, TIMED_OUT } from './mutant-runs.mjs';
import { writeMutants } from './mutants.mjs';
import { root } from './run.mjs';

/** @typedef {import('../../test/mutants/hand.mjs').HandMutant} HandMutant */

const LIMIT_MS = 15 * 60_000;

/**
 * Runs the spec of each fault of `test/mutants/hand.mjs` with a copy of its file that has the fault.
 * @param {string[]} names all if empty
 * @throws {StepFailed} when a spec fails without a fault, or passes with one, or a fault no longer applies
 */
export async function runHandMutants(names) {
  const faults = choose(names).map(withTexts);
  const wanted = faults.filter(({ equivalent }) => equivalent === undefined);
  const runner = new Runner();
  const stopPostgres = wanted.some(({ project }) => project === 'integration') ? await startPostgres() : undefined;
  const survivors = [];
  try {
    for (const fault of wanted) {
      const found = await findFault(runner, fault);
      say(`${fault.name}: ${found ?? `not found (${fault.file})`}`);
      if (found === null) survivors.push(fault.name);
    }
  } finally {
    runner.end();
    await stopPostgres?.();
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
  /** @type {import('./mutant-runs.mjs').Project} */
  const project = mutant.project ?? (mutant.file.startsWith('web/') ? 'web' : 'unit');
  const path = join(root, mutant.file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const [before, after, ...more] = source.split(mutant.from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new StepFailed(`${mutant.name} no longer applies: ${mutant.file} must contain once: ${mutant.from}`);
  }
  const spec = mutant.spec ?? mutant.file.replace(/\.ts$/, '.spec.ts');
  return { ...mutant, project, spec, faulty: before + mutant.to + after };
}

/**
 * The reason why a fault counts as found; null when all tests passed.
 * @param {Runner} runner
 * @param {ReturnType<typeof withTexts>} fault
 * @throws {StepFailed} when the spec fails without the fault, or ends without a failed test
 */
async function findFault(runner, { project, spec, test, file, faulty, endless }) {
  const order = { project, spec, test, mutant: null };
  writeMutants(CODE, new Map());
  const sound = await runner.run(order, LIMIT_MS);
  if (sound.failed !== null) throw new StepFailed(`Without a fault, ${spec} fails: ${sound.failed}`);
  // The next run loads it, in a process of its own.
  writeMutants(CODE, new Map([[file, faulty]]));
  const { failed, isTest } = await runner.run(order, endless ? 30_000 + sound.seconds * 5_000 : LIMIT_MS);
  if (failed === null) return null;
  if (isTest) return `found by "${failed}"`;
  if (endless && failed === TIMED_OUT) return 'found: its tests do not end';
  throw new StepFailed(`${spec}: ${failed}\nNo test failed, but the run did not succeed.`);
}
