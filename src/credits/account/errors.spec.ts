import { describe, expect, it } from '@jest/globals';
import { StreamDeletedError } from '../../platform/event-store/event-store.js';
import {
  AccountDeletedError,
  accountError,
  AdjustmentRefusedError,
  AdminGrantLimitError,
  BonusUndecidedError,
  DeductionRefusedError,
  GrantRefusedError,
  InsufficientCreditsError,
  NoAccountError,
  OwnAccountError,
  PurchaseRefusedError,
} from './errors.js';

describe('refusals of the ledger', () => {
  it.each([
    [new InsufficientCreditsError(10, 3), 'paymentRequired', '10 credits are needed and 3 are available.'],
    [new DeductionRefusedError('d1', 'Deduction d1 is closed.'), 'conflict', 'Deduction d1 is closed.'],
    [new GrantRefusedError('g1', 'Another grant.'), 'conflict', 'Another grant.'],
    [new PurchaseRefusedError('cs_1', 'Another purchase.'), 'conflict', 'Another purchase.'],
    [new AdjustmentRefusedError('a1', 'Another adjustment.'), 'conflict', 'Another adjustment.'],
    [new NoAccountError(), 'notFound', 'There is no account of this user.'],
  ])('%s has its kind and its text', (error, kind, message) => {
    expect(error).toMatchObject({ kind, message });
  });

  it('names the limit, what an admin has moved and what needs a second admin', () => {
    expect(new AdminGrantLimitError(10_000, 9_500, 1_200)).toMatchObject({
      kind: 'conflict',
      message:
        'An admin may grant and take 10,000 credits a day (UTC). You have moved 9,500 today: 1,200 more need a second admin.',
      code: '55000',
      hint: 'propose_credits_admin',
    });
  });

  it('forbids an admin to change the own balance', () => {
    const message = 'Another admin must change the balance of your own account.';
    expect(new OwnAccountError()).toMatchObject({ kind: 'forbidden', message, code: '42501' });
  });

  it('names the error of an undecided bonus in logs', () => {
    expect(new BonusUndecidedError().name).toBe('BonusUndecidedError');
  });
});

describe('accountError', () => {
  it('translates a deleted stream into a refusal that keeps its cause, and returns other errors unchanged', () => {
    const deleted = new StreamDeletedError('credits-user_1');
    const other = new Error('The store does not answer.');
    const message = 'The records of this account are missing, so its credits cannot be used. Please contact support.';
    expect(accountError(deleted)).toBeInstanceOf(AccountDeletedError);
    expect(accountError(deleted)).toMatchObject({ kind: 'gone', message, cause: deleted });
    expect(accountError(other)).toBe(other);
  });
});
