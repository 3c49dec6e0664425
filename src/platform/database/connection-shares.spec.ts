import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DEFAULT_CONNECTIONS,
  LEAST_CONNECTIONS,
  shareConnections,
  VERIFICATION_CONNECTIONS,
} from './connection-shares.js';

/** Two lanes of the appender, the listener and the locks. */
const FIXED = 4;

describe('shareConnections', () => {
  it('never gives more connections than a process may have, and leaves none unused', () => {
    fc.assert(
      fc.property(fc.integer({ min: LEAST_CONNECTIONS, max: 1_000 }), fc.boolean(), (all, worker) => {
        const { requests, jobs } = shareConnections(all, worker);
        expect(requests + jobs + FIXED + (worker ? VERIFICATION_CONNECTIONS : 0)).toBe(all);
        expect(requests).toBeGreaterThanOrEqual(2);
        expect(jobs).toBeGreaterThanOrEqual(worker ? 3 : 2);
      }),
    );
  });

  it('gives requests what projections and verifications do not need', () => {
    expect(shareConnections(DEFAULT_CONNECTIONS, true)).toEqual({ requests: 4, jobs: 3 });
    expect(shareConnections(DEFAULT_CONNECTIONS, false)).toEqual({ requests: 6, jobs: 2 });
  });
});
