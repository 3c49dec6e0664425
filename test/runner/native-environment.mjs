/** Jest's test environment for specs that `native-runtime.cjs` loads: the worker's own global object. */
import { appendFileSync } from 'node:fs';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { ProcessTree, hasProcessorTime } from '../../scripts/lib/processor-time.mjs';

const { console: originalConsole } = globalThis;
const { exit } = process;

export default class NativeEnvironment {
  global = globalThis;
  /** @type {ModuleMocker | null} */
  moduleMocker = null;
  /** @type {ModernFakeTimers | null} */
  fakeTimersModern = null;
  #config;
  #testPath;
  #tree = new ProcessTree([process.pid, ...serversOfWorker()]);
  #secondsBefore = 0;
  #hasFailed = false;

  /**
   * @param {{ projectConfig: ConstructorParameters<typeof ModernFakeTimers>[0]['config'] }} config
   * @param {{ testPath: string }} context
   */
  constructor({ projectConfig }, { testPath }) {
    this.#config = projectConfig;
    this.#testPath = testPath;
  }

  async setup() {
    // StrykerJS keeps the mutant there that a run has; the next run has another one.
    Reflect.deleteProperty(globalThis, '__stryker__');
    if (process.env['TEST_COSTS']) this.#secondsBefore = this.#tree.seconds();
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: this.#config, global: globalThis });
  }

  /**
   * Marks for the code of `npm run mutate` that the modules are loaded and the tests begin. The first failure kills a
   * mutant, so the tests after it do not run.
   * @param {{ name: string, test?: { errors: unknown[], mode?: string | null } }} event of jest-circus
   */
  handleTestEvent({ name, test }) {
    const stryker = Reflect.get(globalThis, '__stryker__');
    if (!stryker) return;
    if (name === 'run_start') stryker.currentTestId = 'test';
    if (name === 'test_done' && test && test.errors.length > 0) this.#hasFailed = true;
    if (name === 'test_start' && test && this.#hasFailed) test.mode = 'skip';
  }

  async teardown() {
    this.moduleMocker?.restoreAllMocks();
    this.fakeTimersModern?.dispose();
    // Jest's runner replaces both for every spec.
    globalThis.console = originalConsole;
    process.exit = exit;
    this.#reportCost();
  }

  /** Jest's runner requires it of every environment. */
  getVmContext() {
    return null;
  }

  /** Adds a line for `scripts/lib/test-costs.mjs`: the processor time of this file, with servers and browsers. */
  #reportCost() {
    const file = process.env['TEST_COSTS'];
    if (!file || !hasProcessorTime) return;
    const seconds = this.#tree.seconds() - this.#secondsBefore;
    appendFileSync(file, `${JSON.stringify({ file: this.#testPath, seconds })}\n`);
  }
}

/** Processes that the global setup started for this worker. @returns {number[]} pids */
function serversOfWorker() {
  const pids = /** @type {number[]} */ (JSON.parse(process.env['TEST_SERVER_PIDS'] ?? '[]'));
  const own = pids[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1];
  return own === undefined ? [] : [own];
}
