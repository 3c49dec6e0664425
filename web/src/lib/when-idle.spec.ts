import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { whenIdle } from './when-idle.js';

describe('whenIdle', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    jest.restoreAllMocks();
    Reflect.deleteProperty(window, 'requestIdleCallback');
    jest.useRealTimers();
  });

  it('runs once, some seconds after the load of the page', () => {
    jest.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
    const run = jest.fn();
    whenIdle(run);
    jest.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
    window.dispatchEvent(new Event('load'));
    jest.advanceTimersByTime(4_999);
    expect(run).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60_000);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('waits for an idle browser', () => {
    let idle = (): void => undefined;
    Object.assign(window, { requestIdleCallback: (callback: () => void) => (idle = callback) });
    const run = jest.fn();
    whenIdle(run);
    jest.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
    idle();
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('does not run after its cancellation', () => {
    const run = jest.fn();
    whenIdle(run)();
    jest.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
  });
});
