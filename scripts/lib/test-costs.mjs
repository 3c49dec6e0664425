/** Costs of the parts of `npm test` and of their files, and the budget of docs/testing.md in calibration loops. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProcessTree } from './processor-time.mjs';
import { root } from './run.mjs';

const BUDGET_DOCUMENT = 'docs/testing.md';
/** A part may cost this many times its budget, because machines and runs differ. */
const PART_TOLERANCE = 1.2;
/** A file above this many times its line is named. */
const LINE_TOLERANCE = 1.5;
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
 * @returns {{ part: string, problem: string }[]} the parts that cost too much, each with a sentence
 */
export function partsAboveBudget(parts, loopSeconds, budget) {
  const problems = [];
  for (const [part, seconds] of parts) {
    const limit = budget.parts.get(part);
    if (limit === undefined) {
      problems.push({ part, problem: `${BUDGET_DOCUMENT} has no budget for the part "${part}".` });
    } else if (seconds > limit * PART_TOLERANCE * loopSeconds) {
      const cost = `The part "${part}" costs ${loops(seconds, loopSeconds)} loops`;
      problems.push({ part, problem: `${cost}; its budget is ${limit}.` });
    }
  }
  return problems;
}

/**
 * @param {FileCost[]} files
 * @param {number} loopSeconds
 * @param {Budget} budget
 * @returns {{ file: string, problem: string }[]} the expensive files without a line, each with a sentence
 */
export function filesWithoutLine(files, loopSeconds, budget) {
  return files
    .filter(({ file, seconds }) => !budget.files.has(file) && seconds > FILE_LIMIT_LOOPS * loopSeconds)
    .map(({ file, seconds }) => {
      const rule = `a file without a line in ${BUDGET_DOCUMENT} may cost ${FILE_LIMIT_LOOPS}`;
      return { file, problem: `${file} costs ${loops(seconds, loopSeconds)} loops; ${rule}.` };
    });
}

/**
 * The cost of a file depends on the machine and on the files before it in its worker. So a line is compared to be read,
 * and the budget of its part is the limit.
 * @param {FileCost[]} files
 * @param {number} loopSeconds
 * @param {Budget} budget
 * @returns {string[]} a sentence for each file that costs far more than its line
 */
export function filesAboveLine(files, loopSeconds, budget) {
  return files.flatMap(({ file, seconds }) => {
    const line = budget.files.get(file);
    if (line === undefined || seconds <= line * LINE_TOLERANCE * loopSeconds) return [];
    return [`${file} costs ${loops(seconds, loopSeconds)} loops; its line says ${line}.`];
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
