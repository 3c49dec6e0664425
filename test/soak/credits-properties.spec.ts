import { jest } from '@jest/globals';
import fc from 'fast-check';

/** The properties of the ledger's accounts, tried twenty times as often as in the unit tests. */
jest.setTimeout(600_000);
fc.configureGlobal({ numRuns: 2000 });

await import('../../src/credits/account/state.properties.spec.js');
await import('../../src/credits/ledger/account-store.properties.spec.js');
