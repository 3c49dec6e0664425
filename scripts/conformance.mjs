/**
 * Keeps `docs/conformance.md` honest: every rule says where it is implemented and has a test whose title names its id, and
 * no test names a rule that is not there. `--write` fills in the column of test files, `--open` lists what is missing.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript, say, StepFailed } from './lib/console.mjs';

const DOCUMENT = 'docs/conformance.md';
const ID = /\bF\d\.\d{2}\b/g;
/** Calls whose first argument is the title of a test or of a group of tests. */
const TITLE = /\b(?:describe|it|test)(?:\.each\([\s\S]*?\))?\(\s*(['"`])([\s\S]*?)\1\s*,/g;

/**
 * Spec files below a folder.
 * @param {string} folder
 * @returns {string[]}
 */
function specsIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.spec\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

/**
 * The files in which a test's title names an id, by id.
 * @returns {Map<string, Set<string>>}
 */
function testsById() {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const file of ['src', 'test', 'web/src'].flatMap(specsIn)) {
    for (const [, , title = ''] of readFileSync(file, 'utf8').matchAll(TITLE)) {
      for (const [id] of title.matchAll(ID)) found.set(id, (found.get(id) ?? new Set()).add(file));
    }
  }
  return found;
}

/** @param {string} line @returns {{ id: string, rule: string, where: string, tests: string } | null} */
function ruleOf(line) {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const [, id = '', rule = '', where = '', tests = ''] = cells;
  return /^F\d\.\d{2}$/.test(id) ? { id, rule, where, tests } : null;
}

await runScript(async () => {
  const tests = testsById();
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
  /** @type {string[]} */
  const problems = [];
  const seen = new Set();
  const written = lines.map((line) => {
    const row = ruleOf(line);
    if (!row) return line;
    if (seen.has(row.id)) problems.push(`${row.id} is there twice.`);
    seen.add(row.id);
    const files = [...(tests.get(row.id) ?? [])].sort().map((file) => `\`${file}\``);
    if (files.length === 0) problems.push(`${row.id} has no test that names it: ${row.rule}`);
    if (row.where === '') problems.push(`${row.id} does not say where it is implemented.`);
    return `| ${row.id} | ${row.rule} | ${row.where} | ${files.join(', ')} |`;
  });
  for (const [id, files] of tests) {
    if (!seen.has(id)) problems.push(`${[...files].join(', ')} names ${id}, which ${DOCUMENT} does not have.`);
  }
  if (process.argv.includes('--write')) writeFileSync(DOCUMENT, written.join('\n'));
  else if (written.join('\n') !== lines.join('\n')) {
    problems.push(`The test column of ${DOCUMENT} is out of date: run node scripts/conformance.mjs --write.`);
  }
  if (problems.length > 0) throw new StepFailed(`${problems.join('\n')}\n${problems.length} problems in all.`);
  say(`${seen.size} rules, each with its place and a test.`);
});
