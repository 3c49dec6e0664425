/**
 * Runs specs as native ES modules of the worker, in the place of `jest-runtime`, which loads every module again for
 * every spec in a vm context. Jest's own runner, reporters, hooks and time limits stay. Module mocks and coverage are
 * missing. `hooks.mjs` describes what specs of a worker share.
 */
const asyncHooks = require('node:async_hooks');
const { createHash } = require('node:crypto');
const { mkdirSync, writeFileSync } = require('node:fs');
const { register } = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { MessageChannel } = require('node:worker_threads');
const { compileTypeScript } = require('../../scripts/lib/compile-typescript.cjs');

/** @typedef {import('./native-environment.mjs').default} NativeEnvironment */
/** @typedef {NonNullable<Parameters<import('@jest/fake-timers').ModernFakeTimers['useFakeTimers']>[0]>} FakeTimersOptions */

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Streams, modules and promises of Node itself wait for them. */
const NODES_OWN_TIMERS = /** @type {const} */ (['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate']);

/** @type {Record<string | symbol, any>} */
const globals = globalThis;
/** @type {import('node:worker_threads').MessagePort | undefined} */
let resets;
/** Specs that this worker has loaded. */
let loaded = 0;

/** @returns the port that tells the hooks about `jest.resetModules()` */
function installHooks() {
  const { port1, port2 } = new MessageChannel();
  register('./hooks.mjs', pathToFileURL(__filename), { data: { resets: port2 }, transferList: [port2] });
  port1.unref();
  return port1;
}

/** Source maps by the path or address of a file, made when the stack of an error first names the file. */
class LazySourceMaps extends Map {
  /**
   * @override
   * @param {string} source
   * @returns {string | undefined} the path of its source map
   */
  get(source) {
    const path = source.startsWith('file:') ? fileURLToPath(source.replace(/\?.*$/, '')) : source;
    if (!this.has(source) && /\.tsx?$/.test(path)) {
      const folder = join(tmpdir(), 'fanvas-source-maps');
      const map = join(folder, `${createHash('sha256').update(path).digest('hex')}.${process.pid}.json`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(map, compileTypeScript(path, true).map ?? '');
      this.set(source, map);
    }
    return super.get(source);
  }
}
const sourceMaps = new LazySourceMaps();

/** The part of `jest-runtime` that Jest's runner and jest-circus use. */
class NativeRuntime {
  /**
   * @param {{ testEnvironmentOptions: Record<string, unknown> }} config
   * @param {NativeEnvironment} environment
   */
  constructor(config, environment) {
    this.environment = environment;
    this.hooks = resets ??= installHooks();
    loaded += 1;
    /** @type {asyncHooks.AsyncLocalStorage<unknown>[]} */
    this.contexts = [];
    this.mark = `${config.testEnvironmentOptions['modules'] ?? 'shared'}=${loaded}`;
  }

  /**
   * jest-circus keeps its state in module variables: every spec has its own instance. What it keeps elsewhere would
   * stay in the worker, where each spec would be slower than the one before.
   * @param {string} path
   */
  requireInternalModule(path) {
    delete require.cache[require.resolve(path)];
    delete globals[EVENT_HANDLERS];
    const { contexts } = this;
    const { AsyncLocalStorage } = asyncHooks;
    const property = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage') ?? {};
    const recording = new Proxy(AsyncLocalStorage, {
      construct(target) {
        const context = new target();
        contexts.push(context);
        return context;
      },
    });
    // From Node 22 on the property is a getter, which cannot be assigned to.
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { configurable: true, enumerable: true, value: recording });
    try {
      return require(path);
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', property);
    }
  }

  /** @param {string} path */
  requireModule(path) {
    return require(path);
  }

  /** @param {Record<string, unknown>} functions */
  setGlobalsForRuntime(functions) {
    // Testing Library looks for this global to find out about fake timers.
    globals['jest'] = this.jestObject();
    globals[Symbol.for('fanvas.jest')] = { ...functions, jest: globals['jest'] };
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** @param {string} path */
  async unstable_importModule(path) {
    return import(`${pathToFileURL(path).href}?${this.mark}`);
  }

  /** What specs import as `jest`. */
  jestObject() {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this.environment;
    if (!mocker || !timers) throw new Error('The test environment was not set up.');
    const jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => (mocker.restoreAllMocks(), jest),
      resetModules: () => (this.hooks.postMessage(this.mark), jest),
      setTimeout: (/** @type {number} */ ms) => {
        globals[TEST_TIMEOUT] = ms;
        return jest;
      },
      useFakeTimers: (/** @type {FakeTimersOptions} */ options = {}) => {
        timers.useFakeTimers({ ...options, doNotFake: [...NODES_OWN_TIMERS, ...(options.doNotFake ?? [])] });
        return jest;
      },
      useRealTimers: () => (timers.useRealTimers(), jest),
      advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
      advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
      getTimerCount: timers.getTimerCount.bind(timers),
      runAllTimers: timers.runAllTimers.bind(timers),
      setSystemTime: timers.setSystemTime.bind(timers),
    };
    return jest;
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {
    // For module mocks only.
  }

  leaveTestCode() {
    // For module mocks only.
  }

  teardown() {
    delete globals[TEST_TIMEOUT];
    for (const context of this.contexts) context.disable();
  }
}

module.exports = NativeRuntime;
