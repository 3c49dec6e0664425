import { jest } from '@jest/globals';

/** Integration suites that do more than in `npm test`: repetitions, fault points or rows; see `inSoak`. */
jest.setTimeout(3_600_000);

await import('../integration/creators-scale.spec.js');
await import('../integration/generation-chaos.spec.js');
await import('../integration/generation-crash.spec.js');
await import('../integration/payments-fulfilment.spec.js');
