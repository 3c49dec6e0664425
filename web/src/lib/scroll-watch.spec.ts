import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { watchScroll, type ScrollWatch } from './scroll-watch.js';

describe('[F2.31] watchScroll', () => {
  let began: number;
  let moving: number[];
  let settled: number[];
  let watch: ScrollWatch;
  const at = (): number => performance.now() - began;
  /** A scroll event every `every` ms, the last one after `ms`. */
  const scroll = (ms: number, every: number): void => {
    for (let passed = 0; passed <= ms; passed += every) {
      watch.scrolled();
      if (passed < ms) jest.advanceTimersByTime(every);
    }
  };

  beforeEach(() => {
    jest.useFakeTimers();
    began = performance.now();
    moving = [];
    settled = [];
    watch = watchScroll({ moving: () => moving.push(at()), settled: () => settled.push(at()) });
  });
  afterEach(() => void jest.useRealTimers());

  it('reports the first event, and then at most every 100 ms', () => {
    scroll(400, 10);
    expect(moving).toEqual([0, 100, 200, 300, 400]);
  });

  it('reports once within 100 ms', () => {
    scroll(99, 1);
    expect(moving).toEqual([0]);
  });

  it('settles 150 ms after the last event, and not before', () => {
    scroll(400, 10);
    jest.advanceTimersByTime(149);
    expect(settled).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(settled).toEqual([550]);
    jest.advanceTimersByTime(10_000);
    expect(settled).toHaveLength(1);
  });

  it('does not settle while an event comes every 149 ms', () => {
    scroll(149 * 10, 149);
    expect(settled).toEqual([]);
    jest.advanceTimersByTime(150);
    expect(settled).toHaveLength(1);
  });

  it('reports nothing after stop', () => {
    scroll(50, 10);
    watch.stop();
    jest.advanceTimersByTime(10_000);
    expect(settled).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
