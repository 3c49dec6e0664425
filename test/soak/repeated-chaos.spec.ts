import { jest } from '@jest/globals';

/** Integration suites whose tests repeat more often here than in `npm test`; see `inSoak`. */
jest.setTimeout(3_600_000);

await import('../integration/generation-chaos.spec.js');
await import('../integration/payments-fulfilment.spec.js');
