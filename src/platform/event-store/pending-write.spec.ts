import { describe, expect, it } from '@jest/globals';
import { EventStoreUnavailableError, UnknownOutcomeError } from './event-store.js';
import { PendingWrite } from './pending-write.js';

/** A pending write and the outcomes that its caller has seen. */
function pendingWrite(): { write: PendingWrite<string>; outcomes: unknown[] } {
  const outcomes: unknown[] = [];
  const inFlight = { add: () => undefined, delete: () => undefined };
  const see = (outcome: unknown): void => void outcomes.push(outcome);
  return { write: new PendingWrite<string>('stream-1', 0, inFlight, see, see), outcomes };
}

describe('PendingWrite', () => {
  it('fails with an unknown outcome when its deadline passes after it was sent', () => {
    const { write, outcomes } = pendingWrite();
    write.sent = true;
    write.failLate(new Error('late'));
    expect(outcomes).toEqual([expect.any(UnknownOutcomeError)]);
  });

  it('fails as unavailable when its deadline passes before it was sent', () => {
    const { write, outcomes } = pendingWrite();
    write.failLate(new Error('late'));
    expect(outcomes).toEqual([expect.any(EventStoreUnavailableError)]);
  });

  it('reports only the first outcome', () => {
    const { write, outcomes } = pendingWrite();
    write.answer('stored');
    write.fail(new Error('no'));
    write.failLate(new Error('late'));
    expect(outcomes).toEqual(['stored']);
  });
});
