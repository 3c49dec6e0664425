import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './run.mjs';

/** The document with one line for each rule. */
export const DOCUMENT = 'docs/conformance.md';

/**
 * How many rules each section of the two specifications has: `F` for fans, `C` for creators and admins. A line removed
 * from the document is reported.
 */
const RULES_PER_SECTION = Object.freeze({
  F: { 1: 6, 2: 72, 3: 15, 4: 35, 5: 16, 6: 4, 7: 31, 8: 30, 9: 14 },
  C: { 1: 3, 2: 60, 3: 8, 4: 23, 5: 13, 6: 10, 7: 18, 8: 19, 9: 17 },
});

/**
 * The rules that are deliberately not built, with the reason. Only these may have no test, and their line must give
 * exactly this reason.
 * @type {Readonly<Record<string, string>>}
 */
export const NOT_BUILT = Object.freeze({
  'C5.09': 'the browser has one client, which always sends the session; the server names the operation in its 401',
  'F9.14': 'the identity SDK caches tokens, and a client per token would have no state to cache',
});

/** The spec files of `npm test`; the long suites (`test/soak`) and the benchmarks do not count. */
const SUITES = ['src', 'web/src', 'test/architecture', 'test/contract', 'test/integration', 'test/e2e'];
const ID = /\b[CF]\d\.\d{2}\b/g;
const TEST_FUNCTIONS = new Set(['describe', 'it', 'test']);

/** @typedef {{ id: string, rule: string, where: string, tests: string }} Rule a line of the document */

/**
 * The titles of the tests and groups in a spec file; comments and other strings are ignored, and so are skipped tests
 * (`it.skip`, `xit`, `it.todo`).
 * @param {string} code
 * @param {string} [name] its extension selects `.ts` or `.tsx`
 * @returns {string[]}
 */
export function titlesIn(code, name = 'a.spec.tsx') {
  /** @type {string[]} */
  const titles = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node)) {
      const called = calledName(node.expression);
      // The tests inside a skipped group do not run either.
      if (called === 'off') return;
      const title = node.arguments[0];
      if (called === 'test' && title) titles.push(textOf(title));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, code, ts.ScriptTarget.Latest));
  return titles;
}

/**
 * `test` for `it(...)` and `describe.each(...)(...)`, `off` for skipped ones, null for any other call.
 * @param {ts.Expression} callee
 * @returns {'test' | 'off' | null}
 */
function calledName(callee) {
  if (ts.isIdentifier(callee)) {
    if (/^x(describe|it|test)$/.test(callee.text)) return 'off';
    return TEST_FUNCTIONS.has(callee.text) ? 'test' : null;
  }
  if (ts.isPropertyAccessExpression(callee)) {
    const inner = calledName(callee.expression);
    if (inner === 'test' && (callee.name.text === 'skip' || callee.name.text === 'todo')) return 'off';
    // `it.each` itself takes a table, its result takes the title.
    return callee.name.text === 'each' ? null : inner;
  }
  const each = ts.isCallExpression(callee)
    ? callee.expression
    : ts.isTaggedTemplateExpression(callee)
      ? callee.tag
      : null;
  return each && ts.isPropertyAccessExpression(each) && each.name.text === 'each' ? calledName(each.expression) : null;
}

/** @param {ts.Expression} title @returns {string} */
function textOf(title) {
  if (ts.isStringLiteralLike(title)) return title.text;
  if (!ts.isTemplateExpression(title)) return '';
  return [title.head.text, ...title.templateSpans.map((span) => span.literal.text)].join('…');
}

/**
 * The spec files in which a test's title names a rule, by the rule's id.
 * @returns {Map<string, Set<string>>}
 */
export function testsById() {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const folder of SUITES) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.spec\.tsx?$/.test(name)) continue;
      const file = `${folder}/${name}`;
      const code = readFileSync(join(root, file), 'utf8');
      if (!code.match(ID)) continue;
      for (const title of titlesIn(code, file)) {
        for (const [id] of title.matchAll(ID)) found.set(id, (found.get(id) ?? new Set()).add(file));
      }
    }
  }
  return found;
}

/**
 * Parses a line of the document; null when it holds no rule.
 * @param {string} line
 * @returns {Rule | null}
 */
