import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventLoopWatch } from './event-loop-watch.js';
import { Metrics } from './metrics.js';

let now = 0;
let metrics: Metrics;
let watch: EventLoopWatch;
let warnings: jest.Spied<Logger['warn']>;

beforeEach(() => {
  now = 0;
  metrics = new Metrics();
  watch = new EventLoopWatch(metrics, { warnAboveMs: 500, now: () => now });
  warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  watch.start();
  watch.stop();
});
afterEach(() => void jest.restoreAllMocks());

/** The timer fires after this time. */
function tickAfter(ms: number): void {
  now += ms;
  watch.tick();
}

describe('EventLoopWatch', () => {
  it('exports how late the timer fired', async () => {
    tickAfter(100);
    tickAfter(101);
    tickAfter(2_100);
    const { body } = await metrics.text();
    expect(body).toContain('fanvas_event_loop_lag_seconds_bucket{le="0.01"} 2\n');
    expect(body).toContain('fanvas_event_loop_lag_seconds_bucket{le="1"} 2\n');
    expect(body).toContain('fanvas_event_loop_lag_seconds_sum 2.001\n');
  });

  it('says how long a request that is read now may have waited, until the loop turns again', () => {
    tickAfter(100);
    expect(watch.waitedMs()).toBe(0);
    tickAfter(25_100);
    expect(watch.waitedMs()).toBe(25_000);
    tickAfter(104);
    expect(watch.waitedMs()).toBe(0);
  });

  it('warns of long blocks at most once in ten seconds, and counts those in between', () => {
    tickAfter(599);
    expect(warnings).not.toHaveBeenCalled();
    tickAfter(600);
    expect(warnings).toHaveBeenLastCalledWith(expect.objectContaining({ ms: 500, blocks: 1, longestMs: 500 }));
    tickAfter(3_100);
    tickAfter(700);
    expect(warnings).toHaveBeenCalledTimes(1);
    tickAfter(8_100);
    expect(warnings).toHaveBeenLastCalledWith(expect.objectContaining({ ms: 8_000, blocks: 3, longestMs: 8_000 }));
  });
});
