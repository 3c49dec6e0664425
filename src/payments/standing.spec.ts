import { describe, expect, it } from '@jest/globals';
import { OPEN_STATES, stands } from './standing.js';

describe('standing of a reversal', () => {
  it.each(['succeeded', 'pending', 'requires_action'])('counts a refund in the state %s as returned money', (state) => {
    expect(stands({ kind: 'refund', state })).toBe(true);
  });

  it.each(['failed', 'canceled'])('does not count a refund in the state %s', (state) => {
    expect(stands({ kind: 'refund', state })).toBe(false);
  });

  it.each(['needs_response', 'under_review', 'lost', 'appeal_needs_response', 'appeal_under_review'])(
    'counts a dispute in the state %s as returned money',
    (state) => {
      expect(stands({ kind: 'dispute', state })).toBe(true);
    },
  );

  it.each(['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed'])(
    'does not count a dispute in the state %s',
    (state) => {
      expect(stands({ kind: 'dispute', state })).toBe(false);
    },
  );

  it('returns null for an unknown state, and for a state of the other kind', () => {
    expect(stands({ kind: 'refund', state: 'in_flight' })).toBeNull();
    expect(stands({ kind: 'refund', state: 'lost' })).toBeNull();
    expect(stands({ kind: 'dispute', state: 'succeeded' })).toBeNull();
  });
});

describe('OPEN_STATES', () => {
  it('lists the states of refunds and disputes that can still change', () => {
    expect([...OPEN_STATES].sort()).toEqual([
      'appeal_needs_response',
      'appeal_under_review',
      'needs_response',
      'pending',
      'requires_action',
      'under_review',
      'warning_needs_response',
      'warning_under_review',
    ]);
  });
});
