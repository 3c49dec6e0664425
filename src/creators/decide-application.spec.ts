import { describe, expect, it } from '@jest/globals';
import { type DomainError } from '../platform/domain-error.js';
import { type ApplicantState, decideApplication, reapplyAt } from './decide-application.js';

const NOW = new Date('2026-11-22T14:05:00Z');
const rejectedAt = new Date('2026-08-24T14:05:00Z');
const newcomer: ApplicantState = { creator: null, closed: false, handleTaken: false };
const rejected = { id: 'creator-1', status: 'rejected', rejectedAt } as const;

function refusal(state: Partial<ApplicantState>, now = NOW): DomainError {
  try {
    decideApplication({ ...newcomer, ...state }, now);
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('It was allowed.');
}

describe('decideApplication', () => {
  it('allows a first application', () => {
    expect(decideApplication(newcomer, NOW)).toBeNull();
  });

  it.each(['pending', 'active'] as const)('refuses a person who is %s already', (status) => {
    const error = refusal({ creator: { id: 'creator-1', status, rejectedAt: null } });
    expect(error).toMatchObject({ kind: 'conflict', message: 'You already have a creator application.' });
    expect(error.code).toBeUndefined();
  });

  it('[C9.03, C4.15] allows an application 90 days after a rejection, and names the time before', () => {
    expect(reapplyAt(rejectedAt)).toEqual(NOW);
    expect(decideApplication({ ...newcomer, creator: rejected }, NOW)).toEqual({ creatorId: 'creator-1' });
    expect(refusal({ creator: rejected }, new Date(NOW.getTime() - 1))).toMatchObject({
      kind: 'conflict',
      code: '55000',
      message: 'Your last application was not approved. You can apply again from November 22, 2026 at 14:05 UTC.',
    });
  });

  it('refuses a closed account in any state', () => {
    expect(refusal({ closed: true, creator: rejected }).code).toBe('55000');
  });

  it('refuses the handle of an approved creator, with a code that differs from an open application', () => {
    expect(refusal({ handleTaken: true })).toMatchObject({ kind: 'unprocessable', code: '22023' });
  });
});
