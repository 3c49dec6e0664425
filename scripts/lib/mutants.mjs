/** Finds the changes of `npm run mutate -- --rules` and `--sample`, and the specs that load a file. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './run.mjs';

/**
 * @typedef {object} Mutant
 * @property {string} id the name of the change in the written code
 * @property {string} file
 * @property {string} hash of the file
 * @property {number} index among the mutants of the file
 * @property {number} line
 * @property {string} mutator
 * @property {string} original
 * @property {string} replacement
 */
/** @typedef {{ line: number, column: number }} Position both start at 0 */
/** @typedef {{ start: Position, end: Position }} Location */

const OUTSIDE_OF_THE_SAMPLE = /\.spec\.ts$|\.d\.ts$|migrations\.ts$|^src\/(sandbox|cli)\/|\/event-archive\//;

/** @param {string} text */
export function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * All changes of these files.
 * @param {string[]} files
 * @returns {Promise<{ mutants: Mutant[], code: Map<string, string> }>} the code of a file contains all its changes,
 *   and makes the one that `__STRYKER_ACTIVE_MUTANT__` names
 */
export async function findMutants(files) {
  const { Instrumenter } = await import('@stryker-mutator/instrumenter');
  const logger = /** @type {any} */ (new Proxy({}, { get: () => () => false }));
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const result = await new Instrumenter(logger).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [reports] },
  );
  /** @type {Map<string, number>} */
  const counts = new Map();
  const mutants = result.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName: file, location, mutatorName: mutator, replacement }) => {
      const source = sources.get(file) ?? '';
      const index = counts.get(file) ?? 0;
      counts.set(file, index + 1);
      const original = excerpt(source, location);
      const line = location.start.line + 1;
      return {
        id,
        file,
        hash: hashOf(source),
        index,
        line,
        mutator,
        original,
        replacement: oneLine(replacement ?? ''),
      };
    });
  return { mutants, code: new Map(result.files.map(({ name, content }) => [name, content])) };
}

/** Texts of logs and metrics stay as they are: no test should depend on them. */
const reports = {
  /** @param {any} path Babel's path of a node */
  shouldIgnore(path) {
    if (/^logger\./.test(calleeOf(path.node))) return 'a line of the log';
    const isText = path.isStringLiteral() || path.isTemplateLiteral();
    const isOfMetric = (/** @type {any} */ { node }) => /\.(counter|gauge|histogram)$/.test(calleeOf(node));
    return isText && path.findParent(isOfMetric) ? 'a text of a metric' : undefined;
  },
};

/**
 * @param {any} node of Babel
 * @returns {string} `logger.warn` for `this.logger.warn(…)`
 */
function calleeOf({ type, callee }) {
  const name = (/** @type {any} */ node) => node?.name ?? node?.property?.name ?? node?.property?.id?.name ?? '';
  return type === 'CallExpression' ? `${name(callee.object)}.${name(callee)}` : '';
}

/**
 * Writes the code with all changes, where `compile-typescript.cjs` finds it.
 * @param {string} folder
 * @param {Map<string, string>} code
 */
export function writeMutants(folder, code) {
  rmSync(folder, { recursive: true, force: true });
  for (const [file, content] of code) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

/**
 * The mutants of a random sample: the same ones for the same seed, regardless of changes in other files.
 * @param {Mutant[]} mutants
 * @param {string} seed
 * @param {number} count
 */
export function sampleOf(mutants, seed, count) {
  const keyed = mutants.map((mutant) => ({ mutant, key: hashOf(`${seed} ${mutant.file} ${mutant.index}`) }));
  return keyed
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** Files of `src` from which the sample is drawn. @param {string[]} ruleFiles */
export function filesOfSample(ruleFiles) {
  return filesBelow('src').filter((file) => !OUTSIDE_OF_THE_SAMPLE.test(file) && !ruleFiles.includes(file));
}

/**
 * The specs that load one of these files, directly or through others. Jest's `--findRelatedTests` finds none, because
 * imports name `.js` files.
 * @param {string[]} files
 * @param {string[]} folders with specs
 */
export async function specsOf(files, folders) {
  const { default: ts } = await import('typescript');
  /** @type {Map<string, string[]>} */
  const users = new Map();
  for (const file of ['src', 'test', 'web/src'].flatMap(filesBelow)) {
    for (const { fileName } of ts.preProcessFile(readFileSync(join(root, file), 'utf8')).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const used = normalize(join(dirname(file), fileName)).replace(/\.js$/, '.ts');
      users.set(used, [...(users.get(used) ?? []), file]);
    }
  }
  const found = new Set(files);
  for (const file of found) for (const user of users.get(file) ?? []) found.add(user);
  return [...found].filter((file) => file.endsWith('.spec.ts') && folders.some((folder) => file.startsWith(folder)));
}

/** @param {string} folder */
function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('.'))
    .map((file) => `${folder}/${file}`)
    .sort();
}

/**
 * @param {string} source
 * @param {Location} location
 */
function excerpt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column);
  lines[0] = (lines[0] ?? '').slice(start.column);
  return oneLine(lines.join('\n'));
}

/** @param {string} code */
function oneLine(code) {
  const line = code.replace(/\s+/g, ' ').trim();
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}
