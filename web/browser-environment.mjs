import { createHash } from 'node:crypto';
import { TestEnvironment } from 'jest-environment-jsdom';

/**
 * jsdom with the browser APIs that it lacks. For component tests:
 * `@jest-environment ./web/browser-environment.mjs`. Media queries never match; observers never report.
 */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    const { global } = this;
    for (const name of [
      'TextEncoder',
      'TextDecoder',
      'fetch',
      'Headers',
      'Request',
      'Response',
      'ReadableStream',
      'TransformStream',
    ]) {
      global[name] = globalThis[name];
    }
    // Node's Request refuses the signals of jsdom
    Object.assign(global, { AbortController, AbortSignal });
    // Node's own digest ends in another thread, which fake timers do not wait for
    const digest = (name, bytes) =>
      Promise.resolve(Uint8Array.from(createHash(name.replace('-', '')).update(bytes).digest()).buffer);
    Object.defineProperty(global.crypto, 'subtle', { value: { digest } });
    global.matchMedia = (media) => ({ media, matches: false, addEventListener() {}, removeEventListener() {} });
    global.CSS = { escape: (text) => text.replace(/[^\w-]/g, '\\$&'), supports: () => false };
    global.document.adoptedStyleSheets = [];
    global.scrollTo = () => {};
    class Observer {
      observe() {}
      unobserve() {}
      disconnect() {}
    }
    Object.assign(global, { ResizeObserver: Observer, IntersectionObserver: Observer });
    Object.assign(global.Element.prototype, {
      scrollIntoView() {},
      hasPointerCapture: () => false,
      setPointerCapture() {},
      releasePointerCapture() {},
    });
    // React DOM looks for it when it is loaded. `test/renders.ts` counts renders with it.
    global.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot(_renderer, root) {
        this.root = root;
      },
      onCommitFiberUnmount() {},
    };
    // React then warns about updates outside of act()
    global.IS_REACT_ACT_ENVIRONMENT = true;
  }
}
