import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';
import { ownDataTimings } from './own-data-timings.js';

describe('ownDataTimings', () => {
  let client: QueryClient;
  let asked = 0;

  beforeEach(() => {
    jest.useFakeTimers();
    asked = 0;
    client = new QueryClient({ defaultOptions: { queries: ownDataTimings } });
  });
  afterEach(() => {
    client.clear();
    jest.useRealTimers();
  });

  const fetch = (answer: () => Promise<number> = () => Promise.resolve(1)): Promise<number> =>
    client.fetchQuery({
      queryKey: ['a'],
      queryFn: () => {
        asked += 1;
        return answer();
      },
    });

  it('[C9.11] uses an answer again for 2 seconds', async () => {
    await fetch();
    jest.advanceTimersByTime(1_999);
    await fetch();
    expect(asked).toBe(1);
    jest.advanceTimersByTime(1);
    await fetch();
    expect(asked).toBe(2);
  });

  it('[C9.11] loads again on focus only what is 5 seconds old', () => {
    const { refetchOnWindowFocus } = ownDataTimings;
    const state = { dataUpdatedAt: Date.now() };
    jest.advanceTimersByTime(4_999);
    expect(refetchOnWindowFocus({ state })).toBe(false);
    jest.advanceTimersByTime(1);
    expect(refetchOnWindowFocus({ state })).toBe(true);
  });

  it('[C9.11] repeats a request after a lost connection 5 seconds later', async () => {
    const answer = fetch(() =>
      asked === 1 ? Promise.reject(new ApiError(0, 'NETWORK_ERROR', '')) : Promise.resolve(7),
    );
    await jest.advanceTimersByTimeAsync(4_999);
    expect(asked).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await answer).toBe(7);
  });
});
