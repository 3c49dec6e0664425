/** StrykerJS, for `npm run mutate`, which adds the files to change and the specs to run (scripts/mutate.mjs). */
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  // The specs are native ES modules, where Stryker cannot see which test covers which mutant.
  coverageAnalysis: 'off',
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['/.data', '/coverage', '/test/.artifacts'],
  // SWC ignores types.
  disableTypeChecks: false,
  reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
  logLevel: 'warn',
  // Generous, since a timeout counts as a kill: a busy machine must not improve the score.
  timeoutMS: 30_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 15,
};
