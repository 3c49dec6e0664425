/**
 * Checks `docs/conformance.md`: it lists every rule of the specification, with existing files and a test whose title
 * names the rule's id. `npm run check` runs it as well.
 *
 *   node scripts/conformance.mjs            prints the problems
 *   node scripts/conformance.mjs --write    updates the column of test files first
 *   node scripts/conformance.mjs --open     lists the rules without a test, and those that are not built
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT, NOT_BUILT, problemsOf, ruleOf, testsById, withTests } from './lib/conformance.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { root } from './lib/run.mjs';

await runScript(async () => {
  const path = join(root, DOCUMENT);
  const tests = testsById();
  if (process.argv.includes('--write')) writeFileSync(path, withTests(readFileSync(path, 'utf8'), tests));
  const text = readFileSync(path, 'utf8');
  const rules = text.split('\n').flatMap((line) => ruleOf(line) ?? []);
  if (process.argv.includes('--open')) {
    for (const { id, rule } of rules.filter(({ id }) => !tests.has(id))) {
      say(`${id}  ${NOT_BUILT[id] === undefined ? 'no test' : `not built (${NOT_BUILT[id]})`}: ${rule}`);
    }
    return;
  }
  const problems = problemsOf(text, tests);
  if (problems.length > 0) throw new StepFailed(`${problems.join('\n')}\n${problems.length} problems in all.`);
  const notBuilt = Object.keys(NOT_BUILT).length;
  say(
    `${rules.length} rules: ${rules.length - notBuilt} with their place and a test, ${notBuilt} not built on purpose.`,
  );
});
