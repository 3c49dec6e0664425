import { jest } from '@jest/globals';

/** Integration suites that repeat more often, or try more fault points, than in `npm test`; see `inSoak`. */
jest.setTimeout(3_600_000);

await import('../integration/generation-chaos.spec.js');
await import('../integration/generation-crash.spec.js');
await import('../integration/payments-fulfilment.spec.js');
