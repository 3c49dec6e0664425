/**
 * Runs specs for `mutant-runs.mjs`, one at a time in this process: Node starts once, not once for each mutant.
 * Jest's global setup does not run: a Postgres is there already.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { readConfigs } from 'jest-config';
import jestRunner from 'jest-runner';
import config from '../../jest.config.mjs';
import { root } from './run.mjs';

/** @typedef {import('./mutant-runs.mjs').Order} Order */
/** @typedef {{ mutantCoverage?: { static?: object, perTest?: Record<string, object> } }} Stryker */

// Its types describe the CommonJS module.
const TestRunner = /** @type {typeof jestRunner.default} */ (/** @type {unknown} */ (jestRunner));

// The smallest example does not matter, only that there is one.
fc.configureGlobal({ endOnFailure: true });
/**
 * Jest adds a translation of stacks for each spec, so that failures take longer and longer. Here they are not read. The
 * package `depd` reads its call sites with a function of its own while it is loaded.
 */
/** @type {typeof Error.prepareStackTrace} */
let ofDepd;
Object.defineProperty(Error, 'prepareStackTrace', {
  get: () => ofDepd,
  set: (prepare) => {
    ofDepd = prepare?.name === 'prepareObjectStackTrace' ? prepare : undefined;
  },
});
process.on('disconnect', () => process.exit());
process.on('message', (/** @type {Order} */ order) => {
  void runSpec(order).then((report) => process.send?.(report));
});

/** @type {Partial<Record<import('./mutant-runs.mjs').Project, ReturnType<typeof prepare>>>} */
const contexts = {};

/**
 * Jest's own start, without its search through all files.
 * @param {import('./mutant-runs.mjs').Project} project
 */
async function prepare(project) {
  const found = config.projects?.find((each) => typeof each === 'object' && each.displayName === project);
  const settings = JSON.stringify({ ...Object(found), rootDir: root, testTimeout: config.testTimeout });
  const argv = { $0: 'jest', _: [], runInBand: true, silent: true, config: settings };
  const { globalConfig, configs } = await readConfigs(argv, [root]);
  // Only Jest's own runtime needs the rest of a context.
  return { globalConfig, context: /** @type {any} */ ({ config: configs[0] }) };
}

/**
 * @param {Order} order
 * @returns {Promise<import('./mutant-runs.mjs').Report>}
 */
async function runSpec({ project, spec, mutant, test }) {
  // The mutated code reads it when it is loaded.
  if (mutant === null) delete process.env['__STRYKER_ACTIVE_MUTANT__'];
  else process.env['__STRYKER_ACTIVE_MUTANT__'] = mutant;
  const { globalConfig, context } = await (contexts[project] ??= prepare(project));
  /** @type {string[]} */
  const failed = [];
  /** @type {string[]} */
  const problems = [];
  const runner = new TestRunner(test === undefined ? globalConfig : { ...globalConfig, testNamePattern: test }, {});
  runner.on('test-file-failure', ([, error]) => void problems.push(`It could not run: ${error.message}`));
  runner.on('test-file-success', ([, { testResults, testExecError }]) => {
    failed.push(...testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName));
    if (testExecError) problems.push('It could not run.');
  });
  const started = Date.now();
  const watcher = /** @type {any} */ ({ isInterrupted: () => false });
  await runner.runTests([{ path: join(root, spec), context }], watcher, { serial: true });
  const { mutantCoverage } = /** @type {{ __stryker__?: Stryker }} */ (globalThis).__stryker__ ?? {};
  return {
    failed: failed[0] ?? problems[0] ?? null,
    isTest: failed.length > 0,
    loaded: Object.keys(mutantCoverage?.static ?? {}),
    called: Object.values(mutantCoverage?.perTest ?? {}).flatMap(Object.keys),
    seconds: (Date.now() - started) / 1000,
  };
}
