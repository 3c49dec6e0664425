import { jest } from '@jest/globals';
import fc from 'fast-check';

/** Runs the property tests of accounts with twenty times as many runs as in the unit suite. */
jest.setTimeout(600_000);
fc.configureGlobal({ numRuns: 2000 });

await import('../../src/credits/account/state.properties.spec.js');
await import('../../src/credits/ledger/account-store.properties.spec.js');
