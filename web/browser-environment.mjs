/**
 * Jest's test environment of the web app's specs: jsdom on the global object of the worker, with the browser APIs that
 * jsdom lacks. Media queries never match; observers never report. All specs of a worker share one window, because
 * packages are loaded once a worker and may keep its document; each spec starts with an empty one.
 */
import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { JSDOM, VirtualConsole } from 'jsdom';
import NativeEnvironment from '../test/runner/native-environment.mjs';
import { makeStylesCheaper } from './computed-style.mjs';

const { setImmediate } = globalThis;
/** The global object before it had a window. */
const nodesOwn = Object.getOwnPropertyDescriptors(globalThis);
const URL_OF_TESTS = 'http://localhost/';
const dom = new JSDOM('<!doctype html>', {
  url: URL_OF_TESTS,
  pretendToBeVisual: true,
  // Its messages go to the console of the running spec.
  virtualConsole: new VirtualConsole().sendTo({ error: (...args) => globalThis.console.error(...args) }),
});

/** Names that stay Node's: those of the language, timers (Jest fakes them) and what jsdom implements less well. */
const NODES = new Set([
  ...vm.runInNewContext('Object.getOwnPropertyNames(globalThis)'),
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'queueMicrotask',
  'structuredClone',
  'atob',
  'btoa',
  'AbortController',
  'AbortSignal',
  'Headers',
  'performance',
]);

/** React DOM looks for it when it is loaded. `test/renders.ts` counts renders with it. */
const reactHook = {
  root: undefined,
  supportsFiber: true,
  inject: () => 1,
  onCommitFiberRoot(_renderer, root) {
    this.root = root;
  },
  onCommitFiberUnmount() {},
};

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Parts of a browser that jsdom lacks. */
Object.assign(dom.window, {
  matchMedia: (media) => ({ media, matches: false, addEventListener() {}, removeEventListener() {} }),
  CSS: { escape: (text) => text.replace(/[^\w-]/g, '\\$&'), supports: () => false },
  scrollTo() {},
  ResizeObserver: Observer,
  IntersectionObserver: Observer,
});
Object.assign(dom.window.Element.prototype, {
  scrollIntoView() {},
  hasPointerCapture: () => false,
  setPointerCapture() {},
  releasePointerCapture() {},
});
// Node's own digest ends in another thread, which fake timers do not wait for.
const digest = (name, bytes) =>
  Promise.resolve(Uint8Array.from(createHash(name.replace('-', '')).update(bytes).digest()).buffer);
Object.defineProperty(dom.window.crypto, 'subtle', { value: { digest } });
makeStylesCheaper(dom.window);

/** Listeners of the product's code on the window and the document. Those of packages stay: they are added once. */
const listeners = [];
for (const target of [dom.window, dom.window.document]) {
  const { addEventListener } = target;
  target.addEventListener = (type, listener, options = {}) => {
    // jsdom takes no signals but its own; those of the product are Node's.
    const { signal, ...rest } = typeof options === 'boolean' ? { capture: options } : options;
    if (signal?.aborted) return;
    if (!callerOf().includes('/node_modules/')) listeners.push([target, [type, listener, rest]]);
    Reflect.apply(addEventListener, target, [type, listener, rest]);
    signal?.addEventListener('abort', () => target.removeEventListener(type, listener, rest));
  };
}

/** Observers of the product's code, and of specs: they would change the pages of later specs. */
const observers = [];
dom.window.MutationObserver = class extends dom.window.MutationObserver {
  constructor(callback) {
    super(callback);
    if (!callerOf().includes('/node_modules/')) observers.push(this);
  }
};

/** @returns {string} the file that called the caller of this function */
function callerOf() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.prepareStackTrace = (_error, frames) => frames[2]?.getFileName() ?? '';
  // Jest keeps a hundred frames, which cost more.
  Error.stackTraceLimit = 3;
  const file = new Error().stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return String(file);
}

/**
 * Everything in the window that a spec can change, as it was before the first spec.
 * @type {[object, Record<PropertyKey, PropertyDescriptor>][]}
 */
const unchanged = [
  ...[dom.window, dom.window.document, dom.window.navigator, dom.window.history],
  ...Object.getOwnPropertyNames(dom.window).flatMap((name) => dom.window[name]?.prototype ?? []),
].map((object) => [object, Object.getOwnPropertyDescriptors(object)]);

/** Undoes what a spec has defined, assigned, listened to or observed in the window. */
function restoreWindow() {
  for (const [target, args] of listeners.splice(0)) target.removeEventListener(...args);
  for (const observer of observers.splice(0)) observer.disconnect();
  for (const [object, before] of unchanged) {
    for (const name of Reflect.ownKeys(object)) if (!(name in before)) Reflect.deleteProperty(object, name);
    for (const name of Reflect.ownKeys(before)) {
      const was = before[name];
      const is = Reflect.getOwnPropertyDescriptor(object, name);
      const same = was?.value === is?.value && was?.get === is?.get && was?.set === is?.set;
      if (was && !same) Reflect.defineProperty(object, name, was);
    }
  }
}

/** @returns {Set<string>} the names of the window's own properties and those of its prototypes */
function namesOfWindow() {
  const names = new Set();
  for (let object = dom.window; object !== Object.prototype; object = Object.getPrototypeOf(object)) {
    for (const name of Object.getOwnPropertyNames(object)) names.add(name);
  }
  return names;
}

/** @returns {PropertyDescriptor} */
function describeProperty(name) {
  const value = dom.window[name];
  if (typeof value !== 'function') {
    return {
      configurable: true,
      enumerable: true,
      get: () => dom.window[name],
      set: (next) => (dom.window[name] = next),
    };
  }
  const isClass = /^[A-Z]/.test(name);
  return { configurable: true, enumerable: true, writable: true, value: isClass ? value : value.bind(dom.window) };
}

export default class BrowserEnvironment extends NativeEnvironment {
  async setup() {
    restoreWindow();
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (!(name in nodesOwn)) delete globalThis[name];
    }
    for (const [name, descriptor] of Object.entries(nodesOwn)) {
      if (descriptor.configurable) Object.defineProperty(globalThis, name, descriptor);
    }
    for (const name of namesOfWindow()) {
      if (!NODES.has(name)) Object.defineProperty(globalThis, name, describeProperty(name));
    }
    for (const name of ['window', 'self', 'top', 'parent']) {
      Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: globalThis });
    }
    // React's scheduler would take them, and they are not fake timers.
    for (const name of ['setImmediate', 'clearImmediate', 'MessageChannel']) delete globalThis[name];
    reactHook.root = undefined;
    Object.assign(globalThis, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: reactHook,
      // React then warns about updates outside of act()
      IS_REACT_ACT_ENVIRONMENT: true,
    });
    emptyWindow();
    await super.setup();
  }

  /** The window stays, because work that React has planned may still use it. */
  async teardown() {
    await super.teardown();
    await new Promise((resolve) => setTimeout(resolve, 0));
    // Jest's runner uses it after each spec.
    globalThis.setImmediate = setImmediate;
  }
}

function emptyWindow() {
  const { document, history, localStorage, sessionStorage } = dom.window;
  dom.reconfigure({ url: URL_OF_TESTS });
  history.replaceState(null, '', '/');
  for (const element of [document.documentElement, document.body, document.head]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  }
  document.head.replaceChildren();
  document.body.replaceChildren();
  document.adoptedStyleSheets = [];
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0`;
  localStorage.clear();
  sessionStorage.clear();
}
