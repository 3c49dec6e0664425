import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { reloadOutdated } from './chunk-reload.js';
import { ErrorScreen } from './error-screen.js';

const lostChunk = new TypeError('Failed to fetch dynamically imported module: /assets/credits-page.js');

describe('ErrorScreen', () => {
  // It answers, so that nothing asks again after a test.
  beforeEach(() => void (globalThis.fetch = () => Promise.resolve({ ok: true } as Response)));
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    cleanup();
  });

  const heading = (error: unknown, online: boolean): string | null => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
    // Without a place for the time of the last reload, the page is not reloaded.
    jest.spyOn(Storage.prototype, 'getItem').mockReturnValue(String(Date.now()));
    render(<ErrorScreen error={error} />);
    return screen.getByRole('heading').textContent;
  };

  it('says that the browser is offline when the code of a page was not loaded before', () => {
    expect(heading(lostChunk, false)).toBe('You are offline');
    expect(screen.getByText(/opens by itself once the connection is back/)).toBeTruthy();
  });

  it('says that something went wrong for every other failure', () => {
    expect(heading(lostChunk, true)).toBe('Something went wrong');
    cleanup();
    expect(heading(new Error('a bug'), false)).toBe('Something went wrong');
  });

  /** A server that answers this to each question. */
  const server = (ok: () => boolean): void => {
    jest.useFakeTimers();
    globalThis.fetch = () => (ok() ? Promise.resolve({ ok: true } as Response) : Promise.reject(new TypeError()));
  };
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  it('reloads once the server answers, and not while it is away', async () => {
    let isBack = false;
    server(() => isBack);
    const reload = jest.fn();
    const stop = reloadOutdated(reload);
    await pass(60_000);
    expect(reload).not.toHaveBeenCalled();
    isBack = true;
    await pass(3_000);
    expect(reload).toHaveBeenCalledTimes(1);
    stop();
  });

  it('reloads whenever the connection is back, also a moment after another reload', async () => {
    server(() => true);
    jest.spyOn(Storage.prototype, 'getItem').mockReturnValue(String(Date.now()));
    const reload = jest.fn();
    const stop = reloadOutdated(reload);
    await pass(60_000);
    expect(reload).not.toHaveBeenCalled();
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(reload).toHaveBeenCalledTimes(1);
    stop();
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(reload).toHaveBeenCalledTimes(1);
  });
});
