import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { within } from './within.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('returns what comes in time, and leaves no timer', async () => {
  expect(await within(1_000, Promise.resolve('in time'), () => 'late')).toBe('in time');
  await expect(within(1_000, Promise.reject(new Error('failed')), () => 'late')).rejects.toThrow('failed');
  expect(jest.getTimerCount()).toBe(0);
});

it('returns or throws instead after the time', async () => {
  const work = new Promise<string>((resolve) => setTimeout(resolve, 1_001, 'in time'));
  const late = within(1_000, work, () => 'late');
  const refused = within(1_000, work, () => {
    throw new Error('late');
  }).catch(String);
  await jest.advanceTimersByTimeAsync(1_001);
  expect([await late, await refused]).toEqual(['late', 'Error: late']);
});
