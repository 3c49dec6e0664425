import { describe, expect, it } from '@jest/globals';
import { planOf, typedCredits } from './adjust-rules.js';

const ACCOUNT = {
  daily_credits: 10,
  bonus_credits: 10,
  paid_credits: 60,
  total_balance: 80,
  grant_left_today: 1000,
};

describe('planOf', () => {
  it('adds a grant to the bonus credits', () => {
    expect(planOf('grant', 20, ACCOUNT)).toEqual({
      after: 100,
      changes: ['bonus 10 to 30'],
      needsSecondAdmin: false,
    });
  });

  it.each([
    [5, 75, ['daily 10 to 5']],
    [15, 65, ['daily 10 to 0', 'bonus 10 to 5']],
    [80, 0, ['daily 10 to 0', 'bonus 10 to 0', 'purchased 60 to 0']],
  ])('takes %d credits from daily ones first, then bonus, then purchased', (credits, after, changes) => {
    expect(planOf('adjust', credits, ACCOUNT)).toEqual({ after, changes, needsSecondAdmin: false });
  });

  it('takes no more than the account has', () => {
    expect(planOf('adjust', 81, ACCOUNT)).toBeNull();
  });

  it.each(['grant', 'adjust'] as const)('needs a second admin for more than is left today: %s', (kind) => {
    const account = { ...ACCOUNT, grant_left_today: 20 };
    expect(planOf(kind, 20, account)?.needsSecondAdmin).toBe(false);
    expect(planOf(kind, 21, account)?.needsSecondAdmin).toBe(true);
  });
});

it.each([
  ['20', 20],
  [' 7 ', 7],
  ['1000000', 1_000_000],
  ['1000001', null],
  ['0', null],
  ['-5', null],
  ['1.5', null],
  ['1e3', null],
  ['', null],
])('typedCredits(%p) is %p', (text, credits) => {
  expect(typedCredits(text)).toBe(credits);
});
