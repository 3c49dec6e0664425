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
    tickAfter(20);
    tickAfter(21);
    tickAfter(2_020);
    const { body } = await metrics.text();
    expect(body).toContain('fanvas_event_loop_lag_seconds_bucket{le="0.01"} 2\n');
    expect(body).toContain('fanvas_event_loop_lag_seconds_bucket{le="1"} 2\n');
    expect(body).toContain('fanvas_event_loop_lag_seconds_sum 2.001\n');
  });

  it('says how long a request that is read now may have waited, until the loop turns again', () => {
    tickAfter(20);
    expect(watch.waitedMs()).toBe(0);
    tickAfter(25_020);
    expect(watch.waitedMs()).toBe(25_000);
    tickAfter(24);
    expect(watch.waitedMs()).toBe(0);
  });

  it('warns of long blocks at most once in ten seconds, and counts those in between', () => {
    tickAfter(519);
    expect(warnings).not.toHaveBeenCalled();
    tickAfter(520);
    expect(warnings).toHaveBeenLastCalledWith(expect.objectContaining({ ms: 500, blocks: 1, longestMs: 500 }));
    tickAfter(3_020);
    tickAfter(620);
    expect(warnings).toHaveBeenCalledTimes(1);
    tickAfter(8_020);
    expect(warnings).toHaveBeenLastCalledWith(expect.objectContaining({ ms: 8_000, blocks: 3, longestMs: 8_000 }));
  });
});
