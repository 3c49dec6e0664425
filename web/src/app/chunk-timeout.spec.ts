import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { isChunkFailure } from './chunk-reload.js';
import { withChunkTimeout } from './chunk-timeout.js';

describe('withChunkTimeout', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('[C9.09] gives up after 120 seconds, with an error that offers to reload the page', async () => {
    const failure = withChunkTimeout(new Promise(() => undefined)).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(119_999);
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(isChunkFailure(await failure)).toBe(true);
  });

  it('passes the code or its failure on, and leaves no timer', async () => {
    expect(await withChunkTimeout(Promise.resolve('code'))).toBe('code');
    await expect(withChunkTimeout(Promise.reject(new Error('offline')))).rejects.toThrow('offline');
    expect(jest.getTimerCount()).toBe(0);
  });
});