export function ruleOf(line) {
  const [, id = '', rule = '', where = '', tests = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return /^[CF]\d\.\d{2}$/.test(id) ? { id, rule, where, tests } : null;
}

/**
 * The expected last column: the files, or the reason why the rule is not built.
 * @param {string} id
 * @param {ReadonlyMap<string, ReadonlySet<string>>} tests
 */
function testColumn(id, tests) {
  const reason = NOT_BUILT[id];
  if (reason !== undefined) return `*Not built: ${reason}.*`;
  return [...(tests.get(id) ?? [])]
    .sort()
    .map((file) => `\`${file}\``)
    .join(', ');
}

/**
 * The document with its last column updated.
 * @param {string} text
 * @param {ReadonlyMap<string, ReadonlySet<string>>} tests
 */
export function withTests(text, tests) {
  return text
    .split('\n')
    .map((line) => {
      const row = ruleOf(line);
      return row ? `| ${row.id} | ${row.rule} | ${row.where} | ${testColumn(row.id, tests)} |` : line;
    })
    .join('\n');
}

/**
 * All problems of the document.
 * @param {string} text the document
 * @param {ReadonlyMap<string, ReadonlySet<string>>} tests see {@link testsById}
 * @param {(path: string) => boolean} [exists] whether a path of the repository exists
 * @returns {string[]} a sentence each
 */
export function problemsOf(text, tests, exists = (path) => existsSync(join(root, path))) {
  const rules = text.split('\n').flatMap((line) => ruleOf(line) ?? []);
  const ids = new Set(rules.map(({ id }) => id));
  /** @type {string[]} */
  const problems = [];
  for (const id of idsOfTheSpecification()) if (!ids.has(id)) problems.push(`${id} is missing.`);
  for (const [index, { id, rule, where }] of rules.entries()) {
    if (rules.findIndex((other) => other.id === id) !== index) problems.push(`${id} is listed twice.`);
    if (!idsOfTheSpecification().includes(id)) problems.push(`${id} is not a rule of the specification.`);
    problems.push(...problemsOfOne({ id, rule, where }, tests, exists));
  }
  for (const [id, files] of tests) {
    if (!ids.has(id)) problems.push(`${[...files].join(', ')} names ${id}, which ${DOCUMENT} does not have.`);
  }
  for (const [, file = ''] of text.matchAll(/`((?:src|test|web\/src)\/[^`]*\.spec\.tsx?)`/g)) {
    if (!exists(file)) problems.push(`${file} is named but does not exist.`);
  }
  if (withTests(text, tests) !== text) {
    problems.push(`The test column of ${DOCUMENT} is out of date: run node scripts/conformance.mjs --write.`);
  }
  return problems;
}

/**
 * @param {Omit<Rule, 'tests'>} rule
 * @param {ReadonlyMap<string, ReadonlySet<string>>} tests
 * @param {(path: string) => boolean} exists
 * @returns {string[]}
 */
function problemsOfOne({ id, rule, where }, tests, exists) {
  const tested = (tests.get(id)?.size ?? 0) > 0;
  if (NOT_BUILT[id] !== undefined) {
    return [
      ...(tested ? [`${id} is declared as not built, but has a test.`] : []),
      ...(where === 'not built' ? [] : [`${id} is not built; its place must say "not built".`]),
    ];
  }
  const paths = [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  return [
    ...(tested ? [] : [`${id} has no test that names it: ${rule}`]),
    ...(paths.length > 0 ? [] : [`${id} does not say where it is implemented.`]),
    ...paths
      .filter((path) => !exists(sourceOf(path)))
      .map((path) => `${id} names ${path}, but ${sourceOf(path)} does not exist.`),
  ];
}

/**
 * The full path of a source, which the document shortens.
 * @param {string} path
 */
function sourceOf(path) {
  if (!path.startsWith('web/')) return `src/${path}`;
  const [, folder = '', ...rest] = path.split('/');
  const inside = ['app', 'lib', 'components'].includes(folder) ? folder : `features/${folder}`;
  return ['web/src', inside, ...rest].join('/');
}

/** @returns {string[]} */
function idsOfTheSpecification() {
  return Object.entries(RULES_PER_SECTION).flatMap(([side, sections]) =>
    Object.entries(sections).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, index) => `${side}${section}.${String(index + 1).padStart(2, '0')}`),
    ),
  );
}
