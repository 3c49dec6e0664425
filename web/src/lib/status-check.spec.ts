import { describe, expect, it, jest } from '@jest/globals';
import { checkStatus, pollDelay, reconnectDelay, STATUS_CHECK_FAILED } from './status-check.js';

class Trouble extends Error {}
const isTrouble = (error: unknown): boolean => error instanceof Trouble;

describe('pollDelay', () => {
  it('[F4.23, F9.03] starts at 5 s and doubles per retry up to 30 s', () => {
    expect([0, 1, 2, 3, 4, 50].map(pollDelay)).toEqual([5_000, 5_000, 10_000, 20_000, 30_000, 30_000]);
  });
});

describe('reconnectDelay', () => {
  it('returns 1, 2, 5 and then 10 s', () => {
    expect([0, 1, 2, 3, 4, 99].map(reconnectDelay)).toEqual([1_000, 2_000, 5_000, 10_000, 10_000, 10_000]);
  });
});

describe('checkStatus', () => {
  it('returns the answer of the first successful attempt', async () => {
    const ask = jest.fn<() => Promise<string>>().mockRejectedValueOnce(new Trouble()).mockResolvedValueOnce('row');
    const waits: number[] = [];
    const wait = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
    expect(await checkStatus(ask, { wait, isTrouble })).toEqual({ row: 'row', stillProcessing: false, error: null });
    expect(waits).toEqual([1_000]);
  });

  it('[F4.24, F4.25, F9.03] reports still processing after three failed attempts, 1 s and 2 s apart', async () => {
    const ask = jest.fn<() => Promise<string>>().mockRejectedValue(new Trouble());
    const waits: number[] = [];
    const wait = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
    expect(await checkStatus(ask, { wait, isTrouble })).toMatchObject({
      stillProcessing: true,
      error: STATUS_CHECK_FAILED,
    });
    expect(ask).toHaveBeenCalledTimes(3);
    expect(waits).toEqual([1_000, 2_000]);
  });

  it('does not retry before Retry-After, and reports it', async () => {
    const ask = jest.fn<() => Promise<string>>().mockRejectedValue(new Trouble());
    const result = await checkStatus(ask, { wait: () => Promise.resolve(), isTrouble, retryAfterMs: () => 12_000 });
    expect(result).toMatchObject({ stillProcessing: true, retryAfterMs: 12_000 });
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('throws a definite refusal at once', async () => {
    const ask = jest.fn<() => Promise<string>>().mockRejectedValue(new Error('Generation not found'));
    await expect(checkStatus(ask, { wait: () => Promise.resolve(), isTrouble })).rejects.toThrow('not found');
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
