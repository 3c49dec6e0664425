/**
 * `@jest/globals` for specs that Node itself loads (`native-runtime.cjs`). A module that several specs share is loaded
 * once, so each name passes on to the spec that runs now.
 */
/** @returns {Record<string, any>} the functions of Jest for the running spec */
const running = () => /** @type {any} */ (globalThis)[Symbol.for('fanvas.jest')];

/** @param {string} name */
function passOn(name) {
  return new Proxy(() => undefined, {
    apply: (_target, self, args) => Reflect.apply(running()[name], self, args),
    get: (_target, property) => Reflect.get(running()[name], property),
  });
}

export const afterAll = passOn('afterAll');
export const afterEach = passOn('afterEach');
export const beforeAll = passOn('beforeAll');
export const beforeEach = passOn('beforeEach');
export const describe = passOn('describe');
export const expect = passOn('expect');
export const it = passOn('it');
export const test = passOn('test');
export const jest = passOn('jest');
