import { existsSync, readFileSync } from 'node:fs';

/**
 * Specs are compiled with the options of the build (.swcrc), less its `exclude`, which keeps specs out of dist.
 * `swcrc: false` because SWC would otherwise read that file again and refuse them.
 */
const {
  exclude: _specs,
  $schema: _schema,
  ...swc
} = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
const tsx = {
  ...swc,
  jsc: {
    ...swc.jsc,
    parser: { ...swc.jsc.parser, tsx: true },
    transform: { ...swc.jsc.transform, react: { runtime: 'automatic' } },
  },
};

/**
 * @param {string} displayName
 * @param {string[]} testMatch
 * @param {import('jest').Config} [more]
 * @returns {import('jest').Config}
 */
function project(displayName, testMatch, more) {
  return {
    displayName,
    testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
    testEnvironment: 'node',
    roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/web/src'],
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    // Imports name the compiled file, the source is a .ts
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    transform: {
      '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }],
      '^.+\\.tsx$': ['@swc/jest', { ...tsx, swcrc: false }],
    },
    ...more,
  };
}

/** One server for all suites of a run. */
const postgres = {
  globalSetup: '<rootDir>/test/support/postgres-setup.mjs',
  globalTeardown: '<rootDir>/test/support/postgres-teardown.mjs',
};

/** Go's sumdb reads the public log, on machines that have it: Debian's golang-go and golang-golang-x-mod-dev. */
const GO = ['/usr/bin/go', '/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog/tlog.go'];
const withoutGo = GO.every((file) => existsSync(file)) ? [] : ['/ledger-log-go\\.spec\\.ts$'];

/** @type {import('jest').Config} */
export default {
  // Jest reads it here only, never from a project. Slower specs say so themselves with `jest.setTimeout`.
  testTimeout: 30_000,
  projects: [
    project('unit', ['src/**/*.spec.ts', 'web/src/**/*.spec.ts', 'web/src/**/*.spec.tsx']),
    project('architecture', ['test/architecture/**/*.spec.ts']),
    project('contract', ['test/contract/**/*.spec.ts'], postgres),
    project('integration', ['test/integration/**/*.spec.ts'], {
      ...postgres,
      testPathIgnorePatterns: ['/node_modules/', ...withoutGo],
    }),
    project('e2e', ['test/e2e/**/*.spec.ts'], { globalSetup: '<rootDir>/test/support/seed-setup.mjs' }),
    project('soak', ['test/soak/**/*.spec.ts'], postgres),
  ],
};
