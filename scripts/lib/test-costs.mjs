/** Costs of the parts of `npm test` and of their files, and the budget of docs/testing.md in calibration loops. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProcessTree } from './processor-time.mjs';
import { root } from './run.mjs';

const BUDGET_DOCUMENT = 'docs/testing.md';
/** A part may cost this many times its budget, because machines and runs differ. */
const TOLERANCE = 1.2;
/** A file may cost this many times its line: it differs more, by the files that its worker ran before. */
const FILE_TOLERANCE = 1.5;
/** A file may cost this many loops without a line in the document. */
const FILE_LIMIT_LOOPS = 1.5;
const LOOK_EVERY_MS = 1_000;

/** @typedef {{ file: string, seconds: number }} FileCost file: its path in the repository */
/** @typedef {{ parts: Map<string, number>, files: Map<string, number> }} Budget loops, by part and by file */

/**
 * @param {string} text of docs/testing.md
 * @returns {Budget}
 */
function readBudget(text) {
  /** @param {RegExp} row */
  const rows = (row) => new Map([...text.matchAll(row)].map(([, name = '', loops]) => [name, Number(loops)]));
  return {
    parts: rows(/^\| `([a-z0-9]+)` +\| +([\d.]+) \|/gm),
    files: rows(/^\| `([\w./-]+\.spec\.tsx?)` +\| +([\d.]+) \|/gm),
  };
}

/**
 * @param {Map<string, number>} parts seconds of the parts that ran
 * @param {number} loopSeconds
 * @param {Budget} budget
 * @returns {string[]} a sentence for each part that costs too much
 */
export function partsAboveBudget(parts, loopSeconds, budget) {
  const problems = [];
  for (const [part, seconds] of parts) {
    const limit = budget.parts.get(part);
    if (limit === undefined) problems.push(`${BUDGET_DOCUMENT} has no budget for the part "${part}".`);
    else if (seconds > limit * TOLERANCE * loopSeconds) {
      problems.push(`The part "${part}" costs ${loops(seconds, loopSeconds)} loops; its budget is ${limit}.`);
    }
  }
  return problems;
}

/**
 * @param {FileCost[]} files
 * @param {number} loopSeconds
 * @param {Budget} budget
 * @returns {{ file: string, problem: string }[]} the files that cost too much, each with a sentence
 */
export function filesAboveBudget(files, loopSeconds, budget) {
  return files.flatMap(({ file, seconds }) => {
    const listed = budget.files.get(file);
    const limit = listed === undefined ? FILE_LIMIT_LOOPS : listed * FILE_TOLERANCE;
    if (seconds <= limit * loopSeconds) return [];
    const rule =
      listed === undefined
        ? `a file without a line in ${BUDGET_DOCUMENT} may cost ${limit}`
        : `its line says ${listed}`;
    return [{ file, problem: `${file} costs ${loops(seconds, loopSeconds)} loops; ${rule}.` }];
  });
}

/**
 * @param {number} seconds
 * @param {number} loopSeconds
 */
export function loops(seconds, loopSeconds) {
  return (seconds / loopSeconds).toFixed(1);
}

/**
 * @param {string} report written by `test/runner/native-environment.mjs`
 * @returns {FileCost[]} the most expensive first
 */
export function readFileCosts(report) {
  if (!existsSync(report)) return [];
  const lines = readFileSync(report, 'utf8').trim().split('\n').filter(Boolean);
  return lines
    .map((line) => /** @type {FileCost} */ (JSON.parse(line)))
    .map(({ file, seconds }) => ({ file: file.replace(root, ''), seconds }))
    .sort((a, b) => b.seconds - a.seconds);
}

/** @returns {Budget} */
export function currentBudget() {
  return readBudget(readFileSync(join(root, BUDGET_DOCUMENT), 'utf8'));
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, seconds: number }>} the processor time of all processes that ran for it
 */
export async function measure(work) {
  const tree = new ProcessTree([process.pid]);
  const before = tree.seconds();
  const timer = setInterval(() => tree.seconds(), LOOK_EVERY_MS);
  try {
    const result = await work();
    return { result, seconds: tree.seconds() - before };
  } finally {
    clearInterval(timer);
  }
}
