import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { databaseTimeLeft, spendDatabaseTime, withDatabaseBudget } from './request-budget.js';

/** Extra time on the clock of this process, in which no timer fired (milliseconds). */
let busyMs = 0;

beforeAll(() => {
  jest.useFakeTimers();
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + busyMs);
});
beforeEach(() => {
  busyMs = 0;
});
afterAll(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it('counts parallel waits once, and nothing after them', () => {
  withDatabaseBudget(60_000, () => {
    const waits = Array.from({ length: 4 }, () => spendDatabaseTime(() => undefined));
    jest.advanceTimersByTime(300);
    for (const end of waits) end();
    expect(databaseTimeLeft()).toBe(59_700);
    jest.advanceTimersByTime(1_000);
    expect(databaseTimeLeft()).toBe(59_700);
  });
});

it('does not count time in which this process was busy', () => {
  const onSpent = jest.fn();
  withDatabaseBudget(500, () => {
    const end = spendDatabaseTime(onSpent);
    busyMs += 1_500;
    jest.advanceTimersByTime(100);
    end();
    expect(databaseTimeLeft()).toBeGreaterThan(0);
    expect(onSpent).not.toHaveBeenCalled();
  });
});

it('reports a wait that lasts longer than the budget', async () => {
  const onSpent = jest.fn();
  await withDatabaseBudget(500, async () => {
    spendDatabaseTime(onSpent);
    jest.advanceTimersByTime(499);
    expect(onSpent).not.toHaveBeenCalled();
    // Answers that have arrived are processed first
    jest.advanceTimersByTime(5);
    expect(databaseTimeLeft()).toBe(0);
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(onSpent).toHaveBeenCalledTimes(1);
  });
});
