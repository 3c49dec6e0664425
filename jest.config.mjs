import { existsSync } from 'node:fs';

/**
 * Specs are native ES modules of the worker (docs/adr/0060-specs-are-native-modules.md).
 * @param {string} displayName
 * @param {string[]} testMatch
 * @param {import('jest').Config} [more]
 * @returns {import('jest').Config}
 */
function project(displayName, testMatch, more) {
  return {
    displayName,
    testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
    roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/web/src'],
    runtime: '<rootDir>/test/runner/native-runtime.cjs',
    testEnvironment: '<rootDir>/test/runner/native-environment.mjs',
    transform: {},
    ...more,
  };
}

/** Each spec has its own instances of the product's modules. The others share those of the worker. */
const freshModules = { testEnvironmentOptions: { modules: 'fresh' } };

/** One server for all suites of a run. */
const postgres = {
  globalSetup: '<rootDir>/test/support/postgres-setup.mjs',
  globalTeardown: '<rootDir>/test/support/postgres-teardown.mjs',
};

/** The data of the small demo, made once for each build and day. */
const demo = {
  globalSetup: '<rootDir>/test/support/seed-setup.mjs',
  globalTeardown: '<rootDir>/test/support/seed-teardown.mjs',
};

/** Go's sumdb reads the public log, on machines that have it: Debian's golang-go and golang-golang-x-mod-dev. */
const GO = ['/usr/bin/go', '/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog/tlog.go'];
const withoutGo = GO.every((file) => existsSync(file)) ? [] : ['/ledger-log-go\\.spec\\.ts$'];
/** Needs PgBouncer, which `npm run test:postgres-versions -- --only transaction-pooler` installs. */
const withoutPooler = process.env['TEST_TRANSACTION_POOLER'] ? [] : ['/transaction-pooler\\.spec\\.ts$'];

/** The files of `deploy` for proxies are tried on machines that have them: Debian's haproxy and nginx-light. */
const PROXIES = ['/usr/sbin/haproxy', '/usr/sbin/nginx'];
const withoutProxies = PROXIES.every((file) => existsSync(file)) ? [] : ['/proxies\\.spec\\.ts$'];

/** @type {import('jest').Config} */
export default {
  // Jest reads it here only, never from a project. Slower specs say so themselves with `jest.setTimeout`.
  testTimeout: 30_000,
  testSequencer: '<rootDir>/test/runner/sequencer.mjs',
  projects: [
    project('unit', ['src/**/*.spec.ts'], freshModules),
    project('web', ['web/src/**/*.spec.ts', 'web/src/**/*.spec.tsx'], {
      ...freshModules,
      testEnvironment: '<rootDir>/web/browser-environment.mjs',
      setupFilesAfterEnv: ['<rootDir>/web/test/clean-up.ts'],
    }),
    project('architecture', ['test/architecture/**/*.spec.ts'], freshModules),
    project('contract', ['test/contract/**/*.spec.ts'], postgres),
    project('integration', ['test/integration/**/*.spec.ts'], {
      ...postgres,
      setupFilesAfterEnv: ['<rootDir>/test/support/check-answers.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...withoutGo, ...withoutPooler, ...withoutProxies],
    }),
    project('e2e', ['test/e2e/**/*.spec.ts'], demo),
    project('browsers', ['test/browsers/**/*.spec.ts'], demo),
    project('screenshots', ['test/screenshots/**/*.spec.ts'], demo),
    project('image', ['test/image/**/*.spec.ts']),
    project('deploy', ['test/deploy/**/*.spec.ts']),
    project('restore', ['test/restore/**/*.spec.ts']),
    project('soak', ['test/soak/**/*.spec.ts'], postgres),
    project('upgrade', ['test/upgrade/**/*.spec.ts'], postgres),
  ],
};
