import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { refreshCredits } from './refresh-credits.js';
import { queryClient } from '../../lib/query.js';

const BALANCE_AND_HISTORY = [['credits'], ['get_user_transactions_by_jwt'], ['count_user_transactions_by_jwt']];

describe('refreshCredits', () => {
  let asked: unknown[];
  beforeEach(() => {
    jest.useFakeTimers();
    asked = [];
    jest.spyOn(queryClient, 'invalidateQueries').mockImplementation((filters) => {
      asked.push(filters?.queryKey);
      return Promise.resolve();
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it.each([
    ['deduction', 1000],
    ['refund', 2000],
  ] as const)('[F4.29, F9.08] invalidates balance and history after a %s, %i ms later', (reason, ms) => {
    refreshCredits(reason);
    jest.advanceTimersByTime(ms - 1);
    expect(asked).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(asked).toEqual(BALANCE_AND_HISTORY);
  });

  it('invalidates at once after a payment', () => {
    refreshCredits('now');
    jest.advanceTimersByTime(0);
    expect(asked).toEqual(BALANCE_AND_HISTORY);
  });
});
